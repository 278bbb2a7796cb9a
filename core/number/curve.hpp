// The signed distance of a point from a curve of the plane, c(s) as quintic pieces: positive to the left of its
// direction of travel.
//
// The nearest place s solves r . c'(s) = 0, r = d - c(s); a Newton step over the number type makes it exact to first
// order in its derivatives. Since the distance D = c' x r / |c'| is stationary in s, D is then exact to third order.
// Its gradient is the unit normal, its curvature k / (1 - k D); both exist up to the reach of the curve, the distance
// at which a point has two nearest places (Federer 1959): 1 / k at least where it bends, half the gap between two
// parts.
#pragma once
#include <algorithm>
#include <cmath>

#include "plane.hpp"
#include "profile.hpp"

namespace mubo {

template <class T>
struct CurvePoint {
    Vector2<T> at, slope, bend;  // c, c', c''
};

// c and its derivatives at x from the start of a piece.
template <class T, class Shape>
CurvePoint<T> on_piece(const Shape& curve, size_t piece, const T& x) {
    T line[2][3];
    for (int axis = 0; axis < 2; ++axis) {
        T c[6];
        for (int k = 0; k < 6; ++k) c[k] = curve.template number<T>(6 * (axis * curve.shape().knot.size() + piece) + k);
        line[axis][0] = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * c[5]))));
        line[axis][1] = c[1] + x * (T(2) * c[2] + x * (T(3) * c[3] + x * (T(4) * c[4] + x * T(5) * c[5])));
        line[axis][2] = T(2) * c[2] + x * (T(6) * c[3] + x * (T(12) * c[4] + x * T(20) * c[5]));
    }
    return {{line[0][0], line[1][0]}, {line[0][1], line[1][1]}, {line[0][2], line[1][2]}};
}

struct PlaceOnCurve {
    size_t piece;
    double x;  // from the start of the piece
};
inline PlaceOnCurve place_on_curve(const Profile& curve, double s) {
    const double a = curve.period > 0 ? s - curve.period * std::floor(s / curve.period) : s;
    const auto next = std::upper_bound(curve.knot.begin(), curve.knot.end(), a);
    const size_t piece = next == curve.knot.begin() ? 0 : next - curve.knot.begin() - 1;
    return {piece, a - curve.knot[piece]};
}

// The place of the curve nearest to a point: from the nearest start of a piece by Newton's method inside a bracket of
// its neighbours, safeguarded by bisection.
inline PlaceOnCurve nearest_place(const Profile& curve, const Vector2<double>& d) {
    const size_t pieces = curve.knot.size();
    size_t best = 0;
    double least = INFINITY;
    for (size_t k = 0; k < pieces; ++k) {
        const double x = d.x - curve.coefficient[6 * k], y = d.y - curve.coefficient[6 * (pieces + k)];
        const double square = x * x + y * y;
        if (square < least) least = square, best = k;
    }
    const auto neighbour = [&](int step) {
        if (curve.period > 0) {
            const size_t k = (best + pieces + step) % pieces;
            return curve.knot[k] + (step < 0 && best == 0 ? -curve.period : best + step == pieces ? curve.period : 0);
        }
        if (step < 0) return best > 0 ? curve.knot[best - 1] : -INFINITY;
        return best + 1 < pieces ? curve.knot[best + 1] : INFINITY;
    };
    double low = neighbour(-1), high = neighbour(1), s = curve.knot[best];
    PlaceOnCurve at{best, 0};
    for (int turn = 0; turn < 60; ++turn) {
        const auto c = on_piece(curve, at.piece, at.x);
        const Vector2<double> r = d - c.at;
        const double g = dot(r, c.slope), speed = dot(c.slope, c.slope), slope = dot(r, c.bend) - speed;
        (g > 0 ? low : high) = s;  // the distance decreases in the direction of g
        double next = slope < 0 ? s - g / slope : s + g / speed;
        if (!(next > low && next < high) && std::isfinite(low) && std::isfinite(high)) next = 0.5 * (low + high);
        if (std::fabs(next - s) <= 1e-14 * (1 + std::fabs(s)) || !std::isfinite(next)) break;
        s = next;
        at = place_on_curve(curve, s);
    }
    return at;
}

template <class T, class Shape>
T distance_from_curve(const Shape& curve, const Vector2<T>& d, const T&) {
    using std::sqrt;
    const PlaceOnCurve at = nearest_place(curve.shape(), {value(d.x), value(d.y)});
    auto c = on_piece(curve, at.piece, T(at.x));
    const Vector2<T> r = d - c.at;
    c = on_piece(curve, at.piece, T(at.x) - dot(r, c.slope) / (dot(r, c.bend) - dot(c.slope, c.slope)));
    return cross(c.slope, d - c.at) / sqrt(dot(c.slope, c.slope));
}

// Bound over a box of points that lies within the reach of the curve.
inline Bound distance_from_curve(const Profile& curve, const Vector2<Bound>& d, const Bound& reach) {
    if (!d.x.bounded() || !d.y.bounded()) return Bound::none();
    const Vector2<double> middle{0.5 * (d.x.low + d.x.high), 0.5 * (d.y.low + d.y.high)};
    const double away = 0.5 * std::hypot(d.x.high - d.x.low, d.y.high - d.y.low);
    const double value = distance_from_curve(curve, middle, 0.0), most = std::fabs(value) + away;
    if (!(most < reach.low)) return Bound::none();
    Bound out;
    out.low = value - away, out.high = value + away;
    out.slope = d.x.slope + d.y.slope;
    out.bend = d.x.bend + d.y.bend + out.slope * out.slope / (reach.low - most);
    out.error = d.x.error + d.y.error + 64 * Bound::unit * (std::fabs(middle.x) + std::fabs(middle.y));
    return out.rounded(8);
}

}  // namespace mubo
