// When rows are redundant and when they are closed: the same for both forms of forward dynamics.
#pragma once

namespace mubo {

// Rows whose pivot is below this part of their joint's at the closed start are redundant: left out for the whole run.
constexpr double redundant_row = 1e-9;
// Others take the place of the weakest rows where their pivots are larger by this factor.
constexpr double exchange_gain = 9;
// Pivots above this part show that rows hold the loops together.
constexpr double sound_row = 1e-3;
// Of the mechanism's size: gaps that are rounding, that cannot be made smaller by rounding, that end a run, and that a
// redundant row may show.
constexpr double closed_gap = 1e-15, stalled_gap = 1e-12, open_gap = 1e-10, redundant_gap = 1e-8;
constexpr int most_corrections = 30;

}  // namespace mubo
