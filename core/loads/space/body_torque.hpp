// Torque on a body of space: f(t) d. The direction d (not normalised) is fixed in ground axes, or in the body.
#pragma once
#include "../../bodies.hpp"

namespace mubo::space {

struct BodyTorque {
    static constexpr const char* name = "body_torque";
    static constexpr int numbers = 4;  // d, 1 where d is fixed in the body
    static constexpr bool along = false, pair = false, has_law = true, is_active = true, is_conservative = false;

    template <class T>
    static WrenchOf<Space, T> act(const MotionOf<Space, T>& b, const T& f, const T* p) {
        return {f * (value(p[3]) != 0 ? b.rotate(p) : Space::vector(p)), {T(0), T(0), T(0)}};
    }
};

}  // namespace mubo::space
