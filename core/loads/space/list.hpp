// All loads of space. To add one, write a header with its formula and enter its type in this list (and in that of the
// plane).
#pragma once
#include "../cubic_spring.hpp"
#include "../drag.hpp"
#include "../each.hpp"
#include "../effort.hpp"
#include "../friction.hpp"
#include "../journal_film.hpp"
#include "../point_force.hpp"
#include "../spring.hpp"
#include "../stop.hpp"
#include "body_torque.hpp"
#include "torque_between.hpp"

namespace mubo {

using SpaceLoads = std::tuple<Spring, CubicSpring, Effort, PointForce<Space>, space::BodyTorque, space::TorqueBetween,
                              Friction, Stop, Drag<Space>, JournalFilm<Space>>;

template <>
struct LoadsOf<Space> {
    using type = SpaceLoads;
};

}  // namespace mubo
