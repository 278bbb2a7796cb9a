// One rigid link in motion: its inertia in ground axes and its inertial wrench (Newton-Euler).
#pragma once
#include "work.hpp"

namespace mubo {

// I (into A) and h = m c about the link's origin, in ground axes.
inline void evaluate_inertia(const Link& l, LinkWork& k) {
    if (l.massless) {
        k.A = {0, 0, 0, 0, 0, 0};
        k.h = {0, 0, 0};
        return;
    }
    k.A = rotate_tensor(l.I, k.at.R);
    k.h = k.at.R * l.h;
}

// Momentum about the link's origin: n = I w + h x v, f = m v + w x h.
inline Wrench momentum(const Link& l, const LinkWork& k) {
    return {k.A * k.at.w + cross(k.h, k.at.v), l.m * k.at.v + cross(k.at.w, k.h)};
}

// f = m acc + alpha x h + w x (w x h),  n = I alpha + h x acc + w x (I w).
inline void newton_euler(const Link& l, LinkWork& k) {
    if (l.massless) {
        k.p = {{0, 0, 0}, {0, 0, 0}};
        return;
    }
    const Vector& w = k.at.w;
    k.p.f = l.m * k.acc + cross(k.alpha, k.h) + cross(w, cross(w, k.h));
    k.p.n = k.A * k.alpha + cross(k.h, k.acc) + cross(w, k.A * w);
}

}  // namespace mubo
