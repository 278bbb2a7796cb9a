// Forward kinematics: pose, velocity and acceleration of every link from q, v, a, from the ground outwards.
//
// All vectors are in ground axes about the link's own origin, so the transform X from link to link is a shift by s
// only. Accelerations are those of the origin itself (Featherstone 2008, section 2.11, a' there), so with the parent p,
//   w = w_p + S_w v,   v_O = v_p + w_p x s + S_v v
//   alpha = alpha_p + S_w a + w_p x S_w v,   acc = acc_p + alpha_p x s + w_p x (w_p x s) + S_v a + 2 w_p x S_v v
#pragma once
#include <cmath>

#include "work.hpp"

namespace mubo {

// The frame J rotated about one of its own axes.
template <int k>
inline Matrix3<double> turned_about(const Matrix3<double>& J, double c, double s) {
    if constexpr (k == 0) return {J.x, c * J.y + s * J.z, c * J.z - s * J.y};
    if constexpr (k == 1) return {c * J.x - s * J.z, J.y, c * J.z + s * J.x};
    if constexpr (k == 2) return {c * J.x + s * J.y, c * J.y - s * J.x, J.z};
}
inline Matrix3<double> turned_by(const Link& l, const Matrix3<double>& J, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    switch (l.along) {
        case 0:
            return turned_about<0>(J, c, s);
        case 1:
            return turned_about<1>(J, c, s);
        case 2:
            return turned_about<2>(J, c, s);
        default:
            return J * rotation(l.axis, c, s);
    }
}
inline Vector axis_of(const Link& l, const Matrix3<double>& J) {
    switch (l.along) {
        case 0:
            return J.x;
        case 1:
            return J.y;
        case 2:
            return J.z;
        default:
            return J * l.axis;
    }
}

// The quaternion of a ball, of any length.
inline Quaternion<double> quaternion_at(const double* q) {
    return {q[0], q[1], q[2], q[3]};
}

inline void move_link(const Link& l, const double* q, const double* v, const double* a, const LinkWork& p,
                      LinkWork& k) {
    q += l.q, v += l.v, a += l.v;
    const Matrix3<double> J = l.straight ? p.at.R : p.at.R * l.R0;
    const Vector wp = p.at.w;
    k.plane_angle = p.plane_angle + l.offset;
    Vector s = p.at.R * l.r0, v_rel{0, 0, 0}, a_rel{0, 0, 0};
    Vector w = wp, alpha = p.alpha;
    switch (l.kind) {
        case weld:
            k.at.R = J;
            break;
        case turn:
        case screw: {
            k.a = axis_of(l, J);
            k.at.R = turned_by(l, J, q[0]);
            k.plane_angle += l.sense * q[0];
            const Vector spin = v[0] * k.a;
            w += spin;
            alpha += a[0] * k.a + cross(wp, spin);
            if (l.kind == turn) break;
            s += (l.pitch * q[0]) * k.a;
            v_rel = l.pitch * spin;
            a_rel = (l.pitch * a[0]) * k.a;
            break;
        }
        case slide:
            k.a = axis_of(l, J);
            k.at.R = J;
            s += q[0] * k.a;
            v_rel = v[0] * k.a;
            a_rel = a[0] * k.a;
            break;
        case ball: {
            k.at.R = J * rotation(quaternion_at(q));
            const Vector spin = k.at.R * Vector{v[0], v[1], v[2]};
            w += spin;
            alpha += k.at.R * Vector{a[0], a[1], a[2]} + cross(wp, spin);
            break;
        }
        case shift:
            k.at.R = k.axes = J;
            s += J * Vector{q[0], q[1], q[2]};
            v_rel = J * Vector{v[0], v[1], v[2]};
            a_rel = J * Vector{a[0], a[1], a[2]};
            break;
    }
    const Vector dragged = cross(wp, s);
    k.s = s;
    k.at.r = p.at.r + s;
    k.at.w = w;
    k.at.v = p.at.v + dragged + v_rel;
    k.alpha = alpha;
    k.acc = p.acc + cross(p.alpha, s) + cross(wp, dragged + 2.0 * v_rel) + a_rel;
}

// Initialises the ground: its acceleration, and no force yet.
inline void begin(const Vector& ground, TreeWork& work) {
    work.entry[0].acc = ground;
    work.entry[0].p = {{0, 0, 0}, {0, 0, 0}};
}

// Poses, velocities and accelerations of all links; the ground accelerates by `ground`.
inline void move(const TreeSystem& s, const double* q, const double* v, const double* a, const Vector& ground,
                 TreeWork& work) {
    begin(ground, work);
    for (int k = 0; k < s.links(); ++k) move_link(s.link[k], q, v, a, work.of(s.link[k].parent), work.of(k));
}

// Driven entries of q, v, a at time t.
inline void drive(const TreeSystem& s, double t, TreeWork& work, double* q, double* v, double* a) {
    if (!s.driven) return;
    const double inside_span = work.inside_span(t);
    for (const Link& l : s.link) {
        if (l.law < 0) continue;
        const TimeLaw& f = s.law[l.law];
        const int piece = f.piece(inside_span);
        q[l.q] = f.on(piece, t, 0);
        v[l.v] = f.on(piece, t, 1);
        a[l.v] = f.on(piece, t, 2);
    }
}

// Changes q by a small x; quaternions keep unit length.
inline void move_positions(const TreeSystem& s, const double* x, double* q) {
    for (const Link& l : s.link) {
        if (l.kind == ball) {
            const Quaternion<double> p = quaternion_at(q + l.q), d = rate(p, Vector{x[l.v], x[l.v + 1], x[l.v + 2]});
            const Quaternion<double> n{p.w + d.w, p.x + d.x, p.y + d.y, p.z + d.z};
            const double k = 1 / std::sqrt(square(n));
            q[l.q] = k * n.w, q[l.q + 1] = k * n.x, q[l.q + 2] = k * n.y, q[l.q + 3] = k * n.z;
        } else {
            for (int k = 0; k < kind_velocities[l.kind]; ++k) q[l.q + k] += x[l.v + k];
        }
    }
}

// Orientations of all links as products of quaternions, so that they are continuous over many turns of a joint.
inline void orient(const TreeSystem& s, const double* q, Quaternion<double>* out) {
    for (int k = 0; k < s.links(); ++k) {
        const Link& l = s.link[k];
        out[k] = l.parent < 0 ? l.q0 : out[l.parent] * l.q0;
        if (l.kind == turn || l.kind == screw) {
            const double c = std::cos(0.5 * q[l.q]), n = std::sin(0.5 * q[l.q]);
            out[k] = out[k] * Quaternion<double>{c, n * l.axis.x, n * l.axis.y, n * l.axis.z};
        } else if (l.kind == ball) {
            out[k] = out[k] * quaternion_at(q + l.q);
        }
        const double length = std::sqrt(square(out[k]));
        out[k] = {out[k].w / length, out[k].x / length, out[k].y / length, out[k].z / length};
    }
}

}  // namespace mubo
