// The nanobind bindings of closed loops: a tree receives the rows that close its loops, and states are projected onto
// them.
#include "../dynamics/loop_closure.hpp"

#include "tree_arrays.hpp"

using namespace mubo;

namespace {

// The loop closure of a tree, which must have loops.
const ClosedTree& closed(const TreeSystem& s) {
    require(s.loop_closure != nullptr, "this tree has no loops");
    return static_cast<const ClosedTree&>(*s.loop_closure);
}

std::vector<double> copied(const In1<double>& x, int count, const char* what) {
    require(static_cast<int>(x.size()) == count, what);
    return {x.data(), x.data() + x.size()};
}

// `place`: r, quaternion of every body of the rows on its `link`; `plane_angle` its angle relative to it in the plane.
template <class System>
void close_loops(TreeSystem& s, const System& system, In1<int> link, In2<double> place, In1<double> plane_angle,
                 In1<int> group, In1<double> weight, In1<int> law) {
    auto rows = std::make_unique<LoopRowsOf<System>>();
    const size_t bodies = system.bodies();
    require(link.size() == bodies && place.shape(0) == bodies && place.shape(1) == 7 && plane_angle.size() == bodies,
            "link, place and plane_angle must have one entry per body");
    rows->rows = system;
    rows->equations = system.equations;
    for (size_t b = 0; b < bodies; ++b) {
        require(link(b) >= -1 && link(b) < s.links(), "link number out of range");
        const double* p = &place(b, 0);
        rows->body.push_back(
            {link(b), {p[0], p[1], p[2]}, rotation(Quaternion<double>{p[3], p[4], p[5], p[6]}), plane_angle(b)});
    }
    require(static_cast<int>(group.size()) == system.equations && weight.size() == group.size(),
            "group and weight must have one entry per equation");
    for (size_t r = 0; r < group.size(); ++r)
        require(group(r) >= 0 && group(r) < system.equations, "groups are numbered below the equations");
    rows->group.assign(group.data(), group.data() + group.size());
    rows->weight.assign(weight.data(), weight.data() + weight.size());
    for (size_t k = 0; k < law.size(); ++k) require(law(k) < static_cast<int>(s.law.size()), "law number out of range");
    rows->law.assign(law.data(), law.data() + law.size());
    rows->end.assign(static_cast<size_t>(max_bodies) * system.equations, -2);
    system.for_each([&](auto row, const Instance& at) {
        using Row = decltype(row);
        require(at.driver < 0 || (at.driver < static_cast<int>(law.size()) && law(at.driver) >= 0),
                "a driven row needs its law");
        for (int r = 0; r < Row::rows; ++r) {
            for (int k = 0; k < Row::bodies; ++k)
                rows->end[max_bodies * (at.row + r) + k] = rows->body[at.body[k]].link;
            if (Row::bodies == 1) rows->end[max_bodies * (at.row + r) + 1] = -1;  // relative to the ground
        }
    });
    s.exchanges = s.exchanges || law.size() > 0;
    s.planar = s.planar && System::dofs == 3;  // rows of space also act perpendicular to a plane
    s.loop_closure = std::make_shared<ClosedTree>(s, std::move(rows));
}

// Selects the independent rows at a closed q: 1 for them, 0 for those left out.
auto choose(TreeSystem& s, double t, In1<double> q) {
    closed(s);
    auto tree = std::const_pointer_cast<LoopClosure>(s.loop_closure);
    TreeWork work(s);
    auto at = copied(q, s.positions, "q must have one entry per position");
    std::vector<double> rest(s.velocities);
    drive(s, t, work, at.data(), rest.data(), work.a.data());
    const Fault fault = static_cast<ClosedTree&>(*tree).choose(s, t, at.data(), work);
    const auto& active = closed(s).active();
    const size_t m = active.size();
    return std::make_tuple(fault.status, fault.where, array({active.begin(), active.end()}, {m}));
}

auto project_state(const TreeSystem& s, double t, In1<double> q, In1<double> v) {
    closed(s);
    require_covered(s, &t, 1);
    TreeWork work(s);
    auto Q = copied(q, s.positions, "q must have one entry per position");
    auto V = copied(v, s.velocities, "v must have one entry per velocity");
    drive(s, t, work, Q.data(), V.data(), work.a.data());
    const Fault fault = s.loop_closure->project(s, t, Q.data(), V.data(), work);
    return std::make_tuple(fault.status, fault.where, array(std::move(Q), {q.size()}), array(std::move(V), {v.size()}));
}

// Per instant and equation: gap, its rate, multiplier; and the smallest pivot per instant.
auto rows_at(const TreeSystem& s, In1<double> t, In2<double> q, In2<double> v, const UserFunction& user,
             const CountedTurns& near) {
    const ClosedTree& tree = closed(s);
    const size_t rows = t.size(), m = tree.rows().equations, nq = s.positions, nv = s.velocities;
    require(q.shape(0) == rows && q.shape(1) == nq && v.shape(0) == rows && v.shape(1) == nv,
            "q and v must have one row per instant");
    require_covered(s, t.data(), rows);
    std::vector<double> out(rows * 3 * m), weakest(rows), a(nv);
    TreeWork work(s);
    work.user = user_force(s, user);
    const size_t wide = s.winding.size();
    require(!near || (near->shape(0) == rows && near->shape(1) == wide), "near must have one row per instant");
    Fault fault;
    for (size_t k = 0; k < rows && fault.status == done; ++k) {
        std::copy(q.data() + k * nq, q.data() + (k + 1) * nq, work.q.begin());
        std::copy(v.data() + k * nv, v.data() + (k + 1) * nv, work.v.begin());
        drive(s, t(k), work, work.q.data(), work.v.data(), work.a.data());
        if (near) std::copy(near->data() + k * wide, near->data() + (k + 1) * wide, work.near.begin());
        fault = forward_dynamics(s, t(k), work.q.data(), work.v.data(), nullptr, work, a.data(), nullptr);
        const LoopWork& w = work.loops;
        double* line = out.data() + 3 * m * k;
        std::copy(w.phi.begin(), w.phi.end(), line);
        std::copy(w.rate.begin(), w.rate.end(), line + m);
        std::copy(w.lam.begin(), w.lam.end(), line + 2 * m);
        weakest[k] = w.weakest;
    }
    return std::make_tuple(fault.status, fault.where, array(std::move(out), {rows, 3, m}),
                           array(std::move(weakest), {rows}));
}

}  // namespace

void bind_loop_closure(nb::module_& m) {
    const char* summary = "Closes the loops of a tree by rows between its bodies.";
    m.def("close_loops", &close_loops<PlaneSystem>, summary);
    m.def("close_loops", &close_loops<SpaceSystem>, summary);
    m.def("choose_rows", &choose, "(status, where, 1 for every independent row and 0 for those left out)");
    m.def("project_onto_loops", &project_state,
          "(status, where, q, v) projected onto the loop equations in the metric of the masses");
    m.def("loop_rows", &rows_at, nb::arg("system"), nb::arg("t"), nb::arg("q"), nb::arg("v"),
          nb::arg("user") = nb::none(), nb::arg("near") = nb::none(),
          "(status, where, gaps, their rates and multipliers per instant, smallest pivot per instant)");
}
