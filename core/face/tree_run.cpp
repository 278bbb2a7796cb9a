// The nanobind face of integration: a tree from its first to its last time, in chunks that leave Python alone.
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>

#include <map>

#include "../dynamics/crossing.hpp"
#include "../integrate/run.hpp"
#include "../tree/blow.hpp"
#include "../tree/dynamics.hpp"
#include "tree_arrays.hpp"

using namespace mubo;

namespace {

// What an event looks at, where the core does not know it: its number, times, states (of so many entries), answers.
using Look = std::function<void(int, int, const double*, const double*, int, double*)>;

// A tree as a system of differential equations in q, v, counted turns, energy dissipated, energy supplied.
class TreeProblem {
  public:
    TreeProblem(const TreeSystem& s, UserForce user, Look look)
        : s_(s), work_(s), look_(std::move(look)), counted_(s.states(), 1), owner_(s.states(), -1) {
        for (int k = 0; k < s.links(); ++k) {
            const Link& l = s.link[k];
            for (int i = 0; i < kind_positions[l.kind]; ++i) owner_[l.q + i] = k, counted_[l.q + i] = l.law < 0;
            for (int i = 0; i < kind_velocities[l.kind]; ++i)
                owner_[s.positions + l.v + i] = k, counted_[s.positions + l.v + i] = l.law < 0;
        }
        drives_.assign(s.law.size(), 0);
        for (const Link& l : s.link)
            if (l.law >= 0) drives_[l.law] = 1;
        for (int k : s.closing ? s.closing->laws() : std::vector<int>{})
            if (k >= 0) drives_[k] = 1;
        work_.user = std::move(user);
        for (int k = 0; k < s.windings(); ++k) counted_[s.positions + s.velocities + k] = 0;
        const bool exchanges = s.exchanges || work_.user;
        counted_[s.states() - 2] = counted_[s.states() - 1] = exchanges;
    }

    int size() const { return s_.states(); }
    bool counted(int i) const { return counted_[i]; }
    int owner(int i) const { return owner_[i]; }
    void span(double from, double to) { work_.from = from, work_.to = to; }

    // Near a singular position of the loops stages are moved onto them first.
    Fault rates(double t, const double* y, double* dy) {
        if (s_.closing && crossing_.projects) {
            stage_.assign(y, y + size());
            const double taken = work_.loops.taken;
            const Fault fault = mend(t, stage_.data());
            work_.loops.taken = taken;
            if (fault.status != done) return fault;
            y = stage_.data();
        }
        const Fault fault = state_rates(s_, t, y, work_, dy);
        if (s_.closing) crossing_.stage(t, weakness());
        return fault;
    }
    bool only_noise(double error) { return s_.closing && crossing_.only_noise(error); }
    double followed() { return s_.closing ? crossing_.followed() : 1; }
    double shorter() const { return crossing_.straddles ? 0.7 : 1; }
    double plan(double t, double h) {
        if (!s_.closing) return h;
        if (!weak_.empty()) exchange(t);
        return crossing_.plan(t, h);
    }

    double growth() const { return s_.closing ? 2 : 6; }
    double taken() const { return work_.loops.taken; }

    // Unit quaternions, their rates (null: none) with them; driven entries from their laws; loops closed.
    Fault settle(double t, double* y, double* dy) {
        for (const Link& l : s_.link) {
            if (l.kind != ball) continue;
            const double k = 1 / std::sqrt(square(quaternion_at(y + l.q)));
            for (int i = l.q; i < l.q + 4; ++i) {
                y[i] *= k;
                if (dy) dy[i] *= k;
            }
        }
        if (!s_.closing) {
            drive(s_, t, work_, y, y + s_.positions, work_.a.data());
            return {};
        }
        const double taken = work_.loops.taken;
        Fault fault = mend(t, y);
        if (!dy) work_.loops.taken = taken;  // an output only: the motion itself goes on as it is
        if (fault.status != done || !dy) return fault;
        fault = state_rates(s_, t, y, work_, dy);
        reached_ = {t, weakness(), work_.loops.weakest_row};
        weak_.clear();
        if (reached_.s < crossing_weak && s_.rub.empty()) weak_.assign(y, y + size());
        return fault;
    }
    // Into the span from t to `to`; where rates of drivers jump, the free bodies feel the blow.
    Fault cross(double t, double to, double* y) {
        std::vector<double> before(s_.law.size()), after(s_.law.size());
        law_rates(s_, t, work_, before.data());
        span(t, to);
        law_rates(s_, t, work_, after.data());
        for (size_t k = 0; k < s_.law.size(); ++k)
            if (!drives_[k]) after[k] = before[k];
        if (!jumps(s_, before, after)) return {};
        work_.jump = after;
        work_.count(s_, y);
        double gained = 0;
        const Fault fault = strike(s_, t, y, y + s_.positions, work_, &gained);
        y[s_.states() - 1] += gained;
        blows.push_back({t, gained});
        return fault.status == done ? settle(t, y, nullptr) : fault;
    }
    std::vector<std::pair<double, double>> blows;  // times, and the energy that they brought in

    // What an event looks at, at states that need not be settled.
    void watch(const Event& e, int count, const double* t, const double* y, double* out) {
        if (e.number < 0) return look_(e.of, count, t, y, size(), out);
        for (int k = 0; k < count; ++k) {
            std::vector<double>& state = stage_;
            state.assign(y + k * size(), y + (k + 1) * size());
            double *q = state.data(), *v = q + s_.positions;
            drive(s_, t[k], work_, q, v, work_.a.data());
            work_.count(s_, q);
            move(s_, q, v, work_.a.data(), {0, 0, 0}, work_);
            look(s_, t[k], q, v, s_.watching, work_);
            out[k] = value_of(s_, e.number, t[k], work_);
        }
    }

    // The step that ends at the state settled last is accepted.
    bool accept() { return s_.closing && crossing_.reach(reached_.t, reached_.s, reached_.row); }
    Fault stuck() const { return crossing_.stuck() ? Fault{singular_loop, crossing_.row()} : Fault{}; }
    // state(part) fills y with the state at a part of the step that passed a singular position.
    template <class State>
    void locate(double t, double h, double* y, State&& state) {
        const double taken = work_.loops.taken;
        crossing_.locate(t, h, [&](double part) {
            state(part);
            return mend(t + part * h, y).status == done ? weakness() : 0;
        });
        const double at = crossing_.times.back();
        state((at - t) / h);
        if (mend(at, y).status == done && s_.closing->full_rank(s_, at, y, work_)) crossing_.withdraw();
        work_.loops.taken = taken;
    }
    const CrossingPlan& crossing() const { return crossing_; }

  private:
    struct Reached {
        double t, s;
        int row;
    };
    const TreeSystem& s_;
    TreeWork work_;
    CrossingPlan crossing_;
    Reached reached_{};
    Look look_;
    std::vector<double> stage_, weak_;    // weak_: the state reached last where rows fade; else empty
    std::vector<char> counted_, drives_;  // of entries of the state; of laws
    std::vector<int> owner_;

    // Other rows instead of those that fade. Friction keeps its own: it feels how they share the load.
    void exchange(double t) {
        const double taken = work_.loops.taken;
        const double weakest = reached_.s * reached_.s;
        if (s_.closing->exchange(s_, t, weak_.data(), weakest, work_) && mend(t, weak_.data()).status == done)
            crossing_.restart(t, weakness(), work_.loops.weakest_row);
        work_.loops.taken = taken;
        weak_.clear();
    }
    double weakness() const { return std::sqrt(std::fmax(work_.loops.weakest, 0.0)); }
    Fault mend(double t, double* y) {
        drive(s_, t, work_, y, y + s_.positions, work_.a.data());
        return s_.closing->settle(s_, t, y, y + s_.positions, work_);
    }
};

// function(number, times, states) answers what an event looks at.
Look look_by(const UserFunction& function) {
    if (!function) return {};
    return [call = *function](int number, int count, const double* t, const double* y, int width, double* out) {
        nb::gil_scoped_acquire lock;
        const size_t n = count, wide = width;
        const auto answer =
            nb::cast<In1<double>>(call(number, array({t, t + n}, {n}), array({y, y + n * wide}, {n, wide})));
        require(answer.size() == n, "a look must answer one number per time");
        std::copy(answer.data(), answer.data() + n, out);
    };
}

struct TreeRun {
    TreeProblem problem;
    Run<TreeProblem> run;
    TreeRun(const TreeSystem& s, UserForce user, Look look, RunOptions options, const double* y)
        : problem(s, std::move(user), std::move(look)), run(problem, std::move(options), y) {}
};

std::vector<double> ascending(const In1<double>& times, double start, double end, const char* what) {
    for (size_t k = 0; k < times.size(); ++k)
        require(times(k) >= start && times(k) <= end && (k == 0 || times(k) > times(k - 1)), what);
    return {times.data(), times.data() + times.size()};
}

void make_run(TreeRun* self, const TreeSystem& s, double start, double end, In1<double> y, In1<double> times,
              double rtol, In1<double> atol, double first_step, double max_step, long max_steps, In1<double> stops,
              const std::vector<std::tuple<int, double, int, bool>>& events, const UserFunction& user,
              const UserFunction& look) {
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
        const int program = entry < s.states() ? -1 : s.sizes + entry - s.states();
        require(entry >= -1 && program < static_cast<int>(s.program.size()), "an event names what is not there");
        require(entry >= 0 || look, "an event needs somebody to look");
        const int of = static_cast<int>(o.events.size());
        o.events.push_back({program < 0 ? entry : -1, value, direction, stop, program, of});
    }
    for (const Link& l : s.link)
        if (l.kind == ball)
            require(std::fabs(square(quaternion_at(y.data() + l.q)) - 1) < 1e-6, "a ball needs a unit quaternion");
    new (self) TreeRun(s, user_force(s, user), look_by(look), std::move(o), y.data());
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
    const size_t count = r.run.event_time.size(), width = r.problem.size();
    auto times = r.run.event_time, states = r.run.event_state;
    return std::make_tuple(r.run.event_number, array(std::move(times), {count}),
                           array(std::move(states), {count, width}));
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
            "(fastest rate, time, evaluations until then) where stability bounds the steps; zeros where it does not")
        .def_prop_ro("rows", [](const TreeRun& r) { return r.run.rows; })
        .def(
            "advance",
            [](TreeRun& r, double seconds) {
                nb::gil_scoped_release free_python;
                return r.run.advance(seconds);
            },
            "Goes on for about so many seconds of the clock; answers the status.")
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
            "blows", [](const TreeRun& r) { return r.problem.blows; },
            "(time, energy brought in) of the jumps of prescribed rates")
        .def("events", &events_of, "(numbers, times, states) of the events met");
}
