// Torque on a link: T = f(t) d; it brings in the power T.w. The direction d (its length counts) stays in ground axes,
// or turns with the link. Parameters: d (3), 1 where d turns with the link.
#pragma once
#include "../bodies.hpp"
#include "../status.hpp"
#include "energy.hpp"

namespace mubo {

struct LinkTorque {
    static constexpr const char* name = "link_torque";
    static constexpr int links = 1, parameters = 4;
    static constexpr bool lawful = true;

    static Status act(const Motion& i, const Motion&, double f, const double* p, Wrench& on_i, Wrench&, LoadEnergy& e) {
        const Vector d{p[0], p[1], p[2]};
        const Vector T = f * (p[3] != 0 ? i.R * d : d);
        e.supplied += dot(T, i.w);
        on_i = {T, {0, 0, 0}};
        return done;
    }
};

}  // namespace mubo
