// The nanobind bindings of integration: a tree from its first to its last time, in chunks that run without the
// interpreter lock.
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>

#include <map>

#include "run_arrays.hpp"

using namespace mubo;

namespace {

struct TreeRun {
    TreeProblem problem;
    Run<TreeProblem> run;
    TreeRun(const TreeSystem& s, UserForce user, EventFunction watch, RunOptions options, const double* y)
        : problem(s, std::move(user), std::move(watch)), run(problem, std::move(options), y) {}
};

void make_run(TreeRun* self, const TreeSystem& s, double start, double end, In1<double> y, In1<double> times,
              double rtol, In1<double> atol, double first_step, double max_step, long max_steps, In1<double> stops,
              const std::vector<EventArrays>& events, const UserFunction& user, const UserFunction& watch) {
    auto o = run_options(s, start, end, y, times, rtol, atol, first_step, max_step, max_steps, stops, events, watch);
    new (self) TreeRun(s, user_force(s, user), event_function(watch), std::move(o), y.data());
}

template <int rows, int columns>
Out table(const double (&values)[rows][columns]) {
    return array({&values[0][0], &values[0][0] + rows * columns}, {rows, columns});
}
template <int size>
Out table(const double (&values)[size]) {
    return array({values, values + size}, {size});
}

std::map<std::string, Out> tables() {
    using namespace mubo::dop853;
    return {{"A", table(A)}, {"B", table(B)}, {"C", table(C)}, {"E3", table(E3)}, {"E5", table(E5)}, {"D", table(D)}};
}

}  // namespace

void bind_tree_run(nb::module_& m) {
    m.def("dop853_tables", &tables, "Coefficients of the integrator, to be compared with scipy.integrate.DOP853.");
    nb::class_<TreeRun> bound(m, "TreeRun");
    bound.def("__init__", &make_run, nb::keep_alive<1, 2>(), nb::arg("system"), nb::arg("start"), nb::arg("end"),
              nb::arg("y"), nb::arg("times"), nb::arg("rtol"), nb::arg("atol"), nb::arg("first_step"),
              nb::arg("max_step"), nb::arg("max_steps"), nb::arg("stops"), nb::arg("events"),
              nb::arg("user") = nb::none(), nb::arg("look") = nb::none());
    bind_run(bound);
    bound
        .def(
            "crossings",
            [](const TreeRun& r) { return std::make_tuple(r.problem.crossing().times, r.problem.crossing().rows); },
            "(times, weakest rows) of the singular positions passed")
        .def(
            "impulses", [](const TreeRun& r) { return r.problem.impulses; },
            "(time, energy supplied) of the impulses at jumps of prescribed rates");
}
