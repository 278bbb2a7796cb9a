// All loads at the motion in `work`: efforts are added to work.tau, wrenches taken from the forces p that links need.
#pragma once
#include <cmath>

#include "../loads/list.hpp"
#include "work.hpp"

namespace mubo {

inline void apply_to_freedoms(const TreeSystem& s, double t, const double* q, const double* v, TreeWork& work) {
    const double seen = work.seen(t);
    for (const LoadAt& at : s.on_freedom) {
        const double f = at.law < 0 ? 0 : s.law[at.law].at(t, seen, 0), *c = s.parameter.data() + at.parameter;
        for_each_joint_load([&](int number, auto load) {
            if (number != at.kind) return;
            const double position = decltype(load)::reads_position ? q[at.second] : 0;
            work.tau[at.first] += load.effort(position, v[at.first], f, c, work.energy);
        });
    }
}

inline Fault apply_to_links(const TreeSystem& s, double t, TreeWork& work) {
    const double seen = work.seen(t);
    for (const LoadAt& at : s.on_links) {
        const double f = at.law < 0 ? 0 : s.law[at.law].at(t, seen, 0), *c = s.parameter.data() + at.parameter;
        Status status = done;
        for_each_link_load([&](int number, auto load) {
            if (number != at.kind) return;
            LinkWork &i = work.of(at.first), &j = work.of(at.second);
            Wrench on_i{{0, 0, 0}, {0, 0, 0}}, on_j = on_i;
            status = load.act(i.at, j.at, f, c, on_i, on_j, work.energy);
            i.p.n -= on_i.n, i.p.f -= on_i.f;
            j.p.n -= on_j.n, j.p.f -= on_j.f;
        });
        if (status != done) return {status, at.number};
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
