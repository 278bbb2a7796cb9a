// Spring in a joint: tau = -k (q - q0), potential k (q - q0)^2 / 2. Parameters: k, q0.
#pragma once
#include "energy.hpp"

namespace mubo {

struct JointSpring {
    static constexpr const char* name = "joint_spring";
    static constexpr int parameters = 2;
    static constexpr bool lawful = false, reads_position = true;

    static double effort(double q, double, double, const double* c, LoadEnergy& e) {
        const double k = c[0], stretch = q - c[1];
        e.potential += 0.5 * k * stretch * stretch;
        return -k * stretch;
    }
};

}  // namespace mubo
