// One step of Radau IIA in absolute coordinates: its stages (radau_stages.hpp), its error, and a projection of position
// and velocity at its end. Hairer, Lubich and Roche 1989; Hairer and Wanner 1996, IV.8 and VII.4.
#pragma once
#include "closure_tolerances.hpp"
#include "radau_stages.hpp"

namespace mubo {

template <class System>
class Radau : public RadauStages<System> {
    using Stages = RadauStages<System>;

  public:
    using Stages::exchanged, Stages::next_exchanged, Stages::error, Stages::taken, Stages::factors, Stages::evaluations;
    using Stages::n, Stages::width, Stages::stages, Stages::q, Stages::v, Stages::next_q, Stages::next_v;
    using Stages::RadauStages;
    using typename Stages::B;

    double weakest() const { return pivots_.weakest; }
    int weakest_row() const { return pivots_.weakest_row; }
    void span(double from, double to) {
        for (auto* at : {&stage_, &evaluation_, &forward_.evaluation}) at->from = from, at->to = to;
        singularity_step_.span(from, to);
    }
    // Sets the angles that loads in space act along and that sensors count, at the start.
    void set_angles(const double* near) { std::copy(near, near + near_.size(), near_.begin()); }

    // Leaves out the rows that are redundant at q, which must satisfy the constraints.
    Fault choose(double t) {
        evaluation_.at(t, q.data());
        evaluation_.jacobian(nullptr);
        start_.set_masses(evaluation_);
        start_.assemble(real_, 1.0, 0.0, 0.0);
        singularity_step_.working(b_.active);
        return factor_pivots(redundant_row) ? Fault{} : Fault{zero_inertia, -1};
    }

    // Evaluates everything at the start of a step that does not depend on its length.
    Fault prepare(double t) {
        evaluation_.at(t, q.data());
        evaluation_.jacobian(nullptr);
        Fault fault = evaluation_.load(v.data(), near_.data(), lam_.data());
        if (fault.status != done) return fault;
        start_.set_masses(evaluation_);
        start_.load_derivatives(evaluation_, near_.data());
        evaluation_.angles(v.data(), near_.data(), near_.data(), near_rate_.data());
        force_at_zero_acceleration(b_, evaluation_, v.data(), force_.data());
        powers(evaluation_, lam_.data(), power_);
        return {};
    }

    // From (q, v) at t towards (next_q, next_v) at t + h; `error` <= 1 means accepted. The status no_convergence
    // requires a shorter step.
    Fault attempt(double t, double h, bool filter) {
        if (!factor(real_, radau::gamma / h, h / radau::gamma) ||
            !factor(complex_, Complex(radau::alpha / h, radau::beta / h),
                    Complex(h) / Complex(radau::alpha, radau::beta)))
            return {singular, -1};
        guess(h);
        Fault fault = newton(t, h);
        if (fault.status != done) return fault;
        move();
        measure(t, h, filter);
        if (!std::isfinite(error)) return {not_finite, -1};
        for (int k = 0; k < 2; ++k) {
            next_exchanged[k] = exchanged[k];
            for (int j = 0; j < stages; ++j) next_exchanged[k] += h * radau::A[stages - 1][j] * stage_power_[j][k];
        }
        return {};
    }

    // Attempts a step that straddles a singular position.
    Fault attempt_over_singularity(double t, double h) {
        const Fault fault = singularity_step_.attempt(t, h, q, v, exchanged, near_, near_rate_);
        error = singularity_step_.error();
        if (fault.status != done) return fault;
        for (int i = 0; i < stages; ++i) {
            for (int k = 0; k < N_; ++k) {
                displacement_[i][k] = singularity_step_.at(k, radau::C[i]);
                Z_[i][k] = singularity_step_.at(N_ + k, radau::C[i]) - v[k];
            }
        }
        for (int k = 0; k < 2; ++k) next_exchanged[k] = singularity_step_.at(2 * N_ + k, 1);
        move();
        near_at(1, h, next_near_);
        std::vector<double> line(forward_.size());
        const Fault found = evaluate_state(t + h, next_q.data(), next_v.data(), next_near_.data(), line.data());
        for (auto& lam : stage_lam_) lam = forward_.lam;
        return found;
    }
    SingularityStep<System>& singularity_step() { return singularity_step_; }

    // Projects the end of the step onto position and velocity constraints, by the smallest correction in the metric of
    // the step's own matrix, which does not load stiff springs.
    Fault project(double t, double h) {
        const double m = radau::gamma / h;
        std::copy(near_.begin(), near_.end(), next_near_.begin());
        for (size_t k = 0; k < near_.size(); ++k) next_near_[k] += h * near_rate_[k];
        evaluation_.at(t, next_q.data());
        evaluation_.jacobian(nullptr);
        Fault fault = evaluation_.load(next_v.data(), next_near_.data(), stage_lam_[stages - 1].data());
        if (fault.status != done) return fault;
        end_.set_masses(evaluation_);
        end_.load_derivatives(evaluation_, next_near_.data());
        end_.assemble(real_, m, 1.0, h / radau::gamma);
        if (!factor_pivots()) return {singular, -1};
        fault = project_positions(t, m);
        if (fault.status != done) return fault;
        evaluation_.jacobian(nullptr);
        end_.set_masses(evaluation_);
        project_velocities(m);
        fault = evaluation_.load(next_v.data(), next_near_.data(), stage_lam_[stages - 1].data());
        if (fault.status != done) return fault;
        evaluation_.angles(next_v.data(), next_near_.data(), next_near_.data(), next_near_rate_.data());
        return {};
    }

    // Accepts the step that was projected last.
    void accept(double h) {
        std::swap(q, next_q);
        std::swap(v, next_v);
        std::swap(near_, next_near_);
        std::swap(near_rate_, next_near_rate_);
        start_.swap(end_);
        for (int k = 0; k < 2; ++k) exchanged[k] = next_exchanged[k];
        taken += step_taken_;
        force_at_zero_acceleration(b_, evaluation_, v.data(), force_.data());
        std::copy(stage_lam_[stages - 1].begin(), stage_lam_[stages - 1].end(), lam_.begin());
        powers(evaluation_, lam_.data(), power_);
        for (int i = 0; i < stages; ++i) last_Z_[i] = Z_[i], last_lam_[i] = stage_lam_[i];
        last_h_ = h;
    }
    // Discards the history of steps, which is invalid beyond a corner.
    void forget() { last_h_ = 0; }

    // The output row at the state: see AbsoluteForwardDynamics.
    Fault row(double t, double* out) {
        const Fault fault = evaluate_state(t, q.data(), v.data(), near_.data(), out);
        if (fault.status != done) return fault;
        lam_ = forward_.lam;
        powers(forward_.evaluation, lam_.data(), power_);
        return {};
    }
    // The output row at any state, independent of the current step.
    Fault evaluate_state(double t, const double* at_q, const double* at_v, const double* near, double* out) {
        return forward_.at(t, at_q, at_v, near, out);
    }
    size_t row_size() const { return forward_.size(); }
    const std::vector<double>& near() const { return near_; }
    const std::vector<double>& next_near() const { return next_near_; }
    // Counted angles at the fraction x of a step of the length h.
    void near_at(double x, double h, std::vector<double>& out) const {
        for (size_t k = 0; k < out.size(); ++k) out[k] = near_[k] + x * h * near_rate_[k];
    }

  private:
    using Stages::b_, Stages::N_, Stages::m_, Stages::energies_control_error_, Stages::rtol_, Stages::atol_,
        Stages::plan_, Stages::start_, Stages::end_, Stages::stage_, Stages::evaluation_, Stages::real_,
        Stages::complex_, Stages::scale_, Stages::force_, Stages::lam_, Stages::room_, Stages::x_, Stages::mu_,
        Stages::right_, Stages::gap_, Stages::Z_, Stages::displacement_, Stages::R_, Stages::stage_lam_,
        Stages::last_Z_, Stages::last_lam_, Stages::turn_, Stages::stage_q_, Stages::stage_v_, Stages::near_,
        Stages::near_rate_, Stages::next_near_, Stages::next_near_rate_, Stages::power_, Stages::stage_power_,
        Stages::last_h_, Stages::step_taken_, Stages::factor, Stages::factor_pivots, Stages::pivots_, Stages::forward_,
        Stages::singularity_step_, Stages::powers, Stages::guess, Stages::newton, Stages::move;

    // (gamma/h M + C + h/gamma K) e_v + J'mu = f + M sum d_i Z_i / h - (h/gamma) K r,  J e_v = 0,
    // e_q = (h/gamma) (e_v + r),  r = v_n + sum d_i w_i / h.
    void measure(double t, double h, bool filter) {
        estimate(h, force_.data(), v.data());
        error = norm(h);
        if (!filter || error < 1) return;
        // A second estimate from the corrected state filters the spurious error of stiff components (Hairer and Wanner
        // 1996, IV.8.20).
        for (int b = 0; b < b_.free(); ++b)
            displace(b_.rows, q.data() + width * b, turn_[0].data() + n * b, stage_q_.data() + width * b);
        for (int k = 0; k < N_; ++k) stage_v_[k] = v[k] + x_[k];
        stage_.at(t, stage_q_.data());
        if (!b_.reaction_friction.empty()) stage_.jacobian(nullptr);
        ++evaluations;
        if (stage_.load(stage_v_.data(), near_.data(), lam_.data()).status != done) return;
        force_at_zero_acceleration(b_, stage_, stage_v_.data(), stage_force());
        estimate(h, stage_force(), stage_v_.data());
        error = norm(h);
    }
    double* stage_force() { return R_[0].data(); }

    void estimate(double h, const double* f, const double* twist) {
        using radau::D, radau::gamma;
        double* sum = R_[1].data();
        for (int k = 0; k < N_; ++k) {
            sum[k] = 0;
            double r = twist[k];
            for (int i = 0; i < stages; ++i) sum[k] += D[i] * Z_[i][k] / h, r += D[i] * displacement_[i][k] / h;
            stage_displacement_rate()[k] = r;
        }
        start_.times_mass(sum, right_.data());
        for (int k = 0; k < N_; ++k) right_[k] += f[k];
        start_.less_stiffness(h / gamma, stage_displacement_rate(), right_.data());
        std::fill(gap_.begin(), gap_.end(), 0.0);
        start_.solve(real_, gamma / h, right_.data(), gap_.data(), room_.data(), x_.data(), mu_.data());
        for (int k = 0; k < N_; ++k) turn_[0][k] = h / gamma * (x_[k] + stage_displacement_rate()[k]);
    }
    double* stage_displacement_rate() { return R_[2].data(); }

    double norm(double h) const {
        double sum = 0;
        int count = 2 * N_;
        for (int b = 0; b < b_.free(); ++b)
            for (int c = 0; c < n; ++c) {
                const int k = n * b + c;
                const double at = c < width - n + 3 && n == 6 && c >= 3 ? 1 : q[width * b + c];
                const double one = turn_[0][k] / (atol_ + rtol_ * std::fabs(at)), two = x_[k] / scale_[k];
                sum += one * one + two * two;
            }
        for (int e = 0; e < 2 && energies_control_error_; ++e, ++count) {
            double rate = power_[e];
            for (int i = 0; i < stages; ++i) {
                double z = 0;
                for (int j = 0; j < stages; ++j) z += radau::A[i][j] * stage_power_[j][e];
                rate += radau::D[i] * z;
            }
            const double one = h / radau::gamma * rate / (atol_ + rtol_ * std::fabs(exchanged[e]));
            sum += one * one;
        }
        return std::sqrt(sum / std::max(count, 1));
    }

    Fault project_positions(double t, double m) {
        double before = HUGE_VAL;
        std::fill(right_.begin(), right_.end(), 0.0);
        for (int count = 0;; ++count) {
            evaluation_.at(t, next_q.data());
            evaluation_.gaps();
            const auto [open, row] = gap(true);
            if (!std::isfinite(open) || (open > open_gap && (count == max_corrections || open > 10 * before)))
                return {open_loop, row};
            if (open <= closed_gap || (open <= stalled_gap && open > 0.5 * before) || count == max_corrections) break;
            before = open;
            for (int e = 0; e < m_; ++e) gap_[e] = -evaluation_.phi[e];
            end_.solve(real_, m, right_.data(), gap_.data(), room_.data(), x_.data(), mu_.data());
            for (int b = 0; b < b_.free(); ++b) {
                double to[width];
                displace(b_.rows, next_q.data() + width * b, x_.data() + n * b, to);
                std::copy(to, to + width, next_q.data() + width * b);
            }
        }
        const auto [open, row] = gap(false);
        return open > redundant_gap ? Fault{open_loop, row} : Fault{};
    }
    std::pair<double, int> gap(bool independent) const {
        std::pair<double, int> worst{0, -1};
        for (int e = 0; e < m_; ++e) {
            const double size = std::fabs(evaluation_.phi[e]) * b_.weight[e];
            if (static_cast<bool>(b_.active[e]) == independent && !(size <= worst.first)) worst = {size, e};
        }
        return worst;
    }

    // Two corrections reduce the rates of the gaps to rounding; `step_taken_` is the kinetic energy that they remove.
    void project_velocities(double m) {
        step_taken_ = 0;
        std::fill(right_.begin(), right_.end(), 0.0);
        for (int count = 0; count < 2; ++count) {
            end_.rates(next_v.data(), evaluation_.nu, gap_.data());
            for (int e = 0; e < m_; ++e) gap_[e] = -gap_[e];
            end_.solve(real_, m, right_.data(), gap_.data(), room_.data(), x_.data(), mu_.data());
            end_.times_mass(x_.data(), R_[0].data());
            for (int k = 0; k < N_; ++k) {
                step_taken_ -= R_[0][k] * (next_v[k] + 0.5 * x_[k]);
                next_v[k] += x_[k];
            }
        }
    }
};

}  // namespace mubo
