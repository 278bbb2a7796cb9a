// Several numbers side by side in two vector registers of N numbers, one number for each variant.
//
// The operations are those of one number, lane by lane, none of them fused: a lane contains bit by bit the result of a
// single number, whatever its neighbours are. Two registers hide latency: the processor works on the second while it
// waits for the first.
#pragma once
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "choose.hpp"

#define MUBO_LANE inline __attribute__((always_inline))

namespace mubo {

template <int N>
struct Register {
    typedef double Number __attribute__((vector_size(8 * N)));
    typedef int64_t Bits __attribute__((vector_size(8 * N)));

    static MUBO_LANE Bits less(const Number& a, const Number& b) { return a < b; }
    static MUBO_LANE Bits at_most(const Number& a, const Number& b) { return a <= b; }
    static MUBO_LANE Bits equal(const Number& a, const Number& b) { return a == b; }
    static MUBO_LANE Number choose(const Bits& m, const Number& yes, const Number& no) {
        return (Number)((m & (Bits)yes) | (~m & (Bits)no));
    }
    static MUBO_LANE Number larger(const Number& a, const Number& b) { return choose(a < b, b, a); }
    static MUBO_LANE Number smaller(const Number& a, const Number& b) { return choose(b < a, b, a); }
    static MUBO_LANE unsigned mask(const Bits& m) {  // a bit for each number
        int64_t each[N];
        std::memcpy(each, &m, sizeof each);
        unsigned bits = 0;
        for (int k = 0; k < N; ++k) bits |= (each[k] ? 1u : 0u) << k;
        return bits;
    }
};

#if defined(__x86_64__)
// By intrinsics: compilers generate longer code, and gcc 12 fails at comparisons without SSE4.
template <>
struct Register<2> {
    typedef double Number __attribute__((vector_size(16)));
    typedef int64_t Bits __attribute__((vector_size(16)));

    static MUBO_LANE Bits less(const Number& a, const Number& b) { return (Bits)_mm_cmplt_pd(a, b); }
    static MUBO_LANE Bits at_most(const Number& a, const Number& b) { return (Bits)_mm_cmple_pd(a, b); }
    static MUBO_LANE Bits equal(const Number& a, const Number& b) { return (Bits)_mm_cmpeq_pd(a, b); }
    static MUBO_LANE Number choose(const Bits& m, const Number& yes, const Number& no) {
        return _mm_or_pd(_mm_and_pd((Number)m, yes), _mm_andnot_pd((Number)m, no));
    }
    static MUBO_LANE Number larger(const Number& a, const Number& b) { return _mm_max_pd(b, a); }
    static MUBO_LANE Number smaller(const Number& a, const Number& b) { return _mm_min_pd(b, a); }
    static MUBO_LANE unsigned mask(const Bits& m) { return _mm_movemask_pd((Number)m); }
};
#endif

// All bits of a lane are set for yes, none for no.
template <int N>
struct alignas(8 * N) LaneMask {
    typename Register<N>::Bits v, w;

    LaneMask() = default;
    MUBO_LANE LaneMask(const typename Register<N>::Bits& first, const typename Register<N>::Bits& second)
        : v(first), w(second) {}
    LaneMask(const LaneMask& b) : v(b.v), w(b.w) {}
    LaneMask& operator=(const LaneMask& b) {
        v = b.v;
        w = b.w;
        return *this;
    }
};

template <int N>
struct alignas(8 * N) Lanes {
    using R = Register<N>;
    using Number = typename R::Number;
    using Bits = typename R::Bits;
    Number v, w;

    // Copied register by register: by default compilers move halves, which stalls the next read of a whole register.
    Lanes() = default;
    Lanes(const Lanes& b) : v(b.v), w(b.w) {}
    Lanes& operator=(const Lanes& b) {
        v = b.v;
        w = b.w;
        return *this;
    }
    MUBO_LANE Lanes(const Number& first, const Number& second) : v(first), w(second) {}
    MUBO_LANE Lanes(double value) : v(value - Number{}), w(value - Number{}) {}  // not plus: minus zero stays
    MUBO_LANE Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
    MUBO_LANE Lanes& operator-=(const Lanes& b) { return *this = *this - b; }
    MUBO_LANE Lanes& operator*=(const Lanes& b) { return *this = *this * b; }

    friend MUBO_LANE Lanes operator+(const Lanes& a, const Lanes& b) { return {a.v + b.v, a.w + b.w}; }
    friend MUBO_LANE Lanes operator-(const Lanes& a, const Lanes& b) { return {a.v - b.v, a.w - b.w}; }
    friend MUBO_LANE Lanes operator-(const Lanes& a) { return {-a.v, -a.w}; }
    friend MUBO_LANE Lanes operator*(const Lanes& a, const Lanes& b) { return {a.v * b.v, a.w * b.w}; }
    friend MUBO_LANE Lanes operator/(const Lanes& a, const Lanes& b) { return {a.v / b.v, a.w / b.w}; }
    friend MUBO_LANE LaneMask<N> operator<(const Lanes& a, const Lanes& b) {
        return {R::less(a.v, b.v), R::less(a.w, b.w)};
    }
    friend MUBO_LANE LaneMask<N> operator<=(const Lanes& a, const Lanes& b) {
        return {R::at_most(a.v, b.v), R::at_most(a.w, b.w)};
    }
    friend MUBO_LANE LaneMask<N> operator==(const Lanes& a, const Lanes& b) {
        return {R::equal(a.v, b.v), R::equal(a.w, b.w)};
    }
    friend MUBO_LANE LaneMask<N> operator>(const Lanes& a, const Lanes& b) { return b < a; }
    friend MUBO_LANE LaneMask<N> operator>=(const Lanes& a, const Lanes& b) { return b <= a; }
    friend MUBO_LANE LaneMask<N> operator!=(const Lanes& a, const Lanes& b) { return !(a == b); }
};

template <int N>
struct LanesOf<Lanes<N>> {
    static constexpr int count = 2 * N;
    using Mask = LaneMask<N>;
};

template <int N>
MUBO_LANE LaneMask<N> operator&(const LaneMask<N>& a, const LaneMask<N>& b) {
    return {a.v & b.v, a.w & b.w};
}
template <int N>
MUBO_LANE LaneMask<N> operator|(const LaneMask<N>& a, const LaneMask<N>& b) {
    return {a.v | b.v, a.w | b.w};
}
template <int N>
MUBO_LANE LaneMask<N> operator!(const LaneMask<N>& a) {
    return {~a.v, ~a.w};
}
template <int N>
MUBO_LANE bool any(const LaneMask<N>& m) {
    return Register<N>::mask(m.v | m.w) != 0;
}
template <int N>
MUBO_LANE bool all(const LaneMask<N>& m) {
    return Register<N>::mask(m.v & m.w) == (1u << N) - 1;
}
template <int N>
MUBO_LANE bool get_lane(const LaneMask<N>& m, int lane) {
    return (lane < N ? m.v[lane] : m.w[lane - N]) != 0;
}
template <int N>
MUBO_LANE double get_lane(const Lanes<N>& a, int lane) {
    return lane < N ? a.v[lane] : a.w[lane - N];
}
template <int N>
MUBO_LANE void set_lane(Lanes<N>& a, int lane, double value) {
    (lane < N ? a.v : a.w)[lane < N ? lane : lane - N] = value;
}

template <int N>
MUBO_LANE Lanes<N> choose(const LaneMask<N>& m, const Lanes<N>& yes, const Lanes<N>& no) {
    return {Register<N>::choose(m.v, yes.v, no.v), Register<N>::choose(m.w, yes.w, no.w)};
}
template <int N>
MUBO_LANE Lanes<N> larger(const Lanes<N>& a, const Lanes<N>& b) {
    return {Register<N>::larger(a.v, b.v), Register<N>::larger(a.w, b.w)};
}
template <int N>
MUBO_LANE Lanes<N> smaller(const Lanes<N>& a, const Lanes<N>& b) {
    return {Register<N>::smaller(a.v, b.v), Register<N>::smaller(a.w, b.w)};
}
template <int N>
MUBO_LANE Lanes<N> magnitude(const Lanes<N>& a) {
    using L = Lanes<N>;
    using Bits = typename L::Bits;
    using Number = typename L::Number;
    return {(Number)((Bits)a.v & INT64_MAX), (Number)((Bits)a.w & INT64_MAX)};
}
template <int N>
Lanes<N> square_root(Lanes<N> a) {
    for (int lane = 0; lane < 2 * N; ++lane) set_lane(a, lane, std::sqrt(get_lane(a, lane)));
    return a;
}
template <int N>
MUBO_LANE typename Lanes<N>::Number flip_sign(const typename Lanes<N>::Number& b, const typename Lanes<N>::Number& a,
                                              int left) {
    using Bits = typename Lanes<N>::Bits;
    return (typename Lanes<N>::Number)((Bits)b ^ (((Bits)a << left) & INT64_MIN));
}
template <int N>
MUBO_LANE Lanes<N> flip_sign(const Lanes<N>& b, const Lanes<N>& a, int left) {
    return {flip_sign<N>(b.v, a.v, left), flip_sign<N>(b.w, a.w, left)};
}
template <int N>
MUBO_LANE LaneMask<N> last_bit(const Lanes<N>& a) {
    using Bits = typename Lanes<N>::Bits;
    return {-((Bits)a.v & 1), -((Bits)a.w & 1)};
}

}  // namespace mubo
