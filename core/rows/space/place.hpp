// A coordinate of a body-fixed point is given:  Phi = e . (r + A s) - c - f(t)
#pragma once
#include "../../number/space_pose.hpp"

namespace mubo::space {

struct Place {
    static constexpr const char* name = "place";
    static constexpr int rows = 1, bodies = 1, parameters = 7;  // s, e of unit length, c
    static constexpr bool analytic = false, profiled = false;

    template <class Pose, class T>
    static void phi(const Pose* b, const T* p, const T& f, T* out) {
        out[0] = dot(Vector3<T>{p[3], p[4], p[5]}, b[0].place(p)) - p[6] - f;
    }
};

}  // namespace mubo::space
