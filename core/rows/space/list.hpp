// Every equation of space there is. A new one: a header beside these, and its name in this list.
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
#include "untwisted.hpp"

namespace mubo {

using SpaceRows = std::tuple<space::Coincide, space::Perpendicular, space::Inplane, space::Distance, space::Lead,
                             space::Turn, space::Place, space::Normalise, space::Untwisted>;

}  // namespace mubo
