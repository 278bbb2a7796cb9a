// The registers of four numbers of x86-64 processors with AVX2, by their instructions.
#pragma once
#include "lanes.hpp"

namespace mubo {

template <>
struct Register<4> {
    typedef double Number __attribute__((vector_size(32)));
    typedef int64_t Bits __attribute__((vector_size(32)));

    static MUBO_LANE Bits less(const Number& a, const Number& b) { return (Bits)_mm256_cmp_pd(a, b, _CMP_LT_OQ); }
    static MUBO_LANE Bits at_most(const Number& a, const Number& b) { return (Bits)_mm256_cmp_pd(a, b, _CMP_LE_OQ); }
    static MUBO_LANE Bits equal(const Number& a, const Number& b) { return (Bits)_mm256_cmp_pd(a, b, _CMP_EQ_OQ); }
    static MUBO_LANE Number choose(const Bits& m, const Number& yes, const Number& no) {
        return _mm256_blendv_pd(no, yes, (Number)m);
    }
    static MUBO_LANE Number larger(const Number& a, const Number& b) { return _mm256_max_pd(b, a); }
    static MUBO_LANE Number smaller(const Number& a, const Number& b) { return _mm256_min_pd(b, a); }
    static MUBO_LANE unsigned mask(const Bits& m) { return _mm256_movemask_pd((Number)m); }
};

}  // namespace mubo
