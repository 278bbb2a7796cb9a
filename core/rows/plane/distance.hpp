// Two points keep a distance:  Phi = |P_j - P_i| - c - f(t).  Degenerate where the points coincide.
#pragma once
#include "../../number/plane.hpp"

namespace mubo::plane {

struct Distance {
    static constexpr const char* name = "distance";
    static constexpr int rows = 1, bodies = 2, parameters = 5;  // s_i (2), s_j (2), c
    static constexpr bool analytic = false, profiled = false;

    template <class T>
    static void phi(const Pose<T>* b, const T* p, const T& f, T* out) {
        using std::sqrt;
        const auto d = b[1].place(p[2], p[3]) - b[0].place(p[0], p[1]);
        out[0] = sqrt(dot(d, d)) - p[4] - f;
    }
};

}  // namespace mubo::plane
