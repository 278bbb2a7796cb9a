// What the size of a load, or an event, may depend on: a number read off the motion, and its rate.
//
// Bodies are those of whoever reads: a Sight has
//   t                   time
//   law(k, order)       f, f', f'' of a law of time
//   q(k), v(k)          an entry of the coordinates and of the rates
//   at(body)            pose and velocity in space, MotionOf<Space, double>
//   turned(body)        in the plane: its turn against the ground, full turns counted
//   near(k)             about what a turn without a count of its own is
#pragma once
#include <cmath>
#include <limits>
#include <vector>

#include "../number/dual.hpp"
#include "coordinates.hpp"

namespace mubo {

enum class Sense {
    time,
    law,         // of time: its number
    coordinate,  // entries of q and v
    place,       // d.P: point s of a body, direction d on the ground
    turned,      // in the plane: turn of the second body against the first, and what to add
    spin,        // d.w of a body: only as a rate
    distance,    // of points s_i, s_j of two bodies
    slide,       // u_i.(P_j - P_i): s_i, u_i, s_j
    turn,        // of an arm of the second body from one axis of the first towards another
    arms,        // in the plane: from the arm P0 P1 to the arm P2 P3, four bodies with a point each
    spread,      // the same in space: 0 to pi
    apart,       // in space: the angle of the whole turn between two bodies, 0 to pi; axes of each seen from its link
};
constexpr const char* sense_name[] = {"time",     "law",   "coordinate", "place", "turned", "spin",
                                      "distance", "slide", "turn",       "arms",  "spread", "apart"};
constexpr int senses = static_cast<int>(Sense::apart) + 1;
static_assert(sizeof(sense_name) / sizeof(*sense_name) == senses);
// Bodies (of a law its number, of a coordinate its entries), and numbers.
constexpr int sense_bodies[senses] = {0, 1, 2, 1, 2, 1, 2, 2, 2, 4, 4, 2};
constexpr int sense_numbers[senses] = {0, 0, 0, 6, 1, 3, 6, 9, 9, 12, 12, 18};
constexpr bool sense_winds(Sense sense) {
    return sense == Sense::turn || sense == Sense::arms;
}

struct Sensor {
    Sense sense;
    int order;      // 1: the rate is its value
    int body[4];    // or what stands in their place
    int winding;    // of a turn: its number, -1 for others
    int parameter;  // its first number
    double scale;   // to the model's units
};

// An angle and its rate from (x, y) and their rates.
inline Dual<1> angle_of(double x, double y, double dx, double dy) {
    Dual<1> out(std::atan2(y, x));
    out.d[0] = (x * dy - y * dx) / (x * x + y * y);
    return out;
}
inline double within_half_a_turn(double angle, double near) {
    constexpr double turn = 6.283185307179586476925;
    return angle + turn * std::round((near - angle) / turn);
}
inline Dual<1> pair(double value, double rate) {
    Dual<1> out(value);
    out.d[0] = rate;
    return out;
}
inline Dual<1> pair(const Coordinate<Space, double>& c) {
    return pair(c.q, c.v);
}

template <class Sight>
struct Arm {
    Vector d, v;
    Arm(const Sight& see, const int* body, const double* p) {
        const auto &i = see.at(body[0]), &j = see.at(body[1]);
        const Vector si = i.rotate(p), sj = j.rotate(p + 3);
        d = j.r + sj - i.r - si, v = j.velocity(sj) - i.velocity(si);
    }
};

template <class Sight>
Dual<1> arms_angle(const Sight& see, const Sensor& s, const double* p) {
    const Arm<Sight> a(see, s.body, p), b(see, s.body + 2, p + 6);
    if (s.sense == Sense::arms) {
        const auto across = [](const Vector& d, const Vector& e) { return d.x * e.y - d.y * e.x; };
        Dual<1> out = angle_of(dot(a.d, b.d), across(a.d, b.d), dot(a.v, b.d) + dot(a.d, b.v),
                               across(a.v, b.d) + across(a.d, b.v));
        out.v = within_half_a_turn(out.v, see.near(s.winding));
        return out;
    }
    const Vector n = cross(a.d, b.d), dn = cross(a.v, b.d) + cross(a.d, b.v);
    const double size = std::sqrt(dot(n, n));
    return angle_of(dot(a.d, b.d), size, dot(a.v, b.d) + dot(a.d, b.v), dot(n, dn) / size);
}

// The turn Q from one body to another: n sin = half the axial vector of Q, 1 + 2 cos its trace; rate n.(w_j - w_i).
template <class Sight>
Dual<1> angle_apart(const Sight& see, const Sensor& s, const double* p) {
    const auto axes = [](const double* a) {
        return Matrix3<double>{{a[0], a[1], a[2]}, {a[3], a[4], a[5]}, {a[6], a[7], a[8]}};
    };
    const auto &i = see.at(s.body[0]), &j = see.at(s.body[1]);
    const Matrix3<double> a = i.R * axes(p), b = j.R * axes(p + 9);
    const Vector n = 0.5 * (cross(a.x, b.x) + cross(a.y, b.y) + cross(a.z, b.z));
    const double size = std::sqrt(dot(n, n)), trace = dot(a.x, b.x) + dot(a.y, b.y) + dot(a.z, b.z);
    return pair(std::atan2(size, 0.5 * (trace - 1)), dot(n, j.w - i.w) / size);
}

template <class Sight>
Dual<1> sensed(const Sight& see, const Sensor& s, const double* p) {
    switch (s.sense) {
        case Sense::time:
            return pair(see.t, 1);
        case Sense::law:
            return pair(see.law(s.body[0], 0), see.law(s.body[0], 1));
        case Sense::coordinate:
            return pair(see.q(s.body[0]), see.v(s.body[1]));
        case Sense::place: {
            const auto& b = see.at(s.body[0]);
            const Vector arm = b.rotate(p), d{p[3], p[4], p[5]};
            return pair(dot(d, b.r + arm), dot(d, b.velocity(arm)));
        }
        case Sense::turned:
            return pair(see.turned(s.body[1]) - see.turned(s.body[0]) + p[0],
                        see.at(s.body[1]).w.z - see.at(s.body[0]).w.z);
        case Sense::spin:
            return pair(std::numeric_limits<double>::quiet_NaN(), dot(Vector{p[0], p[1], p[2]}, see.at(s.body[0]).w));
        case Sense::distance: {
            const auto c = distance_between<Space>(see.at(s.body[0]), see.at(s.body[1]), p);
            return c.lost ? pair(0, std::numeric_limits<double>::quiet_NaN()) : pair(c);
        }
        case Sense::slide:
            return pair(slide_between<Space>(see.at(s.body[0]), see.at(s.body[1]), p));
        case Sense::turn:
            return pair(turn_between(see.at(s.body[0]), see.at(s.body[1]), p, see.near(s.winding)));
        case Sense::apart:
            return angle_apart(see, s, p);
        default:
            return arms_angle(see, s, p);
    }
}

// In the model's units; of order 1 the rate, which has none of its own.
template <class Sight>
Dual<1> read(const Sight& see, const Sensor& s, const double* parameter) {
    const Dual<1> x = sensed(see, s, parameter + s.parameter);
    return s.order ? pair(s.scale * x.d[0], std::numeric_limits<double>::quiet_NaN())
                   : pair(s.scale * x.v, s.scale * x.d[0]);
}

// All sensors of somebody, and what they read.
struct Sensors {
    std::vector<Sensor> sensor;
    std::vector<double> parameter;
};

}  // namespace mubo
