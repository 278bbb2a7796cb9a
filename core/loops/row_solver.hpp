// Rows of one motion side by side, one in each lane: each starts from a prediction over the whole block of rows, and
// the step between neighbours is checked as if it had been taken alone.
//
// A block has the same rows on every processor, whatever its lanes, so that results do not depend on them. One in which
// any step fails is given back: its rows are then solved one after the other, in sub-steps where these are needed.
#pragma once
#include <memory>

#include "../status.hpp"
#include "system.hpp"

namespace mubo {

constexpr int block_rows = 8;  // a multiple of every number of lanes

// The grid of a sweep: `parts` of its times make one row.
struct RowGrid {
    const double *times, *motion;
    int laws, parts;
};

// The unknowns after `row`: the quintic through position, velocity and acceleration at `row` and one block before it.
struct RowPrediction {
    int row;
    double span;       // time of the block before
    const double* at;  // x, v, a at `row`
    const double *cubic, *quartic, *quintic;
};

class RowSolver {
  public:
    virtual ~RowSolver();
    virtual int width() const = 0;
    // Solves `width` rows after `row`, the last one known. `states` are x, v, a of all rows; `largest` and `counts` are
    // valid only where every step succeeds (true).
    virtual bool solve(const RowGrid& grid, const RowPrediction& from, int row, const SweepOptions& options,
                       const double* signs, double* states, double* largest, double* counts) = 0;
    // Poses, velocities and accelerations of all bodies at every state.
    virtual void place(const RowGrid& grid, int rows, const double* states, double* out) = 0;
};

using MakeRowSolver = std::unique_ptr<RowSolver> (*)(const LoopSystem&);

}  // namespace mubo
