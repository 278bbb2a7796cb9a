// Gaps to solids of space: capsules, convex hulls, and of one edge to another, by their closest features.
//
// Two convex polyhedra touch where a corner of one meets a face of the other, or where two edges cross. A corner or
// sphere finds the nearest face, edge or corner of a hull among its triangles. Two edges meet where their closest
// points lie inside both and the direction between them lies in the normal cones of both; else their gap counts as
// infinite.
#pragma once
#include "geometry.hpp"

namespace mubo {

// A rounded point against a segment: its start (3) and direction (3).
template <class T>
ContactFrame<T> from_segment(const Vector3<T>& p, const BodyFrame<T>& B, const double* numbers) {
    const Vector3<T> a = B.r + B.R * constant<T>(numbers), d = B.R * constant<T>(numbers + 3);
    const T along = dot(p - a, d) / dot(d, d);
    const T clamped = value(along) <= 0 ? T(0) : value(along) >= 1 ? T(1) : along;
    return apart(p, a + clamped * d);
}

// The feature of a hull nearest to x: one, two or three of its corners, and whether x is inside.
struct HullFeature {
    const double* corner[3] = {};
    int count = 3;
    bool inside = true;
};
inline Vector from_body(const double* p) {
    return {p[0], p[1], p[2]};
}
inline HullFeature nearest_on_hull(const std::vector<double>& triangles, const Vector& x) {
    HullFeature best, within;
    double least = HUGE_VAL, highest = -HUGE_VAL;
    const auto keep = [&](double d2, int count, const double* a, const double* b, const double* c) {
        if (d2 < least) least = d2, best.count = count, best.corner[0] = a, best.corner[1] = b, best.corner[2] = c;
    };
    for (size_t k = 0; k + 9 <= triangles.size(); k += 9) {
        const double* at[3] = {&triangles[k], &triangles[k + 3], &triangles[k + 6]};
        const Vector n = cross(from_body(at[1]) - from_body(at[0]), from_body(at[2]) - from_body(at[0]));
        const double height = dot(n, x - from_body(at[0])) / std::sqrt(dot(n, n));
        if (height > highest) highest = height, std::copy(at, at + 3, within.corner);
        bool above = true;
        for (int i = 0; i < 3; ++i) {
            const double *a = at[i], *b = at[(i + 1) % 3];
            const Vector d = from_body(b) - from_body(a), y = x - from_body(a);
            if (dot(cross(n, d), y) < 0) above = false;
            const double s = dot(y, d) / dot(d, d);
            const Vector o = y - std::fmin(1, std::fmax(0, s)) * d;
            s <= 0   ? keep(dot(o, o), 1, a, b, nullptr)
            : s >= 1 ? keep(dot(o, o), 1, b, a, nullptr)
                     : keep(dot(o, o), 2, a, b, nullptr);
        }
        if (above && height >= 0) keep(height * height * (1 - 1e-12), 3, at[0], at[1], at[2]);
    }
    if (highest <= 0) return within;
    best.inside = false;
    return best;
}
template <class T>
ContactFrame<T> from_hull(const Vector3<T>& p, const BodyFrame<T>& B, const Surface& s) {
    const Vector3<T> x = transposed_times(B.R, p - B.r);
    const HullFeature f = nearest_on_hull(s.numbers, {value(x.x), value(x.y), value(x.z)});
    if (f.count == 1) return apart(p, B.r + B.R * constant<T>(f.corner[0]));
    if (f.count == 2) {
        const Vector d = from_body(f.corner[1]) - from_body(f.corner[0]);
        const double numbers[6] = {f.corner[0][0], f.corner[0][1], f.corner[0][2], d.x, d.y, d.z};
        return from_segment(p, B, numbers);
    }
    Vector n = cross(from_body(f.corner[1]) - from_body(f.corner[0]), from_body(f.corner[2]) - from_body(f.corner[0]));
    n = (1 / std::sqrt(dot(n, n))) * n;
    const double normal[3] = {n.x, n.y, n.z};
    const Vector3<T> own = constant<T>(normal);
    return {dot(own, x - constant<T>(f.corner[0])), B.R * own, p};
}

// An edge of A from p against an edge of B. Numbers: start and direction of B's edge, the normals of its two faces;
// direction of A's, the normals of its two faces; normals of an axis of a capsule are zero. Last the depth beyond which
// the edges lie on opposite sides of the solids and do not meet.
template <class T>
ContactFrame<T> from_edge(const BodyFrame<T>& A, const Vector3<T>& p, const BodyFrame<T>& B, const Surface& s) {
    const double* x = s.numbers.data();
    const ContactFrame<T> none{T(HUGE_VAL), {T(0), T(0), T(1)}, p};
    const Vector3<T> a = B.r + B.R * constant<T>(x), d = B.R * constant<T>(x + 3), u = A.R * constant<T>(x + 12),
                     m = cross(d, u), r = a - p;
    const T square = dot(m, m);
    if (!(value(square) > 1e-10 * value(dot(d, d)) * value(dot(u, u)))) return none;  // parallel: their ends meet
    const T t = -(dot(r, cross(d, m)) / square), along = -(dot(r, cross(u, m)) / square);
    if (!(value(t) > 0 && value(t) < 1 && value(along) > 0 && value(along) < 1)) return none;
    const Vector3<T> on_A = p + t * u, between = on_A - a - along * d;
    const auto component = [&](const BodyFrame<T>& body, const double* normal) {
        return value(dot(m, body.R * constant<T>(normal)));
    };
    const double faces[4] = {component(B, x + 6), component(B, x + 9), -component(A, x + 15), -component(A, x + 18)};
    double outward = faces[0] + faces[1] + faces[2] + faces[3];
    if (outward == 0) outward = value(dot(m, between));
    const double sign = outward < 0 ? -1 : 1;
    for (double face : faces)
        if (sign * face < 0) return none;
    using std::sqrt;
    const Vector3<T> n = (T(sign) / sqrt(square)) * m;
    const T gap = dot(n, between);
    return value(gap) < -x[21] ? none : ContactFrame<T>{gap, n, on_A};
}

// The point `a` (body axes) of A, rounded by `radius`, against a surface of B.
template <class T>
ContactFrame<T> contact_frame(const BodyFrame<T>& A, const double* a, double radius, const BodyFrame<T>& B,
                              const Surface& s) {
    const Vector3<T> p = A.r + A.R * constant<T>(a);
    ContactFrame<T> f{};
    T rounding(radius + s.radius);
    switch (s.kind) {
        case half_space: {
            const Vector3<T> n = B.R * constant<T>(s.numbers.data() + 3);
            f = {dot(n, p - B.r - B.R * constant<T>(s.numbers.data())), n, p};
            break;
        }
        case polygon:
            f = from_polygon(p, B, s);
            break;
        case block:
            f = from_block(p, B, s);
            break;
        case hollow: {
            f = apart(p, B.r + B.R * constant<T>(s.numbers.data()));
            f.gap = -f.gap, f.n = -f.n, rounding = T(radius - s.radius);
            break;
        }
        case segment:
            f = from_segment(p, B, s.numbers.data());
            break;
        case hull:
            f = from_hull(p, B, s);
            break;
        case edge:
            f = from_edge(A, p, B, s);
            break;
        default:
            f = apart(p, B.r + B.R * constant<T>(s.numbers.data()));
    }
    f.gap = f.gap - rounding;
    f.c = f.c - T(radius) * f.n;
    return f;
}

}  // namespace mubo
