// The stages of Radau IIA (three of them, order 5) in absolute coordinates, with the velocity constraints at the stages
// (index 2), and their solution.
//
//   M_i sum_j W_ij Z_j / h - f(q_i, v_i) + J_i' lam_i = 0,  J_i v_i = nu_i,  v_i = v_n + Z_i,
//   q_i = q_n displaced by w_i,  w_i = h sum_j A_ij N(w_j) v_j
//
// Simplified Newton: one real and one complex matrix [(w/h) M + C + (h/w) K, J'; J, 0] a step (augmented.hpp). Hairer,
// Lubich and Roche 1989; Hairer and Wanner 1996, IV.8 and VII.4.
#pragma once
#include <cmath>

#include "radau_table.hpp"
#include "singularity_step.hpp"

namespace mubo {

constexpr int max_newton_iterations = 10;

template <class System>
class RadauStages {
  public:
    using B = Bodies<System>;
    static constexpr int n = System::dofs, width = System::width, stages = radau::stages;

    std::vector<double> q, v;            // at the start of the step
    std::vector<double> next_q, next_v;  // at its end
    double exchanged[2] = {0, 0}, next_exchanged[2] = {0, 0};
    double error = 0, taken = 0;
    int corrections = 0;  // of Newton's method in the last step
    long evaluations = 0, factors = 0;

    RadauStages(B& b, double rtol, double atol, bool energies_control_error)
        : q(static_cast<size_t>(width) * b.free()),
          v(b.dofs()),
          next_q(q.size()),
          next_v(v.size()),
          b_(b),
          N_(b.dofs()),
          m_(b.equations()),
          energies_control_error_(energies_control_error),
          rtol_(0.1 * std::pow(rtol, 2.0 / 3)),
          atol_(rtol_ * atol / rtol),
          plan_(b),
          start_(b, plan_),
          end_(b, plan_),
          stage_(b),
          evaluation_(b),
          real_(plan_.pattern),
          complex_(plan_.pattern),
          pivots_(b, plan_),
          forward_(b, plan_),
          singularity_step_(b, plan_, forward_, rtol, atol) {
        make_room();
    }

    // Coordinates and twists at the fraction x of the step just tried, for events.
    void interpolate(double x, double* q_at, double* v_at) const {
        double weight[stages];
        for (int i = 0; i < stages; ++i) weight[i] = lagrange(i, x);
        for (int b = 0; b < b_.free(); ++b) {
            double displacement[n];
            for (int c = 0; c < n; ++c) {
                const int k = n * b + c;
                displacement[c] = 0;
                v_at[k] = v[k];
                for (int i = 0; i < stages; ++i)
                    displacement[c] += weight[i] * displacement_[i][k], v_at[k] += weight[i] * Z_[i][k];
            }
            displace(b_.rows, q.data() + width * b, displacement, q_at + width * b);
        }
    }

  protected:
    B& b_;
    const int N_, m_;
    const bool energies_control_error_;
    const double rtol_, atol_;
    const AugmentedPlan<System> plan_;
    Augmented<System> start_, end_;
    StateEvaluation<System> stage_, evaluation_;
    StaticLdl<double> real_;
    StaticLdl<Complex> complex_;
    Pivots<System> pivots_;
    AbsoluteForwardDynamics<System> forward_;
    SingularityStep<System> singularity_step_;
    std::vector<double> scale_, force_, lam_, room_, x_, mu_, right_, gap_;
    std::vector<Complex> croom_, cx_, cmu_, cright_, cgap_;
    std::vector<double> Z_[stages], displacement_[stages], R_[stages], S_[stages], stage_lam_[stages], last_Z_[stages],
        last_lam_[stages], turn_[stages];
    std::vector<double> stage_q_, stage_v_, near_, near_rate_, next_near_, next_near_rate_, stage_near_;
    double power_[2] = {}, stage_power_[stages][2] = {};
    double last_h_ = 0, step_taken_ = 0;

    void make_room() {
        for (int i = 0; i < stages; ++i) {
            for (auto* of : {&Z_[i], &displacement_[i], &R_[i], &last_Z_[i], &turn_[i]}) of->assign(N_, 0.0);
            for (auto* of : {&S_[i], &stage_lam_[i], &last_lam_[i]}) of->assign(m_, 0.0);
        }
        for (auto* of : {&scale_, &force_, &x_, &right_, &stage_v_}) of->assign(N_, 0.0);
        for (auto* of : {&lam_, &mu_, &gap_}) of->assign(m_, 0.0);
        room_.assign(plan_.pattern.size(), 0.0);
        croom_.assign(plan_.pattern.size(), Complex());
        cx_.assign(N_, Complex()), cright_.assign(N_, Complex());
        cmu_.assign(m_, Complex()), cgap_.assign(m_, Complex());
        stage_q_.assign(q.size(), 0.0);
        for (auto* of : {&near_, &near_rate_, &next_near_, &next_near_rate_, &stage_near_})
            of->assign(b_.loads.load.size() + b_.state_loads.windings(), 0.0);
    }

    template <class T>
    bool factor(StaticLdl<T>& to, T m, T k) {
        ++factors;
        start_.assemble(to, m, 1.0, k);
        return to.factor([&](int u, const T&) { return left_out(u); }, [](int, int, const T&) {});
    }
    bool left_out(int u) const { return plan_.equation[u] >= 0 && !b_.active[plan_.equation[u]]; }

    // Factorises the real matrix and finds the row that is closest to singular.
    bool factor_pivots(double least = 0) {
        ++factors;
        return pivots_.factor(real_, least);
    }

    static void powers(const StateEvaluation<System>& at, const double* lam, double* out) {
        out[0] = at.energy.dissipated, out[1] = at.energy.supplied + at.driver_power(lam);
    }

    // The cubic through 0 at 0 and the stages' values: the coefficient of stage i at x.
    static double lagrange(int i, double x) {
        double value = x / radau::C[i];
        for (int j = 0; j < stages; ++j)
            if (j != i) value *= (x - radau::C[j]) / (radau::C[i] - radau::C[j]);
        return value;
    }

    // The initial guess of the stages extrapolates the polynomial of the last step.
    void guess(double h) {
        for (int i = 0; i < stages; ++i) {
            std::copy(lam_.begin(), lam_.end(), stage_lam_[i].begin());
            std::fill(displacement_[i].begin(), displacement_[i].end(), 0.0);
            std::fill(Z_[i].begin(), Z_[i].end(), 0.0);
            if (!(last_h_ > 0)) continue;
            const double x = 1 + radau::C[i] * h / last_h_;
            double weight[stages];
            for (int j = 0; j < stages; ++j) weight[j] = lagrange(j, x) - (j == stages - 1);
            for (int k = 0; k < N_; ++k)
                for (int j = 0; j < stages; ++j) Z_[i][k] += weight[j] * last_Z_[j][k];
            for (int e = 0; e < m_; ++e) {
                double sum = 0;  // the parabola through the stages
                for (int j = 0; j < stages; ++j) sum += lagrange(j, x) * radau::C[j] / x * last_lam_[j][e];
                stage_lam_[i][e] = sum;
            }
        }
        for (int k = 0; k < N_; ++k) scale_[k] = atol_ + rtol_ * std::fabs(v[k]);
    }

    // Displacements of the stages from their twists; rotations in space need a few passes.
    void evaluate_displacements(double h) {
        for (int pass = 0; pass < (n == 6 ? 3 : 1); ++pass) {
            for (int i = 0; i < stages; ++i)
                for (int b = 0; b < b_.free(); ++b) {
                    double twist[n];
                    for (int c = 0; c < n; ++c) twist[c] = v[n * b + c] + Z_[i][n * b + c];
                    displacement_rate(b_.rows, displacement_[i].data() + n * b, twist, turn_[i].data() + n * b);
                }
            for (int i = 0; i < stages; ++i)
                for (int k = 0; k < N_; ++k) {
                    double sum = 0;
                    for (int j = 0; j < stages; ++j) sum += radau::A[i][j] * turn_[j][k];
                    displacement_[i][k] = h * sum;
                }
        }
    }

    // R_i and S_i of one stage.
    Fault residual(int i, double t, double h) {
        for (int b = 0; b < b_.free(); ++b)
            displace(b_.rows, q.data() + width * b, displacement_[i].data() + n * b, stage_q_.data() + width * b);
        for (int k = 0; k < N_; ++k) stage_v_[k] = v[k] + Z_[i][k];
        for (size_t k = 0; k < near_.size(); ++k) stage_near_[k] = near_[k] + radau::C[i] * h * near_rate_[k];
        stage_.at(t + radau::C[i] * h, stage_q_.data());
        stage_.jacobian(nullptr);
        ++evaluations;
        const Fault fault = stage_.load(stage_v_.data(), stage_near_.data(), stage_lam_[i].data());
        if (fault.status != done) return fault;
        for (int b = 0; b < b_.free(); ++b) {
            double a[n], wrench[n];
            for (int c = 0; c < n; ++c) {
                a[c] = 0;
                for (int j = 0; j < stages; ++j) a[c] += radau::W[i][j] * Z_[j][n * b + c] / h;
            }
            inertial_wrench(b_.mass.data() + B::Mass::numbers * b, b_.gravity, stage_.pose[b], stage_v_.data() + n * b,
                            a, wrench);
            for (int c = 0; c < n; ++c) R_[i][n * b + c] = wrench[c] - stage_.force[n * b + c];
        }
        for (int e = 0; e < m_; ++e) {
            double sum = -stage_.nu[e];
            for (int s = 0; s < max_bodies; ++s) {
                const int body = plan_.end[max_bodies * e + s];
                if (body < 0) continue;
                const double* own = stage_.J.data() + (static_cast<size_t>(max_bodies) * e + s) * n;
                for (int c = 0; c < n; ++c) {
                    sum += own[c] * stage_v_[n * body + c];
                    if (b_.active[e]) R_[i][n * body + c] += own[c] * stage_lam_[i][e];
                }
            }
            S_[i][e] = sum;
        }
        powers(stage_, stage_lam_[i].data(), stage_power_[i]);
        return {};
    }

    Fault newton(double t, double h) {
        const double enough = std::fmax(1e-14 / rtol_, std::fmin(0.03, std::sqrt(rtol_)));
        double before = 0, rate = -1;
        for (corrections = 0; corrections < max_newton_iterations; ++corrections) {
            evaluate_displacements(h);
            for (int i = 0; i < stages; ++i)
                if (const Fault fault = residual(i, t, h); fault.status != done) return fault;
            const double size = correct(h);
            if (!std::isfinite(size)) return {no_convergence, -1};
            if (before > 0) {
                rate = size / before;
                const double left = max_newton_iterations - 1 - corrections;
                // The second correction also compensates the initial guess of lam: only later ones show the rate.
                if (corrections > 1 && (rate >= 1 || std::pow(rate, left) / (1 - rate) * size > enough))
                    return {no_convergence, -1};
            }
            if (size == 0 || (rate > 0 && rate < 1 && rate / (1 - rate) * size < enough) || size < 1e-3 * enough) {
                ++corrections;
                evaluate_displacements(h);
                return {};
            }
            before = size;
        }
        return {no_convergence, -1};
    }

    // One correction of all stages; returns its size in tolerances.
    double correct(double h) {
        using radau::inverse_T, radau::T;
        for (int k = 0; k < N_; ++k) {
            double sum[stages] = {};
            for (int i = 0; i < stages; ++i)
                for (int j = 0; j < stages; ++j) sum[i] -= inverse_T[i][j] * R_[j][k];
            right_[k] = sum[0], cright_[k] = {sum[1], sum[2]};
        }
        for (int e = 0; e < m_; ++e) {
            double sum[stages] = {};
            for (int i = 0; i < stages; ++i)
                for (int j = 0; j < stages; ++j) sum[i] -= inverse_T[i][j] * S_[j][e];
            gap_[e] = sum[0], cgap_[e] = {sum[1], sum[2]};
        }
        start_.solve(real_, radau::gamma / h, right_.data(), gap_.data(), room_.data(), x_.data(), mu_.data());
        start_.solve(complex_, Complex(radau::alpha / h, radau::beta / h), cright_.data(), cgap_.data(), croom_.data(),
                     cx_.data(), cmu_.data());
        double size = 0;
        for (int k = 0; k < N_; ++k)
            for (int i = 0; i < stages; ++i) {
                const double change = T[i][0] * x_[k] + T[i][1] * cx_[k].re + T[i][2] * cx_[k].im;
                Z_[i][k] += change;
                size += (change / scale_[k]) * (change / scale_[k]);
            }
        for (int e = 0; e < m_; ++e)
            for (int i = 0; i < stages; ++i)
                stage_lam_[i][e] += T[i][0] * mu_[e] + T[i][1] * cmu_[e].re + T[i][2] * cmu_[e].im;
        return std::sqrt(size / (stages * std::max(N_, 1)));
    }

    void move() {
        for (int b = 0; b < b_.free(); ++b)
            displace(b_.rows, q.data() + width * b, displacement_[stages - 1].data() + n * b,
                     next_q.data() + width * b);
        for (int k = 0; k < N_; ++k) next_v[k] = v[k] + Z_[stages - 1][k];
    }
};

}  // namespace mubo
