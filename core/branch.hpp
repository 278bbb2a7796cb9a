// Decides whether a corrected position lies on another assembly branch than the predicted one.
#pragma once
#include <cmath>

#include "number/choose.hpp"
#include "status.hpp"

namespace mubo {

// The factor by which the correction that is allowed shrinks near a singular position, where branches lie close
// together: 1 down to a third of the largest pivot, then proportional to the pivot (see `left_branch`).
template <class T>
T branch_radius(const T& size, const T& largest) {
    const Mask<T> wide = T(3.0) * size >= largest;
    return all(wide) ? T(1.0) : choose(wide, T(1.0), T(3.0) * size / largest);
}

// True where a group of unknowns turns by more than `longest_turn` in one step, by its rate and its acceleration
// together.
template <class T, class H>
Mask<T> turns_too_far(int n, int group, int turning, int angles, const H& h, const T* last, const SweepOptions& o) {
    const T *v = last + n, *a = last + 2 * n;
    Mask<T> found = no_lanes<T>();
    for (int first = 0; first < n; first += group) {
        T by_rate(0.0), by_acceleration(0.0);
        for (int k = first + group - turning; k < first + group && k < angles; ++k) {
            const T p = T(o.weight[k] * h) * v[k], q = T(o.weight[k] * 0.5 * h * h) * a[k];
            by_rate += p * p, by_acceleration += q * q;
        }
        found = found | (square_root(by_rate) + square_root(by_acceleration) > T(longest_turn));
    }
    return found;
}

// The corrected position belongs to the predicted branch if every body (group of unknowns) is corrected by a small part
// of its own motion h v + h^2 a / 2 only, and of one radian (or size of the mechanism) at most; near a singular
// position, where branches lie close together, of less (`radius`). A norm over all bodies would hide a jump of one
// body. `last` is q, v, a. The last `turning` unknowns of a group describe its rotation, weighted to radians; of single
// unknowns the first `angles` are angles.
template <class T, class H>
Mask<T> left_branch(int n, int group, int turning, int angles, const H& h, const T* last, const T* next, const T* guess,
                    const T& radius, const SweepOptions& o) {
    // The first weight of a body is that of a length. Far from the origin rounding grows with the scale.
    const double rounding = group > 1 ? rounding_explained * o.scale * o.weight[0] : 0;
    const double least = least_correction + std::fmax(tolerances_explained * o.tolerance / o.scale, rounding);
    const T *v = last + n, *a = last + 2 * n, part = T(o.part) * radius, square = part * part;
    Mask<T> found = no_lanes<T>();
    T most(0.0);
    for (int first = 0; first < n; first += group) {
        T motion(0.0), correction(0.0);
        for (int k = first; k < first + group; ++k) {
            const T p = T(o.weight[k] * h) * v[k], q = T(o.weight[k] * 0.5 * h * h) * a[k],
                    c = T(o.weight[k]) * (next[k] - guess[k]);
            motion += p * p + q * q;
            correction += c * c;
        }
        found = found | ((correction > T(least * least)) & (correction > square * smaller(motion, T(1.0))));
        if (first < angles) most = larger(most, motion);
    }
    // |p| + |q| <= 1 wherever p^2 + q^2 <= 1/2.
    if (std::isfinite(o.part) && !all(most <= T(0.5)))
        found = found | turns_too_far(n, group, turning, angles, h, last, o);
    return found;
}

// A step must be reversible: the rates at its end must also predict the position where it began. At a change point J is
// singular to rounding, and the rates solved there may be those of the crossing branch. `back` is workspace for the
// prediction.
template <class T, class H>
Mask<T> fails_branch_check(int n, int group, int turning, int angles, const H& h, const T* last, const T* next,
                           const T* guess, T* back, const T& radius, const SweepOptions& o) {
    const Mask<T> there = left_branch(n, group, turning, angles, h, last, next, guess, radius, o);
    if (all(there) || !o.leads_back || !std::isfinite(o.part)) return there;
    const T *v = next + n, *a = next + 2 * n;
    for (int k = 0; k < n; ++k) back[k] = next[k] - T(h) * (v[k] - T(0.5 * h) * a[k]);
    return there | left_branch(n, group, turning, angles, -h, next, last, back, radius, o);
}

}  // namespace mubo
