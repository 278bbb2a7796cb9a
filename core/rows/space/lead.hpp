// A screw thread: the advance along z of body i is proportional to the rotation of body j,  Phi = z . (P_j - P_i) -
// lead theta / 2 pi. The advance itself counts the turns: theta is compared with 2 pi z . d / lead, and their
// difference lies within half a turn. So the row is smooth over any number of turns.
#pragma once
#include "../../number/space_pose.hpp"

namespace mubo::space {

struct Lead {
    static constexpr const char* name = "lead";
    static constexpr int rows = 1, bodies = 2, parameters = 16;  // s_i, z_i, x_i, s_j, x_j, lead
    static constexpr bool analytic = false, profiled = false;

    template <class Pose, class T>
    static void phi(const Pose* b, const T* p, const T&, T* out) {
        const T pitch = p[15] / T(6.283185307179586476925);  // advance per radian
        const auto z = b[0].rotate(p + 3), x = b[0].rotate(p + 6);
        const T advance = dot(z, b[1].place(p + 9) - b[0].place(p));
        out[0] = -pitch * wrapped_angle_difference(x, cross(z, x), b[1].rotate(p + 12), advance / pitch);
    }
};

}  // namespace mubo::space
