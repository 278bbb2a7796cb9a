// Torque on a body of the plane: f(t), positive counter-clockwise.
#pragma once
#include "../../bodies.hpp"

namespace mubo::plane {

struct BodyTorque {
    static constexpr const char* name = "body_torque";
    static constexpr int numbers = 0;
    static constexpr bool along = false, pair = false, has_law = true, is_active = true, is_conservative = false;

    template <class T>
    static WrenchOf<Plane, T> act(const MotionOf<Plane, T>&, const T& f, const T*) {
        return {f, {T(0), T(0)}};
    }
};

}  // namespace mubo::plane
