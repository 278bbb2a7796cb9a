// One step of Radau IIA (three stages, order 5) in absolute coordinates, with the velocity rows at the stages (index 2)
// and a projection of position and velocity at the end of the step.
//
//   M_i sum_j W_ij Z_j / h - f(q_i, v_i) + J_i' lam_i = 0,  J_i v_i = nu_i,  v_i = v_n + Z_i,
//   q_i = q_n moved by w_i,  w_i = h sum_j A_ij N(w_j) v_j
//
// Simplified Newton: one real and one complex matrix [(w/h) M + C + (h/w) K, J'; J, 0] a step (augmented.hpp). Hairer,
// Lubich and Roche 1989; Hairer and Wanner 1996, IV.8 and VII.4.
#pragma once
#include <cmath>

#include "augmented.hpp"
#include "gaps.hpp"
#include "radau_table.hpp"

namespace mubo {

constexpr int most_newton = 10;

template <class System>
class Radau {
  public:
    using B = Bodies<System>;
    static constexpr int n = System::freedoms, width = System::width, stages = radau::stages;

    std::vector<double> q, v;            // at the start of the step
    std::vector<double> next_q, next_v;  // at its end
    double exchanged[2] = {0, 0}, next_exchanged[2] = {0, 0};
    double error = 0, taken = 0;
    int corrections = 0;  // of Newton's method in the last step
    long evaluations = 0, factors = 0;
    double weakest = 1;
    int weakest_row = -1;

    Radau(B& b, double rtol, double atol, bool energies_steer)
        : q(static_cast<size_t>(width) * b.free()),
          v(b.freedoms()),
          next_q(q.size()),
          next_v(v.size()),
          b_(b),
          N_(b.freedoms()),
          m_(b.equations()),
          energies_steer_(energies_steer),
          rtol_(0.1 * std::pow(rtol, 2.0 / 3)),
          atol_(rtol_ * atol / rtol),
          plan_(b),
          start_(b, plan_),
          end_(b, plan_),
          stage_(b),
          moment_(b),
          real_(plan_.pattern),
          complex_(plan_.pattern),
          size_(plan_.pattern.size()) {
        make_room();
    }

    void span(double from, double to) {
        for (auto* at : {&stage_, &moment_}) at->from = from, at->to = to;
    }
    // Angles that loads in space act along, at the start.
    void begin_angles(const double* near) { std::copy(near, near + near_.size(), near_.begin()); }

    // Leaves out the rows that depend on others at q, which must be closed.
    Fault choose(double t) {
        moment_.at(t, q.data());
        moment_.jacobian(nullptr);
        start_.masses(moment_);
        start_.assemble(real_, 1.0, 0.0, 0.0);
        return weigh(redundant_row) ? Fault{} : Fault{zero_inertia, -1};
    }

    // Everything at the start of a step that stays while its length is sought.
    Fault prepare(double t) {
        moment_.at(t, q.data());
        moment_.jacobian(nullptr);
        Fault fault = moment_.load(v.data(), near_.data());
        if (fault.status != done) return fault;
        start_.masses(moment_);
        start_.slopes(moment_, near_.data());
        moment_.angles(v.data(), near_.data(), near_.data(), near_rate_.data());
        resting_force(moment_, v.data(), force_.data());
        powers(moment_, lam_.data(), power_);
        return {};
    }

    // From (q, v) at t towards (next_q, next_v) at t + h; `error` <= 1 means good enough. A fault of status
    // no_convergence asks for a shorter step.
    Fault attempt(double t, double h, bool filter) {
        if (!factor(real_, radau::gamma / h, h / radau::gamma) ||
            !factor(complex_, Complex(radau::alpha / h, radau::beta / h),
                    Complex(h) / Complex(radau::alpha, radau::beta)))
            return {singular, -1};
        guess(h);
        Fault fault = newton(t, h);
        if (fault.status != done) return fault;
        move(h);
        measure(t, h, filter);
        if (!std::isfinite(error)) return {not_finite, -1};
        for (int k = 0; k < 2; ++k) {
            next_exchanged[k] = exchanged[k];
            for (int j = 0; j < stages; ++j) next_exchanged[k] += h * radau::A[stages - 1][j] * stage_power_[j][k];
        }
        return {};
    }

    // Moves the end of the step onto position and velocity rows, least in the metric of the step's own matrix, which
    // spares stiff springs.
    Fault settle(double t, double h) {
        const double m = radau::gamma / h;
        std::copy(near_.begin(), near_.end(), next_near_.begin());
        for (size_t k = 0; k < near_.size(); ++k) next_near_[k] += h * near_rate_[k];
        moment_.at(t, next_q.data());
        moment_.jacobian(nullptr);
        Fault fault = moment_.load(next_v.data(), next_near_.data());
        if (fault.status != done) return fault;
        end_.masses(moment_);
        end_.slopes(moment_, next_near_.data());
        end_.assemble(real_, m, 1.0, h / radau::gamma);
        if (!weigh()) return {singular, -1};
        fault = settle_positions(t, m);
        if (fault.status != done) return fault;
        moment_.jacobian(nullptr);
        end_.masses(moment_);
        settle_velocities(m);
        fault = moment_.load(next_v.data(), next_near_.data());
        if (fault.status != done) return fault;
        moment_.angles(next_v.data(), next_near_.data(), next_near_.data(), next_near_rate_.data());
        return {};
    }

    // The step that was settled last is taken.
    void accept(double h) {
        std::swap(q, next_q);
        std::swap(v, next_v);
        std::swap(near_, next_near_);
        std::swap(near_rate_, next_near_rate_);
        start_.swap(end_);
        for (int k = 0; k < 2; ++k) exchanged[k] = next_exchanged[k];
        taken += step_taken_;
        resting_force(moment_, v.data(), force_.data());
        std::copy(stage_lam_[stages - 1].begin(), stage_lam_[stages - 1].end(), lam_.begin());
        powers(moment_, lam_.data(), power_);
        for (int i = 0; i < stages; ++i) last_Z_[i] = Z_[i], last_lam_[i] = stage_lam_[i];
        last_h_ = h;
    }
    // What was known of the steps before is worth nothing beyond a corner.
    void forget() { last_h_ = 0; }

    // Accelerations, multipliers, gaps and their rates, and energies at (q, v): [a, phi, rate, lam], see `row_size`.
    Fault row(double t, double* out) {
        moment_.at(t, q.data());
        moment_.gaps();
        moment_.jacobian(v.data());
        Fault fault = moment_.load(v.data(), near_.data());
        if (fault.status != done) return fault;
        resting_force(moment_, v.data(), force_.data());
        end_.masses(moment_);
        end_.assemble(real_, 1.0, 0.0, 0.0);
        if (!weigh()) return {zero_inertia, -1};
        end_.solve(real_, 1.0, force_.data(), moment_.gamma.data(), room_.data(), out, lam_.data());
        double *phi = out + N_, *rate = phi + m_, *lam = rate + m_, *numbers = lam + m_;
        std::copy(moment_.phi.begin(), moment_.phi.end(), phi);
        end_.rates(v.data(), moment_.nu, rate);
        std::copy(lam_.begin(), lam_.end(), lam);
        energies(numbers);
        powers(moment_, lam_.data(), power_);
        return {};
    }
    size_t row_size() const { return N_ + 3 * m_ + 9; }

    // The way and twists at the part x of the step just tried, for events.
    void between(double x, double* q_at, double* v_at) const {
        double weight[stages];
        for (int i = 0; i < stages; ++i) weight[i] = lagrange(i, x);
        for (int b = 0; b < b_.free(); ++b) {
            double way[n];
            for (int c = 0; c < n; ++c) {
                const int k = n * b + c;
                way[c] = 0;
                v_at[k] = v[k];
                for (int i = 0; i < stages; ++i) way[c] += weight[i] * way_[i][k], v_at[k] += weight[i] * Z_[i][k];
            }
            moved(b_.rows, q.data() + width * b, way, q_at + width * b);
        }
    }
    const std::vector<double>& near() const { return near_; }

  private:
    B& b_;
    const int N_, m_;
    const bool energies_steer_;
    const double rtol_, atol_;
    const AugmentedPlan<System> plan_;
    Augmented<System> start_, end_;
    Moment<System> stage_, moment_;
    StaticLdl<double> real_;
    StaticLdl<Complex> complex_;
    std::vector<double> size_, joint_, scale_, force_, lam_, room_, x_, mu_, right_, gap_;
    std::vector<Complex> croom_, cx_, cmu_, cright_, cgap_;
    std::vector<double> Z_[stages], way_[stages], R_[stages], S_[stages], stage_lam_[stages], last_Z_[stages],
        last_lam_[stages], turn_[stages];
    std::vector<double> stage_q_, stage_v_, near_, near_rate_, next_near_, next_near_rate_, stage_near_;
    double power_[2] = {}, stage_power_[stages][2] = {};
    double last_h_ = 0, step_taken_ = 0;

    void make_room() {
        for (int i = 0; i < stages; ++i) {
            for (auto* of : {&Z_[i], &way_[i], &R_[i], &last_Z_[i], &turn_[i]}) of->assign(N_, 0.0);
            for (auto* of : {&S_[i], &stage_lam_[i], &last_lam_[i]}) of->assign(m_, 0.0);
        }
        for (auto* of : {&scale_, &force_, &x_, &right_, &stage_v_}) of->assign(N_, 0.0);
        for (auto* of : {&lam_, &mu_, &gap_, &joint_}) of->assign(m_, 0.0);
        room_.assign(plan_.pattern.size(), 0.0);
        croom_.assign(plan_.pattern.size(), Complex());
        cx_.assign(N_, Complex()), cright_.assign(N_, Complex());
        cmu_.assign(m_, Complex()), cgap_.assign(m_, Complex());
        stage_q_.assign(q.size(), 0.0);
        for (auto* of : {&near_, &near_rate_, &next_near_, &next_near_rate_, &stage_near_})
            of->assign(b_.loads.load.size(), 0.0);
    }

    template <class T>
    bool factor(StaticLdl<T>& to, T m, T k) {
        ++factors;
        start_.assemble(to, m, 1.0, k);
        return to.factor([&](int u, const T&) { return left_out(u); }, [](int, int, const T&) {});
    }
    bool left_out(int u) const { return plan_.equation[u] >= 0 && !b_.active[plan_.equation[u]]; }

    // Factors the real matrix and finds the row that is nearest to losing its hold: its pivot as a part of what bodies
    // alone give the rows of its joint. Rows below `least` are left out from now on.
    bool weigh(double least = 0) {
        ++factors;
        weakest = 1, weakest_row = -1;
        std::fill(size_.begin(), size_.end(), 0.0);
        std::fill(joint_.begin(), joint_.end(), 0.0);
        return real_.factor(
            [&](int u, double pivot) {
                const int e = plan_.equation[u];
                if (e < 0 || !b_.active[e]) return e >= 0;
                const double whole = joint_[b_.group[e]], part = whole > 0 ? -pivot / whole : 0;
                if (part <= least && least > 0) b_.active[e] = 0;
                if (b_.active[e] && part < weakest) weakest = part, weakest_row = e;
                return !b_.active[e];
            },
            [&](int u, int row, double part) {
                if (plan_.equation[u] >= 0 || plan_.equation[row] < 0) return;
                double& whole = joint_[b_.group[plan_.equation[row]]];
                whole = std::fmax(whole, size_[row] += part);
            });
    }

    // f - M a at a = 0: loads, weights and what turning takes.
    void resting_force(const Moment<System>& at, const double* twist, double* out) const {
        constexpr double still[n] = {};
        for (int b = 0; b < b_.free(); ++b) {
            double need[n];
            takes(b_.mass.data() + B::Mass::numbers * b, b_.gravity, at.pose[b], twist + n * b, still, need);
            for (int c = 0; c < n; ++c) out[n * b + c] = at.force[n * b + c] - need[c];
        }
    }
    static void powers(const Moment<System>& at, const double* lam, double* out) {
        out[0] = at.energy.dissipated, out[1] = at.energy.supplied + at.brought(lam);
    }

    // The cubic through 0 at 0 and the stages' values: the part of stage i at x.
    static double lagrange(int i, double x) {
        double value = x / radau::C[i];
        for (int j = 0; j < stages; ++j)
            if (j != i) value *= (x - radau::C[j]) / (radau::C[i] - radau::C[j]);
        return value;
    }

    // Stages continue the polynomial of the step before.
    void guess(double h) {
        for (int i = 0; i < stages; ++i) {
            std::copy(lam_.begin(), lam_.end(), stage_lam_[i].begin());
            std::fill(way_[i].begin(), way_[i].end(), 0.0);
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

    // Ways of the stages from their twists; turns in space need a few passes.
    void ways(double h) {
        for (int pass = 0; pass < (n == 6 ? 3 : 1); ++pass) {
            for (int i = 0; i < stages; ++i)
                for (int b = 0; b < b_.free(); ++b) {
                    double twist[n];
                    for (int c = 0; c < n; ++c) twist[c] = v[n * b + c] + Z_[i][n * b + c];
                    way_rate(b_.rows, way_[i].data() + n * b, twist, turn_[i].data() + n * b);
                }
            for (int i = 0; i < stages; ++i)
                for (int k = 0; k < N_; ++k) {
                    double sum = 0;
                    for (int j = 0; j < stages; ++j) sum += radau::A[i][j] * turn_[j][k];
                    way_[i][k] = h * sum;
                }
        }
    }

    // R_i and S_i of one stage.
    Fault residual(int i, double t, double h) {
        for (int b = 0; b < b_.free(); ++b)
            moved(b_.rows, q.data() + width * b, way_[i].data() + n * b, stage_q_.data() + width * b);
        for (int k = 0; k < N_; ++k) stage_v_[k] = v[k] + Z_[i][k];
        for (size_t k = 0; k < near_.size(); ++k) stage_near_[k] = near_[k] + radau::C[i] * h * near_rate_[k];
        stage_.at(t + radau::C[i] * h, stage_q_.data());
        stage_.jacobian(nullptr);
        ++evaluations;
        const Fault fault = stage_.load(stage_v_.data(), stage_near_.data());
        if (fault.status != done) return fault;
        for (int b = 0; b < b_.free(); ++b) {
            double a[n], need[n];
            for (int c = 0; c < n; ++c) {
                a[c] = 0;
                for (int j = 0; j < stages; ++j) a[c] += radau::W[i][j] * Z_[j][n * b + c] / h;
            }
            takes(b_.mass.data() + B::Mass::numbers * b, b_.gravity, stage_.pose[b], stage_v_.data() + n * b, a, need);
            for (int c = 0; c < n; ++c) R_[i][n * b + c] = need[c] - stage_.force[n * b + c];
        }
        for (int e = 0; e < m_; ++e) {
            double sum = -stage_.nu[e];
            for (int s = 0; s < most_bodies; ++s) {
                const int body = plan_.end[most_bodies * e + s];
                if (body < 0) continue;
                const double* own = stage_.J.data() + (static_cast<size_t>(most_bodies) * e + s) * n;
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
        for (corrections = 0; corrections < most_newton; ++corrections) {
            ways(h);
            for (int i = 0; i < stages; ++i)
                if (const Fault fault = residual(i, t, h); fault.status != done) return fault;
            const double size = correct(h);
            if (!std::isfinite(size)) return {no_convergence, -1};
            if (before > 0) {
                rate = size / before;
                const double left = most_newton - 1 - corrections;
                // The second correction also mends what the first guess of lam did: only later ones tell.
                if (corrections > 1 && (rate >= 1 || std::pow(rate, left) / (1 - rate) * size > enough))
                    return {no_convergence, -1};
            }
            if (size == 0 || (rate > 0 && rate < 1 && rate / (1 - rate) * size < enough) || size < 1e-3 * enough) {
                ++corrections;
                ways(h);
                return {};
            }
            before = size;
        }
        return {no_convergence, -1};
    }

    // One correction of all stages; answers its size in tolerances.
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

    void move(double) {
        for (int b = 0; b < b_.free(); ++b)
            moved(b_.rows, q.data() + width * b, way_[stages - 1].data() + n * b, next_q.data() + width * b);
        for (int k = 0; k < N_; ++k) next_v[k] = v[k] + Z_[stages - 1][k];
    }

    // (gamma/h M + C + h/gamma K) e_v + J'mu = f + M sum d_i Z_i / h - (h/gamma) K r,  J e_v = 0,
    // e_q = (h/gamma) (e_v + r),  r = v_n + sum d_i w_i / h.
    void measure(double t, double h, bool filter) {
        estimate(h, force_.data(), v.data());
        error = norm(h);
        if (!filter || error < 1) return;
        // Once more from where the error leads: it filters what stiff parts pretend (Hairer and Wanner 1996, IV.8.20).
        for (int b = 0; b < b_.free(); ++b)
            moved(b_.rows, q.data() + width * b, turn_[0].data() + n * b, stage_q_.data() + width * b);
        for (int k = 0; k < N_; ++k) stage_v_[k] = v[k] + x_[k];
        stage_.at(t, stage_q_.data());
        ++evaluations;
        if (stage_.load(stage_v_.data(), near_.data()).status != done) return;
        resting_force(stage_, stage_v_.data(), stage_force());
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
            for (int i = 0; i < stages; ++i) sum[k] += D[i] * Z_[i][k] / h, r += D[i] * way_[i][k] / h;
            S_way()[k] = r;
        }
        start_.times_mass(sum, right_.data());
        for (int k = 0; k < N_; ++k) right_[k] += f[k];
        start_.less_stiffness(h / gamma, S_way(), right_.data());
        std::fill(gap_.begin(), gap_.end(), 0.0);
        start_.solve(real_, gamma / h, right_.data(), gap_.data(), room_.data(), x_.data(), mu_.data());
        for (int k = 0; k < N_; ++k) turn_[0][k] = h / gamma * (x_[k] + S_way()[k]);
    }
    double* S_way() { return R_[2].data(); }

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
        for (int e = 0; e < 2 && energies_steer_; ++e, ++count) {
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

    Fault settle_positions(double t, double m) {
        double before = HUGE_VAL;
        std::fill(right_.begin(), right_.end(), 0.0);
        for (int count = 0;; ++count) {
            moment_.at(t, next_q.data());
            moment_.gaps();
            const auto [open, row] = gap(true);
            if (!std::isfinite(open) || (open > open_gap && (count == most_corrections || open > 10 * before)))
                return {open_loop, row};
            if (open <= closed_gap || (open <= stalled_gap && open > 0.5 * before) || count == most_corrections) break;
            before = open;
            for (int e = 0; e < m_; ++e) gap_[e] = -moment_.phi[e];
            end_.solve(real_, m, right_.data(), gap_.data(), room_.data(), x_.data(), mu_.data());
            for (int b = 0; b < b_.free(); ++b) {
                double to[width];
                moved(b_.rows, next_q.data() + width * b, x_.data() + n * b, to);
                std::copy(to, to + width, next_q.data() + width * b);
            }
        }
        const auto [open, row] = gap(false);
        return open > redundant_gap ? Fault{open_loop, row} : Fault{};
    }
    std::pair<double, int> gap(bool independent) const {
        std::pair<double, int> worst{0, -1};
        for (int e = 0; e < m_; ++e) {
            const double size = std::fabs(moment_.phi[e]) * b_.weight[e];
            if (static_cast<bool>(b_.active[e]) == independent && !(size <= worst.first)) worst = {size, e};
        }
        return worst;
    }

    // Two corrections bring the rates of the gaps down to rounding; `step_taken_` is the kinetic energy they take.
    void settle_velocities(double m) {
        step_taken_ = 0;
        std::fill(right_.begin(), right_.end(), 0.0);
        for (int count = 0; count < 2; ++count) {
            end_.rates(next_v.data(), moment_.nu, gap_.data());
            for (int e = 0; e < m_; ++e) gap_[e] = -gap_[e];
            end_.solve(real_, m, right_.data(), gap_.data(), room_.data(), x_.data(), mu_.data());
            end_.times_mass(x_.data(), R_[0].data());
            for (int k = 0; k < N_; ++k) {
                step_taken_ -= R_[0][k] * (next_v[k] + 0.5 * x_[k]);
                next_v[k] += x_[k];
            }
        }
    }

    // Kinetic energy, potential of gravity, of loads; linear and angular momentum about the ground's origin.
    void energies(double* out) {
        std::fill(out, out + 9, 0.0);
        std::vector<double>& momentum = R_[0];
        end_.times_mass(v.data(), momentum.data());
        for (int b = 0; b < b_.free(); ++b) {
            const double* mass = b_.mass.data() + B::Mass::numbers * b;
            for (int c = 0; c < n; ++c) out[0] += 0.5 * v[n * b + c] * momentum[n * b + c];
            add_momentum(b_.rows, moment_.pose[b], mass, b_.gravity, momentum.data() + n * b, out);
        }
        out[2] = moment_.energy.potential;
    }
    static void add_momentum(const PlaneSystem&, const Pose<double>& at, const double* mass, const double* g,
                             const double* p, double* out) {
        const auto c = at.place(mass[1], mass[2]);
        out[1] -= mass[0] * (c.x * g[0] + c.y * g[1]);
        out[3] += p[0], out[4] += p[1];
        out[8] += p[2] + at.x * p[1] - at.y * p[0];
    }
    static void add_momentum(const SpaceSystem&, const Pose3<double>& at, const double* mass, const double* g,
                             const double* p, double* out) {
        const Vector c = at.place(mass + 1), f{p[0], p[1], p[2]}, n = Vector{p[3], p[4], p[5]} + cross(at.r, f);
        out[1] -= mass[0] * (c.x * g[0] + c.y * g[1] + c.z * g[2]);
        out[3] += f.x, out[4] += f.y, out[5] += f.z, out[6] += n.x, out[7] += n.y, out[8] += n.z;
    }
};

}  // namespace mubo
