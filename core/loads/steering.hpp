// What gives sizes to loads besides time, and what events watch: sensors, and programs over them, first those of loads.
#pragma once
#include <algorithm>
#include <vector>

#include "program.hpp"
#include "sensor.hpp"

namespace mubo {

struct Steering {
    Sensors reads;
    std::vector<int> steering, watching;  // sensors that loads need, and events
    std::vector<Program> program;
    int sizes = 0;             // programs of loads
    std::vector<int> winding;  // sensors whose full turns somebody counts, in radians

    int windings() const { return static_cast<int>(winding.size()); }
};

// Room to evaluate programs in, without allocation.
struct SteeringRoom {
    std::vector<Dual<1>> seen, stack;
    std::vector<double> asked;  // what functions of the user are given

    explicit SteeringRoom(const Steering& s) : seen(s.reads.sensor.size()) {
        int deepest = 1;
        size_t most = 0;
        for (const Program& p : s.program) {
            deepest = std::max(deepest, p.depth), most = std::max(most, p.inputs.size());
            for (const Program& inner : p.inputs) deepest = std::max(deepest, inner.depth);
        }
        stack.resize(deepest), asked.resize(most);
    }

    template <class Sight>
    void look(const Steering& s, const Sight& sight, const std::vector<int>& sensors) {
        for (int k : sensors) seen[k] = read(sight, s.reads.sensor[k], s.reads.parameter.data());
    }
    double value(const Program& program, double t) {
        return answer(program, t, seen.data(), stack.data(), asked.data());
    }
    // With its rate, which is not a number where a rate stands in the program.
    Dual<1> with_rate(const Program& program) { return evaluate(program, seen.data(), stack.data()); }
};

}  // namespace mubo
