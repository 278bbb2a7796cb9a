// The lane solver for the 256-bit registers of x86-64 processors with AVX2; called only where the processor has them.
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
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#include "../number/avx2.hpp"
#include "lane_group.hpp"
#include "lane_solvers.hpp"
#include "row_group.hpp"

namespace mubo {

std::unique_ptr<LaneSolver> make_wide_lane_solver(const LoopSystem& s, const BatchTask& task) {
    return std::make_unique<LaneGroup<Lanes<4>>>(s, task);
}

std::unique_ptr<RowSolver> make_wide_row_solver(const LoopSystem& s) {
    return std::make_unique<RowGroup<Lanes<4>>>(s);
}

}  // namespace mubo

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
