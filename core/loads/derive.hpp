// From the one formula of a load to its effects: forces on bodies, energy stored, dissipated and supplied, and by dual
// numbers the stiffness K = -dF/dx and the damping C = -dF/dv with respect to displacements and twists.
//
// A load acts along a coordinate (effort(q, v, f, p); energy(q, p) where it is conservative), on one body (act(body, f,
// p)), or on a pair of bodies (act(i, j, f, p, on)). The power beyond the conservative part, which is the effort at
// rest without its law, is supplied by an active load and dissipated by any other.
#pragma once
#include "../number/dual.hpp"
#include "../status.hpp"
#include "coordinates.hpp"
#include "energy.hpp"

namespace mubo {

template <class Load>
void book_power(double power, LoadEnergy& e) {
    if constexpr (Load::is_active)
        e.supplied += power;
    else
        e.dissipated -= power;
}

// The power that a moving medium supplies, force times velocity of the medium; zero for a load without a medium.
template <class Load, class F>
auto power_from_medium(const F& force, const double* p, int) -> decltype(dot(force, Load::medium(p))) {
    return dot(force, Load::medium(p));
}
template <class Load, class F>
double power_from_medium(const F&, const double*, long) {
    return 0;
}

// The effort along a coordinate; its energy and powers are added to `e`.
template <class Load>
double evaluate_effort(double q, double v, double f, const double* p, LoadEnergy& e) {
    const double tau = Load::effort(q, v, f, p);
    double beyond = tau;
    if constexpr (Load::is_conservative) {
        e.potential += Load::energy(q, p);
        beyond -= Load::effort(q, 0.0, 0.0, p);
    }
    book_power<Load>(beyond * v, e);
    return tau;
}

// Effort per length where two points coincide. A force that vanishes with the length needs no direction; any other is
// undefined there.
template <class Load, class T>
Status force_without_direction(const T& f, const T* p, T& pull) {
    using One = Dual<1>;
    One at[Load::numbers + 1];
    for (int k = 0; k < Load::numbers; ++k) at[k] = One(value(p[k]));
    if (Load::effort(One(0), One(1), One(value(f)), at).v != 0) return zero_length;
    pull = T(Load::effort(One::variable(0, 0), One(0), One(value(f)), at).d[0]);
    return done;
}

template <class World, class T>
void apply_effort(const Coordinate<World, T>& c, const T& effort, WrenchOf<World, T>* on) {
    for (int k = 0; k < 2; ++k) on[k] = {effort * c.on[k].n, effort * c.on[k].f};
}

// Forces of a load on its bodies i and j (a load on one body does not set on[1]).
template <class Load, class World, class T>
Status evaluate_forces(Along along, const MotionOf<World, T>& i, const MotionOf<World, T>& j, double near, const T& f,
                       const T* p, WrenchOf<World, T>* on) {
    if constexpr (Load::along) {
        const auto c = coordinate_between<World>(along, i, j, p, near);
        const T* numbers = p + geometry<World>(along);
        T effort;
        const Status status = c.degenerate ? force_without_direction<Load>(f, numbers, effort) : done;
        if (status != done) return status;
        apply_effort(c, c.degenerate ? effort : Load::effort(c.q, c.v, f, numbers), on);
    } else if constexpr (Load::pair) {
        Load::act(i, j, f, p, on);
    } else {
        on[0] = Load::act(i, f, p);
    }
    return done;
}

// Forces of a load with its energy and powers, and its size: the effort along its coordinate, else the value of its
// law, without a law the magnitude of the force.
template <class Load, class World>
Status evaluate_forces_and_energy(Along along, const MotionOf<World, double>& i, const MotionOf<World, double>& j,
                                  double near, double f, const double* p, WrenchOf<World, double>* on, LoadEnergy& e,
                                  double* size = nullptr) {
    if (size) *size = f;
    if constexpr (Load::along) {
        const auto c = coordinate_between<World>(along, i, j, p, near);
        const double* numbers = p + geometry<World>(along);
        double effort = evaluate_effort<Load>(c.q, c.v, f, numbers, e);
        if (size) *size = effort;
        const Status status = c.degenerate ? force_without_direction<Load>(f, numbers, effort) : done;
        if (status != done) return status;
        apply_effort(c, effort, on);
    } else if constexpr (Load::pair) {
        Load::act(i, j, f, p, on);
        if (size && !Load::has_law) *size = std::sqrt(dot(on[1].f, on[1].f));
        book_power<Load>(power(i, on[0]) + power(j, on[1]), e);
    } else {
        on[0] = Load::act(i, f, p);
        if (size && !Load::has_law) *size = std::sqrt(dot(on[0].f, on[0].f));
        const double from_medium = power_from_medium<Load>(on[0].f, p, 0);
        e.supplied += from_medium;
        book_power<Load>(power(i, on[0]) - from_medium, e);
    }
    return done;
}

// -dF/dx [2 * dofs][2 * dofs] with respect to the variables that seed(body, first variable) chooses:
// displacements (d, w) of both bodies, or their twists.
template <class Load, class World, class Seed>
Status force_derivatives(Along along, const MotionOf<World, double>* b, double near, double f, const double* p,
                         Seed&& seed, double* out) {
    constexpr int n = World::dofs, most = 16;
    using T = Dual<2 * n>;
    const MotionOf<World, T> seeded[2] = {seed(b[0], 0), seed(b[1], n)};
    T numbers[most];
    const int count = Load::numbers + (Load::along ? geometry<World>(along) : 0);
    static_assert(Load::numbers + (Load::along ? 9 : 0) <= most);
    for (int k = 0; k < count; ++k) numbers[k] = T(p[k]);
    WrenchOf<World, T> on[2] = {};
    const Status status = evaluate_forces<Load, World>(along, seeded[0], seeded[1], near, T(f), numbers, on);
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
    return force_derivatives<Load, World>(
        along, b, near, f, p, [](const auto& at, int k) { return seed_pose<2 * World::dofs>(at, k); }, out);
}
template <class Load, class World>
Status damping(Along along, const MotionOf<World, double>* b, double near, double f, const double* p, double* out) {
    return force_derivatives<Load, World>(
        along, b, near, f, p, [](const auto& at, int k) { return seed_twist<2 * World::dofs>(at, k); }, out);
}

}  // namespace mubo
