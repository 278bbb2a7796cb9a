#include "scalar_solver.hpp"

#include <algorithm>

#include "law_interpolation.hpp"

namespace mubo {

static constexpr double shortest_time = 1e-10;  // relative to the whole span, as in solvers/continuation
static constexpr int max_attempts = 20000;

ScalarSolver::ScalarSolver(const LoopSystem& s, const BatchTask& task)
    : state(3 * s.unknowns()),
      signs(s.block.size()),
      largest(s.block.size()),
      system_(s),
      sweeper_(system_),
      task_(task),
      n_(s.unknowns()),
      next_(3 * n_),
      side_(3 * n_),
      laws_(task.laws) {}

ScalarSolver::~ScalarSolver() = default;

void ScalarSolver::set_variant(const double* numbers) {
    numbers_ = numbers;
    set_numbers(1);
}

// Dimensions at the homotopy parameter s, from the nominal ones (0) to those of the variant (1).
void ScalarSolver::set_numbers(double s) {
    size_t k = 0;
    system_.for_each_dimension([&](double& number) {
        const double nominal = task_.nominal[k];
        number = s == 1 ? numbers_[k] : nominal + s * (numbers_[k] - nominal);
        ++k;
    });
}

Status ScalarSolver::solve(double* at) {
    double count = 0;
    return sweeper_.solve(at, task_.motion, task_.options, &count).status_of(0);
}

// Derivatives by the homotopy parameter s instead of time, by central differences over a thousandth of the step:
// accurate enough for its prediction, and short enough to stay within the step.
Status ScalarSolver::differentiate(double s, double step) {
    const double aside = 1e-3 * step;
    double *x = state.data(), *v = x + n_, *a = x + 2 * n_;
    for (int k = 0; k < n_; ++k) v[k] = a[k] = 0;
    for (const double d : {-aside, aside}) {
        set_numbers(s + d);
        std::copy(x, x + n_, side_.begin());
        const Status status = solve(side_.data());
        if (status != done) return status;
        for (int k = 0; k < n_; ++k) {
            v[k] += (side_[k] - x[k]) / (2 * d);
            a[k] += (side_[k] - x[k]) / (aside * aside);
        }
    }
    return done;
}

Status ScalarSolver::step(double h, const double* motion, const SweepOptions& options) {
    double count = 0;
    const Status status =
        sweeper_.step(h, state.data(), next_.data(), signs.data(), largest.data(), motion, options, &count)
            .status_of(0);
    if (status == done) state.swap(next_);
    return status;
}

Outcome ScalarSolver::follow_homotopy() {
    std::copy(task_.start, task_.start + n_, state.begin());
    set_numbers(0);
    Status status = solve(state.data());
    if (status != done) return {status, -1, 0};
    signs = sweeper_.signs();
    largest = sweeper_.sizes();
    SweepOptions options = task_.options;
    options.leads_back = false;  // `step` returns derivatives by time
    double s = 0, h = longest_homotopy_step;
    while (s < 1) {
        const double target = homotopy_target(s, h);
        status = differentiate(s, target - s);
        if (status == done) {
            set_numbers(target);
            status = step(target - s, task_.motion, options);
        }
        if (status == done) {
            s = target;
            h = std::min(2 * h, longest_homotopy_step);
        } else if ((h /= 2) < shortest_homotopy_step) {
            return {status, -1, s};
        }
    }
    set_numbers(1);
    status = solve(state.data());
    largest = sweeper_.sizes();
    return {status, status == done ? 0 : -1, 1};
}

Status ScalarSolver::subdivide_step(int row, double* time) {
    const double first = *time, end = task_.times[row + 1], longest = (end - first) / 2;
    const double shortest = shortest_time * (task_.times[task_.rows - 1] - task_.times[0]);
    const double *from = task_.motion + row * task_.laws, *to = from + task_.laws;
    double h = longest;
    for (int tries = 0; *time != end; ++tries) {
        const double target = end - *time <= 1.000001 * h ? end : *time + h;
        const double* motion = to;
        if (target != end) {
            interpolate_laws(from, to, task_.laws, end - first, (target - first) / (end - first), laws_.data());
            motion = laws_.data();
        }
        const Status status = step(target - *time, motion, task_.options);
        if (status == done) {
            *time = target;
            h = std::min(2 * h, longest);
        } else if (target - *time <= shortest || tries >= max_attempts) {
            return status;
        } else {
            h = (target - *time) / 2;
        }
    }
    return done;
}

}  // namespace mubo
