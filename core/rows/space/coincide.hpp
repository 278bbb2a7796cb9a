// Two body-fixed points coincide:  Phi = r_i + A_i s_i - r_j - A_j s_j = 0   (Haug 1989, 9.4)
#pragma once
#include "../../number/space_pose.hpp"

namespace mubo::space {

struct Coincide {
    static constexpr const char* name = "coincide";
    static constexpr int rows = 3, bodies = 2, parameters = 6;  // s_i, s_j
    static constexpr bool analytic = false, profiled = false;

    template <class Pose, class T>
    static void phi(const Pose* b, const T* p, const T&, T* out) {
        const auto gap = b[0].place(p) - b[1].place(p + 3);
        out[0] = gap.x;
        out[1] = gap.y;
        out[2] = gap.z;
    }
};

}  // namespace mubo::space
