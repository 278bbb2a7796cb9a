// Many variants of one mechanism: the same loops with other dimensions, each solved independently of the others.
//
// A variant is first continued from the nominal dimensions to its own (homotopy) with the drivers fixed, then moved
// over the time grid. Both obey the branch criterion of `LoopSweeper::step`: a step that leaves the branch is halved,
// and one that cannot be taken ends the variant with a status. Several variants are solved side by side in the lanes of
// vector registers (lane_group.hpp); the steps that must be subdivided are taken by the scalar solver
// (scalar_solver.hpp). Results do not depend on lanes or threads.
#pragma once
#include <memory>
#include <vector>

#include "../status.hpp"
#include "row_solver.hpp"
#include "system.hpp"

namespace mubo {

struct BatchTask {
    const double *nominal, *start;  // dimensions, and the unknowns there at times[0]
    const double *times, *motion;   // the laws at every time
    int rows, laws, dimensions;     // rows and columns of `motion`; dimensions of a variant
    std::vector<int> columns;       // of the placed bodies, as requested
    std::vector<int> placed;        // bodies that these columns need, each after its parent
    bool rates;                     // whether velocities or accelerations are among them
    SweepOptions options;
};

struct Outcome {
    Status status;
    int reached;   // last row, -1: not assembled
    double where;  // homotopy parameter, or time, at which it stopped
};

// Solves several variants at once, one in each lane.
class LaneSolver {
  public:
    virtual ~LaneSolver();
    virtual int width() const = 0;
    // Solves `count` variants, at most `width`; rows of `out` after the last one reached are NaN.
    virtual void run(const double* numbers, int count, double* out, Outcome* outcome) = 0;
};

using MakeLaneSolver = std::unique_ptr<LaneSolver> (*)(const LoopSystem&, const BatchTask&);

// A lane solver that this processor supports, with its number of lanes; the widest is the first, the scalar one the
// last.
struct LaneSolverKind {
    int width;
    MakeLaneSolver make;
    MakeRowSolver make_rows;
};
std::vector<LaneSolverKind> lane_solver_kinds();

// Solves all variants, distributed over threads; the results of a variant do not depend on its thread.
void run_batch(const LoopSystem& s, const BatchTask& task, MakeLaneSolver make, int variants, int threads,
               const double* numbers, double* out, Outcome* outcome);

}  // namespace mubo
