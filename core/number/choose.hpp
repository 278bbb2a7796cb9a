// Selection between numbers, by functions that are also defined for several numbers in one register (lanes.hpp).
//
// What is `if` for one number is a mask for several: `choose` picks in every lane, `all` and `any` reduce a mask. Code
// written with these functions gives each lane bit by bit the result of a single number.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

// Marks a function of the inner loops: everything that it calls is inlined, so that lanes stay in registers.
#define MUBO_HOT __attribute__((flatten))

namespace mubo {

// How many numbers a number type contains, and the type of its masks.
template <class T>
struct LanesOf {
    static constexpr int count = 1;
    using Mask = bool;
};
template <class T>
using Mask = typename LanesOf<T>::Mask;

inline bool all(bool m) {
    return m;
}
inline bool any(bool m) {
    return m;
}
inline bool get_lane(bool m, int) {
    return m;
}
inline double choose(bool m, double yes, double no) {
    return m ? yes : no;
}
inline double magnitude(double a) {
    return std::fabs(a);
}
// As std::max and std::min: the first of the two where neither is larger, or one is not a number.
inline double larger(double a, double b) {
    return a < b ? b : a;
}
inline double smaller(double a, double b) {
    return b < a ? b : a;
}
inline double square_root(double a) {
    return std::sqrt(a);
}
inline double get_lane(double a, int) {
    return a;
}
inline void set_lane(double& a, int, double value) {
    a = value;
}

// Flips the sign of b by one bit of a: the 64 bits of a, as an integer, are shifted left, and the uppermost one is
// used.
inline double flip_sign(double b, double a, int left) {
    uint64_t bits, other;
    std::memcpy(&bits, &b, sizeof bits);
    std::memcpy(&other, &a, sizeof other);
    bits ^= (other << left) & (uint64_t{1} << 63);
    std::memcpy(&b, &bits, sizeof bits);
    return b;
}
// True where the last of the 64 bits is set.
inline bool last_bit(double a) {
    uint64_t bits;
    std::memcpy(&bits, &a, sizeof bits);
    return bits & 1;
}

template <class T>
Mask<T> all_lanes() {
    return T(0.0) == T(0.0);
}
template <class T>
Mask<T> no_lanes() {
    return T(0.0) != T(0.0);
}

// Neither infinite nor not a number.
template <class T>
Mask<T> finite(const T& a) {
    return a - a == T(0.0);
}

}  // namespace mubo
