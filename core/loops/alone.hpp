// One variant by itself: it is led to its dimensions and over steps that must be divided, as its neighbours need not
// be.
#pragma once
#include <vector>

#include "batch.hpp"
#include "sweep.hpp"

namespace mubo {

// The ways of a variant to its own dimensions, and what ends them.
constexpr double longest_lead = 0.25, shortest_lead = 1e-7;
// A part s + h of the way; the whole one where next to nothing is left.
static inline double lead_target(double s, double h) {
    return s + h > 1 - shortest_lead ? 1 : s + h;
}

class Alone {
  public:
    Alone(const LoopSystem& s, const BatchTask& task);
    ~Alone();

    // Dimensions of the variant that the calls after this speak of.
    void become(const double* numbers);

    // To the variant's dimensions, with the drivers where they are at the start.
    Outcome lead();
    // From a row to the next in sub-steps; between its ends the laws are the quintics through their values and rates.
    Status divide(int row, double* time);

    // Where it is, as those who send it and take it back read and write: x, v, a; signs and largest sizes of the
    // blocks; cosines and sines of the angles.
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
