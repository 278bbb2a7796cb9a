// The events that a run meets, found on the dense output of its steps.
//
// What a function answers and what only reports is looked for later, over many steps at once: every look calls Python.
// An event that stops the run cannot wait.
#pragma once
#include <algorithm>
#include <limits>
#include <vector>

#include "dop853.hpp"
#include "event.hpp"

namespace mubo {

struct Met {
    int event;
    double t;
    std::vector<double> state;
};

template <class Problem>
class Meetings {
  public:
    std::vector<Met> met;  // in order of time, once `look` was called

    Meetings(Problem& problem, std::vector<Event> events)
        : problem_(problem),
          event_(std::move(events)),
          n_(problem.size()),
          most_kept_(std::clamp(most_numbers / (n_ + 1), 1, 32)),
          state_(n_),
          seen_(event_.size()),
          count_(event_.size()) {
        for (const Event& e : event_) waiting_ = waiting_ || waits(e);
    }

    void begin(double t, const double* y) {
        for (size_t k = 0; k < event_.size(); ++k)
            if (event_[k].entry < 0) problem_.watch(event_[k], 1, &t, y, &seen_[k]);
    }

    // Whether a step of length h may meet one: y and its rates at both ends.
    bool suspects(double h, const double* y0, const double* dy0, const double* y1, const double* dy1) const {
        for (const Event& e : event_)
            if (const int i = e.entry; i < 0 || suspected(e, h, y0[i], dy0[i], y1[i], dy1[i])) return true;
        return false;
    }

    // Records the events of a step in order of time, up to the first that stops: then `end` is its time.
    Fault meet(const DenseStep& step, double* end) {
        crossings_.clear();
        for (size_t k = 0; k < event_.size(); ++k) {
            const Event& e = event_[k];
            if (count_[k] >= most_crossings || waits(e)) continue;
            if (e.entry < 0)
                watch(e, static_cast<int>(k), &step, 1);
            else
                cross_all(e, static_cast<int>(k), [&](double x) { return step.at(e.entry, x); }, crossings_);
        }
        std::sort(crossings_.begin(), crossings_.end(), [](auto& a, auto& b) { return a.part < b.part; });
        Fault found;
        for (const Crossing& c : crossings_) {
            found = record(step, c);
            if (found.status != done) return found;
            if (!event_[c.event].stop || count_[c.event] > most_crossings) continue;
            *end = met.back().t;
            found = Fault{event_stop, c.event};
            break;
        }
        if (waiting_) keep(step, *end);
        return found;
    }

    // Looks for what waits in the steps that were kept.
    void look() {
        crossings_.clear();
        for (size_t k = 0; k < event_.size(); ++k)
            if (kept_ && waits(event_[k]) && count_[k] < most_crossings)
                watch(event_[k], static_cast<int>(k), step_.data(), kept_);
        for (const Crossing& c : crossings_)
            if (const DenseStep& step = step_[c.step]; step.t + c.part * step.h <= until_[c.step]) record(step, c);
        if (!crossings_.empty())
            std::stable_sort(met.begin(), met.end(), [](const Met& a, const Met& b) { return a.t < b.t; });
        kept_ = 0;
    }

  private:
    static constexpr int most_numbers = 100'000;  // of states in the steps that are kept

    Problem& problem_;
    const std::vector<Event> event_;
    const int n_, most_kept_;
    std::vector<double> state_, seen_, times_, states_, values_;
    std::vector<int> count_;  // how often each event was met
    std::vector<Crossing> crossings_;
    std::vector<Bracket> brackets_;
    std::vector<DenseStep> step_;
    std::vector<double> until_;  // which time of each step the run reached
    int kept_ = 0;
    bool waiting_ = false;

    static bool waits(const Event& e) { return e.entry < 0 && e.number < 0 && !e.stop; }

    void keep(const DenseStep& step, double until) {
        if (kept_ == static_cast<int>(step_.size())) step_.emplace_back(), until_.emplace_back();
        step_[kept_] = step, until_[kept_] = until;
        if (++kept_ == most_kept_) look();
    }

    // The event with its mended state, unless it has chattered long enough.
    Fault record(const DenseStep& step, const Crossing& c) {
        const double at = step.t + c.part * step.h;
        step.state(c.part, state_.data());
        const Fault found = problem_.settle(at, state_.data(), nullptr);
        if (++count_[c.event] <= most_crossings) met.push_back({c.event, at, state_});
        return found;
    }

    // Crossings of what an event watches: looked for on dense output, located on mended states. It goes on from what
    // was seen last, so that mending a state hides none.
    void watch(const Event& e, int number, const DenseStep* steps, int count) {
        times_.clear(), states_.resize(static_cast<size_t>(count) * event_parts * n_), brackets_.clear();
        for (int s = 0; s < count; ++s)
            for (int k = 1; k <= event_parts; ++k) put(steps[s], static_cast<double>(k) / event_parts);
        values_.resize(times_.size());
        problem_.watch(e, static_cast<int>(times_.size()), times_.data(), states_.data(), values_.data());
        double& before = seen_[number];
        for (int k = 0; k < count * event_parts; ++k) {
            const double from = static_cast<double>(k % event_parts) / event_parts;
            if (crosses(e, before, values_[k]) && static_cast<int>(brackets_.size()) + count_[number] < most_crossings)
                brackets_.push_back({from, from + 1.0 / event_parts, before < e.value, k / event_parts});
            before = values_[k];
        }
        if (brackets_.empty()) return;
        // A look has its price, whatever it looks at: few crossings are searched in many sections.
        const int sections = e.number < 0 ? std::clamp(128 / static_cast<int>(brackets_.size()), 2, 32) : 2;
        double small = 1;
        for (const Bracket& b : brackets_) {
            const DenseStep& step = steps[b.step];
            small = std::fmin(small, std::numeric_limits<double>::epsilon() * std::fabs(step.t) / step.h);
        }
        locate(e, [&](const auto& parts, double* out) { mended(e, steps, parts, out); }, brackets_, sections, small);
        for (const Bracket& b : brackets_) crossings_.push_back({b.b, number, b.step});
    }

    // What an event watches at parts of steps, each mended; not a number where that fails.
    void mended(const Event& e, const DenseStep* steps, const std::vector<Part>& parts, double* out) {
        times_.clear(), states_.resize(parts.size() * n_), values_.resize(parts.size());
        for (const Part& part : parts) {
            double* y = put(steps[part.step], part.x);
            const bool settled = problem_.settle(times_.back(), y, nullptr).status == done;
            values_[times_.size() - 1] = settled ? 0 : std::numeric_limits<double>::quiet_NaN();
            if (!settled) steps[part.step].state(0, y);
        }
        problem_.watch(e, static_cast<int>(parts.size()), times_.data(), states_.data(), out);
        for (size_t k = 0; k < parts.size(); ++k) out[k] += values_[k];
    }

    // The next time and state to look at: at the part x of a step.
    double* put(const DenseStep& step, double x) {
        double* y = states_.data() + times_.size() * n_;
        step.state(x, y);
        times_.push_back(step.t + x * step.h);
        return y;
    }
};

}  // namespace mubo
