// The room that evaluation works in: one entry per link, ground first, so that every link has a parent's entry.
#pragma once
#include <functional>
#include <limits>
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
};

// Generalised forces by the user's own function: adds to tau (one entry per velocity).
using UserForce = std::function<void(double t, const double* q, const double* v, double* tau)>;

struct TreeWork {
    std::vector<LinkWork> entry;       // entry[0] is the ground
    std::vector<double> q, v, a, tau;  // with driven entries from their laws
    LoadEnergy energy;
    UserForce user;
    // Laws with corners are seen from inside the time span under way.
    double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();

    explicit TreeWork(const TreeSystem& s)
        : entry(s.link.size() + 1), q(s.positions), v(s.velocities), a(s.velocities), tau(s.velocities) {
        LinkWork& ground = entry[0];
        ground = {};
        ground.at.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    }
    LinkWork& of(int link) { return entry[link + 1]; }
    const LinkWork& of(int link) const { return entry[link + 1]; }
    double seen(double t) const {
        if (t >= to) return std::nextafter(to, from);
        return t < from ? from : t;
    }
};

}  // namespace mubo
