// A sphere of body j rolls without slip on a sphere of body i: at the contact C = P_j - r n both bodies have the same
// velocity along the two tangents t,
//   psi = t . (V_j - V_i),  n = d / |d|,  d = P_j - P_i;  r > 0 outside, r < 0 inside.
// The tangents are x_i and y_i under the smallest rotation of z_i to n: t = u - (n.u) / (1 + n.z) (n + z). Degenerate
// where n = -z_i, and where the centres coincide.
#pragma once
#include <cmath>

#include "../velocity_row.hpp"

namespace mubo::space {

struct SphereRolling : VelocityRow {
    static constexpr const char* name = "sphere_rolling";
    static constexpr int rows = 2, bodies = 2, parameters = 16;  // x_i, y_i, z_i, s_i, s_j, r

    template <class T>
    static void psi(const MotionOf<Space, T>* b, const T* p, T* out) {
        using std::sqrt;
        const Vector3<T> center = b[1].r + b[1].rotate(p + 12), d = center - (b[0].r + b[0].rotate(p + 9));
        const Vector3<T> n = (T(1) / sqrt(dot(d, d))) * d, z = b[0].rotate(p + 6), contact = center - p[15] * n;
        const auto slip = b[1].velocity(contact - b[1].r) - b[0].velocity(contact - b[0].r);
        const T k = T(1) / (T(1) + dot(n, z));
        for (int r = 0; r < 2; ++r) {
            const Vector3<T> u = b[0].rotate(p + 3 * r);
            out[r] = dot(u - (k * dot(n, u)) * (n + z), slip);
        }
    }
};

}  // namespace mubo::space
