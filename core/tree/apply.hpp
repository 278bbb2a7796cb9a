// All loads at the motion in `work`: efforts are added to work.tau, wrenches subtracted from the inertial forces p of
// the links.
#pragma once
#include <cmath>

#include "../loads/derive.hpp"
#include "../loads/space/list.hpp"
#include "tree_sensors.hpp"

namespace mubo {

// The size of a load: by its law of time, its bytecode, or the joint reaction.
inline double load_size(const TreeSystem& s, const TreeLoad& at, double t, double inside_span, const TreeWork& work) {
    if (at.law >= 0) return s.law[at.law].at(t, inside_span, 0);
    if (at.bytecode >= 0) return work.size[at.bytecode];
    return at.reaction_friction >= 0 ? work.reaction_friction.size[at.reaction_friction] : 0;
}

// Evaluates the sizes that depend on the motion in `work`.
inline Fault evaluate_load_sizes(const TreeSystem& s, double t, const double* q, const double* v, TreeWork& work) {
    if (!s.sizes) return {};
    read_sensors(s, t, q, v, s.load_sensors, work);
    for (int k = 0; k < s.sizes; ++k) work.size[k] = value_of(s, k, t, work);
    for (const auto* loads : {&s.on_dof, &s.on_links})
        for (const TreeLoad& at : *loads)
            if (at.bytecode >= 0 && !std::isfinite(work.size[at.bytecode])) return {no_size, at.number};
    return {};
}

inline void apply_to_dofs(const TreeSystem& s, double t, const double* q, const double* v, TreeWork& work) {
    const double inside_span = work.inside_span(t);
    for (const TreeLoad& at : s.on_dof) {
        const double f = load_size(s, at, t, inside_span, work), *p = s.parameter.data() + at.parameter;
        for_each_load<SpaceLoads>([&](int kind, auto load) {
            using Load = decltype(load);
            if constexpr (Load::along)
                if (kind == at.kind)
                    work.tau[at.first] += evaluate_effort<Load>(q[at.second], v[at.first], f, p, work.energy);
        });
    }
}

// A load along the relative angle of two links in the plane, full turns counted.
template <class Load>
void apply_to_turn(LinkWork& i, LinkWork& j, double f, const double* p, LoadEnergy& energy) {
    if constexpr (Load::along) {
        const double tau =
            evaluate_effort<Load>(j.plane_angle - i.plane_angle - p[0], j.at.w.z - i.at.w.z, f, p + 1, energy);
        i.p.n.z += tau, j.p.n.z -= tau;
    }
}

inline Fault apply_to_links(const TreeSystem& s, double t, TreeWork& work) {
    const double inside_span = work.inside_span(t);
    for (const TreeLoad& at : s.on_links) {
        const double f = load_size(s, at, t, inside_span, work), *p = s.parameter.data() + at.parameter;
        Status status = done;
        LinkWork &i = work.of(at.first), &j = work.of(at.second);
        Wrench on[2] = {};
        for_each_load<SpaceLoads>([&](int kind, auto load) {
            if (kind != at.kind) return;
            if (at.along == Along::turn && !at.counts_turns)
                apply_to_turn<decltype(load)>(i, j, f, p, work.energy);
            else
                status = evaluate_forces_and_energy<decltype(load), Space>(
                    at.along, i.at, j.at, at.counts_turns ? work.near[at.winding] : 0, f, p, on, work.energy);
        });
        if (status != done) return {status, at.number};
        i.p.n -= on[0].n, i.p.f -= on[0].f;
        j.p.n -= on[1].n, j.p.f -= on[1].f;
    }
    return {};
}

// work.tau must contain the applied efforts; their power counts as supplied.
inline Fault apply_loads(const TreeSystem& s, double t, const double* q, const double* v, TreeWork& work) {
    work.energy = {};
    const Fault sized = evaluate_load_sizes(s, t, q, v, work);
    if (sized.status != done) return sized;
    if (work.user) work.user(t, q, v, work.tau.data());
    for (int k = 0; k < s.velocities; ++k) work.energy.supplied += work.tau[k] * v[k];
    apply_to_dofs(s, t, q, v, work);
    if (work.user || !s.on_dof.empty())  // here the link is known; after the recursion every acceleration would be NaN
        for (int k = 0; k < s.links(); ++k)
            for (int c = 0; c < kind_velocities[s.link[k].kind]; ++c)
                if (!std::isfinite(work.tau[s.link[k].v + c])) return {not_finite, k};
    return apply_to_links(s, t, work);
}

}  // namespace mubo
