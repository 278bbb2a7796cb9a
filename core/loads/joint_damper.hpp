// Viscous damper in a joint: tau = -d v; it destroys the power d v^2. Parameter: d.
#pragma once
#include "energy.hpp"

namespace mubo {

struct JointDamper {
    static constexpr const char* name = "joint_damper";
    static constexpr int parameters = 1;
    static constexpr bool lawful = false, reads_position = false;

    static double effort(double, double v, double, const double* c, LoadEnergy& e) {
        const double tau = -c[0] * v;
        e.dissipated -= tau * v;
        return tau;
    }
};

}  // namespace mubo
