// Forward dynamics by the articulated-body algorithm (Featherstone 2008, section 7.3, table 7.1), hybrid where links
// are driven (section 9.2): accelerations from efforts and loads, and the efforts of drivers. O(n).
//
// The velocity products c_i of the book are carried outwards first, as the accelerations of the motion with a = 0 at
// free joints (and of gravity), so p here is the Newton-Euler force of that motion and pass 3 finds only what is added
// to it.
//   pass 1  w, v, accelerations at a = 0;  I^A = I;  p = force of that motion - loads
//   pass 2  U = I^A S;  D = S'U + armature;  u = tau - S'p;  I^a = I^A - U D^-1 U';  p^a = p + U D^-1 u;  both added to
//   the parent pass 3  d = X d_parent;  a = D^-1 (u - U'd);  d += S a
#pragma once
#include <cmath>

#include "../loads/gravity.hpp"
#include "apply.hpp"
#include "forward.hpp"
#include "rigid.hpp"
#include "rnea.hpp"

namespace mubo {

// A degree of freedom whose D falls below this fraction of the surrounding inertia has no inertia: D is rounding.
constexpr double least_inertia = 1e-13;

// Adds I^A and p of a link, transformed to its parent's origin at the distance s, to those of the parent.
inline void add_to_parent(const Symmetric3<double>& A, const Matrix3<double>& B, const Symmetric3<double>& M,
                          const Wrench& p, const Vector& s, LinkWork& to) {
    // B + s x M, column by column.
    const Matrix3<double> C{B.x + cross(s, Vector{M.xx, M.xy, M.xz}), B.y + cross(s, Vector{M.xy, M.yy, M.yz}),
                            B.z + cross(s, Vector{M.xz, M.yz, M.zz})};
    // A + s x B' - C s x, of which one triangle is enough.
    to.A.xx += A.xx + (s.y * B.z.x - s.z * B.y.x) - (s.z * C.y.x - s.y * C.z.x);
    to.A.yy += A.yy + (s.z * B.x.y - s.x * B.z.y) - (s.x * C.z.y - s.z * C.x.y);
    to.A.zz += A.zz + (s.x * B.y.z - s.y * B.x.z) - (s.y * C.x.z - s.x * C.y.z);
    to.A.xy += A.xy + (s.y * B.z.y - s.z * B.y.y) - (s.x * C.z.x - s.z * C.x.x);
    to.A.xz += A.xz + (s.y * B.z.z - s.z * B.y.z) - (s.y * C.x.x - s.x * C.y.x);
    to.A.yz += A.yz + (s.z * B.x.z - s.x * B.z.z) - (s.y * C.x.y - s.x * C.y.y);
    to.B.x += C.x, to.B.y += C.y, to.B.z += C.z;
    to.M = to.M + M;
    to.p.f += p.f;
    to.p.n += p.n + cross(s, p.f);
}

// Adds I^A and p to the parent where A and B vanish, as outboard of a ball joint.
inline void add_to_parent(const Symmetric3<double>& M, const Wrench& p, const Vector& s, LinkWork& to) {
    const Matrix3<double> C{cross(s, Vector{M.xx, M.xy, M.xz}), cross(s, Vector{M.xy, M.yy, M.yz}),
                            cross(s, Vector{M.xz, M.yz, M.zz})};
    to.A.xx -= s.z * C.y.x - s.y * C.z.x;
    to.A.yy -= s.x * C.z.y - s.z * C.x.y;
    to.A.zz -= s.y * C.x.z - s.x * C.y.z;
    to.A.xy -= s.x * C.z.x - s.z * C.x.x;
    to.A.xz -= s.y * C.x.x - s.x * C.y.x;
    to.A.yz -= s.y * C.x.y - s.x * C.y.y;
    to.B.x += C.x, to.B.y += C.y, to.B.z += C.z;
    to.M = to.M + M;
    to.p.f += p.f;
    to.p.n += p.n + cross(s, p.f);
}

// X - L' D L for symmetric D and the columns of L.
inline Symmetric3<double> subtract_congruent(const Symmetric3<double>& X, const Symmetric3<double>& D,
                                             const Matrix3<double>& L) {
    const Vector x = D * L.x, y = D * L.y, z = D * L.z;
    return {X.xx - dot(L.x, x), X.yy - dot(L.y, y), X.zz - dot(L.z, z),
            X.xy - dot(L.x, y), X.xz - dot(L.x, z), X.yz - dot(L.y, z)};
}
inline Matrix3<double> transposed(const Matrix3<double>& B) {
    return {{B.x.x, B.y.x, B.z.x}, {B.x.y, B.y.y, B.z.y}, {B.x.z, B.y.z, B.z.z}};
}
inline double trace(const Symmetric3<double>& A) {
    return A.xx + A.yy + A.zz;
}
inline Status without_inertia(double D) {
    return std::isfinite(D) ? zero_inertia : not_finite;
}

// Pass 2 of a link with one degree of freedom.
inline Status articulate_one(const Link& l, LinkWork& k, double tau, LinkWork& parent) {
    double size, along;
    if (l.kind == turn) {
        k.Uw = k.A * k.a, k.Uv = transposed_times(k.B, k.a);
        k.D = dot(k.a, k.Uw), size = trace(k.A), along = dot(k.a, k.p.n);
    } else if (l.kind == slide) {
        k.Uw = k.B * k.a, k.Uv = k.M * k.a;
        k.D = dot(k.a, k.Uv), size = trace(k.M), along = dot(k.a, k.p.f);
    } else {
        const Vector t = l.pitch * k.a;
        k.Uw = k.A * k.a + k.B * t, k.Uv = transposed_times(k.B, k.a) + k.M * t;
        k.D = dot(k.a, k.Uw) + dot(t, k.Uv), size = trace(k.A) + l.pitch * l.pitch * trace(k.M);
        along = dot(k.a, k.p.n) + dot(t, k.p.f);
    }
    k.D += l.armature;
    if (!(k.D > least_inertia * size)) return without_inertia(k.D);
    k.D = 1 / k.D;
    k.u = tau - along;
    if (l.parent < 0) return done;
    const Vector &w = k.Uw, &v = k.Uv, dw = k.D * w, dv = k.D * v;
    const Symmetric3<double> A{k.A.xx - w.x * dw.x, k.A.yy - w.y * dw.y, k.A.zz - w.z * dw.z,
                               k.A.xy - w.x * dw.y, k.A.xz - w.x * dw.z, k.A.yz - w.y * dw.z};
    const Symmetric3<double> M{k.M.xx - v.x * dv.x, k.M.yy - v.y * dv.y, k.M.zz - v.z * dv.z,
                               k.M.xy - v.x * dv.y, k.M.xz - v.x * dv.z, k.M.yz - v.y * dv.z};
    const Matrix3<double> B{k.B.x - v.x * dw, k.B.y - v.y * dw, k.B.z - v.z * dw};
    add_to_parent(A, B, M, {k.p.n + k.u * dw, k.p.f + k.u * dv}, k.s, parent);
    return done;
}

// Pass 2 of a ball with reflected inertia, which transmits a part of the moment too: U = (A, B), D = A + armature.
inline Status articulate_geared_ball(const Link& l, LinkWork& k, const double* tau, LinkWork& parent) {
    const Symmetric3<double> geared = k.A + Symmetric3<double>{l.armature, l.armature, l.armature, 0, 0, 0};
    if (!inverse(geared, least_inertia, k.D3)) return without_inertia(trace(geared));
    k.u3 = k.at.R * Vector{tau[0], tau[1], tau[2]} - k.p.n;
    if (l.parent < 0) return done;
    const Matrix3<double> A{{k.A.xx, k.A.xy, k.A.xz}, {k.A.xy, k.A.yy, k.A.yz}, {k.A.xz, k.A.yz, k.A.zz}};
    const Matrix3<double> DB{k.D3 * k.B.x, k.D3 * k.B.y, k.D3 * k.B.z};
    const Matrix3<double> B{k.B.x - A * DB.x, k.B.y - A * DB.y, k.B.z - A * DB.z};
    const Vector Du = k.D3 * k.u3;
    add_to_parent(subtract_congruent(k.A, k.D3, A), B, subtract_congruent(k.M, k.D3, k.B),
                  {k.p.n + A * Du, k.p.f + transposed_times(k.B, Du)}, k.s, parent);
    return done;
}

// Pass 2 of a ball: S = (1, 0) in ground axes. The joint transmits force, and the moment tau of the joint itself.
inline Status articulate_ball(const Link& l, LinkWork& k, const double* tau, LinkWork& parent) {
    if (l.armature > 0) return articulate_geared_ball(l, k, tau, parent);
    if (!inverse(k.A, least_inertia, k.D3)) return without_inertia(trace(k.A));
    k.u3 = k.at.R * Vector{tau[0], tau[1], tau[2]} - k.p.n;
    if (l.parent >= 0)
        add_to_parent(subtract_congruent(k.M, k.D3, k.B), {k.p.n + k.u3, k.p.f + transposed_times(k.B, k.D3 * k.u3)},
                      k.s, parent);
    return done;
}

// Pass 2 of a shift: S = (0, 1) in ground axes. The joint transmits moment, and the force tau of the joint itself.
inline Status articulate_shift(const Link& l, LinkWork& k, const double* tau, LinkWork& parent) {
    if (!inverse(k.M, least_inertia, k.D3)) return without_inertia(trace(k.M));
    k.u3 = k.axes * Vector{tau[0], tau[1], tau[2]} - k.p.f;
    if (l.parent < 0) return done;
    const Symmetric3<double> A = subtract_congruent(k.A, k.D3, transposed(k.B));
    const Vector n = k.p.n + k.B * (k.D3 * k.u3), f = k.p.f + k.u3;
    parent.A = parent.A + A;
    parent.p.f += f;
    parent.p.n += n + cross(k.s, f);
    return done;
}

inline Status articulate(const Link& l, LinkWork& k, const double* tau, LinkWork& parent) {
    if (l.kind == weld || l.law >= 0) {
        if (l.parent >= 0) add_to_parent(k.A, k.B, k.M, k.p, k.s, parent);
        return done;
    }
    if (l.kind == ball) return articulate_ball(l, k, tau + l.v, parent);
    if (l.kind == shift) return articulate_shift(l, k, tau + l.v, parent);
    return articulate_one(l, k, tau[l.v], parent);
}

// Pass 3 of a link; alpha and acc are now d, which is added to the motion of pass 1.
inline void accelerate(const Link& l, const LinkWork& parent, LinkWork& k, double* a) {
    k.alpha = parent.alpha;
    k.acc = parent.acc + cross(parent.alpha, k.s);
    if (l.kind == weld || l.law >= 0) return;
    a += l.v;
    Vector t;
    if (l.kind == ball && l.armature > 0) {
        const Vector relative = k.D3 * (k.u3 - k.A * k.alpha - k.B * k.acc);
        t = transposed_times(k.at.R, relative);
        k.alpha += relative;
        a[0] = t.x, a[1] = t.y, a[2] = t.z;
    } else if (l.kind == ball) {
        const Vector total = k.D3 * (k.u3 - k.B * k.acc);
        t = transposed_times(k.at.R, total - k.alpha);
        k.alpha = total;
        a[0] = t.x, a[1] = t.y, a[2] = t.z;
    } else if (l.kind == shift) {
        const Vector total = k.D3 * (k.u3 - transposed_times(k.B, k.alpha));
        t = transposed_times(k.axes, total - k.acc);
        k.acc = total;
        a[0] = t.x, a[1] = t.y, a[2] = t.z;
    } else {
        a[0] = k.D * (k.u - dot(k.Uw, k.alpha) - dot(k.Uv, k.acc));
        if (l.kind != slide) k.alpha += a[0] * k.a;
        if (l.kind != turn) k.acc += (l.kind == slide ? a[0] : l.pitch * a[0]) * k.a;
    }
}

}  // namespace mubo
