// The solver of a single variant: the homotopy to its dimensions and the steps that must be subdivided, which its
// neighbours in other lanes need not be.
#pragma once
#include <vector>

#include "batch.hpp"
#include "sweep.hpp"

namespace mubo {

// Step lengths of the homotopy from the nominal dimensions to those of a variant.
constexpr double longest_homotopy_step = 0.25, shortest_homotopy_step = 1e-7;
// The next homotopy parameter s + h, or 1 where less than the shortest step would be left.
static inline double homotopy_target(double s, double h) {
    return s + h > 1 - shortest_homotopy_step ? 1 : s + h;
}

class ScalarSolver {
  public:
    ScalarSolver(const LoopSystem& s, const BatchTask& task);
    ~ScalarSolver();

    // Sets the dimensions of the variant that the following calls solve.
    void set_variant(const double* numbers);

    // Follows the homotopy to the variant's dimensions, with the drivers at their start.
    Outcome follow_homotopy();
    // From a row to the next in sub-steps; between its ends the laws are interpolated (law_interpolation.hpp).
    Status subdivide_step(int row, double* time);

    // The state that is exchanged with the lanes: x, v, a; signs and largest pivots of the blocks; cosines and sines of
    // the angles.
    std::vector<double> state, signs, largest;
    Turns<double>& turns() { return sweeper_.turns(); }

  private:
    void set_numbers(double s);
    Status solve(double* state);
    Status differentiate(double s, double step);
    Status step(double h, const double* motion, const SweepOptions& options);

    LoopSystem system_;
    LoopSweeper<double> sweeper_;
    const BatchTask& task_;
    int n_;
    const double* numbers_ = nullptr;
    std::vector<double> next_, side_, laws_;
};

}  // namespace mubo
