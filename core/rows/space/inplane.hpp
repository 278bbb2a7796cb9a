// A point of body j keeps its height over a plane of body i:  Phi = n . (P_j - P_i) - f(t),  n = A_i n_i
// (Haug 1989, 9.4: dot-2). With f it is a slide along n.
#pragma once
#include "../../number/space_pose.hpp"

namespace mubo::space {

struct Inplane {
    static constexpr const char* name = "inplane";
    static constexpr int rows = 1, bodies = 2, parameters = 9;  // s_i, n_i of unit length, s_j
    static constexpr bool analytic = false, profiled = false;

    template <class Pose, class T>
    static void phi(const Pose* b, const T* p, const T& f, T* out) {
        out[0] = dot(b[0].rotate(p + 3), b[1].place(p + 6) - b[0].place(p)) - f;
    }
};

}  // namespace mubo::space
