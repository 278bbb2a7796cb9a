// A point of body j moves over a plane of body i along its own edge only (skate, thin wheel without inertia):
//   psi = t . (V_j - V_i),  t = (n x u) / |n x u|,  n = A_i n_i the normal, u = A_j u_j the edge, V at P_j
// (Neimark and Fufaev 1972, I.1). Degenerate where the edge is square to the plane.
#pragma once
#include <cmath>

#include "../velocity_row.hpp"

namespace mubo::space {

struct KnifeEdge : VelocityRow {
    static constexpr const char* name = "knife_edge";
    static constexpr int rows = 1, bodies = 2, parameters = 9;  // n_i, s_j, u_j

    template <class T>
    static void psi(const MotionOf<Space, T>* b, const T* p, T* out) {
        using std::sqrt;
        const Vector3<T> across = cross(b[0].rotate(p), b[1].rotate(p + 6)), arm = b[1].rotate(p + 3);
        const auto slip = b[1].velocity(arm) - b[0].velocity(b[1].r + arm - b[0].r);
        out[0] = dot(across, slip) / sqrt(dot(across, across));
    }
};

}  // namespace mubo::space
