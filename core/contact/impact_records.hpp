// What a run with contacts keeps of its switches and impacts.
#pragma once
#include <vector>

#include "../number/space.hpp"

namespace mubo {

enum SwitchKind { impact_switch = 0, touch_switch, rest_switch, part_switch, stick_switch, slip_switch };
struct SwitchRecord {
    double t;
    int unit, kind;
    double before = 0, after = 0;  // normal velocities of an impact
    double normal = 0, tangential = 0;
    double lost = 0;                         // energy
    double slip_before = 0, slip_after = 0;  // along the tangential impulse
};
// Of an impact that is kept: the state before it with the velocities after, and the impulses along normal and tangents.
struct ImpactRecord {
    size_t number;  // of its switch
    int unit;
    std::vector<double> state, after;
    Vector c{0, 0, 0}, P{0, 0, 0};  // on A, at c; of joints about or along the axis
};

}  // namespace mubo
