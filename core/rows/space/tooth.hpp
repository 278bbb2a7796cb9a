// Two toothed wheels on shafts in any directions: bevel gears, worm and wheel. Wheel k turns by theta_k against the
// carrier, about an axis a_k through C_k that both the carrier and the wheel have. With numbers of teeth z_k, negative
// for the sense in which it moves the teeth of the other,
//   Phi = scale wrap(z_1 theta_1 + z_2 theta_2 - phase) + [n . (C_1 - C_1') + m_1 . (a_1' x a_1)] - [the same of wheel
//   2]
// where C', a' are fixed in the carrier and n in it is the direction in which the teeth at the pitch point P push,
// m_k = (P - C_k) x n. The brackets are zero where the bearings hold. They are the motion of the wheel's tooth that a
// bearing would allow, so that the row exerts the force of the teeth at P along n, and not torques alone. The sum of
// the angles is compared up to full turns of the teeth: any number of turns of the wheels counts.
#pragma once
#include "../../number/space_pose.hpp"

namespace mubo::space {

struct Tooth {
    static constexpr const char* name = "tooth";
    static constexpr int of_wheel = 22;  // in the carrier x', y', C', m; in the wheel x, a, C; z
    static constexpr int rows = 1, bodies = 3, parameters = 2 * of_wheel + 5;  // n, phase, scale
    static constexpr bool analytic = false, profiled = false;

    template <class Pose, class T>
    static T turned(const Pose& wheel, const Pose& carrier, const T* p) {
        using std::atan2;
        const auto arm = wheel.rotate(p + 12);
        return p[21] * atan2(dot(carrier.rotate(p + 3), arm), dot(carrier.rotate(p), arm));
    }
    // The motion of the tooth along n that the bearing of its wheel prevents.
    template <class Pose, class T>
    static T loose(const Pose& wheel, const Pose& carrier, const T* p, const T* n) {
        const auto axis = cross(carrier.rotate(p), carrier.rotate(p + 3));
        return dot(carrier.rotate(n), wheel.place(p + 18) - carrier.place(p + 6)) +
               dot(carrier.rotate(p + 9), cross(axis, wheel.rotate(p + 15)));
    }
    template <class Pose, class T>
    static void phi(const Pose* b, const T* p, const T&, T* out) {
        using std::atan2, std::cos, std::sin;
        const T *q = p + of_wheel, *n = q + of_wheel;
        const T apart = turned(b[0], b[2], p) + turned(b[1], b[2], q) - n[3];
        out[0] = n[4] * atan2(sin(apart), cos(apart)) + loose(b[0], b[2], p, n) - loose(b[1], b[2], q, n);
    }
};

}  // namespace mubo::space
