// The nanobind bindings of integration with contacts and exact friction.
#include "../contact/islands.hpp"
#include "../integrate/run.hpp"
#include "run_arrays.hpp"

using namespace mubo;

namespace {

// link, place (3), axes (9, by columns), angle in the plane
using BodyArrays = std::tuple<int, std::vector<double>, std::vector<double>, double>;
// kind, owner, bodies (of gears also the carrier), numbers, kind of surface, its numbers (of a stop of a turn in space:
// a direction of each body and the middle angle), load, number that holds the sense of its friction
using UnitArrays =
    std::tuple<int, int, std::vector<BodyArrays>, std::vector<double>, int, std::vector<double>, int, int>;
constexpr size_t unit_numbers = 32;

BodyOnLink body_of(const TreeSystem& s, const BodyArrays& given) {
    const auto& [link, r, R, angle] = given;
    require(link >= -1 && link < s.links() && r.size() == 3 && R.size() == 9, "a body of a contact has no such link");
    return {link, {r[0], r[1], r[2]}, {{R[0], R[1], R[2]}, {R[3], R[4], R[5]}, {R[6], R[7], R[8]}}, angle};
}

int sense_of(const TreeSystem& s, int load, int number) {
    for (const auto* loads : {&s.on_dof, &s.on_links})
        for (const TreeLoad& one : *loads)
            if (one.number == load) return one.parameter + number;
    require(false, "there is no such friction");
    return -1;
}

Unit unit_of(const TreeSystem& s, const UnitArrays& given) {
    const auto& [kind, owner, bodies, x, surface, numbers, load, number] = given;
    require(x.size() == unit_numbers && bodies.size() >= 2, "a unit of contact has other numbers");
    Unit u;
    u.kind = kind, u.owner = owner, u.body[0] = body_of(s, bodies[0]), u.body[1] = body_of(s, bodies[1]);
    u.carrier = body_of(s, bodies.back());
    u.law = {x[0] > 0, x[1], x[2], x[3], static_cast<int>(x[4])};
    u.static_friction = x[5], u.kinetic_friction = x[6];
    std::copy(x.begin() + 7, x.begin() + 10, u.point);
    u.radius = x[10];
    u.surface = {surface, x[11], numbers, x[12] > 0};
    u.turns = x[13] > 0;
    std::copy(x.begin() + 14, x.begin() + 17, u.axis);
    std::copy(x.begin() + 17, x.begin() + 20, u.first);
    std::copy(x.begin() + 20, x.begin() + 23, u.second);
    u.zero = x[23], u.limit = x[24], u.sense = x[25];
    u.pitch = x[26], u.factor[0] = x[27], u.factor[1] = x[28];
    u.stribeck = x[29], u.law.poisson = x[30] > 0;
    u.element = static_cast<int>(x[31]);
    if (kind == stop_unit && numbers.size() == 7) {
        std::copy(numbers.begin(), numbers.begin() + 3, u.beside[0]);
        std::copy(numbers.begin() + 3, numbers.begin() + 6, u.beside[1]);
        u.middle = numbers[6];
    }
    u.load = load;
    if (load >= 0) u.parameter = sense_of(s, load, number);
    return u;
}

struct ContactRun {
    Islands problem;
    Run<ContactProblem> run;
    ContactRun(const TreeSystem& s, std::vector<Unit> units, ContactOptions o, UserForce user, EventFunction watch,
               const RunOptions& options, const double* y, bool keeps_impacts)
        : problem(s, std::move(units), o, std::move(user), std::move(watch), options, y), run(problem, options, y) {
        problem.keeps_impacts = keeps_impacts;
    }
    ContactRun(const ContactRun&) = delete;
};
Status advance_run(ContactRun& r, double seconds) {
    return r.problem.can_part() ? r.problem.advance(r.run, seconds) : r.run.advance(seconds);
}

}  // namespace

void bind_contact_run(nb::module_& m) {
    nb::class_<ContactRun> bound(m, "ContactRun");
    bound.def(
        "__init__",
        [](ContactRun* self, const TreeSystem& s, double start, double end, In1<double> y, In1<double> times,
           double rtol, In1<double> atol, double first_step, double max_step, long max_steps, In1<double> stops,
           const std::vector<EventArrays>& events, const UserFunction& user, const UserFunction& watch,
           const std::vector<UnitArrays>& units, bool planar, double slow, double gap_tolerance, bool keeps_impacts) {
            auto o =
                run_options(s, start, end, y, times, rtol, atol, first_step, max_step, max_steps, stops, events, watch);
            std::vector<Unit> made;
            for (const UnitArrays& one : units) made.push_back(unit_of(s, one));
            new (self) ContactRun(s, std::move(made), {planar, slow, gap_tolerance}, user_force(s, user),
                                  event_function(watch), o, y.data(), keeps_impacts);
        },
        nb::arg("system"), nb::arg("start"), nb::arg("end"), nb::arg("y"), nb::arg("times"), nb::arg("rtol"),
        nb::arg("atol"), nb::arg("first_step"), nb::arg("max_step"), nb::arg("max_steps"), nb::arg("stops"),
        nb::arg("events"), nb::arg("user").none(), nb::arg("look").none(), nb::arg("units"), nb::arg("planar"),
        nb::arg("slow"), nb::arg("gap_tolerance"), nb::arg("keeps_impacts"));
    bind_run(bound);
    bound
        .def(
            "rows_of_contact",
            [](const ContactRun& r) {
                auto out = r.problem.table;
                return array(std::move(out), {r.run.rows, r.problem.row_width()});
            },
            "One row per output time: accelerations, efforts of contacts, stored energy.")
        .def(
            "recorded_units",
            [](const ContactRun& r) {
                std::vector<double> numbers(r.problem.recorded.begin(), r.problem.recorded.end());
                auto out = r.problem.units_table;
                const size_t n = numbers.size() / 2, width = ContactProblem::unit_width;
                return std::make_tuple(array(std::move(numbers), {n, 2}), array(std::move(out), {n, width}));
            },
            "Row of output and number of every unit recorded, and of each gap, contact point, normal and tangents with "
            "their velocities, forces along them, the bound of friction, modes, whether its forces are determined.")
        .def(
            "switches",
            [](const ContactRun& r) {
                std::vector<std::tuple<double, int, int, double, double, double, double, double, double, double>> out;
                for (const SwitchRecord& s : r.problem.switches)
                    out.push_back({s.t, r.problem.unit[s.unit].owner, s.kind, s.before, s.after, s.normal, s.tangential,
                                   s.lost, s.slip_before, s.slip_after});
                return out;
            },
            "(time, owner, kind, normal velocity before and after, normal and tangential impulse, energy lost, slip "
            "before "
            "and after)")
        .def(
            "impacts",
            [](const ContactRun& r) {
                std::vector<std::tuple<size_t, int, std::vector<double>, std::vector<double>, std::vector<double>,
                                       std::vector<double>>>
                    out;
                for (const ImpactRecord& one : r.problem.impacts)
                    out.push_back({one.number,
                                   r.problem.unit[one.unit].owner,
                                   one.state,
                                   one.after,
                                   {one.c.x, one.c.y, one.c.z},
                                   {one.P.x, one.P.y, one.P.z}});
                return out;
            },
            "(number among the switches, owner, state before, velocities after, contact point, impulse on the first "
            "body)")
        .def_prop_ro("impacts_together", [](const ContactRun& r) { return r.problem.impacts_together; })
        .def_prop_ro("tangential_impacts", [](const ContactRun& r) { return r.problem.tangential_impacts; })
        .def_prop_ro("largest_gain", [](const ContactRun& r) { return r.problem.largest_gain; });
}
