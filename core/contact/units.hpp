// What a run with contact consists of: candidates of contact, end stops of joints, and joints with exact friction.
//
// All are units with a row of motion: the relative velocity of two bodies along a direction at a point (of contacts the
// normal and the tangents), or their relative rotation about an axis. The normal law is rigid with restitution, or
// compliant: F = K d^n (1 + chi d'), chi from the speed at the start of each contact:
//   Hunt and Crossley (1975)        chi = 3 (1 - e) / (2 v0)
//   Lankarani and Nikravesh (1990)  chi = 3 (1 - e^2) / (4 v0)
//   Flores et al. (2011)            chi = 8 (1 - e) / (5 e v0)
#pragma once
#include <cmath>
#include <utility>
#include <vector>

#include "../dynamics/loop_rows.hpp"
#include "solids.hpp"

namespace mubo {

enum UnitKind { contact_unit = 0, stop_unit, friction_unit, freewheel_unit, gear_unit };
enum DampingLaw { no_damping = 0, hunt_crossley, lankarani_nikravesh, flores };

struct NormalLaw {
    bool rigid = true;
    double restitution = 0, stiffness = 0, exponent = 1.5;
    int damping = no_damping;
    bool poisson = false;  // restitution of impulses instead of velocities

    // The damping factor of a contact that starts with the speed v0 > 0.
    double factor(double v0) const {
        const double e = restitution;
        if (!(v0 > 0)) return 0;
        switch (damping) {
            case hunt_crossley:
                return 1.5 * (1 - e) / v0;
            case lankarani_nikravesh:
                return 0.75 * (1 - e * e) / v0;
            case flores:
                return 1.6 * (1 - e) / (e * v0);
            default:
                return 0;
        }
    }
    // The elastic part and the whole force at a penetration d and its rate; the surface does not pull.
    double elastic(double d) const { return d > 0 ? stiffness * std::pow(d, exponent) : 0; }
    double force(double d, double rate, double chi) const { return std::fmax(0, elastic(d) * (1 + chi * rate)); }
    double energy(double d) const { return d > 0 ? stiffness * std::pow(d, exponent + 1) / (exponent + 1) : 0; }
};

// A freewheel has no gap: its rate along `sense` is not negative.
struct Unit {
    int kind = contact_unit;
    int owner = 0;       // its number in the arrays of the caller
    int element = 0;     // units of one contact have the same
    BodyOnLink body[2];  // A with the rounded point (the second body of a joint), B with the surface (the first)
    BodyOnLink carrier;  // of gears
    NormalLaw law;
    double static_friction = 0, kinetic_friction = 0;  // coefficients; of joint friction: the ratio static / kinetic, 1
    double stribeck = 0;  // speed over which friction falls from static to kinetic; zero: at once
    // Of contacts:
    double point[3] = {}, radius = 0;
    Surface surface;
    // Of joints: axis and point in the first body's axes, point in the second's; the coordinate is zero at `zero`.
    bool turns = false;
    double axis[3] = {}, first[3] = {}, second[3] = {}, zero = 0;
    double limit = 0, sense = 1;  // of a stop: gap = sense (q - limit)
    // Of a stop of a turn in space: the angle between a direction of each body, within half a turn of `middle`.
    double beside[2][3] = {}, middle = 0;
    double pitch = 0;               // of a ratchet: its limit goes on by this much at every tooth
    double factor[2] = {};          // of gears: q = p (phi_A - phi_C) + q (phi_B - phi_C) - zero
    int load = -1, parameter = -1;  // of friction: its load, and the number that holds its sense

    // Friction over its kinetic value at a speed of slip (Stribeck's curve, exponent 2).
    double stribeck_factor(double speed) const {
        if (!(stribeck > 0) || !(kinetic_friction > 0)) return 1;
        return 1 + (static_friction / kinetic_friction - 1) * std::exp(-(speed / stribeck) * (speed / stribeck));
    }
};

enum NormalMode { open_gap = 0, pressed, resting };  // apart; compliant in contact; a constraint that can open
enum TangentMode { no_friction = 0, sticking, slipping };

// The mode of a unit between two events.
struct UnitMode {
    NormalMode normal = open_gap;
    TangentMode tangent = no_friction;
    Vector heading{0, 0, 0};  // direction of slip in ground axes (first entry: the sense, in the plane and of joints)
    double chi = 0;           // latched damping factor
    double started = 0;       // time at which the contact started
    double floor = 0;         // of an open gap: below zero by the rounding of the event at which it opened
    bool armed = false, slip_armed = false;  // gap or penetration, and slip, have left zero since the last event
};

// A row over the velocities of the tree by its few entries; an entry may occur twice, and counts by its sum.
struct SparseRow {
    std::vector<std::pair<int, double>> entry;

    void add(int i, double value) { entry.push_back({i, value}); }
    double times(const std::vector<double>& x) const {
        double sum = 0;
        for (const auto& [i, value] : entry) sum += value * x[i];
        return sum;
    }
    void add_to(double factor, std::vector<double>& x) const {
        for (const auto& [i, value] : entry) x[i] += factor * value;
    }
};

// A row of motion at the current state: velocity u, acceleration besides J a, J in the velocities of the tree.
struct UnitRow {
    Vector d;  // direction or axis
    double u = 0, bias = 0;
    SparseRow J;
};
struct UnitState {
    double gap = 0;
    Vector c{0, 0, 0};     // contact point
    UnitRow row[3];        // normal (of joint friction: its coordinate), tangents
    double force[3] = {};  // normal force, friction along the tangents
    double bound = 0;      // of friction: the largest that sticks
    int tangents = 0;
};

}  // namespace mubo
