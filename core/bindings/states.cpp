// The nanobind bindings of functions of a state: one call for one state or for many, arrays in and out.
//
// Arguments that are not yet arrays of the right size are left to Python: the call then returns None, and `fault` says
// why. One state is evaluated in the workspace of the object, under the interpreter lock; many in one of their own
// without it.
#include <memory>

#include "../dynamics/state_functions.hpp"
#include "arrays.hpp"

using namespace mubo;

namespace {

// The numbers of a C-contiguous array of doubles, borrowed.
class Numbers {
  public:
    Numbers() = default;
    Numbers(const Numbers&) = delete;
    ~Numbers() {
        if (borrowed_) PyBuffer_Release(&view_);
    }
    bool borrow(PyObject* from, int flags = 0) {
        borrowed_ = PyObject_GetBuffer(from, &view_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | flags) == 0;
        if (!borrowed_) PyErr_Clear();
        return borrowed_ && view_.itemsize == 8 && view_.format && view_.format[0] == 'd' && !view_.format[1];
    }
    double* data() const { return static_cast<double*>(view_.buf); }
    int dimensions() const { return view_.ndim; }
    Py_ssize_t size(int k) const { return view_.shape[k]; }
    bool finite() const {
        double sum = 0;  // NaN where any number is not finite
        for (Py_ssize_t k = 0; k < view_.len / 8; ++k) sum += 0 * data()[k];
        return sum == 0;
    }

  private:
    Py_buffer view_{};
    bool borrowed_ = false;
};

struct Argument {
    nb::handle given;
    int width;
};
struct Result {
    nb::handle given;   // an array to fill, or None
    int rows, columns;  // columns -1: a vector
};

constexpr Py_ssize_t most_under_lock = 8;  // states; more are evaluated without the interpreter lock

class States {
  public:
    States(const TreeSystem& s, In2<int> joints, bool plane) : s_(s), plane_(plane) {
        require(joints.shape(1) == 10, "a joint has ten numbers");
        for (size_t k = 0; k < joints.shape(0); ++k) {
            const int* j = &joints(k, 0);
            coordinates_.joint.push_back(
                {j[0], j[1], j[2], j[3], j[4], static_cast<double>(j[5]), j[6] != 0, {j[7], j[8], j[9]}});
            const JointLink& one = coordinates_.joint.back();
            require(one.kind >= 0 && one.kind < tree_kinds && one.q + kind_positions[one.kind] <= s.positions &&
                        one.v + kind_velocities[one.kind] <= s.velocities &&
                        one.at_v + kind_velocities[one.kind] <= s.velocities,
                    "a joint lies outside the tree");
            const int wide = one.kind == ball && one.euler[0] >= 0 ? 3 : kind_positions[one.kind];
            coordinates_.positions += wide;
            coordinates_.same =
                coordinates_.same && one.q == one.at_q && one.v == one.at_v && one.sign == 1 && one.kind != ball;
            coordinates_.turns_axes = coordinates_.turns_axes || one.turns_axes();
        }
        coordinates_.rates = s.velocities;
        own_ = std::make_unique<StateFunctions>(s_, coordinates_, plane_);
        empty_ = nb::module_::import_("numpy").attr("empty");
    }

    std::tuple<Status, int, Py_ssize_t> fault() const { return {fault_.status, fault_.where, row_}; }
    int rows() const { return own_->rows(); }

    nb::object mass_matrix(nb::handle q, nb::handle out) {
        return call<1, 1>({{{q, nq()}}}, {{{out, nv(), nv()}}}, [](StateFunctions& f, auto& x, auto& y) {
            f.mass_matrix(x[0], y[0]);
            return Fault{};
        });
    }
    nb::object inverse_dynamics(nb::handle q, nb::handle v, nb::handle a, double t, nb::handle out) {
        return call<3, 1>({{{q, nq()}, {v, nv()}, {a, nv()}}}, {{{out, nv(), -1}}},
                          [t](auto& f, auto& x, auto& y) { return f.inverse_dynamics(t, x[0], x[1], x[2], y[0]); });
    }
    nb::object bias(nb::handle q, nb::handle v, double t, nb::handle out) {
        return call<2, 1>({{{q, nq()}, {v, nv()}}}, {{{out, nv(), -1}}}, [t, this](auto& f, auto& x, auto& y) {
            return f.inverse_dynamics(t, x[0], x[1], at_rest(), y[0]);
        });
    }
    nb::object forward_dynamics(nb::handle q, nb::handle v, nb::handle tau, double t, nb::handle out) {
        return call<3, 1>({{{q, nq()}, {v, nv()}, {tau, nv()}}}, {{{out, nv(), -1}}},
                          [t](auto& f, auto& x, auto& y) { return f.forward_dynamics(t, x[0], x[1], x[2], y[0]); });
    }
    nb::object energy(nb::handle q, nb::handle v, double t, nb::handle out) {
        return call<2, 1>({{{q, nq()}, {v, nv()}}}, {{{out, 2, -1}}},
                          [t](auto& f, auto& x, auto& y) { return f.energies(t, x[0], x[1], y[0]); });
    }
    nb::object jacobian(const LinkPlace& at, nb::handle q, nb::handle out) {
        const int rows = plane_ ? (at.whole ? 3 : 2) : at.whole ? 6 : 3;
        return call<1, 1>({{{q, nq()}}}, {{{out, rows, nv()}}}, [&at](auto& f, auto& x, auto& y) {
            f.jacobian(at, x[0], y[0]);
            return Fault{};
        });
    }
    nb::object place(const LinkPlace& at, nb::handle q, nb::handle out) {
        const int size = plane_ ? (at.whole ? 3 : 2) : at.whole ? 7 : 3;
        return call<1, 1>({{{q, nq()}}}, {{{out, size, -1}}}, [&at](auto& f, auto& x, auto& y) {
            f.place(at, x[0], y[0]);
            return Fault{};
        });
    }
    nb::object loop_jacobian(nb::handle q, double t, nb::handle out) {
        return call<1, 1>({{{q, nq()}}}, {{{out, rows(), nv()}}}, [t](auto& f, auto& x, auto& y) {
            f.loop_rows(t, x[0], y[0]);
            return Fault{};
        });
    }
    nb::object inverse_derivatives(nb::handle q, nb::handle v, nb::handle a, double t, nb::handle by_q, nb::handle by_v,
                                   nb::handle by_a) {
        return call<3, 3>(
            {{{q, nq()}, {v, nv()}, {a, nv()}}}, {{{by_q, nv(), nv()}, {by_v, nv(), nv()}, {by_a, nv(), nv()}}},
            [t](auto& f, auto& x, auto& y) { return f.inverse_derivatives(t, x[0], x[1], x[2], y[0], y[1], y[2]); });
    }
    nb::object forward_derivatives(nb::handle q, nb::handle v, nb::handle tau, double t, nb::handle by_q,
                                   nb::handle by_v, nb::handle by_tau) {
        return call<3, 3>(
            {{{q, nq()}, {v, nv()}, {tau, nv()}}}, {{{by_q, nv(), nv()}, {by_v, nv(), nv()}, {by_tau, nv(), nv()}}},
            [t](auto& f, auto& x, auto& y) { return f.forward_derivatives(t, x[0], x[1], x[2], y[0], y[1], y[2]); });
    }

  private:
    const TreeSystem& s_;
    const bool plane_;
    JointCoordinates coordinates_;
    std::unique_ptr<StateFunctions> own_;
    nb::object empty_;
    std::vector<double> rest_;
    Fault fault_;
    Py_ssize_t row_ = 0;

    int nq() const { return coordinates_.positions; }
    int nv() const { return s_.velocities; }
    const double* at_rest() {
        rest_.resize(nv());
        return rest_.data();
    }

    // Evaluates one state (vectors) or many (first axis); None where Python has to look at the arguments, or `fault`.
    template <size_t inputs, size_t outputs, class Evaluate>
    nb::object call(const std::array<Argument, inputs>& arguments, const std::array<Result, outputs>& results,
                    Evaluate&& evaluate) {
        fault_ = {running, -1}, row_ = 0;
        Numbers in[inputs], out[outputs];
        Py_ssize_t count = -1;
        for (size_t k = 0; k < inputs; ++k) {
            if (!in[k].borrow(arguments[k].given.ptr())) return nb::none();
            const int many = in[k].dimensions() - 1;
            if (many < 0 || many > 1 || in[k].size(many) != arguments[k].width) return nb::none();
            const Py_ssize_t own = many ? in[k].size(0) : -1;
            if (k && own != count) return nb::none();
            count = own;
            if (!in[k].finite()) return nb::none();
        }
        nb::object answer[outputs];
        for (size_t k = 0; k < outputs; ++k) {
            answer[k] = results[k].given.is_none() ? make(count, results[k]) : nb::borrow(results[k].given);
            if (!out[k].borrow(answer[k].ptr(), PyBUF_WRITABLE) || !fits(out[k], count, results[k])) return nb::none();
        }
        const auto at = [&](StateFunctions& f, Py_ssize_t row) {
            const double* x[inputs];
            double* y[outputs];
            for (size_t k = 0; k < inputs; ++k) x[k] = in[k].data() + row * arguments[k].width;
            for (size_t k = 0; k < outputs; ++k)
                y[k] = out[k].data() +
                       row * results[k].rows * std::max(results[k].columns, results[k].columns < 0 ? 1 : 0);
            fault_ = evaluate(f, x, y), row_ = row;
            return fault_.status == done;
        };
        fault_ = {};
        if (count <= most_under_lock) {
            for (Py_ssize_t row = 0; row < std::abs(count); ++row)
                if (!at(*own_, row)) return nb::none();
        } else {
            nb::gil_scoped_release free_python;
            StateFunctions many(s_, coordinates_, plane_);
            for (Py_ssize_t row = 0; row < count; ++row)
                if (!at(many, row)) break;
        }
        if (fault_.status != done) return nb::none();
        if constexpr (outputs == 1)
            return answer[0];
        else
            return nb::make_tuple(answer[0], answer[1], answer[2]);
    }
    nb::object make(Py_ssize_t count, const Result& r) const {
        if (count < 0) return r.columns < 0 ? empty_(r.rows) : empty_(nb::make_tuple(r.rows, r.columns));
        return r.columns < 0 ? empty_(nb::make_tuple(count, r.rows)) : empty_(nb::make_tuple(count, r.rows, r.columns));
    }
    static bool fits(const Numbers& out, Py_ssize_t count, const Result& r) {
        const int first = count < 0 ? 0 : 1;
        if (out.dimensions() != first + (r.columns < 0 ? 1 : 2) || (first && out.size(0) != count)) return false;
        return out.size(first) == r.rows && (r.columns < 0 || out.size(first + 1) == r.columns);
    }
};

}  // namespace

void bind_states(nb::module_& m) {
    nb::class_<LinkPlace>(m, "LinkPlace")
        .def("__init__", [](LinkPlace* self, int link, In1<double> at, In1<double> turned, double angle, bool whole) {
            require(at.size() == 3 && turned.size() == 4, "a place has three numbers, a quaternion four");
            new (self)
                LinkPlace{link, {at(0), at(1), at(2)}, {turned(0), turned(1), turned(2), turned(3)}, angle, whole};
        });
    const auto none = [](const char* name) { return nb::arg(name) = nb::none(); };
    nb::class_<States>(m, "States")
        .def(nb::init<const TreeSystem&, In2<int>, bool>(), nb::keep_alive<1, 2>(), nb::arg("system"),
             nb::arg("joints"), nb::arg("plane"))
        .def_prop_ro("fault", &States::fault, "(status, where, state) of the last call; running: see the arguments")
        .def_prop_ro("rows", &States::rows, "number of independent rows that close loops")
        .def("mass_matrix", &States::mass_matrix, nb::arg("q"), none("out"))
        .def("inverse_dynamics", &States::inverse_dynamics, nb::arg("q"), nb::arg("v"), nb::arg("a"),
             nb::arg("t") = 0.0, none("out"))
        .def("bias", &States::bias, nb::arg("q"), nb::arg("v"), nb::arg("t") = 0.0, none("out"))
        .def("forward_dynamics", &States::forward_dynamics, nb::arg("q"), nb::arg("v"), nb::arg("tau"),
             nb::arg("t") = 0.0, none("out"))
        .def("energy", &States::energy, nb::arg("q"), nb::arg("v"), nb::arg("t") = 0.0, none("out"))
        .def("jacobian", &States::jacobian, nb::arg("of"), nb::arg("q"), none("out"))
        .def("place", &States::place, nb::arg("of"), nb::arg("q"), none("out"))
        .def("loop_jacobian", &States::loop_jacobian, nb::arg("q"), nb::arg("t") = 0.0, none("out"))
        .def("inverse_derivatives", &States::inverse_derivatives, nb::arg("q"), nb::arg("v"), nb::arg("a"),
             nb::arg("t") = 0.0, none("by_q"), none("by_v"), none("by_a"))
        .def("forward_derivatives", &States::forward_derivatives, nb::arg("q"), nb::arg("v"), nb::arg("tau"),
             nb::arg("t") = 0.0, none("by_q"), none("by_v"), none("by_tau"));
}
