// The lane solver for the 512-bit registers of x86-64 processors with AVX-512; called only where the processor has
// them.
//
// The system headers come first, compiled for any processor: code that the linker shares between files must run on all
// of them. After the pragma there is nothing but templates over the number type of this file alone.
#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq")
#endif

#include "../number/avx512.hpp"
#include "lane_group.hpp"
#include "lane_solvers.hpp"

namespace mubo {

std::unique_ptr<LaneSolver> make_widest_lane_solver(const LoopSystem& s, const BatchTask& task) {
    return std::make_unique<LaneGroup<Lanes<8>>>(s, task);
}

}  // namespace mubo

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
