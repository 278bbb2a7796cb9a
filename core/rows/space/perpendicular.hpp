// Two body-fixed directions are perpendicular:  Phi = (A_i a) . (A_j b) = 0   (Haug 1989, 9.4)
#pragma once
#include "../../number/space_pose.hpp"

namespace mubo::space {

struct Perpendicular {
    static constexpr const char* name = "perpendicular";
    static constexpr int rows = 1, bodies = 2, parameters = 6;  // a_i, b_j, of unit length
    static constexpr bool analytic = false, profiled = false;

    template <class Pose, class T>
    static void phi(const Pose* b, const T* p, const T& f, T* out) {
        out[0] = dot(b[0].rotate(p), b[1].rotate(p + 3)) - f;
    }
};

}  // namespace mubo::space
