// A number with N partial derivatives (forward mode): it turns one formula into its Jacobian.
#pragma once
#include <cmath>

namespace mubo {

template <int N>
struct Dual {
    double v = 0;
    double d[N] = {};

    Dual() = default;
    Dual(double value) : v(value) {}
    static Dual variable(double value, int index) {
        Dual x(value);
        x.d[index] = 1;
        return x;
    }
    // The chain rule: g(x) with g' known at x.v.
    Dual chain(double value, double slope) const {
        Dual y(value);
        for (int k = 0; k < N; ++k) y.d[k] = slope * d[k];
        return y;
    }
};

// The number without its derivatives.
inline double value(double a) {
    return a;
}
template <int N>
double value(const Dual<N>& a) {
    return a.v;
}

template <int N>
Dual<N> operator+(const Dual<N>& a, const Dual<N>& b) {
    Dual<N> y(a.v + b.v);
    for (int k = 0; k < N; ++k) y.d[k] = a.d[k] + b.d[k];
    return y;
}
template <int N>
Dual<N> operator-(const Dual<N>& a, const Dual<N>& b) {
    Dual<N> y(a.v - b.v);
    for (int k = 0; k < N; ++k) y.d[k] = a.d[k] - b.d[k];
    return y;
}
template <int N>
Dual<N> operator-(const Dual<N>& a) {
    return a.chain(-a.v, -1);
}
template <int N>
Dual<N> operator*(const Dual<N>& a, const Dual<N>& b) {
    Dual<N> y(a.v * b.v);
    for (int k = 0; k < N; ++k) y.d[k] = a.d[k] * b.v + a.v * b.d[k];
    return y;
}
template <int N>
Dual<N> operator/(const Dual<N>& a, const Dual<N>& b) {
    Dual<N> y(a.v / b.v);
    for (int k = 0; k < N; ++k) y.d[k] = (a.d[k] - y.v * b.d[k]) / b.v;
    return y;
}
template <int N>
Dual<N> sin(const Dual<N>& a) {
    return a.chain(std::sin(a.v), std::cos(a.v));
}
template <int N>
Dual<N> cos(const Dual<N>& a) {
    return a.chain(std::cos(a.v), -std::sin(a.v));
}
template <int N>
Dual<N> atan2(const Dual<N>& y, const Dual<N>& x) {
    const double r2 = x.v * x.v + y.v * y.v;
    Dual<N> angle(std::atan2(y.v, x.v));
    for (int k = 0; k < N; ++k) angle.d[k] = (x.v * y.d[k] - y.v * x.d[k]) / r2;
    return angle;
}
template <int N>
Dual<N> tanh(const Dual<N>& a) {
    const double y = std::tanh(a.v);
    return a.chain(y, 1 - y * y);
}
template <int N>
Dual<N> exp(const Dual<N>& a) {
    const double y = std::exp(a.v);
    return a.chain(y, y);
}
template <int N>
Dual<N> sqrt(const Dual<N>& a) {
    const double root = std::sqrt(a.v);
    return a.chain(root, 0.5 / root);
}

}  // namespace mubo
