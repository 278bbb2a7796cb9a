// Every spatial equation there is. A new one: a header beside these, and its name in this list.
#pragma once
#include <tuple>

#include "coincide.hpp"
#include "distance.hpp"
#include "inplane.hpp"
#include "lead.hpp"
#include "normalise.hpp"
#include "perpendicular.hpp"
#include "place.hpp"
#include "turn.hpp"

namespace mubo {

using SpatialRows = std::tuple<spatial::Coincide, spatial::Perpendicular, spatial::Inplane, spatial::Distance,
                               spatial::Lead, spatial::Turn, spatial::Place, spatial::Normalise>;

}  // namespace mubo
