// A round body j (disc, sphere, ellipsoid; see support.hpp) rolls without slip on a plane of body i: at the contact
// C = P_j + arm both bodies have the same velocity along the plane,
//   psi = (x_i . (V_j - V_i), y_i . (V_j - V_i)),  V = v + w x (C - r).
// Along the normal the same difference is the rate of `touch`, an equation on positions (Neimark and Fufaev 1972, I.2).
#pragma once
#include "../velocity_row.hpp"
#include "support.hpp"

namespace mubo::space {

struct Rolling : VelocityRow {
    static constexpr const char* name = "rolling";
    static constexpr int rows = 2, bodies = 2, parameters = 22;  // x_i, y_i, n_i, s_j, a_1, a_2, a_3, c

    template <class T>
    static void psi(const MotionOf<Space, T>* b, const T* p, T* out) {
        const Vector3<T> n = b[0].rotate(p + 6), arm = b[1].rotate(p + 9) + Support<T>(b[1], n, p + 12).arm;
        const auto slip = b[1].velocity(arm) - b[0].velocity(b[1].r + arm - b[0].r);
        out[0] = dot(b[0].rotate(p), slip);
        out[1] = dot(b[0].rotate(p + 3), slip);
    }
};

}  // namespace mubo::space
