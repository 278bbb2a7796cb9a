// All loads, in the order of their numbers: first those of a freedom, then those of links.
#pragma once
#include "joint_damper.hpp"
#include "joint_effort.hpp"
#include "joint_spring.hpp"
#include "link_torque.hpp"
#include "point_force.hpp"
#include "point_spring.hpp"

namespace mubo {

// visit(number, Load{}) for every kind of load on a freedom.
template <class Visit>
void for_each_joint_load(Visit&& visit) {
    visit(0, JointSpring{});
    visit(1, JointDamper{});
    visit(2, JointEffort{});
}
// visit(number, Load{}) for every kind of load on links.
template <class Visit>
void for_each_link_load(Visit&& visit) {
    visit(3, PointSpring{});
    visit(4, PointForce{});
    visit(5, LinkTorque{});
}
constexpr int load_kinds = 6;

}  // namespace mubo
