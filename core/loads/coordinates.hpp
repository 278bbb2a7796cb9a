// The coordinate that a load acts along between two bodies: a relative angle, a displacement along an axis, the
// distance of two points; in a tree a degree of freedom of a joint. A load that acts on one body, or as a torque on a
// pair of bodies, acts along no coordinate.
//
// The numbers of the geometry precede those of the load: none for an angle in the plane; s_i, u_i, s_j for a slide;
// s_i, s_j for a distance; from_i, toward_i (perpendicular) and arm_j for an angle in space.
#pragma once
#include <cmath>

#include "../bodies.hpp"

namespace mubo {

enum class Along { body = -1, turn = 0, slide = 1, distance = 2, dof = 3, pair = 4 };

template <class World>
constexpr int geometry(Along along) {
    constexpr int n = World::dimension;
    return along == Along::turn       ? (n == 3 ? 9 : 0)
           : along == Along::slide    ? 3 * n
           : along == Along::distance ? 2 * n
                                      : 0;
}

// Relative to the coordinates of the two points: below this distance their direction is rounding only.
constexpr double degenerate_distance = 1e-14;

template <class World, class T>
struct Coordinate {
    T q, v;                    // value and rate
    WrenchOf<World, T> on[2];  // wrenches of a unit effort on the two bodies
    bool degenerate = false;   // the points coincide: `on` is for a unit effort per length, q and v are zero
};

// |P_j - P_i|
template <class World, class T>
Coordinate<World, T> distance_between(const MotionOf<World, T>& i, const MotionOf<World, T>& j, const T* p) {
    using std::sqrt;
    const auto si = i.rotate(p), sj = j.rotate(p + World::dimension);
    const auto Pi = i.r + si, Pj = j.r + sj, d = Pj - Pi;
    const T square = dot(d, d);
    if (!(value(square) > degenerate_distance * degenerate_distance * (value(dot(Pi, Pi)) + value(dot(Pj, Pj)))))
        return {T(0), T(0), {{-cross(si, d), -d}, {cross(sj, d), d}}, true};
    const T l = sqrt(square);
    const auto u = (T(1) / l) * d;
    return {l, dot(u, j.velocity(sj) - i.velocity(si)), {{-cross(si, u), -u}, {cross(sj, u), u}}};
}

// u . (P_j - P_i) with u of unit length fixed in the first body.
template <class World, class T>
Coordinate<World, T> slide_between(const MotionOf<World, T>& i, const MotionOf<World, T>& j, const T* p) {
    constexpr int n = World::dimension;
    const auto u = i.rotate(p + n), sj = j.rotate(p + 2 * n);
    const auto arm = j.r + sj - i.r;  // of the second point, from the origin of the first body
    return {
        dot(u, arm - i.rotate(p)), dot(u, j.velocity(sj) - i.velocity(arm)), {{-cross(arm, u), -u}, {cross(sj, u), u}}};
}

// phi_j - phi_i
template <class T>
Coordinate<Plane, T> turn_between(const MotionOf<Plane, T>& i, const MotionOf<Plane, T>& j, const T*, double) {
    const Vector2<T> none{T(0), T(0)};
    return {j.phi - i.phi, j.w - i.w, {{T(-1), none}, {T(1), none}}};
}
// The angle of the arm from one axis towards another, within half a turn of `near`. As the arm a rotates with w
// relative to these axes f and t, the angle of (x, y) = (f.a, t.a) grows by w . a x (x t - y f) / (x^2 + y^2).
template <class T>
Coordinate<Space, T> turn_between(const MotionOf<Space, T>& i, const MotionOf<Space, T>& j, const T* p, double near) {
    const auto from = i.rotate(p), toward = i.rotate(p + 3), arm = j.rotate(p + 6);
    const T x = dot(from, arm), y = dot(toward, arm);
    const auto axis = (T(1) / (x * x + y * y)) * cross(arm, x * toward - y * from);
    const Vector3<T> none{T(0), T(0), T(0)};
    return {T(near) + wrapped_angle_difference(from, toward, arm, T(near)),
            dot(axis, j.w - i.w),
            {{-axis, none}, {axis, none}}};
}

template <class World, class T>
Coordinate<World, T> coordinate_between(Along along, const MotionOf<World, T>& i, const MotionOf<World, T>& j,
                                        const T* p, double near) {
    if (along == Along::turn) return turn_between(i, j, p, near);
    if (along == Along::slide) return slide_between<World>(i, j, p);
    return distance_between<World>(i, j, p);
}

}  // namespace mubo
