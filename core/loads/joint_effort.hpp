// Effort in a joint by a law of time: tau = k f(t); it brings in the power tau v. Parameter: k.
#pragma once
#include "energy.hpp"

namespace mubo {

struct JointEffort {
    static constexpr const char* name = "joint_effort";
    static constexpr int parameters = 1;
    static constexpr bool lawful = true, reads_position = false;

    static double effort(double, double v, double f, const double* c, LoadEnergy& e) {
        const double tau = c[0] * f;
        e.supplied += tau * v;
        return tau;
    }
};

}  // namespace mubo
