// Many variants of one mechanism: the same loops with other dimensions, each on its own way, none helped by another.
//
// A variant is first led from the nominal dimensions to its own with the drivers at rest, then moved over the time
// grid. Both ways obey the branch rules of `LoopSweeper::step`: a step that strays is halved, and one that cannot be
// taken ends the variant with a status.
#pragma once
#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "between.hpp"
#include "sweep.hpp"

namespace mubo {

struct BatchTask {
    const double *nominal, *start;  // dimensions, and the unknowns there at times[0]
    const double *times, *motion;   // the laws at every time
    int rows, laws;                 // of `motion`: lines and columns
    std::vector<int> columns;       // of the placed bodies, as asked for
    SweepOptions options;
};

struct Outcome {
    Status status;
    int reached;   // last row, -1: not assembled
    double where;  // part of the way to its own dimensions, or time, at which it stopped
};

class Variant {
  public:
    Variant(const LoopSystem& s, const BatchTask& task)
        : system_(s),
          sweeper_(system_),
          task_(task),
          n_(s.unknowns()),
          nominal_(task.nominal),
          last_(3 * n_),
          next_(3 * n_),
          side_(3 * n_),
          laws_(task.laws),
          placed_(9 * s.body.size()) {}

    // Rows of `out` after the last one reached are not numbers.
    Outcome run(const double* numbers, double* out) {
        numbers_ = numbers;
        Outcome end = lead();
        if (end.status == done) end = move(out);
        const size_t width = task_.columns.size();
        std::fill(out + (end.reached + 1) * width, out + task_.rows * width, std::numeric_limits<double>::quiet_NaN());
        return end;
    }

  private:
    static constexpr double longest_lead = 0.25, shortest_lead = 1e-7;
    static constexpr double shortest_time = 1e-10;  // of the whole span, as in studies/march.py
    static constexpr int most_tries = 20000;

    // Dimensions a part s of the way from the nominal ones to the variant's own.
    void set_numbers(double s) {
        size_t k = 0;
        system_.each_number([&](double& number) {
            number = s == 1 ? numbers_[k] : nominal_[k] + s * (numbers_[k] - nominal_[k]);
            ++k;
        });
    }

    Status solve(double* state) {
        int count = 0;
        return sweeper_.solve(state, task_.motion, task_.options, &count);
    }

    // Rates by the way s instead of time, by differences a thousandth of the step aside: good for its prediction, and
    // close enough not to see what lies beyond the step.
    Status differentiate(double s, double step, double* state) {
        const double aside = 1e-3 * step;
        double *x = state, *v = state + n_, *a = state + 2 * n_;
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

    // To the variant's dimensions, with the drivers where they are at the start.
    Outcome lead() {
        std::copy(task_.start, task_.start + n_, last_.begin());
        set_numbers(0);
        Status status = solve(last_.data());
        if (status != done) return {status, -1, 0};
        signs_ = sweeper_.signs();
        largest_ = sweeper_.sizes();
        SweepOptions options = task_.options;
        options.leads_back = false;  // `step` answers rates by time
        double s = 0, h = longest_lead;
        while (s < 1) {
            const double target = s + h > 1 - shortest_lead ? 1 : s + h;
            status = differentiate(s, target - s, last_.data());
            if (status == done) {
                set_numbers(target);
                int count = 0;
                status = sweeper_.step(target - s, last_.data(), next_.data(), signs_.data(), largest_.data(),
                                       task_.motion, options, &count);
            }
            if (status == done) {
                s = target;
                last_.swap(next_);
                h = std::min(2 * h, longest_lead);
            } else if ((h /= 2) < shortest_lead) {
                return {status, -1, s};
            }
        }
        set_numbers(1);
        status = solve(last_.data());
        largest_ = sweeper_.sizes();
        return {status, status == done ? 0 : -1, 1};
    }

    Outcome move(double* out) {
        write(task_.motion, out);
        for (int row = 0; row + 1 < task_.rows; ++row) {
            const double h = task_.times[row + 1] - task_.times[row];
            const double* motion = task_.motion + (row + 1) * task_.laws;
            double time = task_.times[row];
            Status status = step(h, motion);
            if (status != done) status = divide(row, &time);
            if (status != done) return {status, row, time};
            write(motion, out + (row + 1) * task_.columns.size());
        }
        return {done, task_.rows - 1, task_.times[task_.rows - 1]};
    }

    Status step(double h, const double* motion) {
        int count = 0;
        const Status status =
            sweeper_.step(h, last_.data(), next_.data(), signs_.data(), largest_.data(), motion, task_.options, &count);
        if (status == done) last_.swap(next_);
        return status;
    }

    // One output step in sub-steps; between its ends the laws are the quintics through their values and rates there.
    Status divide(int row, double* time) {
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
            const Status status = step(target - *time, motion);
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

    // The columns asked for, at the instant just solved.
    void write(const double* motion, double* out) {
        sweeper_.place(last_.data(), motion, placed_.data());
        for (const int column : task_.columns) *out++ = placed_[column];
    }

    LoopSystem system_;
    LoopSweeper sweeper_;
    const BatchTask& task_;
    int n_;
    const double *nominal_, *numbers_ = nullptr;
    std::vector<double> last_, next_, side_, laws_, placed_, signs_, largest_;
};

// All variants, shared out among threads one by one; what a variant gives does not depend on its thread.
inline void run_batch(const LoopSystem& s, const BatchTask& task, int variants, int dimensions, int threads,
                      const double* numbers, double* out, Outcome* outcome) {
    const size_t width = static_cast<size_t>(task.rows) * task.columns.size();
    std::atomic<int> next{0};
    const auto work = [&](Variant& variant) {
        for (int k = next++; k < variants; k = next++)
            outcome[k] = variant.run(numbers + static_cast<size_t>(k) * dimensions, out + k * width);
    };
    std::vector<std::unique_ptr<Variant>> held;
    threads = std::min(threads, variants);
    for (int k = 0; k < threads; ++k) held.push_back(std::make_unique<Variant>(s, task));
    std::vector<std::thread> pool;
    try {
        for (int k = 1; k < threads; ++k) pool.emplace_back(work, std::ref(*held[k]));
    } catch (const std::system_error&) {
        // The system gives no more threads: those there do all the work.
    }
    work(*held[0]);
    for (std::thread& thread : pool) thread.join();
}

}  // namespace mubo
