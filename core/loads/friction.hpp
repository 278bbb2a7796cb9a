// Friction in a joint: effort -viscous v - f s(v), f >= 0 its size without the viscous part, by its law. s is the
// sign of v where the motion is prescribed (speed = 0; nothing at rest), else tanh(v / speed): regularised without a
// jump, so that a sticking joint creeps. A run that locates stick and slip by events states s itself in place of the
// speed: -1 none (it sticks, by a constraint), -2 positive, -3 negative.
#pragma once
#include <cmath>

#include "../number/dual.hpp"

namespace mubo {

struct Friction {
    static constexpr const char* name = "friction";
    static constexpr int numbers = 2;  // viscous, speed
    static constexpr bool along = true, pair = false, has_law = true, is_active = false, is_conservative = false;

    template <class T>
    static T effort(const T&, const T& v, const T& f, const T* p) {
        using std::tanh;
        const double sense = value(v) > 0 ? 1 : value(v) < 0 ? -1 : 0;
        if (value(p[1]) < 0) return -p[0] * v - f * T(value(p[1]) == -2 ? 1 : value(p[1]) == -3 ? -1 : 0);
        const T s = value(p[1]) > 0 ? tanh(v / p[1]) : T(sense);
        return -p[0] * v - f * s;
    }
};

}  // namespace mubo
