// A point of body j moves over body i along its own edge only (knife edge, skate, wheel seen from above):
//   psi = n . (V_j - V_i),  n = A_j quarter_turn(u) with u of unit length, V the velocities of both bodies at P_j
// (Neimark and Fufaev 1972, I.1).
#pragma once
#include "../velocity_row.hpp"

namespace mubo::plane {

struct KnifeEdge : VelocityRow {
    static constexpr const char* name = "knife_edge";
    static constexpr int rows = 1, bodies = 2, parameters = 4;  // s_j (2), u (2)

    template <class T>
    static void psi(const MotionOf<Plane, T>* b, const T* p, T* out) {
        const auto arm = b[1].rotate(p);
        const auto across = quarter_turn(b[1].rotate(p + 2));
        out[0] = dot(across, b[1].velocity(arm) - b[0].velocity(b[1].r + arm - b[0].r));
    }
};

}  // namespace mubo::plane
