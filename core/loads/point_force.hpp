// Force at a point of a body: F = f(t) d. The direction d (its length counts) stays in ground axes, or turns with the
// body.
#pragma once
#include "../bodies.hpp"

namespace mubo {

template <class World>
struct PointForce {
    static constexpr const char* name = "point_force";
    static constexpr int numbers = 2 * World::dimension + 1;  // point and d, 1 where d turns with the body
    static constexpr bool along = false, pair = false, lawful = true, supplies = true, stores = false;

    template <class T>
    static WrenchOf<World, T> act(const MotionOf<World, T>& b, const T& f, const T* p) {
        constexpr int n = World::dimension;
        const auto F = f * (value(p[2 * n]) != 0 ? b.rotate(p + n) : World::vector(p + n));
        return {cross(b.rotate(p), F), F};
    }
};

}  // namespace mubo
