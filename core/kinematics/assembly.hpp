// Assembly from rough estimates by Newton's method on a square J of full rank: undamped as long as it makes progress,
// or deflated away from a solution that is known already (Brown and Gearhart 1971; Farrell, Birkisson and Funke 2015).
// Equations are scaled to radians or sizes of the mechanism, and so are unknowns.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "../linear/lu.hpp"
#include "evaluate.hpp"

namespace mubo {

struct AssemblyOptions {
    const double* row_weight;  // makes Phi dimensionless
    const double* weight;      // of the unknowns
    double tolerance, scale;
    int most;        // iterations
    double longest;  // step, dimensionless
};

// Below it, of the largest entry of the scaled J, a pivot says that least squares have to decide.
constexpr double weak_pivot = 1e-9;
constexpr double small_refinement = 1e-6;  // dimensionless: the longest step of the last, uncounted iteration
constexpr double same_assembly = 1e-4;     // dimensionless distance below which two assemblies are one

template <class System>
class Assembler {
  public:
    Assembler(const System& s, const double* motion, const AssemblyOptions& o)
        : s_(s), motion_(motion), o_(o), n_(s.unknowns()), lu_(n_), pose_(s.poses()), phi_(n_), step_(n_), trial_(n_) {}

    double gap() const { return gap_; }
    int worst() const { return worst_; }  // the equation with the largest gap

    // Undamped Newton, in place on q: no_convergence where it makes no progress or a step is long, singular where least
    // squares have to decide. Near the solution one further iteration, not counted, is made where it helps.
    Status newton(double* q, int* count) {
        double before = HUGE_VAL;
        for (*count = 0; *count <= o_.most; ++*count) {
            residual(q);
            if (gap_ <= o_.tolerance) return refine(q);
            const double size = squared_size();
            if (!(size < before)) return no_convergence;
            const Status status = solve_step();
            if (status != done) return status;
            if (!(largest_step() < o_.longest)) return no_convergence;
            for (int k = 0; k < n_; ++k) q[k] += step_[k];
            before = size;
        }
        return no_convergence;
    }

    // Newton on m Phi with m = 1 + 1/d^2, d the distance to the known solution: its step is that of Phi, longer or
    // shorter. The status is other_branch where it ends at the known one.
    Status deflated(double* q, const double* known, int* count) {
        for (*count = 0; *count < o_.most; ++*count) {
            residual(q);
            double square = 0, along = 0;
            for (int k = 0; k < n_; ++k) square += away(q, known, k) * away(q, known, k);
            if (gap_ <= o_.tolerance) return square > same_assembly * same_assembly ? done : other_branch;
            if (!(square > 0)) return other_branch;
            const Status status = solve_step();
            if (status != done) return status;
            for (int k = 0; k < n_; ++k) along += away(q, known, k) * o_.weight[k] * step_[k];
            const double slope = -2 * along / (square * (square + 1));  // m' step / m
            if (slope != 1)
                for (double& one : step_) one /= 1 - slope;
            const double shrink = std::max(1.0, largest_step() / o_.longest);
            for (int k = 0; k < n_; ++k) q[k] += step_[k] / shrink;
        }
        return no_convergence;
    }

  private:
    double away(const double* q, const double* known, int k) const { return o_.weight[k] * (q[k] - known[k]); }

    void residual(const double* q) {
        s_.place(q, pose_.data());
        evaluate_phi(s_, pose_.data(), motion_, phi_.data());
        gap_ = 0, worst_ = 0;
        for (int r = 0; r < n_; ++r) {
            const double size = std::fabs(phi_[r]);
            if (size > gap_ || std::isnan(size)) gap_ = size, worst_ = r;
            if (std::isnan(size)) return;
        }
    }

    double squared_size() const {
        double sum = 0;
        for (int r = 0; r < n_; ++r) sum += o_.row_weight[r] * phi_[r] * o_.row_weight[r] * phi_[r];
        return sum;
    }

    double largest_step() const {
        double most = 0;
        for (int k = 0; k < n_; ++k) {
            const double size = std::fabs(o_.weight[k] * step_[k]);
            if (!(size <= most)) most = size;
        }
        return most;
    }

    // J step = -Phi at the position of the last residual.
    Status solve_step() {
        lu_.clear();
        evaluate_jacobian(s_, pose_.data(), motion_, [&](int r, int c, double value) {
            lu_.row(r)[c] += o_.row_weight[r] * value / o_.weight[c];
        });
        double largest = 0;
        for (int k = 0; k < n_ * n_; ++k) {
            const double size = std::fabs(lu_.row(0)[k]);
            if (!(size <= HUGE_VAL) || std::isinf(size)) return not_finite;
            largest = std::max(largest, size);
        }
        if (!lu_.factor() || !(lu_.smallest() > weak_pivot * largest)) return singular;
        for (int k = 0; k < n_; ++k) step_[k] = -o_.row_weight[k] * phi_[k];
        lu_.solve(step_.data());
        for (int k = 0; k < n_; ++k) step_[k] /= o_.weight[k];
        return done;
    }

    Status refine(double* q) {
        const double before = gap_;
        const int worst = worst_;
        if (!(before > rounding * o_.scale) || solve_step() != done || !(largest_step() <= small_refinement))
            return done;
        for (int k = 0; k < n_; ++k) trial_[k] = q[k] + step_[k];
        residual(trial_.data());
        if (gap_ < before)
            std::copy(trial_.begin(), trial_.end(), q);
        else
            gap_ = before, worst_ = worst;
        return done;
    }

    const System& s_;
    const double* motion_;
    AssemblyOptions o_;
    int n_, worst_ = 0;
    double gap_ = 0;
    DenseLU lu_;
    std::vector<typename System::Pose> pose_;
    std::vector<double> phi_, step_, trial_;
};

}  // namespace mubo
