// Torque between two bodies of space: +f(t) d on the second, −f(t) d on the first. The direction d (not normalised) is
// fixed in the first body, or in the second.
#pragma once
#include "../../bodies.hpp"

namespace mubo::space {

struct TorqueBetween {
    static constexpr const char* name = "torque_between";
    static constexpr int numbers = 4;  // d, 1 where d is fixed in the second body
    static constexpr bool along = false, pair = true, has_law = true, is_active = true, is_conservative = false;

    template <class T>
    static void act(const MotionOf<Space, T>& i, const MotionOf<Space, T>& j, const T& f, const T* p,
                    WrenchOf<Space, T>* on) {
        const auto M = f * (value(p[3]) != 0 ? j.rotate(p) : i.rotate(p));
        const Vector3<T> none{T(0), T(0), T(0)};
        on[0] = {-M, none};
        on[1] = {M, none};
    }
};

}  // namespace mubo::space
