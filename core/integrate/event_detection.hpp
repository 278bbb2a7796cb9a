// Event detection: the events of a run, located on the dense output of its steps.
//
// Events of user functions that do not stop the run are searched later, over many steps at once, because every
// evaluation calls Python. An event that stops the run is searched at once.
#pragma once
#include <algorithm>
#include <limits>
#include <vector>

#include "dop853.hpp"
#include "event.hpp"

namespace mubo {

struct EventRecord {
    int event;
    double t;
    std::vector<double> state;
};

template <class Problem>
class EventDetection {
  public:
    std::vector<EventRecord> records;  // in order of time, after `search_stored_steps`

    EventDetection(Problem& problem, std::vector<Event> events)
        : problem_(problem),
          event_(std::move(events)),
          n_(problem.size()),
          max_stored_(std::clamp(max_stored_numbers / (n_ + 1), 1, 32)),
          state_(n_),
          last_value_(event_.size()),
          count_(event_.size()) {
        for (const Event& e : event_) deferred_ = deferred_ || is_deferred(e);
    }

    void begin(double t, const double* y) {
        for (size_t k = 0; k < event_.size(); ++k)
            if (event_[k].entry < 0) problem_.event_values(event_[k], 1, &t, y, &last_value_[k]);
    }

    // True where a step of length h may contain an event, given y and its rates at both ends.
    bool suspects(double h, const double* y0, const double* dy0, const double* y1, const double* dy1) const {
        for (const Event& e : event_)
            if (const int i = e.entry; i < 0 || suspected(e, h, y0[i], dy0[i], y1[i], dy1[i])) return true;
        return false;
    }

    // Records the events of a step in order of time, up to the first that stops: then `end` is its time.
    Fault detect(const DenseStep& step, double* end) {
        crossings_.clear();
        for (size_t k = 0; k < event_.size(); ++k) {
            const Event& e = event_[k];
            if (count_[k] >= max_crossings || is_deferred(e)) continue;
            if (e.entry < 0)
                find_watched_crossings(e, static_cast<int>(k), &step, 1);
            else
                find_crossings(e, static_cast<int>(k), [&](double x) { return step.at(e.entry, x); }, crossings_);
        }
        std::sort(crossings_.begin(), crossings_.end(), [](auto& a, auto& b) { return a.part < b.part; });
        Fault found;
        for (const EventCrossing& c : crossings_) {
            found = record(step, c);
            if (found.status != done) return found;
            if (!event_[c.event].stop || count_[c.event] > max_crossings) continue;
            *end = records.back().t;
            found = Fault{event_stop, c.event};
            break;
        }
        if (deferred_) store(step, *end);
        return found;
    }

    // Searches the deferred events in the stored steps.
    void search_stored_steps() {
        crossings_.clear();
        for (size_t k = 0; k < event_.size(); ++k)
            if (stored_ && is_deferred(event_[k]) && count_[k] < max_crossings)
                find_watched_crossings(event_[k], static_cast<int>(k), step_.data(), stored_);
        for (const EventCrossing& c : crossings_)
            if (const DenseStep& step = step_[c.step]; step.t + c.part * step.h <= until_[c.step]) record(step, c);
        if (!crossings_.empty())
            std::stable_sort(records.begin(), records.end(),
                             [](const EventRecord& a, const EventRecord& b) { return a.t < b.t; });
        stored_ = 0;
    }

  private:
    static constexpr int max_stored_numbers = 100'000;  // numbers in the stored states

    Problem& problem_;
    const std::vector<Event> event_;
    const int n_, max_stored_;
    std::vector<double> state_, last_value_, times_, states_, values_;
    std::vector<int> count_;  // how often each event has occurred
    std::vector<EventCrossing> crossings_;
    std::vector<Bracket> brackets_;
    std::vector<DenseStep> step_;
    std::vector<double> until_;  // the time of each step that the run reached
    int stored_ = 0;
    bool deferred_ = false;

    static bool is_deferred(const Event& e) { return e.entry < 0 && e.number < 0 && !e.stop; }

    void store(const DenseStep& step, double until) {
        if (stored_ == static_cast<int>(step_.size())) step_.emplace_back(), until_.emplace_back();
        step_[stored_] = step, until_[stored_] = until;
        if (++stored_ == max_stored_) search_stored_steps();
    }

    // Records the event with its projected state, unless it has chattered too often.
    Fault record(const DenseStep& step, const EventCrossing& c) {
        const double at = step.t + c.part * step.h;
        step.state(c.part, state_.data());
        const Fault found = problem_.project(at, state_.data(), nullptr);
        if (++count_[c.event] <= max_crossings) records.push_back({c.event, at, state_});
        return found;
    }

    // Crossings of an event function: searched on dense output, located on projected states. The search continues from
    // the last value, so that the projection of a state hides no crossing.
    void find_watched_crossings(const Event& e, int number, const DenseStep* steps, int count) {
        times_.clear(), states_.resize(static_cast<size_t>(count) * event_parts * n_), brackets_.clear();
        for (int s = 0; s < count; ++s)
            for (int k = 1; k <= event_parts; ++k) put(steps[s], static_cast<double>(k) / event_parts);
        values_.resize(times_.size());
        problem_.event_values(e, static_cast<int>(times_.size()), times_.data(), states_.data(), values_.data());
        double& before = last_value_[number];
        for (int k = 0; k < count * event_parts; ++k) {
            const double from = static_cast<double>(k % event_parts) / event_parts;
            if (crosses(e, before, values_[k]) && static_cast<int>(brackets_.size()) + count_[number] < max_crossings)
                brackets_.push_back({from, from + 1.0 / event_parts, before < e.value, k / event_parts});
            before = values_[k];
        }
        if (brackets_.empty()) return;
        // The cost of a call hardly depends on the number of times: few crossings are searched in many sections.
        const int sections = e.number < 0 ? std::clamp(128 / static_cast<int>(brackets_.size()), 2, 32) : 2;
        double small = 1;
        for (const Bracket& b : brackets_) {
            const DenseStep& step = steps[b.step];
            small = std::fmin(small, std::numeric_limits<double>::epsilon() * std::fabs(step.t) / step.h);
        }
        locate(
            e, [&](const auto& parts, double* out) { evaluate_projected(e, steps, parts, out); }, brackets_, sections,
            small);
        for (const Bracket& b : brackets_) crossings_.push_back({b.b, number, b.step});
    }

    // Values of an event function at fractions of steps, at projected states; NaN where the projection fails.
    void evaluate_projected(const Event& e, const DenseStep* steps, const std::vector<Part>& parts, double* out) {
        times_.clear(), states_.resize(parts.size() * n_), values_.resize(parts.size());
        for (const Part& part : parts) {
            double* y = put(steps[part.step], part.x);
            const bool projected = problem_.project(times_.back(), y, nullptr).status == done;
            values_[times_.size() - 1] = projected ? 0 : std::numeric_limits<double>::quiet_NaN();
            if (!projected) steps[part.step].state(0, y);
        }
        problem_.event_values(e, static_cast<int>(parts.size()), times_.data(), states_.data(), out);
        for (size_t k = 0; k < parts.size(); ++k) out[k] += values_[k];
    }

    // Appends the time and the state at the fraction x of a step.
    double* put(const DenseStep& step, double x) {
        double* y = states_.data() + times_.size() * n_;
        step.state(x, y);
        times_.push_back(step.t + x * step.h);
        return y;
    }
};

}  // namespace mubo
