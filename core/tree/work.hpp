// The workspace of evaluations: one entry per link, ground first, so that every link has a parent's entry.
#pragma once
#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "../loads/energy.hpp"
#include "../status.hpp"
#include "system.hpp"

namespace mubo {

// Quantities of one link in ground axes about its own origin.
struct LinkWork {
    Motion at;             // pose and velocity
    Vector s;              // from the parent's origin to its own
    Vector a;              // axis of its degree of freedom; see `axes` for three of them
    Matrix3<double> axes;  // of a shift: the joint frame
    Vector alpha, acc;     // angular acceleration, acceleration of the origin
    Wrench p;              // inertial wrench minus the loads
    Vector h;              // m times the centre of mass relative to the origin
    Symmetric3<double> A;  // [A B; B' M]: rigid-body, then articulated-body inertia (n = A w + B v, f = B'w + M v)
    Matrix3<double> B;
    Symmetric3<double> M;
    Vector Uw, Uv;          // U = I^A S of one degree of freedom, angular and linear
    double D, u;            // 1 / (S'U) and tau - S'p of one degree of freedom
    Symmetric3<double> D3;  // the same for three degrees of freedom, in ground axes
    Vector u3;
    double plane_angle = 0;  // in the plane: its angle relative to the ground, full turns counted
};

struct RowChoice;

// The loop equations at one motion; see dynamics/.
struct LoopWork {
    std::vector<double> phi, rate, nu, bias, motion;  // gaps, their rates, nu, d2Phi/dt2 of pass 1; laws
    std::vector<Wrench> end;                          // of every row on its links
    std::vector<Wrench> K;                            // rows at links, by slot
    std::vector<Vector> y;                            // S'K
    std::vector<double> planar_y;                     // the same of a flat tree
    std::vector<double> L, c, lam;                    // L lam = c
    std::vector<double> x;                            // corrections of positions or velocities
    std::vector<double> diagonal, size;               // of each row its entry of L, of each joint the largest of them
    std::vector<double> part;                         // pivot of each row relative to the size of its joint
    double least = 1e-14;                             // below this relative pivot a row depends on others
    double weakest = 1;                               // smallest relative pivot of the last elimination
    int weakest_row = -1;
    std::shared_ptr<const RowChoice> chosen;  // rows selected instead of those of the start; null: these
    double taken = 0;                         // kinetic energy that the projection has removed

    template <class Links>
    auto& efforts() {
        if constexpr (std::is_same_v<typename Links::Effort, double>)
            return planar_y;
        else
            return y;
    }
};

// Friction from joint reactions: R is affine in the sizes of all frictions, R = R0 + sum G size.
struct ReactionFrictionWork {
    std::vector<double> size, last, sense;  // senses of transmissions: 1, -1, or 0 where they stick
    std::vector<Vector> R, R0, G;           // of transmissions (L, 0, 0)
};

// Generalised forces by the user's own function: adds to tau (one entry per velocity).
using UserForce = std::function<void(double t, const double* q, const double* v, double* tau)>;

struct TreeWork {
    std::vector<LinkWork> entry;       // entry[0] is the ground
    std::vector<double> q, v, a, tau;  // with driven entries from their laws
    LoadEnergy energy;
    UserForce user;
    LoopWork loops;
    ReactionFrictionWork reaction_friction;
    StateLoadWorkspace room;   // of bytecode
    std::vector<double> size;  // of state-dependent loads
    std::vector<double> near;  // angles whose turns the state counts
    std::vector<double> jump;  // during an impulse: the jump of the rate of every law; else empty
    // Laws with corners are evaluated from inside the current time span.
    double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();

    explicit TreeWork(const TreeSystem& s)
        : entry(s.link.size() + 1), q(s.positions), v(s.velocities), a(s.velocities), tau(s.velocities), room(s) {
        LinkWork& ground = entry[0];
        ground = {};
        ground.at.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        make_room(s);
    }
    void make_room(const TreeSystem& s) {
        size.resize(s.sizes), near.resize(s.winding.size());
        const size_t m = s.reaction_friction.size();
        reaction_friction.size.assign(m, 0.0), reaction_friction.last.assign(m, 0.0),
            reaction_friction.sense.assign(m, 0.0), reaction_friction.R.resize(m), reaction_friction.R0.resize(m),
            reaction_friction.G.resize(m * m);
    }
    // Copies the angles whose turns a state counts.
    void count(const TreeSystem& s, const double* y) {
        const double* turns = y + s.positions + s.velocities;
        std::copy(turns, turns + s.windings(), near.begin());
    }
    LinkWork& of(int link) { return entry[link + 1]; }
    const LinkWork& of(int link) const { return entry[link + 1]; }
    double inside_span(double t) const {
        if (t >= to) return std::nextafter(to, from);
        return t < from ? from : t;
    }
};

}  // namespace mubo
