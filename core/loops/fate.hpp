// What became of every lane: done so far, or the first reason why not.
#pragma once
#include "../number/choose.hpp"
#include "../status.hpp"

namespace mubo {

template <class T>
struct Fate {
    Mask<T> good;
    T status;

    Fate() : good(everywhere<T>()), status(static_cast<double>(done)) {}

    void fail(const Mask<T>& where, Status why) {
        if (!any(where)) return;
        status = choose(good & where, T(static_cast<double>(why)), status);
        good = good & !where;
    }
    Status of(int lane) const { return static_cast<Status>(static_cast<int>(in_lane(status, lane))); }
};

}  // namespace mubo
