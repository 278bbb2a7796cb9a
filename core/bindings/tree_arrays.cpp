// From arrays to a TreeSystem: every index is checked here, so that evaluations need not.
#include "tree_arrays.hpp"

#include <algorithm>

#include "../loads/derive.hpp"
#include "../loads/space/list.hpp"

namespace mubo {

TimeLaw time_law(const LawArrays& given) {
    const auto& [edge, coefficient] = given;
    require(edge.size() >= 2 && coefficient.shape(0) + 1 == edge.size() && coefficient.shape(1) == 3 &&
                coefficient.shape(2) > 0,
            "a law has pieces x 3 x terms coefficients and one edge more than pieces");
    for (size_t k = 1; k < edge.size(); ++k) require(edge(k) > edge(k - 1), "the edges of a law must ascend");
    return {{edge.data(), edge.data() + edge.size()},
            {coefficient.data(), coefficient.data() + coefficient.size()},
            static_cast<int>(coefficient.shape(2))};
}

static int along(const Vector& a) {
    const double part[3] = {a.x, a.y, a.z};
    for (int k = 0; k < 3; ++k)
        if (part[k] == 1) return k;
    return -1;
}

static Link make_link(int parent, int kind, const double* place, const double* axis, double pitch, const double* j) {
    Link l{};
    static_cast<Inertia&>(l) = Inertia::from(j);
    l.parent = parent, l.kind = kind, l.pitch = pitch;
    l.r0 = {place[0], place[1], place[2]};
    l.q0 = {place[3], place[4], place[5], place[6]};
    require(std::fabs(square(l.q0) - 1) < 1e-9, "the quaternion of a place must be a unit quaternion");
    l.R0 = rotation(l.q0);
    l.straight = l.q0.x == 0 && l.q0.y == 0 && l.q0.z == 0;
    l.axis = {axis[0], axis[1], axis[2]};
    if (kind == turn || kind == slide || kind == screw)
        require(std::fabs(dot(l.axis, l.axis) - 1) < 1e-9, "an axis must be a unit vector");
    l.along = along(l.axis);
    l.offset = 2 * std::atan2(l.q0.z, l.q0.w), l.sense = l.axis.z;
    return l;
}

// True where a link whose parent moves in the x-y plane moves in it: rotation about z, or translation perpendicular to
// z.
static bool stays_planar(const Link& l) {
    const bool placed = l.r0.z == 0 && l.q0.x == 0 && l.q0.y == 0;
    const bool turns = l.kind == turn && std::fabs(l.axis.z) == 1, slides = l.kind == slide && l.axis.z == 0;
    return placed && (l.kind == weld || turns || slides);
}

static void add_load(TreeSystem& s, const LoadArrays& given, int number) {
    const auto& [kind, on, first, second, law, parameters] = given;
    const auto along = static_cast<Along>(on);
    const int offset = static_cast<int>(s.parameter.size());
    require(law >= state_dependent && law < static_cast<int>(s.law.size()), "law number out of range");
    bool known = false;
    // C++17 lets no lambda capture the names of a decomposition by themselves.
    for_each_load<SpaceLoads>([&, &kind = kind, &first = first, &second = second, &law = law, &parameters = parameters](
                                  int at, auto load) {
        using Load = decltype(load);
        if (at != kind) return;
        known = true;
        require(Load::along ? along != Along::body && along != Along::pair
                            : along == (Load::pair ? Along::pair : Along::body),
                "in a tree this load does not act along that");
        const int given = static_cast<int>(parameters.size());
        const bool counts_turns = along == Along::turn && given == Load::numbers + geometry<Space>(along);
        // An angle in the plane has one number: its zero.
        const int geometric = along == Along::turn && !counts_turns ? 1 : geometry<Space>(along);
        const int count = Load::numbers + (Load::along ? geometric : 0);
        require(given == count && (law != -1) == Load::has_law, "wrong parameters of a load");
        if (along == Along::dof) {
            require(first >= 0 && first < s.links(), "link number out of range");
            const Link& l = s.link[first];
            require(second >= 0 && second < kind_velocities[l.kind], "number of a degree of freedom out of range");
            require(l.kind != ball, "a ball has no coordinate for a load to act along");
            s.on_dof.push_back({kind, l.v + second, l.q + second, law, offset, number, along});
        } else {
            require(first >= -1 && first < s.links() && second >= -1 && second < s.links(), "link number out of range");
            s.on_links.push_back(
                {kind, first, Load::along || Load::pair ? second : -1, law, offset, number, along, counts_turns});
        }
    });
    require(known, "unknown load kind");
    s.parameter.insert(s.parameter.end(), parameters.begin(), parameters.end());
    s.exchanges = true;
}

TreeSystem make_tree(In1<int> parent, In1<int> kind, In2<double> place, In2<double> axis, In1<double> pitch,
                     In2<double> inertia, In1<int> law, In1<double> gravity, const std::vector<LawArrays>& laws,
                     const std::vector<LoadArrays>& loads, const std::optional<In1<double>>& armature) {
    const size_t n = parent.size();
    require(kind.size() == n && place.shape(0) == n && axis.shape(0) == n && pitch.size() == n &&
                inertia.shape(0) == n && law.size() == n && (!armature || armature->size() == n),
            "all arrays must have one entry per link");
    require(place.shape(1) == 7 && axis.shape(1) == 3 && inertia.shape(1) == 10 && gravity.size() == 3,
            "place has 7 columns, axis 3, inertia 10, gravity 3 entries");
    TreeSystem s;
    s.gravity = {gravity(0), gravity(1), gravity(2)};
    for (const LawArrays& one : laws) s.law.push_back(time_law(one));
    for (size_t k = 0; k < n; ++k) {
        require(parent(k) >= -1 && parent(k) < static_cast<int>(k), "a link must come after its parent");
        require(kind(k) >= 0 && kind(k) < tree_kinds, "unknown link kind");
        Link l =
            make_link(parent(k), kind(k), place.data() + 7 * k, axis.data() + 3 * k, pitch(k), inertia.data() + 10 * k);
        l.armature = armature ? (*armature)(k) : 0;
        require(l.armature == 0 || (l.armature > 0 && l.kind != weld && l.kind != shift),
                "a reflected inertia is positive, of a turn, slide, screw or ball");
        l.q = s.positions, l.v = s.velocities, l.law = law(k);
        require(l.law >= -1 && l.law < static_cast<int>(s.law.size()), "law number out of range");
        require(l.law < 0 || kind_velocities[l.kind] == 1, "only links of one degree of freedom can be driven");
        s.driven = s.driven || l.law >= 0;
        s.positions += kind_positions[l.kind];
        s.velocities += kind_velocities[l.kind];
        s.link.push_back(l);
    }
    s.exchanges = s.driven;
    s.planar = std::all_of(s.link.begin(), s.link.end(), stays_planar);
    for (size_t k = 0; k < loads.size(); ++k) add_load(s, loads[k], static_cast<int>(k));
    return s;
}

void require_covered(const TreeSystem& s, const double* t, size_t count) {
    for (const TimeLaw& law : s.law)
        for (size_t k = 0; k < count; ++k) require(law.covers(t[k]), "a time lies beyond the pieces of a law");
}

UserForce user_force(const TreeSystem& s, const UserFunction& function) {
    if (!function) return {};
    const size_t nq = s.positions, nv = s.velocities;
    return [nq, nv, call = *function](double t, const double* q, const double* v, double* tau) {
        nb::gil_scoped_acquire lock;
        const auto result = nb::cast<In1<double>>(call(t, array({q, q + nq}, {nq}), array({v, v + nv}, {nv})));
        require(result.size() == nv, "a user force must return one number per velocity");
        for (size_t k = 0; k < nv; ++k) tau[k] += result(k);
    };
}

}  // namespace mubo
