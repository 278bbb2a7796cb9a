// Inverse dynamics by the recursive Newton-Euler algorithm (Featherstone 2008, section 5.3, table 5.1): the efforts tau
// that, together with the loads, produce the accelerations a. O(n).
#pragma once
#include "../loads/gravity.hpp"
#include "apply.hpp"
#include "forward.hpp"
#include "rigid.hpp"

namespace mubo {

// tau = S'f in the joint's own axes.
inline void joint_effort(const Link& l, const LinkWork& k, const Wrench& f, double* tau) {
    Vector t;
    switch (l.kind) {
        case turn:
            tau[0] = dot(k.a, f.n);
            break;
        case slide:
            tau[0] = dot(k.a, f.f);
            break;
        case screw:
            tau[0] = dot(k.a, f.n) + l.pitch * dot(k.a, f.f);
            break;
        case ball:
            t = transposed_times(k.at.R, f.n);
            tau[0] = t.x, tau[1] = t.y, tau[2] = t.z;
            break;
        case shift:
            t = transposed_times(k.axes, f.f);
            tau[0] = t.x, tau[1] = t.y, tau[2] = t.z;
            break;
    }
}

inline Fault rnea(const TreeSystem& s, double t, const double* q, const double* v, const double* a, TreeWork& work,
                  double* tau) {
    move(s, q, v, a, Gravity::ground_acceleration(s.gravity), work);
    for (int k = 0; k < s.links(); ++k) {
        evaluate_inertia(s.link[k], work.of(k));
        newton_euler(s.link[k], work.of(k));
    }
    std::fill(work.tau.begin(), work.tau.end(), 0.0);
    const Fault fault = apply_loads(s, t, q, v, work);
    if (fault.status != done) return fault;
    for (int i = s.links() - 1; i >= 0; --i) {
        const Link& l = s.link[i];
        const LinkWork& k = work.of(i);
        joint_effort(l, k, k.p, tau + l.v);
        for (int c = l.v; c < l.v + kind_velocities[l.kind]; ++c) tau[c] += l.armature * a[c];
        LinkWork& p = work.of(l.parent);
        p.p.f += k.p.f;
        p.p.n += k.p.n + cross(k.s, k.p.f);
    }
    for (int k = 0; k < s.velocities; ++k) tau[k] -= work.tau[k];
    return {};
}

}  // namespace mubo
