// The nanobind bindings of integration: a tree from its first to its last time, in chunks that run without the
// interpreter lock.
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>

#include <map>

#include "../dynamics/tree_problem.hpp"
#include "../integrate/run.hpp"
#include "tree_arrays.hpp"

using namespace mubo;

namespace {

// function(number, times, states) returns the values of an event function.
EventFunction event_function(const UserFunction& function) {
    if (!function) return {};
    return [call = *function](int number, int count, const double* t, const double* y, int width, double* out) {
        nb::gil_scoped_acquire lock;
        const size_t n = count, wide = width;
        const auto result =
            nb::cast<In1<double>>(call(number, array({t, t + n}, {n}), array({y, y + n * wide}, {n, wide})));
        require(result.size() == n, "an event function must return one number per time");
        std::copy(result.data(), result.data() + n, out);
    };
}

struct TreeRun {
    TreeProblem problem;
    Run<TreeProblem> run;
    TreeRun(const TreeSystem& s, UserForce user, EventFunction watch, RunOptions options, const double* y)
        : problem(s, std::move(user), std::move(watch)), run(problem, std::move(options), y) {}
};

std::vector<double> ascending(const In1<double>& times, double start, double end, const char* what) {
    for (size_t k = 0; k < times.size(); ++k)
        require(times(k) >= start && times(k) <= end && (k == 0 || times(k) > times(k - 1)), what);
    return {times.data(), times.data() + times.size()};
}

void make_run(TreeRun* self, const TreeSystem& s, double start, double end, In1<double> y, In1<double> times,
              double rtol, In1<double> atol, double first_step, double max_step, long max_steps, In1<double> stops,
              const std::vector<std::tuple<int, double, int, bool>>& events, const UserFunction& user,
              const UserFunction& watch) {
    require(static_cast<int>(y.size()) == s.states() && atol.size() == y.size(),
            "y and atol must have one entry per state");
    require(end >= start && std::isfinite(start) && std::isfinite(end), "the end must not come before the start");
    const double ends[2] = {start, end};
    require_covered(s, ends, 2);
    require(rtol >= 0 && max_step > 0 && first_step >= 0, "steps must be positive, rtol not negative");
    for (size_t k = 0; k < atol.size(); ++k)
        require(atol(k) >= 0 && rtol + atol(k) > 0, "one of rtol and atol must be positive");
    RunOptions o{start, end, rtol, {atol.data(), atol.data() + atol.size()}, first_step, max_step, max_steps,
                 {},    {},  {}};
    o.times = ascending(times, start, end, "times must ascend within start and end");
    o.stops = ascending(stops, start, end, "stops must ascend within start and end");
    for (const auto& [entry, value, direction, stop] : events) {
        const int bytecode = entry < s.states() ? -1 : s.sizes + entry - s.states();
        require(entry >= -1 && bytecode < static_cast<int>(s.bytecode.size()),
                "an event refers to bytecode that does not exist");
        require(entry >= 0 || watch, "an event without bytecode needs a function");
        const int of = static_cast<int>(o.events.size());
        o.events.push_back({bytecode < 0 ? entry : -1, value, direction, stop, bytecode, of});
    }
    for (const Link& l : s.link)
        if (l.kind == ball)
            require(std::fabs(square(quaternion_at(y.data() + l.q)) - 1) < 1e-6, "a ball needs a unit quaternion");
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

auto events_of(const TreeRun& r) {
    const size_t count = r.run.records().size(), width = r.problem.size();
    std::vector<int> numbers;
    std::vector<double> times, states;
    for (const EventRecord& record : r.run.records()) {
        numbers.push_back(record.event), times.push_back(record.t);
        states.insert(states.end(), record.state.begin(), record.state.end());
    }
    return std::make_tuple(numbers, array(std::move(times), {count}), array(std::move(states), {count, width}));
}

}  // namespace

void bind_tree_run(nb::module_& m) {
    m.def("dop853_tables", &tables, "Coefficients of the integrator, to be compared with scipy.integrate.DOP853.");
    nb::class_<TreeRun>(m, "TreeRun")
        .def("__init__", &make_run, nb::keep_alive<1, 2>(), nb::arg("system"), nb::arg("start"), nb::arg("end"),
             nb::arg("y"), nb::arg("times"), nb::arg("rtol"), nb::arg("atol"), nb::arg("first_step"),
             nb::arg("max_step"), nb::arg("max_steps"), nb::arg("stops"), nb::arg("events"),
             nb::arg("user") = nb::none(), nb::arg("look") = nb::none())
        .def_prop_ro("t", [](const TreeRun& r) { return r.run.t; })
        .def_prop_ro("step", [](const TreeRun& r) { return r.run.h; })
        .def_prop_ro("steps", [](const TreeRun& r) { return r.run.steps; })
        .def_prop_ro("rejected", [](const TreeRun& r) { return r.run.rejected; })
        .def_prop_ro("evaluations", [](const TreeRun& r) { return r.run.evaluations(); })
        .def_prop_ro("status", [](const TreeRun& r) { return r.run.fault.status; })
        .def_prop_ro("where", [](const TreeRun& r) { return r.run.fault.where; })
        .def_prop_ro("component", [](const TreeRun& r) { return r.run.component(); })
        .def_prop_ro("taken", [](const TreeRun& r) { return r.problem.taken(); })
        .def_prop_ro(
            "stiffness",
            [](const TreeRun& r) {
                const Stiffness& s = r.run.stiffness;
                return std::make_tuple(s.rate, s.t, s.evaluations);
            },
            "(fastest rate, time, evaluations until then) where stability limits the steps; zeros where it does not")
        .def_prop_ro("rows", [](const TreeRun& r) { return r.run.rows; })
        .def(
            "advance",
            [](TreeRun& r, double seconds) {
                nb::gil_scoped_release free_python;
                return r.run.advance(seconds);
            },
            "Continues for about so many seconds of wall-clock time; returns the status.")
        .def("states",
             [](const TreeRun& r) {
                 auto out = r.run.out;
                 return array(std::move(out), {r.run.rows, static_cast<size_t>(r.problem.size())});
             })
        .def("ends",
             [](const TreeRun& r) {
                 auto ends = r.run.ends;
                 const size_t n = ends.size();
                 return array(std::move(ends), {n});
             })
        .def("last",
             [](const TreeRun& r) {
                 auto y = r.run.state();
                 const size_t n = y.size();
                 return array(std::move(y), {n});
             })
        .def(
            "crossings",
            [](const TreeRun& r) { return std::make_tuple(r.problem.crossing().times, r.problem.crossing().rows); },
            "(times, weakest rows) of the singular positions passed")
        .def(
            "impulses", [](const TreeRun& r) { return r.problem.impulses; },
            "(time, energy supplied) of the impulses at jumps of prescribed rates")
        .def("events", &events_of, "(numbers, times, states) of the events");
}
