// The oil film of a short journal bearing (Ocvirk), cavitated where its pressure would be negative (pi-film): the force
// on the journal, body j, in the bearing, body i. With the eccentricity d = P_j - P_i = c eps r, gamma its angle,
// w = (w_i + w_j) / 2 - gamma', theta from the widest place of the film and K = mu R L^3 / c^2 the force is
//   F = K int (w eps sin theta - eps' cos theta) / (1 + eps cos theta)^3 (r cos theta + k x r sin theta) dtheta
// over the half circle from theta_0 = atan2(eps', w eps), in closed form by Sommerfeld's substitution
// 1 + eps cos theta = (1 - eps^2) / (1 - eps cos psi); at the middle of both centres, with the shear torque
// 2 pi mu R^3 L (w_j - w_i) / (c (1 - eps^2)^(1/2)) against the slip. Sources: Ocvirk, NACA TN 2808 (1952); Booker,
// A table of the journal-bearing integral, J. Basic Eng. 87 (1965).
#pragma once
#include <cmath>

#include "../bodies.hpp"

namespace mubo {

template <class World>
struct JournalFilm {
    static constexpr const char* name = "journal_film";
    static constexpr int n = World::dimension;
    static constexpr int numbers = 2 * n + 4 + (n == 3 ? 3 : 0);  // s_i, s_j, radius, clearance, length, mu; axis
    static constexpr bool along = false, pair = true, has_law = false, is_active = false, is_conservative = false;
    template <class T>
    using Place = typename World::template Vector<T>;

    // Axis, spin about it, and vectors across it: in the plane all are.
    template <class T>
    static T spin(const MotionOf<World, T>& b, const T* axis) {
        if constexpr (n == 2)
            return b.w;
        else
            return dot(b.w, World::vector(axis));
    }
    template <class T>
    static Place<T> across(const Place<T>& a, const T* axis) {
        if constexpr (n == 2)
            return a;
        else
            return a - dot(a, World::vector(axis)) * World::vector(axis);
    }
    template <class T>
    static Place<T> turned(const Place<T>& a, const T* axis) {
        if constexpr (n == 2)
            return quarter_turn(a);
        else
            return cross(World::vector(axis), a);
    }
    template <class T>
    static auto moment(const T& size, const T* axis) {
        if constexpr (n == 2)
            return size;
        else
            return size * World::vector(axis);
    }

    // The integrals of sin^2, sin cos and cos^2 over (1 + eps cos theta)^3 up to psi, without powers of 1 - eps^2.
    template <class T>
    struct Integrals {
        T ss, sc, cc;
    };
    template <class T>
    static Integrals<T> up_to(const T& psi, const T& eps) {
        using std::cos, std::sin;
        const T c = cos(psi), s = sin(psi);
        return {T(0.5) * (psi - s * c), c * (eps - T(0.5) * c),
                T(0.5) * (psi + s * c) - T(2) * eps * s + eps * eps * psi};
    }
    template <class T>
    static T sommerfeld(const T& c, const T& s, const T& eps, const T& root) {
        using std::atan2;
        return atan2(root * s, c + eps);
    }
    template <class T>
    static Place<T> force(const Place<T>& d, const Place<T>& u, const T& spins, const T* p, const T* axis) {
        using std::sqrt;
        const T R = p[0], c = p[1], L = p[2], mu = p[3], K = mu * R * L * L * L / (c * c);
        const T square = dot(d, d) / (c * c);
        const auto turned_gap = turned(d, axis);
        if (!(value(square) > 1e-20))  // in the middle the film is linear, whichever half presses
            return (T(-1.57079632679489661923) * K / c) * u + (T(0.78539816339744830962) * K * spins / c) * turned_gap;
        const T size = sqrt(dot(d, d)), eps = size / c;
        const Place<T> r = (T(1) / size) * d, side = (T(1) / size) * turned_gap;
        const T rate = dot(u, r) / c, across = T(0.5) * spins * eps - dot(u, side) / c;
        const T whole = sqrt(rate * rate + across * across);
        if (!(value(whole) > 0)) return T(0) * d;
        const T cosine = across / whole, sine = rate / whole, q = T(1) - eps * eps, root = sqrt(q);
        const T from = sommerfeld(cosine, sine, eps, root);
        T to = sommerfeld(-cosine, -sine, eps, root);
        if (value(to) < value(from)) to = to + T(6.28318530717958647692);
        const Integrals<T> a = up_to(from, eps), b = up_to(to, eps);
        const T ss = (b.ss - a.ss) / (q * root), sc = (b.sc - a.sc) / (q * q), cc = (b.cc - a.cc) / (q * q * root);
        return (K * (across * sc - rate * cc)) * r + (K * (across * ss - rate * sc)) * side;
    }
    template <class T>
    static void act(const MotionOf<World, T>& i, const MotionOf<World, T>& j, const T&, const T* p,
                    WrenchOf<World, T>* on) {
        using std::sqrt;
        const auto si = i.rotate(p), sj = j.rotate(p + n);
        const T *size = p + 2 * n, *axis = size + 4;
        const Place<T> gap = j.r + sj - i.r - si, d = across<T>(gap, axis);
        const Place<T> u = across<T>(j.velocity(sj) - i.velocity(si), axis);
        const T wi = spin(i, axis), wj = spin(j, axis), c = size[1];
        const Place<T> F = force<T>(d, u, wi + wj, size, axis);
        const T left = T(1) - dot(d, d) / (c * c);
        const T shear =
            T(6.28318530717958647692) * size[3] * size[0] * size[0] * size[0] * size[2] * (wj - wi) / (c * sqrt(left));
        const Place<T> half = T(0.5) * gap;
        on[0] = {moment<T>(shear, axis) - cross(si + half, F), -F};
        on[1] = {cross(sj - half, F) - moment<T>(shear, axis), F};
    }
};

}  // namespace mubo
