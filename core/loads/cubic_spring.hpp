// Hardening or softening spring with a damper along a coordinate, with s = q - q0: effort -k s - b s^3 - c q',
// energy k s^2 / 2 + b s^4 / 4 (Duffing).
#pragma once

namespace mubo {

struct CubicSpring {
    static constexpr const char* name = "cubic_spring";
    static constexpr int numbers = 4;  // k, b, q0, c
    static constexpr bool along = true, pair = false, has_law = false, is_active = false, is_conservative = true;

    template <class T>
    static T effort(const T& q, const T& v, const T&, const T* p) {
        const T s = q - p[2];
        return -(p[0] + p[1] * s * s) * s - p[3] * v;
    }
    template <class T>
    static T energy(const T& q, const T* p) {
        const T square = (q - p[2]) * (q - p[2]);
        return (T(0.5) * p[0] + T(0.25) * p[1] * square) * square;
    }
};

}  // namespace mubo
