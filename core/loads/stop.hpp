// Soft end stops of a coordinate, below a lower and above an upper value: s beyond it, effort -k s - c q' as long as
// that pushes back, else none (a stop does not pull); energy k s^2 / 2. The energy left where the contact opens is
// dissipated.
#pragma once
#include "../number/dual.hpp"

namespace mubo {

struct Stop {
    static constexpr const char* name = "stop";
    static constexpr int numbers = 4;  // lower, upper, k, c
    static constexpr bool along = true, pair = false, has_law = false, is_active = false, is_conservative = true;

    template <class T>
    static T beyond(const T& q, const T* p) {
        return value(q) > value(p[1]) ? q - p[1] : value(q) < value(p[0]) ? q - p[0] : T(0);
    }
    template <class T>
    static T effort(const T& q, const T& v, const T&, const T* p) {
        const T s = beyond(q, p), push = -p[2] * s - p[3] * v;
        return value(s) * value(push) < 0 ? push : T(0);
    }
    template <class T>
    static T energy(const T& q, const T* p) {
        const T s = beyond(q, p);
        return T(0.5) * p[2] * s * s;
    }
};

}  // namespace mubo
