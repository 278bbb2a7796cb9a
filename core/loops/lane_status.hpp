// The status of every lane: done so far, or the first failure.
#pragma once
#include "../number/choose.hpp"
#include "../status.hpp"

namespace mubo {

template <class T>
struct LaneStatus {
    Mask<T> good;
    T status;

    LaneStatus() : good(all_lanes<T>()), status(static_cast<double>(done)) {}

    void fail(const Mask<T>& where, Status why) {
        if (!any(where)) return;
        status = choose(good & where, T(static_cast<double>(why)), status);
        good = good & !where;
    }
    Status status_of(int lane) const { return static_cast<Status>(static_cast<int>(get_lane(status, lane))); }
};

}  // namespace mubo
