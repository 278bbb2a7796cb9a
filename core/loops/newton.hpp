// Newton's method over lanes: a lane that has converged stays unchanged while the others iterate.
#pragma once
#include "lane_status.hpp"

namespace mubo {

// `equations` returns its largest gap (and whether that is finite), factorises its Jacobian at the current position,
// and corrects the lanes of a mask. At the end the Jacobian is that of the last position.
template <class T, class Equations>
void solve_newton(Equations& equations, const SweepOptions& o, LaneStatus<T>* status, T* count) {
    Mask<T> open = status->good, last = no_lanes<T>(), exists = open;
    for (int corrections = 0;; ++corrections) {
        const T size = equations.gap(&exists);
        const Mask<T> regular = equations.factor(), converged = size <= T(o.tolerance);
        const Mask<T> before = open & !last;  // for lanes corrected for the last time only the Jacobian is needed
        if (corrections >= o.max_iterations || !all(exists & regular)) {
            status->fail(before & !exists, not_finite);
            if (corrections >= o.max_iterations) status->fail(before & !converged, no_convergence);
            status->fail(open & !regular, singular);
        }
        open = before & status->good & !o.accepts(size);
        if (!any(open)) return;
        equations.correct(open);
        last = open & converged;
        const Mask<T> more = open & !last;
        if (!any(more)) return status->fail(open & !equations.factor(), singular);
        *count += choose(more, T(1.0), T(0.0));
    }
}

}  // namespace mubo
