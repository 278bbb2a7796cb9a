// From arrays to sensors and programs, for whoever reads them.
#pragma once
#include "../loads/steering.hpp"
#include "tree_arrays.hpp"

namespace mubo {

// sense, order, bodies (or what stands in their place), winding, scale, numbers
using SensorArrays = std::tuple<int, int, std::vector<int>, int, double, std::vector<double>>;
using Code = std::vector<std::tuple<int, int, double>>;  // operation, sensor or point, number
// code, points of its curves; or a function, and the programs that it is given
using ProgramArrays =
    std::tuple<Code, std::vector<double>, UserFunction, std::vector<std::tuple<Code, std::vector<double>>>>;

// What sensors may name: laws of time, entries of q and of v, and bodies beside -1, the ground.
struct SensorRange {
    int laws, positions, velocities, bodies;
};

// `windings` are the sensors whose turns are counted; of the programs the first `sizes` are those of loads.
void fill_steering(Steering& s, const SensorRange& range, const std::vector<SensorArrays>& sensors,
                   const std::vector<int>& windings, const std::vector<ProgramArrays>& programs, int sizes);

}  // namespace mubo
