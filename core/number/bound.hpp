// Bounds of a function over a box of its unknowns, in closed form: its values, and how fast it can change and bend
// there. The formula of a constraint equation over this number type bounds the change of its derivatives: the Lipschitz
// constant in the theorem of Kantorovich (Ortega and Rheinboldt 1970, 12.6).
//
// The box is |x_k - c_k| <= rho / w_k, and a unit of displacement is u with |u_k| <= 1 / w_k. Then
//   slope >= |grad . u|,  bend >= |u' H v|  for all units u, v and everywhere in the box,
// because (a b)'' = a b'' + b a'' + a' b' + b' a' and f(a)'' = f' a'' + f'' a' a'. `error` bounds the rounding error of
// the value in doubles (running error analysis, Higham 2002, 3.3; sine and the like to within two units).
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

namespace mubo {

struct Bound {
    static constexpr double unit = 1.2e-16;  // a little more than half the distance of doubles at one
    double low = 0, high = 0, slope = 0, bend = 0, error = 0;

    Bound() = default;
    Bound(double value) : low(value), high(value) {}
    static Bound variable(double value, double reach, double slope) {
        Bound x(value);
        x.low -= reach, x.high += reach, x.slope = slope;
        return x.rounded(0);
    }
    double most() const { return std::fmax(std::fabs(low), std::fabs(high)); }
    double least() const { return low > 0 ? low : high < 0 ? -high : 0; }
    bool bounded() const { return std::isfinite(low) && std::isfinite(high) && std::isfinite(bend); }

    // The interval widened by its own rounding, and one more rounding of the value.
    Bound rounded(double units) const {
        Bound x = *this;
        const double size = most();
        x.low -= 4 * unit * size, x.high += 4 * unit * size, x.error += units * unit * size;
        return x;
    }
    // f(x) with |f'| <= first and |f''| <= second over the interval, values as given.
    Bound chain(double from, double to, double first, double second, double units) const {
        Bound y;
        y.low = from, y.high = to;
        y.slope = first * slope, y.bend = first * bend + second * slope * slope, y.error = first * error;
        return y.rounded(units);
    }
    static Bound none() {
        Bound y;
        y.low = -std::numeric_limits<double>::infinity(), y.high = -y.low, y.slope = y.bend = y.error = y.high;
        return y;
    }
};

inline Bound operator-(const Bound& a) {
    Bound y = a;
    y.low = -a.high, y.high = -a.low;
    return y;
}
inline Bound operator+(const Bound& a, const Bound& b) {
    Bound y;
    y.low = a.low + b.low, y.high = a.high + b.high;
    y.slope = a.slope + b.slope, y.bend = a.bend + b.bend, y.error = a.error + b.error;
    return y.rounded(1);
}
inline Bound operator-(const Bound& a, const Bound& b) {
    return a + -b;
}
inline Bound operator*(const Bound& a, const Bound& b) {
    const double p[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    const double x = a.most(), z = b.most();
    Bound y;
    y.low = *std::min_element(p, p + 4), y.high = *std::max_element(p, p + 4);
    y.slope = x * b.slope + z * a.slope;
    y.bend = x * b.bend + z * a.bend + 2 * a.slope * b.slope;
    y.error = x * b.error + z * a.error + a.error * b.error;
    return y.rounded(1);
}
inline Bound operator/(const Bound& a, const Bound& b) {
    const double m = b.least();
    if (!(m > 0)) return Bound::none();
    return a * b.chain(1 / b.high, 1 / b.low, 1 / (m * m), 2 / (m * m * m), 1);
}
inline Bound sqrt(const Bound& a) {
    if (!(a.low > 0)) return Bound::none();
    const double root = std::sqrt(a.low);
    return a.chain(root, std::sqrt(a.high), 0.5 / root, 0.25 / (root * a.low), 1);
}
// Bound of the sine, given sine and cosine at the middle of the interval; with (cosine, -sine) it is that of the
// cosine.
inline Bound sine_bound(const Bound& a, double sine, double cosine) {
    const double half = std::fmin(0.5 * (a.high - a.low), 2.0);
    return a.chain(std::fmax(sine - half, -1.0), std::fmin(sine + half, 1.0), std::fmin(std::fabs(cosine) + half, 1.0),
                   std::fmin(std::fabs(sine) + half, 1.0), 2);
}
inline Bound sin(const Bound& a) {
    if (!a.bounded()) return Bound::none();
    const double middle = 0.5 * (a.low + a.high);
    return sine_bound(a, std::sin(middle), std::cos(middle));
}
inline Bound cos(const Bound& a) {
    if (!a.bounded()) return Bound::none();
    const double middle = 0.5 * (a.low + a.high);
    return sine_bound(a, std::cos(middle), -std::sin(middle));
}
// |theta'| <= (|x'| + |y'|) / r and |theta''| <= (|x''| + |y''|) / r + (|x'| + |y'|)^2 / r^2. An angle that may pass
// the half turn, where it jumps, goes on beyond it: whoever compares angles takes them up to full turns.
inline Bound atan2(const Bound& y, const Bound& x) {
    const double r = std::hypot(x.least(), y.least()), first = x.slope + y.slope;
    if (!(r > 0) || !x.bounded() || !y.bounded()) return Bound::none();
    Bound out;
    const bool behind = x.low <= 0 && y.low <= 0 && y.high >= 0;
    const double sense = behind ? -1 : 1, half = 3.14159265358979323846;
    const double corner[4] = {std::atan2(sense * y.low, sense * x.low), std::atan2(sense * y.low, sense * x.high),
                              std::atan2(sense * y.high, sense * x.low), std::atan2(sense * y.high, sense * x.high)};
    const double turned = !behind ? 0 : y.low + y.high >= 0 ? half : -half;
    out.low = *std::min_element(corner, corner + 4) + turned, out.high = *std::max_element(corner, corner + 4) + turned;
    out.slope = first / r, out.bend = (x.bend + y.bend) / r + first * first / (r * r);
    out.error = (x.error + y.error) / r + 8 * Bound::unit;
    return out.rounded(0);
}

}  // namespace mubo
