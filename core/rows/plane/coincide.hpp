// Two body-fixed points coincide:  Phi = r_i + A_i s_i - r_j - A_j s_j = 0   (Nikravesh 1988, 4.4)
#pragma once
#include "../../number/plane.hpp"

namespace mubo::plane {

struct Coincide {
    static constexpr const char* name = "coincide";
    static constexpr int rows = 2, bodies = 2, parameters = 4;  // s_i (2), s_j (2)
    static constexpr bool analytic = true, profiled = false;

    template <class T>
    static void phi(const Pose<T>* b, const T* p, const T&, T* out) {
        const auto gap = b[0].place(p[0], p[1]) - b[1].place(p[2], p[3]);
        out[0] = gap.x;
        out[1] = gap.y;
    }
    static void jacobian(const Pose<double>* b, const double* p, double* J) {
        const auto a = b[0].rotate(p[0], p[1]), c = b[1].rotate(p[2], p[3]);
        const double values[12] = {1, 0, -a.y, -1, 0, c.y, 0, 1, a.x, 0, -1, -c.x};
        for (int k = 0; k < 12; ++k) J[k] = values[k];
    }
    static void gamma(const Pose<double>* b, const Rate* v, const double* p, double* out) {
        const auto a = b[0].rotate(p[0], p[1]), c = b[1].rotate(p[2], p[3]);
        const double wi = v[0].omega * v[0].omega, wj = v[1].omega * v[1].omega;
        out[0] = wi * a.x - wj * c.x;
        out[1] = wi * a.y - wj * c.y;
    }
};

}  // namespace mubo::plane
