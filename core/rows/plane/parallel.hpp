// The relative angle is given:  Phi = phi_j - phi_i - c - f(t)   (Nikravesh 1988, 4.11, second row)
#pragma once
#include "../../number/plane.hpp"

namespace mubo::plane {

struct Parallel {
    static constexpr const char* name = "parallel";
    static constexpr int rows = 1, bodies = 2, parameters = 1;  // c
    static constexpr bool analytic = true, profiled = false;

    template <class T>
    static void phi(const Pose<T>* b, const T* p, const T& f, T* out) {
        out[0] = b[1].phi - b[0].phi - p[0] - f;
    }
    static void jacobian(const Pose<double>*, const double*, double* J) {
        J[0] = J[1] = J[3] = J[4] = 0;
        J[2] = -1;
        J[5] = 1;
    }
    static void gamma(const Pose<double>*, const Rate*, const double*, double* out) { out[0] = 0; }
};

}  // namespace mubo::plane
