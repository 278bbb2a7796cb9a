// All constraint equations of the plane. To add one, write a header in this folder and enter its type in this list.
#pragma once
#include <tuple>

#include "along.hpp"
#include "cam.hpp"
#include "circle_rolling.hpp"
#include "coincide.hpp"
#include "coordinate.hpp"
#include "curve.hpp"
#include "distance.hpp"
#include "geneva.hpp"
#include "knife_edge.hpp"
#include "parallel.hpp"
#include "place.hpp"
#include "ratio.hpp"
#include "roll.hpp"
#include "slide.hpp"
#include "touch.hpp"

namespace mubo {

using PlaneRows = std::tuple<plane::Coincide, plane::Along, plane::Parallel, plane::Coordinate, plane::Slide,
                             plane::Distance, plane::Ratio, plane::Roll, plane::Place, plane::CamRoller, plane::CamFlat,
                             plane::Curve, plane::Touch, plane::KnifeEdge, plane::CircleRolling, plane::Geneva>;

}  // namespace mubo
