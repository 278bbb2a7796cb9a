// Steps over a grid of output times, as Python asks for them.
#pragma once
#include "../kinematics/halve.hpp"
#include "arrays.hpp"

namespace mubo {

// What Python says about the steps: times and motion at every part of every output step, the first state, and how a
// step is judged and divided.
struct Grid {
    In1<double> times;
    In2<double> motion;
    In2<double> start;
    int parts;
    double part, same;
};

struct Walked {
    Status status;
    int reached;  // output times
    Out states, counts;
};

// From the first output time on, until a step fails. `step` takes (h, last, next, motion, part, count).
template <class Step>
Walked over_grid(const Grid& grid, int n, In1<double> weight, Step step) {
    require(grid.parts >= 1 && grid.times.size() >= 1 && (grid.times.size() - 1) % grid.parts == 0,
            "times must have all parts of every step");
    require(grid.motion.shape(0) == grid.times.size(), "motion must have one line per time");
    require(grid.start.shape(0) == 3 && static_cast<int>(grid.start.shape(1)) == n, "start must be 3 x unknowns");
    require(static_cast<int>(weight.size()) == n, "weight must have one entry per unknown");
    const auto halved = [&](int from, int to, const double* last, double* next, double part, double* count) {
        return step(grid.times(to) - grid.times(from), last, next, grid.motion.data() + to * grid.motion.shape(1), part,
                    count);
    };
    Halver<decltype(halved)> halver(halved, n, grid.parts, grid.part, grid.same);
    const size_t line = 3 * static_cast<size_t>(n), rows = (grid.times.size() - 1) / grid.parts + 1;
    Room states(rows * line);             // rows after the last one reached stay as they are
    std::vector<double> counts(rows, 0);  // read for a step that failed, too
    std::copy(grid.start.data(), grid.start.data() + line, states.data());
    Status status = done;
    size_t reached = 0;
    {
        nb::gil_scoped_release free_python;
        while (reached + 1 < rows) {
            double count = 0;
            status = halver.cross(static_cast<int>(reached) * grid.parts, states.data() + reached * line,
                                  states.data() + (reached + 1) * line, &count);
            if (status != done) break;
            counts[++reached] = count;
        }
    }
    return {status, static_cast<int>(reached), states.array({rows, 3, static_cast<size_t>(n)}),
            array(std::move(counts), {rows})};
}

}  // namespace mubo
