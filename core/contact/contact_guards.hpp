// Where the modes of a tree with contacts switch within a step.
//
// Switches are searched on eight parts of the dense output of every step (gaps also at their smallest value between),
// forces at its end.
#pragma once
#include "../integrate/dop853.hpp"
#include "contact_modes.hpp"

namespace mubo {

constexpr int switch_parts = 8;

class ContactGuards : public ContactModes {
  public:
    using ContactModes::ContactModes;

    // The fraction of the step within which no mode switches: one if none does.
    double first_switch(double t, double h, const DenseStep& step) {
        pending_.clear();
        find_force_switches(t, h, step);
        double first = 1;
        for (const Pending& p : pending_) first = std::fmin(first, p.part);
        collect_guards();
        y_.resize(size());
        move_to(t, h, step, 0);
        for (Guard& g : guards_) g.last = sample(g);
        for (int j = 1; j <= switch_parts && (lists() || is_fenced() || !guards_.empty()); ++j) {
            const double a = static_cast<double>(j - 1) / switch_parts, b = static_cast<double>(j) / switch_parts;
            if (a > first) break;
            move_to(t, h, step, b);
            if (!list_holds()) {
                renew_list(t, h, step);
                return first_switch(t, h, step);
            }
            if (is_fenced() && is_beyond()) {
                find_leaving(t, h, step, a, b);
                break;
            }
            for (Guard& g : guards_) g.now = sample(g);
            for (Guard& g : guards_) {
                const double part = crossing(g, t, h, step, a, b);
                if (part <= 1) pending_.push_back({g.unit, part, false, g.kind}), first = std::fmin(first, part);
                g.last = g.now;
                if (g.now.value > 0 && g.kind != tooth_guard) armed(g) = true;
            }
            if (first <= b) break;
        }
        keep_first(first);
        return first;
    }
    // How much later the first switch is than the end of a step, by its function there and its slope.
    double switch_error(double t, const std::vector<double>& y) {
        if (pending_.empty() || pending_[0].by_force || pending_[0].kind != gap_guard) return 0;
        evaluate_units(t, y.data(), false);
        const Sample s = sample(Guard{pending_[0].unit, gap_guard, {}, {}});
        return s.rate < 0 ? -s.value / s.rate : 0;
    }

  protected:
    enum GuardKind { gap_guard = 0, slip_guard, tooth_guard };
    struct Pending {
        int unit;
        double part;
        bool by_force = false;
        GuardKind kind = gap_guard;
    };
    struct Sample {
        double value = 0, rate = 0;
    };
    // A function that is positive until the mode switches: gap or penetration, the speed of slip along its direction,
    // the distance of a ratchet to its next tooth.
    struct Guard {
        int unit;
        GuardKind kind;
        Sample last, now;
    };
    std::vector<Pending> pending_;
    std::vector<Guard> guards_;
    std::vector<double> y_, dy_;

    // Lists the units near each other anew, for a step within which some travel beyond the margin.
    void renew_list(double t, double h, const DenseStep& step) {
        watch(t, step.y.data());
        double farthest = 0;
        for (int j = 1; j <= switch_parts; ++j) {
            step.state(static_cast<double>(j) / switch_parts, y_.data());
            move_links(t + j * h / switch_parts, y_.data());
            farthest = std::fmax(farthest, travel());
        }
        watch(t, step.y.data(), farthest);
    }

    // When a point leaves its fence between the fractions a and b.
    void find_leaving(double t, double h, const DenseStep& step, double a, double b) {
        for (int i = 0; i < 20; ++i) {
            const double middle = 0.5 * (a + b);
            step.state(middle, y_.data());
            move_links(t + middle * h, y_.data());
            (is_beyond() ? b : a) = middle;
            if (i > 3 && a > 0) break;
        }
        left = t + a * h;
    }
    bool slips(int k) const { return mode[k].tangent == slipping && touches(k); }
    void collect_guards() {
        guards_.clear();
        for (int k : near_) {
            if (unit[k].kind != friction_unit && mode[k].normal != resting) guards_.push_back({k, gap_guard, {}, {}});
            if (slips(k)) guards_.push_back({k, slip_guard, {}, {}});
            if (unit[k].pitch > 0 && mode[k].normal == open_gap) guards_.push_back({k, tooth_guard, {}, {}});
        }
    }
    bool& armed(const Guard& g) { return g.kind == slip_guard ? mode[g.unit].slip_armed : mode[g.unit].armed; }
    // A clutch without a gap is watched by its rate.
    bool by_rate(const Guard& g) const { return g.kind == slip_guard || unit[g.unit].kind == freewheel_unit; }
    Sample sample(const Guard& g) {
        const int k = g.unit;
        if (g.kind == tooth_guard) return {unit[k].pitch - at[k].gap, -at[k].row[0].u};
        if (g.kind == gap_guard) {
            if (unit[k].kind == freewheel_unit) return {at[k].row[0].u, 0};
            const double sense = mode[k].normal == pressed ? -1 : 1;
            return {sense * (at[k].gap - mode[k].floor), sense * at[k].row[0].u};
        }
        evaluate(k, true);
        double along[2];
        slip_speed(k, along);
        if (unit[k].kind == friction_unit || at[k].tangents == 1) return {mode[k].heading.x * along[0], 0};
        return {along[0] * dot(mode[k].heading, at[k].row[1].d) + along[1] * dot(mode[k].heading, at[k].row[2].d), 0};
    }
    void move_to(double t, double h, const DenseStep& step, double x) {
        step.state(x, y_.data());
        evaluate_units(t + x * h, y_.data(), false);
    }
    Sample value_at(const Guard& g, double t, double h, const DenseStep& step, double x) {
        step.state(x, y_.data());
        move_links(t + x * h, y_.data());
        evaluate(g.unit, false);
        return sample(g);
    }

    // Where the tangents at both ends of a short piece meet: no less than that is a function that falls and rises.
    static double lowest(const Sample& left, const Sample& right, double length) {
        const double change = right.rate - left.rate;
        const double x = change > 0 ? (left.value - right.value + right.rate * length) / change : 0;
        return left.value + left.rate * std::fmin(length, std::fmax(0, x));
    }

    // Where a function crosses zero downwards between the fractions a and b; beyond one: nowhere.
    double crossing(Guard& g, double t, double h, const DenseStep& step, double a, double b) {
        constexpr double never = 2;
        if (g.now.value > 0) {
            // It may have been below between, where it first fell and then rose.
            const bool dips = g.last.rate < 0 && g.now.rate > 0 && armed(g) && !by_rate(g);
            if (!dips || g.last.value > -g.last.rate * (b - a) * h) return never;
            double low = a, high = b;
            Sample left = g.last, right = g.now;
            for (int i = 0; i < 50; ++i) {
                const double middle = 0.5 * (low + high);
                const Sample s = value_at(g, t, h, step, middle);
                if (s.value <= 0) return root(g, t, h, step, a, middle);
                if (s.rate < 0)
                    low = middle, left = s;
                else
                    high = middle, right = s;
                if (i > 2 && lowest(left, right, (high - low) * h) > 0) return never;
            }
            return never;
        }
        if ((armed(g) || g.kind == tooth_guard) && g.last.value > 0) return root(g, t, h, step, a, b);
        // Just behind a switch: it rises from zero first.
        for (double x = b; x > a + 1e-15; x = a + 0.5 * (x - a))
            if (value_at(g, t, h, step, x).value > 0) return root(g, t, h, step, x, b);
        return g.now.value < -1e-3 * (by_rate(g) ? options_.slow : gap_tolerance) ? a : never;
    }
    // The root of a function that is positive at a and not at b: secants with bisection (Illinois).
    double root(const Guard& g, double t, double h, const DenseStep& step, double a, double b) {
        double fa = value_at(g, t, h, step, a).value, fb = value_at(g, t, h, step, b).value;
        for (int i = 0; i < 100 && b - a > 1e-15 && fb != 0; ++i) {
            double x = i % 3 == 2 ? 0.5 * (a + b) : (a * fb - b * fa) / (fb - fa);
            if (!(x > a && x < b)) x = 0.5 * (a + b);
            const double f = value_at(g, t, h, step, x).value;
            if (f > 0)
                a = x, fa = f, fb *= 0.5;
            else
                b = x, fb = f, fa *= 0.5;
        }
        return b;
    }

    // A normal force that would pull, or a stick beyond its bound, at the end of the step: where that begins. One that
    // is at its limit already, as far as the modes themselves are found, must go beyond that accuracy.
    double margin(int k) const {
        double out = HUGE_VAL;
        if (mode[k].normal == resting) out = at[k].force[0];
        if (mode[k].tangent == sticking) out = std::fmin(out, bound(k) - needed_friction(k));
        return out;
    }
    void find_force_switches(double t, double h, const DenseStep& step) {
        dy_.resize(size()), y_.resize(size());
        bool any = false;
        for (int k : near_) any = any || mode[k].normal == resting || mode[k].tangent == sticking;
        if (!any) return;
        const auto at_part = [&](int k, double x) {
            step.state(x, y_.data());
            if (rates(t + x * h, y_.data(), dy_.data()).status != done) return -1.0;
            share_forces();
            return margin(k);
        };
        std::vector<double> ends(unit.size());
        at_part(0, 1);
        const double accuracy = slack_ + mode_tolerance * largest_force();
        for (int k : near_) ends[k] = margin(k);
        for (int k : near_)
            if (ends[k] < 0) find_force_switch(k, ends[k], accuracy, at_part);
    }
    template <class Margin>
    void find_force_switch(int k, double end, double accuracy, const Margin& at_part) {
        double a = 0, b = 1, fa = at_part(k, 0);
        const double offset = fa > 10 * accuracy ? 0 : accuracy;
        double fb = end + offset;
        fa += offset;
        if (fb >= 0) return;
        const bool past = fa <= 0;  // at the start already
        for (int i = 0; fa > 0 && i < 60 && b - a > 1e-15; ++i) {
            double x = i % 3 == 2 ? 0.5 * (a + b) : (a * fb - b * fa) / (fb - fa);
            if (!(x > a && x < b)) x = 0.5 * (a + b);
            const double f = at_part(k, x) + offset;
            if (f >= 0)
                a = x, fa = f, fb *= 0.5;
            else
                b = x, fb = f, fa *= 0.5;
        }
        pending_.push_back({k, past ? 0 : fa > 0 ? b : a, true});
    }
    void keep_first(double first) {
        const auto later = [&](const Pending& p) { return p.part > first + 1e-12; };
        pending_.erase(std::remove_if(pending_.begin(), pending_.end(), later), pending_.end());
    }
};

}  // namespace mubo
