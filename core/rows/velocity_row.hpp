// A constraint equation on velocities (rolling, knife edges): one formula psi(pose, twist, parameters) = 0 that is
// linear in the twists of its bodies. It has no gap: Phi is zero, J is read from psi by dual numbers over the twist,
// and gamma = -dpsi/dt at constant twists, by dual numbers over time. It counts for velocities, not for positions.
#pragma once
#include <type_traits>

#include "../bodies.hpp"
#include "../number/taylor.hpp"

namespace mubo {

// The base of every such row, whose formula is psi(const MotionOf<World, T>*, const T* parameters, T* out).
struct VelocityRow {
    static constexpr bool analytic = false, profiled = false;
};
template <class Row>
constexpr bool on_velocities = std::is_base_of_v<VelocityRow, Row>;

inline MotionOf<Plane, double> motion_at_rest(const Pose<double>& b) {
    return {b.phi, b.c, b.s, {b.x, b.y}, 0, {0, 0}};
}
inline MotionOf<Space, double> motion_at_rest(const Pose3<double>& b) {
    return {b.A, b.r, {0, 0, 0}, {0, 0, 0}};
}

// A number with its time derivative.
inline Dual<1> with_rate(double value, double rate) {
    Dual<1> x(value);
    x.d[0] = rate;
    return x;
}
inline Vector3<Dual<1>> with_rate(const Vector& value, const Vector& rate) {
    return {with_rate(value.x, rate.x), with_rate(value.y, rate.y), with_rate(value.z, rate.z)};
}

// Pose and twist of a body with their time derivatives, from the first and second derivatives of its coordinates.
inline MotionOf<Plane, Dual<1>> motion_in_time(const Pose<double>& b, const Rate& v, const Rate& a) {
    return {with_rate(b.phi, v.omega),     with_rate(b.c, -b.s * v.omega),
            with_rate(b.s, b.c * v.omega), {with_rate(b.x, v.vx), with_rate(b.y, v.vy)},
            with_rate(v.omega, a.omega),   {with_rate(v.vx, a.vx), with_rate(v.vy, a.vy)}};
}
inline MotionOf<Space, Dual<1>> motion_in_time(const Pose3<double>& b, const Rate3& v, const Rate3& a) {
    // w = 2 dp/dt p* / p.p and its derivative, ground axes; dp/dt times its own conjugate has no vector part.
    const Quaternion<double> conjugate{b.p.w, -b.p.x, -b.p.y, -b.p.z};
    const double k = 2 / square(b.p), shrink = k * (b.p.w * v[3] + b.p.x * v[4] + b.p.y * v[5] + b.p.z * v[6]);
    const auto first = Quaternion<double>{v[3], v[4], v[5], v[6]} * conjugate;
    const auto second = Quaternion<double>{a[3], a[4], a[5], a[6]} * conjugate;
    const Vector w{k * first.x, k * first.y, k * first.z};
    const Vector alpha{k * second.x - shrink * w.x, k * second.y - shrink * w.y, k * second.z - shrink * w.z};
    const auto turning = [&](const Vector& axis) { return with_rate(axis, cross(w, axis)); };
    const Vector speed{v[0], v[1], v[2]};
    return {{turning(b.A.x), turning(b.A.y), turning(b.A.z)},
            with_rate(b.r, speed),
            with_rate(w, alpha),
            with_rate(speed, Vector{a[0], a[1], a[2]})};
}

template <class Row, class Motion, class T>
void velocity_formula(const Motion* b, const double* p, T* out) {
    T q[Row::parameters];
    for (int k = 0; k < Row::parameters; ++k) q[k] = T(p[k]);
    Row::psi(b, q, out);
}

// J in twists, [rows][dofs * bodies].
template <class Row, class Pose>
void velocity_jacobian(const Pose* b, const double* p, double* J) {
    constexpr int dofs = Pose::dofs, n = dofs * Row::bodies;
    using T = Dual<n>;
    decltype(seed_twist<n>(motion_at_rest(b[0]), 0)) motion[Row::bodies];
    for (int k = 0; k < Row::bodies; ++k) motion[k] = seed_twist<n>(motion_at_rest(b[k]), dofs * k);
    T out[Row::rows];
    velocity_formula<Row>(motion, p, out);
    for (int r = 0; r < Row::rows; ++r)
        for (int k = 0; k < n; ++k) J[r * n + k] = out[r].d[k];
}

// psi and dpsi/dt along a motion.
template <class Row, class Pose>
void velocity_along_motion(const Pose* b, const typename Pose::Rate* v, const typename Pose::Rate* a, const double* p,
                           Dual<1>* out) {
    decltype(motion_in_time(b[0], v[0], a[0])) motion[Row::bodies];
    for (int k = 0; k < Row::bodies; ++k) motion[k] = motion_in_time(b[k], v[k], a[k]);
    velocity_formula<Row>(motion, p, out);
}

}  // namespace mubo
