// The arrays of a compiled tree of links. Link k hangs on link parent[k] < k (-1: the ground) by a joint of 0, 1 or 3
// freedoms; joints of more are stacks of links without mass. Evaluation never changes a TreeSystem; a variant is a new
// one.
//
// The joint frame stands at r0, R0 in the parent's frame; the link's frame falls together with it where q is zero.
//   weld                      0 freedoms
//   turn, slide, screw        1: about and along the unit axis of the joint frame; a screw advances by pitch per radian
//   ball                      3: q a unit quaternion (w, x, y, z), v the relative angular velocity in the link's axes
//   shift                     3: translations along the axes of the joint frame
#pragma once
#include <memory>
#include <vector>

#include "../bodies.hpp"
#include "../loads/steering.hpp"
#include "../number/law.hpp"

namespace mubo {

enum Kind { weld = 0, turn = 1, slide = 2, screw = 3, ball = 4, shift = 5 };
constexpr int tree_kinds = 6;
constexpr const char* kind_name[tree_kinds] = {"weld", "turn", "slide", "screw", "ball", "shift"};
constexpr int kind_positions[tree_kinds] = {0, 1, 1, 1, 4, 3};
constexpr int kind_velocities[tree_kinds] = {0, 1, 1, 1, 3, 3};

struct Link : Inertia {
    int parent, kind;
    int q, v;               // its first entries among positions and velocities
    int law;                // that drives it, -1: it is free
    int along;              // 0, 1, 2: the axis is exactly x, y, z of the joint frame; -1: some other
    bool straight;          // R0 is exactly 1
    Vector r0, axis;        // axis in the joint frame
    Matrix3<double> R0;     // of the joint frame in the parent's frame
    Quaternion<double> q0;  // the same
    double pitch;
    double offset, sense;  // in a plane: the turn of the joint frame in the parent's, and of the axis along z
};

struct LoadAt {
    int kind;           // see loads/space/list.hpp
    int first, second;  // links, -1: ground; of a load on a freedom: its entries among velocities and positions
    int law;            // of time; -1: none
    int parameter;      // its first entry in TreeSystem::parameter
    int number;         // as the caller counts
    Along along = Along::freedom;
    bool wound = false;  // along a turn in space, whose full turns the state counts
    int program = -1;    // that gives its size; -1: none
    int winding = -1;    // of a turn in space
    int rub = -1;        // of friction by a reaction: its number in TreeSystem::rub; -1: none
};

// Friction of size coefficient * |R| by the force R that a joint carries, without what slides along its axes.
struct Rub {
    double coefficient;
    int link;                 // the last one of the joint; -1: it closes a loop
    std::vector<int> slides;  // links of the joint that slide
    std::vector<int> end;     // of a joint that closes a loop: entries of LoopWork::end, one of each of its rows
    std::vector<int> row;     // these rows
    int number;               // of its load, as the caller counts
};

struct TreeSystem;
struct TreeWork;
struct Fault;

// What closes the loops of a tree: see dynamics/closed.hpp.
struct Closing {
    virtual ~Closing() = default;
    // Pass 2 and 3 of the articulated-body algorithm with the loops closed, after pass 1 and loads.
    virtual Fault accelerate(const TreeSystem& s, double t, TreeWork& work, double* a) const = 0;
    // Laws that drive rows.
    virtual std::vector<int> laws() const = 0;
    // What the open rows at a link exert there, after `accelerate`: the force that its joint carries besides I^A d + p.
    virtual Vector carried(int link, const TreeWork& work) const = 0;
    // Positions, then velocities, moved onto the loops: to rounding, in the metric of the masses.
    virtual Fault settle(const TreeSystem& s, double t, double* q, double* v, TreeWork& work) const = 0;
    // Takes rows that were left out instead of those which fade, down to the pivot `weakest` at a closed q.
    virtual bool exchange(const TreeSystem& s, double t, const double* q, double weakest, TreeWork& work) const = 0;
    // Whether, with the rows left out, as many are independent at a closed q as at the start: no singular position.
    virtual bool full_rank(const TreeSystem& s, double t, const double* q, TreeWork& work) const = 0;
};

struct TreeSystem : Steering {
    std::vector<Link> link;
    int positions = 0, velocities = 0;
    Vector gravity{0, 0, 0};
    bool driven = false, exchanges = false;  // has driven links; has loads or drivers that take or bring energy
    bool flat = false;                       // all links move in the x-y plane: see flat.hpp
    std::vector<TimeLaw> law;
    std::vector<LoadAt> on_freedom, on_links;
    std::vector<double> parameter;
    std::vector<Rub> rub;
    std::shared_ptr<const Closing> closing;  // null: a tree alone

    int links() const { return static_cast<int>(link.size()); }
    // q, v, counted turns, energy dissipated, energy supplied
    int states() const { return positions + velocities + windings() + 2; }
};

}  // namespace mubo
