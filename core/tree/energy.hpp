// Energies and momenta of a tree at (t, q, v); angular momentum about the origin of the ground.
//   kinetic = sum (w.n + v.f) / 2 with the momentum (n, f) of every link about its own origin
#pragma once
#include "../loads/gravity.hpp"
#include "apply.hpp"
#include "forward.hpp"
#include "rigid.hpp"

namespace mubo {

struct TreeEnergy {
    double kinetic = 0, gravity = 0, springs = 0;
    Vector linear{0, 0, 0}, angular{0, 0, 0};
};

inline Fault energy(const TreeSystem& s, double t, const double* q, const double* v, TreeWork& work, TreeEnergy& e) {
    e = {};
    move(s, q, v, work.a.data(), {0, 0, 0}, work);
    for (int i = 0; i < s.links(); ++i) {
        const Link& l = s.link[i];
        LinkWork& k = work.of(i);
        evaluate_inertia(l, k);
        k.p = {{0, 0, 0}, {0, 0, 0}};
        const Wrench p = momentum(l, k);
        e.kinetic += 0.5 * (dot(k.at.w, p.n) + dot(k.at.v, p.f));
        for (int c = l.v; c < l.v + kind_velocities[l.kind]; ++c) e.kinetic += 0.5 * l.armature * v[c] * v[c];
        e.gravity += Gravity::potential(s.gravity, l.m * k.at.r + k.h);
        e.linear += p.f;
        e.angular += p.n + cross(k.at.r, p.f);
    }
    std::fill(work.tau.begin(), work.tau.end(), 0.0);
    const Fault fault = apply_loads(s, t, q, v, work);
    e.springs = work.energy.potential;
    return fault;
}

}  // namespace mubo
