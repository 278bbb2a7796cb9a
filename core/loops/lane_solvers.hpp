// Lane solvers of this build, each compiled in a separate file for the registers that it uses.
#pragma once
#include "batch.hpp"
#include "row_solver.hpp"

namespace mubo {

// One variant or row at a time; two registers of two (SSE2, NEON: every processor has them), of four (AVX2), or of
// eight (AVX-512), for variants alone: the rows of a motion are predicted from those before, which sixteen at once are
// too far.
constexpr int plain_lanes = 4, wide_lanes = 8, widest_lanes = 16;
std::unique_ptr<LaneSolver> make_scalar_lane_solver(const LoopSystem& s, const BatchTask& task);
std::unique_ptr<LaneSolver> make_plain_lane_solver(const LoopSystem& s, const BatchTask& task);
std::unique_ptr<LaneSolver> make_wide_lane_solver(const LoopSystem& s, const BatchTask& task);
std::unique_ptr<LaneSolver> make_widest_lane_solver(const LoopSystem& s, const BatchTask& task);
std::unique_ptr<RowSolver> make_scalar_row_solver(const LoopSystem& s);
std::unique_ptr<RowSolver> make_plain_row_solver(const LoopSystem& s);
std::unique_ptr<RowSolver> make_wide_row_solver(const LoopSystem& s);

}  // namespace mubo
