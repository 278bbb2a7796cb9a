// One term with its derivatives by hand, from cosines and sines computed once per angle and instant.
#pragma once
#include "../number/plane.hpp"
#include "../number/turn.hpp"
#include "system.hpp"

namespace mubo {

// What the terms need at one instant: the unknowns, their rates, cosine and sine of the angles, and the laws.
template <class T>
struct Instant {
    const T *x, *v, *a, *c, *s;
    const double* motion;
};

// A turn of at most `most` radians by the series of sine and 1 - cosine, exact to rounding.
template <class T>
struct SmallTurn {
    static constexpr double most = 0.01;
    explicit SmallTurn(const T& turn) {
        const T d = turn * turn;
        sine = turn - turn * d * (T(1.0 / 6) - d * T(1.0 / 120));
        versine = d * (T(0.5) - d * (T(1.0 / 24) - d * T(1.0 / 720)));
    }
    Vector2<T> of(const Vector2<T>& p) const {
        return {p.x - (versine * p.x + sine * p.y), p.y + (sine * p.x - versine * p.y)};
    }
    static Mask<T> fits(const T& turn) { return magnitude(turn) <= T(most); }
    T sine, versine;
};

template <class T>
Vector2<T> choose(const Mask<T>& where, const Vector2<T>& yes, const Vector2<T>& no) {
    return {choose(where, yes.x, no.x), choose(where, yes.y, no.y)};
}

// Cosines and sines of the unknown angles.
template <class T>
struct Turns {
    explicit Turns(int angles) : c(angles), s(angles) {}
    void set(int k, const T& angle) {
        const CosSin<T> turned = cos_sin(angle);
        c[k] = turned.c;
        s[k] = turned.s;
    }
    // After a correction by `turn` that led to `angle`.
    void correct(const Mask<T>& where, int k, const T& turn, const T& angle) {
        const Mask<T> small = SmallTurn<T>::fits(turn);
        Vector2<T> turned = SmallTurn<T>(turn).of({c[k], s[k]});
        if (any(where & !small)) {
            const CosSin<T> fresh = cos_sin(angle);
            turned = choose<T>(small, turned, {fresh.c, fresh.s});
        }
        c[k] = choose(where, turned.x, c[k]);
        s[k] = choose(where, turned.y, s[k]);
    }
    std::vector<T> c, s;
};

// R(theta) d: the term without its scale.
template <class T>
Vector2<T> direction(const Term<T>& t, const Instant<T>& at) {
    if (t.angle < 0) return {t.x, t.y};
    const T c = at.c[t.angle], s = at.s[t.angle];
    return {c * t.x - s * t.y, s * t.x + c * t.y};
}

// The scale of a term (1, a slide, or a motion law) and its first two derivatives.
template <class T>
struct Scale {
    T value, rate, bend;
};
template <class T>
Scale<T> scale_of(const Term<T>& t, const Instant<T>& at) {
    if (t.slide >= 0) return {at.x[t.slide], at.v[t.slide], at.a[t.slide]};
    if (t.driver < 0) return {T(1.0), T(0.0), T(0.0)};
    const double* law = at.motion + 3 * t.driver;
    return {T(law[0]), T(law[1]), T(law[2])};
}

// Position, velocity and acceleration of a term: e with scale k, e' = w n, n' = -w e.
template <class T>
struct Moving {
    Vector2<T> p, v, a;
};
template <class T>
Moving<T> at_rest(const Vector2<T>& p) {
    return {p, {T(0.0), T(0.0)}, {T(0.0), T(0.0)}};
}
template <class T>
Moving<T> moving(const Vector2<T>& e, const Term<T>& t, const Instant<T>& at) {
    if (t.slide < 0 && t.driver < 0) {
        if (t.angle < 0) return at_rest(e);
        const T w = at.v[t.angle], b = at.a[t.angle], w2 = w * w;
        return {e, {-w * e.y, w * e.x}, {-b * e.y - w2 * e.x, b * e.x - w2 * e.y}};
    }
    const T w = t.angle < 0 ? T(0.0) : at.v[t.angle], b = t.angle < 0 ? T(0.0) : at.a[t.angle];
    const Scale<T> k = scale_of(t, at);
    const T along = k.bend - k.value * w * w, across = k.value * b + T(2.0) * k.rate * w;
    return {{k.value * e.x, k.value * e.y},
            {k.rate * e.x - k.value * w * e.y, k.rate * e.y + k.value * w * e.x},
            {along * e.x - across * e.y, along * e.y + across * e.x}};
}
template <class T>
void add(Moving<T>& sum, const Moving<T>& m) {
    sum.p.x += m.p.x, sum.p.y += m.p.y;
    sum.v.x += m.v.x, sum.v.y += m.v.y;
    sum.a.x += m.a.x, sum.a.y += m.a.y;
}

}  // namespace mubo
