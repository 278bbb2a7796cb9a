// What runs of trees share: options from arrays, event functions of the user, and the properties of a run.
#pragma once
#include "../dynamics/tree_problem.hpp"
#include "../integrate/run.hpp"
#include "tree_arrays.hpp"

namespace mubo {

using EventArrays = std::tuple<int, double, int, bool>;  // entry, value, direction, whether it ends the run

// function(number, times, states) returns the values of an event function.
inline EventFunction event_function(const UserFunction& function) {
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

inline std::vector<double> ascending(const In1<double>& times, double start, double end, const char* what) {
    for (size_t k = 0; k < times.size(); ++k)
        require(times(k) >= start && times(k) <= end && (k == 0 || times(k) > times(k - 1)), what);
    return {times.data(), times.data() + times.size()};
}

inline RunOptions run_options(const TreeSystem& s, double start, double end, const In1<double>& y,
                              const In1<double>& times, double rtol, const In1<double>& atol, double first_step,
                              double max_step, long max_steps, const In1<double>& stops,
                              const std::vector<EventArrays>& events, const UserFunction& watch) {
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
    return o;
}

template <class R>
auto events_of(const R& r) {
    const size_t count = r.run.records().size(), width = r.problem.size();
    std::vector<int> numbers;
    std::vector<double> times, states;
    for (const EventRecord& record : r.run.records()) {
        numbers.push_back(record.event), times.push_back(record.t);
        states.insert(states.end(), record.state.begin(), record.state.end());
    }
    return std::make_tuple(numbers, array(std::move(times), {count}), array(std::move(states), {count, width}));
}

template <class R>
Status advance_run(R& r, double seconds) {
    return r.run.advance(seconds);
}

template <class R>
void bind_run(nb::class_<R>& bound) {
    bound.def_prop_ro("t", [](const R& r) { return r.run.t; })
        .def_prop_ro("step", [](const R& r) { return r.run.h; })
        .def_prop_ro("steps", [](const R& r) { return r.run.steps; })
        .def_prop_ro("rejected", [](const R& r) { return r.run.rejected; })
        .def_prop_ro("evaluations", [](const R& r) { return r.run.evaluations(); })
        .def_prop_ro("status", [](const R& r) { return r.run.fault.status; })
        .def_prop_ro("where", [](const R& r) { return r.run.fault.where; })
        .def_prop_ro("component", [](const R& r) { return r.run.component(); })
        .def_prop_ro("taken", [](const R& r) { return r.problem.taken(); })
        .def_prop_ro(
            "stiffness",
            [](const R& r) {
                const Stiffness& s = r.run.stiffness;
                return std::make_tuple(s.rate, s.t, s.evaluations);
            },
            "(fastest rate, time, evaluations until then) where stability limits the steps; zeros where it does not")
        .def_prop_ro("rows", [](const R& r) { return r.run.rows; })
        .def(
            "advance",
            [](R& r, double seconds) {
                nb::gil_scoped_release free_python;
                return advance_run(r, seconds);
            },
            "Continues for about so many seconds of wall-clock time; returns the status.")
        .def("states",
             [](const R& r) {
                 auto out = r.run.out;
                 return array(std::move(out), {r.run.rows, static_cast<size_t>(r.problem.size())});
             })
        .def("ends",
             [](const R& r) {
                 auto ends = r.run.ends;
                 const size_t n = ends.size();
                 return array(std::move(ends), {n});
             })
        .def("last",
             [](const R& r) {
                 auto y = r.run.state();
                 const size_t n = y.size();
                 return array(std::move(y), {n});
             })
        .def("events", &events_of<R>, "(numbers, times, states) of the events");
}

}  // namespace mubo
