// Phi, J, nu, gamma and dPhi/dp of a whole system: the formulas of the rows, evaluated into arrays.
#pragma once
#include "../rows/derive.hpp"
#include "../system.hpp"

namespace mubo {

// Motion arrays hold f, f', f'' of driver d at 3d, 3d+1, 3d+2; rows without a driver have zeros.
inline const double* motion_of(const Instance& at, const double* motion) {
    static const double none[3] = {0, 0, 0};
    return at.driver < 0 ? none : motion + 3 * at.driver;
}

template <class System>
void evaluate_phi(const System& s, const typename System::Pose* pose, const double* motion, double* phi) {
    s.for_each([&](auto row, const Instance& at) {
        using Row = decltype(row);
        typename System::Pose b[Row::bodies];
        gather<Row>(at, pose, b);
        formula<Row>(b, s.parameter.data() + at.parameter, *motion_of(at, motion), s.profile_of(at), phi + at.row);
    });
}

// Calls store(equation, unknown, value) for every entry of J that a row may fill, always in the same order.
template <class System, class Store>
void evaluate_jacobian(const System& s, const typename System::Pose* pose, const double* motion, Store&& store) {
    s.for_each([&](auto row, const Instance& at) {
        using Row = decltype(row);
        constexpr int width = System::width, n = width * Row::bodies;
        typename System::Pose b[Row::bodies];
        gather<Row>(at, pose, b);
        double J[Row::rows * n];
        jacobian<Row>(b, s.parameter.data() + at.parameter, *motion_of(at, motion), s.profile_of(at), J);
        for (int r = 0; r < Row::rows; ++r)
            for (int k = 0; k < Row::bodies; ++k)
                if (at.body[k] < s.free_bodies)
                    for (int c = 0; c < width; ++c) store(at.row + r, width * at.body[k] + c, J[r * n + width * k + c]);
    });
}

// Calls visit(row, instance, J in twists [rows][dofs * bodies]) for every row.
template <class System, class Visit>
void for_each_twist_jacobian(const System& s, const typename System::Pose* pose, const double* motion, Visit&& visit) {
    s.for_each([&](auto row, const Instance& at) {
        using Row = decltype(row);
        typename System::Pose b[Row::bodies];
        gather<Row>(at, pose, b);
        double J[Row::rows * System::dofs * Row::bodies];
        twist_jacobian<Row>(b, s.parameter.data() + at.parameter, *motion_of(at, motion), s.profile_of(at), J);
        visit(row, at, J);
    });
}

// Calls store(equation, dofs * body + component, value) for every entry of J in twists of the moving bodies.
template <class System, class Store>
void evaluate_twist_jacobian(const System& s, const typename System::Pose* pose, const double* motion, Store&& store) {
    constexpr int n = System::dofs;
    for_each_twist_jacobian(s, pose, motion, [&](auto row, const Instance& at, const double* J) {
        using Row = decltype(row);
        for (int r = 0; r < Row::rows; ++r)
            for (int k = 0; k < Row::bodies; ++k)
                if (at.body[k] < s.free_bodies)
                    for (int c = 0; c < n; ++c) store(at.row + r, n * at.body[k] + c, J[(r * Row::bodies + k) * n + c]);
    });
}

// J' lam in twists, row by row and body by body, fixed bodies too: out[row as given][max_bodies][dofs].
template <class System>
void evaluate_wrenches(const System& s, const typename System::Pose* pose, const double* motion, const double* lam,
                       double* out) {
    constexpr int n = System::dofs;
    for_each_twist_jacobian(s, pose, motion, [&](auto row, const Instance& at, const double* J) {
        using Row = decltype(row);
        double* to = out + at.number * max_bodies * n;
        for (int r = 0; r < Row::rows; ++r)
            for (int c = 0; c < Row::bodies * n; ++c) to[c] += lam[at.row + r] * J[r * Row::bodies * n + c];
    });
}

// nu alone: zero except where a motion law enters.
template <class System>
void evaluate_nu(const System& s, const typename System::Pose* pose, const double* motion, double* nu) {
    for (int r = 0; r < s.equations; ++r) nu[r] = 0;
    s.for_each([&](auto row, const Instance& at) {
        using Row = decltype(row);
        if (at.driver < 0) return;
        typename System::Pose b[Row::bodies];
        const typename System::Rate still[Row::bodies] = {};
        gather<Row>(at, pose, b);
        double gamma[Row::rows];
        right_sides<Row>(b, still, s.parameter.data() + at.parameter, motion_of(at, motion), s.profile_of(at),
                         nu + at.row, gamma);
    });
}

template <class System>
void evaluate_right_sides(const System& s, const typename System::Pose* pose, const double* v, const double* motion,
                          double* nu, double* gamma) {
    s.for_each([&](auto row, const Instance& at) {
        using Row = decltype(row);
        typename System::Pose b[Row::bodies];
        typename System::Rate rate[Row::bodies];
        gather<Row>(at, pose, b);
        gather<Row>(s, at, v, rate);
        right_sides<Row>(b, rate, s.parameter.data() + at.parameter, motion_of(at, motion), s.profile_of(at),
                         nu + at.row, gamma + at.row);
    });
}

// Calls store(equation, index into System::parameter, dPhi/dp) for every entry of dPhi/dp.
template <class System, class Store>
void evaluate_parameter_jacobian(const System& s, const typename System::Pose* pose, const double* motion,
                                 Store&& store) {
    s.for_each([&](auto row, const Instance& at) {
        using Row = decltype(row);
        typename System::Pose b[Row::bodies];
        gather<Row>(at, pose, b);
        double D[Row::rows * Row::parameters];
        parameter_jacobian<Row>(b, s.parameter.data() + at.parameter, *motion_of(at, motion), s.profile_of(at), D);
        for (int r = 0; r < Row::rows; ++r)
            for (int k = 0; k < Row::parameters; ++k) store(at.row + r, at.parameter + k, D[r * Row::parameters + k]);
    });
}

// |Phi|, |J v - nu| and |J a - gamma| of every equation at one instant by Taylor numbers of time: a formulation of the
// derivatives that is independent of the solver's. Each entry of the results keeps the larger value.
template <class System>
void keep_largest_residuals(const System& s, const double* q, const double* v, const double* a, const double* motion,
                            typename System::Pose* pose, double* position, double* velocity, double* acceleration) {
    s.place(q, pose);
    s.for_each([&](auto row, const Instance& at) {
        using Row = decltype(row);
        typename System::Pose b[Row::bodies];
        typename System::Rate first[Row::bodies], second[Row::bodies];
        gather<Row>(at, pose, b);
        gather<Row>(s, at, v, first);
        gather<Row>(s, at, a, second);
        Taylor out[Row::rows];
        along_motion<Row>(b, first, second, s.parameter.data() + at.parameter, motion_of(at, motion), s.profile_of(at),
                          out);
        for (int r = 0; r < Row::rows; ++r) {
            position[at.row + r] = std::fmax(position[at.row + r], std::fabs(out[r].v));
            velocity[at.row + r] = std::fmax(velocity[at.row + r], std::fabs(out[r].d));
            acceleration[at.row + r] = std::fmax(acceleration[at.row + r], std::fabs(out[r].dd));
        }
    });
}

}  // namespace mubo
