// Torque between two bodies of space: +f(t) d on the second, −f(t) d on the first. The direction d (its length counts)
// turns with the first body, or with the second.
#pragma once
#include "../../bodies.hpp"

namespace mubo::space {

struct TorqueBetween {
    static constexpr const char* name = "torque_between";
    static constexpr int numbers = 4;  // d, 1 where d turns with the second body
    static constexpr bool along = false, pair = true, lawful = true, supplies = true, stores = false;

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
