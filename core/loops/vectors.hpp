// One term with its derivatives by hand, from cosines and sines computed once per angle and instant.
#pragma once
#include <cmath>

#include "system.hpp"

namespace mubo {

// What the terms need at one instant: the unknowns, their rates, cosine and sine of the angles, and the laws.
struct Instant {
    const double *x, *v, *a, *c, *s, *motion;
};

struct Vector {
    double x, y;
};

inline double dot(const Vector& p, const Vector& q) {
    return p.x * q.x + p.y * q.y;
}
inline double cross(const Vector& p, const Vector& q) {
    return p.x * q.y - p.y * q.x;
}

// A turn of at most `most` radians by the series of sine and 1 - cosine, exact to rounding.
struct SmallTurn {
    static constexpr double most = 0.01;
    explicit SmallTurn(double turn) {
        const double d = turn * turn;
        sine = turn - turn * d * (1.0 / 6 - d * (1.0 / 120));
        versine = d * (0.5 - d * (1.0 / 24 - d * (1.0 / 720)));
    }
    Vector of(const Vector& p) const {
        return {p.x - (versine * p.x + sine * p.y), p.y + (sine * p.x - versine * p.y)};
    }
    double sine, versine;
};

// Cosines and sines of the unknown angles.
struct Turns {
    explicit Turns(int angles) : c(angles), s(angles) {}
    void set(int k, double angle) {
        c[k] = std::cos(angle);
        s[k] = std::sin(angle);
    }
    // After a correction by `turn` that led to `angle`.
    void correct(int k, double turn, double angle) {
        if (!(std::fabs(turn) <= SmallTurn::most)) return set(k, angle);
        const Vector turned = SmallTurn(turn).of({c[k], s[k]});
        c[k] = turned.x;
        s[k] = turned.y;
    }
    std::vector<double> c, s;
};

// R(theta) d: the term without its scale.
inline Vector direction(const Term& t, const Instant& at) {
    if (t.angle < 0) return {t.x, t.y};
    const double c = at.c[t.angle], s = at.s[t.angle];
    return {c * t.x - s * t.y, s * t.x + c * t.y};
}

// The scale of a term (1, a slide, or a motion law) and its first two derivatives.
struct Scale {
    double value, rate, bend;
};
inline Scale scale_of(const Term& t, const Instant& at) {
    if (t.slide >= 0) return {at.x[t.slide], at.v[t.slide], at.a[t.slide]};
    if (t.driver >= 0) return {at.motion[3 * t.driver], at.motion[3 * t.driver + 1], at.motion[3 * t.driver + 2]};
    return {1, 0, 0};
}
inline double value_of_scale(const Term& t, const Instant& at) {
    return t.slide >= 0 ? at.x[t.slide] : t.driver >= 0 ? at.motion[3 * t.driver] : 1.0;
}

// Position, velocity and acceleration of a term: e with scale k, e' = w n, n' = -w e.
struct Moving {
    Vector p, v, a;
};
inline Moving moving(const Vector& e, const Term& t, const Instant& at) {
    if (t.slide < 0 && t.driver < 0) {
        if (t.angle < 0) return {e, {0, 0}, {0, 0}};
        const double w = at.v[t.angle], b = at.a[t.angle], w2 = w * w;
        return {e, {-w * e.y, w * e.x}, {-b * e.y - w2 * e.x, b * e.x - w2 * e.y}};
    }
    const double w = t.angle < 0 ? 0 : at.v[t.angle], b = t.angle < 0 ? 0 : at.a[t.angle];
    const Scale k = scale_of(t, at);
    const double along = k.bend - k.value * w * w, across = k.value * b + 2 * k.rate * w;
    return {{k.value * e.x, k.value * e.y},
            {k.rate * e.x - k.value * w * e.y, k.rate * e.y + k.value * w * e.x},
            {along * e.x - across * e.y, along * e.y + across * e.x}};
}
inline void add(Moving& sum, const Moving& m) {
    sum.p.x += m.p.x, sum.p.y += m.p.y;
    sum.v.x += m.v.x, sum.v.y += m.v.y;
    sum.a.x += m.a.x, sum.a.y += m.a.y;
}

}  // namespace mubo
