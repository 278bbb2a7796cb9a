// A function of time with its first two derivatives: what turns one formula into nu and gamma.
#pragma once
#include <cmath>

namespace mubo {

struct Taylor {
    double v = 0, d = 0, dd = 0;  // value, first and second time derivative

    Taylor() = default;
    Taylor(double value) : v(value) {}
    Taylor(double value, double first, double second) : v(value), d(first), dd(second) {}
    // Faa di Bruno to second order: g(x) with g', g'' known at x.v.
    Taylor chain(double value, double slope, double bend) const {
        return {value, slope * d, slope * dd + bend * d * d};
    }
};

inline Taylor operator+(const Taylor& a, const Taylor& b) {
    return {a.v + b.v, a.d + b.d, a.dd + b.dd};
}
inline Taylor operator-(const Taylor& a, const Taylor& b) {
    return {a.v - b.v, a.d - b.d, a.dd - b.dd};
}
inline Taylor operator-(const Taylor& a) {
    return {-a.v, -a.d, -a.dd};
}
inline Taylor operator*(const Taylor& a, const Taylor& b) {
    return {a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2 * a.d * b.d + a.v * b.dd};
}
inline Taylor operator/(const Taylor& a, const Taylor& b) {
    const double r = 1 / b.v;
    return a * b.chain(r, -r * r, 2 * r * r * r);
}
inline Taylor sin(const Taylor& a) {
    const double s = std::sin(a.v);
    return a.chain(s, std::cos(a.v), -s);
}
inline Taylor cos(const Taylor& a) {
    const double c = std::cos(a.v);
    return a.chain(c, -std::sin(a.v), -c);
}
inline Taylor atan2(const Taylor& y, const Taylor& x) {
    const double r2 = x.v * x.v + y.v * y.v;
    const double rate = (x.v * y.d - y.v * x.d) / r2;
    // d/dt of (x y' - y x') / r2, with r2' = 2 (x x' + y y').
    const double bend = (x.v * y.dd - y.v * x.dd) / r2 - rate * 2 * (x.v * x.d + y.v * y.d) / r2;
    return {std::atan2(y.v, x.v), rate, bend};
}
inline Taylor sqrt(const Taylor& a) {
    const double root = std::sqrt(a.v);
    return a.chain(root, 0.5 / root, -0.25 / (root * a.v));
}

}  // namespace mubo
