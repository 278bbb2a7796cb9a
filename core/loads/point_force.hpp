// Force at a point of a body: F = f(t) d. The direction d (not normalised) is fixed in ground axes, or in the body.
#pragma once
#include "../bodies.hpp"

namespace mubo {

template <class World>
struct PointForce {
    static constexpr const char* name = "point_force";
    static constexpr int numbers = 2 * World::dimension + 1;  // point and d, 1 where d is fixed in the body
    static constexpr bool along = false, pair = false, has_law = true, is_active = true, is_conservative = false;

    template <class T>
    static WrenchOf<World, T> act(const MotionOf<World, T>& b, const T& f, const T* p) {
        constexpr int n = World::dimension;
        const auto F = f * (value(p[2 * n]) != 0 ? b.rotate(p + n) : World::vector(p + n));
        return {cross(b.rotate(p), F), F};
    }
};

}  // namespace mubo
