#include "alone.hpp"

#include <algorithm>

#include "between.hpp"

namespace mubo {

static constexpr double shortest_time = 1e-10;  // of the whole span, as in studies/march.py
static constexpr int most_tries = 20000;

Alone::Alone(const LoopSystem& s, const BatchTask& task)
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

Alone::~Alone() = default;

void Alone::become(const double* numbers) {
    numbers_ = numbers;
    set_numbers(1);
}

// Dimensions a part s of the way from the nominal ones to the variant's own.
void Alone::set_numbers(double s) {
    size_t k = 0;
    system_.each_number([&](double& number) {
        const double nominal = task_.nominal[k];
        number = s == 1 ? numbers_[k] : nominal + s * (numbers_[k] - nominal);
        ++k;
    });
}

Status Alone::solve(double* at) {
    double count = 0;
    return sweeper_.solve(at, task_.motion, task_.options, &count).of(0);
}

// Rates by the way s instead of time, by differences a thousandth of the step aside: good for its prediction, and
// close enough not to see what lies beyond the step.
Status Alone::differentiate(double s, double step) {
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

Status Alone::step(double h, const double* motion, const SweepOptions& options) {
    double count = 0;
    const Status status =
        sweeper_.step(h, state.data(), next_.data(), signs.data(), largest.data(), motion, options, &count).of(0);
    if (status == done) state.swap(next_);
    return status;
}

Outcome Alone::lead() {
    std::copy(task_.start, task_.start + n_, state.begin());
    set_numbers(0);
    Status status = solve(state.data());
    if (status != done) return {status, -1, 0};
    signs = sweeper_.signs();
    largest = sweeper_.sizes();
    SweepOptions options = task_.options;
    options.leads_back = false;  // `step` answers rates by time
    double s = 0, h = longest_lead;
    while (s < 1) {
        const double target = lead_target(s, h);
        status = differentiate(s, target - s);
        if (status == done) {
            set_numbers(target);
            status = step(target - s, task_.motion, options);
        }
        if (status == done) {
            s = target;
            h = std::min(2 * h, longest_lead);
        } else if ((h /= 2) < shortest_lead) {
            return {status, -1, s};
        }
    }
    set_numbers(1);
    status = solve(state.data());
    largest = sweeper_.sizes();
    return {status, status == done ? 0 : -1, 1};
}

Status Alone::divide(int row, double* time) {
    const double first = *time, end = task_.times[row + 1], longest = (end - first) / 2;
    const double shortest = shortest_time * (task_.times[task_.rows - 1] - task_.times[0]);
    const double *from = task_.motion + row * task_.laws, *to = from + task_.laws;
    double h = longest;
    for (int tries = 0; *time != end; ++tries) {
        const double target = end - *time <= 1.000001 * h ? end : *time + h;
        const double* motion = to;
        if (target != end) {
            between(from, to, task_.laws, end - first, (target - first) / (end - first), laws_.data());
            motion = laws_.data();
        }
        const Status status = step(target - *time, motion, task_.options);
        if (status == done) {
            *time = target;
            h = std::min(2 * h, longest);
        } else if (target - *time <= shortest || tries >= most_tries) {
            return status;
        } else {
            h = (target - *time) / 2;
        }
    }
    return done;
}

}  // namespace mubo
