// The impulse that a jump of prescribed rates exerts on the undriven bodies: M dv + J'L = 0 with dv known at the
// drivers.
//
// It has the form of the accelerations at rest without gravity and loads, with the jumps in place of the accelerations
// of the drivers, so that the same recursion solves it. Finite forces have no impulse; the drivers supply the change of
// kinetic energy.
#pragma once
#include <cmath>

#include "dynamics.hpp"
#include "energy.hpp"

namespace mubo {

constexpr double least_jump = 1e-9;  // relative to the rates: a smaller jump is rounding of a law's pieces

// Rates of all laws at t, as the limit from inside the span in `work`.
inline void law_rates(const TreeSystem& s, double t, const TreeWork& work, double* out) {
    for (size_t k = 0; k < s.law.size(); ++k) out[k] = s.law[k].at(t, work.inside_span(t), 1);
}

// Replaces `after` by the jumps of the rates of laws, rounding set to zero; returns whether there is any.
inline bool find_jumps(const TreeSystem& s, const std::vector<double>& before, std::vector<double>& after) {
    bool any = false;
    for (size_t k = 0; k < s.law.size(); ++k) {
        const double size = std::fmax(std::fabs(before[k]), std::fabs(after[k])), jump = after[k] - before[k];
        after[k] = std::fabs(jump) > least_jump * size ? jump : 0;
        any = any || after[k] != 0;
    }
    return any;
}

inline double kinetic(const TreeSystem& s, double t, const double* q, const double* v, TreeWork& work) {
    TreeEnergy e;
    energy(s, t, q, v, work, e);
    return e.kinetic;
}

// Changes v by the impulse of work.jump, driven entries included; `gained` is the kinetic energy that the drivers
// supply.
inline Fault apply_impulse(const TreeSystem& s, double t, const double* q, double* v, TreeWork& work, double* gained) {
    const std::vector<double> jump = work.jump, at_rest(s.velocities, 0.0);
    work.jump.clear();
    *gained = -kinetic(s, t, q, v, work);
    work.jump = jump;
    std::fill(work.a.begin(), work.a.end(), 0.0);
    for (const Link& l : s.link)
        if (l.law >= 0) work.a[l.v] = jump[l.law];
    pass_outward(s, q, at_rest.data(), {0, 0, 0}, work);
    std::fill(work.tau.begin(), work.tau.end(), 0.0);
    std::vector<double> change(s.velocities, 0.0);
    const Fault fault = solve(s, t, work, change.data());
    work.jump.clear();
    if (fault.status != done) return fault;
    for (const Link& l : s.link)
        for (int c = 0; c < kind_velocities[l.kind]; ++c) v[l.v + c] += l.law >= 0 ? jump[l.law] : change[l.v + c];
    *gained += kinetic(s, t, q, v, work);
    return {};
}

}  // namespace mubo
