// Cosine and sine of an angle, for one number or several lanes, by the same operations and with the same bits.
//
// The angle less the nearest n quarter turns, r, is at most an eighth turn; then
//     sin r = r + r^3 S(r^2),   cos r = 1 - r^2/2 + r^4 C(r^2),
// where S and C interpolate at Chebyshev's points (to 2^-55 and 2^-60). A quarter turn is subtracted in three parts
// (Cody and Waite), the first two of 33 bits, so that n times these is exact for n below 2^20; the rounding error of r
// is kept as `rest`. The error is within one unit in the last place, next to zeros within 1e-30. Larger angles are
// passed to the library. The sine of zero has no minus sign, so that a rotation by zero changes no bit.
#pragma once
#include <cmath>

#include "choose.hpp"

namespace mubo {

template <class T>
struct CosSin {
    T c, s;
};

constexpr double largest_angle = 1.6e6;  // radians, just below 2^20 quarter turns

template <class T>
CosSin<T> reduced_cos_sin(const T& angle) {
    constexpr double quarters = 0.6366197723675814,
                     shift = 6755399441055744.0;  // 2/pi; 3 * 2^51 rounds to whole numbers
    constexpr double quarter1 = 0x1.921fb544p+0, quarter2 = 0x1.0b4611a6p-34, quarter3 = 0x1.3198a2e037073p-69;
    const T shifted = angle * T(quarters) + T(shift), n = shifted - T(shift);
    const T coarse = angle - n * T(quarter1), off = n * T(quarter2), fine = coarse - off;
    const T tail = n * T(quarter3) - ((coarse - fine) - off);
    const T r = fine - tail, rest = (fine - r) - tail, z = r * r;
    // Even and odd powers separately: two short dependency chains instead of a long one.
    const T zz = z * z;
    const T s_even = T(-0.16666666666666666) + zz * (T(-0.00019841269836740527) + zz * T(-2.5051129895962807e-08));
    const T s_odd = T(0.008333333333330936) + zz * (T(2.7557316093196066e-06) + zz * T(1.5917988944318716e-10));
    const T c_even = T(0.041666666666666664) + zz * (T(2.48015872987544e-05) + zz * T(2.087614504910828e-09));
    const T c_odd = T(-0.0013888888888887389) + zz * (T(-2.7557317265876615e-07) + zz * T(-1.1382544623404291e-11));
    // sin(r + rest) = sin r + rest (1 - r^2/2), cos(r + rest) = cos r - rest r, to rounding.
    const T half = T(0.5) * z;
    const T sine = r + (rest - rest * half + r * z * (s_even + z * s_odd));
    const T top = T(1.0) - half;
    const T cosine = top + (((T(1.0) - top) - half) + (zz * (c_even + z * c_odd) - rest * r));
    // n quarter turns: odd ones swap the two; the last two bits of the shifted number are those of n.
    const Mask<T> swap = last_bit(shifted);
    const T c = choose(swap, sine, cosine), s = choose(swap, cosine, sine);
    return {flip_sign(c, shifted + T(1.0), 62), flip_sign(s, shifted, 62) + T(0.0)};
}

template <class T>
CosSin<T> cos_sin(const T& angle) {
    const Mask<T> within = magnitude(angle) <= T(largest_angle);
    CosSin<T> out = reduced_cos_sin(angle);
    if (all(within)) return out;
    for (int k = 0; k < LanesOf<T>::count; ++k) {
        if (get_lane(within, k)) continue;
        set_lane(out.c, k, std::cos(get_lane(angle, k)));
        set_lane(out.s, k, std::sin(get_lane(angle, k)));
    }
    return out;
}

}  // namespace mubo
