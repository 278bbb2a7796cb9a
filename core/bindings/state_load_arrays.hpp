// From arrays to sensors and bytecode.
#pragma once
#include "../loads/state_dependent_loads.hpp"
#include "tree_arrays.hpp"

namespace mubo {

// kind, order, bodies (or indices of a law or coordinate), counted angle, scale, numbers
using SensorArrays = std::tuple<int, int, std::vector<int>, int, double, std::vector<double>>;
using Code = std::vector<std::tuple<int, int, double>>;  // operation, sensor or point, number
// code, points of its curves; or a user function, and the bytecodes of its arguments
using BytecodeArrays =
    std::tuple<Code, std::vector<double>, UserFunction, std::vector<std::tuple<Code, std::vector<double>>>>;

// The ranges of indices of sensors: laws of time, entries of q and of v, and bodies besides -1, the ground.
struct SensorRange {
    int laws, positions, velocities, bodies;
};

// `windings` are the sensors whose turns are counted; of the bytecodes the first `sizes` are those of loads.
void fill_state_dependent_loads(StateDependentLoads& s, const SensorRange& range,
                                const std::vector<SensorArrays>& sensors, const std::vector<int>& windings,
                                const std::vector<BytecodeArrays>& programs, int sizes);

}  // namespace mubo
