// The nanobind bindings of systems in absolute coordinates, the same for the plane and for space.
#pragma once
#include <nanobind/stl/optional.h>

#include <optional>
#include <string>

#include "../kinematics/assembly.hpp"
#include "../kinematics/bounds.hpp"
#include "../kinematics/evaluate.hpp"
#include "../kinematics/sweep.hpp"
#include "arrays.hpp"
#include "forces.hpp"
#include "scaled_rows.hpp"
#include "sensitivities.hpp"
#include "sweep_grid.hpp"

namespace mubo {

using ProfileArrays = std::tuple<double, std::vector<double>, std::vector<double>>;  // period, knots, coefficients

template <class System>
System make_system(int free_bodies, In2<double> fixed, In1<int> kind, In2<int> body, In1<int> driver, In1<int> profile,
                   In1<double> parameter, const std::vector<ProfileArrays>& profiles) {
    System s;
    for (const auto& [period, knot, coefficient] : profiles) {
        require(!knot.empty() && (coefficient.size() == 6 * knot.size() || coefficient.size() == 12 * knot.size()),
                "a profile has six coefficients a piece, a curve six of x and six of y");
        s.profile.push_back({period, knot, coefficient});
    }
    s.free_bodies = free_bodies;
    require(fixed.shape(0) == 0 || fixed.shape(1) == System::width, "fixed must have one column per coordinate");
    for (size_t k = 0; k < fixed.shape(0); ++k) s.fixed.push_back(System::Pose::from(&fixed(k, 0)));
    s.parameter.assign(parameter.data(), parameter.data() + parameter.size());
    require(body.shape(0) == kind.size() && driver.size() == kind.size() && profile.size() == kind.size(),
            "kind, body, driver and profile must have one entry per row");
    require(kind.size() == 0 || body.shape(1) == max_bodies, "body must have a column for each body of a row");
    std::vector<Instance> all(kind.size());
    int next_parameter = 0;
    for (size_t k = 0; k < kind.size(); ++k) {
        bool known = false;
        for_each_row<typename System::Rows>([&](int number, auto row) {
            using Row = decltype(row);
            if (number != kind(k)) return;
            known = true;
            Instance& at = all[k];
            at = {{-1, -1, -1, -1}, s.equations, next_parameter, driver(k), profile(k), static_cast<int>(k)};
            require(Row::profiled ? at.profile >= 0 && at.profile < static_cast<int>(s.profile.size()) : true,
                    "profile number out of range");
            if constexpr (Row::profiled) {
                const Profile& one = s.profile[at.profile];
                require(one.coefficient.size() == 6 * Row::components * one.knot.size(),
                        "a cam has six coefficients a piece, a curve twelve");
            }
            for (int b = 0; b < Row::bodies; ++b) {
                at.body[b] = body(k, b);
                require(at.body[b] >= 0 && at.body[b] < s.bodies(), "body number out of range");
            }
            s.equations += Row::rows;
            next_parameter += Row::parameters;
        });
        require(known, "unknown row kind");
    }
    require(next_parameter == static_cast<int>(parameter.size()), "wrong number of parameters");
    for (int number = 0; number < System::kinds; ++number) {
        s.first_of_kind[number] = static_cast<int>(s.instance.size());
        for (size_t k = 0; k < kind.size(); ++k)
            if (kind(k) == number) s.instance.push_back(all[k]);
    }
    s.first_of_kind[System::kinds] = static_cast<int>(s.instance.size());
    return s;
}

template <class System>
std::vector<int> active_rows(const System& s, In1<int> active) {
    require(static_cast<int>(active.size()) == s.unknowns(), "active must name one equation per unknown");
    for (size_t k = 0; k < active.size(); ++k)
        require(active(k) >= 0 && active(k) < s.equations, "equation number out of range");
    return {active.data(), active.data() + active.size()};
}

// A position that closes all equations, from the estimate q: undamped, or another one than `known` where that is given.
template <class System>
auto assemble(const System& s, In1<double> q, In1<double> motion, In1<double> row_weight, In1<double> weight,
              double tolerance, double scale, int most, double longest, std::optional<In1<double>> known) {
    const size_t n = s.unknowns();
    require(static_cast<int>(n) == s.equations, "as many equations as unknowns are assembled");
    require(q.size() == n && weight.size() == n && row_weight.size() == n && (!known || known->size() == n),
            "q, known and the weights must have one entry per unknown and equation");
    Assembler<System> assembler(s, motion.data(), {row_weight.data(), weight.data(), tolerance, scale, most, longest});
    std::vector<double> out(q.data(), q.data() + n);
    int count = 0;
    const Status status =
        known ? assembler.deflated(out.data(), known->data(), &count) : assembler.newton(out.data(), &count);
    return std::make_tuple(status, count, assembler.gap(), assembler.worst(), array(std::move(out), {n}));
}

// Position, velocity and acceleration at one motion, from the estimate q.
template <class System>
auto solve(const System& s, In1<int> active, In1<double> q, In1<double> motion, double tolerance, int max_iterations,
           double scale) {
    placed(s, q);
    const int n = s.unknowns();
    Sweeper<System> sweeper(s, active_rows(s, active));
    const SweepOptions options{tolerance, max_iterations, false, nullptr, 0, scale};
    std::vector<double> state(3 * n);
    std::copy(q.data(), q.data() + n, state.begin());
    int count = 0;
    Status status = sweeper.position(state.data(), motion.data(), options, &count);
    if (status == done) status = sweeper.rates(motion.data(), state.data() + n, state.data() + 2 * n);
    return std::make_tuple(status, count, sweeper.sign(), sweeper.size(),
                           array(std::move(state), {3, static_cast<size_t>(n)}));
}

// Steps from the state at times[0] over times[1:], each output step in several parts; stops at the first that fails.
template <class System>
auto sweep(const System& s, In1<int> active, In1<double> times, In2<double> motion, In2<double> start, int sign,
           double largest, In1<double> weight, double tolerance, int max_iterations, bool taylor, double part,
           double scale, int parts, double same) {
    Sweeper<System> sweeper(s, active_rows(s, active));
    sweeper.set_largest_pivot(largest);
    SweepOptions options{tolerance, max_iterations, taylor, weight.data(), part, scale};
    SweepResult result = sweep_grid(
        {times, motion, start, parts, part, same}, s.unknowns(), weight, [](int, double*, double*) { return 0; },
        [&](double h, const double* last, double* next, const double* laws, double correction_part, double* count) {
            int corrections = 0;
            options.part = correction_part;
            const Status status = sweeper.step(h, last, next, sign, laws, options, &corrections);
            *count = corrections;
            return status;
        });
    return std::make_tuple(result.status, result.reached, sweeper.largest(), result.states, result.counts);
}

template <class System>
auto residuals(const System& s, In3<double> states, In2<double> motion) {
    const size_t n = s.unknowns(), m = s.equations;
    require(states.shape(0) == motion.shape(0) && states.shape(1) == 3 && states.shape(2) == n,
            "states must be times x 3 x unknowns");
    std::vector<double> out(3 * m);
    {
        nb::gil_scoped_release free_python;
        auto pose = s.poses();
        for (size_t k = 0; k < states.shape(0); ++k) {
            const double* q = states.data() + k * 3 * n;
            keep_largest_residuals(s, q, q + n, q + 2 * n, motion.data() + k * motion.shape(1), pose.data(), out.data(),
                                   out.data() + m, out.data() + 2 * m);
        }
    }
    return array(std::move(out), {3, m});
}

template <class System>
Out bounds(const System& s, In1<double> q, In1<double> motion, In1<double> weight, double radius) {
    require(static_cast<int>(q.size()) == s.unknowns() && weight.size() == q.size(),
            "q and weight must have one entry per unknown");
    require(radius >= 0, "the radius must not be negative");
    const size_t m = s.equations;
    std::vector<double> out(3 * m);
    evaluate_bounds(s, q.data(), motion.data(), weight.data(), radius, out.data(), out.data() + m, out.data() + 2 * m);
    return array(std::move(out), {3, m});
}

template <class System>
void bind_system(nb::module_& m, const char* name, const char* row_kinds) {
    m.def(
        row_kinds,
        [] {
            std::vector<std::tuple<std::string, int, int, int, bool>> kinds;
            for_each_row<typename System::Rows>([&](int, auto row) {
                using Row = decltype(row);
                kinds.emplace_back(Row::name, Row::rows, Row::bodies, Row::parameters, on_velocities<Row>);
            });
            return kinds;
        },
        "(name, rows, bodies, parameters, whether on velocities) of every row, in the order of their kind numbers.");

    nb::class_<System> bound(m, name);
    bound
        .def("__init__",
             [](System* self, int free_bodies, In2<double> fixed, In1<int> kind, In2<int> body, In1<int> driver,
                In1<int> profile, In1<double> parameter, const std::vector<ProfileArrays>& profiles) {
                 new (self)
                     System(make_system<System>(free_bodies, fixed, kind, body, driver, profile, parameter, profiles));
             })
        .def_prop_ro("unknowns", &System::unknowns)
        .def_prop_ro("equations", [](const System& s) { return s.equations; })
        .def("phi",
             [](const System& s, In1<double> q, In1<double> motion) {
                 auto pose = placed(s, q);
                 std::vector<double> phi(s.equations);
                 evaluate_phi(s, pose.data(), motion.data(), phi.data());
                 return array(std::move(phi), {static_cast<size_t>(s.equations)});
             })
        .def("jacobian",
             [](const System& s, In1<double> q, In1<double> motion) {
                 auto pose = placed(s, q);
                 const size_t n = s.unknowns(), rows = s.equations;
                 std::vector<double> J(rows * n);
                 evaluate_jacobian(s, pose.data(), motion.data(),
                                   [&](int r, int c, double value) { J[r * n + c] += value; });
                 return array(std::move(J), {rows, n});
             })
        .def(
            "jacobian_entries",
            [](const System& s, In1<double> q, In1<double> motion) {
                auto pose = placed(s, q);
                std::vector<double> entries;
                evaluate_jacobian(s, pose.data(), motion.data(), [&](int r, int c, double value) {
                    entries.insert(entries.end(), {static_cast<double>(r), static_cast<double>(c), value});
                });
                const size_t count = entries.size() / 3;
                return array(std::move(entries), {count, 3});
            },
            "Entries (equation, unknown, value) of J; equal pairs add up.")
        .def(
            "twist_jacobian",
            [](const System& s, In1<double> q, In1<double> motion) {
                auto pose = placed(s, q);
                const size_t n = System::dofs * s.free_bodies, rows = s.equations;
                std::vector<double> J(rows * n);
                evaluate_twist_jacobian(s, pose.data(), motion.data(),
                                        [&](int r, int c, double value) { J[r * n + c] += value; });
                return array(std::move(J), {rows, n});
            },
            "J in twists of the moving bodies, v of the origin and angular velocity each, in ground axes.")
        .def(
            "twist_jacobian_entries",
            [](const System& s, In1<double> q, In1<double> motion) {
                auto pose = placed(s, q);
                std::vector<double> entries;
                evaluate_twist_jacobian(s, pose.data(), motion.data(), [&](int r, int c, double value) {
                    entries.insert(entries.end(), {static_cast<double>(r), static_cast<double>(c), value});
                });
                const size_t count = entries.size() / 3;
                return array(std::move(entries), {count, 3});
            },
            "Entries (equation, component of the twists, value) of J in twists; equal pairs add up.")
        .def(
            "wrenches",
            [](const System& s, In1<double> q, In1<double> motion, In1<double> lam) {
                auto pose = placed(s, q);
                require(static_cast<int>(lam.size()) == s.equations, "lam must have one entry per equation");
                std::vector<double> out(s.instance.size() * max_bodies * System::dofs);
                evaluate_wrenches(s, pose.data(), motion.data(), lam.data(), out.data());
                return array(std::move(out), {s.instance.size(), max_bodies, System::dofs});
            },
            "J' lam of every row (in the order given) on each of its bodies, fixed ones too: force and moment about "
            "the body's origin, ground axes; with M a + J' lam = Q the row exerts its negative.")
        .def(
            "right_sides",
            [](const System& s, In1<double> q, In1<double> v, In1<double> motion) {
                auto pose = placed(s, q);
                const size_t rows = s.equations;
                std::vector<double> out(2 * rows);
                evaluate_right_sides(s, pose.data(), v.data(), motion.data(), out.data(), out.data() + rows);
                return array(std::move(out), {2, rows});
            },
            "nu and gamma, one row each.")
        .def("parameter_jacobian",
             [](const System& s, In1<double> q, In1<double> motion) {
                 auto pose = placed(s, q);
                 const size_t rows = s.equations, n = s.parameter.size();
                 std::vector<double> D(rows * n);
                 evaluate_parameter_jacobian(s, pose.data(), motion.data(),
                                             [&](int r, int c, double value) { D[r * n + c] += value; });
                 return array(std::move(D), {rows, n});
             })
        .def("bounds", &bounds<System>,
             "Over |x - q| weight <= radius: Lipschitz constants of J, bounds of |dPhi|, rounding of Phi, a row each.")
        .def("sensitivities", &sensitivities<System>,
             "(singular per time, sensitivities of states times x parameters x 3 x unknowns, residual |dPhi/dp| per "
             "equation)")
        .def("assemble", &assemble<System>, nb::arg("q"), nb::arg("motion"), nb::arg("row_weight"), nb::arg("weight"),
             nb::arg("tolerance"), nb::arg("scale"), nb::arg("most"), nb::arg("longest"), nb::arg("known").none(),
             "(status, iterations, largest gap, its equation, q)")
        .def("solve", &solve<System>, "(status, corrections, sign of det J, smallest pivot, states 3 x unknowns)")
        .def("sweep", &sweep<System>, "(status, steps done, largest smallest pivot, states, corrections per step)")
        .def("residuals", &residuals<System>, "Largest |Phi|, |J v - nu|, |J a - gamma| per equation over states.");
    bind_scaled_rows(bound);
    bind_forces(bound);
}

}  // namespace mubo
