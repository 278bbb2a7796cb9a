// The nanobind bindings of loads in absolute coordinates, the same for the plane and for space.
#include <nanobind/stl/optional.h>

#include <optional>

#include "../loads/along_motion.hpp"
#include "arrays.hpp"

using namespace mubo;

namespace {

// Kind, bodies and parameters of a load are checked here, so that evaluations need not.
template <class World>
LoadSet<World> make_loads(In1<int> kind, In1<int> along, In2<int> body, In1<int> law, In1<double> parameter) {
    using Loads = typename LoadSet<World>::Loads;
    LoadSet<World> s;
    const size_t n = kind.size();
    require(along.size() == n && body.shape(0) == n && law.size() == n, "all arrays must have one entry per load");
    require(n == 0 || body.shape(1) == 2, "body must have two columns");
    s.parameter.assign(parameter.data(), parameter.data() + parameter.size());
    int next = 0;
    for (size_t k = 0; k < n; ++k) {
        bool known = false;
        for_each_load<Loads>([&](int number, auto load) {
            using Load = decltype(load);
            if (number != kind(k)) return;
            known = true;
            const auto coordinate = static_cast<Along>(along(k));
            require(Load::along
                        ? coordinate == Along::turn || coordinate == Along::slide || coordinate == Along::distance
                        : coordinate == (Load::pair ? Along::pair : Along::body),
                    "this load does not act along that");
            require((law(k) >= 0) == Load::has_law, "a load must have a law of time exactly where its formula has one");
            const int second = Load::along || Load::pair ? body(k, 1) : body(k, 0);
            require(body(k, 0) >= 0 && second >= 0, "body number out of range");
            s.load.push_back({number, coordinate, {body(k, 0), second}, law(k), next});
            s.bodies = std::max({s.bodies, body(k, 0) + 1, second + 1});
            s.laws = std::max(s.laws, law(k) + 1);
            next += Load::numbers + (Load::along ? geometry<World>(coordinate) : 0);
        });
        require(known, "unknown load kind");
    }
    require(next == static_cast<int>(parameter.size()), "wrong number of parameters");
    return s;
}

using Near = std::optional<In1<double>>;

template <class World>
void require_fits(const LoadSet<World>& s, In2<double> pose, In2<double> twist, In1<double> laws, const Near& near) {
    require(pose.shape(1) == World::width && twist.shape(1) == World::dofs && pose.shape(0) == twist.shape(0),
            "one pose and one twist per body");
    require(static_cast<int>(pose.shape(0)) >= s.bodies, "a load refers to a body without a pose");
    require(static_cast<int>(laws.size()) >= s.laws, "a load refers to a law without a value");
    require(!near || near->size() == s.load.size(), "near must have one entry per load");
}

double near_of(const Near& near, size_t k) {
    return near ? (*near)(k) : 0;
}

// The motion of the bodies at one instant, from poses and twists.
template <class World>
auto at_instant(In2<double> pose, In2<double> twist) {
    return [q = pose.data(), v = twist.data()](int body) {
        return MotionOf<World, double>::from(q + World::width * body, v + World::dofs * body);
    };
}

template <class World>
auto evaluate(const LoadSet<World>& s, In2<double> pose, In2<double> twist, In1<double> laws, const Near& near) {
    require_fits(s, pose, twist, laws, near);
    constexpr size_t n = World::dofs;
    const size_t count = s.load.size();
    std::vector<double> wrenches(count * 2 * n), energies(count * 4);
    Fault fault;
    for (size_t k = 0; k < count && fault.status == done; ++k) {
        const auto act = [&](auto load, const BodyLoad& at, const MotionOf<World, double>* b, double f,
                             const double* p) {
            WrenchOf<World, double> on[2] = {};
            LoadEnergy e;
            const Status status =
                evaluate_forces_and_energy<decltype(load), World>(at.along, b[0], b[1], near_of(near, k), f, p, on, e);
            double power_in = 0;
            for (int i = 0; i < 2; ++i) {
                components(on[i], wrenches.data() + (2 * k + i) * n);
                power_in += power(b[i], on[i]);
            }
            const double line[4] = {e.potential, power_in, e.dissipated, e.supplied};
            std::copy(line, line + 4, energies.data() + 4 * k);
            return status;
        };
        const Status status = s.on(k, at_instant<World>(pose, twist), laws.data(), act);
        if (status != done) fault = {status, static_cast<int>(k)};
    }
    return std::make_tuple(fault.status, fault.where, array(std::move(wrenches), {count, 2, n}),
                           array(std::move(energies), {count, 4}));
}

// Matrices of all loads by derivative(Load{}, along, bodies, near, f, p, out).
template <class World, class Derivative>
auto matrices(const LoadSet<World>& s, In2<double> pose, In2<double> twist, In1<double> laws, const Near& near,
              Derivative&& derivative) {
    require_fits(s, pose, twist, laws, near);
    constexpr size_t n = 2 * World::dofs;
    const size_t count = s.load.size();
    std::vector<double> out(count * n * n);
    Fault fault;
    for (size_t k = 0; k < count && fault.status == done; ++k) {
        const auto act = [&](auto load, const BodyLoad& at, const MotionOf<World, double>* b, double f,
                             const double* p) {
            return derivative(load, at.along, b, near_of(near, k), f, p, out.data() + k * n * n);
        };
        const Status status = s.on(k, at_instant<World>(pose, twist), laws.data(), act);
        if (status != done) fault = {status, static_cast<int>(k)};
    }
    return std::make_tuple(fault.status, fault.where, array(std::move(out), {count, n, n}));
}

template <class World>
auto stiffnesses(const LoadSet<World>& s, In2<double> pose, In2<double> twist, In1<double> laws, const Near& near) {
    return matrices(s, pose, twist, laws, near,
                    [](auto load, auto... arguments) { return stiffness<decltype(load), World>(arguments...); });
}
template <class World>
auto dampings(const LoadSet<World>& s, In2<double> pose, In2<double> twist, In1<double> laws, const Near& near) {
    return matrices(s, pose, twist, laws, near,
                    [](auto load, auto... arguments) { return damping<decltype(load), World>(arguments...); });
}

using NearRows = std::optional<In2<double>>;

// The motion of all bodies: states of those that move, poses of the fixed ones.
template <class World>
MotionRows<World> motion_rows(const LoadSet<World>& s, In3<double> states, In2<double> fixed, const NearRows& near) {
    const size_t free = states.shape(2) / World::width, bodies = free + fixed.shape(0);
    require(states.shape(1) == 3 && states.shape(2) == free * World::width, "states are rows x 3 x unknowns");
    require(fixed.shape(1) == World::width, "fixed must have one pose per fixed body");
    require(static_cast<int>(bodies) >= s.bodies, "a load refers to a body without a pose");
    require(!near || (near->shape(0) == states.shape(0) && near->shape(1) == s.load.size()),
            "near must have one entry per row and load");
    return {states.data(), fixed.data(), static_cast<int>(free), static_cast<int>(bodies)};
}

// All loads along a motion; laws and near have a line for every row.
template <class World>
auto along_rows(const LoadSet<World>& s, In3<double> states, In2<double> fixed, In2<double> laws,
                const NearRows& near) {
    const auto motion = motion_rows<World>(s, states, fixed, near);
    const size_t rows = states.shape(0), count = s.load.size(), bodies = motion.bodies;
    require(laws.shape(0) == rows && static_cast<int>(laws.shape(1)) == s.laws, "one value per row and law");
    constexpr size_t n = World::dofs;
    std::vector<double> on(rows * bodies * n), external(rows * bodies * n), size(rows * count),
        energy(4 * rows * count);
    size_t fault[2] = {0, 0};
    Status status = done;
    {
        nb::gil_scoped_release released;
        const LoadRows out{on.data(), external.data(), size.data(), energy.data()};
        status = along_motion<World>(s, motion, rows, laws.data(), near ? near->data() : nullptr, out, fault);
    }
    return std::make_tuple(status, fault[0], fault[1], array(std::move(on), {rows, bodies, n}),
                           array(std::move(external), {rows, bodies, n}), array(std::move(size), {rows, count}),
                           array(std::move(energy), {rows, count, 4}));
}

template <class World>
auto coordinate_rows(const LoadSet<World>& s, In3<double> states, In2<double> fixed, const NearRows& near) {
    const auto motion = motion_rows<World>(s, states, fixed, near);
    const size_t rows = states.shape(0), count = s.load.size();
    std::vector<double> out(2 * rows * count);
    {
        nb::gil_scoped_release released;
        coordinates_along<World>(s, motion, rows, near ? near->data() : nullptr, out.data());
    }
    return array(std::move(out), {rows, count, 2});
}

// The effort of a load along a coordinate; both worlds have the same ones.
double effort(int kind, double q, double v, double f, const std::vector<double>& numbers) {
    double out = 0;
    bool known = false;
    for_each_load<SpaceLoads>([&](int number, auto load) {
        using Load = decltype(load);
        if constexpr (Load::along)
            if (number == kind) {
                known = true;
                require(numbers.size() == Load::numbers, "wrong number of parameters");
                out = Load::effort(q, v, f, numbers.data());
            }
    });
    require(known, "this load does not act along a coordinate");
    return out;
}

template <class World>
void bind_world(nb::module_& m, const char* name, const char* list, const char* sizes) {
    using Set = LoadSet<World>;
    m.def(
        list,
        [] {
            std::vector<std::tuple<std::string, bool, int, bool, bool, bool>> kinds;
            for_each_load<typename Set::Loads>([&](int, auto load) {
                using Load = decltype(load);
                kinds.emplace_back(Load::name, Load::along, Load::numbers, Load::has_law, Load::is_conservative,
                                   Load::is_active);
            });
            return kinds;
        },
        "(name, acts along a coordinate, numbers, has a law, is conservative, is active) of every load, by kind "
        "number.");
    m.def(
        sizes, [](Along along) { return geometry<World>(along); }, nb::arg("along"),
        "How many numbers describe the coordinate that a load acts along; they precede the load's own.");
    nb::class_<Set>(m, name)
        .def(
            "__init__",
            [](Set* self, In1<int> kind, In1<int> along, In2<int> body, In1<int> law, In1<double> parameter) {
                new (self) Set(make_loads<World>(kind, along, body, law, parameter));
            },
            nb::arg("kind"), nb::arg("along"), nb::arg("body"), nb::arg("law"), nb::arg("parameter"))
        .def("evaluate", &evaluate<World>, nb::arg("poses"), nb::arg("twists"), nb::arg("laws"),
             nb::arg("near") = nb::none(),
             "(status, where, wrenches loads x 2 x dofs, loads x (potential, power, dissipated, supplied))")
        .def(
            "along", &along_rows<World>, nb::arg("states"), nb::arg("fixed"), nb::arg("laws"),
            nb::arg("near") = nb::none(),
            "(status, row, load, on rows x bodies x dofs, external: of loads without a reaction on another body, sizes "
            "rows x loads, rows x loads x (potential, power, dissipated, supplied))")
        .def("coordinates", &coordinate_rows<World>, nb::arg("states"), nb::arg("fixed"), nb::arg("near") = nb::none(),
             "rows x loads x (q, v) of the coordinates that loads act along; zero where there is none")
        .def("stiffness", &stiffnesses<World>, nb::arg("poses"), nb::arg("twists"), nb::arg("laws"),
             nb::arg("near") = nb::none(), "(status, where, -d wrenches / d displacements of both bodies)")
        .def("damping", &dampings<World>, nb::arg("poses"), nb::arg("twists"), nb::arg("laws"),
             nb::arg("near") = nb::none(), "(status, where, -d wrenches / d twists of both bodies)");
}

}  // namespace

void bind_loads(nb::module_& m) {
    nb::enum_<Along>(m, "Along", nb::is_arithmetic(), "The coordinate that a load acts along.")
        .value("body", Along::body, "nothing: it acts on one body")
        .value("turn", Along::turn, "the angle of the second body relative to the first")
        .value("slide", Along::slide, "the displacement of a point of the second body along an axis of the first")
        .value("distance", Along::distance, "the distance of two points")
        .value("dof", Along::dof, "a degree of freedom of a link of a tree")
        .value("pair", Along::pair, "nothing: it acts on two bodies");
    m.def("effort", &effort, nb::arg("kind"), nb::arg("q"), nb::arg("v"), nb::arg("f"), nb::arg("numbers"),
          "The effort of a load (of space_loads) along a coordinate of value q and rate v.");
    bind_world<Plane>(m, "PlaneLoads", "plane_loads", "plane_geometry");
    bind_world<Space>(m, "SpaceLoads", "space_loads", "space_geometry");
}
