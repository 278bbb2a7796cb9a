// The nanobind bindings of inverse dynamics in absolute coordinates, the same for the plane and for space.
#pragma once
#include "../forces/inverse.hpp"
#include "arrays.hpp"

namespace mubo {

template <class System>
void require_rows(const System& s, const In3<double>& states, const In2<double>& motion) {
    require(states.shape(1) == 3 && static_cast<int>(states.shape(2)) == s.unknowns(),
            "states must be times x 3 x unknowns");
    require(motion.shape(0) == states.shape(0), "motion must have one row per time");
}

// Q - M a of every moving body at all rows.
template <class System>
auto all_unbalanced_forces(const System& s, In2<double> mass, In1<double> gravity, In3<double> states, In3<double> on) {
    using Mass = MassOf<typename System::Pose>;
    constexpr size_t n = System::dofs;
    const size_t times = states.shape(0), bodies = s.bodies(), free = s.free_bodies;
    require(states.shape(1) == 3 && static_cast<int>(states.shape(2)) == s.unknowns(),
            "states must be times x 3 x unknowns");
    require(mass.shape(0) == free && mass.shape(1) == Mass::numbers, "mass must have one row per moving body");
    require(gravity.size() == Mass::World::dimension, "gravity must have one number per axis");
    require(on.shape(0) == times && on.shape(1) == bodies && on.shape(2) == n, "loads must be times x bodies x dofs");
    Room out(times * free * n);
    {
        nb::gil_scoped_release free_python;
        auto pose = s.poses();
        for (size_t k = 0; k < times; ++k) {
            const double* state = states.data() + k * 3 * s.unknowns();
            s.place(state, pose.data());
            unbalanced_forces(s, pose.data(), mass.data(), gravity.data(), state, on.data() + k * bodies * n,
                              out.data() + k * free * n);
        }
    }
    return out.array({times, free * n});
}

// lam at all rows; NaN where the position is singular.
template <class System>
auto multipliers(const System& s, In1<int> active, In3<double> states, In2<double> motion, In2<double> right) {
    require_rows(s, states, motion);
    const size_t times = states.shape(0), n = System::dofs * s.free_bodies, equations = s.equations;
    require(active.size() == n, "active must name one equation per degree of freedom of the moving bodies");
    for (size_t k = 0; k < n; ++k) require(active(k) >= 0 && active(k) < s.equations, "equation number out of range");
    require(right.shape(0) == times && right.shape(1) == n, "right sides must be times x dofs");
    Room out(times * equations);
    {
        nb::gil_scoped_release free_python;
        auto pose = s.poses();
        Multipliers<System> solver(s, {active.data(), active.data() + n});
        std::vector<double> b(n);
        for (size_t k = 0; k < times; ++k) {
            s.place(states.data() + k * 3 * s.unknowns(), pose.data());
            std::copy_n(right.data() + k * n, n, b.begin());
            double* lam = out.data() + k * equations;
            if (!solver.solve(pose.data(), motion.data() + k * motion.shape(1), b.data(), lam))
                std::fill_n(lam, equations, std::numeric_limits<double>::quiet_NaN());
        }
    }
    return out.array({times, equations});
}

template <class System>
auto reactions(const System& s, In3<double> states, In2<double> motion, In2<double> lam, In1<int> body,
               In1<int> carrier, In2<double> point, const std::vector<std::vector<int>>& of_row) {
    constexpr size_t n = System::dofs, dimension = MassOf<typename System::Pose>::World::dimension;
    require_rows(s, states, motion);
    const size_t times = states.shape(0), count = body.size();
    require(lam.shape(0) == times && static_cast<int>(lam.shape(1)) == s.equations, "lam must be times x equations");
    require(carrier.size() == count && point.shape(0) == count && (!count || point.shape(1) == dimension),
            "one body, carrier and point per reaction");
    require(of_row.size() == s.instance.size(), "one list of reactions per row");
    std::vector<Reaction<System>> all(count);
    for (size_t k = 0; k < count; ++k) {
        require(body(k) >= 0 && body(k) < s.bodies() && carrier(k) >= 0 && carrier(k) < s.bodies(),
                "body number out of range");
        all[k].body = body(k), all[k].carrier = carrier(k);
        std::copy_n(&point(k, 0), dimension, all[k].point);
    }
    for (const auto& numbers : of_row)
        for (const int number : numbers) require(number >= 0 && number < static_cast<int>(count), "unknown reaction");
    Room out(times * count * n);
    {
        nb::gil_scoped_release free_python;
        auto pose = s.poses();
        for (size_t k = 0; k < times; ++k) {
            s.place(states.data() + k * 3 * s.unknowns(), pose.data());
            evaluate_reactions(s, all, of_row, pose.data(), motion.data() + k * motion.shape(1),
                               lam.data() + k * s.equations, out.data() + k * count * n);
        }
    }
    return out.array({times, count, n});
}

// J in twists at all rows, dense: for small systems.
template <class System>
auto twist_jacobians(const System& s, In3<double> states, In2<double> motion) {
    require_rows(s, states, motion);
    const size_t times = states.shape(0), n = System::dofs * s.free_bodies, equations = s.equations;
    std::vector<double> out(times * equations * n);
    {
        nb::gil_scoped_release free_python;
        auto pose = s.poses();
        for (size_t k = 0; k < times; ++k) {
            s.place(states.data() + k * 3 * s.unknowns(), pose.data());
            double* J = out.data() + k * equations * n;
            evaluate_twist_jacobian(s, pose.data(), motion.data() + k * motion.shape(1),
                                    [&](int r, int c, double value) { J[r * n + c] += value; });
        }
    }
    return array(std::move(out), {times, equations, n});
}

template <class System>
void bind_forces(nb::class_<System>& bound) {
    bound
        .def("unbalanced_wrenches", &all_unbalanced_forces<System>, nb::arg("mass"), nb::arg("gravity"),
             nb::arg("states"), nb::arg("loads"),
             "Q - M a of every moving body, about its origin: times x (dofs of the moving bodies).")
        .def("multipliers", &multipliers<System>, nb::arg("active"), nb::arg("states"), nb::arg("motion"),
             nb::arg("right"), "lam of J' lam = right, times x equations; NaN where the position is singular.")
        .def("reactions", &reactions<System>, nb::arg("states"), nb::arg("motion"), nb::arg("lam"), nb::arg("body"),
             nb::arg("carrier"), nb::arg("point"), nb::arg("of_row"),
             "Reactions of rows on bodies, moments about points of carriers: times x reactions x dofs.")
        .def("twist_jacobians", &twist_jacobians<System>, nb::arg("states"), nb::arg("motion"),
             "J in twists of the moving bodies: times x equations x dofs of the moving bodies.");
}

}  // namespace mubo
