// The angle of an arm of body j against two axes of body i is given:  Phi = atan2(toward . arm, from . arm) - f(t),
// taken between -pi and pi. It has one zero per turn and needs no count of turns. Degenerate where the arm is square to
// both axes.
#pragma once
#include "../../number/space_pose.hpp"

namespace mubo::space {

struct Turn {
    static constexpr const char* name = "turn";
    static constexpr int rows = 1, bodies = 2, parameters = 9;  // from_i, toward_i (square to each other), arm_j
    static constexpr bool by_hand = false, profiled = false;

    template <class Pose, class T>
    static void phi(const Pose* b, const T* p, const T& f, T* out) {
        out[0] = angle_beyond(b[0].rotate(p), b[0].rotate(p + 3), b[1].rotate(p + 6), f);
    }
};

}  // namespace mubo::space
