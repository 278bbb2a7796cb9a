// An integration in absolute coordinates from start to end, in chunks. Steps end at output times, corners of laws and
// events: between them dense output has order 3 only, less than the steps themselves.
//
// Step control: Hairer and Wanner 1996, IV.8: h times 0.9 error^(-1/4), with Gustafsson's prediction, within [1/5, 8].
#pragma once
#include <chrono>

#include "absolute_events.hpp"
#include "absolute_options.hpp"

namespace mubo {

constexpr double max_noise = 100;  // in tolerances, of a step over a singular position

template <class System>
class AbsoluteRun {
  public:
    using World = typename Bodies<System>::World;
    double t, h;
    long steps = 0, rejected = 0;
    Fault fault{running, -1};
    std::vector<double> out;  // q, v, energies exchanged and the values of `Radau::row` of every output
    size_t rows = 0;
    std::vector<double> ends;
    std::vector<int> event_number;
    std::vector<double> event_time;
    std::vector<double> crossing_time;  // singular positions passed, and the weakest row of each
    std::vector<int> crossing_row;

    AbsoluteRun(Bodies<System> bodies, AbsoluteOptions options, const double* q, const double* v, const double* near)
        : t(options.start),
          h(options.first_step),
          bodies_(std::move(bodies)),
          o_(std::move(options)),
          method_(bodies_, o_.rtol, o_.atol, o_.energies_control_error),
          events_(bodies_, method_, o_.events, o_.watch) {
        method_.q.assign(q, q + method_.q.size());
        method_.v.assign(v, v + method_.v.size());
        method_.set_angles(near);
    }

    const Bodies<System>& bodies() const { return bodies_; }
    const Radau<System>& method() const { return method_; }
    size_t width() const { return events_.width(); }

    Status advance(double seconds) {
        const auto began = std::chrono::steady_clock::now();
        if (!begun_) begin();
        while (fault.status == running) {
            step();
            const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began;
            if (spent.count() > seconds) break;
        }
        return fault.status;
    }

  private:
    Bodies<System> bodies_;
    AbsoluteOptions o_;
    Radau<System> method_;
    AbsoluteEvents<System> events_;
    size_t next_stop_ = 0;
    bool begun_ = false, after_rejection_ = false, first_ = true;
    double last_h_ = 0, last_error_ = 0;
    // The root of the weakest relative pivot at the last two states, and the bound below which a singularity is
    // crossed.
    double s_[2] = {1, 1}, t_before_ = 0, step_over_below_ = crossing_near, step_over_error_ = HUGE_VAL;
    int known_ = 0;
    double longest_ = HUGE_VAL;  // limit from the last failure of Newton's method, relaxed with every step

    double limit() const { return next_stop_ < o_.stops.size() ? std::fmin(o_.stops[next_stop_], o_.end) : o_.end; }
    void span() {
        method_.span(t, limit());
        events_.span(t, limit());
    }
    bool good(const Fault& found) {
        if (found.status != done) fault = found;
        return found.status == done;
    }

    void begin() {
        begun_ = true;
        while (next_stop_ < o_.stops.size() && o_.stops[next_stop_] <= t) ++next_stop_;
        span();
        if (!good(method_.choose(t)) || !good(method_.prepare(t)) || !put_due() || !good(method_.prepare(t))) return;
        if (h <= 0) h = 1e-3 * (o_.end - o_.start);
        if (t >= o_.end) fault = {done, -1};
    }

    void step() {
        if (steps + rejected >= o_.max_steps) {
            fault = {step_limit, -1};
            return;
        }
        double to = limit();
        if (rows < o_.times.size()) to = std::fmin(to, o_.times[rows]);
        h = std::fmin(h, longest_);
        const double ahead = singular_ahead();
        if (s_[1] < step_over_below_ && t + ahead / crossing_part <= limit() &&
            step_over_singularity(ahead / crossing_part))
            return;
        if (ahead < crossing_reach * h) h = std::fmin(h, ahead * std::fmax(0.1, 1 - 0.9 * step_over_below_ / s_[1]));
        const double parts = std::ceil((to - t) / h - 1e-6);
        const bool arrives = parts <= 1;
        const double now = arrives ? to - t : parts <= 8 ? (to - t) / parts : h;
        const double end = arrives ? to : t + now;
        const Fault found = attempt(end);
        if (found.status != done || method_.error > 1) {
            reject(found, now);
            return;
        }
        const double longer = factor(now);
        const double before = h;
        h = now * (after_rejection_ ? std::fmin(longer, 1.0) : longer);
        if (now < before) h = std::fmax(h, before);  // a step cut short does not limit the next one
        if (const auto& met = events_.locate_events(t, now, end); !met.empty()) return arrive(met, now, end);
        take(now, end);
    }

    // The time until the equations lose rank, by the line through the last two s; see singularity_crossing.hpp.
    double singular_ahead() const {
        const bool nears = known_ > 1 && s_[1] < crossing_seen && s_[1] < s_[0];
        return nears ? s_[1] * (t - t_before_) / (s_[0] - s_[1]) : HUGE_VAL;
    }
    // Steps over a singular position; returns false where the step must start closer to it.
    bool step_over_singularity(double length) {
        const double end = t + length;
        Fault found = method_.attempt_over_singularity(t, length);
        // An error that a closer start did not reduce is rounding divided by s.
        const double error = method_.error;
        const bool good_enough = error <= 1 || (error > 0.5 * step_over_error_ && error < max_noise);
        if (found.status == done && good_enough) found = method_.project(end, length);
        if (found.status != done || !good_enough) {
            const double nearer = found.status == done ? 0.8 * std::pow(error, -1.0 / 8) : 0.5;
            step_over_below_ = s_[1] > crossing_close ? std::fmax(nearer, 0.2) * s_[1] : 0;
            step_over_error_ = error;
            ++rejected;
            return false;
        }
        SingularityStep<System>& step = method_.singularity_step();
        if (const double part = step.crossing(); part >= 0)
            crossing_time.push_back(t + part * length), crossing_row.push_back(step.weakest_row());
        const double ends = events_until(length);
        while (rows < o_.times.size() && o_.times[rows] < ends)
            if (!put((o_.times[rows] - t) / length)) return true;
        if (fault.status != running) {
            t = ends;
            return true;
        }
        step_over_below_ = crossing_near, step_over_error_ = HUGE_VAL;
        take(length, end);
        return true;
    }
    // Records the events within a singularity step; returns the time of the first that stops the run, or its end.
    double events_until(double length) {
        for (const EventCrossing& c : events_.within(t, length, method_.singularity_step())) {
            event_number.push_back(c.event);
            event_time.push_back(t + c.part * length);
            if (!events_.event[c.event].stop) continue;
            fault = {event_stop, c.event};
            return event_time.back();
        }
        return t + length;
    }
    // Writes an output row within a singularity step.
    bool put(double part) {
        if (!good(events_.fill_within_singularity_step(t, o_.times[rows], part))) return false;
        out.insert(out.end(), events_.line.begin(), events_.line.end());
        ++rows;
        return true;
    }

    // Attempts a step from t to `end` with projection at its end.
    Fault attempt(double end) {
        const double now = end - t;
        const Fault found = method_.attempt(t, now, first_ || after_rejection_);
        return found.status == done && method_.error <= 1 ? method_.project(end, now) : found;
    }

    double factor(double now) {
        const double error = std::fmax(method_.error, 1e-10), plain = 0.9 * std::pow(error, -0.25);
        const double hard = (2.0 * max_newton_iterations + 1) / (2 * max_newton_iterations + method_.corrections);
        double out = hard * plain;
        if (last_h_ > 0) out = std::fmin(out, hard * plain * now / last_h_ * std::pow(last_error_ / error, 0.25));
        return std::fmin(8.0, std::fmax(0.2, out));
    }

    void reject(const Fault& found, double tried) {
        ++rejected;
        const bool hard = found.status != done;
        h = tried * (hard ? (found.status == no_convergence ? 0.5 : 0.25)
                          : std::fmax(0.2, 0.9 * std::pow(method_.error, -0.25)));
        after_rejection_ = true;
        if (found.status == no_convergence) longest_ = 0.8 * tried;
        const double least = 10 * (std::nextafter(std::fabs(t), HUGE_VAL) - std::fabs(t));
        if (h > least) return;
        const bool weak = method_.weakest() < 1e-6;
        if (!bodies_.reaction_friction.empty())
            if (const Fault reaction_frictions = events_.fill(t, method_.q, method_.v, method_.near());
                reaction_frictions.status == jammed) {
                fault = reaction_frictions;
                return;
            }
        if (hard && found.status != no_convergence && found.status != singular)
            fault = found;
        else
            fault = weak ? Fault{singular_loop, method_.weakest_row()} : Fault{collapsed, -1};
    }

    void take(double length, double end) {
        last_error_ = std::fmax(method_.error, 1e-2), last_h_ = length;
        first_ = after_rejection_ = false;
        longest_ *= 1.1;
        ++steps;
        method_.accept(length);
        t_before_ = t, s_[0] = s_[1], s_[1] = std::sqrt(std::fmax(method_.weakest(), 0.0));
        known_ = std::min(known_ + 1, 2);
        t = end;
        ends.push_back(t);
        const size_t before = rows;
        if (!put_due()) return;
        if (t >= o_.end) {
            fault = {done, -1};
            return;
        }
        const bool corner = t >= limit();
        if (corner) {
            while (next_stop_ < o_.stops.size() && o_.stops[next_stop_] <= t) ++next_stop_;
            span();
            method_.forget();
            last_h_ = 0, first_ = true;
        }
        if (corner || rows != before) good(method_.prepare(t));
    }

    bool put_due() {
        while (rows < o_.times.size() && o_.times[rows] <= t) {
            events_.copy_state(method_.q, method_.v);
            if (!good(method_.row(t, events_.line.data() + events_.state_width()))) return false;
            out.insert(out.end(), events_.line.begin(), events_.line.end());
            ++rows;
        }
        return true;
    }

    using LocatedEvent = typename AbsoluteEvents<System>::LocatedEvent;

    // Takes a step that ends at its first event, with all events at the same instant.
    void arrive(const std::vector<LocatedEvent>& about, double length, double end) {
        std::vector<LocatedEvent> met;
        double reached = HUGE_VAL, last = HUGE_VAL;
        for (LocatedEvent one : about) {
            if (!close_in(one, length, end, &last)) return;
            const double same = 1e-10 * length;
            if (last > reached + same) continue;
            if (last < reached - same) met.clear(), reached = last;
            met.push_back(one);
        }
        if (const Fault found = last == reached ? Fault{} : attempt(reached); found.status != done)
            return reject(found, reached - t);
        const double longest = h;
        take(reached - t, reached);
        h = longest;
        for (const LocatedEvent& one : met) {
            events_.record(one.event, reached, one.slope > 0);
            event_number.push_back(one.event);
            event_time.push_back(reached);
            if (events_.event[one.event].stop && (fault.status == running || fault.status == done))
                fault = {event_stop, one.event};
        }
    }

    // Repeats the step to end at the event, by the secant method from dense output. False where a step is rejected.
    bool close_in(LocatedEvent& m, double length, double end, double* reached) {
        const Event& e = events_.event[m.event];
        double at = t + m.part * length, last = t, last_off = HUGE_VAL;
        for (int count = 0; count < 12; ++count) {
            at = std::fmin(std::fmax(at, std::nextafter(t, HUGE_VAL)), end);
            const Fault found = attempt(at);
            if (found.status != done || method_.error > 1) {
                reject(found, at - t);
                return false;
            }
            *reached = at;
            const Dual<1> y = events_.at_end(m.event, at);
            const double off = y.v - e.value;
            if (std::isfinite(y.d[0]))
                m.slope = y.d[0];
            else if (std::isfinite(last_off) && at != last)
                m.slope = (off - last_off) / (at - last);
            const double next = at - off / m.slope;
            if (!std::isfinite(next) || next == at || std::fabs(off) <= 1e-13 * std::fmax(1.0, std::fabs(e.value)))
                break;
            last = at, last_off = off, at = next;
        }
        return true;
    }
};

}  // namespace mubo
