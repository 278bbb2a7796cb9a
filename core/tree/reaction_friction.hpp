// Friction proportional to the reaction of its own joint: size f = mu |R| with R the joint force, friction included.
//
// Accelerations, and with them reactions, are affine in the sizes of all frictions: R_k = R0_k + sum G_kj f_j. One
// solution without friction and one more for each of them give R0 and G; f_k = c_k |R_k(f)| is then solved by
// fixed-point iteration without further dynamics, as in inverse dynamics (solvers/forces/reaction_friction.py).
#pragma once
#include <cmath>

#include "work.hpp"

namespace mubo {

constexpr int max_friction_iterations = 300;
constexpr double friction_tolerance = 1e-14;  // relative to the largest: the rounding error

// Stores the forces of the joints with friction in work.reaction_friction.R, after the accelerations are known.
inline void evaluate_joint_forces(const TreeSystem& s, TreeWork& work) {
    for (size_t n = 0; n < s.reaction_friction.size(); ++n) {
        const ReactionFriction& reaction_friction = s.reaction_friction[n];
        Vector f{0, 0, 0};
        if (reaction_friction.gain != 0 && reaction_friction.link < 0) {
            work.reaction_friction.R[n] = {reaction_friction.gain * work.loops.lam[reaction_friction.row[0]], 0, 0};
            continue;
        }
        for (size_t k = 0; k < reaction_friction.row.size(); ++k)
            f += work.loops.lam[reaction_friction.row[k]] * work.loops.end[reaction_friction.end[k]].f;
        if (reaction_friction.link >= 0) {
            const LinkWork& k = work.of(reaction_friction.link);
            f = k.p.f + transposed_times(k.B, k.alpha) + k.M * k.acc;
            // The force of its driver has been added to p already.
            if (s.loop_closure && s.link[reaction_friction.link].law < 0)
                f += s.loop_closure->joint_force(reaction_friction.link, work);
        }
        for (int link : reaction_friction.slides) f -= dot(work.of(link).a, f) * work.of(link).a;
        if (reaction_friction.gain != 0) f = {reaction_friction.gain * dot(work.of(reaction_friction.link).a, f), 0, 0};
        work.reaction_friction.R[n] = f;
    }
}

// The senses of motion of transmissions: of their rates, or as a run with located stick and slip states them.
inline void read_senses(const TreeSystem& s, const double* v, ReactionFrictionWork& w) {
    for (const TreeLoad& at : s.on_dof) {
        if (at.reaction_friction < 0) continue;
        const double stated = s.parameter[at.parameter + 3], rate = v[at.first];
        w.sense[at.reaction_friction] = stated < 0 ? (stated == -2) - (stated == -3) : (rate > 0) - (rate < 0);
    }
}

// Iterates the sizes until they agree with the reactions that they cause; false where the iteration does not converge.
// The load of a transmission may change by more than the size itself: its step is that of Newton, df = (c |L| - f) /
// (1 - c sign(L) G). Where c sign(L) G is above 1 there is no equilibrium: it jams.
inline bool iterate_friction_sizes(const TreeSystem& s, ReactionFrictionWork& w, size_t* worst) {
    const size_t m = s.reaction_friction.size();
    std::fill(w.size.begin(), w.size.end(), 0.0);
    for (int count = 0; count < max_friction_iterations; ++count) {
        double largest = 0, change = 0;
        w.last = w.size;
        for (size_t k = 0; k < m; ++k) {
            Vector R = w.R0[k];
            for (size_t j = 0; j < m; ++j) R += w.last[j] * w.G[k * m + j];
            w.R[k] = R;
            const double factor = s.reaction_friction[k].factor(R.x, w.sense[k]);
            w.size[k] = factor * std::sqrt(dot(R, R));
            const double slope = factor * (R.x < 0 ? -1 : 1) * w.G[k * m + k].x;
            if (s.reaction_friction[k].gain != 0 && slope < 1)
                w.size[k] = w.last[k] + (w.size[k] - w.last[k]) / (1 - slope);
            largest = std::fmax(largest, w.size[k]);
            const double away = std::fabs(w.size[k] - w.last[k]);
            if (!(away <= change)) change = away, *worst = k;
        }
        if (change <= friction_tolerance * largest) return true;
        if (!std::isfinite(largest)) return false;
    }
    return false;
}

// accelerate() computes accelerations for the sizes in work.reaction_friction.size; at the end these are the converged
// ones.
template <class Accelerate>
Fault accelerate_with_reaction_friction(const TreeSystem& s, const double* v, TreeWork& work, Accelerate&& accelerate) {
    ReactionFrictionWork& w = work.reaction_friction;
    read_senses(s, v, w);
    const size_t m = s.reaction_friction.size();
    std::fill(w.size.begin(), w.size.end(), 0.0);
    Fault fault = accelerate();
    if (fault.status != done) return fault;
    evaluate_joint_forces(s, work);
    w.R0 = w.R;
    for (size_t j = 0; j < m; ++j) {
        const double size = s.reaction_friction[j].coefficient * std::sqrt(dot(w.R0[j], w.R0[j])),
                     probe = size > 0 ? size : 1;
        w.size[j] = probe;
        fault = accelerate();
        if (fault.status != done) return fault;
        evaluate_joint_forces(s, work);
        for (size_t k = 0; k < m; ++k) w.G[k * m + j] = (1 / probe) * (w.R[k] - w.R0[k]);
        w.size[j] = 0;
    }
    size_t worst = 0;
    if (!iterate_friction_sizes(s, w, &worst)) return {jammed, s.reaction_friction[worst].number};
    return accelerate();
}

}  // namespace mubo
