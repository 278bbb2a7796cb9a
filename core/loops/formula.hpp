// The loop equations over any number type: values, or values with time derivatives.
#pragma once
#include <cmath>

#include "../number/taylor.hpp"
#include "system.hpp"

namespace mubo {

// Adds scale * R(theta) d to (x, y). `unknown(k)` and `law(k)` are the values of an unknown and of a motion law.
template <class T, class Unknown, class Law>
void add_term(const Term<double>& t, const Unknown& unknown, const Law& law, T* x, T* y) {
    using std::cos, std::sin;
    T u(t.x), w(t.y);
    if (t.angle >= 0) {
        const T angle = unknown(t.angle), c = cos(angle), s = sin(angle);
        u = c * T(t.x) - s * T(t.y);
        w = s * T(t.x) + c * T(t.y);
    }
    if (t.slide >= 0) {
        const T scale = unknown(t.slide);
        u = scale * u;
        w = scale * w;
    }
    if (t.driver >= 0) {
        const T scale = law(t.driver);
        u = scale * u;
        w = scale * w;
    }
    *x = *x + u;
    *y = *y + w;
}

// Phi of every equation: loops first, two rows each, then the linear ones.
template <class T, class Unknown, class Law>
void loop_phi(const LoopSystem& s, const Unknown& unknown, const Law& law, T* out) {
    int row = 0;
    for (const auto& terms : s.loop) {
        T x(0.0), y(0.0);
        for (const Term<double>& t : terms) add_term<T>(t, unknown, law, &x, &y);
        out[row++] = x;
        out[row++] = y;
    }
    for (const Linear<double>& line : s.linear) {
        T sum(-line.constant);
        for (size_t k = 0; k < line.unknown.size(); ++k) sum = sum + T(line.factor[k]) * unknown(line.unknown[k]);
        out[row++] = line.driver < 0 ? sum : sum - law(line.driver);
    }
}

// The unknowns along a motion x, v, a, and the motion laws with their derivatives.
struct AlongMotion {
    const double *x, *v, *a;
    Taylor operator()(int k) const { return {x[k], v[k], a[k]}; }
};
struct LawsInTime {
    const double* motion;
    Taylor operator()(int k) const { return {motion[3 * k], motion[3 * k + 1], motion[3 * k + 2]}; }
};

}  // namespace mubo
