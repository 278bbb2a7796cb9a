// All loads at the motion in `work`: efforts are added to work.tau, wrenches taken from the forces p that links need.
#pragma once
#include <cmath>

#include "../loads/derive.hpp"
#include "../loads/space/list.hpp"
#include "work.hpp"

namespace mubo {

inline void apply_to_freedoms(const TreeSystem& s, double t, const double* q, const double* v, TreeWork& work) {
    const double seen = work.seen(t);
    for (const LoadAt& at : s.on_freedom) {
        const double f = at.law < 0 ? 0 : s.law[at.law].at(t, seen, 0), *p = s.parameter.data() + at.parameter;
        for_each_load<SpaceLoads>([&](int kind, auto load) {
            using Load = decltype(load);
            if constexpr (Load::along)
                if (kind == at.kind)
                    work.tau[at.first] += effort_along<Load>(q[at.second], v[at.first], f, p, work.energy);
        });
    }
}

// Along the turn of one link against another in the plane, full turns counted.
template <class Load>
void apply_to_turn(LinkWork& i, LinkWork& j, double f, const double* p, LoadEnergy& energy) {
    if constexpr (Load::along) {
        const double tau = effort_along<Load>(j.turned - i.turned - p[0], j.at.w.z - i.at.w.z, f, p + 1, energy);
        i.p.n.z += tau, j.p.n.z -= tau;
    }
}

inline Fault apply_to_links(const TreeSystem& s, double t, TreeWork& work) {
    const double seen = work.seen(t);
    for (const LoadAt& at : s.on_links) {
        const double f = at.law < 0 ? 0 : s.law[at.law].at(t, seen, 0), *p = s.parameter.data() + at.parameter;
        Status status = done;
        LinkWork &i = work.of(at.first), &j = work.of(at.second);
        Wrench on[2] = {};
        for_each_load<SpaceLoads>([&](int kind, auto load) {
            if (kind != at.kind) return;
            if (at.along == Along::turn)
                apply_to_turn<decltype(load)>(i, j, f, p, work.energy);
            else
                status = exchange<decltype(load), Space>(at.along, i.at, j.at, 0, f, p, on, work.energy);
        });
        if (status != done) return {status, at.number};
        i.p.n -= on[0].n, i.p.f -= on[0].f;
        j.p.n -= on[1].n, j.p.f -= on[1].f;
    }
    return {};
}

// work.tau must hold the efforts from outside; what they bring in counts as supplied.
inline Fault apply_loads(const TreeSystem& s, double t, const double* q, const double* v, TreeWork& work) {
    work.energy = {};
    if (work.user) work.user(t, q, v, work.tau.data());
    for (int k = 0; k < s.velocities; ++k) work.energy.supplied += work.tau[k] * v[k];
    apply_to_freedoms(s, t, q, v, work);
    if (work.user || !s.on_freedom.empty())  // here the link is known; behind the recursion all would be lost at once
        for (int k = 0; k < s.links(); ++k)
            for (int c = 0; c < kind_velocities[s.link[k].kind]; ++c)
                if (!std::isfinite(work.tau[s.link[k].v + c])) return {not_finite, k};
    return apply_to_links(s, t, work);
}

}  // namespace mubo
