// Every planar equation there is. A new one: a header beside these, and its name in this list.
#pragma once
#include <tuple>

#include "along.hpp"
#include "cam.hpp"
#include "coincide.hpp"
#include "coordinate.hpp"
#include "distance.hpp"
#include "parallel.hpp"
#include "place.hpp"
#include "ratio.hpp"
#include "roll.hpp"
#include "slide.hpp"

namespace mubo {

using PlanarRows =
    std::tuple<Coincide, Along, Parallel, Coordinate, Slide, Distance, Ratio, Roll, Place, CamRoller, CamFlat>;

}  // namespace mubo
