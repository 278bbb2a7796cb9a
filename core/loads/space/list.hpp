// Every load of space. A new one: a header with its formula, and its name in this list (and in the other world's).
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
#include "torque_between.hpp"

namespace mubo {

using SpaceLoads = std::tuple<Spring, CubicSpring, Effort, PointForce<Space>, space::BodyTorque, space::TorqueBetween,
                              Friction, Stop, Drag<Space>>;

template <>
struct LoadsOf<Space> {
    using type = SpaceLoads;
};

}  // namespace mubo
