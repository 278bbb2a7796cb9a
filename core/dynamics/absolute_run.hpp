// An integration in absolute coordinates from start to end, in chunks. Steps end at output times, corners of laws and
// events: between them dense output has order 3 only, less than the steps themselves.
//
// Step control: Hairer and Wanner 1996, IV.8: h times 0.9 error^(-1/4), with Gustafsson's prediction, within [1/5, 8].
#pragma once
#include <chrono>

#include "../integrate/event.hpp"
#include "radau.hpp"

namespace mubo {

// A coordinate between two bodies that is watched.
struct Watch {
    Along along;
    int body[2];
    std::vector<double> numbers;  // its geometry
    Event event;
    double near;  // its value
};

struct AbsoluteOptions {
    double start, end, rtol, atol;
    bool energies_steer;
    double first_step;
    long max_steps;
    std::vector<double> times, stops;
    std::vector<Watch> watched;
};

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

    AbsoluteRun(Bodies<System> bodies, AbsoluteOptions options, const double* q, const double* v, const double* near)
        : t(options.start),
          h(options.first_step),
          bodies_(std::move(bodies)),
          o_(std::move(options)),
          method_(bodies_, o_.rtol, o_.atol, o_.energies_steer),
          eye_(bodies_),
          line_(method_.row_size()) {
        method_.q.assign(q, q + method_.q.size());
        method_.v.assign(v, v + method_.v.size());
        method_.begin_angles(near);
        seen_q_ = method_.q, seen_v_ = method_.v;
    }

    const Bodies<System>& bodies() const { return bodies_; }
    const Radau<System>& method() const { return method_; }
    size_t width() const { return method_.q.size() + method_.v.size() + 2 + method_.row_size(); }

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
    Moment<System> eye_;
    std::vector<double> line_, seen_q_, seen_v_;
    std::vector<Crossing> crossings_;
    size_t next_stop_ = 0;
    bool begun_ = false, after_rejection_ = false, first_ = true;
    double last_h_ = 0, last_error_ = 0;
    double longest_ = HUGE_VAL;  // what Newton's method bore last, and a little more with every step

    double limit() const { return next_stop_ < o_.stops.size() ? std::fmin(o_.stops[next_stop_], o_.end) : o_.end; }
    bool good(const Fault& found) {
        if (found.status != done) fault = found;
        return found.status == done;
    }

    void begin() {
        begun_ = true;
        while (next_stop_ < o_.stops.size() && o_.stops[next_stop_] <= t) ++next_stop_;
        method_.span(t, limit());
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
        if (!o_.watched.empty() && meet(now, end)) return;
        take(now, end);
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
        const bool weak = method_.weakest < 1e-6;
        if (hard && found.status != no_convergence && found.status != singular)
            fault = found;
        else
            fault = weak ? Fault{singular_loop, method_.weakest_row} : Fault{collapsed, -1};
    }

    void take(double length, double end) {
        last_error_ = std::fmax(method_.error, 1e-2), last_h_ = length;
        first_ = after_rejection_ = false;
        longest_ *= 1.1;
        ++steps;
        method_.accept(length);
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
            method_.span(t, limit());
            method_.forget();
            last_h_ = 0, first_ = true;
        }
        if (corner || rows != before) good(method_.prepare(t));
    }

    bool put_due() {
        while (rows < o_.times.size() && o_.times[rows] <= t) {
            if (!good(method_.row(t, line_.data()))) return false;
            out.insert(out.end(), method_.q.begin(), method_.q.end());
            out.insert(out.end(), method_.v.begin(), method_.v.end());
            out.insert(out.end(), method_.exchanged, method_.exchanged + 2);
            out.insert(out.end(), line_.begin(), line_.end());
            ++rows;
        }
        return true;
    }

    // A watched coordinate and its rate.
    std::pair<double, double> watch(const Watch& w, const double* q, const double* v) {
        eye_.at(t, q);
        const auto c = coordinate_between<World>(w.along, eye_.motion(w.body[0], v), eye_.motion(w.body[1], v),
                                                 w.numbers.data(), w.near);
        return {c.q, c.v};
    }

    // Whether the step now settled meets an event; then it is made anew to end there.
    bool meet(double length, double end) {
        crossings_.clear();
        for (size_t k = 0; k < o_.watched.size(); ++k) {
            Watch& w = o_.watched[k];
            const auto [y0, dy0] = watch(w, method_.q.data(), method_.v.data());
            const double near = w.near;
            w.near = y0 + 0.5 * length * dy0;
            const auto [y1, dy1] = watch(w, method_.next_q.data(), method_.next_v.data());
            if (suspected(w.event, length, y0, dy0, y1, dy1)) {
                const double side = last_side(static_cast<int>(k), y0);
                cross_all(
                    w.event, static_cast<int>(k),
                    [&, last = y1](double x) {
                        if (x == 0) return side;
                        if (x == 1) return last;
                        method_.between(x, seen_q_.data(), seen_v_.data());
                        return watch(w, seen_q_.data(), seen_v_.data()).first;
                    },
                    crossings_);
            }
            w.near = near;
        }
        if (crossings_.empty()) {
            for (Watch& w : o_.watched) follow(w, length);
            return false;
        }
        const Crossing first = *std::min_element(crossings_.begin(), crossings_.end(),
                                                 [](const Crossing& a, const Crossing& b) { return a.part < b.part; });
        arrive(first, length, end);
        return true;
    }
    void follow(Watch& w, double length) {
        const auto [y0, dy0] = watch(w, method_.q.data(), method_.v.data());
        w.near = y0 + length * dy0;
        w.near = watch(w, method_.next_q.data(), method_.next_v.data()).first;
    }

    // Just behind an event the coordinate counts as beyond it, whatever rounding says.
    double last_side(int number, double value) const {
        if (event_time.empty() || event_time.back() != t || event_number.back() != number) return value;
        const double at = o_.watched[number].event.value;
        return rose_ ? std::fmax(value, std::nextafter(at, HUGE_VAL)) : std::fmin(value, std::nextafter(at, -HUGE_VAL));
    }
    bool rose_ = false;

    // Steps of the length at which the coordinate meets its value: secants from the place on dense output.
    void arrive(const Crossing& first, double length, double end) {
        Watch& w = o_.watched[first.event];
        const double near = w.near;
        double at = t + first.part * length;
        for (int count = 0; count < 12; ++count) {
            if (!(at > t)) at = std::nextafter(t, HUGE_VAL);
            at = std::fmin(at, end);
            const Fault found = attempt(at);
            if (found.status != done || method_.error > 1) {
                reject(found, at - t);
                return;
            }
            w.near = near;
            follow(w, at - t);
            const auto [value, rate] = watch(w, method_.next_q.data(), method_.next_v.data());
            const double off = value - w.event.value;
            rose_ = rate > 0;
            if (rate == 0 || std::fabs(off) <= 1e-13 * std::fmax(1.0, std::fabs(w.event.value))) break;
            const double next = at - off / rate;
            if (next == at) break;
            at = next;
        }
        at = std::fmin(std::fmax(at, std::nextafter(t, HUGE_VAL)), end);
        for (Watch& other : o_.watched)
            if (&other != &w) follow(other, at - t);
        const double longest = h;
        take(at - t, at);
        h = longest;
        event_number.push_back(first.event);
        event_time.push_back(at);
        if (w.event.stop && (fault.status == running || fault.status == done)) fault = {event_stop, first.event};
    }
};

}  // namespace mubo
