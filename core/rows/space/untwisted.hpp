// The turn from frame i to frame j has no part about z:  Phi = y_i . x_j - x_i . y_j = 0.  With the quaternion (w, x,
// y, z) of that turn it is 4 w z: the relative rotation has an axis perpendicular to z_i, which lies in the plane that
// halves the angle of the two z axes (Hunt 1978). Degenerate where z_j points against z_i.
#pragma once
#include "../../number/space_pose.hpp"

namespace mubo::space {

struct Untwisted {
    static constexpr const char* name = "untwisted";
    static constexpr int rows = 1, bodies = 2, parameters = 12;  // x_i, y_i, x_j, y_j, of unit length
    static constexpr bool analytic = false, profiled = false;

    template <class Pose, class T>
    static void phi(const Pose* b, const T* p, const T& f, T* out) {
        out[0] = dot(b[0].rotate(p + 3), b[1].rotate(p + 6)) - dot(b[0].rotate(p), b[1].rotate(p + 9)) - f;
    }
};

}  // namespace mubo::space
