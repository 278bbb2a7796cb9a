// An integration in absolute coordinates from start to end, in chunks. Steps end at output times, corners of laws and
// events: between them dense output has order 3 only, less than the steps themselves.
//
// Step control: Hairer and Wanner 1996, IV.8: h times 0.9 error^(-1/4), with Gustafsson's prediction, within [1/5, 8].
#pragma once
#include <chrono>

#include "absolute_options.hpp"
#include "absolute_watch.hpp"

namespace mubo {

constexpr double most_noise = 100;  // in tolerances, of a step over a singular position

template <class System>
class AbsoluteRun {
  public:
    using World = typename Bodies<System>::World;
    double t, h;
    long steps = 0, rejected = 0;
    Fault fault{running, -1};
    std::vector<double> out;  // q, v, exchanged and the row of `Radau::row` of every output
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
          method_(bodies_, o_.rtol, o_.atol, o_.energies_steer),
          watch_(bodies_, method_, o_.watched, o_.look) {
        method_.q.assign(q, q + method_.q.size());
        method_.v.assign(v, v + method_.v.size());
        method_.begin_angles(near);
    }

    const Bodies<System>& bodies() const { return bodies_; }
    const Radau<System>& method() const { return method_; }
    size_t width() const { return watch_.width(); }

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
    AbsoluteWatch<System> watch_;
    size_t next_stop_ = 0;
    bool begun_ = false, after_rejection_ = false, first_ = true;
    double last_h_ = 0, last_error_ = 0;
    // The root of the weakest pivot over its size at the last two states, and below what a leap is tried.
    double s_[2] = {1, 1}, t_before_ = 0, leap_below_ = crossing_near, leap_error_ = HUGE_VAL;
    int known_ = 0;
    double longest_ = HUGE_VAL;  // what Newton's method bore last, and a little more with every step

    double limit() const { return next_stop_ < o_.stops.size() ? std::fmin(o_.stops[next_stop_], o_.end) : o_.end; }
    void span() {
        method_.span(t, limit());
        watch_.span(t, limit());
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
        if (s_[1] < leap_below_ && t + ahead / crossing_part <= limit() && leap(ahead / crossing_part)) return;
        if (ahead < crossing_reach * h) h = std::fmin(h, ahead * std::fmax(0.1, 1 - 0.9 * leap_below_ / s_[1]));
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
        if (now < before) h = std::fmax(h, before);  // what cut the step short says nothing about errors
        if (const auto& met = watch_.met(t, now, end); !met.empty()) return arrive(met, now, end);
        take(now, end);
    }

    // How far ahead the rows lose their hold, by the line through s at the last two states; see crossing.hpp.
    double singular_ahead() const {
        const bool nears = known_ > 1 && s_[1] < crossing_seen && s_[1] < s_[0];
        return nears ? s_[1] * (t - t_before_) / (s_[0] - s_[1]) : HUGE_VAL;
    }
    // Over a singular position by one step; false where it must be begun nearer to it.
    bool leap(double length) {
        const double end = t + length;
        Fault found = method_.leap(t, length);
        // What a nearer start did not better is rounding over s.
        const double error = method_.error;
        const bool good_enough = error <= 1 || (error > 0.5 * leap_error_ && error < most_noise);
        if (found.status == done && good_enough) found = method_.settle(end, length);
        if (found.status != done || !good_enough) {
            const double nearer = found.status == done ? 0.8 * std::pow(error, -1.0 / 8) : 0.5;
            leap_below_ = s_[1] > crossing_close ? std::fmax(nearer, 0.2) * s_[1] : 0;
            leap_error_ = error;
            ++rejected;
            return false;
        }
        Leap<System>& leap = method_.leaped();
        if (const double part = leap.crossing(); part >= 0)
            crossing_time.push_back(t + part * length), crossing_row.push_back(leap.weakest_row());
        const double ends = watched_until(length);
        while (rows < o_.times.size() && o_.times[rows] < ends)
            if (!put((o_.times[rows] - t) / length)) return true;
        if (fault.status != running) {
            t = ends;
            return true;
        }
        leap_below_ = crossing_near, leap_error_ = HUGE_VAL;
        take(length, end);
        return true;
    }
    // Events within a leap; answers where it ends by one of them, or at its own end.
    double watched_until(double length) {
        for (const Crossing& c : watch_.within(t, length, method_.leaped())) {
            event_number.push_back(c.event);
            event_time.push_back(t + c.part * length);
            if (!watch_.event[c.event].stop) continue;
            fault = {event_stop, c.event};
            return event_time.back();
        }
        return t + length;
    }
    // A row within a leap.
    bool put(double part) {
        if (!good(watch_.fill_leap(t, o_.times[rows], part))) return false;
        out.insert(out.end(), watch_.line.begin(), watch_.line.end());
        ++rows;
        return true;
    }

    // A step from t to `end`, settled there.
    Fault attempt(double end) {
        const double now = end - t;
        const Fault found = method_.attempt(t, now, first_ || after_rejection_);
        return found.status == done && method_.error <= 1 ? method_.settle(end, now) : found;
    }

    double factor(double now) {
        const double error = std::fmax(method_.error, 1e-10), plain = 0.9 * std::pow(error, -0.25);
        const double hard = (2.0 * most_newton + 1) / (2 * most_newton + method_.corrections);
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
        if (!bodies_.rub.empty())
            if (const Fault rubs = watch_.fill(t, method_.q, method_.v, method_.near()); rubs.status == jammed) {
                fault = rubs;
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
            watch_.copy_state(method_.q, method_.v);
            if (!good(method_.row(t, watch_.line.data() + watch_.told()))) return false;
            out.insert(out.end(), watch_.line.begin(), watch_.line.end());
            ++rows;
        }
        return true;
    }

    using Meeting = typename AbsoluteWatch<System>::Meeting;

    // The step that ends where its first event meets its value, with all that are met in the same moment.
    void arrive(const std::vector<Meeting>& about, double length, double end) {
        std::vector<Meeting> met;
        double reached = HUGE_VAL, last = HUGE_VAL;
        for (Meeting one : about) {
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
        for (const Meeting& one : met) {
            watch_.meet(one.event, reached, one.slope > 0);
            event_number.push_back(one.event);
            event_time.push_back(reached);
            if (watch_.event[one.event].stop && (fault.status == running || fault.status == done))
                fault = {event_stop, one.event};
        }
    }

    // Steps of the length at which the event meets its value: secants from the place on dense output. False where one
    // is rejected.
    bool close_in(Meeting& m, double length, double end, double* reached) {
        const Event& e = watch_.event[m.event];
        double at = t + m.part * length, last = t, last_off = HUGE_VAL;
        for (int count = 0; count < 12; ++count) {
            at = std::fmin(std::fmax(at, std::nextafter(t, HUGE_VAL)), end);
            const Fault found = attempt(at);
            if (found.status != done || method_.error > 1) {
                reject(found, at - t);
                return false;
            }
            *reached = at;
            const Dual<1> y = watch_.at_end(m.event, at);
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
