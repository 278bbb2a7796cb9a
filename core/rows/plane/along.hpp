// A point of body j stays on a line of body i:  Phi = n . d,  d = P_j - P_i,  n = A_i quarter_turn(u)
// (Nikravesh 1988, 4.11, with u of unit length so that Phi is a distance).
#pragma once
#include "../../number/plane.hpp"

namespace mubo::plane {

struct Along {
    static constexpr const char* name = "along";
    static constexpr int rows = 1, bodies = 2, parameters = 6;  // s_i (2), u (2), s_j (2)
    static constexpr bool analytic = true, profiled = false;

    template <class T>
    static void phi(const Pose<T>* b, const T* p, const T& f, T* out) {
        const auto d = b[1].place(p[4], p[5]) - b[0].place(p[0], p[1]);
        out[0] = dot(quarter_turn(b[0].rotate(p[2], p[3])), d) - f;
    }
    static void jacobian(const Pose<double>* b, const double* p, double* J) {
        const auto a = b[0].rotate(p[0], p[1]), c = b[1].rotate(p[4], p[5]);
        const auto u = b[0].rotate(p[2], p[3]), n = quarter_turn(u);
        const auto d = b[1].place(p[4], p[5]) - b[0].place(p[0], p[1]);
        J[0] = -n.x;
        J[1] = -n.y;
        J[2] = -dot(u, d) - dot(n, quarter_turn(a));
        J[3] = n.x;
        J[4] = n.y;
        J[5] = dot(n, quarter_turn(c));
    }
    static void gamma(const Pose<double>* b, const Rate* v, const double* p, double* out) {
        const auto a = b[0].rotate(p[0], p[1]), c = b[1].rotate(p[4], p[5]);
        const auto u = b[0].rotate(p[2], p[3]), n = quarter_turn(u);
        const auto d = b[1].place(p[4], p[5]) - b[0].place(p[0], p[1]);
        const double wi = v[0].omega, wj = v[1].omega;
        const Vector2<double> rate = {v[1].vx - wj * c.y - v[0].vx + wi * a.y, v[1].vy + wj * c.x - v[0].vy - wi * a.x};
        out[0] = wi * wi * (dot(n, d) - dot(n, a)) + 2 * wi * dot(u, rate) + wj * wj * dot(n, c);
    }
};

}  // namespace mubo::plane
