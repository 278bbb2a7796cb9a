// Newton's iteration over lanes: who is closed waits for the others, unchanged.
#pragma once
#include "fate.hpp"

namespace mubo {

// `it` gives the largest gap where it stands (and whether that is a number), factorises its slopes there, and corrects
// the lanes asked for by them. Its slopes are those of the last position at the end.
template <class T, class Unclosed>
void close(Unclosed& it, const SweepOptions& o, Fate<T>* fate, T* count) {
    Mask<T> open = fate->good, last = nowhere<T>(), exists = open;
    for (int corrections = 0;; ++corrections) {
        const T size = it.gap(&exists);
        const Mask<T> regular = it.factor(), converged = size <= T(o.tolerance);
        const Mask<T> before = open & !last;  // of those corrected for the last time only the slopes are asked
        if (corrections >= o.max_iterations || !all(exists & regular)) {
            fate->fail(before & !exists, not_finite);
            if (corrections >= o.max_iterations) fate->fail(before & !converged, no_convergence);
            fate->fail(open & !regular, singular);
        }
        open = before & fate->good & !o.accepts(size);
        if (!any(open)) return;
        it.correct(open);
        last = open & converged;
        const Mask<T> more = open & !last;
        if (!any(more)) return fate->fail(open & !it.factor(), singular);
        *count += choose(more, T(1.0), T(0.0));
    }
}

}  // namespace mubo
