// Derivatives of inverse dynamics by positions and velocities, and the mass matrix, of a tree without loads: Singh,
// Russell and Wensing (2022), "Efficient analytical derivatives of rigid-body dynamics using spatial vector algebra",
// IEEE Robotics and Automation Letters 7(2), equations 41 to 44. O(n times depth).
//
// All spatial vectors are in ground axes about one point, the origin of the first link, so that composites are sums.
// With V and A of the parent p of a link, V and A its own (A with gravity),
//   Psi' = V_p x S,   Psi'' = A_p x S + V_p x Psi',   S' = V x S
//   dtau_i/dq_j = S_i'(2 B_i Psi'_j + I_i Psi''_j),                dtau_i/dv_j = S_i'(2 B_i S_j + I_i (Psi'_j + S'_j))
//   dtau_j/dq_i = S_j'(2 B_i Psi'_i + I_i Psi''_i + S_i x* f_i),   dtau_j/dv_i = S_j'(2 B_i S_i + I_i (Psi'_i + S'_i))
// for j inboard of i, with composites I, B, f of everything outboard of i. B = (v x* I - I v x + (I v) x*) / 2 has with
// the momentum p and the first moment c about the point only the blocks
//   B_ww = w x I_ww - tr(I_ww) w x / 2 - c x v x,   B_vw = -p x.
#pragma once
#include <vector>

#include "forward.hpp"
#include "rigid.hpp"

namespace mubo {

struct SpatialMotion {
    Vector w, v;
};
inline SpatialMotion operator+(const SpatialMotion& a, const SpatialMotion& b) {
    return {a.w + b.w, a.v + b.v};
}
inline SpatialMotion cross(const SpatialMotion& a, const SpatialMotion& b) {
    return {cross(a.w, b.w), cross(a.w, b.v) + cross(a.v, b.w)};
}
inline Wrench cross_force(const SpatialMotion& a, const Wrench& f) {
    return {cross(a.w, f.n) + cross(a.v, f.f), cross(a.w, f.f)};
}
inline double power(const SpatialMotion& a, const Wrench& f) {
    return dot(a.w, f.n) + dot(a.v, f.f);
}
inline Wrench operator+(const Wrench& a, const Wrench& b) {
    return {a.n + b.n, a.f + b.f};
}
inline Wrench operator*(double k, const Wrench& a) {
    return {k * a.n, k * a.f};
}
// A wrench about a point at the distance d behind the one that it is given about.
inline Wrench shifted(const Wrench& f, const Vector& d) {
    return {f.n + cross(d, f.f), f.f};
}

// Inertia, velocity-product matrix and force of all links outboard of a joint, itself included.
struct Composite {
    double m;
    Vector c;  // first moment
    Symmetric3<double> I;
    Matrix3<double> B;  // B_ww
    Vector p;           // momentum
    Wrench f;

    Wrench inertia(const SpatialMotion& u) const { return {I * u.w + cross(c, u.v), m * u.v + cross(u.w, c)}; }
    Wrench twice_B(const SpatialMotion& u) const { return {2.0 * (B * u.w), 2.0 * cross(u.w, p)}; }
    // 2 B'u, which acts on angular velocities alone.
    Vector twice_transposed_B(const SpatialMotion& u) const { return 2.0 * (transposed_times(B, u.w) + cross(p, u.v)); }
};

inline void add(const Composite& k, Composite& to) {
    to.m += k.m, to.c += k.c, to.I = to.I + k.I, to.p += k.p, to.f = to.f + k.f;
    to.B.x += k.B.x, to.B.y += k.B.y, to.B.z += k.B.z;
}

// A degree of freedom: its unit motion S and the derivatives of it.
struct Column {
    SpatialMotion S, psi, psi2, both;  // S, Psi', Psi'', Psi' + S'
};

struct DerivativeWork {
    std::vector<Column> column;        // of each velocity
    std::vector<Composite> composite;  // of each link
    std::vector<SpatialMotion> V, A;   // of each link, ground first
    Vector point{0, 0, 0};             // that everything is about

    explicit DerivativeWork(const TreeSystem& s)
        : column(s.velocities), composite(s.links()), V(s.links() + 1), A(s.links() + 1) {}
    Vector distance(const LinkWork& k) const { return k.at.r - point; }
};

// Axis of degree of freedom c of a link.
inline Vector axis_at(const Link& l, const LinkWork& k, int c) {
    if (kind_velocities[l.kind] == 1) return k.a;
    const Matrix3<double>& axes = l.kind == ball ? k.at.R : k.axes;
    return c == 0 ? axes.x : c == 1 ? axes.y : axes.z;
}
// Unit motion of degree of freedom c of a link whose origin is at the distance d from the point.
inline SpatialMotion unit_motion(const Link& l, const LinkWork& k, int c, const Vector& d) {
    const Vector a = axis_at(l, k, c);
    if (l.kind == slide || l.kind == shift) return {{0, 0, 0}, a};
    return {a, l.kind == screw ? cross(d, a) + l.pitch * a : cross(d, a)};
}

// Velocity and acceleration of a link as spatial vectors about the point at the distance -d from its origin.
inline void spatial_motion(const LinkWork& k, const Vector& d, SpatialMotion& V, SpatialMotion& A) {
    V = {k.at.w, k.at.v - cross(k.at.w, d)};
    A = {k.alpha, k.acc - cross(k.alpha, d) - cross(k.at.w, k.at.v)};
}

inline Composite rigid_composite(const Link& l, const LinkWork& k, const Vector& d, const SpatialMotion& V,
                                 const SpatialMotion& A) {
    if (l.massless) return {};
    Composite out{};
    const Vector &h = k.h, &w = V.w, &v = V.v;
    out.m = l.m, out.c = h + l.m * d;
    const Vector both = h + out.c;  // I about the point: I + m(...)(d + h/m) - m(...)(h/m), without a division
    const double trace = dot(d, both);
    const auto off = [&](double dx, double dy, double hx, double hy) { return -(dx * hy + hx * dy + l.m * dx * dy); };
    out.I = k.A + Symmetric3<double>{trace - d.x * both.x,    trace - d.y * both.y,    trace - d.z * both.z,
                                     off(d.x, d.y, h.x, h.y), off(d.x, d.z, h.x, h.z), off(d.y, d.z, h.y, h.z)};
    const Wrench momentum = out.inertia(V);
    out.p = momentum.f;
    out.f = out.inertia(A) + cross_force(V, momentum);
    const Symmetric3<double>& I = out.I;
    const double half = 0.5 * (I.xx + I.yy + I.zz), cv = dot(out.c, v);
    const Vector& c = out.c;
    // w x (I - half 1) - v c' + (c.v) 1, by columns
    out.B = {cross(w, Vector{I.xx - half, I.xy, I.xz}) - c.x * v + Vector{cv, 0, 0},
             cross(w, Vector{I.xy, I.yy - half, I.yz}) - c.y * v + Vector{0, cv, 0},
             cross(w, Vector{I.xz, I.yz, I.zz - half}) - c.z * v + Vector{0, 0, cv}};
    return out;
}

// Columns and composites at the motion in `work`, which must be that of positions, velocities and accelerations with
// gravity; inertias are evaluated here.
inline void gather(const TreeSystem& s, TreeWork& work, DerivativeWork& d) {
    d.point = s.links() ? work.of(0).at.r : Vector{0, 0, 0};
    d.V[0] = {{0, 0, 0}, {0, 0, 0}}, d.A[0] = {{0, 0, 0}, work.entry[0].acc};
    for (int i = 0; i < s.links(); ++i) {
        const Link& l = s.link[i];
        LinkWork& k = work.of(i);
        evaluate_inertia(l, k);
        const Vector at = d.distance(k);
        SpatialMotion &V = d.V[i + 1], &A = d.A[i + 1];
        spatial_motion(k, at, V, A);
        d.composite[i] = rigid_composite(l, k, at, V, A);
        const SpatialMotion &Vp = d.V[l.parent + 1], &Ap = d.A[l.parent + 1];
        for (int c = 0; c < kind_velocities[l.kind]; ++c) {
            Column& u = d.column[l.v + c];
            u.S = unit_motion(l, k, c, at);
            u.psi = cross(Vp, u.S);
            u.psi2 = cross(Ap, u.S) + cross(Vp, u.psi);
            u.both = u.psi + cross(V, u.S);
        }
    }
    for (int i = s.links() - 1; i >= 0; --i)
        if (s.link[i].parent >= 0) add(d.composite[i], d.composite[s.link[i].parent]);
}

// Adds the derivatives of inverse dynamics by q (along velocities) and by v to Dq and Dv, and sets M: [velocities] x
// [velocities] each.
inline void inverse_derivatives(const TreeSystem& s, const DerivativeWork& d, double* M, double* Dq, double* Dv) {
    const int n = s.velocities;
    for (int i = s.links() - 1; i >= 0; --i) {
        const Link& l = s.link[i];
        const Composite& k = d.composite[i];
        for (int c = l.v; c < l.v + kind_velocities[l.kind]; ++c) {
            const Column& u = d.column[c];
            const Wrench IS = k.inertia(u.S), moved = k.twice_B(u.psi) + k.inertia(u.psi2);
            const Wrench hastened = k.twice_B(u.S) + k.inertia(u.both), all = moved + cross_force(u.S, k.f);
            const Vector BS = k.twice_transposed_B(u.S);
            for (int r = l.v; r < l.v + kind_velocities[l.kind]; ++r) {
                const SpatialMotion& S = d.column[r].S;
                M[r * n + c] = power(S, IS), Dq[r * n + c] += power(S, moved), Dv[r * n + c] += power(S, hastened);
            }
            M[c * n + c] += l.armature;
            for (int j = l.parent; j >= 0; j = s.link[j].parent) {
                const Link& m = s.link[j];
                for (int r = m.v; r < m.v + kind_velocities[m.kind]; ++r) {
                    const Column& o = d.column[r];
                    M[r * n + c] = M[c * n + r] = power(o.S, IS);
                    Dq[r * n + c] += power(o.S, all);
                    Dq[c * n + r] += dot(BS, o.psi.w) + power(o.psi2, IS);
                    Dv[r * n + c] += power(o.S, hastened);
                    Dv[c * n + r] += dot(BS, o.S.w) + power(o.both, IS);
                }
            }
        }
    }
}

}  // namespace mubo
