// The gap between a rounded point of one body and a surface of another: one formula over its number type.
//
// Every pair of shapes consists of such candidates: a circle or sphere is one rounded point, a capsule two, a polygon
// or box its corners. With numbers that have a derivative by time (Dual<1>) the same formula gives the rates of gap,
// normal and contact point, from which the accelerations of contact follow. The gap is the distance of the surfaces,
// negative inside; the normal points from the surface to the rounded point. Plane and space share it: a planar body has
// z = 0 everywhere.
#pragma once
#include <cmath>
#include <vector>

#include "../number/dual.hpp"
#include "../number/space.hpp"

namespace mubo {

enum SurfaceKind {
    half_space = 0,  // numbers: a point (3), the outward normal (3)
    round_point,     // a point (3): of a circle or sphere, a corner
    hollow,          // a point (3): the inside of a circle or sphere around it
    polygon,         // corners (3 each), counter-clockwise: two are a line segment
    block,           // centre (3), half edges (3), along the axes of the body
    segment,         // of a capsule in space: start (3), direction (3)
    hull,            // triangles (9 each), counter-clockwise seen from outside
    edge,            // see from_edge() in solids.hpp
};

struct Surface {
    int kind;
    double radius;                // of rounding; of a hollow: its own
    std::vector<double> numbers;  // in body axes
    bool corners_apart = false;   // corners of the polygon are candidates of their own: not met here
};

template <class T>
struct BodyFrame {
    Vector3<T> r;
    Matrix3<T> R;
};
template <class T>
struct ContactFrame {
    T gap;
    Vector3<T> n, c;  // normal; contact point on the rounded point's side
};

template <class T>
Vector3<T> constant(const double* p) {
    return {T(p[0]), T(p[1]), T(p[2])};
}

// Away from a point at `from` (in ground axes): the distance and its direction; upwards where they coincide.
template <class T>
ContactFrame<T> apart(const Vector3<T>& p, const Vector3<T>& from) {
    using std::sqrt;
    const Vector3<T> d = p - from;
    if (!(value(dot(d, d)) > 0)) return {T(0), {T(0), T(1), T(0)}, p};
    const T length = sqrt(dot(d, d));
    return {length, (T(1) / length) * d, p};
}

// The feature of a polygon nearest to x (body axes): the number of an edge, or of a corner.
struct PolygonFeature {
    bool corner;
    int number;
    double side;  // of a segment: which side x is on
};
inline PolygonFeature nearest_feature(const std::vector<double>& p, double x, double y) {
    const int n = static_cast<int>(p.size() / 3), edges = n == 2 ? 1 : n;
    PolygonFeature best{true, 0, 1}, inside{false, 0, 1};
    double least = HUGE_VAL, highest = -HUGE_VAL;
    bool within = n > 2;
    for (int i = 0; i < edges; ++i) {
        const int j = (i + 1) % n;
        const double ex = p[3 * j] - p[3 * i], ey = p[3 * j + 1] - p[3 * i + 1], dx = x - p[3 * i],
                     dy = y - p[3 * i + 1], l2 = ex * ex + ey * ey, s = (dx * ex + dy * ey) / l2,
                     height = (dx * ey - dy * ex) / std::sqrt(l2);
        if (height > 0) within = false;
        if (height > highest) highest = height, inside = {false, i, 1};
        const double at = std::fmin(1, std::fmax(0, s)), ox = dx - at * ex, oy = dy - at * ey, d2 = ox * ox + oy * oy;
        if (d2 >= least) continue;
        least = d2;
        best = s <= 0 ? PolygonFeature{true, i, 1} : s >= 1 ? PolygonFeature{true, j, 1} : PolygonFeature{false, i, 1};
        if (n == 2 && height < 0) best.side = -1;
    }
    return within ? inside : best;
}

template <class T>
ContactFrame<T> from_polygon(const Vector3<T>& p, const BodyFrame<T>& B, const Surface& s) {
    const Vector3<T> x = transposed_times(B.R, p - B.r);
    const PolygonFeature f = nearest_feature(s.numbers, value(x.x), value(x.y));
    const int n = static_cast<int>(s.numbers.size() / 3);
    const double *a = s.numbers.data() + 3 * f.number, *b = s.numbers.data() + 3 * ((f.number + 1) % n);
    if (f.corner) {
        ContactFrame<T> out = apart(p, B.r + B.R * constant<T>(a));
        if (s.corners_apart) out.gap = T(HUGE_VAL);
        return out;
    }
    const double ex = b[0] - a[0], ey = b[1] - a[1], l = f.side * std::sqrt(ex * ex + ey * ey);
    const double normal[3] = {ey / l, -ex / l, 0};
    const Vector3<T> own = constant<T>(normal);
    return {dot(own, x - constant<T>(a)), B.R * own, p};
}

template <class T>
ContactFrame<T> from_block(const Vector3<T>& p, const BodyFrame<T>& B, const Surface& s) {
    using std::sqrt;
    const Vector3<T> x = transposed_times(B.R, p - B.r) - constant<T>(s.numbers.data());
    const T* at[3] = {&x.x, &x.y, &x.z};
    T out[3] = {T(0), T(0), T(0)}, sum(0);
    int face = 0;
    double highest = -HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        const double h = s.numbers[3 + k], v = value(*at[k]), over = std::fabs(v) - h;
        if (over > highest) highest = over, face = k;
        if (over > 0) out[k] = *at[k] - T(v > 0 ? h : -h), sum = sum + out[k] * out[k];
    }
    if (highest > 0) {
        const T length = sqrt(sum);
        return {length, B.R * ((T(1) / length) * Vector3<T>{out[0], out[1], out[2]}), p};
    }
    double normal[3] = {};
    normal[face] = value(*at[face]) < 0 ? -1 : 1;
    return {T(normal[face]) * *at[face] - T(s.numbers[3 + face]), B.R * constant<T>(normal), p};
}

}  // namespace mubo
