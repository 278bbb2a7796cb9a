// All loads at the motion in `work`: efforts are added to work.tau, wrenches taken from the forces p that links need.
#pragma once
#include <cmath>

#include "../loads/derive.hpp"
#include "../loads/space/list.hpp"
#include "sight.hpp"

namespace mubo {

// The size of a load: by its law of time, its program, or its reaction.
inline double size_at(const TreeSystem& s, const LoadAt& at, double t, double seen, const TreeWork& work) {
    if (at.law >= 0) return s.law[at.law].at(t, seen, 0);
    if (at.program >= 0) return work.size[at.program];
    return at.rub >= 0 ? work.rub.size[at.rub] : 0;
}

// Sizes that depend on the motion, which stands in `work`.
inline Fault size_loads(const TreeSystem& s, double t, const double* q, const double* v, TreeWork& work) {
    if (!s.sizes) return {};
    look(s, t, q, v, s.steering, work);
    for (int k = 0; k < s.sizes; ++k) work.size[k] = value_of(s, k, t, work);
    for (const auto* loads : {&s.on_freedom, &s.on_links})
        for (const LoadAt& at : *loads)
            if (at.program >= 0 && !std::isfinite(work.size[at.program])) return {no_size, at.number};
    return {};
}

inline void apply_to_freedoms(const TreeSystem& s, double t, const double* q, const double* v, TreeWork& work) {
    const double seen = work.seen(t);
    for (const LoadAt& at : s.on_freedom) {
        const double f = size_at(s, at, t, seen, work), *p = s.parameter.data() + at.parameter;
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
        const double f = size_at(s, at, t, seen, work), *p = s.parameter.data() + at.parameter;
        Status status = done;
        LinkWork &i = work.of(at.first), &j = work.of(at.second);
        Wrench on[2] = {};
        for_each_load<SpaceLoads>([&](int kind, auto load) {
            if (kind != at.kind) return;
            if (at.along == Along::turn && !at.wound)
                apply_to_turn<decltype(load)>(i, j, f, p, work.energy);
            else
                status = exchange<decltype(load), Space>(at.along, i.at, j.at, at.wound ? work.near[at.winding] : 0, f,
                                                         p, on, work.energy);
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
    const Fault sized = size_loads(s, t, q, v, work);
    if (sized.status != done) return sized;
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
