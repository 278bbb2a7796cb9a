// All loads along a motion in absolute coordinates: their wrenches on every body, row by row.
#pragma once
#include <algorithm>
#include <vector>

#include "evaluate.hpp"

namespace mubo {

// w = 2 p' p* of a quaternion and its rate, whatever its length.
inline Vector angular_velocity(const double* p, const double* rate) {
    const Vector s{p[1], p[2], p[3]}, d{rate[1], rate[2], rate[3]};
    const double square = p[0] * p[0] + dot(s, s);
    return (2 / square) * (p[0] * d - rate[0] * s - cross(d, s));
}
inline MotionOf<Plane, double> motion_from(const Plane&, const double* q, const double* rate) {
    return MotionOf<Plane, double>::from(q, rate);
}
inline MotionOf<Space, double> motion_from(const Space&, const double* q, const double* rate) {
    const Vector w = angular_velocity(q + 3, rate + 3);
    const double twist[6] = {rate[0], rate[1], rate[2], w.x, w.y, w.z};
    return MotionOf<Space, double>::from(q, twist);
}

// Coordinates of moving bodies with their derivatives (rows x 3 x width a body), and poses of the fixed bodies.
template <class World>
struct MotionRows {
    const double *states, *fixed;
    int free, bodies;

    MotionOf<World, double> operator()(size_t row, int body) const {
        if (body >= free) {
            constexpr double at_rest[World::dofs] = {};
            return MotionOf<World, double>::from(fixed + World::width * (body - free), at_rest);
        }
        const size_t unknowns = static_cast<size_t>(World::width) * free;
        const double* q = states + 3 * unknowns * row + World::width * body;
        return motion_from(World{}, q, q + unknowns);
    }
};

// Coordinates of all loads along a motion, rows x loads x (q, v); zero where a load acts along none.
template <class World>
void coordinates_along(const LoadSet<World>& s, const MotionRows<World>& motion, size_t rows, const double* near,
                       double* out) {
    const size_t count = s.load.size();
    for (size_t r = 0; r < rows; ++r)
        for (size_t k = 0; k < count; ++k) {
            const BodyLoad& at = s.load[k];
            if (at.along == Along::body || at.along == Along::pair) continue;
            const double *p = s.parameter.data() + at.parameter, q = near ? near[r * count + k] : 0;
            const auto c = coordinate_between<World>(at.along, motion(r, at.body[0]), motion(r, at.body[1]), p, q);
            out[2 * (r * count + k)] = c.q, out[2 * (r * count + k) + 1] = c.v;
        }
}

// The results of every row: sums of wrenches on the bodies, then sizes and (potential, power, dissipated, supplied) per
// load. `external` sums the loads that have no reaction on another body.
struct LoadRows {
    double *on, *external, *size, *energy;
};

// Row and load of a failure are stored in `fault`.
template <class World>
Status along_motion(const LoadSet<World>& s, const MotionRows<World>& motion, size_t rows, const double* laws,
                    const double* near, const LoadRows& out, size_t fault[2]) {
    constexpr size_t n = World::dofs;
    const size_t count = s.load.size(), wide = motion.bodies * n;
    std::vector<int> used;
    for (const BodyLoad& at : s.load) used.insert(used.end(), at.body, at.body + 2);
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    std::vector<MotionOf<World, double>> moving(motion.bodies);  // the bodies that loads act on, at one row
    for (size_t r = 0; r < rows; ++r) {
        for (int body : used) moving[body] = motion(r, body);
        for (size_t k = 0; k < count; ++k) {
            const auto act = [&](auto load, const BodyLoad& at, const MotionOf<World, double>* b, double f,
                                 const double* p) {
                WrenchOf<World, double> on[2] = {};
                LoadEnergy e;
                double* size = out.size + r * count + k;
                const Status status = evaluate_forces_and_energy<decltype(load), World>(
                    at.along, b[0], b[1], near ? near[r * count + k] : 0, f, p, on, e, size);
                double power_in = 0;
                for (int i = 0; i < (at.along == Along::body ? 1 : 2); ++i) {
                    double line[n];
                    components(on[i], line);
                    double* sum = out.on + r * wide + at.body[i] * n;
                    double* external_sum = out.external + r * wide + at.body[i] * n;
                    for (size_t c = 0; c < n; ++c) sum[c] += line[c];
                    if (at.along == Along::body)
                        for (size_t c = 0; c < n; ++c) external_sum[c] += line[c];
                    power_in += power(b[i], on[i]);
                }
                const double energy[4] = {e.potential, power_in, e.dissipated, e.supplied};
                std::copy(energy, energy + 4, out.energy + 4 * (r * count + k));
                return status;
            };
            const Status status =
                s.on(k, [&](int body) { return moving[body]; }, laws ? laws + r * s.laws : nullptr, act);
            if (status != done) {
                fault[0] = r, fault[1] = k;
                return status;
            }
        }
    }
    return done;
}

}  // namespace mubo
