// What a solver answers, and how it is told to work.
#pragma once
#include <algorithm>
#include <cmath>

namespace mubo {

enum Status {
    done = 0,
    no_convergence = 1,  // Newton used all its iterations
    singular = 2,        // J lost its rank, or nearly
    not_finite = 3,      // NaN or infinity
    other_branch = 4,    // converged, but not to the continuation of the last position
    sign_change = 5,     // converged smoothly, but det J changed its sign on the way
    zero_inertia = 20,   // a freedom that nothing resists
    zero_length = 21,    // a point spring whose ends meet
    collapsed = 22,      // the step size fell to rounding
    event_stop = 23,     // a coordinate reached the value that ends the run
    step_limit = 24,     // more steps than allowed
    running = 25,        // not at the end yet: go on
    open_loop = 26,      // a loop that cannot be closed from here
    singular_loop = 27,  // the rows of the loops lose their rank here: a change point or a dead position
    no_size = 28,        // the law of a load has no value here
    jammed = 29,         // friction and the reaction that it comes from do not settle
};

// What an evaluation answers: a status and the number of the link (of the load, for zero_length, no_size and jammed; of
// the loop row, for open_loop and singular_loop) it speaks of.
struct Fault {
    Status status = done;
    int where = -1;
};

// Of the scale of lengths: a gap that is rounding only, and one that a single Newton correction brings down to it.
constexpr double rounding = 1e-14;
constexpr double nearly = 1e-8;

// Of the largest pivot, about 500 roundings: below, no digit of the answer is left.
constexpr double lost_pivot = 1e-13;

struct SweepOptions {
    double tolerance;        // FEPS: largest |Phi| accepted
    int max_iterations;      // NRMAX
    bool taylor;             // start Newton from q + h v + h^2 a / 2, else from q
    const double* weight;    // per unknown: 1 / size of the mechanism for lengths, 1 for angles
    double part;             // of its own motion by which a body may be corrected
    double scale;            // of lengths, a power of ten: rounding is judged by it
    bool leads_back = true;  // rates are those along the step, so that the ones at its end must lead back

    // Where a gap within the tolerance is left as it is; between `rounding` and `nearly` one more correction pays.
    template <class T>
    auto accepts(const T& gap) const {
        return (gap <= T(tolerance)) & ((gap <= T(rounding * scale)) | (gap > T(nearly * scale)));
    }
};

// A smallest pivot (of a dyad: a determinant) that falls to this part of its largest value on the way is a loss of
// rank. The determinant of a large system may vary as much without any loss, so it does not count.
constexpr double nearly_singular = 1e-6;

// A turn of more in one step, in radians, could end a full turn away from its continuation.
constexpr double longest_turn = 1;

// Corrections that rounding, or so many tolerances, explain: they say nothing about branches. Coordinates are at most
// 1e5 scales large: what they are rounded to, three times.
constexpr double least_correction = 1e-9;
constexpr double tolerances_explained = 1000;
constexpr double rounding_explained = 3e5 * 0x1p-52;

}  // namespace mubo
