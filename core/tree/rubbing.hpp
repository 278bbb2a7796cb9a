// Friction by the reaction of its own joint: size f = mu |R| with R the force that the joint carries, friction
// included.
//
// Accelerations, and with them reactions, are affine in the sizes of all frictions: R_k = R0_k + sum G_kj f_j. One
// solution without friction and one more for each of them give R0 and G; f_k = c_k |R_k(f)| is then repeated without
// any motion until it stays, as in inverse dynamics (solvers/forces/reaction_friction.py).
#pragma once
#include <cmath>

#include "work.hpp"

namespace mubo {

constexpr int most_repetitions = 300;
constexpr double same_friction = 1e-14;  // of the largest: what rounding leaves

// The forces that the joints with friction carry, after accelerations were found, into work.rub.R.
inline void carried_forces(const TreeSystem& s, TreeWork& work) {
    for (size_t n = 0; n < s.rub.size(); ++n) {
        const Rub& rub = s.rub[n];
        Vector f{0, 0, 0};
        for (size_t k = 0; k < rub.row.size(); ++k) f += work.loops.lam[rub.row[k]] * work.loops.end[rub.end[k]].f;
        if (rub.link >= 0) {
            const LinkWork& k = work.of(rub.link);
            f = k.p.f + transposed_times(k.B, k.alpha) + k.M * k.acc;
            // What its driver carries has been added to p already.
            if (s.closing && s.link[rub.link].law < 0) f += s.closing->carried(rub.link, work);
        }
        for (int link : rub.slides) f -= dot(work.of(link).a, f) * work.of(link).a;
        work.rub.R[n] = f;
    }
}

// Sizes that agree with the reactions which they make; false where they do not settle.
inline bool settle_sizes(const TreeSystem& s, RubWork& w, size_t* worst) {
    const size_t m = s.rub.size();
    std::fill(w.size.begin(), w.size.end(), 0.0);
    for (int count = 0; count < most_repetitions; ++count) {
        double largest = 0, change = 0;
        w.last = w.size;
        for (size_t k = 0; k < m; ++k) {
            Vector R = w.R0[k];
            for (size_t j = 0; j < m; ++j) R += w.last[j] * w.G[k * m + j];
            w.size[k] = s.rub[k].coefficient * std::sqrt(dot(R, R));
            largest = std::fmax(largest, w.size[k]);
            const double away = std::fabs(w.size[k] - w.last[k]);
            if (!(away <= change)) change = away, *worst = k;
        }
        if (change <= same_friction * largest) return true;
        if (!std::isfinite(largest)) return false;
    }
    return false;
}

// accelerate() finds accelerations under the sizes in work.rub.size; in the end they are those that settle.
template <class Accelerate>
Fault rub_and_accelerate(const TreeSystem& s, TreeWork& work, Accelerate&& accelerate) {
    RubWork& w = work.rub;
    const size_t m = s.rub.size();
    std::fill(w.size.begin(), w.size.end(), 0.0);
    Fault fault = accelerate();
    if (fault.status != done) return fault;
    carried_forces(s, work);
    w.R0 = w.R;
    for (size_t j = 0; j < m; ++j) {
        const double size = s.rub[j].coefficient * std::sqrt(dot(w.R0[j], w.R0[j])), probe = size > 0 ? size : 1;
        w.size[j] = probe;
        fault = accelerate();
        if (fault.status != done) return fault;
        carried_forces(s, work);
        for (size_t k = 0; k < m; ++k) w.G[k * m + j] = (1 / probe) * (w.R[k] - w.R0[k]);
        w.size[j] = 0;
    }
    size_t worst = 0;
    if (!settle_sizes(s, w, &worst)) return {jammed, s.rub[worst].number};
    return accelerate();
}

}  // namespace mubo
