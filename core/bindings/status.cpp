// The nanobind bindings of statuses and tolerances: Python imports them and does not repeat their values.
#include "../branch.hpp"
#include "../kinematics/scaled_rows.hpp"
#include "arrays.hpp"

using namespace mubo;

// True where a body (`width` unknowns, of which the last `turning` describe its rotation) was corrected onto another
// branch. `last` and `next` are positions, velocities and accelerations.
static bool any_left_branch(int width, int turning, double h, In2<double> last, In2<double> next, In1<double> guess,
                            In1<double> weight, double narrow, double part, double tolerance, double scale) {
    const size_t n = guess.size();
    require(last.shape(0) == 3 && last.shape(1) == n, "last must be 3 x unknowns");
    require(next.shape(0) == 3 && next.shape(1) == n, "next must be 3 x unknowns");
    require(weight.size() == n, "the weight must have one entry per unknown");
    require(width > 0 && n % width == 0 && turning <= width, "every body has the same number of unknowns");
    const int count = static_cast<int>(n);
    const SweepOptions options{tolerance, 0, true, weight.data(), part, scale};
    std::vector<double> back(n);
    return fails_branch_check(count, width, turning, count, h, last.data(), next.data(), guess.data(), back.data(),
                              narrow, options);
}

static bool are_independent(In2<double> lines, double least) {
    std::vector<double> basis(lines.data(), lines.data() + lines.size());
    return lines_are_independent(basis.data(), static_cast<int>(lines.shape(0)), static_cast<int>(lines.shape(1)),
                                 least);
}

void bind_status(nb::module_& m) {
    nb::enum_<Status>(m, "Status", nb::is_arithmetic(), "The status that a solver returns.")
        .value("done", done)
        .value("no_convergence", no_convergence, "Newton used all its iterations")
        .value("singular", singular, "J lost its rank, or nearly")
        .value("not_finite", not_finite, "NaN or infinity")
        .value("other_branch", other_branch, "converged, but not to the continuation of the last position")
        .value("sign_change", sign_change, "converged smoothly, but det J changed its sign within the step")
        .value("zero_inertia", zero_inertia, "a degree of freedom without inertia")
        .value("zero_length", zero_length, "a load between two points that coincide")
        .value("collapsed", collapsed, "the step size fell to rounding")
        .value("event_stop", event_stop, "a coordinate reached the value that ends the run")
        .value("step_limit", step_limit, "more steps than allowed")
        .value("running", running, "not at the end yet")
        .value("open_loop", open_loop, "a loop that cannot be closed from here")
        .value("singular_loop", singular_loop, "the loop equations lose rank here")
        .value("no_size", no_size, "the law of a load has no value here")
        .value("jammed", jammed, "the iteration of friction and joint reaction does not converge")
        .value("no_contact_solution", no_contact_solution, "no mode of rest, stick and slip fits");
    m.attr("rounding") = rounding;
    m.attr("nearly") = nearly;
    m.attr("lost_pivot") = lost_pivot;
    m.attr("nearly_singular") = nearly_singular;
    m.def(
        "accepts",
        [](double gap, double tolerance, double scale) {
            return SweepOptions{tolerance, 0, true, nullptr, 0, scale}.accepts(gap) != 0;
        },
        nb::arg("gap"), nb::arg("tolerance"), nb::arg("scale"),
        "True where a largest |Phi| within the tolerance is accepted without one more correction.");
    m.def("are_independent", &are_independent, nb::arg("lines"), nb::arg("least"),
          "True where every line is farther than `least` from the span of those before it.");
    m.def("branch_radius", &branch_radius<double>, nb::arg("size"), nb::arg("largest"),
          "The factor by which the allowed correction shrinks at a smallest pivot of this size.");
    m.def("left_branch", &any_left_branch, nb::arg("width"), nb::arg("turning"), nb::arg("h"), nb::arg("last"),
          nb::arg("next"), nb::arg("guess"), nb::arg("weight"), nb::arg("radius"), nb::arg("part"),
          nb::arg("tolerance"), nb::arg("scale"), "True where a corrected position belongs to another branch.");
}
