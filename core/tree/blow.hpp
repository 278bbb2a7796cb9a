// The blow that a jump of prescribed rates gives to the free bodies: M dv + J'L = 0 with dv known at the drivers.
//
// It is the problem of accelerations at rest without gravity and loads, accelerations of drivers being their jumps: the
// same recursion solves it. Forces stay finite, so they do nothing in no time; what drivers bring in is the change of
// kinetic energy.
#pragma once
#include <cmath>

#include "dynamics.hpp"
#include "energy.hpp"

namespace mubo {

constexpr double felt_jump = 1e-9;  // of the rates: a smaller jump is rounding of a law's pieces

// Rates of all laws just beside t, as seen from inside the span in `work`.
inline void law_rates(const TreeSystem& s, double t, const TreeWork& work, double* out) {
    for (size_t k = 0; k < s.law.size(); ++k) out[k] = s.law[k].at(t, work.seen(t), 1);
}

// Whether some law that drives jumps from the rates `before` to `after`; what of them is rounding is put to zero.
inline bool jumps(const TreeSystem& s, const std::vector<double>& before, std::vector<double>& after) {
    bool any = false;
    for (size_t k = 0; k < s.law.size(); ++k) {
        const double size = std::fmax(std::fabs(before[k]), std::fabs(after[k])), jump = after[k] - before[k];
        after[k] = std::fabs(jump) > felt_jump * size ? jump : 0;
        any = any || after[k] != 0;
    }
    return any;
}

inline double kinetic(const TreeSystem& s, double t, const double* q, const double* v, TreeWork& work) {
    TreeEnergy e;
    energy(s, t, q, v, work, e);
    return e.kinetic;
}

// v after a blow by work.jump; `gained` gets the kinetic energy that drivers bring in. v is that before it, and driven
// entries are taken over from the blow too.
inline Fault strike(const TreeSystem& s, double t, const double* q, double* v, TreeWork& work, double* gained) {
    const std::vector<double> jump = work.jump, rest(s.velocities, 0.0);
    work.jump.clear();
    *gained = -kinetic(s, t, q, v, work);
    work.jump = jump;
    std::fill(work.a.begin(), work.a.end(), 0.0);
    for (const Link& l : s.link)
        if (l.law >= 0) work.a[l.v] = jump[l.law];
    set_out(s, q, rest.data(), {0, 0, 0}, work);
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
