// Steps over a grid of output times.
#pragma once
#include "../kinematics/step_halving.hpp"
#include "arrays.hpp"

namespace mubo {

// The input of a sweep: times and motion at every part of every output step, the first state, and how a step is checked
// and divided.
struct Grid {
    In1<double> times;
    In2<double> motion;
    In2<double> start;
    int parts;
    double part, same;
};

struct SweepResult {
    Status status;
    int reached;  // output times
    Out states, counts;
};

// From the first output time on, until a step fails. `step` takes (h, last, next, motion, part, count); `advance_rows`
// takes (row, states, counts) and returns how many rows after it it has solved at once, maybe none.
template <class AdvanceRows, class Step>
SweepResult sweep_grid(const Grid& grid, int n, In1<double> weight, AdvanceRows advance_rows, Step step) {
    require(grid.parts >= 1 && grid.times.size() >= 1 && (grid.times.size() - 1) % grid.parts == 0,
            "times must have all parts of every step");
    require(grid.motion.shape(0) == grid.times.size(), "motion must have one row per time");
    require(grid.start.shape(0) == 3 && static_cast<int>(grid.start.shape(1)) == n, "start must be 3 x unknowns");
    require(static_cast<int>(weight.size()) == n, "weight must have one entry per unknown");
    const auto step_over_parts = [&](int from, int to, const double* last, double* next, double part, double* count) {
        return step(grid.times(to) - grid.times(from), last, next, grid.motion.data() + to * grid.motion.shape(1), part,
                    count);
    };
    StepHalver<decltype(step_over_parts)> step_halver(step_over_parts, n, grid.parts, grid.part, grid.same);
    const size_t line = 3 * static_cast<size_t>(n), rows = (grid.times.size() - 1) / grid.parts + 1;
    Room states(rows * line);             // rows after the last one reached are not set
    std::vector<double> counts(rows, 0);  // read for a step that failed, too
    std::copy(grid.start.data(), grid.start.data() + line, states.data());
    Status status = done;
    size_t reached = 0;
    {
        nb::gil_scoped_release free_python;
        while (reached + 1 < rows) {
            if (const int solved = advance_rows(static_cast<int>(reached), states.data(), counts.data())) {
                reached += solved;
                continue;
            }
            double count = 0;
            status = step_halver.advance(static_cast<int>(reached) * grid.parts, states.data() + reached * line,
                                         states.data() + (reached + 1) * line, &count);
            if (status != done) break;
            counts[++reached] = count;
        }
    }
    return {status, static_cast<int>(reached), states.array({rows, 3, static_cast<size_t>(n)}),
            array(std::move(counts), {rows})};
}

}  // namespace mubo
