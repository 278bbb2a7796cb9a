// Two points keep a distance:  Phi = |P_j - P_i| - c - f(t).  Degenerate where the points coincide.
#pragma once
#include "../../number/space_pose.hpp"

namespace mubo::space {

struct Distance {
    static constexpr const char* name = "distance";
    static constexpr int rows = 1, bodies = 2, parameters = 7;  // s_i, s_j, c
    static constexpr bool analytic = false, profiled = false;

    template <class Pose, class T>
    static void phi(const Pose* b, const T* p, const T& f, T* out) {
        using std::sqrt;
        const auto d = b[1].place(p + 3) - b[0].place(p);
        out[0] = sqrt(dot(d, d)) - p[6] - f;
    }
};

}  // namespace mubo::space
