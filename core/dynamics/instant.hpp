// Everything that a state of bodies in absolute coordinates tells: accelerations, multipliers, gaps and their rates,
// energies, momenta, sizes of frictions by reactions.
#pragma once
#include "augmented.hpp"

namespace mubo {

constexpr int most_rubs = 300;             // repetitions of friction and reaction
constexpr double same_rub = 1e-14;         // of the largest: what rounding leaves
constexpr double nearly_same_rub = 1e-10;  // where it no longer gets closer, near a singular position

// The pivots of a factor, beside what bodies alone give the rows of a joint: which row is nearest to losing its hold.
template <class System>
class Pivots {
  public:
    double weakest = 1;
    int weakest_row = -1;

    Pivots(Bodies<System>& b, const AugmentedPlan<System>& plan)
        : b_(b), plan_(plan), size_(plan.pattern.size()), joint_(b.equations()) {}

    // Factors a real matrix; rows below `least` are left out from now on.
    bool factor(StaticLdl<double>& real, double least = 0) {
        weakest = 1, weakest_row = -1;
        std::fill(size_.begin(), size_.end(), 0.0);
        std::fill(joint_.begin(), joint_.end(), 0.0);
        return real.factor(
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

  private:
    Bodies<System>& b_;
    const AugmentedPlan<System>& plan_;
    std::vector<double> size_, joint_;
};

// f - M a at a = 0: loads, weights and what turning takes.
template <class System>
void resting_force(const Bodies<System>& b, const Moment<System>& at, const double* twist, double* out) {
    constexpr int n = System::freedoms;
    constexpr double still[n] = {};
    for (int k = 0; k < b.free(); ++k) {
        double need[n];
        takes(b.mass.data() + Bodies<System>::Mass::numbers * k, b.gravity, at.pose[k], twist + n * k, still, need);
        for (int c = 0; c < n; ++c) out[n * k + c] = at.force[n * k + c] - need[c];
    }
}

template <class System>
class Instant {
  public:
    using B = Bodies<System>;
    static constexpr int n = System::freedoms;
    Moment<System> moment;
    std::vector<double> lam;
    Pivots<System> pivots;

    Instant(B& b, const AugmentedPlan<System>& plan)
        : moment(b),
          lam(b.equations()),
          pivots(b, plan),
          b_(b),
          matrix_(b, plan),
          real_(plan.pattern),
          force_(b.freedoms()),
          momentum_(b.freedoms()),
          room_(plan.pattern.size()) {}

    size_t size() const { return b_.freedoms() + 3 * static_cast<size_t>(b_.equations()) + 10 + b_.rub.size(); }

    // [a, phi, rate, lam, energies and momenta, the weakest pivot, sizes of frictions] at (t, q, v).
    Fault at(double t, const double* q, const double* v, const double* near, double* out) {
        const int N = b_.freedoms(), m = b_.equations();
        moment.at(t, q);
        moment.gaps();
        moment.jacobian(v);
        matrix_.masses(moment);
        matrix_.assemble(real_, 1.0, 0.0, 0.0);
        if (!pivots.factor(real_)) return {zero_inertia, -1};
        const Fault fault = accelerate(v, near, out);
        if (fault.status != done) return fault;
        double *phi = out + N, *rate = phi + m, *multipliers = rate + m, *numbers = multipliers + m;
        std::copy(moment.phi.begin(), moment.phi.end(), phi);
        matrix_.rates(v, moment.nu, rate);
        std::copy(lam.begin(), lam.end(), multipliers);
        energies(v, numbers);
        numbers[9] = pivots.weakest;
        for (size_t k = 0; k < b_.rub.size(); ++k) numbers[10 + k] = moment.size_of(b_.rub[k]);
        return {};
    }

  private:
    B& b_;
    Augmented<System> matrix_;
    StaticLdl<double> real_;
    std::vector<double> force_, momentum_, room_;

    // Accelerations and lam; friction by reactions is repeated until it agrees with those that it makes.
    Fault accelerate(const double* v, const double* near, double* a) {
        std::fill(lam.begin(), lam.end(), 0.0);
        double before = HUGE_VAL;
        int worst = -1;
        for (int count = 0; count <= most_rubs; ++count) {
            const Fault fault = moment.load(v, near, lam.data());
            if (fault.status != done) return fault;
            resting_force(b_, moment, v, force_.data());
            matrix_.solve(real_, 1.0, force_.data(), moment.gamma.data(), room_.data(), a, lam.data());
            double change = 0, largest = 0;
            for (const RubOn& rub : b_.rub) {
                const double size = moment.carried(rub, lam.data());
                const double away = std::fabs(size - moment.size_of(rub));
                largest = std::fmax(largest, size);
                if (!(away <= change)) change = away, worst = rub.load;
            }
            const bool stays = change > 0.5 * before && change <= nearly_same_rub * largest;
            if (!(change > same_rub * largest) || stays) return {};
            before = change;
        }
        return {jammed, worst};
    }

    // Kinetic energy, potential of gravity, of loads; linear and angular momentum about the ground's origin.
    void energies(const double* v, double* out) {
        std::fill(out, out + 9, 0.0);
        matrix_.times_mass(v, momentum_.data());
        for (int b = 0; b < b_.free(); ++b) {
            const double* mass = b_.mass.data() + B::Mass::numbers * b;
            for (int c = 0; c < n; ++c) out[0] += 0.5 * v[n * b + c] * momentum_[n * b + c];
            add_momentum(b_.rows, moment.pose[b], mass, b_.gravity, momentum_.data() + n * b, out);
        }
        out[2] = moment.energy.potential;
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
