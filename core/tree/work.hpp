// The room that evaluation works in: one entry per link, ground first, so that every link has a parent's entry.
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
    Vector a;              // axis of its freedom; see `axes` for three freedoms
    Matrix3<double> axes;  // of a shift: the joint frame
    Vector alpha, acc;     // angular acceleration, acceleration of the origin
    Wrench p;              // force that the motion needs, less the loads
    Vector h;              // m times the centre of mass seen from the origin
    Symmetric3<double> A;  // [A B; B' M]: rigid-body, then articulated-body inertia (n = A w + B v, f = B'w + M v)
    Matrix3<double> B;
    Symmetric3<double> M;
    Vector Uw, Uv;          // U = I^A S of one freedom, angular and linear
    double D, u;            // 1 / (S'U) and tau - S'p of one freedom
    Symmetric3<double> D3;  // the same of three freedoms, in ground axes
    Vector u3;
    double turned = 0;  // in a plane: its turn against the ground, full turns counted
};

struct RowChoice;

// What closes the loops at one motion; see dynamics/.
struct LoopWork {
    std::vector<double> phi, rate, nu, bias, motion;  // gaps, their rates, nu, what pass 1 leaves of d2Phi/dt2; laws
    std::vector<Wrench> end;                          // of every row on its links
    std::vector<Wrench> K;                            // rows at links, by slot
    std::vector<Vector> y;                            // S'K
    std::vector<double> flat_y;                       // the same of a flat tree
    std::vector<double> L, c, lam;                    // L lam = c
    std::vector<double> x;                            // corrections of positions or velocities
    std::vector<double> diagonal, size;               // of each row what it had of L, of each joint the largest of them
    std::vector<double> part;                         // pivot of each row over the size of its joint
    double least = 1e-14;                             // below this part a row depends on others
    double weakest = 1;                               // smallest pivot over its size, of the last elimination
    int weakest_row = -1;
    std::shared_ptr<const RowChoice> chosen;  // rows taken instead of those of the start; null: these
    double taken = 0;                         // kinetic energy that settling has taken away

    template <class Links>
    auto& efforts() {
        if constexpr (std::is_same_v<typename Links::Effort, double>)
            return flat_y;
        else
            return y;
    }
};

// Friction by reactions: R is affine in the sizes of all frictions, R = R0 + sum G size.
struct RubWork {
    std::vector<double> size, last;
    std::vector<Vector> R, R0, G;
};

// Generalised forces by the user's own function: adds to tau (one entry per velocity).
using UserForce = std::function<void(double t, const double* q, const double* v, double* tau)>;

struct TreeWork {
    std::vector<LinkWork> entry;       // entry[0] is the ground
    std::vector<double> q, v, a, tau;  // with driven entries from their laws
    LoadEnergy energy;
    UserForce user;
    LoopWork loops;
    RubWork rub;
    SteeringRoom room;         // of programs
    std::vector<double> size;  // of loads by programs
    std::vector<double> near;  // turns that the state counts
    std::vector<double> jump;  // during a blow: by how much the rate of every law jumps; else empty
    // Laws with corners are seen from inside the time span under way.
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
        const size_t m = s.rub.size();
        rub.size.assign(m, 0.0), rub.last.assign(m, 0.0), rub.R.resize(m), rub.R0.resize(m), rub.G.resize(m * m);
    }
    // Takes over the turns that a state counts.
    void count(const TreeSystem& s, const double* y) {
        const double* turns = y + s.positions + s.velocities;
        std::copy(turns, turns + s.windings(), near.begin());
    }
    LinkWork& of(int link) { return entry[link + 1]; }
    const LinkWork& of(int link) const { return entry[link + 1]; }
    double seen(double t) const {
        if (t >= to) return std::nextafter(to, from);
        return t < from ? from : t;
    }
};

}  // namespace mubo
