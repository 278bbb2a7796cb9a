// The registers of eight numbers of x86-64 processors with AVX-512 (F and DQ), by their instructions.
#pragma once
#include "lanes.hpp"

namespace mubo {

template <>
struct Register<8> {
    typedef double Number __attribute__((vector_size(64)));
    typedef int64_t Bits __attribute__((vector_size(64)));

    static MUBO_LANE Bits less(const Number& a, const Number& b) { return each(_mm512_cmp_pd_mask(a, b, _CMP_LT_OQ)); }
    static MUBO_LANE Bits at_most(const Number& a, const Number& b) {
        return each(_mm512_cmp_pd_mask(a, b, _CMP_LE_OQ));
    }
    static MUBO_LANE Bits equal(const Number& a, const Number& b) { return each(_mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ)); }
    static MUBO_LANE Number choose(const Bits& m, const Number& yes, const Number& no) {
        return _mm512_mask_blend_pd(static_cast<__mmask8>(mask(m)), no, yes);
    }
    static MUBO_LANE Number larger(const Number& a, const Number& b) { return _mm512_maskz_max_pd(every, b, a); }
    static MUBO_LANE Number smaller(const Number& a, const Number& b) { return _mm512_maskz_min_pd(every, b, a); }
    static MUBO_LANE unsigned mask(const Bits& m) { return _mm512_movepi64_mask((__m512i)m); }

  private:
    static constexpr __mmask8 every = 0xff;  // with a mask: without one the headers of gcc 12 warn
    static MUBO_LANE Bits each(__mmask8 m) { return (Bits)_mm512_movm_epi64(m); }
};

}  // namespace mubo
