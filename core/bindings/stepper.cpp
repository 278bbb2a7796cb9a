// The nanobind bindings of a simulation that advances step by step: inputs set, outputs read, no Python between.
#include "../dynamics/tree_problem.hpp"
#include "../integrate/run.hpp"
#include "tree_arrays.hpp"

using namespace mubo;

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();  // seconds of work for one step

// A tree in motion. A step that cannot be made leaves time and state as they were before it.
class TreeStepper {
  public:
    TreeStepper(const TreeSystem& s, double t, In1<double> y, double rtol, In1<double> atol, In1<double> stops,
                const std::vector<std::tuple<int, double, int, bool>>& events, long max_steps)
        : s_(s),
          work_(s_),
          problem_(std::make_unique<TreeProblem>(s_, UserForce{}, EventFunction{})),
          t(t),
          rtol_(rtol),
          max_steps_(max_steps),
          atol_(atol.data(), atol.data() + atol.size()),
          stops_(stops.data(), stops.data() + stops.size()) {
        require(atol.size() == static_cast<size_t>(s.states()), "atol must have one entry per state");
        set_state(t, y);
        for (const auto& [entry, value, direction, stop] : events) {
            const int bytecode = entry < s.states() ? -1 : s.sizes + entry - s.states();
            require(entry >= 0 && bytecode < static_cast<int>(s.bytecode.size()), "an event needs bytecode");
            const int of = static_cast<int>(events_.size());
            events_.push_back({bytecode < 0 ? entry : -1, value, direction, stop, bytecode, of});
        }
    }
    // The same motion in another object, to be advanced on its own.
    TreeStepper(const TreeStepper& other)
        : s_(other.s_),
          work_(s_),
          problem_(std::make_unique<TreeProblem>(s_, UserForce{}, EventFunction{})),
          t(other.t),
          rtol_(other.rtol_),
          max_steps_(other.max_steps_),
          h_(other.h_),
          y_(other.y_),
          atol_(other.atol_),
          stops_(other.stops_),
          outputs_(other.outputs_),
          events_(other.events_),
          fault_(other.fault_) {}

    void set_state(double at, In1<double> y) {
        require(static_cast<int>(y.size()) == s_.states(), "y must have one entry per state");
        t = at, h_ = 0;
        y_.assign(y.data(), y.data() + y.size());
    }
    Out state() const { return array(std::vector<double>(y_), {y_.size()}); }

    // Sets the size of a load, which must have a law of time, to a number.
    void set_size(int load, double size) {
        for (const auto* loads : {&s_.on_dof, &s_.on_links})
            for (const TreeLoad& at : *loads)
                if (at.number == load && at.law >= 0) {
                    TimeLaw& law = s_.law[at.law];
                    std::fill(law.coefficient.begin(), law.coefficient.end(), 0.0);
                    for (size_t k = 0; k < law.coefficient.size(); k += 3 * law.terms) law.coefficient[k] = size;
                    return;
                }
        require(false, "the load has no law of time");
    }

    // Advances by dt with error control, in steps of any length.
    Status step(double dt) {
        const double end = t + dt;
        RunOptions o{t, end, rtol_, atol_, std::fmin(h_, dt), dt, max_steps_, {}, {}, events_};
        for (double stop : stops_)
            if (stop > t && stop < end) o.stops.push_back(stop);
        Run<TreeProblem> run(*problem_, std::move(o), y_.data());
        {
            nb::gil_scoped_release free_python;
            while (run.advance(unlimited) == running) {
            }
        }
        fault_ = run.fault;
        if (fault_.status != done) return fault_.status;
        t = end, h_ = run.h, y_ = run.state();
        return done;
    }

    // Advances by `count` steps of length h of the classical Runge-Kutta method of order four; loops are closed after
    // each of them.
    Status fixed_steps(double h, int count) {
        const size_t n = y_.size();
        std::vector<double> y = y_, next(n), stage(n), k(n);
        double now = t;
        fault_ = {};
        constexpr double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        for (int step = 0; step < count && fault_.status == done; ++step, now += h) {
            problem_->span(now, now + h);
            next = stage = y;
            for (int s = 0; s < 4; ++s) {
                if (s > 0)
                    for (size_t i = 0; i < n; ++i) stage[i] = y[i] + at[s] * h * k[i];
                fault_ = problem_->rates(now + at[s] * h, stage.data(), k.data());
                if (fault_.status != done) return fault_.status;
                for (size_t i = 0; i < n; ++i) next[i] += weight[s] * h * k[i];
            }
            for (double x : next)
                if (!std::isfinite(x)) return (fault_ = {not_finite, -1}).status;
            fault_ = problem_->project(now + h, next.data(), nullptr);
            std::swap(y, next);
        }
        if (fault_.status == done) t = now, y_ = y;
        return fault_.status;
    }

    // Chooses what is an output: programs of the tree, numbered as events are.
    void set_outputs(In1<int> programs) {
        outputs_.clear();
        for (size_t k = 0; k < programs.size(); ++k) {
            outputs_.push_back(s_.sizes + programs(k));
            require(programs(k) >= 0 && outputs_[k] < static_cast<int>(s_.bytecode.size()), "there is no such program");
        }
    }
    // The values of the outputs at this time.
    std::vector<double> outputs() {
        std::vector<double> out;
        stage_ = y_;
        double *q = stage_.data(), *v = q + s_.positions;
        drive(s_, t, work_, q, v, work_.a.data());
        work_.count(s_, q);
        move(s_, q, v, work_.a.data(), {0, 0, 0}, work_);
        read_sensors(s_, t, q, v, s_.event_sensors, work_);
        for (int number : outputs_) out.push_back(value_of(s_, number, t, work_));
        return out;
    }
    std::pair<Status, int> fault() const { return {fault_.status, fault_.where}; }

  private:
    TreeSystem s_;
    TreeWork work_;  // of outputs
    std::unique_ptr<TreeProblem> problem_;

  public:
    double t;

  private:
    double rtol_;
    long max_steps_;
    double h_ = 0;  // the length of the next step; 0: to be found
    std::vector<double> y_, atol_, stops_;
    std::vector<double> stage_;
    std::vector<int> outputs_;
    std::vector<Event> events_;
    Fault fault_;
};

}  // namespace

void bind_stepper(nb::module_& m) {
    nb::class_<TreeStepper>(m, "TreeStepper")
        .def(nb::init<const TreeSystem&, double, In1<double>, double, In1<double>, In1<double>,
                      const std::vector<std::tuple<int, double, int, bool>>&, long>(),
             nb::arg("system"), nb::arg("t"), nb::arg("y"), nb::arg("rtol"), nb::arg("atol"), nb::arg("stops"),
             nb::arg("events"), nb::arg("max_steps"))
        .def_ro("t", &TreeStepper::t)
        .def_prop_ro("state", &TreeStepper::state, nb::rv_policy::move)
        .def_prop_ro("fault", [](const TreeStepper& s) { return std::make_tuple(s.fault().first, s.fault().second); })
        .def("set_state", &TreeStepper::set_state, nb::arg("t"), nb::arg("y"))
        .def("set_size", &TreeStepper::set_size, nb::arg("load"), nb::arg("size"), "sets the law of a load to a number")
        .def("step", &TreeStepper::step, nb::arg("dt"),
             "advances by dt with error control; the state is kept on a fault")
        .def("fixed_steps", &TreeStepper::fixed_steps, nb::arg("h"), nb::arg("count"),
             "advances by steps of Runge and Kutta")
        .def("set_outputs", &TreeStepper::set_outputs, nb::arg("programs"), "chooses programs as outputs")
        .def("outputs", &TreeStepper::outputs, "values of the outputs at this time")
        .def("copy", [](const TreeStepper& s) { return new TreeStepper(s); }, nb::rv_policy::take_ownership);
}
