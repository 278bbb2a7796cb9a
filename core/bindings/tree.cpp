// The nanobind bindings of trees: the recursions over many instants in one call.
#include "../tree/crba.hpp"
#include "../tree/dynamics.hpp"
#include "../tree/energy.hpp"
#include "../tree/jacobian.hpp"
#include "../tree/rnea.hpp"
#include "tree_arrays.hpp"

using namespace mubo;

static size_t rows_of(const TreeSystem& s, const In2<double>& q, const In2<double>& v) {
    require(static_cast<int>(q.shape(1)) == s.positions && static_cast<int>(v.shape(1)) == s.velocities,
            "q and v must have one column per position and per velocity");
    require(q.shape(0) == v.shape(0), "q and v must have one row per instant");
    return q.shape(0);
}
static size_t rows_of(const TreeSystem& s, const In1<double>& t, const In2<double>& q, const In2<double>& v) {
    require(t.size() == q.shape(0), "t must have one entry per instant");
    require_covered(s, t.data(), t.size());
    return rows_of(s, q, v);
}

// Copies of q and v with driven entries from their laws, and a with nothing else.
static auto drive_all(const TreeSystem& s, In1<double> t, In2<double> q, In2<double> v) {
    const size_t rows = rows_of(s, t, q, v), nq = s.positions, nv = s.velocities;
    std::vector<double> Q(q.data(), q.data() + q.size()), V(v.data(), v.data() + v.size()), A(rows * nv);
    TreeWork work(s);
    for (size_t k = 0; k < rows; ++k) drive(s, t(k), work, Q.data() + k * nq, V.data() + k * nv, A.data() + k * nv);
    return std::make_tuple(array(std::move(Q), {rows, nq}), array(std::move(V), {rows, nv}),
                           array(std::move(A), {rows, nv}));
}

constexpr size_t columns_of_a_link = 19;

// Per instant and link: r, quaternion, v, w, acceleration, angular acceleration of its frame; ground axes.
static auto forward_all(const TreeSystem& s, In2<double> q, In2<double> v, In2<double> a) {
    const size_t rows = rows_of(s, q, v), n = s.links();
    require(rows_of(s, q, a) == rows, "a must have one row per instant");
    std::vector<double> out(rows * n * columns_of_a_link);
    {
        nb::gil_scoped_release free_python;
        TreeWork work(s);
        std::vector<Quaternion<double>> orientation(n);
        double* o = out.data();
        for (size_t row = 0; row < rows; ++row) {
            const double* at = q.data() + row * s.positions;
            move(s, at, v.data() + row * s.velocities, a.data() + row * s.velocities, {0, 0, 0}, work);
            orient(s, at, orientation.data());
            for (size_t k = 0; k < n; ++k, o += columns_of_a_link) {
                const LinkWork& l = work.of(static_cast<int>(k));
                const Quaternion<double>& e = orientation[k];
                const double line[columns_of_a_link] = {
                    l.at.r.x, l.at.r.y, l.at.r.z, e.w,     e.x,     e.y,     e.z,       l.at.v.x,  l.at.v.y, l.at.v.z,
                    l.at.w.x, l.at.w.y, l.at.w.z, l.acc.x, l.acc.y, l.acc.z, l.alpha.x, l.alpha.y, l.alpha.z};
                std::copy(line, line + columns_of_a_link, o);
            }
        }
    }
    return array(std::move(out), {rows, n, columns_of_a_link});
}

// Calls evaluate(row, work) at every instant until one returns a fault: (status, where, instants done).
template <class Evaluate>
static std::tuple<Status, int, int> at_all(const TreeSystem& s, size_t rows, const UserFunction& user,
                                           const CountedTurns& near, Evaluate&& evaluate) {
    TreeWork work(s);
    work.user = user_force(s, user);
    const size_t wide = s.winding.size();
    require(!near || (near->shape(0) == rows && near->shape(1) == wide), "near must have one row per instant");
    nb::gil_scoped_release free_python;
    for (size_t row = 0; row < rows; ++row) {
        if (near) std::copy(near->data() + row * wide, near->data() + (row + 1) * wide, work.near.begin());
        const Fault fault = evaluate(row, work);
        if (fault.status != done) return {fault.status, fault.where, static_cast<int>(row)};
    }
    return {done, -1, static_cast<int>(rows)};
}

static auto rnea_all(const TreeSystem& s, In1<double> t, In2<double> q, In2<double> v, In2<double> a,
                     const UserFunction& user, const CountedTurns& near) {
    const size_t rows = rows_of(s, t, q, v), nq = s.positions, nv = s.velocities;
    require(rows_of(s, q, a) == rows, "a must have one row per instant");
    std::vector<double> tau(rows * nv);
    const auto [status, where, reached] = at_all(s, rows, user, near, [&](size_t k, TreeWork& work) {
        return rnea(s, t(k), q.data() + k * nq, v.data() + k * nv, a.data() + k * nv, work, tau.data() + k * nv);
    });
    return std::make_tuple(status, where, reached, array(std::move(tau), {rows, nv}));
}

static auto aba_all(const TreeSystem& s, In1<double> t, In2<double> q, In2<double> v, In2<double> tau,
                    const UserFunction& user, const CountedTurns& near) {
    const size_t rows = rows_of(s, t, q, v), nq = s.positions, nv = s.velocities;
    require(rows_of(s, q, tau) == rows, "tau must have one row per instant");
    std::vector<double> a(rows * nv), effort(rows * nv);
    const auto [status, where, reached] = at_all(s, rows, user, near, [&](size_t k, TreeWork& work) {
        std::copy(q.data() + k * nq, q.data() + (k + 1) * nq, work.q.begin());
        std::copy(v.data() + k * nv, v.data() + (k + 1) * nv, work.v.begin());
        drive(s, t(k), work, work.q.data(), work.v.data(), work.a.data());
        return forward_dynamics(s, t(k), work.q.data(), work.v.data(), tau.data() + k * nv, work, a.data() + k * nv,
                                effort.data() + k * nv);
    });
    return std::make_tuple(status, where, reached, array(std::move(a), {rows, nv}),
                           array(std::move(effort), {rows, nv}));
}

// Per instant: kinetic, potential of gravity, potential of springs, linear momentum, angular momentum.
static auto energy_all(const TreeSystem& s, In1<double> t, In2<double> q, In2<double> v, const CountedTurns& near) {
    const size_t rows = rows_of(s, t, q, v), nq = s.positions, nv = s.velocities;
    std::vector<double> out(rows * 9);
    const auto [status, where, reached] = at_all(s, rows, {}, near, [&](size_t k, TreeWork& work) {
        TreeEnergy e;
        const Fault fault = energy(s, t(k), q.data() + k * nq, v.data() + k * nv, work, e);
        const double line[9] = {e.kinetic,  e.gravity,   e.springs,   e.linear.x, e.linear.y,
                                e.linear.z, e.angular.x, e.angular.y, e.angular.z};
        std::copy(line, line + 9, out.data() + 9 * k);
        return fault;
    });
    return std::make_tuple(status, where, reached, array(std::move(out), {rows, 9}));
}

static auto mass_matrix(const TreeSystem& s, In1<double> q) {
    require(static_cast<int>(q.size()) == s.positions, "q must have one entry per position");
    const size_t n = s.velocities;
    std::vector<double> H(n * n);
    TreeWork work(s);
    crba(s, q.data(), work, H.data());
    return array(std::move(H), {n, n});
}

static auto rhs(const TreeSystem& s, double t, In1<double> y, const UserFunction& user) {
    require(static_cast<int>(y.size()) == s.states(), "y must have one entry per state");
    require_covered(s, &t, 1);
    std::vector<double> rates(s.states());
    const auto [status, where, reached] =
        at_all(s, 1, user, {}, [&](size_t, TreeWork& work) { return state_rates(s, t, y.data(), work, rates.data()); });
    return std::make_tuple(status, where, array(std::move(rates), {static_cast<size_t>(s.states())}));
}

static auto jacobian_at(const TreeSystem& s, double t, In1<double> y, double length, const UserFunction& user) {
    require(static_cast<int>(y.size()) == s.states(), "y must have one entry per state");
    require(length > 0, "the typical length must be positive");
    require_covered(s, &t, 1);
    const size_t n = s.states();
    std::vector<double> J(n * n);
    const auto [status, where, reached] = at_all(
        s, 1, user, {}, [&](size_t, TreeWork& work) { return jacobian(s, t, y.data(), length, work, J.data()); });
    return std::make_tuple(status, where, array(std::move(J), {n, n}));
}

static auto kinds() {
    std::vector<std::tuple<std::string, int, int>> out;
    for (int k = 0; k < tree_kinds; ++k) out.emplace_back(kind_name[k], kind_positions[k], kind_velocities[k]);
    return out;
}

void bind_tree(nb::module_& m) {
    m.def("tree_kinds", &kinds, "(name, positions, velocities) of every kind of link, by number");
    nb::class_<TreeSystem>(m, "TreeSystem")
        .def(
            "__init__",
            [](TreeSystem* self, In1<int> parent, In1<int> kind, In2<double> place, In2<double> axis, In1<double> pitch,
               In2<double> inertia, In1<int> law, In1<double> gravity, const std::vector<LawArrays>& laws,
               const std::vector<LoadArrays>& loads, const std::optional<In1<double>>& armature) {
                new (self) TreeSystem(
                    make_tree(parent, kind, place, axis, pitch, inertia, law, gravity, laws, loads, armature));
            },
            nb::arg("parent"), nb::arg("kind"), nb::arg("place"), nb::arg("axis"), nb::arg("pitch"), nb::arg("inertia"),
            nb::arg("law"), nb::arg("gravity"), nb::arg("laws"), nb::arg("loads"), nb::arg("armature") = nb::none())
        .def_prop_ro("links", &TreeSystem::links)
        .def_ro("positions", &TreeSystem::positions)
        .def_ro("velocities", &TreeSystem::velocities)
        .def_prop_ro("windings", &TreeSystem::windings)
        .def_prop_ro("states", &TreeSystem::states)
        .def("drive", &drive_all, "(q, v, a) with driven entries from their laws")
        .def("forward", &forward_all, "r, quaternion, v, w, acceleration, angular acceleration per instant and link")
        .def("rnea", &rnea_all, nb::arg("t"), nb::arg("q"), nb::arg("v"), nb::arg("a"), nb::arg("user") = nb::none(),
             nb::arg("near") = nb::none(), "(status, where, instants done, tau)")
        .def("aba", &aba_all, nb::arg("t"), nb::arg("q"), nb::arg("v"), nb::arg("tau"), nb::arg("user") = nb::none(),
             nb::arg("near") = nb::none(), "(status, where, instants done, a, efforts of drivers)")
        .def("crba", &mass_matrix, "mass matrix at one q")
        .def("energy", &energy_all, nb::arg("t"), nb::arg("q"), nb::arg("v"), nb::arg("near") = nb::none(),
             "(status, where, instants done, energies and momenta)")
        .def("rhs", &rhs, nb::arg("t"), nb::arg("y"), nb::arg("user") = nb::none(), "(status, where, dy/dt)")
        .def("jacobian", &jacobian_at, nb::arg("t"), nb::arg("y"), nb::arg("length"), nb::arg("user") = nb::none(),
             "(status, where, d(dy/dt)/dy)");
}
