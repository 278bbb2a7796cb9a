// Events of a run in absolute coordinates: bytecode over the motion, or a user function of whole rows of output.
//
// Steps are repeated to end at an event, so that dense output only has to locate it approximately.
#pragma once
#include <functional>

#include "../integrate/event.hpp"
#include "radau.hpp"

namespace mubo {

// The user function of an event: its number, times, a row of output for each, their width, results.
using OutputEventFunction =
    std::function<void(int, const std::vector<double>&, const std::vector<double>&, size_t, double*)>;

template <class System>
class AbsoluteEvents {
  public:
    // An event within a step: the fraction of the step, and the rate of its function there.
    struct LocatedEvent {
        int event = -1;
        double part = 1, slope = 0;
    };

    AbsoluteEvents(const Bodies<System>& b, Radau<System>& method, std::vector<Event> events, OutputEventFunction watch)
        : event(std::move(events)),
          method_(method),
          watch_(std::move(watch)),
          evaluation_(b),
          q_(method.q.size()),
          v_(method.v.size()),
          near_(method.near().size()),
          count_(event.size()),
          begun_(event.size()),
          ended_(event.size()),
          last_at_(event.size(), std::numeric_limits<double>::quiet_NaN()),
          rose_(event.size()) {}

    std::vector<Event> event;
    std::vector<double> line;  // of the last output or evaluation
    size_t state_width() const { return method_.q.size() + method_.v.size() + 2; }
    size_t width() const { return state_width() + method_.row_size(); }
    void span(double from, double to) { evaluation_.from = from, evaluation_.to = to; }

    // Fills the row of output at any state.
    Fault fill(double t, const std::vector<double>& q, const std::vector<double>& v, const std::vector<double>& near) {
        copy_state(q, v);
        return method_.evaluate_state(t, q.data(), v.data(), near.data(), line.data() + state_width());
    }
    void copy_state(const std::vector<double>& q, const std::vector<double>& v) {
        line.resize(width());
        double* to = std::copy(v.begin(), v.end(), std::copy(q.begin(), q.end(), line.data()));
        std::copy(method_.exchanged, method_.exchanged + 2, to);
    }

    // The function of an event at the end of the projected step, and its rate; NaN where it is not known.
    Dual<1> at_end(int number, double end) {
        return event_value(number, end, method_.next_q, method_.next_v, method_.next_near());
    }

    // The first events in the projected step from t, including those so close to the first that dense output, which
    // locates them approximately, may order them wrongly.
    const std::vector<LocatedEvent>& locate_events(double t, double length, double end) {
        constexpr double near_first = 0.01;
        located_.clear();
        double first = 1;
        for (int k = 0; k < static_cast<int>(event.size()); ++k)
            if (const LocatedEvent found = locate_event(k, t, length, end); found.event >= 0) {
                located_.push_back(found);
                first = std::fmin(first, found.part);
            }
        const auto later = [&](const LocatedEvent& m) { return m.part > first + near_first; };
        located_.erase(std::remove_if(located_.begin(), located_.end(), later), located_.end());
        if (located_.empty()) begun_ = ended_, begun_at_ = end;
        return located_;
    }

    // All events of a step over a singular position, on its dense output, in the order of time.
    std::vector<EventCrossing> within(double t, double length, SingularityStep<System>& step) {
        std::vector<EventCrossing> out;
        for (int k = 0; k < static_cast<int>(event.size()); ++k) {
            if (count_[k] >= max_crossings) continue;
            const auto value = [&](double x) {
                if (x == 0) return side(k, t, event_value(k, t, method_.q, method_.v, method_.near()).v);
                if (x == 1) return at_end(k, t + length).v;
                move_to(step, x, length);
                return event_value(k, t + x * length, q_, v_, near_).v;
            };
            find_crossings(event[k], k, value, out);
        }
        std::sort(out.begin(), out.end(),
                  [](const EventCrossing& a, const EventCrossing& b) { return a.part < b.part; });
        for (const EventCrossing& one : out) ++count_[one.event];
        return out;
    }
    // Fills the row of output within such a step from t.
    Fault fill_within_singularity_step(double t, double time, double part) {
        double exchanged[2];
        method_.near_at(part, (time - t) / part, near_);
        const Fault fault = method_.singularity_step().state(part, q_, v_, exchanged);
        if (fault.status != done) return fault;
        const Fault found = fill(time, q_, v_, near_);
        std::copy(exchanged, exchanged + 2, line.data() + state_width() - 2);
        return found;
    }

    // Records an event at t, where its function rises or falls.
    void record(int number, double t, bool rises) {
        last_at_[number] = t, rose_[number] = rises;
        ++count_[number];
    }

  private:
    Radau<System>& method_;
    OutputEventFunction watch_;
    StateEvaluation<System> evaluation_;
    std::vector<double> q_, v_, near_;
    std::vector<int> count_;  // how often each event has occurred
    std::vector<Dual<1>> begun_, ended_;
    double begun_at_ = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> last_at_;  // time of the last occurrence of each event, and whether its function rose
    std::vector<char> rose_;
    std::vector<LocatedEvent> located_;

    void move_to(SingularityStep<System>& step, double x, double length) {
        double exchanged[2];
        step.state(x, q_, v_, exchanged);
        method_.near_at(x, length, near_);
    }
    Dual<1> event_value(int number, double t, const std::vector<double>& q, const std::vector<double>& v,
                        const std::vector<double>& near) {
        constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
        if (event[number].number >= 0) {
            evaluation_.at(t, q.data());
            return evaluation_.event_value(event[number].number, v.data(), near.data());
        }
        double value = unknown;
        if (fill(t, q, v, near).status == done) watch_(number, {t}, line, width(), &value);
        return value_and_rate(value, unknown);
    }
    // Evaluates an event at all fractions of the step where events are searched; a user function is called once, for
    // the end too.
    void evaluate_parts(int number, double t, double length, double end, double* out) {
        std::vector<double> times, lines;
        for (int k = 1; k < event_parts; ++k) {
            const double x = static_cast<double>(k) / event_parts;
            method_.interpolate(x, q_.data(), v_.data());
            method_.near_at(x, length, near_);
            times.push_back(t + x * length);
            if (event[number].number >= 0) {
                out[k] = event_value(number, times.back(), q_, v_, near_).v;
            } else {
                fill(times.back(), q_, v_, near_);
                lines.insert(lines.end(), line.begin(), line.end());
            }
        }
        if (event[number].number >= 0) return;
        const bool known = fill(end, method_.next_q, method_.next_v, method_.next_near()).status == done;
        times.push_back(end);
        lines.insert(lines.end(), line.begin(), line.end());
        watch_(number, times, lines, width(), out + 1);
        if (!known) out[event_parts] = std::numeric_limits<double>::quiet_NaN();
    }
    // Just behind an event its function counts as beyond the value, regardless of rounding.
    double side(int number, double t, double value) const {
        if (last_at_[number] != t) return value;
        const double at = event[number].value;
        return rose_[number] ? std::fmax(value, std::nextafter(at, HUGE_VAL))
                             : std::fmin(value, std::nextafter(at, -HUGE_VAL));
    }
    // Locates an event in the projected step from t approximately, if it occurs.
    LocatedEvent locate_event(int number, double t, double length, double end) {
        const Event& e = event[number];
        if (count_[number] >= max_crossings) return {};
        const Dual<1> y0 =
            begun_at_ == t ? begun_[number] : event_value(number, t, method_.q, method_.v, method_.near());
        double parts[event_parts + 1] = {side(number, t, y0.v)};
        if (e.number >= 0) {
            const Dual<1> y1 = ended_[number] = at_end(number, end);
            const bool rates = std::isfinite(y0.d[0]) && std::isfinite(y1.d[0]);
            if (rates && !suspected(e, length, y0.v, y0.d[0], y1.v, y1.d[0])) return {};
            parts[event_parts] = y1.v;
        }
        evaluate_parts(number, t, length, end, parts);
        if (e.number < 0) ended_[number] = value_and_rate(parts[event_parts], std::numeric_limits<double>::quiet_NaN());
        for (int k = 1; k <= event_parts; ++k) {
            if (!crosses(e, parts[k - 1], parts[k])) continue;
            const double change = parts[k] - parts[k - 1];
            return {number, (k - 1 + (e.value - parts[k - 1]) / change) / event_parts, change * event_parts / length};
        }
        return {};
    }
};

}  // namespace mubo
