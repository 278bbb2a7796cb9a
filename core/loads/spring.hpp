// Spring and damper along a coordinate q: effort -k (q - q0) - c q', energy k (q - q0)^2 / 2.
#pragma once

namespace mubo {

struct Spring {
    static constexpr const char* name = "spring";
    static constexpr int numbers = 3;  // k, q0, c
    static constexpr bool along = true, pair = false, has_law = false, is_active = false, is_conservative = true;

    template <class T>
    static T effort(const T& q, const T& v, const T&, const T* p) {
        return -p[0] * (q - p[1]) - p[2] * v;
    }
    template <class T>
    static T energy(const T& q, const T* p) {
        return T(0.5) * p[0] * (q - p[1]) * (q - p[1]);
    }
};

}  // namespace mubo
