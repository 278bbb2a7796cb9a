// State-dependent loads and events: sensors, and bytecode over them, first that of the loads.
#pragma once
#include <algorithm>
#include <vector>

#include "expression_bytecode.hpp"
#include "sensors.hpp"

namespace mubo {

struct StateDependentLoads {
    SensorSet sensors;
    std::vector<int> load_sensors, event_sensors;  // sensors that the loads need, and the events
    std::vector<Bytecode> bytecode;
    int sizes = 0;             // bytecodes of loads
    std::vector<int> winding;  // sensors whose full turns are counted, in radians

    int windings() const { return static_cast<int>(winding.size()); }
};

// Workspace to evaluate bytecode without allocation.
struct StateLoadWorkspace {
    std::vector<Dual<1>> reading, stack;
    std::vector<double> arguments;  // of functions of the user

    explicit StateLoadWorkspace(const StateDependentLoads& s) : reading(s.sensors.sensor.size()) {
        int deepest = 1;
        size_t most = 0;
        for (const Bytecode& p : s.bytecode) {
            deepest = std::max(deepest, p.depth), most = std::max(most, p.inputs.size());
            for (const Bytecode& inner : p.inputs) deepest = std::max(deepest, inner.depth);
        }
        stack.resize(deepest), arguments.resize(most);
    }

    template <class SensorView>
    void read_sensors(const StateDependentLoads& s, const SensorView& sight, const std::vector<int>& numbers) {
        for (int k : numbers) reading[k] = read_in_model_units(sight, s.sensors.sensor[k], s.sensors.parameter.data());
    }
    double value(const Bytecode& bytecode, double t) {
        return evaluate_or_call(bytecode, t, reading.data(), stack.data(), arguments.data());
    }
    // The value with its rate, which is NaN where the bytecode itself contains a rate.
    Dual<1> with_rate(const Bytecode& bytecode) { return evaluate(bytecode, reading.data(), stack.data()); }
};

}  // namespace mubo
