// Friction in a joint: effort -viscous v - f s(v), f >= 0 its size without the viscous part, by its law. s is the
// sign of v where the motion is prescribed (speed = 0; nothing at rest), else tanh(v / speed): regularised without a
// jump, so that a sticking joint creeps. A run that locates stick and slip by events states s itself in place of the
// speed: -1 none (it sticks, by a constraint), -2 positive, -3 negative. With a Stribeck speed w the size f falls from
// ratio f at rest: f (1 + (ratio - 1) exp(-(v/w)^2)).
#pragma once
#include <cmath>

#include "../number/dual.hpp"

namespace mubo {

struct Friction {
    static constexpr const char* name = "friction";
    static constexpr int numbers = 4;  // viscous, ratio, Stribeck speed, speed
    static constexpr bool along = true, pair = false, has_law = true, is_active = false, is_conservative = false;

    template <class T>
    static T effort(const T&, const T& v, const T& f, const T* p) {
        using std::exp;
        using std::tanh;
        const double sense = value(v) > 0 ? 1 : value(v) < 0 ? -1 : 0, speed = value(p[3]);
        T s = speed > 0 ? tanh(v / p[3]) : T(sense);
        if (speed < 0) s = T(speed == -2 ? 1 : speed == -3 ? -1 : 0);
        if (!(value(p[2]) > 0)) return -p[0] * v - f * s;
        return -p[0] * v - f * (T(1) + (p[1] - T(1)) * exp(-(v / p[2]) * (v / p[2]))) * s;
    }
};

}  // namespace mubo
