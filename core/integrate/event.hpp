// Events: an entry of the state, or a function of it, crosses a value. They are searched on eight parts of every step
// and located on its dense output, so a pair of crossings within an eighth of a step can be missed.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

namespace mubo {

struct Event {
    int entry;  // of the state; -1: a function that the problem evaluates
    double value;
    int direction;    // 1: rising only, -1: falling only, 0: both
    bool stop;        // ends the run
    int number = -1;  // of the bytecode of its value; -1: a function of the user
    int index = 0;    // its index among the events
};
struct EventCrossing {
    double part;  // fraction of the step
    int event;
    int step = 0;  // index of the step
};

constexpr int event_parts = 8;
constexpr int max_crossings = 1000;  // of one event: beyond it the event chatters and is no longer searched

inline bool crosses(const Event& e, double before, double after) {
    const bool rising = before < e.value && after >= e.value, falling = before > e.value && after <= e.value;
    return (rising && e.direction >= 0) || (falling && e.direction <= 0);
}

// An event occurs between the fractions a and b of a step; at a, its function is below its value, or above.
struct Bracket {
    double a, b;
    bool below;
    int step = 0;  // index of the step
};
struct Part {
    double x;
    int step;
};

// Narrows brackets by multisection (two sections: bisection) to the last bit, or to fractions so `small` that time does
// not change; values(parts, out) evaluates the function at many fractions at once. A bracket then ends beyond the
// event, so that the run continues behind it.
template <class Values>
void locate(const Event& e, Values&& values, std::vector<Bracket>& brackets, int sections, double small = 0) {
    std::vector<Part> parts;
    std::vector<double> found;
    const int each = sections - 1;
    for (double fine = event_parts; fine < 0x1p60 && fine * small < 1; fine *= sections) {
        parts.clear();
        for (const Bracket& b : brackets)
            for (int k = 1; k <= each; ++k) parts.push_back({b.a + (b.b - b.a) * k / sections, b.step});
        found.resize(parts.size());
        values(parts, found.data());
        for (size_t i = 0; i < brackets.size(); ++i) {
            Bracket& b = brackets[i];
            int k = 0;
            while (k < each && (b.below ? found[i * each + k] < e.value : found[i * each + k] > e.value)) ++k;
            if (k < each) b.b = parts[i * each + k].x;
            if (k) b.a = parts[i * each + k - 1].x;
        }
    }
}

// True where the step may contain a crossing: by the cubic through the values y and rates dy at both ends of a step h.
inline bool suspected(const Event& e, double h, double y0, double dy0, double y1, double dy1) {
    double before = y0;
    const double size = std::fmax(std::fabs(y1 - y0), std::fabs(h) * std::fmax(std::fabs(dy0), std::fabs(dy1)));
    for (int k = 1; k <= event_parts; ++k) {
        const double x = static_cast<double>(k) / event_parts, z = 1 - x;
        const double now = z * z * (1 + 2 * x) * y0 + x * x * (1 + 2 * z) * y1 + h * x * z * (z * dy0 - x * dy1);
        if ((before - e.value) * (now - e.value) <= 0 || std::fabs(now - e.value) < 0.05 * size) return true;
        before = now;
    }
    return false;
}

// All crossings of one event within a step, added to `found`.
template <class Value>
void find_crossings(const Event& e, int number, Value&& value, std::vector<EventCrossing>& found) {
    const auto one = [&](const std::vector<Part>& parts, double* out) { *out = value(parts[0].x); };
    double before = value(0.0);
    for (int k = 1; k <= event_parts; ++k) {
        const double x = static_cast<double>(k) / event_parts, now = value(x);
        if (crosses(e, before, now)) {
            std::vector<Bracket> only{{x - 1.0 / event_parts, x, before < e.value}};
            locate(e, one, only, 2);
            found.push_back({only[0].b, number});
        }
        before = now;
    }
}

}  // namespace mubo
