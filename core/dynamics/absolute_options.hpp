// What a run in absolute coordinates is asked for.
#pragma once
#include <vector>

#include "absolute_watch.hpp"

namespace mubo {

struct AbsoluteOptions {
    double start, end, rtol, atol;
    bool energies_steer;
    double first_step;
    long max_steps;
    std::vector<double> times, stops;
    std::vector<Event> watched;
    LookAt look;
};

}  // namespace mubo
