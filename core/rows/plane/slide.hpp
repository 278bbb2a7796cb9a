// Displacement along an axis of body i:  Phi = u . (P_j - P_i) - c - f(t),  u = A_i u_i of unit length
#pragma once
#include "../../number/plane.hpp"

namespace mubo::plane {

struct Slide {
    static constexpr const char* name = "slide";
    static constexpr int rows = 1, bodies = 2, parameters = 7;  // s_i (2), u (2), s_j (2), c
    static constexpr bool analytic = false, profiled = false;

    template <class T>
    static void phi(const Pose<T>* b, const T* p, const T& f, T* out) {
        const auto d = b[1].place(p[4], p[5]) - b[0].place(p[0], p[1]);
        out[0] = dot(b[0].rotate(p[2], p[3]), d) - p[6] - f;
    }
};

}  // namespace mubo::plane
