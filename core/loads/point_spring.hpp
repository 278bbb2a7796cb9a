// Spring and damper between a point of one link (or of the ground) and a point of another. With the vector d from the
// first to the second, its length l and u = d / l, the pull is F = k (l - l0) + c l', potential k (l - l0)^2 / 2,
// power destroyed c l'^2; the first point feels F u, the second -F u.
// Parameters: first point (3), second point (3), each in its link's axes; k, l0, c.
//
// Where l = 0 the direction is lost: a status, unless l0 = 0 and c = 0, where the pull k d needs none.
#pragma once
#include "../bodies.hpp"
#include "../status.hpp"
#include "energy.hpp"

namespace mubo {

struct PointSpring {
    static constexpr const char* name = "point_spring";
    static constexpr int links = 2, parameters = 9;
    static constexpr bool lawful = false;

    static Status act(const Motion& i, const Motion& j, double, const double* p, Wrench& on_i, Wrench& on_j,
                      LoadEnergy& e) {
        const Vector si = i.R * Vector{p[0], p[1], p[2]}, sj = j.R * Vector{p[3], p[4], p[5]};
        const double k = p[6], l0 = p[7], c = p[8];
        const Vector d = (j.r + sj) - (i.r + si);
        const double l = std::sqrt(dot(d, d));
        Vector pull = k * d;
        if (l0 != 0 || c != 0) {
            if (l <= 1e-12 * l0 || l == 0) return zero_length;
            const Vector u = (1 / l) * d;
            const double rate = dot(u, j.velocity(sj) - i.velocity(si));
            pull = (k * (l - l0) + c * rate) * u;
            e.dissipated += c * rate * rate;
        }
        e.potential += 0.5 * k * (l - l0) * (l - l0);
        on_i = {cross(si, pull), pull};
        on_j = {-cross(sj, pull), -pull};
        return done;
    }
};

}  // namespace mubo
