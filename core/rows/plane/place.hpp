// A coordinate of a body-fixed point is given:  Phi = e . (r + A s) - c - f(t)
#pragma once
#include "../../number/plane.hpp"

namespace mubo::plane {

struct Place {
    static constexpr const char* name = "place";
    static constexpr int rows = 1, bodies = 1, parameters = 5;  // s (2), e (2), c
    static constexpr bool analytic = false, profiled = false;

    template <class T>
    static void phi(const Pose<T>* b, const T* p, const T& f, T* out) {
        out[0] = dot(Vector2<T>{p[2], p[3]}, b[0].place(p[0], p[1])) - p[4] - f;
    }
};

}  // namespace mubo::plane
