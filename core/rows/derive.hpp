// From the one formula of a constraint equation (row) to its derivatives: J in coordinates and in twists, nu, gamma and
// dPhi/dp by automatic differentiation, or by analytic formulas where profiling showed the need (Row::analytic); the
// law tests compare the two. Rows on velocities have their own formulas in velocity_row.hpp.
#pragma once
#include <utility>

#include "../bodies.hpp"
#include "../number/dual.hpp"
#include "../number/profile.hpp"
#include "../number/taylor.hpp"
#include "velocity_row.hpp"

namespace mubo {

// Phi of one row. The right side f of a row is its motion law at this time. A profiled row (cam) adds its profile at
// the row's own angle, or receives its curve.
template <class Row, class Pose, class T, class Shape>
auto profiled_formula(const Pose* b, const T* p, const T& f, const Shape& profile, T* out, int)
    -> decltype(Row::angle(b, p), void()) {
    Row::phi(b, p, f + profile.at(Row::angle(b, p)), out);
}
template <class Row, class Pose, class T, class Shape>
void profiled_formula(const Pose* b, const T* p, const T& f, const Shape& curve, T* out, long) {
    Row::phi(b, p, f, curve, out);
}
template <class Row, class Pose, class T, class Shape>
void formula([[maybe_unused]] const Pose* b, [[maybe_unused]] const T* p, [[maybe_unused]] const T& f,
             [[maybe_unused]] const Shape* profile, T* out) {
    if constexpr (on_velocities<Row>)
        for (int r = 0; r < Row::rows; ++r) out[r] = T(0);
    else if constexpr (Row::profiled)
        profiled_formula<Row>(b, p, f, *profile, out, 0);
    else
        Row::phi(b, p, f, out);
}

// A pose over another number type; make(k, value) converts coordinate k.
template <class T, template <class> class Pose, class Make>
Pose<T> promote(const Pose<double>& pose, Make&& make) {
    T q[Pose<double>::width];
    for (int k = 0; k < Pose<double>::width; ++k) q[k] = make(k, pose.coordinate(k));
    return Pose<T>::from(q);
}

// J[rows][width * bodies] of one row at poses b, by dual numbers over the pose.
template <class Row, template <class> class Pose>
void jacobian_by_jets(const Pose<double>* b, const double* p, double f, const Profile* profile, double* J) {
    constexpr int width = Pose<double>::width, n = width * Row::bodies;
    using T = Dual<n>;
    Pose<T> pose[Row::bodies];
    for (int k = 0; k < Row::bodies; ++k)
        pose[k] = promote<T>(b[k], [&](int c, double value) { return T::variable(value, width * k + c); });
    T q[Row::parameters], out[Row::rows];
    for (int k = 0; k < Row::parameters; ++k) q[k] = T(p[k]);
    formula<Row>(pose, q, T(f), profile, out);
    for (int r = 0; r < Row::rows; ++r)
        for (int k = 0; k < n; ++k) J[r * n + k] = out[r].d[k];
}

// Phi of one row of space with its derivatives by small displacements of its bodies, six each.
template <class Row, size_t... k>
void displaced(const Pose3<double>* b, const double* p, double f, const Profile* profile, Dual<6 * Row::bodies>* out,
               std::index_sequence<k...>) {
    using T = Dual<6 * Row::bodies>;
    T q[Row::parameters];
    for (int i = 0; i < Row::parameters; ++i) q[i] = T(p[i]);
    const DisplacedPose<T> pose[] = {{b[k], static_cast<int>(6 * k)}...};
    formula<Row>(pose, q, T(f), profile, out);
}

// J of one row of space, by dual numbers over small displacements.
template <class Row>
void jacobian_by_jets(const Pose3<double>* b, const double* p, double f, const Profile* profile, double* J) {
    Dual<6 * Row::bodies> out[Row::rows];
    displaced<Row>(b, p, f, profile, out, std::make_index_sequence<Row::bodies>{});
    for (int r = 0; r < Row::rows; ++r)
        for (int k = 0; k < Row::bodies; ++k)
            displacement_to_coordinates(b[k], out[r].d + 6 * k, J + 7 * (Row::bodies * r + k));
}

// J of a row on velocities in coordinates; in the plane a twist is their rate.
template <class Row>
void velocity_jacobian_in_coordinates(const Pose<double>* b, const double* p, double* J) {
    velocity_jacobian<Row>(b, p, J);
}
template <class Row>
void velocity_jacobian_in_coordinates(const Pose3<double>* b, const double* p, double* J) {
    double by_twist[Row::rows * 6 * Row::bodies];
    velocity_jacobian<Row>(b, p, by_twist);
    for (int r = 0; r < Row::rows * Row::bodies; ++r)
        displacement_to_coordinates(b[r % Row::bodies], by_twist + 6 * r, J + 7 * r);
}

// J[rows][width * bodies], analytic where the row has such formulas.
template <class Row, template <class> class Pose>
void jacobian(const Pose<double>* b, const double* p, [[maybe_unused]] double f,
              [[maybe_unused]] const Profile* profile, double* J) {
    if constexpr (on_velocities<Row>)
        velocity_jacobian_in_coordinates<Row>(b, p, J);
    else if constexpr (Row::analytic)
        Row::jacobian(b, p, J);
    else
        jacobian_by_jets<Row>(b, p, f, profile, J);
}

// J in twists, [rows][dofs * bodies]: dPhi/dt = J twist - nu. In the plane a twist is the rate of the coordinates.
template <class Row>
void twist_jacobian(const Pose<double>* b, const double* p, double f, const Profile* profile, double* J) {
    jacobian<Row>(b, p, f, profile, J);
}
template <class Row>
void twist_jacobian(const Pose3<double>* b, const double* p, [[maybe_unused]] double f,
                    [[maybe_unused]] const Profile* profile, double* J) {
    [[maybe_unused]] constexpr int n = Row::bodies;
    if constexpr (on_velocities<Row>) {
        velocity_jacobian<Row>(b, p, J);
    } else if constexpr (Row::analytic) {
        double by_pose[Row::rows * 7 * n];
        Row::jacobian(b, p, by_pose);
        for (int r = 0; r < Row::rows * n; ++r) coordinates_to_displacement(b[r % n], by_pose + 7 * r, J + 6 * r);
    } else {
        Dual<6 * n> out[Row::rows];
        displaced<Row>(b, p, f, profile, out, std::make_index_sequence<n>{});
        for (int r = 0; r < Row::rows; ++r)
            for (int k = 0; k < 6 * n; ++k) J[r * 6 * n + k] = out[r].d[k];
    }
}

// Phi, dPhi/dt, d2Phi/dt2 along a motion (pose, rate, acceleration) and f(t), f', f''.
template <class Row, template <class> class Pose>
void along_motion(const Pose<double>* b, const typename Pose<double>::Rate* v, const typename Pose<double>::Rate* a,
                  const double* p, [[maybe_unused]] const double* f, [[maybe_unused]] const Profile* profile,
                  Taylor* out) {
    if constexpr (on_velocities<Row>) {  // psi stands for dPhi/dt
        Dual<1> psi[Row::rows];
        velocity_along_motion<Row>(b, v, a, p, psi);
        for (int r = 0; r < Row::rows; ++r) out[r] = Taylor(0.0, psi[r].v, psi[r].d[0]);
    } else {
        Pose<Taylor> pose[Row::bodies];
        for (int k = 0; k < Row::bodies; ++k)
            pose[k] = promote<Taylor>(b[k], [&](int c, double value) { return Taylor(value, v[k][c], a[k][c]); });
        Taylor q[Row::parameters];
        for (int k = 0; k < Row::parameters; ++k) q[k] = Taylor(p[k]);
        formula<Row>(pose, q, Taylor(f[0], f[1], f[2]), profile, out);
    }
}

// Right sides of J v = nu and J a = gamma, by Taylor numbers of time: nu = -Phi_t, gamma = -d2Phi/dt2 at a = 0.
template <class Row, template <class> class Pose>
void right_sides_by_jets(const Pose<double>* b, const typename Pose<double>::Rate* v, const double* p, const double* f,
                         const Profile* profile, double* nu, double* gamma) {
    const typename Pose<double>::Rate still[Row::bodies] = {};
    Taylor out[Row::rows];
    for (int r = 0; r < Row::rows; ++r) nu[r] = 0;
    if (f[1] != 0) {  // time enters only through the motion law
        along_motion<Row>(b, still, still, p, f, profile, out);
        for (int r = 0; r < Row::rows; ++r) nu[r] = -out[r].d;
    }
    along_motion<Row>(b, v, still, p, f, profile, out);
    for (int r = 0; r < Row::rows; ++r) gamma[r] = -out[r].dd;
}

// Right sides, analytic where the row has such formulas; analytic rows have -f(t) in their last equation.
template <class Row, template <class> class Pose>
void right_sides(const Pose<double>* b, const typename Pose<double>::Rate* v, const double* p, const double* f,
                 const Profile* profile, double* nu, double* gamma) {
    if constexpr (Row::analytic) {
        Row::gamma(b, v, p, gamma);
        for (int r = 0; r < Row::rows; ++r) nu[r] = 0;
        if constexpr (Row::rows == 1) {
            nu[0] = f[1];
            gamma[0] += f[2];
        }
    } else {
        right_sides_by_jets<Row>(b, v, p, f, profile, nu, gamma);
    }
}

// dPhi/dp[rows][parameters], by dual numbers over the parameters.
template <class Row, template <class> class Pose>
void parameter_jacobian(const Pose<double>* b, const double* p, double f, const Profile* profile, double* out) {
    constexpr int n = Row::parameters;
    using T = Dual<n>;
    Pose<T> pose[Row::bodies];
    for (int k = 0; k < Row::bodies; ++k) pose[k] = promote<T>(b[k], [](int, double value) { return T(value); });
    T q[n], phi[Row::rows];
    for (int k = 0; k < n; ++k) q[k] = T::variable(p[k], k);
    formula<Row>(pose, q, T(f), profile, phi);
    for (int r = 0; r < Row::rows; ++r)
        for (int k = 0; k < n; ++k) out[r * n + k] = phi[r].d[k];
}

}  // namespace mubo
