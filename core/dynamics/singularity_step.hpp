// A step over a singular position of the constraint equations, in absolute coordinates. Implicit stages do not pass it:
// no single iteration matrix of Newton's method fits J before and behind it. DOP853 has no abscissa between 1/3 and
// 0.6, so that with the singular position at 0.46 of the step no stage comes near it; every stage is first projected
// onto the constraints (see singularity_crossing.hpp).
#pragma once
#include "../integrate/dop853.hpp"
#include "absolute_forward_dynamics.hpp"
#include "closure_tolerances.hpp"
#include "singularity_crossing.hpp"

namespace mubo {

template <class System>
class SingularityStep {
  public:
    static constexpr int n = System::dofs, width = System::width;

    SingularityStep(Bodies<System>& b, const AugmentedPlan<System>& plan, AbsoluteForwardDynamics<System>& forward,
                    double rtol, double atol)
        : b_(b),
          forward_(forward),
          evaluation_(b),
          pivots_(b, plan),
          matrix_(b, plan),
          real_(plan.pattern),
          q_(static_cast<size_t>(width) * b.free()),
          v_(b.dofs()),
          x_(b.dofs()),
          none_(b.dofs()),
          gap_(b.equations()),
          mu_(b.equations()),
          room_(plan.pattern.size()),
          line_(forward.size()),
          method_(*this, rtol, std::vector<double>(size(), atol)) {}

    // The problem that DOP853 solves: displacement from the start, twists, energies dissipated and supplied.
    int size() const { return 2 * b_.dofs() + 2; }
    bool counted(int i) const { return i < 2 * b_.dofs(); }
    int owner(int) const { return -1; }
    Fault rates(double t, const double* y, double* dy) {
        const int N = b_.dofs();
        place(y);
        for (size_t k = 0; k < near_->size(); ++k) stage_near_[k] = (*near_)[k] + (t - t_) * (*rate_)[k];
        if (const Fault fault = project(t); fault.status != done) return fault;
        const Fault fault = forward_.at(t, q_.data(), v_.data(), stage_near_.data(), line_.data());
        if (fault.status != done) return fault;
        for (int b = 0; b < b_.free(); ++b) displacement_rate(b_.rows, y + n * b, v_.data() + n * b, dy + n * b);
        std::copy(line_.begin(), line_.begin() + N, dy + N);
        dy[2 * N] = forward_.evaluation.energy.dissipated;
        dy[2 * N + 1] = forward_.evaluation.energy.supplied + forward_.evaluation.driver_power(forward_.lam.data());
        return {};
    }

    void span(double from, double to) { evaluation_.from = from, evaluation_.to = to; }
    double error() const { return method_.error; }
    // From (q, v) at t over a step h; `near` are the counted angles there, `rate` their rates.
    Fault attempt(double t, double h, const std::vector<double>& q, const std::vector<double>& v,
                  const double* exchanged, const std::vector<double>& near, const std::vector<double>& rate) {
        const int N = b_.dofs();
        start_ = &q, near_ = &near, rate_ = &rate, t_ = t, h_ = h;
        stage_near_.resize(near.size());
        std::fill(method_.y.begin(), method_.y.end(), 0.0);
        std::copy(v.begin(), v.end(), method_.y.begin() + N);
        std::copy(exchanged, exchanged + 2, method_.y.begin() + 2 * N);
        Fault fault = method_.start(t);
        if (fault.status == done) fault = method_.attempt(t, h);
        if (fault.status == done && method_.error > 1) fault = method_.arrive(t + h);
        if (fault.status == done) fault = method_.prepare_dense(t, h);
        return fault;
    }
    // Entry k of the state at the fraction x of the step.
    double at(int k, double x) const { return method_.dense.at(k, x); }

    // Coordinates, twists and energies there; projected onto the constraints where these are far enough from singular.
    Fault state(double x, std::vector<double>& q, std::vector<double>& v, double* exchanged) {
        const Fault fault = singularity_measure(x) > crossing_close ? project(t_ + x * h_) : Fault{};
        q = q_, v = v_;
        for (int k = 0; k < 2; ++k) exchanged[k] = at(2 * b_.dofs() + k, x);
        return fault;
    }

    // s, the root of the weakest relative pivot, at the fraction x of the step.
    double singularity_measure(double x) {
        stage_.resize(size());
        for (int k = 0; k < size(); ++k) stage_[k] = at(k, x);
        place(stage_.data());
        factor_pivots(t_ + x * h_);
        return std::sqrt(std::fmax(pivots_.weakest, 0.0));
    }
    int weakest_row() const { return pivots_.weakest_row; }
    // The fraction of the step at which s, which is V-shaped, falls to zero; -1 where it does not, or only because of
    // the selected rows.
    double crossing() {
        double x = crossing_part;
        for (const double wide : {0.1, 0.02, 0.002}) {
            const double below = singularity_measure(x - wide), above = singularity_measure(x + wide);
            if (below + above > 0) x += wide * (below - above) / (below + above);
        }
        if (singularity_measure(x) > 0.05 * std::fmax(singularity_measure(0), singularity_measure(1)) || full_rank(x))
            return -1;
        singularity_measure(x);
        return x;
    }

    // Sets the rows that may be selected: all but those that are never solved.
    void working(std::vector<char> rows) { working_ = std::move(rows); }

  private:
    Bodies<System>& b_;
    AbsoluteForwardDynamics<System>& forward_;
    StateEvaluation<System> evaluation_;
    Pivots<System> pivots_;
    Augmented<System> matrix_;
    StaticLdl<double> real_;
    std::vector<double> q_, v_, x_, none_, gap_, mu_, room_, line_, stage_, stage_near_;
    std::vector<char> working_;
    const std::vector<double>*start_ = nullptr, *near_ = nullptr, *rate_ = nullptr;
    double t_ = 0, h_ = 0;
    Dop853<SingularityStep> method_;

    // True where, with the rows left out, as many are independent there as at the start.
    bool full_rank(double x) {
        const std::vector<char> before = b_.active;
        int count = 0, all = 0;
        for (char one : before) count += one;
        for (size_t e = 0; e < before.size(); ++e) b_.active[e] = working_.empty() ? before[e] : working_[e];
        singularity_measure(x);
        pivots_.factor(mass_system(t_ + x * h_), redundant_row);
        for (char one : b_.active) all += one;
        b_.active = before;
        return all >= count;
    }
    void place(const double* y) {
        const int N = b_.dofs();
        for (int b = 0; b < b_.free(); ++b)
            displace(b_.rows, start_->data() + width * b, y + n * b, q_.data() + width * b);
        std::copy(y + N, y + 2 * N, v_.begin());
    }
    StaticLdl<double>& mass_system(double t) {
        evaluation_.at(t, q_.data());
        evaluation_.jacobian(nullptr);
        matrix_.set_masses(evaluation_);
        matrix_.assemble(real_, 1.0, 0.0, 0.0);
        return real_;
    }
    bool factor_pivots(double t) { return pivots_.factor(mass_system(t)); }

    // Projects the stage onto the constraints: positions, then twists, by the smallest correction in the metric of the
    // masses.
    Fault project(double t) {
        double before = HUGE_VAL;
        for (int count = 0; count < max_corrections; ++count) {
            if (!factor_pivots(t)) return {singular, -1};
            evaluation_.gaps();
            double open = 0;
            for (int e = 0; e < b_.equations(); ++e)
                if (b_.active[e]) open = std::fmax(open, std::fabs(evaluation_.phi[e]) * b_.weight[e]);
            if (!std::isfinite(open) || open > 10 * before) return {no_convergence, -1};
            if (open <= closed_gap || (open <= stalled_gap && open > 0.5 * before)) break;
            before = open;
            for (int e = 0; e < b_.equations(); ++e) gap_[e] = -evaluation_.phi[e];
            matrix_.solve(real_, 1.0, none_.data(), gap_.data(), room_.data(), x_.data(), mu_.data());
            for (int b = 0; b < b_.free(); ++b) {
                double to[width];
                displace(b_.rows, q_.data() + width * b, x_.data() + n * b, to);
                std::copy(to, to + width, q_.data() + width * b);
            }
        }
        matrix_.rates(v_.data(), evaluation_.nu, gap_.data());
        for (double& rate : gap_) rate = -rate;
        matrix_.solve(real_, 1.0, none_.data(), gap_.data(), room_.data(), x_.data(), mu_.data());
        for (size_t k = 0; k < v_.size(); ++k) v_[k] += x_[k];
        return {};
    }
};

}  // namespace mubo
