// The status that a solver returns, and the options of a sweep.
#pragma once
#include <algorithm>
#include <cmath>

namespace mubo {

enum Status {
    done = 0,
    no_convergence = 1,        // Newton used all its iterations
    singular = 2,              // J lost its rank, or nearly
    not_finite = 3,            // NaN or infinity
    other_branch = 4,          // converged, but not to the continuation of the last position
    sign_change = 5,           // converged smoothly, but det J changed its sign within the step
    zero_inertia = 20,         // a degree of freedom without inertia
    zero_length = 21,          // a point spring whose ends coincide
    collapsed = 22,            // the step size fell to rounding
    event_stop = 23,           // a coordinate reached the value that ends the run
    step_limit = 24,           // more steps than allowed
    running = 25,              // not at the end yet: call again
    open_loop = 26,            // a loop that cannot be closed from here
    singular_loop = 27,        // the loop equations lose rank here: a change point or a toggle position
    no_size = 28,              // the law of a load has no value here
    jammed = 29,               // the iteration of friction and joint reaction does not converge
    no_contact_solution = 30,  // no mode of rest, stick and slip fits (Painleve), or modes change without end
};

// The result of an evaluation: a status and the number of the link concerned (of the load for zero_length, no_size and
// jammed; of the loop equation for open_loop and singular_loop).
struct Fault {
    Status status = done;
    int where = -1;
};

// Relative to the scale of lengths: a gap that is rounding only, and a gap that one Newton iteration reduces to
// rounding.
constexpr double rounding = 1e-14;
constexpr double nearly = 1e-8;

// Relative to the largest pivot, about 500 roundings: below it no digit of the solution is significant.
constexpr double lost_pivot = 1e-13;

struct SweepOptions {
    double tolerance;         // FEPS: largest |Phi| accepted
    int max_iterations;       // NRMAX
    bool taylor;              // start Newton from q + h v + h^2 a / 2, else from q
    const double* weight;     // per unknown: 1 / size of the mechanism for lengths, 1 for angles
    double part;              // largest correction of a body relative to its own motion
    double scale;             // scale of lengths, a power of ten: the measure of rounding
    bool leads_back = true;   // rates are derivatives along the step, so that those at its end must predict its start
    double exact = rounding;  // a gap, relative to the scale, that no further iteration is made for

    // True where a gap within the tolerance is accepted; between `exact` and `nearly` one more iteration is worth
    // its cost.
    template <class T>
    auto accepts(const T& gap) const {
        return (gap <= T(tolerance)) & ((gap <= T(exact * scale)) | (gap > T(nearly * scale)));
    }
};

// A smallest pivot (for a dyad: the determinant) that falls to this fraction of its largest value so far means loss of
// rank. The determinant of a large system may vary as much without any loss, so it is not used.
constexpr double nearly_singular = 1e-6;

// A larger rotation in one step, in radians, could end a full turn away from its continuation.
constexpr double longest_turn = 1;

// Corrections that rounding, or so many tolerances, explain: they do not indicate another branch. Coordinates are at
// most 1e5 scales large; the bound is three times their rounding.
constexpr double least_correction = 1e-9;
constexpr double tolerances_explained = 1000;
constexpr double rounding_explained = 3e5 * 0x1p-52;

}  // namespace mubo
