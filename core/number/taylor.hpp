// A function of time with its first two derivatives, over any number type: it turns one formula into nu and gamma and,
// over dual numbers of a parameter, into the sensitivities of a motion.
#pragma once
#include <cmath>
#include <type_traits>

#include "dual.hpp"

namespace mubo {

template <class T>
struct TaylorOf {
    T v = T(0), d = T(0), dd = T(0);  // value, first and second time derivative

    TaylorOf() = default;
    template <class N, class = std::enable_if_t<std::is_arithmetic_v<N>>>
    TaylorOf(N value) : v(static_cast<double>(value)) {}
    TaylorOf(const T& value, const T& first, const T& second) : v(value), d(first), dd(second) {}
    // Faa di Bruno to second order: g(x) with g', g'' known at x.v.
    TaylorOf chain(const T& value, const T& slope, const T& bend) const {
        return {value, slope * d, slope * dd + bend * d * d};
    }
};
using Taylor = TaylorOf<double>;

template <class T>
double value(const TaylorOf<T>& a) {
    return value(a.v);
}

template <class T>
TaylorOf<T> operator+(const TaylorOf<T>& a, const TaylorOf<T>& b) {
    return {a.v + b.v, a.d + b.d, a.dd + b.dd};
}
template <class T>
TaylorOf<T> operator-(const TaylorOf<T>& a, const TaylorOf<T>& b) {
    return {a.v - b.v, a.d - b.d, a.dd - b.dd};
}
template <class T>
TaylorOf<T> operator-(const TaylorOf<T>& a) {
    return {-a.v, -a.d, -a.dd};
}
template <class T>
TaylorOf<T> operator*(const TaylorOf<T>& a, const TaylorOf<T>& b) {
    return {a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + T(2) * a.d * b.d + a.v * b.dd};
}
template <class T>
TaylorOf<T> operator/(const TaylorOf<T>& a, const TaylorOf<T>& b) {
    const T r = T(1) / b.v;
    return a * b.chain(r, -r * r, T(2) * r * r * r);
}
template <class T>
TaylorOf<T> sin(const TaylorOf<T>& a) {
    using std::cos, std::sin;
    const T s = sin(a.v);
    return a.chain(s, cos(a.v), -s);
}
template <class T>
TaylorOf<T> cos(const TaylorOf<T>& a) {
    using std::cos, std::sin;
    const T c = cos(a.v);
    return a.chain(c, -sin(a.v), -c);
}
template <class T>
TaylorOf<T> atan2(const TaylorOf<T>& y, const TaylorOf<T>& x) {
    using std::atan2;
    const T r2 = x.v * x.v + y.v * y.v;
    const T rate = (x.v * y.d - y.v * x.d) / r2;
    // d/dt of (x y' - y x') / r2, with r2' = 2 (x x' + y y').
    const T bend = (x.v * y.dd - y.v * x.dd) / r2 - rate * T(2) * (x.v * x.d + y.v * y.d) / r2;
    return {atan2(y.v, x.v), rate, bend};
}
template <class T>
TaylorOf<T> sqrt(const TaylorOf<T>& a) {
    using std::sqrt;
    const T root = sqrt(a.v);
    return a.chain(root, T(0.5) / root, T(-0.25) / (root * a.v));
}

}  // namespace mubo
