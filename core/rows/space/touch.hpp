// A round body j (disc, sphere, ellipsoid; see support.hpp) touches a plane of body i:
//   Phi = n . (P_j - P_i) - height,  n = A_i n_i of unit length.  Degenerate where a thin disc lies flat.
#pragma once
#include "../../number/space_pose.hpp"
#include "support.hpp"

namespace mubo::space {

struct Touch {
    static constexpr const char* name = "touch";
    static constexpr int rows = 1, bodies = 2, parameters = 19;  // s_i, n_i, s_j, a_1, a_2, a_3, c
    static constexpr bool analytic = false, profiled = false;

    template <class Pose, class T>
    static void phi(const Pose* b, const T* p, const T& f, T* out) {
        const Vector3<T> n = b[0].rotate(p + 3), d = b[1].place(p + 6) - b[0].place(p);
        out[0] = dot(n, d) - Support<T>(b[1], n, p + 9).height - f;
    }
};

}  // namespace mubo::space
