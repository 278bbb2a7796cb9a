// Forward dynamics of bodies in absolute coordinates at a state: accelerations, multipliers, gaps and their rates,
// energies, momenta, sizes of frictions from joint reactions.
#pragma once
#include "augmented.hpp"

namespace mubo {

constexpr int max_friction_solves = 300;              // iterations of friction and reaction
constexpr double friction_tolerance = 1e-14;          // relative to the largest: the rounding error
constexpr double stalled_friction_tolerance = 1e-10;  // accepted where the iteration stalls, near a singular position

// The pivots of a factorisation relative to those of the free bodies: they show which row is closest to losing its
// rank.
template <class System>
class Pivots {
  public:
    double weakest = 1;
    int weakest_row = -1;

    Pivots(Bodies<System>& b, const AugmentedPlan<System>& plan)
        : b_(b), plan_(plan), size_(plan.pattern.size()), joint_(b.equations()) {}

    // Factorises a real matrix; rows below `least` are left out from now on.
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

// f - M a at a = 0: loads, weights and gyroscopic terms.
template <class System>
void force_at_zero_acceleration(const Bodies<System>& b, const StateEvaluation<System>& at, const double* twist,
                                double* out) {
    constexpr int n = System::dofs;
    constexpr double still[n] = {};
    for (int k = 0; k < b.free(); ++k) {
        double wrench[n];
        inertial_wrench(b.mass.data() + Bodies<System>::Mass::numbers * k, b.gravity, at.pose[k], twist + n * k, still,
                        wrench);
        for (int c = 0; c < n; ++c) out[n * k + c] = at.force[n * k + c] - wrench[c];
    }
}

template <class System>
class AbsoluteForwardDynamics {
  public:
    using B = Bodies<System>;
    static constexpr int n = System::dofs;
    StateEvaluation<System> evaluation;
    std::vector<double> lam;
    Pivots<System> pivots;

    AbsoluteForwardDynamics(B& b, const AugmentedPlan<System>& plan)
        : evaluation(b),
          lam(b.equations()),
          pivots(b, plan),
          b_(b),
          matrix_(b, plan),
          real_(plan.pattern),
          force_(b.dofs()),
          momentum_(b.dofs()),
          room_(plan.pattern.size()) {}

    size_t size() const {
        return b_.dofs() + 3 * static_cast<size_t>(b_.equations()) + 10 + b_.reaction_friction.size();
    }

    // [a, phi, rate, lam, energies and momenta, the weakest pivot, sizes of frictions] at (t, q, v).
    Fault at(double t, const double* q, const double* v, const double* near, double* out) {
        const int N = b_.dofs(), m = b_.equations();
        evaluation.at(t, q);
        evaluation.gaps();
        evaluation.jacobian(v);
        matrix_.set_masses(evaluation);
        matrix_.assemble(real_, 1.0, 0.0, 0.0);
        if (!pivots.factor(real_)) return {zero_inertia, -1};
        const Fault fault = accelerate(v, near, out);
        if (fault.status != done) return fault;
        double *phi = out + N, *rate = phi + m, *multipliers = rate + m, *numbers = multipliers + m;
        std::copy(evaluation.phi.begin(), evaluation.phi.end(), phi);
        matrix_.rates(v, evaluation.nu, rate);
        std::copy(lam.begin(), lam.end(), multipliers);
        energies(v, numbers);
        numbers[9] = pivots.weakest;
        for (size_t k = 0; k < b_.reaction_friction.size(); ++k)
            numbers[10 + k] = evaluation.size_of(b_.reaction_friction[k]);
        return {};
    }

  private:
    B& b_;
    Augmented<System> matrix_;
    StaticLdl<double> real_;
    std::vector<double> force_, momentum_, room_;

    // Accelerations and lam; friction is iterated until it agrees with the joint reactions.
    Fault accelerate(const double* v, const double* near, double* a) {
        std::fill(lam.begin(), lam.end(), 0.0);
        double before = HUGE_VAL;
        int worst = -1;
        for (int count = 0; count <= max_friction_solves; ++count) {
            const Fault fault = evaluation.load(v, near, lam.data());
            if (fault.status != done) return fault;
            force_at_zero_acceleration(b_, evaluation, v, force_.data());
            matrix_.solve(real_, 1.0, force_.data(), evaluation.gamma.data(), room_.data(), a, lam.data());
            double change = 0, largest = 0;
            for (const JointFriction& reaction_friction : b_.reaction_friction) {
                const double size = evaluation.friction_size(reaction_friction, lam.data());
                const double away = std::fabs(size - evaluation.size_of(reaction_friction));
                largest = std::fmax(largest, size);
                if (!(away <= change)) change = away, worst = reaction_friction.load;
            }
            const bool stays = change > 0.5 * before && change <= stalled_friction_tolerance * largest;
            if (!(change > friction_tolerance * largest) || stays) return {};
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
            add_momentum(b_.rows, evaluation.pose[b], mass, b_.gravity, momentum_.data() + n * b, out);
        }
        out[2] = evaluation.energy.potential;
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
