// The nanobind bindings of loads whose size depends on the state or on a joint reaction, and of event functions.
#include <nanobind/stl/string.h>

#include "../integrate/event.hpp"
#include "../rows/each.hpp"
#include "../tree/dynamics.hpp"
#include "../tree/forward.hpp"
#include "../tree/tree_sensors.hpp"
#include "state_load_arrays.hpp"

using namespace mubo;

namespace {

TreeLoad& load(TreeSystem& s, int number) {
    for (auto* loads : {&s.on_dof, &s.on_links})
        for (TreeLoad& at : *loads)
            if (at.number == number) return at;
    throw nb::index_error("there is no such load");
}

// `of` are load, bytecode and counted angle (-1: none) of loads; the bytecodes of loads come first.
void add_state_dependent_loads(TreeSystem& s, const std::vector<SensorArrays>& sensors,
                               const std::vector<int>& windings, const std::vector<BytecodeArrays>& programs, int sizes,
                               const std::vector<std::tuple<int, int, int>>& of) {
    require(s.bytecode.empty() && s.sensors.sensor.empty(), "state-dependent loads can be added only once");
    const SensorRange range{static_cast<int>(s.law.size()), s.positions, s.velocities, s.links()};
    fill_state_dependent_loads(s, range, sensors, windings, programs, sizes);
    for (const auto& [number, by, winding] : of) {
        TreeLoad& at = load(s, number);
        require(by < sizes && winding < s.windings(), "a load refers to bytecode or an angle that does not exist");
        require(by < 0 || at.law == state_dependent, "a load has a law of time already");
        at.bytecode = by, at.winding = winding;
    }
    for (const TreeLoad& at : s.on_links)
        require(!at.counts_turns || at.winding >= 0, "an angle in space needs a count of its turns");
}

// Load; coefficient, that of being driven back, and gain (0: no transmission); link (-1: the joint closes a loop),
// links that slide, rows, and the end of each of them.
using FrictionNumbers = std::tuple<double, double, double>;
using FrictionList =
    std::vector<std::tuple<int, FrictionNumbers, int, std::vector<int>, std::vector<int>, std::vector<int>>>;
void add_reaction_friction(TreeSystem& s, const FrictionList& frictions, int rows) {
    for (const auto& [number, numbers, link, slides, row, end] : frictions) {
        TreeLoad& at = load(s, number);
        require(at.law == state_dependent && at.bytecode < 0 && at.reaction_friction < 0, "a load has a size already");
        require(link >= -1 && link < s.links() && row.size() == end.size() && (link >= 0) == row.empty(),
                "friction needs a link, or rows");
        for (int k : slides) require(k >= 0 && k < s.links(), "link number out of range");
        for (int k : row) require(k >= 0 && k < rows && s.loop_closure, "row number out of range");
        for (size_t k = 0; k < row.size(); ++k)
            require(end[k] >= max_bodies * row[k] && end[k] < max_bodies * (row[k] + 1), "end number out of range");
        at.reaction_friction = static_cast<int>(s.reaction_friction.size());
        const auto& [coefficient, back, gain] = numbers;
        require(gain == 0 || link >= 0 || row.size() == 1, "the mesh of a transmission is one row");
        s.reaction_friction.push_back({coefficient, back, gain, link, slides, end, row, number});
        s.planar = false;  // friction depends on the whole force, perpendicular to the plane too
    }
}

// The angles whose turns the state counts, in radians, within half a turn of `near`.
auto turns_at(const TreeSystem& s, double t, In1<double> q, In1<double> v, In1<double> near) {
    require(static_cast<int>(q.size()) == s.positions && static_cast<int>(v.size()) == s.velocities &&
                static_cast<int>(near.size()) == s.windings(),
            "q, v and near must fit the tree");
    TreeWork work(s);
    std::copy(near.data(), near.data() + near.size(), work.near.begin());
    move(s, q.data(), v.data(), work.a.data(), {0, 0, 0}, work);
    const TreeSensorView view{s, work, t, q.data(), v.data()};
    std::vector<double> out;
    for (int k : s.winding)
        out.push_back(
            read_sensor(view, s.sensors.sensor[k], s.sensors.parameter.data() + s.sensors.sensor[k].parameter).v);
    const size_t count = out.size();
    return array(std::move(out), {count});
}

// The function of event bytecode `number` at a state.
double event_value_at(const TreeSystem& s, int number, double t, In1<double> y) {
    require(static_cast<int>(y.size()) == s.states(), "y must have one entry per state");
    require(number >= 0 && s.sizes + number < static_cast<int>(s.bytecode.size()),
            "an event refers to bytecode that does not exist");
    TreeWork work(s);
    std::vector<double> state(y.data(), y.data() + y.size());
    double *q = state.data(), *v = q + s.positions;
    drive(s, t, work, q, v, work.a.data());
    work.count(s, q);
    move(s, q, v, work.a.data(), {0, 0, 0}, work);
    read_sensors(s, t, q, v, s.event_sensors, work);
    return value_of(s, s.sizes + number, t, work);
}

// Sizes of the frictions from joint reactions, instants x frictions in the order of `add_reaction_friction`.
auto frictions_at(const TreeSystem& s, In1<double> t, In2<double> q, In2<double> v, const UserFunction& user,
                  const CountedTurns& near) {
    const size_t rows = t.size(), nq = s.positions, nv = s.velocities, m = s.reaction_friction.size(),
                 wide = s.winding.size();
    require(q.shape(0) == rows && q.shape(1) == nq && v.shape(0) == rows && v.shape(1) == nv,
            "q and v must have one row per instant");
    require(!near || (near->shape(0) == rows && near->shape(1) == wide), "near must have one row per instant");
    require_covered(s, t.data(), rows);
    std::vector<double> out(rows * m), a(nv);
    TreeWork work(s);
    work.user = user_force(s, user);
    Fault fault;
    for (size_t k = 0; k < rows && fault.status == done; ++k) {
        std::copy(q.data() + k * nq, q.data() + (k + 1) * nq, work.q.begin());
        std::copy(v.data() + k * nv, v.data() + (k + 1) * nv, work.v.begin());
        if (near) std::copy(near->data() + k * wide, near->data() + (k + 1) * wide, work.near.begin());
        drive(s, t(k), work, work.q.data(), work.v.data(), work.a.data());
        fault = forward_dynamics(s, t(k), work.q.data(), work.v.data(), nullptr, work, a.data(), nullptr);
        std::copy(work.reaction_friction.size.begin(), work.reaction_friction.size.end(), out.begin() + k * m);
    }
    return std::make_tuple(fault.status, fault.where, array(std::move(out), {rows, m}));
}

template <int count>
std::vector<std::string> names(const char* const (&given)[count]) {
    return {given, given + count};
}

}  // namespace

void bind_state_dependent_loads(nb::module_& m) {
    m.attr("max_crossings") = max_crossings;
    m.def("operations", [] { return names(operation_name); }, "Operations of bytecode, by number");
    m.def("sensor_kinds", [] { return names(sensor_kind_name); }, "Kinds of sensors, by number");
    m.def("add_state_dependent_loads", &add_state_dependent_loads, nb::arg("system"), nb::arg("sensors"),
          nb::arg("windings"), nb::arg("bytecodes"), nb::arg("sizes"), nb::arg("of"),
          "Sizes of loads, and event functions, by bytecode over the motion.");
    m.def("turns_at", &turns_at, "Angles whose turns the state counts, within half a turn of `near`.");
    m.def("event_value_at", &event_value_at, "The function of an event, by the number of its bytecode, at one state.");
    m.def("frictions_at", &frictions_at, nb::arg("system"), nb::arg("t"), nb::arg("q"), nb::arg("v"),
          nb::arg("user") = nb::none(), nb::arg("near") = nb::none(),
          "(status, where, sizes of the frictions from joint reactions)");
    m.def("add_reaction_friction", &add_reaction_friction, nb::arg("system"), nb::arg("frictions"), nb::arg("rows"),
          "Friction proportional to the force of its joint.");
}
