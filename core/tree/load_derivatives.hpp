// Derivatives of the generalised forces Q of the loads of a tree, which inverse dynamics subtracts: tau = M a + h - Q.
//
// A load whose formula has all of its dependence on the motion is differentiated by dual numbers: with displacements x
// and twists of its links, dF = -K dx - C d(twist), and Q_j = S_j'F gives dQ_j = S_j'dF + (dS_j)'F. Where the size of a
// load is bytecode of sensors, Q is differentiated by differences of fourth order.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "inverse_derivatives.hpp"
#include "rnea.hpp"

namespace mubo {

constexpr double difference_step = 2e-4;  // radians or typical lengths: both errors of fourth order are near 1e-12

// Moves q by small x along the velocities: balls turn about their own axes.
inline void displace(const TreeSystem& s, const double* x, double* q) {
    for (const Link& l : s.link) {
        if (l.kind != ball) {
            for (int k = 0; k < kind_velocities[l.kind]; ++k) q[l.q + k] += x[l.v + k];
            continue;
        }
        const Vector w{x[l.v], x[l.v + 1], x[l.v + 2]};
        const double angle = std::sqrt(dot(w, w)), part = angle > 0 ? std::sin(0.5 * angle) / angle : 0.5;
        const Quaternion<double> p =
            quaternion_at(q + l.q) * Quaternion<double>{std::cos(0.5 * angle), part * w.x, part * w.y, part * w.z};
        q[l.q] = p.w, q[l.q + 1] = p.x, q[l.q + 2] = p.y, q[l.q + 3] = p.z;
    }
}

// Calls use(column, values, factor) at the four points of a difference in every velocity, for a function of q moved
// along it (`at_positions`) or of v: the derivative is the sum of factor * values. False where one cannot be evaluated.
template <class Evaluate, class Use>
bool differences(const TreeSystem& s, const double* q, const double* v, bool at_positions, Evaluate&& evaluate,
                 Use&& use) {
    constexpr double points[4] = {1, -1, 2, -2}, factors[4] = {8.0 / 12, -8.0 / 12, -1.0 / 12, 1.0 / 12};
    std::vector<double> x(s.velocities), Q(s.positions), V(v, v + s.velocities);
    for (int c = 0; c < s.velocities; ++c) {
        const double step = difference_step * (at_positions ? 1 : std::fmax(1.0, std::fabs(v[c])));
        for (int k = 0; k < 4; ++k) {
            std::copy(q, q + s.positions, Q.begin());
            x[c] = points[k] * step;
            if (at_positions)
                displace(s, x.data(), Q.data());
            else
                V[c] = v[c] + x[c];
            const bool good = evaluate(Q.data(), V.data());
            x[c] = 0, V[c] = v[c];
            if (!good) return false;
            use(c, factors[k] / step);
        }
    }
    return true;
}

// Generalised forces of all loads at q and v.
inline Fault load_forces(const TreeSystem& s, double t, const double* q, const double* v, TreeWork& work, double* Q) {
    move(s, q, v, work.a.data(), {0, 0, 0}, work);
    for (LinkWork& k : work.entry) k.p = {{0, 0, 0}, {0, 0, 0}};
    std::fill(work.tau.begin(), work.tau.end(), 0.0);
    const Fault fault = apply_loads(s, t, q, v, work);
    if (fault.status != done) return fault;
    for (int i = s.links() - 1; i >= 0; --i) {
        const LinkWork& k = work.of(i);
        joint_effort(s.link[i], k, k.p, Q + s.link[i].v);
        LinkWork& p = work.of(s.link[i].parent);
        p.p = p.p + shifted(k.p, k.s);
    }
    for (int k = 0; k < s.velocities; ++k) Q[k] = work.tau[k] - Q[k];
    return {};
}

// Stiffness and damping of one load between two links: -dF/dx and -dF/d(twist), force first.
struct LoadMatrices {
    double K[144] = {}, C[144] = {};
    Wrench on[2] = {};

    template <class Load>
    Status set(const TreeLoad& at, const LinkWork& i, const LinkWork& j, double near, double f, const double* p) {
        const Motion b[2] = {i.at, j.at};
        LoadEnergy unused;
        Status status = evaluate_forces_and_energy<Load, Space>(at.along, i.at, j.at, near, f, p, on, unused);
        if (status == done) status = stiffness<Load, Space>(at.along, b, near, f, p, K);
        return status == done ? damping<Load, Space>(at.along, b, near, f, p, C) : status;
    }
    // Along the relative angle of two links in the plane, full turns counted.
    template <class Load>
    void set_turn(const LinkWork& i, const LinkWork& j, double f, const double* p) {
        if constexpr (Load::along) {
            using T = Dual<2>;
            T numbers[Load::numbers + 1];
            for (int k = 0; k < Load::numbers; ++k) numbers[k] = T(p[1 + k]);
            const T tau = Load::effort(T::variable(j.plane_angle - i.plane_angle - p[0], 0),
                                       T::variable(j.at.w.z - i.at.w.z, 1), T(f), numbers);
            on[0].n.z = -tau.v, on[1].n.z = tau.v;
            for (int r = 0; r < 2; ++r)
                for (int c = 0; c < 2; ++c) {
                    const double sign = r == c ? -1 : 1;
                    K[(6 * r + 5) * 12 + 6 * c + 5] = sign * tau.d[0],
                                                 C[(6 * r + 5) * 12 + 6 * c + 5] = sign * tau.d[1];
                }
        }
    }
};

// Six numbers of a motion at a link's origin, displacement first.
inline void put(const SpatialMotion& S, const Vector& d, double* out) {
    const Vector v = S.v + cross(S.w, d);
    const double line[6] = {v.x, v.y, v.z, S.w.x, S.w.y, S.w.z};
    std::copy(line, line + 6, out);
}

// Subtracts the derivatives of S'F of one load from Dq and Dv.
class LoadChain {
  public:
    LoadChain(const TreeSystem& s, const TreeWork& work, const DerivativeWork& d, double* Dq, double* Dv)
        : s_(s), work_(work), d_(d), Dq_(Dq), Dv_(Dv) {}

    void add(const TreeLoad& at, const LoadMatrices& load) const {
        const int link[2] = {at.first, at.second};
        for (int e = 0; e < 2; ++e)
            for (int i = link[e]; i >= 0; i = s_.link[i].parent)
                for (int c = s_.link[i].v; c < s_.link[i].v + kind_velocities[s_.link[i].kind]; ++c)
                    if (e == 0 || !inboard(i, link[0])) column(link, load, i, c);
    }

  private:
    const TreeSystem& s_;
    const TreeWork& work_;
    const DerivativeWork& d_;
    double *Dq_, *Dv_;

    bool inboard(int i, int of) const {
        while (of > i) of = s_.link[of].parent;
        return of == i;
    }
    Vector distance(int link) const { return d_.distance(work_.of(link)); }

    // The derivative by degree of freedom c of link i, which moves one link of the load or both.
    void column(const int* link, const LoadMatrices& load, int i, int c) const {
        double x[12] = {}, twist[12] = {}, rate[12] = {};
        for (int e = 0; e < 2; ++e) {
            if (link[e] < 0 || !inboard(i, link[e])) continue;
            const Vector d = distance(link[e]), &w = work_.of(link[e]).at.w;
            const SpatialMotion &S = d_.column[c].S, V = d_.column[c].psi + cross(S, d_.V[link[e] + 1]);
            put(S, d, x + 6 * e), put(S, d, rate + 6 * e), put(V, d, twist + 6 * e);
            const Vector more = cross(w, Vector{x[6 * e], x[6 * e + 1], x[6 * e + 2]});
            twist[6 * e] += more.x, twist[6 * e + 1] += more.y, twist[6 * e + 2] += more.z;
        }
        for (int e = 0; e < 2; ++e) {
            if (link[e] < 0) continue;
            double by_q[6], by_v[6];
            for (int r = 0; r < 6; ++r) {
                const double *K = load.K + (6 * e + r) * 12, *C = load.C + (6 * e + r) * 12;
                by_q[r] = by_v[r] = 0;
                for (int k = 0; k < 12; ++k) by_q[r] -= K[k] * x[k] + C[k] * twist[k], by_v[r] -= C[k] * rate[k];
            }
            const Vector d = distance(link[e]);
            const auto about = [&](const double* f) { return shifted({{f[3], f[4], f[5]}, {f[0], f[1], f[2]}}, d); };
            Wrench moved = about(by_q);
            moved.n += cross(Vector{x[6 * e], x[6 * e + 1], x[6 * e + 2]}, load.on[e].f);
            project(link[e], i, c, shifted(load.on[e], d), moved, about(by_v));
        }
    }
    // Subtracts S'dG + (S_c x S)'G for the degrees of freedom inboard of a link.
    void project(int link, int i, int c, const Wrench& G, const Wrench& by_q, const Wrench& by_v) const {
        const int n = s_.velocities;
        for (int j = link; j >= 0; j = s_.link[j].parent) {
            const bool carried = inboard(i, j);
            for (int r = s_.link[j].v; r < s_.link[j].v + kind_velocities[s_.link[j].kind]; ++r) {
                const SpatialMotion& S = d_.column[r].S;
                Dq_[r * n + c] -= power(S, by_q), Dv_[r * n + c] -= power(S, by_v);
                if (carried) Dq_[r * n + c] -= power(cross(d_.column[c].S, S), G);
            }
        }
    }
};

// Subtracts the derivatives of the loads from Dq and Dv, at the motion in `work` and `d`.
inline Fault subtract_load_derivatives(const TreeSystem& s, double t, const double* q, const double* v, TreeWork& work,
                                       const DerivativeWork& d, double* Dq, double* Dv) {
    const int n = s.velocities;
    if (s.sizes || work.user) {
        Fault fault;
        std::vector<double> Q(n);
        for (double* D : {Dq, Dv})
            differences(
                s, q, v, D == Dq,
                [&](const double* at_q, const double* at_v) {
                    return (fault = load_forces(s, t, at_q, at_v, work, Q.data())).status == done;
                },
                [&](int c, double factor) {
                    for (int r = 0; r < n; ++r) D[r * n + c] -= factor * Q[r];
                });
        return fault;
    }
    for (const TreeLoad& at : s.on_dof) {
        using T = Dual<2>;
        const double f = load_size(s, at, t, work.inside_span(t), work), *p = s.parameter.data() + at.parameter;
        for_each_load<SpaceLoads>([&](int kind, auto load) {
            using Load = decltype(load);
            if constexpr (Load::along) {
                if (kind != at.kind) return;
                T numbers[Load::numbers + 1];
                for (int k = 0; k < Load::numbers; ++k) numbers[k] = T(p[k]);
                const T tau = Load::effort(T::variable(q[at.second], 0), T::variable(v[at.first], 1), T(f), numbers);
                Dq[at.first * n + at.first] -= tau.d[0], Dv[at.first * n + at.first] -= tau.d[1];
            }
        });
    }
    const LoadChain chain(s, work, d, Dq, Dv);
    for (const TreeLoad& at : s.on_links) {
        const double f = load_size(s, at, t, work.inside_span(t), work), *p = s.parameter.data() + at.parameter;
        const LinkWork &i = work.of(at.first), &j = work.of(at.second);
        LoadMatrices matrices;
        Status status = done;
        for_each_load<SpaceLoads>([&](int kind, auto load) {
            if (kind != at.kind) return;
            if (at.along == Along::turn && !at.counts_turns)
                matrices.set_turn<decltype(load)>(i, j, f, p);
            else
                status = matrices.set<decltype(load)>(at, i, j, at.counts_turns ? work.near[at.winding] : 0, f, p);
        });
        if (status != done) return {status, at.number};
        chain.add(at, matrices);
    }
    return {};
}

}  // namespace mubo
