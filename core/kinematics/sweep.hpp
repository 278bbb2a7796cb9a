// Appended driving constraints over a time grid: Newton for position, then velocity and acceleration from
// one factorisation (Nikravesh 1988, sections 3.2 and 5.1; Flores 2010, section 3).
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "../branch.hpp"
#include "../linear/lu.hpp"
#include "evaluate.hpp"

namespace mubo {

template <class System>
class Sweeper {
  public:
    // `active`: the independent equations, as many as unknowns.
    Sweeper(const System& s, const std::vector<int>& active)
        : s_(s),
          n_(s.unknowns()),
          slot_(s.equations, -1),
          active_(active),
          lu_(n_),
          pose_(s.poses()),
          phi_(s.equations),
          nu_(s.equations),
          gamma_(s.equations),
          step_(n_),
          guess_(n_) {
        for (int k = 0; k < n_; ++k) slot_[active[k]] = k;
    }

    int sign() const { return lu_.sign(); }
    double size() const { return lu_.smallest(); }
    double largest() const { return largest_; }  // the largest of the smallest pivots of J so far
    void set_largest_pivot(double largest) { largest_ = largest; }

    // Newton's method at fixed motion, in place on q. `count`: iterations made to reach the tolerance.
    Status position(double* q, const double* motion, const SweepOptions& o, int* count) {
        for (*count = 0;; ++*count) {
            const double gap = largest_gap(q, motion);
            if (!std::isfinite(gap)) return not_finite;
            const bool converged = gap <= o.tolerance;
            if (o.accepts(gap)) return done;
            if (!converged && *count >= o.max_iterations) return no_convergence;
            // The last, uncounted correction reuses the last factors.
            if (!(converged && *count > 0) && !factor(motion)) return singular;
            for (int k = 0; k < n_; ++k) step_[k] = phi_[active_[k]];
            lu_.solve(step_.data());
            for (int k = 0; k < n_; ++k) q[k] -= step_[k];
            // Below `nearly` one more correction reaches rounding; it is made for the accuracy of v and a and not
            // counted.
            if (converged) {
                s_.place(q, pose_.data());
                return done;
            }
        }
    }

    // v and a at the position just solved.
    Status rates(const double* motion, double* v, double* a) {
        if (!factor(motion)) return singular;
        evaluate_nu(s_, pose_.data(), motion, nu_.data());
        for (int k = 0; k < n_; ++k) v[k] = nu_[active_[k]];
        lu_.solve(v);
        evaluate_right_sides(s_, pose_.data(), v, motion, nu_.data(), gamma_.data());
        for (int k = 0; k < n_; ++k) a[k] = gamma_[active_[k]];
        lu_.solve(a);
        for (int k = 0; k < n_; ++k)
            if (!std::isfinite(v[k]) || !std::isfinite(a[k])) return not_finite;
        return done;
    }

    // One step of length h from the state before (q, v, a of `last`) to `next`.
    Status step(double h, const double* last, double* next, int sign_before, const double* motion,
                const SweepOptions& o, int* count) {
        const double *q = last, *v = last + n_, *a = last + 2 * n_;
        for (int k = 0; k < n_; ++k) {
            guess_[k] = q[k] + h * (v[k] + 0.5 * h * a[k]);
            next[k] = o.taylor ? guess_[k] : q[k];
        }
        Status status = position(next, motion, o, count);
        if (status != done) return status;
        status = rates(motion, next + n_, next + 2 * n_);
        if (status != done) return status;
        largest_ = std::fmax(largest_, size());
        constexpr int width = System::width, turning = System::Pose::turning;
        if (fails_branch_check(n_, width, turning, n_, h, last, next, guess_.data(), step_.data(),
                               branch_radius(size(), largest_), o))
            return other_branch;
        if (sign() != sign_before) return sign_change;
        return size() < nearly_singular * largest_ ? singular : done;
    }

  private:
    double largest_gap(const double* q, const double* motion) {
        s_.place(q, pose_.data());
        evaluate_phi(s_, pose_.data(), motion, phi_.data());
        double gap = 0;
        for (int r = 0; r < s_.equations; ++r) {
            const double size = std::fabs(phi_[r]);
            if (!(size <= gap)) gap = size;
            if (!std::isfinite(size)) return size;
        }
        return gap;
    }

    bool factor(const double* motion) {
        lu_.clear();
        evaluate_jacobian(s_, pose_.data(), motion, [&](int r, int c, double value) {
            if (slot_[r] >= 0) lu_.row(slot_[r])[c] += value;
        });
        return lu_.factor();
    }

    const System& s_;
    int n_;
    double largest_ = 0;
    std::vector<int> slot_, active_;
    DenseLU lu_;
    std::vector<typename System::Pose> pose_;
    std::vector<double> phi_, nu_, gamma_, step_, guess_;
};

}  // namespace mubo
