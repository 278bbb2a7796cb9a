// Choosing between numbers, in words that also hold for several of them in one register (lanes.hpp).
//
// What is `if` for one number is a mask for several: `choose` picks in every lane, `all` and `any` ask all of them.
// Code written in these words gives each lane bit by bit what it gives to a number alone.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

// A function of the hot loops: all that it calls becomes part of it, so that lanes stay in their registers.
#define MUBO_HOT __attribute__((flatten))

namespace mubo {

// How many numbers a number type holds, and the type of its yes and no.
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
inline bool in_lane(bool m, int) {
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
inline double in_lane(double a, int) {
    return a;
}
inline void put_lane(double& a, int, double value) {
    a = value;
}

// Of the 64 bits: those of a, taken as a whole number, moved left and cut down to the sign, flip the sign of b.
inline double flip_sign(double b, double a, int left) {
    uint64_t bits, other;
    std::memcpy(&bits, &b, sizeof bits);
    std::memcpy(&other, &a, sizeof other);
    bits ^= (other << left) & (uint64_t{1} << 63);
    std::memcpy(&b, &bits, sizeof bits);
    return b;
}
// Is the last of the 64 bits set?
inline bool last_bit(double a) {
    uint64_t bits;
    std::memcpy(&bits, &a, sizeof bits);
    return bits & 1;
}

template <class T>
Mask<T> everywhere() {
    return T(0.0) == T(0.0);
}
template <class T>
Mask<T> nowhere() {
    return T(0.0) != T(0.0);
}

// Neither infinite nor not a number.
template <class T>
Mask<T> finite(const T& a) {
    return a - a == T(0.0);
}

}  // namespace mubo
