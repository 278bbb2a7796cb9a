// When a corrected position is on another branch than the one predicted.
#pragma once
#include <cmath>

#include "number/choose.hpp"
#include "status.hpp"

namespace mubo {

// How much closer than usual the branches may lie at a pivot of this size: see `strayed`.
template <class T>
T narrowed(const T& size, const T& largest) {
    const Mask<T> wide = T(3.0) * size >= largest;
    return all(wide) ? T(1.0) : choose(wide, T(1.0), T(3.0) * size / largest);
}

// Does a group turn by more than `longest_turn`, by its rate and its acceleration together?
template <class T>
Mask<T> turns_far(int n, int group, int turning, int angles, double h, const T* last, const SweepOptions& o) {
    const T *v = last + n, *a = last + 2 * n;
    Mask<T> found = nowhere<T>();
    for (int first = 0; first < n; first += group) {
        T turned(0.0), bent(0.0);
        for (int k = first + group - turning; k < first + group && k < angles; ++k) {
            const T p = T(o.weight[k] * h) * v[k], q = T(o.weight[k] * 0.5 * h * h) * a[k];
            turned += p * p, bent += q * q;
        }
        found = found | (square_root(turned) + square_root(bent) > T(longest_turn));
    }
    return found;
}

// The corrected position belongs to the predicted branch if every body (group of unknowns) is corrected by a small part
// of its own motion h v + h^2 a / 2 only, and of one radian (or size of the mechanism) at most; near a singular
// position, where branches lie close together, of less (`narrow`). A norm over all bodies would hide a jump of one.
// `last` is q, v, a. The last `turning` unknowns of a group hold its turn, weighted to radians; of single unknowns the
// first `angles` are turns.
template <class T>
Mask<T> strayed(int n, int group, int turning, int angles, double h, const T* last, const T* next, const T* guess,
                const T& narrow, const SweepOptions& o) {
    // Of bodies the first weight is that of a length; where rounding counts, the scale is more than a length.
    const double rounding = group > 1 ? rounding_explained * o.scale * o.weight[0] : 0;
    const double least = least_correction + std::fmax(tolerances_explained * o.tolerance / o.scale, rounding);
    const T *v = last + n, *a = last + 2 * n, part = T(o.part) * narrow, square = part * part;
    Mask<T> found = nowhere<T>();
    T most(0.0);
    for (int first = 0; first < n; first += group) {
        T moved(0.0), corrected(0.0);
        for (int k = first; k < first + group; ++k) {
            const T p = T(o.weight[k] * h) * v[k], q = T(o.weight[k] * 0.5 * h * h) * a[k],
                    c = T(o.weight[k]) * (next[k] - guess[k]);
            moved += p * p + q * q;
            corrected += c * c;
        }
        found = found | ((corrected > T(least * least)) & (corrected > square * smaller(moved, T(1.0))));
        if (first < angles) most = larger(most, moved);
    }
    // A turn of p and q together is within 1 where p^2 + q^2 is within a half.
    if (std::isfinite(o.part) && !all(most <= T(0.5))) found = found | turns_far(n, group, turning, angles, h, last, o);
    return found;
}

// A step must lead both ways: the rates at its end must also lead back to where it began. At a change point J is
// singular to rounding, and what is solved there for rates may be those of the motion that crosses. `back` is room for
// the prediction.
template <class T>
Mask<T> strayed_both_ways(int n, int group, int turning, int angles, double h, const T* last, const T* next,
                          const T* guess, T* back, const T& narrow, const SweepOptions& o) {
    const Mask<T> there = strayed(n, group, turning, angles, h, last, next, guess, narrow, o);
    if (all(there) || !o.leads_back || !std::isfinite(o.part)) return there;
    const T *v = next + n, *a = next + 2 * n;
    for (int k = 0; k < n; ++k) back[k] = next[k] - T(h) * (v[k] - T(0.5 * h) * a[k]);
    return there | strayed(n, group, turning, angles, -h, next, last, back, narrow, o);
}

}  // namespace mubo
