// Several variants side by side, one in each lane of a number type.
//
// All lanes take the same whole steps. Where the branch criterion requires a step to be subdivided, the scalar solver
// takes it for that variant and the lane receives its result, so that every lane contains bit by bit the result of a
// single variant. A lane whose variant has ended repeats a neighbour and is not read.
#pragma once
#include <algorithm>
#include <cstring>
#include <limits>

#include "scalar_solver.hpp"

namespace mubo {

template <class T>
class LaneGroup : public LaneSolver {
  public:
    static constexpr int lanes = LanesOf<T>::count;

    LaneGroup(const LoopSystem& s, const BatchTask& task)
        : system_(s),
          sweeper_(system_),
          scalar_(s, task),
          task_(task),
          n_(s.unknowns()),
          numbers_(task.dimensions),
          last_(3 * n_),
          next_(3 * n_),
          side_(3 * n_),
          extrapolation_(n_),
          placed_(9 * s.body.size()),
          laws_(task.laws) {}

    int width() const override { return lanes; }

    void run(const double* numbers, int count, double* out, Outcome* outcome) override {
        given_ = numbers;
        out_ = out;
        for (int lane = 0; lane < lanes; ++lane) {
            moving_[lane] = lane < count;
            ends_[lane] = {done, task_.rows - 1, task_.times[task_.rows - 1]};
            for (int k = 0; k < task_.dimensions; ++k)
                set_lane(numbers_[k], lane, dimensions_of(std::min(lane, count - 1))[k]);
        }
        follow_homotopy();
        move();
        const size_t width = task_.columns.size();
        for (int lane = 0; lane < count; ++lane) {
            outcome[lane] = ends_[lane];
            double* rows = out + lane * task_.rows * width;
            std::fill(rows + (ends_[lane].reached + 1) * width, rows + task_.rows * width,
                      std::numeric_limits<double>::quiet_NaN());
        }
    }

  private:
    const double* dimensions_of(int lane) const { return given_ + static_cast<size_t>(lane) * task_.dimensions; }

    // Dimensions at the homotopy parameter s, from the nominal ones (0) to those of the variants (1).
    void set_numbers(double s) {
        size_t k = 0;
        system_.for_each_dimension([&](T& number) {
            const T nominal(task_.nominal[k]);
            number = s == 1 ? numbers_[k] : nominal + T(s) * (numbers_[k] - nominal);
            ++k;
        });
    }

    // The laws at a row, the same in every lane.
    const T* laws_at(int row) {
        if (row != laws_row_) {
            const double* laws = task_.motion + static_cast<size_t>(row) * task_.laws;
            for (int k = 0; k < task_.laws; ++k) laws_[k] = T(laws[k]);
            laws_row_ = row;
        }
        return laws_.data();
    }

    Mask<T> solve(T* state) {
        T count;
        return sweeper_.solve(state, laws_at(0), task_.options, &count).good;
    }

    // As ScalarSolver::differentiate.
    Mask<T> differentiate(double s, double step) {
        const double aside = 1e-3 * step;
        T *x = last_.data(), *v = x + n_, *a = x + 2 * n_;
        for (int k = 0; k < n_; ++k) v[k] = a[k] = T(0.0);
        Mask<T> good = all_lanes<T>();
        for (const double d : {-aside, aside}) {
            set_numbers(s + d);
            std::copy(x, x + n_, side_.begin());
            good = good & solve(side_.data());
            for (int k = 0; k < n_; ++k) {
                v[k] += (side_[k] - x[k]) / T(2 * d);
                a[k] += (side_[k] - x[k]) / T(aside * aside);
            }
        }
        return good;
    }

    // As ScalarSolver::follow_homotopy, in the longest steps; a variant that cannot follow is passed to the scalar
    // solver.
    void follow_homotopy() {
        for (int k = 0; k < n_; ++k) last_[k] = T(task_.start[k]);
        set_numbers(0);
        Mask<T> good = solve(last_.data());
        signs_ = sweeper_.signs();
        largest_ = sweeper_.sizes();
        SweepOptions options = task_.options;
        options.leads_back = false;  // `step` returns derivatives by time
        for (double s = 0, target; s < 1 && any(good); s = target) {
            target = homotopy_target(s, longest_homotopy_step);
            good = good & differentiate(s, target - s);
            set_numbers(target);
            good = good & step(target - s, laws_at(0), options, nullptr);
        }
        set_numbers(1);
        good = good & solve(last_.data());
        largest_ = sweeper_.sizes();
        for (int lane = 0; lane < lanes; ++lane) {
            if (get_lane(good, lane) || !moving_[lane]) continue;
            scalar_.set_variant(dimensions_of(lane));
            const Outcome end = scalar_.follow_homotopy();
            if (end.status == done)
                receive_lane(lane);
            else
                finish(lane, end);
        }
        fill_idle_lanes();
    }

    Mask<T> step(double h, const T* motion, const SweepOptions& options, const T* extrapolation) {
        T count;
        const LaneStatus<T> lane_status = sweeper_.step(h, last_.data(), next_.data(), signs_.data(), largest_.data(),
                                                        motion, options, &count, extrapolation);
        last_.swap(next_);
        return lane_status.good;
    }

    void move() {
        if (!any_moving()) return;
        write(0);
        known_step_ = 0;
        for (int row = 0; row + 1 < task_.rows; ++row) {
            const double h = task_.times[row + 1] - task_.times[row];
            const bool same = std::fabs(h - known_step_) <= 1e-9 * h;
            const Mask<T> good = step(h, laws_at(row + 1), task_.options, same ? extrapolation_.data() : nullptr);
            extrapolate(h, good);
            if (!all(good)) {
                subdivide_step(row, good);
                if (!any_moving()) return;
            }
            write(row + 1);
        }
    }

    // The quintic through x, v, a at both ends of the step just taken, extrapolated by one more step, minus its terms
    // up to h^2: 31 D0 + 14 D1 + 2 D2, with D0 = x - h v + h^2 a / 2 - x', D1 = h (v - h a - v'), D2 = h^2 (a - a') and
    // x', v', a' before the step. Zero where the step was subdivided.
    MUBO_HOT void extrapolate(double h, const Mask<T>& good) {
        const T *x = last_.data(), *v = x + n_, *a = v + n_, *y = next_.data(), *w = y + n_, *b = w + n_;
        const T h17(17 * h), h14(14 * h), h3(3.5 * h * h), h2(2 * h * h);
        const bool whole = all(good);
        for (int k = 0; k < n_; ++k) {
            const T added = T(31.0) * (x[k] - y[k]) - (h17 * v[k] + h14 * w[k]) + (h3 * a[k] - h2 * b[k]);
            extrapolation_[k] = whole ? added : choose(good, added, T(0.0));
        }
        known_step_ = h;
    }

    // Variants that could not take the whole step: from their last state, which is still in `next_`.
    void subdivide_step(int row, const Mask<T>& good) {
        bool ended = false;
        for (int lane = 0; lane < lanes; ++lane) {
            if (get_lane(good, lane) || !moving_[lane]) continue;
            scalar_.set_variant(dimensions_of(lane));
            for (int k = 0; k < 3 * n_; ++k) scalar_.state[k] = get_lane(next_[k], lane);
            for (size_t k = 0; k < signs_.size(); ++k) {
                scalar_.signs[k] = get_lane(signs_[k], lane);
                scalar_.largest[k] = get_lane(largest_[k], lane);
            }
            double time = task_.times[row];
            const Status status = scalar_.subdivide_step(row, &time);
            if (status == done)
                receive_lane(lane);
            else
                finish(lane, {status, row, time}), ended = true;
        }
        if (ended) fill_idle_lanes();
    }

    void receive_lane(int lane) {
        for (int k = 0; k < 3 * n_; ++k) set_lane(last_[k], lane, scalar_.state[k]);
        for (size_t k = 0; k < signs_.size(); ++k) {
            set_lane(signs_[k], lane, scalar_.signs[k]);
            set_lane(largest_[k], lane, scalar_.largest[k]);
        }
        for (int k = 0; k < system_.angles; ++k) {
            set_lane(sweeper_.turns().c[k], lane, scalar_.turns().c[k]);
            set_lane(sweeper_.turns().s[k], lane, scalar_.turns().s[k]);
        }
    }

    void finish(int lane, const Outcome& end) {
        ends_[lane] = end;
        moving_[lane] = false;
    }
    bool any_moving() const {
        return std::any_of(moving_, moving_ + lanes, [](bool moves) { return moves; });
    }

    // Lanes without a variant repeat the first one that moves.
    void fill_idle_lanes() {
        idle_ = std::find(moving_, moving_ + lanes, false) != moving_ + lanes;
        const int from = static_cast<int>(std::find(moving_, moving_ + lanes, true) - moving_);
        if (!idle_ || from == lanes) return;
        for (int lane = 0; lane < lanes; ++lane) {
            if (moving_[lane]) continue;
            const auto repeat = [&](T& number) { set_lane(number, lane, get_lane(number, from)); };
            system_.for_each_dimension(repeat);
            for (auto* numbers : {&last_, &signs_, &largest_}) std::for_each(numbers->begin(), numbers->end(), repeat);
        }
    }

    // Writes the requested columns at the instant just solved.
    void write(int row) {
        sweeper_.place(task_.placed, task_.rates, last_.data(), laws_at(row), placed_.data());
        const size_t width = task_.columns.size(), stride = task_.rows * width;
        double* out = out_ + row * width;
        for (const int column : task_.columns) {
            double each[lanes];
            std::memcpy(each, &placed_[column], sizeof each);
            if (!idle_)
                for (int lane = 0; lane < lanes; ++lane) out[lane * stride] = each[lane];
            else
                for (int lane = 0; lane < lanes; ++lane)
                    if (moving_[lane]) out[lane * stride] = each[lane];
            ++out;
        }
    }

    Loops<T> system_;
    LoopSweeper<T> sweeper_;
    ScalarSolver scalar_;
    const BatchTask& task_;
    int n_;
    const double* given_ = nullptr;
    double* out_ = nullptr;
    std::vector<T> numbers_, last_, next_, side_;
    std::vector<T> extrapolation_;  // higher-order term of the prediction from the last two rows
    std::vector<T> placed_, laws_, signs_, largest_;
    int laws_row_ = -1;
    double known_step_ = 0;  // step between these rows; 0: the group has not moved yet
    bool moving_[lanes] = {}, idle_ = false;
    Outcome ends_[lanes] = {};
};

}  // namespace mubo
