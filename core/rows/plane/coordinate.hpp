// A coordinate of a body is given:  Phi = e . (x, y, phi) - c - f(t)   (Nikravesh 1988, 4.31 to 4.33)
#pragma once
#include "../../number/plane.hpp"

namespace mubo::plane {

struct Coordinate {
    static constexpr const char* name = "coordinate";
    static constexpr int rows = 1, bodies = 1, parameters = 4;  // e (3), c
    static constexpr bool analytic = true, profiled = false;

    template <class T>
    static void phi(const Pose<T>* b, const T* p, const T& f, T* out) {
        out[0] = p[0] * b[0].x + p[1] * b[0].y + p[2] * b[0].phi - p[3] - f;
    }
    static void jacobian(const Pose<double>*, const double* p, double* J) {
        for (int k = 0; k < 3; ++k) J[k] = p[k];
    }
    static void gamma(const Pose<double>*, const Rate*, const double*, double* out) { out[0] = 0; }
};

}  // namespace mubo::plane
