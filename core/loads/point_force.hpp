// Force at a point of a link: F = f(t) d; it brings in the power F.v of its point. The direction d (its length counts)
// stays in ground axes, or turns with the link. Parameters: point in link axes (3), d (3), 1 where d turns with the
// link.
#pragma once
#include "../bodies.hpp"
#include "../status.hpp"
#include "energy.hpp"

namespace mubo {

struct PointForce {
    static constexpr const char* name = "point_force";
    static constexpr int links = 1, parameters = 7;
    static constexpr bool lawful = true;

    static Status act(const Motion& i, const Motion&, double f, const double* p, Wrench& on_i, Wrench&, LoadEnergy& e) {
        const Vector s = i.R * Vector{p[0], p[1], p[2]}, d{p[3], p[4], p[5]};
        const Vector F = f * (p[6] != 0 ? i.R * d : d);
        e.supplied += dot(F, i.velocity(s));
        on_i = {cross(s, F), F};
        return done;
    }
};

}  // namespace mubo
