// All constraint equations of space. To add one, write a header in this folder and enter its type in this list.
#pragma once
#include <tuple>

#include "coincide.hpp"
#include "coupler.hpp"
#include "distance.hpp"
#include "inplane.hpp"
#include "knife_edge.hpp"
#include "lead.hpp"
#include "normalise.hpp"
#include "perpendicular.hpp"
#include "place.hpp"
#include "rolling.hpp"
#include "sphere_rolling.hpp"
#include "tooth.hpp"
#include "touch.hpp"
#include "turn.hpp"
#include "untwisted.hpp"

namespace mubo {

using SpaceRows = std::tuple<space::Coincide, space::Perpendicular, space::Inplane, space::Distance, space::Lead,
                             space::Turn, space::Place, space::Normalise, space::Untwisted, space::Coupler,
                             space::Touch, space::Rolling, space::KnifeEdge, space::SphereRolling, space::Tooth>;

}  // namespace mubo
