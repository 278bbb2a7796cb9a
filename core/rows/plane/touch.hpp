// A wheel of body j touches a line of body i:  Phi = n . (P_j - P_i) - r,  n = A_i quarter_turn(u) with u of unit
// length; r > 0 where the wheel lies to the left of u.
#pragma once
#include "../../number/plane.hpp"

namespace mubo::plane {

struct Touch {
    static constexpr const char* name = "touch";
    static constexpr int rows = 1, bodies = 2, parameters = 7;  // s_i (2), u (2), s_j (2), r
    static constexpr bool analytic = false, profiled = false;

    template <class T>
    static void phi(const Pose<T>* b, const T* p, const T& f, T* out) {
        const auto d = b[1].place(p[4], p[5]) - b[0].place(p[0], p[1]);
        out[0] = dot(quarter_turn(b[0].rotate(p[2], p[3])), d) - p[6] - f;
    }
};

}  // namespace mubo::plane
