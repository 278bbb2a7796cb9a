// All loads of the plane. To add one, write a header with its formula and enter its type in this list (and in that of
// space).
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

namespace mubo {

using PlaneLoads = std::tuple<Spring, CubicSpring, Effort, PointForce<Plane>, plane::BodyTorque, Friction, Stop,
                              Drag<Plane>, JournalFilm<Plane>>;

template <>
struct LoadsOf<Plane> {
    using type = PlaneLoads;
};

}  // namespace mubo
