// What events of a run in absolute coordinates look at: programs over the motion, or a function of whole lines of
// output.
//
// Steps are made anew to end at an event, so that dense output only has to tell where about it lies.
#pragma once
#include <functional>

#include "../integrate/event.hpp"
#include "radau.hpp"

namespace mubo {

// What an event looks at where no program tells it: its number, times, a line of output for each, their width, answers.
using LookAt = std::function<void(int, const std::vector<double>&, const std::vector<double>&, size_t, double*)>;

template <class System>
class AbsoluteWatch {
  public:
    // The first event of a step, the part of the step, and how fast its number changes there.
    struct Meeting {
        int event = -1;
        double part = 1, slope = 0;
    };

    AbsoluteWatch(const Bodies<System>& b, Radau<System>& method, std::vector<Event> events, LookAt look)
        : event(std::move(events)),
          method_(method),
          look_(std::move(look)),
          eye_(b),
          q_(method.q.size()),
          v_(method.v.size()),
          near_(method.near().size()),
          met_(event.size()),
          begun_(event.size()),
          ended_(event.size()),
          last_at_(event.size(), std::numeric_limits<double>::quiet_NaN()),
          rose_(event.size()) {}

    std::vector<Event> event;
    std::vector<double> line;  // of the last output or look
    size_t told() const { return method_.q.size() + method_.v.size() + 2; }
    size_t width() const { return told() + method_.row_size(); }
    void span(double from, double to) { eye_.from = from, eye_.to = to; }

    // The line of an output at any state.
    Fault fill(double t, const std::vector<double>& q, const std::vector<double>& v, const std::vector<double>& near) {
        copy_state(q, v);
        return method_.look(t, q.data(), v.data(), near.data(), line.data() + told());
    }
    void copy_state(const std::vector<double>& q, const std::vector<double>& v) {
        line.resize(width());
        double* to = std::copy(v.begin(), v.end(), std::copy(q.begin(), q.end(), line.data()));
        std::copy(method_.exchanged, method_.exchanged + 2, to);
    }

    // What an event looks at where the step now settled ends, and its rate; not a number where it is not known.
    Dual<1> at_end(int number, double end) {
        return watch(number, end, method_.next_q, method_.next_v, method_.next_near());
    }

    // The events that the settled step from t meets, the first ones only: those that dense output, which tells where
    // about they lie, may have in a wrong order.
    const std::vector<Meeting>& met(double t, double length, double end) {
        constexpr double close = 0.01;
        meetings_.clear();
        double first = 1;
        for (int k = 0; k < static_cast<int>(event.size()); ++k)
            if (const Meeting found = meeting(k, t, length, end); found.event >= 0) {
                meetings_.push_back(found);
                first = std::fmin(first, found.part);
            }
        const auto later = [&](const Meeting& m) { return m.part > first + close; };
        meetings_.erase(std::remove_if(meetings_.begin(), meetings_.end(), later), meetings_.end());
        if (meetings_.empty()) begun_ = ended_, begun_at_ = end;
        return meetings_;
    }

    // All events of a step over a singular position, on its dense output, in the order of time.
    std::vector<Crossing> within(double t, double length, Leap<System>& leap) {
        std::vector<Crossing> out;
        for (int k = 0; k < static_cast<int>(event.size()); ++k) {
            if (met_[k] >= most_crossings) continue;
            const auto value = [&](double x) {
                if (x == 0) return side(k, t, watch(k, t, method_.q, method_.v, method_.near()).v);
                if (x == 1) return at_end(k, t + length).v;
                move_to(leap, x, length);
                return watch(k, t + x * length, q_, v_, near_).v;
            };
            cross_all(event[k], k, value, out);
        }
        std::sort(out.begin(), out.end(), [](const Crossing& a, const Crossing& b) { return a.part < b.part; });
        for (const Crossing& one : out) ++met_[one.event];
        return out;
    }
    // The line of an output within such a step from t.
    Fault fill_leap(double t, double time, double part) {
        double exchanged[2];
        method_.near_at(part, (time - t) / part, near_);
        const Fault fault = method_.leaped().state(part, q_, v_, exchanged);
        if (fault.status != done) return fault;
        const Fault found = fill(time, q_, v_, near_);
        std::copy(exchanged, exchanged + 2, line.data() + told() - 2);
        return found;
    }

    // An event was met at t, where its number rises or falls.
    void meet(int number, double t, bool rises) {
        last_at_[number] = t, rose_[number] = rises;
        ++met_[number];
    }

  private:
    Radau<System>& method_;
    LookAt look_;
    Moment<System> eye_;
    std::vector<double> q_, v_, near_;
    std::vector<int> met_;  // how often each event was
    std::vector<Dual<1>> begun_, ended_;
    double begun_at_ = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> last_at_;  // time at which each event was met last, and whether its number rose
    std::vector<char> rose_;
    std::vector<Meeting> meetings_;

    void move_to(Leap<System>& leap, double x, double length) {
        double exchanged[2];
        leap.state(x, q_, v_, exchanged);
        method_.near_at(x, length, near_);
    }
    Dual<1> watch(int number, double t, const std::vector<double>& q, const std::vector<double>& v,
                  const std::vector<double>& near) {
        constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
        if (event[number].number >= 0) {
            eye_.at(t, q.data());
            return eye_.watch(event[number].number, v.data(), near.data());
        }
        double value = unknown;
        if (fill(t, q, v, near).status == done) look_(number, {t}, line, width(), &value);
        return pair(value, unknown);
    }
    // At all parts of the step at which events are looked for; a function is asked at once, and for its end too.
    void watch_parts(int number, double t, double length, double end, double* out) {
        std::vector<double> times, lines;
        for (int k = 1; k < event_parts; ++k) {
            const double x = static_cast<double>(k) / event_parts;
            method_.between(x, q_.data(), v_.data());
            method_.near_at(x, length, near_);
            times.push_back(t + x * length);
            if (event[number].number >= 0) {
                out[k] = watch(number, times.back(), q_, v_, near_).v;
            } else {
                fill(times.back(), q_, v_, near_);
                lines.insert(lines.end(), line.begin(), line.end());
            }
        }
        if (event[number].number >= 0) return;
        const bool known = fill(end, method_.next_q, method_.next_v, method_.next_near()).status == done;
        times.push_back(end);
        lines.insert(lines.end(), line.begin(), line.end());
        look_(number, times, lines, width(), out + 1);
        if (!known) out[event_parts] = std::numeric_limits<double>::quiet_NaN();
    }
    // Just behind an event its number counts as beyond it, whatever rounding says.
    double side(int number, double t, double value) const {
        if (last_at_[number] != t) return value;
        const double at = event[number].value;
        return rose_[number] ? std::fmax(value, std::nextafter(at, HUGE_VAL))
                             : std::fmin(value, std::nextafter(at, -HUGE_VAL));
    }
    // Where about an event is met in the settled step from t, if it is.
    Meeting meeting(int number, double t, double length, double end) {
        const Event& e = event[number];
        if (met_[number] >= most_crossings) return {};
        const Dual<1> y0 = begun_at_ == t ? begun_[number] : watch(number, t, method_.q, method_.v, method_.near());
        double parts[event_parts + 1] = {side(number, t, y0.v)};
        if (e.number >= 0) {
            const Dual<1> y1 = ended_[number] = at_end(number, end);
            const bool rates = std::isfinite(y0.d[0]) && std::isfinite(y1.d[0]);
            if (rates && !suspected(e, length, y0.v, y0.d[0], y1.v, y1.d[0])) return {};
            parts[event_parts] = y1.v;
        }
        watch_parts(number, t, length, end, parts);
        if (e.number < 0) ended_[number] = pair(parts[event_parts], std::numeric_limits<double>::quiet_NaN());
        for (int k = 1; k <= event_parts; ++k) {
            if (!crosses(e, parts[k - 1], parts[k])) continue;
            const double change = parts[k] - parts[k - 1];
            return {number, (k - 1 + (e.value - parts[k - 1]) / change) / event_parts, change * event_parts / length};
        }
        return {};
    }
};

}  // namespace mubo
