// Accelerations of a tree with closed loops: the articulated-body recursion propagates the open loop rows inwards and
// eliminates each multiplier at the link where its loop closes (Brandl, Johanni and Otter 1987; Baraff 1996). O(n).
//
// At link i,  f = I^A d + p + sum K_r lam_r  and  K_r.d + c_r - sum L_rs lam_s = 0:
//   closed row r:  I += K_r K_r' / L_rr;  p += K_r c_r / L_rr;  for s coupled with r, w = L_rs / L_rr:
//                  K_s -= w K_r,  c_s -= w c_r,  L_st -= w L_rt
//   joint i:       y_r = S'K_r;  L_rs += y_r D y_s;  c_r += y_r D u;  K_r -= U D y_r, passed to the parent
//   ground:        L lam = c;  then outwards  a = D (u - sum y_r lam_r - U'd),  rows closed at i in reverse order
// With p = u = 0 and c = Phi (or dPhi/dt) the solution is the smallest correction of positions (of velocities) in the
// metric of the mass matrix: M x + J'lam = 0, J x + c = 0.
#pragma once
#include <algorithm>
#include <cmath>

#include "../tree/aba.hpp"
#include "../tree/dynamics.hpp"
#include "elimination_plan.hpp"
#include "loop_rows.hpp"

namespace mubo {

// Eliminates the rows that close at a link into its inertia and force, or at the ground, which has none.
template <class Links>
void eliminate(const LinkRows& at, LinkWork* k, const LoopRows& rows, LoopWork& w) {
    for (const Elimination& e : at.closed) {
        double& pivot = w.L[e.diagonal];
        const double size = w.size[rows.group[e.row]], scaled = pivot * rows.weight[e.row] * rows.weight[e.row];
        const double part = size > 0 ? scaled / size : 0;
        w.part[e.row] = part;
        if (!(part >= w.weakest)) w.weakest = part, w.weakest_row = e.row;
        if (!(part > w.least)) {
            pivot = 0;
            continue;
        }
        const double c = w.c[e.row];
        if (k) Links::absorb(w.K[e.slot], 1 / pivot, c, *k);
        for (const Neighbour& s : e.neighbour) {
            const double part_of = w.L[s.entry] / pivot;
            w.c[s.row] -= part_of * c;
            if (k) Links::add(-part_of, w.K[e.slot], w.K[s.slot]);
        }
        for (const Couple& u : e.update)
            w.L[u.entry] -= w.L[e.neighbour[u.a].entry] * w.L[e.neighbour[u.b].entry] / pivot;
    }
}

// Multipliers of the rows closed at a link, whose d is known (the ground has none), in reverse order.
template <class Links>
void resolve(const LinkRows& at, const LinkWork* k, LoopWork& w) {
    for (const Elimination* e = at.closed.end(); e != at.closed.begin();) {
        --e;
        const double pivot = w.L[e->diagonal];
        if (pivot == 0) {
            w.lam[e->row] = 0;
            continue;
        }
        double sum = w.c[e->row] + (k ? Links::times(w.K[e->slot], *k) : 0);
        for (const Neighbour& s : e->neighbour) sum -= w.L[s.entry] * w.lam[s.row];
        w.lam[e->row] = sum / pivot;
    }
}

// Propagates open rows over the joint of a link after its pass 2 (with I^A and p of before) to the parent.
template <class Links>
void carry(const Link& l, const LinkWork& k, const LinkRows& at, const LoopRows& rows, LoopWork& w) {
    const bool moves = l.law < 0 && l.kind != weld;
    auto& y = w.efforts<Links>();
    if (moves)
        for (const OpenRow& o : at.open) y[o.slot] = Links::effort(l, k, w.K[o.slot]);
    for (const Couple& c : at.couple) {
        const double more = Links::product(y[at.open[c.a].slot], Links::divided(l, k, y[at.open[c.b].slot]));
        w.L[c.entry] += more;
        if (c.a == c.b) {
            const int r = at.open[c.a].row;
            w.diagonal[r] += more * rows.weight[r] * rows.weight[r];
            w.size[rows.group[r]] = std::fmax(w.size[rows.group[r]], w.diagonal[r]);
        }
    }
    for (const OpenRow& o : at.open) {
        Wrench K = w.K[o.slot];
        if (moves) {
            const auto Dy = Links::divided(l, k, y[o.slot]);
            w.c[o.row] += Links::product(Dy, Links::push(l, k));
            K = Links::remainder(l, k, K, Dy);
        }
        if (o.above >= 0) Links::hand_on(K, k.s, w.K[o.above]);
    }
}

// Initialises the rows at their own links, with c as their right side.
inline void take_rows(const RowPlan& plan, const std::vector<double>& c, LoopWork& w) {
    std::fill(w.K.begin(), w.K.end(), Wrench{{0, 0, 0}, {0, 0, 0}});
    std::fill(w.L.begin(), w.L.end(), 0.0);
    std::fill(w.size.begin(), w.size.end(), 0.0);
    std::fill(w.diagonal.begin(), w.diagonal.end(), 0.0);
    std::fill(w.lam.begin(), w.lam.end(), 0.0);
    std::copy(c.begin(), c.end(), w.c.begin());
    w.weakest = 1, w.weakest_row = -1;
    for (size_t k = 0; k < plan.end.size(); ++k)
        if (const int slot = plan.end[k]; slot >= 0) w.K[slot].n += w.end[k].n, w.K[slot].f += w.end[k].f;
}

// Passes 2 and 3 for the inertias and forces in `work` and the right sides c.
template <class Links>
Fault solve_closed(const TreeSystem& s, const RowPlan& plan, const LoopRows& rows, const std::vector<double>& c,
                   TreeWork& work, double* a) {
    LoopWork& w = work.loops;
    take_rows(plan, c, w);
    for (int i = s.links() - 1; i >= 0; --i) {
        const Link& l = s.link[i];
        LinkWork& k = work.of(i);
        eliminate<Links>(plan.at[i + 1], &k, rows, w);
        const Status status = Links::articulate(l, k, work.tau.data(), work.of(l.parent));
        if (status != done) return {status, i};
        carry<Links>(l, k, plan.at[i + 1], rows, w);
    }
    eliminate<Links>(plan.at[0], nullptr, rows, w);
    resolve<Links>(plan.at[0], nullptr, w);
    work.entry[0].alpha = work.entry[0].acc = {0, 0, 0};
    for (int i = 0; i < s.links(); ++i) {
        const Link& l = s.link[i];
        LinkWork& k = work.of(i);
        for (const OpenRow& o : plan.at[i + 1].open) {
            const double lam = w.lam[o.row];
            if (l.law >= 0)
                Links::add(lam, w.K[o.slot], k.p);  // the force of its driver
            else if (l.kind != weld)
                Links::relieve(l, lam, w.efforts<Links>()[o.slot], k);
        }
        Links::accelerate(l, work.of(l.parent), k, a);
        resolve<Links>(plan.at[i + 1], &k, w);
    }
    return {};
}

}  // namespace mubo
