// Drag of a medium on a point of a body: F = -(c1 + c2 |u|) u, u the velocity of the point relative to the medium,
// which itself moves with w (ground axes). The moving medium supplies F . w; F . u is dissipated.
#pragma once
#include <cmath>

#include "../bodies.hpp"

namespace mubo {

template <class World>
struct Drag {
    static constexpr const char* name = "drag";
    static constexpr int numbers = 2 * World::dimension + 2;  // point, c1, c2, w
    static constexpr bool along = false, pair = false, has_law = false, is_active = false, is_conservative = false;

    template <class T>
    static typename World::template Vector<T> medium(const T* p) {
        return World::vector(p + World::dimension + 2);
    }
    template <class T>
    static WrenchOf<World, T> act(const MotionOf<World, T>& b, const T&, const T* p) {
        using std::sqrt;
        const auto arm = b.rotate(p);
        const auto u = b.velocity(arm) - medium(p);
        const T square = dot(u, u);
        const T speed = value(square) > 0 ? sqrt(square) : T(0);  // |u| u has derivative 0 at rest
        const auto F = -(p[World::dimension] + p[World::dimension + 1] * speed) * u;
        return {cross(arm, F), F};
    }
};

}  // namespace mubo
