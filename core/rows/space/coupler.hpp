// A joint coordinate that follows another one:  Phi = q_2 - f(q_1), f a function in pieces (profile.hpp).
// A coordinate q of the joint between bodies i and j is a turn, the angle of an arm of body j from one axis of body i
// towards another, or a slide, the distance of their points along the product of these axes; `turn` and `slide` are
// its weights, 1 and 0 or 0 and 1. A turn q_2 is compared with f up to full turns; with `count` n it is n q_2 - f that
// is, so that a ratio m / n stays smooth over any number of turns. q_1 lies between -pi and pi.
#pragma once
#include "../../number/space_pose.hpp"

namespace mubo::space {

struct Coupler {
    static constexpr const char* name = "coupler";
    static constexpr int of_coordinate = 17;  // s_i, from_i, toward_i, s_j, arm_j, turn, slide
    static constexpr int rows = 1, bodies = 4, parameters = 2 * of_coordinate + 1;
    static constexpr bool analytic = false, profiled = true;
    static constexpr int components = 1;  // of the profile

    template <class Pose, class T>
    static T turn(const Pose* b, const T* p) {
        using std::atan2;
        const auto arm = b[1].rotate(p + 12);
        return atan2(dot(b[0].rotate(p + 6), arm), dot(b[0].rotate(p + 3), arm));
    }
    template <class Pose, class T>
    static T slide(const Pose* b, const T* p) {
        return dot(cross(b[0].rotate(p + 3), b[0].rotate(p + 6)), b[1].place(p + 9) - b[0].place(p));
    }
    template <class Pose, class T>
    static T angle(const Pose* b, const T* p) {
        return p[15] * turn(b, p) + p[16] * slide(b, p);
    }
    template <class Pose, class T>
    static void phi(const Pose* b, const T* p, const T& f, T* out) {
        using std::atan2, std::cos, std::sin;
        const T *second = p + of_coordinate, count = p[2 * of_coordinate];
        const T apart = count * turn(b + 2, second) - f;
        out[0] = second[15] * atan2(sin(apart), cos(apart)) / count + second[16] * (slide(b + 2, second) - f);
    }
};

}  // namespace mubo::space
