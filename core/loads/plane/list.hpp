// Every load of the plane. A new one: a header with its formula, and its name in this list (and in the other world's).
#pragma once
#include "../cubic_spring.hpp"
#include "../drag.hpp"
#include "../each.hpp"
#include "../effort.hpp"
#include "../friction.hpp"
#include "../point_force.hpp"
#include "../spring.hpp"
#include "../stop.hpp"
#include "body_torque.hpp"

namespace mubo {

using PlaneLoads =
    std::tuple<Spring, CubicSpring, Effort, PointForce<Plane>, plane::BodyTorque, Friction, Stop, Drag<Plane>>;

template <>
struct LoadsOf<Plane> {
    using type = PlaneLoads;
};

}  // namespace mubo
