// Forward dynamics of a whole tree at (t, q, v): the three passes of aba.hpp with laws, loads and energies.
#pragma once
#include <algorithm>

#include "link_algebra.hpp"
#include "reaction_friction.hpp"

namespace mubo {

// Efforts of the drivers, S'(I^A d + p) minus the efforts of loads; they supply the power effort * v.
inline void evaluate_driver_efforts(const TreeSystem& s, const double* v, TreeWork& work, double* effort) {
    for (int i = 0; i < s.links(); ++i) {
        const Link& l = s.link[i];
        if (l.law < 0) continue;
        const LinkWork& k = work.of(i);
        const Wrench f{k.p.n + k.A * k.alpha + k.B * k.acc, k.p.f + transposed_times(k.B, k.alpha) + k.M * k.acc};
        double tau[3] = {};  // a driven link has one degree of freedom
        joint_effort(l, k, f, tau);
        tau[0] += l.armature * work.a[l.v] - work.tau[l.v];
        work.energy.supplied += tau[0] * v[l.v];
        if (effort) effort[l.v] = tau[0];
    }
}

// Calls f with the link algebra of the tree, planar or spatial.
template <class F>
auto with_link_algebra(const TreeSystem& s, F&& f) {
    return s.planar ? f(PlanarLinks{}) : f(SpatialLinks{});
}

// Pass 1: the motion with the accelerations of drivers alone, and its inertial forces.
inline void pass_outward(const TreeSystem& s, const double* q, const double* v, const Vector& ground, TreeWork& work) {
    begin(ground, work);
    with_link_algebra(s, [&](auto links) {
        for (int i = 0; i < s.links(); ++i) {
            const Link& l = s.link[i];
            LinkWork& k = work.of(i);
            links.move(l, q, v, work.a.data(), work.of(l.parent), k);
            links.evaluate_inertia(l, k);
            links.inertial_wrench(l, k);
        }
    });
}

// Passes 2 and 3, with the loop equations where there are loops.
inline Fault solve(const TreeSystem& s, double t, TreeWork& work, double* a) {
    if (s.loop_closure) return s.loop_closure->accelerate(s, t, work, a);
    return with_link_algebra(s, [&](auto links) -> Fault {
        for (int i = s.links() - 1; i >= 0; --i) {
            const Link& l = s.link[i];
            const Status status = links.articulate(l, work.of(i), work.tau.data(), work.of(l.parent));
            if (status != done) return {status, i};
        }
        work.entry[0].alpha = work.entry[0].acc = {0, 0, 0};
        for (int i = 0; i < s.links(); ++i) links.accelerate(s.link[i], work.of(s.link[i].parent), work.of(i), a);
        return {};
    });
}

// Accelerations a under the efforts tau (null: none) and all loads, with friction of the sizes in
// work.reaction_friction.
inline Fault accelerations(const TreeSystem& s, double t, const double* q, const double* v, const double* tau,
                           TreeWork& work, double* a, double* effort) {
    pass_outward(s, q, v, Gravity::ground_acceleration(s.gravity), work);
    if (tau)
        std::copy(tau, tau + s.velocities, work.tau.begin());
    else
        std::fill(work.tau.begin(), work.tau.end(), 0.0);
    Fault fault = apply_loads(s, t, q, v, work);
    if (fault.status == done) fault = solve(s, t, work, a);
    if (fault.status != done) return fault;
    if (effort) std::fill(effort, effort + s.velocities, 0.0);
    if (s.driven) {
        for (const Link& l : s.link)
            if (l.law >= 0) a[l.v] = work.a[l.v];
        evaluate_driver_efforts(s, v, work, effort);
    }
    return {};
}

// Accelerations with friction from joint reactions. q and v must contain the driven entries of their laws (see
// `drive`). `effort` (null: not requested) receives the efforts of drivers and zero elsewhere.
inline Fault forward_dynamics(const TreeSystem& s, double t, const double* q, const double* v, const double* tau,
                              TreeWork& work, double* a, double* effort) {
    const auto once = [&] { return accelerations(s, t, q, v, tau, work, a, effort); };
    return s.reaction_friction.empty() ? once() : accelerate_with_reaction_friction(s, v, work, once);
}

// dq/dt: the velocities themselves, and the rates of the quaternions.
inline void position_rates(const TreeSystem& s, const double* q, const double* v, double* rates) {
    for (const Link& l : s.link) {
        if (l.kind == ball) {
            const double* w = v + l.v;
            const Quaternion<double> r = rate(quaternion_at(q + l.q), Vector{w[0], w[1], w[2]});
            rates[l.q] = r.w, rates[l.q + 1] = r.x, rates[l.q + 2] = r.y, rates[l.q + 3] = r.z;
        } else {
            std::copy(v + l.v, v + l.v + kind_velocities[l.kind], rates + l.q);
        }
    }
}

// d/dt of the state (q, v, counted turns, energy dissipated, energy supplied). Driven entries of the state are not
// read.
inline Fault state_rates(const TreeSystem& s, double t, const double* y, TreeWork& work, double* rates) {
    const double *q = y, *v = y + s.positions;
    if (s.driven) {
        std::copy(y, y + s.positions, work.q.begin());
        std::copy(v, v + s.velocities, work.v.begin());
        drive(s, t, work, work.q.data(), work.v.data(), work.a.data());
        q = work.q.data(), v = work.v.data();
    }
    work.count(s, y);
    position_rates(s, q, v, rates);
    const Fault fault = forward_dynamics(s, t, q, v, nullptr, work, rates + s.positions, nullptr);
    winding_rates(s, t, q, v, work, rates + s.positions + s.velocities);
    rates[s.states() - 2] = work.energy.dissipated;
    rates[s.states() - 1] = work.energy.supplied;
    return fault;
}

}  // namespace mubo
