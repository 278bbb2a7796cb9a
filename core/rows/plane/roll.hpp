// A wheel of body j rolls on a line of body i (rack and pinion):
//   Phi = u . (P_j - P_i) + r (phi_j - phi_i) - c - f(t),  u = A_i u_i of unit length
// r > 0 where the wheel lies to the left of u: rotating counter-clockwise it then moves against u.
#pragma once
#include "../../number/plane.hpp"

namespace mubo::plane {

struct Roll {
    static constexpr const char* name = "roll";
    static constexpr int rows = 1, bodies = 2, parameters = 8;  // s_i (2), u (2), s_j (2), r, c
    static constexpr bool analytic = false, profiled = false;

    template <class T>
    static void phi(const Pose<T>* b, const T* p, const T& f, T* out) {
        const auto d = b[1].place(p[4], p[5]) - b[0].place(p[0], p[1]);
        out[0] = dot(b[0].rotate(p[2], p[3]), d) + p[6] * (b[1].phi - b[0].phi) - p[7] - f;
    }
};

}  // namespace mubo::plane
