// The options of a run in absolute coordinates.
#pragma once
#include <vector>

#include "absolute_events.hpp"

namespace mubo {

struct AbsoluteOptions {
    double start, end, rtol, atol;
    bool energies_control_error;
    double first_step;
    long max_steps;
    std::vector<double> times, stops;
    std::vector<Event> events;
    OutputEventFunction watch;
};

}  // namespace mubo
