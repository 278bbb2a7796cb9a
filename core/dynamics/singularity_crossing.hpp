// Passing a singular position of the loops: where it lies, and steps that straddle it.
//
// s = sqrt(smallest pivot over its size) goes to zero like |t - t*| where two motions cross (a change point). Stages of
// a Runge-Kutta step violate the loop equations slightly, and there the crossing unfolds into two branches that do not
// meet, however small the step; and close to t* accelerations are rounding divided by s. So near t* every stage is
// projected onto the loop equations, and a step is placed so that t* is at 0.46 of it, because DOP853 has no abscissa
// between 1/3 and 0.6: the motion continues along its smooth branch.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

namespace mubo {

constexpr double crossing_near = 0.1;    // s below which stages are projected onto the loop equations
constexpr double crossing_weak = 0.2;    // s below which other rows are tried
constexpr double crossing_seen = 0.5;    // s below which t* is searched
constexpr double crossing_close = 3e-3;  // s below which no step ends before t*
constexpr double crossing_part = 0.46;   // of the straddling step, at which t* falls
constexpr double crossing_reach = 1.3;   // steps ahead, within which a crossing is planned for

constexpr double max_change = 0.4;         // of s within a step that straddles nothing
constexpr int max_replans = 5;             // of one step
constexpr int max_lingering_steps = 2000;  // steps with s below crossing_near, one after the other

class CrossingPlan {
  public:
    bool projects = false, straddles = false;
    int noisy = 0;              // straddling steps taken with rounding as their error
    std::vector<double> times;  // of the crossings passed
    std::vector<int> rows;      // the weakest row at each

    // Records s at an accepted state; `row` is the weakest one. Returns whether a crossing was passed.
    bool reach(double t, double s, int row) {
        const bool passed = straddles && crossed(t, s);
        if (passed) sign_ = -sign_;
        straddles = false;
        const int faded = row_;
        row_ = row;
        for (int k = 0; k < 2; ++k) t_[k] = t_[k + 1], s_[k] = s_[k + 1];
        t_[2] = t, s_[2] = sign_ * s;
        known_ = std::min(known_ + 1, 3);
        stages_.clear();
        if (passed) times.push_back(target_), rows.push_back(faded), rejected_ = HUGE_VAL;
        seen_ = HUGE_VAL, replans_ = 0;
        lingered_ = s < crossing_near && !passed ? lingered_ + 1 : 0;
        return passed;
    }

    // Locates the last crossing on the step [t, t + h] that passed it: s(part) is V-shaped there, so the two sides of
    // shrinking brackets give it.
    template <class Size>
    void locate(double t, double h, Size&& s) {
        double at = (target_ - t) / h;
        for (const double wide : {0.1, 0.02, 0.002}) {
            const double below = s(at - wide), above = s(at + wide);
            if (below + above > 0) at += wide * (below - above) / (below + above);
        }
        times.back() = t + at * h;
    }

    // Removes the last crossing: only the selected rows were singular, not the mechanism.
    void withdraw() { times.pop_back(), rows.pop_back(); }

    // Restarts at t, where other rows are selected: the history of s is void.
    void restart(double t, double s, int row) {
        t_[2] = t, s_[2] = s, sign_ = 1, known_ = 1, row_ = row;
        seen_ = rejected_ = HUGE_VAL;
        replans_ = lingered_ = 0;
    }

    // True where the steps do not get past a singular position.
    bool stuck() const { return lingered_ > max_lingering_steps; }
    int row() const { return row_; }
    // True for a straddling step whose error a shorter step did not halve: near t* accelerations are rounding divided
    // by s.
    bool is_noise(double error) {
        if (!straddles) return false;
        const bool noise = error > 0.5 * rejected_;
        rejected_ = error;
        noisy += noise;
        return noise;
    }

    // The fraction of the step just tried within which the change of s is small enough to be followed; 1: all of it.
    double followed() {
        if (known_ == 0 || stages_.empty()) return 1;
        std::sort(stages_.begin(), stages_.end(), [](const Stage& a, const Stage& b) { return a.t < b.t; });
        const double found = bottom(), begun = std::fabs(s_[2]);
        double change = 0, before = begun;
        for (const Stage& one : stages_) change += std::fabs(one.s - before), before = one.s;
        if (change > (straddles ? 2 * crossing_seen : max_change) || (std::isfinite(found) && begun > crossing_seen))
            return 0.5;
        if (!std::isfinite(found)) return 1;
        const double part = (found - t_[2]) / (stages_.back().t - t_[2]);
        if (straddles && part > 0.38 && part < 0.56) return 1;
        if (replans_ == max_replans) return 0.5;
        ++replans_;
        seen_ = found;
        return 0.999;
    }

    // s at a stage of the current step.
    void stage(double t, double s) { stages_.push_back({t, s}); }

    // The step to take instead of h.
    double plan(double t, double h) {
        const double s = std::fabs(s_[2]), predicted = known_ < 2 || s > crossing_seen ? HUGE_VAL : zero();
        const double ahead = (std::isfinite(seen_) ? seen_ : predicted) - t;
        stages_.clear();
        straddles = false;
        projects = s < crossing_near;
        if (!(ahead > 0 && ahead < crossing_reach * h)) return h;
        projects = true;
        // First a step to the point from which the next one, or a shorter one, straddles t*; but not into the rounding
        // around t*.
        if (ahead > crossing_part * h && s > crossing_close)
            return ahead - crossing_part * (ahead > 0.7 * h ? h : 0.6 * h);
        straddles = true;
        target_ = t + ahead;
        return ahead / crossing_part;
    }

  private:
    struct Stage {
        double t, s;
    };
    double t_[3] = {}, s_[3] = {}, sign_ = 1, target_ = 0;
    double seen_ = HUGE_VAL;      // t* estimated from the stages of the step just tried
    double rejected_ = HUGE_VAL;  // error of the last straddling step that was rejected
    int known_ = 0, row_ = -1, lingered_ = 0, replans_ = 0;
    std::vector<Stage> stages_;

    // The next zero of the parabola (at first the line) through the last states; infinite where there is none.
    double zero() const {
        const double first = (s_[2] - s_[1]) / (t_[2] - t_[1]);
        double bend = 0;
        if (known_ == 3 && std::fabs(s_[0]) < crossing_seen)
            bend = (first - (s_[1] - s_[0]) / (t_[1] - t_[0])) / (t_[2] - t_[0]);
        const double slope = first + bend * (t_[2] - t_[1]);  // at the last state
        const double root = slope * slope - 4 * bend * s_[2];
        if (root < 0) return HUGE_VAL;
        const double q = -0.5 * (slope + std::copysign(std::sqrt(root), slope));
        double best = HUGE_VAL;
        for (const double x : {bend != 0 ? q / bend : HUGE_VAL, q != 0 ? s_[2] / q : HUGE_VAL})
            if (x > 0 && x < best) best = x;
        return t_[2] + best;
    }

    // The time at which s of the stages, sorted by time, falls to zero and rises again, by the lines on both sides;
    // infinite where it does not.
    double bottom() const {
        size_t least = 0;
        for (size_t k = 1; k < stages_.size(); ++k)
            if (stages_[k].s < stages_[least].s) least = k;
        if (stages_.size() < 4 || least == 0 || least + 1 >= stages_.size()) return HUGE_VAL;
        const double edge = std::fmin(std::fabs(s_[2]), stages_.back().s);
        if (!(stages_[least].s < 0.5 * edge && stages_[least].s < crossing_seen)) return HUGE_VAL;
        const Stage &a = stages_[least - 1], &b = stages_[least], &c = stages_[least + 1];
        const double left = (a.t * b.s + b.t * a.s) / (a.s + b.s), right = (b.t * c.s + c.t * b.s) / (b.s + c.s);
        // Where it lies between b and c, the line from a through b reaches zero there.
        const double slope = (a.s - b.s) / (b.t - a.t), ahead = slope > 0 ? b.t + b.s / slope : HUGE_VAL;
        return std::fabs(ahead - right) < std::fabs(b.t - left) || ahead < c.t ? right : left;
    }

    // True where s, mirrored beyond t*, is closer to a straight line than unmirrored.
    bool crossed(double t, double s) const {
        double straight = 0, mirrored = 0;
        const double slope = (s + std::fabs(s_[2])) / (t - t_[2]), level = (s - std::fabs(s_[2])) / (t - t_[2]);
        for (const Stage& one : stages_) {
            if (one.t <= t_[2] || one.t >= t) continue;
            const double x = one.t - t_[2], signed_s = one.t < target_ ? one.s : -one.s;
            mirrored += std::pow(signed_s - (std::fabs(s_[2]) - slope * x), 2);
            straight += std::pow(one.s - (std::fabs(s_[2]) + level * x), 2);
        }
        return mirrored < straight;
    }
};

}  // namespace mubo
