// From the one formula of a load to all it does: forces on bodies, energy stored, destroyed and brought in, and by jets
// stiffness K = -dF/dx and damping C = -dF/dv over displacements and twists.
//
// A load acts along a coordinate (effort(q, v, f, p); energy(q, p) where it stores some), on one body (act(body, f,
// p)), or on a pair of bodies (act(i, j, f, p, on)). What it does beyond its potential, the effort at rest without its
// law, is brought in by a load that supplies, and destroyed by one that does not.
#pragma once
#include "../number/dual.hpp"
#include "../status.hpp"
#include "coordinates.hpp"
#include "energy.hpp"

namespace mubo {

template <class Load>
void settle(double power, LoadEnergy& e) {
    if constexpr (Load::supplies)
        e.supplied += power;
    else
        e.dissipated -= power;
}

// What a medium that moves brings in: the force times its velocity; nothing for a load that acts in no medium.
template <class Load, class F>
auto brought_by_medium(const F& force, const double* p, int) -> decltype(dot(force, Load::medium(p))) {
    return dot(force, Load::medium(p));
}
template <class Load, class F>
double brought_by_medium(const F&, const double*, long) {
    return 0;
}

// The effort along a coordinate, and what it exchanges.
template <class Load>
double effort_along(double q, double v, double f, const double* p, LoadEnergy& e) {
    const double tau = Load::effort(q, v, f, p);
    double beyond = tau;
    if constexpr (Load::stores) {
        e.potential += Load::energy(q, p);
        beyond -= Load::effort(q, 0.0, 0.0, p);
    }
    settle<Load>(beyond * v, e);
    return tau;
}

// Effort per length where two points meet. A pull that vanishes with the length needs no direction; any other is lost.
template <class Load, class T>
Status pull_without_direction(const T& f, const T* p, T& pull) {
    using One = Dual<1>;
    One at[Load::numbers + 1];
    for (int k = 0; k < Load::numbers; ++k) at[k] = One(value(p[k]));
    if (Load::effort(One(0), One(1), One(value(f)), at).v != 0) return zero_length;
    pull = T(Load::effort(One::variable(0, 0), One(0), One(value(f)), at).d[0]);
    return done;
}

template <class World, class T>
void exert(const Coordinate<World, T>& c, const T& effort, WrenchOf<World, T>* on) {
    for (int k = 0; k < 2; ++k) on[k] = {effort * c.on[k].n, effort * c.on[k].f};
}

// Forces of a load on its bodies i and j (a load on one body leaves on[1] alone).
template <class Load, class World, class T>
Status forces(Along along, const MotionOf<World, T>& i, const MotionOf<World, T>& j, double near, const T& f,
              const T* p, WrenchOf<World, T>* on) {
    if constexpr (Load::along) {
        const auto c = coordinate_between<World>(along, i, j, p, near);
        const T* numbers = p + geometry<World>(along);
        T effort;
        const Status status = c.lost ? pull_without_direction<Load>(f, numbers, effort) : done;
        if (status != done) return status;
        exert(c, c.lost ? effort : Load::effort(c.q, c.v, f, numbers), on);
    } else if constexpr (Load::pair) {
        Load::act(i, j, f, p, on);
    } else {
        on[0] = Load::act(i, f, p);
    }
    return done;
}

// The same, with what the load exchanges, and its size: the effort along its coordinate, else its law's value, without
// a law the force itself.
template <class Load, class World>
Status exchange(Along along, const MotionOf<World, double>& i, const MotionOf<World, double>& j, double near, double f,
                const double* p, WrenchOf<World, double>* on, LoadEnergy& e, double* size = nullptr) {
    if (size) *size = f;
    if constexpr (Load::along) {
        const auto c = coordinate_between<World>(along, i, j, p, near);
        const double* numbers = p + geometry<World>(along);
        double effort = effort_along<Load>(c.q, c.v, f, numbers, e);
        if (size) *size = effort;
        const Status status = c.lost ? pull_without_direction<Load>(f, numbers, effort) : done;
        if (status != done) return status;
        exert(c, effort, on);
    } else if constexpr (Load::pair) {
        Load::act(i, j, f, p, on);
        settle<Load>(power(i, on[0]) + power(j, on[1]), e);
    } else {
        on[0] = Load::act(i, f, p);
        if (size && !Load::lawful) *size = std::sqrt(dot(on[0].f, on[0].f));
        const double brought = brought_by_medium<Load>(on[0].f, p, 0);
        e.supplied += brought;
        settle<Load>(power(i, on[0]) - brought, e);
    }
    return done;
}

// -dF/dx [2 * freedoms][2 * freedoms] over what lift(body, first variable) makes the variables: x displacements (d, w)
// of both bodies, or their twists.
template <class Load, class World, class Lift>
Status slopes(Along along, const MotionOf<World, double>* b, double near, double f, const double* p, Lift&& lift,
              double* out) {
    constexpr int n = World::freedoms, most = 16;
    using T = Dual<2 * n>;
    const MotionOf<World, T> lifted[2] = {lift(b[0], 0), lift(b[1], n)};
    T numbers[most];
    const int count = Load::numbers + (Load::along ? geometry<World>(along) : 0);
    static_assert(Load::numbers + (Load::along ? 9 : 0) <= most);
    for (int k = 0; k < count; ++k) numbers[k] = T(p[k]);
    WrenchOf<World, T> on[2] = {};
    const Status status = forces<Load, World>(along, lifted[0], lifted[1], near, T(f), numbers, on);
    if (status != done) return status;
    for (int k = 0; k < 2; ++k) {
        T line[n];
        components(on[k], line);
        for (int r = 0; r < n; ++r)
            for (int c = 0; c < 2 * n; ++c) out[(k * n + r) * 2 * n + c] = -line[r].d[c];
    }
    return done;
}

template <class Load, class World>
Status stiffness(Along along, const MotionOf<World, double>* b, double near, double f, const double* p, double* out) {
    return slopes<Load, World>(
        along, b, near, f, p, [](const auto& at, int k) { return nudged<2 * World::freedoms>(at, k); }, out);
}
template <class Load, class World>
Status damping(Along along, const MotionOf<World, double>* b, double near, double f, const double* p, double* out) {
    return slopes<Load, World>(
        along, b, near, f, p, [](const auto& at, int k) { return hastened<2 * World::freedoms>(at, k); }, out);
}

}  // namespace mubo
