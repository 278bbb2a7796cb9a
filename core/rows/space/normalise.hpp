// The quaternion of a body has length one:  Phi = p . p - c with c = 1   (Haug 1989, 9.3)
#pragma once
#include "../../number/space_pose.hpp"

namespace mubo::space {

struct Normalise {
    static constexpr const char* name = "normalise";
    static constexpr int rows = 1, bodies = 1, parameters = 1;  // c = 1
    static constexpr bool analytic = true, profiled = false;

    template <class T>
    static void phi(const Pose3<T>* b, const T* p, const T& f, T* out) {
        out[0] = square(b[0].p) - p[0] - f;
    }
    static void jacobian(const Pose3<double>* b, const double*, double* J) {
        for (int k = 0; k < 7; ++k) J[k] = k < 3 ? 0 : 2 * b[0].coordinate(k);
    }
    static void gamma(const Pose3<double>*, const Rate3* v, const double*, double* out) {
        out[0] = 0;
        for (int k = 3; k < 7; ++k) out[0] -= 2 * v[0][k] * v[0][k];
    }
};

}  // namespace mubo::space
