// An integration from start to end in chunks: step control, the user's output times, events, corners of laws.
//
// Step control: Hairer, Norsett and Wanner 1993, section II.4: h times 0.9 error^(-1/8) within [1/3, growth()], no
// growth right after a rejection. Output times do not influence the steps: they are read from dense output of order 7.
// Every accepted state and every output is projected onto the constraints. The dense output of a step ends at the state
// before its projection, so outputs jump there by the projection: about the error of one step.
//
// A Problem also has
//   span(from, to)       sets the current time span without corners
//   project(t, y, dy)     projects a state (unit quaternions, driven entries, closed loops) and its rates, if given;
//                        returns a Fault; a step whose end cannot be projected is rejected
//   plan(t, h)           the step to take instead of h
//   followed()           the fraction of the step just tried within which the loops can be followed
//   is_noise(error)      whether an error above one is rounding, which a smaller step would not reduce
//   shorter()            the largest factor by which a rejected step is shortened
//   accept()             accepts the step to the last projected state; returns whether it passed a singular position,
//   locate(t, h, y, at)  which is then located on dense output
//   stuck()              a Fault where the steps cannot pass a singular position
//   pass_corner(t, to, y) starts the next span, which ends at `to`, and applies the impulse of a jump of rates to y
//   event_values(e, n, t, y, x) x: the function of event e at n states y one after the other
// A Problem that switches between modes (has_switches) also has
//   begin(t, y)              finds the modes at the start
//   first_switch(t, h, dense) the fraction of a step at which its modes switch first; one if they do not
//   switch_error(t, y)       how much later the switch is than a state next to it
//   pass_switch(t, y)        switches the modes and applies impulses to y
//   put(t, y)                records an output besides its state
#pragma once
#include <chrono>
#include <limits>
#include <utility>

#include "event_detection.hpp"

namespace mubo {

struct RunOptions {
    double start, end, rtol;
    std::vector<double> atol;
    double first_step, max_step;
    long max_steps;
    std::vector<double> times, stops;  // output times; times that a step must end at, both ascending
    std::vector<Event> events;
};

// Stiffness detection: h |lambda| beyond the stability limit of the method in 15 of the accepted steps, with less than
// 6 others in a row between them (Hairer and Wanner 1996, IV.2).
struct Stiffness {
    double rate = 0, t = 0;  // the fastest rate and the time where it was detected; zero: not stiff so far
    long evaluations = 0;    // until then
    int often = 0, seldom = 0;

    void update(double t_now, double h, double fastest, long so_far) {
        constexpr double bearable = 6.1;
        if (rate > 0) return;
        if (h * fastest <= bearable) {
            if (++seldom == 6) often = 0;
            return;
        }
        seldom = 0;
        if (++often == 15) rate = fastest, t = t_now, evaluations = so_far;
    }
};

template <class Problem>
class Run {
  public:
    double t, h;
    long steps = 0, rejected = 0;
    Fault fault{running, -1};
    std::vector<double> out;  // output states, one after the other
    size_t rows = 0;
    std::vector<double> ends;  // of the accepted steps
    Stiffness stiffness;

    Run(Problem& problem, RunOptions options, const double* y)
        : t(options.start),
          h(options.first_step),
          problem_(problem),
          o_(std::move(options)),
          method_(problem, o_.rtol, o_.atol),
          detection_(problem, o_.events),
          scratch_(problem.size()) {
        std::copy(y, y + problem.size(), method_.y.begin());
    }

    const std::vector<double>& state() const { return method_.y; }
    const std::vector<EventRecord>& records() const { return detection_.records; }  // complete after the end of the run
    long evaluations() const { return method_.evaluations; }
    // Takes over a state that parts of the problem have reached, with their evaluations.
    void take(const std::vector<double>& y, long evaluations) { method_.y = y, method_.evaluations += evaluations; }
    int component() const { return method_.component; }

    // Continues for about `seconds` of wall-clock time, or until the model is found stiff; returns `running` before the
    // end.
    Status advance(double seconds) {
        const auto began = std::chrono::steady_clock::now();
        if (!begun_) begin();
        while (fault.status == running) {
            step();
            const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began;
            if (spent.count() > seconds) break;
            if (stiffness.rate > 0 && !std::exchange(reported_stiff_, true)) break;
        }
        if (fault.status != running) detection_.search_stored_steps();
        return fault.status;
    }

  private:
    Problem& problem_;
    const RunOptions o_;
    Dop853<Problem> method_;
    EventDetection<Problem> detection_;
    std::vector<double> scratch_, projected_, rates_;
    size_t next_stop_ = 0;
    bool begun_ = false, after_rejection_ = false, reported_stiff_ = false, switches_ = false;

    // The end of the current span without corners.
    double limit() const { return next_stop_ < o_.stops.size() ? std::fmin(o_.stops[next_stop_], o_.end) : o_.end; }

    bool good(const Fault& found) {
        if (found.status != done) fault = found;
        return found.status == done;
    }

    void begin() {
        while (next_stop_ < o_.stops.size() && o_.stops[next_stop_] <= t) ++next_stop_;
        problem_.span(t, limit());
        if (!good(problem_.project(t, method_.y.data(), nullptr))) return;
        if constexpr (Problem::has_switches)
            if (!good(problem_.begin(t, method_.y.data()))) return;
        if (!good(method_.start(t))) return;
        begun_ = true;
        detection_.begin(t, method_.y.data());
        while (rows < o_.times.size() && o_.times[rows] <= t) put(method_.y.data());
        if (h <= 0 && t < o_.end && !good(method_.first_step(t, std::fmin(o_.max_step, o_.end - t), &h))) return;
        if (t >= o_.end) fault = {done, -1};
    }

    void step() {
        if (steps + rejected >= o_.max_steps) {
            fault = {step_limit, -1};
            return;
        }
        const double to = limit(), wanted = problem_.plan(t, std::fmin(h, o_.max_step));
        const double h_before = std::fmin(h, o_.max_step);
        const bool cut = t + 1.01 * wanted >= to;
        double now = cut ? to - t : wanted;
        Fault found = method_.attempt(t, now);
        double arrived = cut ? to : t + now;
        if (const double part = problem_.followed(); found.status == done && part < 1) {
            ++rejected;
            h = part * now;
            return;
        }
        const bool noise = found.status == done && method_.error > 1 && problem_.is_noise(method_.error);
        if (noise) found = method_.arrive(arrived);
        const bool good_enough = method_.error <= 1 || noise;
        const double fastest = found.status == done ? method_.fastest() : 0, whole = now;
        if constexpr (Problem::has_switches)
            if (found.status == done && good_enough) found = end_at_switch(&now, &arrived);
        if (found.status == done && good_enough) found = project_end(arrived);
        if (found.status != done || !good_enough) {
            reject(found, now);
            return;
        }
        const double factor =
            noise ? 1 : std::fmin(problem_.growth(), std::fmax(1.0 / 3, 0.9 * std::pow(method_.error, -1.0 / 8)));
        h = whole * (after_rejection_ ? std::fmin(factor, 1.0) : factor);
        if (cut || wanted < h_before) h = std::fmax(h, h_before);  // a step cut short does not limit the next one
        after_rejection_ = false;
        ++steps;
        stiffness.update(arrived, whole, fastest, method_.evaluations);
        if (problem_.accept() && good(method_.prepare_dense(t, now)))
            problem_.locate(t, now, scratch_.data(), [&](double part) { method_.dense.state(part, scratch_.data()); });
        accept(now, arrived);
        if (fault.status == running) good(problem_.stuck());
    }

    // Repeats the step to end where the modes of the problem switch, if they do.
    Fault end_at_switch(double* now, double* arrived) {
        switches_ = false;
        Fault found = method_.prepare_dense(t, *now);
        if (found.status != done) return found;
        const double part = problem_.first_switch(t, *now, method_.dense);
        if (part >= 1) return {};
        switches_ = true;
        double length = std::fmax(part * *now, std::nextafter(t, o_.end) - t);
        for (int count = 0; count < 4; ++count) {
            found = method_.attempt(t, length);
            if (found.status != done) return found;
            const double later = problem_.switch_error(t + length, method_.next);
            if (std::fabs(later) <= 4e-16 * (std::fabs(t) + length) || std::fabs(later) > 0.1 * length) break;
            length += later;
        }
        if (method_.error > 1) found = method_.arrive(t + length);
        *now = length, *arrived = t + length;
        return found;
    }

    // Projects the end of the step and its rates into separate arrays; dense output uses the unprojected ones.
    Fault project_end(double arrived) {
        projected_ = method_.next;
        rates_.assign(method_.last(), method_.last() + problem_.size());
        return problem_.project(arrived, projected_.data(), rates_.data());
    }

    // Shortens the step until it vanishes in the rounding of t; then the last failure is reported.
    void reject(const Fault& found, double tried) {
        ++rejected;
        after_rejection_ = true;
        h = tried * (found.status != done ? 0.1 : std::fmax(1.0 / 3, 0.9 * std::pow(method_.error, -1.0 / 8)));
        h = std::fmin(h, problem_.shorter() * tried);
        const double least =
            10 * (std::nextafter(std::fabs(t), std::numeric_limits<double>::infinity()) - std::fabs(t));
        if (h > least) return;
        fault = found.status != done ? found : Fault{collapsed, problem_.owner(method_.component)};
    }

    void accept(double length, double arrived) {
        double end = arrived;
        const bool events =
            detection_.suspects(length, method_.y.data(), method_.first(), method_.next.data(), method_.last());
        if (events || (rows < o_.times.size() && o_.times[rows] < arrived)) {
            if (!good(method_.prepare_dense(t, length))) return;
            if (events && !good(detection_.detect(method_.dense, &end)) && fault.status != event_stop) return;
            while (rows < o_.times.size() && o_.times[rows] <= end && o_.times[rows] < arrived) {
                if (!finish(o_.times[rows], (o_.times[rows] - t) / length)) return;
                put(scratch_.data());
            }
        }
        if (fault.status == event_stop) {
            if (!finish(end, (end - t) / length)) return;
            method_.y = scratch_;
            t = end;
            ends.push_back(t);
            return;
        }
        t = arrived;
        ends.push_back(t);
        std::swap(method_.y, projected_);
        std::copy(rates_.begin(), rates_.end(), method_.first());
        if constexpr (Problem::has_switches) {
            if (switches_) {
                switches_ = false;
                detection_.search_stored_steps();
                if (!good(problem_.pass_switch(t, method_.y.data())) || !good(method_.start(t))) return;
                if (!good(method_.first_step(t, std::fmin(o_.max_step, o_.end - t), &h))) return;
            }
        }
        if (t < o_.end && t >= limit()) {
            ++next_stop_;
            detection_.search_stored_steps();
            if (!good(problem_.pass_corner(t, limit(), method_.y.data())) || !good(method_.start(t))) return;
        }
        while (rows < o_.times.size() && o_.times[rows] <= t) put(method_.y.data());
        if (t >= o_.end) fault = {done, -1};
    }

    // Stores the projected state at a fraction of the step in scratch_; false where the projection fails, which ends
    // the run.
    bool finish(double time, double part) {
        method_.dense.state(part, scratch_.data());
        return good(problem_.project(time, scratch_.data(), nullptr));
    }

    void put(const double* y) {
        if constexpr (Problem::has_switches) problem_.put(o_.times[rows], y);
        out.insert(out.end(), y, y + problem_.size());
        ++rows;
    }
};

}  // namespace mubo
