// The arrays of a compiled tree of links. Link k is connected to link parent[k] < k (-1: the ground) by a joint of 0, 1
// or 3 degrees of freedom; joints with others are stacks of links without mass. Evaluation never changes a TreeSystem;
// a variant is a new one.
//
// The joint frame is at r0, R0 in the parent's frame; the link's frame coincides with it where q is zero.
//   weld                      0 degrees of freedom
//   turn, slide, screw        1: about and along the unit axis of the joint frame; a screw advances by pitch per radian
//   ball                      3: q a unit quaternion (w, x, y, z), v the relative angular velocity in the link's axes
//   shift                     3: translations along the axes of the joint frame
#pragma once
#include <memory>
#include <vector>

#include "../bodies.hpp"
#include "../loads/state_dependent_loads.hpp"
#include "../number/time_law.hpp"

namespace mubo {

enum Kind { weld = 0, turn = 1, slide = 2, screw = 3, ball = 4, shift = 5 };
constexpr int tree_kinds = 6;
constexpr const char* kind_name[tree_kinds] = {"weld", "turn", "slide", "screw", "ball", "shift"};
constexpr int kind_positions[tree_kinds] = {0, 1, 1, 1, 4, 3};
constexpr int kind_velocities[tree_kinds] = {0, 1, 1, 1, 3, 3};

struct Link : Inertia {
    int parent, kind;
    int q, v;               // its first entries among positions and velocities
    int law;                // that drives it, -1: undriven
    int along;              // 0, 1, 2: the axis is exactly x, y, z of the joint frame; -1: some other
    bool straight;          // R0 is exactly 1
    Vector r0, axis;        // axis in the joint frame
    Matrix3<double> R0;     // of the joint frame in the parent's frame
    Quaternion<double> q0;  // the quaternion of R0
    double pitch;
    double armature;  // reflected inertia of a drive: its effort is armature times the acceleration of each coordinate
    double offset,
        sense;  // in the plane: the angle of the joint frame in the parent's, and the sense of the axis along z
};

struct TreeLoad {
    int kind;  // see loads/space/list.hpp
    int first,
        second;  // links, -1: ground; of a load along a degree of freedom: its entries among velocities and positions
    int law;     // of time; -1: none
    int parameter;  // its first entry in TreeSystem::parameter
    int number;     // its index in the arrays of the caller
    Along along = Along::dof;
    bool counts_turns = false;   // along an angle in space, whose full turns the state counts
    int bytecode = -1;           // index of the bytecode of its size; -1: none
    int winding = -1;            // index of the counted angle in space
    int reaction_friction = -1;  // friction from a joint reaction: its index in TreeSystem::reaction_friction; -1: none
};

// Friction of size coefficient * |R|, R the joint force perpendicular to its sliding axes. That of a transmission (gain
// not zero) follows the torque L = gain * F with which the thread or the mesh resists the coordinate, F the axial force
// of a screw or the multiplier of a mesh: coefficient * |L| where the coordinate drives, back * |L| where it is driven.
struct ReactionFriction {
    double coefficient, back, gain;
    int link;                 // the last one of the joint; -1: it closes a loop
    std::vector<int> slides;  // links of the joint that slide
    std::vector<int> end;     // of a joint that closes a loop: entries of LoopWork::end, one of each of its rows
    std::vector<int> row;     // these rows
    int number;               // index of its load in the arrays of the caller

    // The factor of |L| for motion in a sense, 1 or -1.
    double factor(double L, double sense) const { return gain == 0 || L * sense > 0 ? coefficient : back; }
};

struct TreeSystem;
struct TreeWork;
struct Fault;

// The loop closure of a tree: see dynamics/loop_closure.hpp.
struct LoopClosure {
    virtual ~LoopClosure() = default;
    // Passes 2 and 3 of the articulated-body algorithm with loop constraints, after pass 1 and loads.
    virtual Fault accelerate(const TreeSystem& s, double t, TreeWork& work, double* a) const = 0;
    // Laws that drive rows.
    virtual std::vector<int> laws() const = 0;
    // The force of the open loop rows at a link, after `accelerate`: the part of its joint force besides I^A d + p.
    virtual Vector joint_force(int link, const TreeWork& work) const = 0;
    // Projects positions, then velocities, onto the loop constraints: to rounding, in the metric of the mass matrix.
    virtual Fault project(const TreeSystem& s, double t, double* q, double* v, TreeWork& work) const = 0;
    // Exchanges rows that become dependent (pivots down to `weakest` at a closed q) for rows that were left out.
    virtual bool exchange_rows(const TreeSystem& s, double t, const double* q, double weakest,
                               TreeWork& work) const = 0;
    // True where, with the rows left out, as many are independent at a closed q as at the start: no singular position.
    virtual bool full_rank(const TreeSystem& s, double t, const double* q, TreeWork& work) const = 0;
};

struct TreeSystem : StateDependentLoads {
    std::vector<Link> link;
    int positions = 0, velocities = 0;
    Vector gravity{0, 0, 0};
    bool driven = false, exchanges = false;  // has driven links; has loads or drivers that dissipate or supply energy
    bool planar = false;                     // all links move in the x-y plane: see flat.hpp
    std::vector<TimeLaw> law;
    std::vector<TreeLoad> on_dof, on_links;
    std::vector<double> parameter;
    std::vector<ReactionFriction> reaction_friction;
    std::shared_ptr<const LoopClosure> loop_closure;  // null: a tree alone

    int links() const { return static_cast<int>(link.size()); }
    // q, v, counted turns, energy dissipated, energy supplied
    int states() const { return positions + velocities + windings() + 2; }
};

}  // namespace mubo
