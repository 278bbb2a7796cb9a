// The nanobind bindings of integration in absolute coordinates: plane and space, in chunks that run without the
// interpreter lock.
#include "../dynamics/absolute_run.hpp"

#include <map>

#include "state_load_arrays.hpp"

using namespace mubo;

namespace {

// bytecode (-1: a user function), value, direction, whether it ends the run
using EventArrays = std::tuple<int, double, int, bool>;
// load, coefficient, equations, and for each the end that counts
using FrictionArrays = std::tuple<int, double, std::vector<int>, std::vector<int>>;
// sensors, those whose turns are counted, bytecodes, how many of them are sizes, of which loads, frictions
using StateLoadLists = std::tuple<std::vector<SensorArrays>, std::vector<int>, std::vector<BytecodeArrays>, int,
                                  std::vector<int>, std::vector<FrictionArrays>>;

std::vector<TimeLaw> time_laws(const std::vector<LawArrays>& given, double start, double end) {
    std::vector<TimeLaw> out;
    for (const LawArrays& one : given) {
        out.push_back(time_law(one));
        require(out.back().covers(start) && out.back().covers(end), "a law does not cover the time");
    }
    return out;
}

template <class System>
Bodies<System> make_bodies(const System& rows, In2<double> mass, In1<double> gravity,
                           const LoadSet<typename Bodies<System>::World>& loads, In1<int> group, In1<double> weight,
                           In1<int> active) {
    Bodies<System> b;
    require(static_cast<int>(mass.shape(0)) == rows.free_bodies && mass.shape(1) == Bodies<System>::Mass::numbers,
            "mass must have one row per moving body");
    require(gravity.size() == Bodies<System>::World::dimension, "gravity must have one number per axis");
    const size_t m = rows.equations;
    require(group.size() == m && weight.size() == m && active.size() == m,
            "group, weight and active have one entry per equation");
    require(loads.bodies <= rows.bodies(), "a load refers to a body without a pose");
    b.rows = rows;
    b.mass.assign(mass.data(), mass.data() + mass.size());
    std::copy(gravity.data(), gravity.data() + gravity.size(), b.gravity);
    b.loads = loads;
    b.group.assign(group.data(), group.data() + m);
    b.weight.assign(weight.data(), weight.data() + m);
    b.active.assign(active.data(), active.data() + m);
    for (int g : b.group) require(g >= 0 && g < static_cast<int>(m), "groups are numbered below the equations");
    return b;
}

std::vector<double> ascending(const In1<double>& times, double start, double end, const char* what) {
    for (size_t k = 0; k < times.size(); ++k)
        require(times(k) >= start && times(k) <= end && (k == 0 || times(k) > times(k - 1)), what);
    return {times.data(), times.data() + times.size()};
}

template <class System>
AbsoluteOptions make_options(const Bodies<System>& b, double start, double end, double rtol, double atol,
                             bool energies_control_error, long max_steps, In1<double> times, In1<double> stops,
                             const std::vector<EventArrays>& events, const UserFunction& watch) {
    require(end >= start && std::isfinite(start) && std::isfinite(end), "the end must not come before the start");
    require(rtol > 0 && atol > 0, "tolerances must be positive");
    AbsoluteOptions o{start, end, rtol, atol, energies_control_error, 0.0, max_steps, {}, {}, {}, {}};
    o.times = ascending(times, start, end, "times must ascend within start and end");
    o.stops = ascending(stops, start, end, "stops must ascend within start and end");
    const int programs = static_cast<int>(b.state_loads.bytecode.size()) - b.state_loads.sizes;
    for (const auto& [number, value, direction, stop] : events) {
        require(number >= -1 && number < programs && (number >= 0 || watch),
                "an event refers to bytecode that does not exist");
        o.events.push_back({-1, value, direction, stop, number});
    }
    if (watch)
        o.watch = [call = *watch](int number, const std::vector<double>& t, const std::vector<double>& lines,
                                  size_t width, double* out) {
            nb::gil_scoped_acquire lock;
            const auto found = nb::cast<In1<double>>(call(number, array({t.begin(), t.end()}, {t.size()}),
                                                          array({lines.begin(), lines.end()}, {t.size(), width})));
            require(found.size() == t.size(), "one value for every time");
            std::copy(found.data(), found.data() + found.size(), out);
        };
    return o;
}

template <class System>
void add_state_dependent_loads(Bodies<System>& b, const StateLoadLists& given) {
    const auto& [sensors, windings, programs, sizes, of, reaction_frictions] = given;
    const SensorRange range{static_cast<int>(b.driver_law.size()), 0, 0, b.rows.bodies()};
    fill_state_dependent_loads(b.state_loads, range, sensors, windings, programs, sizes);
    require(static_cast<int>(of.size()) == sizes, "every size belongs to a load");
    const auto law = [&](int load) {
        require(load >= 0 && load < static_cast<int>(b.loads.load.size()) && b.loads.load[load].law >= 0,
                "there is no such load with a law");
        return b.loads.load[load].law;
    };
    for (int load : of) b.sized.push_back({load, law(load)});
    for (const auto& [load, coefficient, row, end] : reaction_frictions) {
        require(row.size() == end.size(), "friction needs one end per equation");
        for (size_t k = 0; k < row.size(); ++k)
            require(row[k] >= 0 && row[k] < b.equations() && end[k] >= max_bodies * row[k] &&
                        end[k] < max_bodies * (row[k] + 1),
                    "equation number out of range");
        b.reaction_friction.push_back({load, law(load), coefficient, row, end});
    }
}

template <class System>
void bind_run(nb::module_& m, const char* name) {
    using Run = AbsoluteRun<System>;
    using Loads = LoadSet<typename Bodies<System>::World>;
    nb::class_<Run>(m, name)
        .def(
            "__init__",
            [](Run* self, const System& rows, In2<double> mass, In1<double> gravity, const Loads& loads, In1<int> group,
               In1<double> weight, In1<int> active, const std::vector<LawArrays>& driver_laws,
               const std::vector<LawArrays>& load_laws, double start, double end, In1<double> q, In1<double> v,
               In1<double> near, In1<double> times, double rtol, double atol, bool energies_control_error,
               long max_steps, In1<double> stops, const StateLoadLists& state_loads,
               const std::vector<EventArrays>& events, const UserFunction& watch) {
                auto b = make_bodies<System>(rows, mass, gravity, loads, group, weight, active);
                b.driver_law = time_laws(driver_laws, start, end);
                b.load_law = time_laws(load_laws, start, end);
                require(static_cast<int>(b.load_law.size()) >= loads.laws,
                        "a load refers to a law that does not exist");
                for (const Instance& at : rows.instance)
                    require(at.driver < static_cast<int>(b.driver_law.size()), "a driven row needs its law");
                require(static_cast<int>(q.size()) == rows.unknowns() && static_cast<int>(v.size()) == b.dofs(),
                        "q and v have one entry per unknown and per component of the twists");
                add_state_dependent_loads(b, state_loads);
                require(near.size() == loads.load.size() + b.state_loads.winding.size(),
                        "near must have one entry per load and counted angle");
                auto o = make_options<System>(b, start, end, rtol, atol, energies_control_error, max_steps, times,
                                              stops, events, watch);
                new (self) Run(std::move(b), std::move(o), q.data(), v.data(), near.data());
            },
            nb::arg("rows"), nb::arg("mass"), nb::arg("gravity"), nb::arg("loads"), nb::arg("group"), nb::arg("weight"),
            nb::arg("active"), nb::arg("driver_laws"), nb::arg("load_laws"), nb::arg("start"), nb::arg("end"),
            nb::arg("q"), nb::arg("v"), nb::arg("near"), nb::arg("times"), nb::arg("rtol"), nb::arg("atol"),
            nb::arg("energies_control_error"), nb::arg("max_steps"), nb::arg("stops"), nb::arg("state_loads"),
            nb::arg("events"), nb::arg("look") = nb::none())
        .def_prop_ro("t", [](const Run& r) { return r.t; })
        .def_prop_ro("steps", [](const Run& r) { return r.steps; })
        .def_prop_ro("rejected", [](const Run& r) { return r.rejected; })
        .def_prop_ro("evaluations", [](const Run& r) { return r.method().evaluations; })
        .def_prop_ro("factors", [](const Run& r) { return r.method().factors; })
        .def_prop_ro("status", [](const Run& r) { return r.fault.status; })
        .def_prop_ro("where", [](const Run& r) { return r.fault.where; })
        .def_prop_ro("taken", [](const Run& r) { return r.method().taken; })
        .def(
            "advance",
            [](Run& r, double seconds) {
                nb::gil_scoped_release free_python;
                return r.advance(seconds);
            },
            "Continues for about so many seconds of wall-clock time; returns the status.")
        .def(
            "rows",
            [](const Run& r) {
                auto out = r.out;
                return array(std::move(out), {r.rows, r.width()});
            },
            "One row per output time: q, v, energies dissipated and supplied, a, gaps, their rates, multipliers, "
            "(kinetic, potential of gravity, of loads, linear and angular momentum), the weakest pivot, and sizes of "
            "frictions from joint reactions.")
        .def(
            "active",
            [](const Run& r) {
                const auto& active = r.bodies().active;
                return array({active.begin(), active.end()}, {active.size()});
            },
            "1 for independent equations, 0 for those left out.")
        .def("ends",
             [](const Run& r) {
                 auto ends = r.ends;
                 const size_t count = ends.size();
                 return array(std::move(ends), {count});
             })
        .def(
            "crossings", [](const Run& r) { return std::make_tuple(r.crossing_time, r.crossing_row); },
            "(times, weakest rows) of the singular positions passed")
        .def(
            "events",
            [](const Run& r) {
                auto times = r.event_time;
                const size_t count = times.size();
                return std::make_tuple(r.event_number, array(std::move(times), {count}));
            },
            "(numbers, times) of the events");
}

}  // namespace

void bind_absolute_run(nb::module_& m) {
    bind_run<PlaneSystem>(m, "PlaneRun");
    bind_run<SpaceSystem>(m, "SpatialRun");
    m.def(
        "radau_tables",
        [] {
            using namespace mubo::radau;
            const auto table = [](const double (&from)[stages][stages]) {
                return array({&from[0][0], &from[0][0] + stages * stages}, {stages, stages});
            };
            return std::make_tuple(array({C, C + stages}, {stages}), table(A), table(W), table(T), table(inverse_T),
                                   array({D, D + stages}, {stages}),
                                   array({radau::gamma, radau::alpha, radau::beta}, {3}));
        },
        "(C, A, W, T, its inverse, D, (gamma, alpha, beta)) of the stiff integrator.");
}
