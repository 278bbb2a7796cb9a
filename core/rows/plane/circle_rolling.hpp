// A wheel of body j rolls on a circle of body i: both have the same velocity at the contact,
//   psi = t . (V_j - V_i) at C = P_j - r n,  n = d / |d|,  d = P_j - P_i,  t = quarter_turn(n)
// r > 0 where the wheel rolls outside, r < 0 inside. Degenerate where the centres coincide.
#pragma once
#include <cmath>

#include "../velocity_row.hpp"

namespace mubo::plane {

struct CircleRolling : VelocityRow {
    static constexpr const char* name = "circle_rolling";
    static constexpr int rows = 1, bodies = 2, parameters = 5;  // s_i (2), s_j (2), r

    template <class T>
    static void psi(const MotionOf<Plane, T>* b, const T* p, T* out) {
        using std::sqrt;
        const auto center = b[1].r + b[1].rotate(p + 2), d = center - (b[0].r + b[0].rotate(p));
        const auto n = (T(1) / sqrt(dot(d, d))) * d, contact = center - p[4] * n;
        out[0] = dot(quarter_turn(n), b[1].velocity(contact - b[1].r) - b[0].velocity(contact - b[0].r));
    }
};

}  // namespace mubo::plane
