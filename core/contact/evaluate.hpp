// Gap, contact point and rows of motion of a unit at the motion of the links in a workspace.
#pragma once
#include "../tree/forward.hpp"
#include "units.hpp"

namespace mubo {

// A body at the motion of its link: pose and twist of its origin, with acceleration.
struct MovingBody {
    Vector r, v, w, a, alpha;
    Matrix3<double> R;
    double angle;

    MovingBody(const BodyOnLink& b, const LinkWork& k) {
        const Vector s = k.at.R * b.r;
        r = k.at.r + s, w = k.at.w, alpha = k.alpha;
        v = k.at.v + cross(w, s);
        a = k.acc + cross(alpha, s) + cross(w, cross(w, s));
        R = k.at.R * b.R;
        angle = k.plane_angle + b.plane_angle;
    }
    Vector velocity(const Vector& at) const { return v + cross(w, at - r); }

    // The pose with its derivative by time.
    BodyFrame<Dual<1>> frame() const {
        return {dual(r, v), {dual(R.x, cross(w, R.x)), dual(R.y, cross(w, R.y)), dual(R.z, cross(w, R.z))}};
    }
    static Vector3<Dual<1>> dual(const Vector& x, const Vector& dx) {
        const auto one = [](double value, double rate) {
            Dual<1> y(value);
            y.d[0] = rate;
            return y;
        };
        return {one(x.x, dx.x), one(x.y, dx.y), one(x.z, dx.z)};
    }
};
inline Vector value_of(const Vector3<Dual<1>>& x) {
    return {x.x.v, x.y.v, x.z.v};
}
inline Vector rate_of(const Vector3<Dual<1>>& x) {
    return {x.x.d[0], x.y.d[0], x.z.d[0]};
}

inline const Vector& column_of(const Matrix3<double>& R, int i) {
    return i == 0 ? R.x : i == 1 ? R.y : R.z;
}

// Adds the row of a direction at a point (of an axis where it is angular) over the velocities of the links up to the
// ground.
inline void add_row(const TreeSystem& s, const TreeWork& work, int link, const Vector& d, const Vector& c, bool angular,
                    double sign, SparseRow& J) {
    for (int k = link; k >= 0; k = s.link[k].parent) {
        const Link& l = s.link[k];
        const LinkWork& w = work.of(k);
        const auto turning = [&](const Vector& axis) {
            return sign * (angular ? dot(axis, d) : dot(cross(axis, c - w.at.r), d));
        };
        const auto sliding = [&](const Vector& axis) { return angular ? 0 : sign * dot(axis, d); };
        if (l.kind == turn) J.add(l.v, turning(w.a));
        if (l.kind == slide) J.add(l.v, sliding(w.a));
        if (l.kind == screw) J.add(l.v, turning(w.a) + l.pitch * sliding(w.a));
        if (l.kind == ball)
            for (int i = 0; i < 3; ++i) J.add(l.v + i, turning(column_of(w.at.R, i)));
        if (l.kind == shift)
            for (int i = 0; i < 3; ++i) J.add(l.v + i, sliding(column_of(w.axes, i)));
    }
}

// The row of a direction d with its rate dd at a point c that moves with dc, A relative to B.
inline void fill_row(const TreeSystem& s, const TreeWork& work, const Unit& unit, const MovingBody& A,
                     const MovingBody& B, const Vector& d, const Vector& dd, const Vector& c, const Vector& dc,
                     bool angular, bool jacobian, UnitRow& row) {
    row.d = d;
    if (angular) {
        row.u = dot(d, A.w - B.w);
        row.bias = dot(dd, A.w - B.w);
    } else {
        row.u = dot(d, A.velocity(c) - B.velocity(c));
        row.bias = dot(d, cross(A.w, dc - A.v) - cross(B.w, dc - B.v)) + dot(dd, A.velocity(c) - B.velocity(c));
    }
    if (!jacobian) return;
    row.J.entry.clear();
    add_row(s, work, unit.body[0].link, d, c, angular, 1, row.J);
    add_row(s, work, unit.body[1].link, d, c, angular, -1, row.J);
}

// The rotation of gears A and B against their carrier C, which lies within the backlash.
inline void evaluate_gears(const TreeSystem& s, const TreeWork& work, const Unit& unit, bool jacobian, UnitState& out) {
    const MovingBody A(unit.body[0], work.of(unit.body[0].link)), B(unit.body[1], work.of(unit.body[1].link)),
        C(unit.carrier, work.of(unit.carrier.link));
    const double p = unit.factor[0], q = unit.factor[1];
    out.c = A.r, out.tangents = 0;
    out.gap = unit.sense * (p * (A.angle - C.angle) + q * (B.angle - C.angle) - unit.zero - unit.limit);
    UnitRow& row = out.row[0];
    row.d = {0, 0, unit.sense};
    row.u = unit.sense * (p * (A.w.z - C.w.z) + q * (B.w.z - C.w.z));
    row.bias = 0;
    if (!jacobian) return;
    row.J.entry.clear();
    add_row(s, work, unit.body[0].link, row.d, out.c, true, p, row.J);
    add_row(s, work, unit.body[1].link, row.d, out.c, true, q, row.J);
    add_row(s, work, unit.carrier.link, row.d, out.c, true, -p - q, row.J);
}

// J a of a row, from the accelerations of the links in `work`.
inline double acceleration_along(const Unit& unit, const TreeWork& work, const UnitState& at, int row, bool angular) {
    const MovingBody A(unit.body[0], work.of(unit.body[0].link)), B(unit.body[1], work.of(unit.body[1].link));
    const Vector& d = at.row[row].d;
    if (unit.kind == gear_unit) {
        const MovingBody C(unit.carrier, work.of(unit.carrier.link));
        return dot(d, unit.factor[0] * (A.alpha - C.alpha) + unit.factor[1] * (B.alpha - C.alpha));
    }
    if (angular) return dot(d, A.alpha - B.alpha);
    return dot(d, A.a + cross(A.alpha, at.c - A.r) - B.a - cross(B.alpha, at.c - B.r));
}

// The coordinate of a joint, and its row: about or along the axis of its first body B.
inline void evaluate_joint(const TreeSystem& s, const TreeWork& work, const Unit& unit, bool planar, bool jacobian,
                           UnitState& out) {
    const MovingBody A(unit.body[0], work.of(unit.body[0].link)), B(unit.body[1], work.of(unit.body[1].link));
    const Vector axis = B.R * Vector{unit.axis[0], unit.axis[1], unit.axis[2]};
    const Vector p = A.r + A.R * Vector{unit.second[0], unit.second[1], unit.second[2]},
                 o = B.r + B.R * Vector{unit.first[0], unit.first[1], unit.first[2]};
    out.c = p, out.tangents = 0;
    double q = unit.turns ? unit.axis[2] * (A.angle - B.angle) - unit.zero : dot(axis, p - o) - unit.zero;
    if (unit.turns && unit.kind == stop_unit && !planar) {
        const Vector a = A.R * Vector{unit.beside[0][0], unit.beside[0][1], unit.beside[0][2]},
                     b = B.R * Vector{unit.beside[1][0], unit.beside[1][1], unit.beside[1][2]};
        constexpr double turn = 6.283185307179586;
        q = unit.middle + std::remainder(std::atan2(dot(axis, cross(b, a)), dot(a, b)) - unit.middle, turn);
    }
    out.gap = unit.kind == stop_unit ? unit.sense * (q - unit.limit) : 0;
    const double sense = unit.kind == friction_unit ? 1 : unit.sense;
    const Vector d = sense * axis;
    fill_row(s, work, unit, A, B, d, cross(B.w, d), p, A.velocity(p), unit.turns, jacobian, out.row[0]);
}

// A unit vector perpendicular to n, with its rate.
inline Vector3<Dual<1>> tangent_of(const Vector3<Dual<1>>& n, const Vector& reference) {
    const Vector3<Dual<1>> t = cross(n, MovingBody::dual(reference, {0, 0, 0}));
    return (Dual<1>(1) / sqrt(dot(t, t))) * t;
}

inline void evaluate_contact(const TreeSystem& s, const TreeWork& work, const Unit& unit, bool planar, bool rows,
                             UnitState& out) {
    const MovingBody A(unit.body[0], work.of(unit.body[0].link)), B(unit.body[1], work.of(unit.body[1].link));
    if (!rows) {
        const auto f = contact_frame<double>({A.r, A.R}, unit.point, unit.radius, {B.r, B.R}, unit.surface);
        out.gap = f.gap, out.c = f.c;
        out.row[0].d = f.n, out.row[0].u = dot(f.n, A.velocity(f.c) - B.velocity(f.c));
        return;
    }
    const auto f = contact_frame<Dual<1>>(A.frame(), unit.point, unit.radius, B.frame(), unit.surface);
    out.gap = f.gap.v, out.c = value_of(f.c);
    const Vector c = out.c, dc = rate_of(f.c);
    fill_row(s, work, unit, A, B, value_of(f.n), rate_of(f.n), c, dc, false, true, out.row[0]);
    out.tangents = unit.kinetic_friction > 0 ? (planar ? 1 : 2) : 0;
    if (!out.tangents) return;
    const Vector z{0, 0, 1}, x{1, 0, 0};
    // In the plane the tangent is the normal turned by a quarter.
    Vector3<Dual<1>> t =
        planar ? -cross(f.n, MovingBody::dual(z, {0, 0, 0})) : tangent_of(f.n, std::fabs(f.n.x.v) < 0.7 ? x : z);
    fill_row(s, work, unit, A, B, value_of(t), rate_of(t), c, dc, false, true, out.row[1]);
    if (planar) return;
    t = cross(f.n, t);
    fill_row(s, work, unit, A, B, value_of(t), rate_of(t), c, dc, false, true, out.row[2]);
}

inline void evaluate_unit(const TreeSystem& s, const TreeWork& work, const Unit& unit, bool planar, bool rows,
                          UnitState& out) {
    if (unit.kind == contact_unit)
        evaluate_contact(s, work, unit, planar, rows, out);
    else if (unit.kind == gear_unit)
        evaluate_gears(s, work, unit, rows, out);
    else
        evaluate_joint(s, work, unit, planar, rows, out);
}

}  // namespace mubo
