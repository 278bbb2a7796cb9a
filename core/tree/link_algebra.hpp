// The algebra of the recursions for two cases: links that move in space, and links that all move in the x-y plane.
//
// In the plane an angular quantity is its z, a vector its x and y; of the 21 numbers of [A B; B' M] six remain: A.zz,
// the third row of B, and M.xx, M.yy, M.xy. A.xx and M.zz sum the inertia of the links as if all joints were locked:
// the scale of rounding. The recursions themselves (dynamics.hpp, ../dynamics/loop_recursion.hpp) are written once for
// both.
#pragma once
#include <cmath>

#include "aba.hpp"

namespace mubo {

// Sets the rigid-body inertia [A B; B' M] of a link, with which the articulated-body recursion starts.
inline void set_rigid_body_inertia(const Link& l, LinkWork& k) {
    evaluate_inertia(l, k);
    const Vector& h = k.h;
    k.B = {{0, h.z, -h.y}, {-h.z, 0, h.x}, {h.y, -h.x, 0}};
    k.M = {l.m, l.m, l.m, 0, 0, 0};
}

struct SpatialLinks {
    using Effort = Vector;  // S'K of up to three degrees of freedom

    static void move(const Link& l, const double* q, const double* v, const double* a, const LinkWork& p, LinkWork& k) {
        move_link(l, q, v, a, p, k);
    }
    static void evaluate_inertia(const Link& l, LinkWork& k) { set_rigid_body_inertia(l, k); }
    static void inertial_wrench(const Link& l, LinkWork& k) { newton_euler(l, k); }
    static Status articulate(const Link& l, LinkWork& k, const double* tau, LinkWork& parent) {
        return mubo::articulate(l, k, tau, parent);
    }
    static void accelerate(const Link& l, const LinkWork& parent, LinkWork& k, double* a) {
        mubo::accelerate(l, parent, k, a);
    }

    static double times(const Wrench& K, const LinkWork& k) { return dot(K.n, k.alpha) + dot(K.f, k.acc); }
    static void add(double part, const Wrench& K, Wrench& to) { to.n += part * K.n, to.f += part * K.f; }
    // I += g K K', p += g c K
    static void absorb(const Wrench& K, double g, double c, LinkWork& k) {
        const Vector n = g * K.n, f = g * K.f;
        k.A = k.A + Symmetric3<double>{n.x * K.n.x, n.y * K.n.y, n.z * K.n.z, n.x * K.n.y, n.x * K.n.z, n.y * K.n.z};
        k.M = k.M + Symmetric3<double>{f.x * K.f.x, f.y * K.f.y, f.z * K.f.z, f.x * K.f.y, f.x * K.f.z, f.y * K.f.z};
        k.B.x += f.x * K.n, k.B.y += f.y * K.n, k.B.z += f.z * K.n;
        k.p.n += c * n, k.p.f += c * f;
    }

    static bool three(const Link& l) { return l.kind == ball || l.kind == shift; }
    static Effort effort(const Link& l, const LinkWork& k, const Wrench& K) {
        if (l.kind == ball) return K.n;
        if (l.kind == shift) return K.f;
        double along[3] = {};
        joint_effort(l, k, K, along);
        return {along[0], 0, 0};
    }
    static Effort divided(const Link& l, const LinkWork& k, const Effort& y) {
        return three(l) ? k.D3 * y : Vector{k.D * y.x, 0, 0};
    }
    static double product(const Effort& a, const Effort& b) { return dot(a, b); }
    static Effort push(const Link& l, const LinkWork& k) { return three(l) ? k.u3 : Vector{k.u, 0, 0}; }
    static void relieve(const Link& l, double lam, const Effort& y, LinkWork& k) {
        if (three(l))
            k.u3 -= lam * y;
        else
            k.u -= lam * y.x;
    }
    // K - U Dy: the part of a row that a joint transmits.
    static Wrench remainder(const Link& l, const LinkWork& k, Wrench K, const Effort& Dy) {
        if (l.kind == ball && l.armature > 0) return {K.n - k.A * Dy, K.f - transposed_times(k.B, Dy)};
        if (l.kind == ball) return {{0, 0, 0}, K.f - transposed_times(k.B, Dy)};
        if (l.kind == shift) return {K.n - k.B * Dy, {0, 0, 0}};
        return {K.n - Dy.x * k.Uw, K.f - Dy.x * k.Uv};
    }
    static void hand_on(const Wrench& K, const Vector& s, Wrench& to) { to.n += K.n + cross(s, K.f), to.f += K.f; }
};

struct PlanarLinks {
    using Effort = double;

    // The formulas of move_link: turns about z, slides across it.
    static void move(const Link& l, const double* q, const double* v, const double* a, const LinkWork& p, LinkWork& k) {
        const Vector &X = p.at.R.x, &r0 = l.r0;
        double c = X.x, s = X.y, w = p.at.w.z, alpha = p.alpha.z;
        double x = c * r0.x - s * r0.y, y = s * r0.x + c * r0.y;
        if (!l.straight) c = X.x * l.R0.x.x - X.y * l.R0.x.y, s = X.y * l.R0.x.x + X.x * l.R0.x.y;
        k.plane_angle = p.plane_angle + l.offset;
        double vx = 0, vy = 0, ax = 0, ay = 0;
        if (l.kind == turn) {
            const double C = std::cos(q[l.q]), S = l.sense * std::sin(q[l.q]), jc = c, js = s;
            c = jc * C - js * S, s = js * C + jc * S;
            k.plane_angle += l.sense * q[l.q];
            k.a = {0, 0, l.sense};
            w += l.sense * v[l.v], alpha += l.sense * a[l.v];
        } else if (l.kind == slide) {
            const double ex = c * l.axis.x - s * l.axis.y, ey = s * l.axis.x + c * l.axis.y;
            k.a = {ex, ey, 0};
            x += q[l.q] * ex, y += q[l.q] * ey;
            vx = v[l.v] * ex, vy = v[l.v] * ey, ax = a[l.v] * ex, ay = a[l.v] * ey;
        }
        const double wp = p.at.w.z, bp = p.alpha.z, dx = -wp * y, dy = wp * x;  // w_p x s
        k.s = {x, y, 0};
        k.at = {{{c, s, 0}, {-s, c, 0}, {0, 0, 1}},
                {p.at.r.x + x, p.at.r.y + y, 0},
                {0, 0, w},
                {p.at.v.x + dx + vx, p.at.v.y + dy + vy, 0}};
        k.alpha = {0, 0, alpha};
        k.acc = {p.acc.x - bp * y - wp * (dy + 2 * vy) + ax, p.acc.y + bp * x + wp * (dx + 2 * vx) + ay, 0};
    }
    static void evaluate_inertia(const Link& l, LinkWork& k) {
        const Vector &R = k.at.R.x, &h = l.h;
        k.h = {R.x * h.x - R.y * h.y, R.y * h.x + R.x * h.y, 0};
        k.A.xx = k.A.zz = l.I.zz;
        k.B.x.z = -k.h.y, k.B.y.z = k.h.x;
        k.M.xx = k.M.yy = k.M.zz = l.m, k.M.xy = 0;
    }
    static void inertial_wrench(const Link& l, LinkWork& k) {
        const double w2 = k.at.w.z * k.at.w.z, alpha = k.alpha.z;
        const Vector &h = k.h, &acc = k.acc;
        k.p = {{0, 0, l.I.zz * alpha + h.x * acc.y - h.y * acc.x},
               {l.m * acc.x - alpha * h.y - w2 * h.x, l.m * acc.y + alpha * h.x - w2 * h.y, 0}};
    }

    // The articulated inertia and p without the joint's degree of freedom: by U, D and u as in articulate_one.
    static Status articulate(const Link& l, LinkWork& k, const double* tau, LinkWork& parent) {
        if (l.kind == weld || l.law >= 0) {
            if (l.parent >= 0) add_to_parent(k, 0, 0, parent);
            return done;
        }
        const double bx = k.B.x.z, by = k.B.y.z;
        double size, along, D;
        if (l.kind == turn) {
            k.Uw.z = k.a.z * k.A.zz, k.Uv.x = k.a.z * bx, k.Uv.y = k.a.z * by;
            D = k.A.zz, size = k.A.xx, along = k.a.z * k.p.n.z;
        } else {
            k.Uw.z = bx * k.a.x + by * k.a.y;
            k.Uv.x = k.M.xx * k.a.x + k.M.xy * k.a.y, k.Uv.y = k.M.xy * k.a.x + k.M.yy * k.a.y;
            D = k.a.x * k.Uv.x + k.a.y * k.Uv.y, size = k.M.zz, along = k.a.x * k.p.f.x + k.a.y * k.p.f.y;
        }
        D += l.armature;
        if (!(D > least_inertia * size)) return without_inertia(D);
        k.D = 1 / D;
        k.u = tau[l.v] - along;
        if (l.parent >= 0) add_to_parent(k, k.D, k.u, parent);
        return done;
    }
    static void accelerate(const Link& l, const LinkWork& parent, LinkWork& k, double* a) {
        const double angular_acceleration = parent.alpha.z;
        k.alpha.z = angular_acceleration, k.acc.x = parent.acc.x - angular_acceleration * k.s.y,
        k.acc.y = parent.acc.y + angular_acceleration * k.s.x;
        if (l.kind == weld || l.law >= 0) return;
        const double found = k.D * (k.u - k.Uw.z * angular_acceleration - k.Uv.x * k.acc.x - k.Uv.y * k.acc.y);
        a[l.v] = found;
        if (l.kind == turn)
            k.alpha.z += found * k.a.z;
        else
            k.acc.x += found * k.a.x, k.acc.y += found * k.a.y;
    }

    static double times(const Wrench& K, const LinkWork& k) {
        return K.n.z * k.alpha.z + K.f.x * k.acc.x + K.f.y * k.acc.y;
    }
    static void add(double part, const Wrench& K, Wrench& to) {
        to.n.z += part * K.n.z, to.f.x += part * K.f.x, to.f.y += part * K.f.y;
    }
    static void absorb(const Wrench& K, double g, double c, LinkWork& k) {
        const double n = g * K.n.z, x = g * K.f.x, y = g * K.f.y;
        k.A.xx += n * K.n.z, k.M.zz += x * K.f.x + y * K.f.y;
        k.A.zz += n * K.n.z, k.B.x.z += x * K.n.z, k.B.y.z += y * K.n.z;
        k.M.xx += x * K.f.x, k.M.yy += y * K.f.y, k.M.xy += x * K.f.y;
        k.p.n.z += c * n, k.p.f.x += c * x, k.p.f.y += c * y;
    }

    static Effort effort(const Link& l, const LinkWork& k, const Wrench& K) {
        return l.kind == turn ? k.a.z * K.n.z : k.a.x * K.f.x + k.a.y * K.f.y;
    }
    static Effort divided(const Link&, const LinkWork& k, Effort y) { return k.D * y; }
    static double product(Effort a, Effort b) { return a * b; }
    static Effort push(const Link&, const LinkWork& k) { return k.u; }
    static void relieve(const Link&, double lam, Effort y, LinkWork& k) { k.u -= lam * y; }
    static Wrench remainder(const Link&, const LinkWork& k, const Wrench& K, Effort Dy) {
        return {{0, 0, K.n.z - Dy * k.Uw.z}, {K.f.x - Dy * k.Uv.x, K.f.y - Dy * k.Uv.y, 0}};
    }
    static void hand_on(const Wrench& K, const Vector& s, Wrench& to) {
        to.n.z += K.n.z + s.x * K.f.y - s.y * K.f.x, to.f.x += K.f.x, to.f.y += K.f.y;
    }

  private:
    // Adds I^A - U D U' and p + U D u, transformed to the parent's origin.
    static void add_to_parent(const LinkWork& k, double D, double u, LinkWork& to) {
        const double w = k.Uw.z, x = k.Uv.x, y = k.Uv.y, dw = D * w, dx = D * x, dy = D * y;
        const double bx = k.B.x.z - x * dw, by = k.B.y.z - y * dw, xx = k.M.xx - x * dx, yy = k.M.yy - y * dy,
                     xy = k.M.xy - x * dy;
        const double sx = k.s.x, sy = k.s.y, cx = bx + sx * xy - sy * xx, cy = by + sx * yy - sy * xy;
        to.A.zz += k.A.zz - w * dw + sx * (by + cy) - sy * (bx + cx);
        to.A.xx += k.A.xx + (sx * sx + sy * sy) * k.M.zz, to.M.zz += k.M.zz;
        to.B.x.z += cx, to.B.y.z += cy;
        to.M.xx += xx, to.M.yy += yy, to.M.xy += xy;
        const double fx = k.p.f.x + u * dx, fy = k.p.f.y + u * dy;
        to.p.n.z += k.p.n.z + u * dw + sx * fy - sy * fx;
        to.p.f.x += fx, to.p.f.y += fy;
    }
};

}  // namespace mubo
