// The inertial wrench of a body minus its weight, about its origin, in ground axes (Newton-Euler).
//   f = m (a_c - g),  n = c x f + d(I w)/dt,  c from the origin to the centre of mass
#pragma once
#include "../bodies.hpp"

namespace mubo {

template <class Pose>
struct MassOf;

template <>
struct MassOf<Pose<double>> {
    using World = Plane;
    static constexpr int numbers = 4;  // m, centre (2), inertia about it

    static WrenchOf<Plane, double> inertial_wrench(const double* mass, const double* g, const Pose<double>& at,
                                                   const double* v, const double* a) {
        const Vector2<double> arm = at.rotate(mass[1], mass[2]);
        const Vector2<double> acceleration =
            Vector2<double>{a[0] - g[0], a[1] - g[1]} + cross(a[2], arm) - (v[2] * v[2]) * arm;
        const Vector2<double> f = mass[0] * acceleration;
        return {cross(arm, f) + mass[3] * a[2], f};
    }
};

// Angular velocity (or acceleration) in ground axes from rates of a quaternion: the vector of 2 p' conj(p) / p.p. For
// second derivatives it is the angular acceleration, because p' conj(p') has no vector part.
inline Vector spin_of(const Quaternion<double>& p, const double* rate) {
    const double k = 2 / square(p), w = k * rate[0], x = k * rate[1], y = k * rate[2], z = k * rate[3];
    return {-w * p.x + x * p.w - y * p.z + z * p.y, -w * p.y + x * p.z + y * p.w - z * p.x,
            -w * p.z - x * p.y + y * p.x + z * p.w};
}

template <>
struct MassOf<Pose3<double>> {
    using World = Space;
    static constexpr int numbers = 10;  // m, centre (3), inertia about it (xx yy zz xy xz yz), body axes

    static WrenchOf<Space, double> inertial_wrench(const double* mass, const double* g, const Pose3<double>& at,
                                                   const double* v, const double* a) {
        return inertial_wrench(mass, g, at, spin_of(at.p, v + 3), a, spin_of(at.p, a + 3));
    }
    // By twists: angular velocity w, acceleration a of the origin, angular acceleration alpha.
    static WrenchOf<Space, double> inertial_wrench(const double* mass, const double* g, const Pose3<double>& at,
                                                   const Vector& w, const double* a, const Vector& alpha) {
        const Vector arm = at.rotate(mass + 1);
        const Vector acceleration =
            Vector{a[0] - g[0], a[1] - g[1], a[2] - g[2]} + cross(alpha, arm) + cross(w, cross(w, arm));
        const Vector f = mass[0] * acceleration;
        const auto I = rotate_tensor(Symmetric3<double>{mass[4], mass[5], mass[6], mass[7], mass[8], mass[9]}, at.A);
        return {cross(arm, f) + I * alpha + cross(w, I * w), f};
    }
};

}  // namespace mubo
