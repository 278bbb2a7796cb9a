// The angle of an arm of body j against two axes of body i is given:  Phi = atan2(toward . arm, from . arm) - f(t),
// reduced to the interval from -pi to pi. It has one zero per turn and needs no count of turns. Degenerate where the
// arm is perpendicular to both axes.
#pragma once
#include "../../number/space_pose.hpp"

namespace mubo::space {

struct Turn {
    static constexpr const char* name = "turn";
    static constexpr int rows = 1, bodies = 2, parameters = 9;  // from_i, toward_i (perpendicular), arm_j
    static constexpr bool analytic = false, profiled = false;

    template <class Pose, class T>
    static void phi(const Pose* b, const T* p, const T& f, T* out) {
        out[0] = wrapped_angle_difference(b[0].rotate(p), b[0].rotate(p + 3), b[1].rotate(p + 6), f);
    }
};

}  // namespace mubo::space
