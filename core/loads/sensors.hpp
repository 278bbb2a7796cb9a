// Sensors: numbers of the motion, with their rates, that the size of a load or an event may depend on.
//
// Bodies are numbered as in the formulation that evaluates the sensors. A SensorView has
//   t                   time
//   law(k, order)       f, f', f'' of a law of time
//   q(k), v(k)          an entry of the coordinates and of the rates
//   at(body)            pose and velocity in space, MotionOf<Space, double>
//   plane_angle(body)   in the plane: the angle of the body, full turns counted
//   near(k)             an estimate of an angle in space, to count its full turns
#pragma once
#include <cmath>
#include <limits>
#include <vector>

#include "../number/dual.hpp"
#include "coordinates.hpp"

namespace mubo {

enum class SensorKind {
    time,
    law,                // of time: its number
    coordinate,         // entries of q and v
    position,           // d.P: point s of a body, direction d on the ground
    plane_angle,        // in the plane: angle of the second body relative to the first, and an offset
    angular_velocity,   // d.w of a body: only as a rate
    distance,           // of points s_i, s_j of two bodies
    slide,              // u_i.(P_j - P_i): s_i, u_i, s_j
    turn,               // angle of an arm of the second body from one axis of the first towards another
    arm_angle,          // in the plane: angle from the arm P0 P1 to the arm P2 P3, four bodies with a point each
    spatial_arm_angle,  // in space: the angle between two such arms, 0 to pi
    rotation_angle,     // in space: the angle of the relative rotation of two bodies, 0 to pi; axes of each in its link
};
constexpr const char* sensor_kind_name[] = {
    "time",     "law",   "coordinate", "position",  "plane_angle",       "angular_velocity",
    "distance", "slide", "turn",       "arm_angle", "spatial_arm_angle", "rotation_angle"};
constexpr int sensor_kinds = static_cast<int>(SensorKind::rotation_angle) + 1;
static_assert(sizeof(sensor_kind_name) / sizeof(*sensor_kind_name) == sensor_kinds);
// How many bodies (for a law its index, for a coordinate its entries) and how many numbers each kind has.
constexpr int sensor_kind_bodies[sensor_kinds] = {0, 1, 2, 1, 2, 1, 2, 2, 2, 4, 4, 2};
constexpr int sensor_kind_numbers[sensor_kinds] = {0, 0, 0, 6, 1, 3, 6, 9, 9, 12, 12, 18};
constexpr bool counts_turns(SensorKind kind) {
    return kind == SensorKind::turn || kind == SensorKind::arm_angle;
}

struct Sensor {
    SensorKind kind;
    int order;      // 1: the rate is its value
    int body[4];    // or the indices of a law or a coordinate
    int winding;    // index of the counted turns of an angle, -1 for others
    int parameter;  // its first number
    double scale;   // from SI units to those of the model
};

// An angle and its rate from (x, y) and their rates.
inline Dual<1> angle_of(double x, double y, double dx, double dy) {
    Dual<1> out(std::atan2(y, x));
    out.d[0] = (x * dy - y * dx) / (x * x + y * y);
    return out;
}
inline double nearest_equivalent_angle(double angle, double near) {
    constexpr double turn = 6.283185307179586476925;
    return angle + turn * std::round((near - angle) / turn);
}
inline Dual<1> value_and_rate(double value, double rate) {
    Dual<1> out(value);
    out.d[0] = rate;
    return out;
}
inline Dual<1> value_and_rate(const Coordinate<Space, double>& c) {
    return value_and_rate(c.q, c.v);
}

template <class SensorView>
struct Arm {
    Vector d, v;
    Arm(const SensorView& view, const int* body, const double* p) {
        const auto &i = view.at(body[0]), &j = view.at(body[1]);
        const Vector si = i.rotate(p), sj = j.rotate(p + 3);
        d = j.r + sj - i.r - si, v = j.velocity(sj) - i.velocity(si);
    }
};

template <class SensorView>
Dual<1> angle_between_arms(const SensorView& view, const Sensor& s, const double* p) {
    const Arm<SensorView> a(view, s.body, p), b(view, s.body + 2, p + 6);
    if (s.kind == SensorKind::arm_angle) {
        const auto across = [](const Vector& d, const Vector& e) { return d.x * e.y - d.y * e.x; };
        Dual<1> out = angle_of(dot(a.d, b.d), across(a.d, b.d), dot(a.v, b.d) + dot(a.d, b.v),
                               across(a.v, b.d) + across(a.d, b.v));
        out.v = nearest_equivalent_angle(out.v, view.near(s.winding));
        return out;
    }
    const Vector n = cross(a.d, b.d), dn = cross(a.v, b.d) + cross(a.d, b.v);
    const double size = std::sqrt(dot(n, n));
    return angle_of(dot(a.d, b.d), size, dot(a.v, b.d) + dot(a.d, b.v), dot(n, dn) / size);
}

// The relative rotation Q of two bodies: n sin = half the axial vector of Q, 1 + 2 cos its trace; rate n.(w_j - w_i).
template <class SensorView>
Dual<1> relative_rotation_angle(const SensorView& view, const Sensor& s, const double* p) {
    const auto axes = [](const double* a) {
        return Matrix3<double>{{a[0], a[1], a[2]}, {a[3], a[4], a[5]}, {a[6], a[7], a[8]}};
    };
    const auto &i = view.at(s.body[0]), &j = view.at(s.body[1]);
    const Matrix3<double> a = i.R * axes(p), b = j.R * axes(p + 9);
    const Vector n = 0.5 * (cross(a.x, b.x) + cross(a.y, b.y) + cross(a.z, b.z));
    const double size = std::sqrt(dot(n, n)), trace = dot(a.x, b.x) + dot(a.y, b.y) + dot(a.z, b.z);
    return value_and_rate(std::atan2(size, 0.5 * (trace - 1)), dot(n, j.w - i.w) / size);
}

template <class SensorView>
Dual<1> read_sensor(const SensorView& view, const Sensor& s, const double* p) {
    switch (s.kind) {
        case SensorKind::time:
            return value_and_rate(view.t, 1);
        case SensorKind::law:
            return value_and_rate(view.law(s.body[0], 0), view.law(s.body[0], 1));
        case SensorKind::coordinate:
            return value_and_rate(view.q(s.body[0]), view.v(s.body[1]));
        case SensorKind::position: {
            const auto& b = view.at(s.body[0]);
            const Vector arm = b.rotate(p), d{p[3], p[4], p[5]};
            return value_and_rate(dot(d, b.r + arm), dot(d, b.velocity(arm)));
        }
        case SensorKind::plane_angle:
            return value_and_rate(view.plane_angle(s.body[1]) - view.plane_angle(s.body[0]) + p[0],
                                  view.at(s.body[1]).w.z - view.at(s.body[0]).w.z);
        case SensorKind::angular_velocity:
            return value_and_rate(std::numeric_limits<double>::quiet_NaN(),
                                  dot(Vector{p[0], p[1], p[2]}, view.at(s.body[0]).w));
        case SensorKind::distance: {
            const auto c = distance_between<Space>(view.at(s.body[0]), view.at(s.body[1]), p);
            return c.degenerate ? value_and_rate(0, std::numeric_limits<double>::quiet_NaN()) : value_and_rate(c);
        }
        case SensorKind::slide:
            return value_and_rate(slide_between<Space>(view.at(s.body[0]), view.at(s.body[1]), p));
        case SensorKind::turn:
            return value_and_rate(turn_between(view.at(s.body[0]), view.at(s.body[1]), p, view.near(s.winding)));
        case SensorKind::rotation_angle:
            return relative_rotation_angle(view, s, p);
        default:
            return angle_between_arms(view, s, p);
    }
}

// The reading in the model's units; with order 1 the rate, whose own rate is not known.
template <class SensorView>
Dual<1> read_in_model_units(const SensorView& view, const Sensor& s, const double* parameter) {
    const Dual<1> x = read_sensor(view, s, parameter + s.parameter);
    return s.order ? value_and_rate(s.scale * x.d[0], std::numeric_limits<double>::quiet_NaN())
                   : value_and_rate(s.scale * x.v, s.scale * x.d[0]);
}

// All sensors of a model, and their numbers.
struct SensorSet {
    std::vector<Sensor> sensor;
    std::vector<double> parameter;
};

}  // namespace mubo
