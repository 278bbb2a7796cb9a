// Tolerances for redundant rows and for closed loops, the same for both formulations of forward dynamics.
#pragma once

namespace mubo {

// Rows whose pivot at the closed start is below this fraction of their joint's are redundant and left out for the whole
// run.
constexpr double redundant_row = 1e-9;
// Other rows replace the weakest ones where their pivots are larger by this factor.
constexpr double exchange_gain = 9;
// Relative pivots above this value are clearly independent.
constexpr double sound_row = 1e-3;
// Relative to the mechanism's size: gaps that are rounding, that stall because of rounding, that end a run, and that a
// redundant row may have.
constexpr double closed_gap = 1e-15, stalled_gap = 1e-12, open_gap = 1e-10, redundant_gap = 1e-8;
constexpr int max_corrections = 30;

}  // namespace mubo
