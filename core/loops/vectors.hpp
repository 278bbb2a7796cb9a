// One term with its analytic derivatives, from cosines and sines computed once per angle and instant.
#pragma once
#include "../number/cos_sin.hpp"
#include "../number/plane.hpp"
#include "system.hpp"

namespace mubo {

// The data of the terms at one instant: the unknowns, their rates, cosine and sine of the angles, and the laws.
template <class T>
struct LoopState {
    const T *x, *v, *a, *c, *s, *motion;
};

// A rotation by at most `most` radians by the series of sine and 1 - cosine, exact to rounding.
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

// Cosine and sine after a further rotation; a rotation by zero changes no bit.
template <class T>
CosSin<T> turn_further(const CosSin<T>& from, const T& by) {
    const Mask<T> small = SmallTurn<T>::fits(by);
    const Vector2<T> to = SmallTurn<T>(by).of({from.c, from.s});
    if (all(small)) return {to.x, to.y};
    const CosSin<T> turn = cos_sin(by);
    return {choose(small, to.x, turn.c * from.c - turn.s * from.s),
            choose(small, to.y, turn.s * from.c + turn.c * from.s)};
}

template <class T>
Vector2<T> rotated(const CosSin<T>& by, const Vector2<T>& d) {
    return {by.c * d.x - by.s * d.y, by.s * d.x + by.c * d.y};
}

// Cosines and sines of the unknown angles.
template <class T>
struct Turns {
    explicit Turns(int angles) : c(angles), s(angles) {}
    void set(int k, const T& angle) { put(k, cos_sin(angle)); }
    void correct(int k, const T& by) { put(k, turn_further<T>({c[k], s[k]}, by)); }
    void put(int k, const CosSin<T>& rotation) {
        c[k] = rotation.c;
        s[k] = rotation.s;
    }
    std::vector<T> c, s;
};

// R(theta) d: the term without its scale.
template <class T>
Vector2<T> direction(const Term<T>& t, const LoopState<T>& at) {
    if (t.angle < 0) return {t.x, t.y};
    return rotated<T>({at.c[t.angle], at.s[t.angle]}, {t.x, t.y});
}

// The scale of a term (1, a slide, or a motion law) and its first two derivatives.
template <class T>
struct Scale {
    T value, rate, bend;
};
template <class T>
Scale<T> scale_of(const Term<T>& t, const LoopState<T>& at) {
    if (t.slide >= 0) return {at.x[t.slide], at.v[t.slide], at.a[t.slide]};
    if (t.driver < 0) return {T(1.0), T(0.0), T(0.0)};
    const T* law = at.motion + 3 * t.driver;
    return {law[0], law[1], law[2]};
}

template <class T>
T value_of_scale(const Term<T>& t, const LoopState<T>& at) {
    return t.slide >= 0 ? at.x[t.slide] : t.driver >= 0 ? at.motion[3 * t.driver] : T(1.0);
}

// Position, velocity and acceleration of a term: e with scale k, e' = w n, n' = -w e.
template <class T>
struct VectorMotion {
    Vector2<T> p, v, a;
};
template <class T>
VectorMotion<T> at_rest(const Vector2<T>& p) {
    return {p, {T(0.0), T(0.0)}, {T(0.0), T(0.0)}};
}
template <class T>
VectorMotion<T> vector_motion(const Vector2<T>& e, const Term<T>& t, const LoopState<T>& at) {
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
void add(VectorMotion<T>& sum, const VectorMotion<T>& m) {
    sum.p.x += m.p.x, sum.p.y += m.p.y;
    sum.v.x += m.v.x, sum.v.y += m.v.y;
    sum.a.x += m.a.x, sum.a.y += m.a.y;
}

}  // namespace mubo
