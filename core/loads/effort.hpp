// Effort along a coordinate by a law of time: f(t), positive where the coordinate grows.
#pragma once

namespace mubo {

struct Effort {
    static constexpr const char* name = "effort";
    static constexpr int numbers = 0;
    static constexpr bool along = true, pair = false, has_law = true, is_active = true, is_conservative = false;

    template <class T>
    static T effort(const T&, const T&, const T& f, const T*) {
        return f;
    }
};

}  // namespace mubo
