// A tree with contacts as the problem that integrate/run.hpp solves: where its modes switch, and what follows there.
// The step is repeated to end at the first switch, so that the state there has the accuracy of the method itself.
#pragma once
#include <array>

#include "contact_guards.hpp"

namespace mubo {

constexpr int max_switches_at_once = 200;  // at one instant: more never end

class ContactProblem : public ContactGuards {
  public:
    using ContactGuards::ContactGuards;
    static constexpr bool has_switches = true;

    bool is_noise(double) { return false; }
    double followed() { return 1; }
    double shorter() const { return 1; }
    double plan(double, double h) { return h; }
    bool accept() { return false; }
    Fault stuck() const { return left < HUGE_VAL ? Fault{event_stop, -1} : Fault{}; }

    // Positions and velocities on the loops, on resting contacts and on sticks.
    Fault project(double t, double* y, double* dy) {
        Fault fault = TreeProblem::project(t, y, nullptr);
        if (fault.status != done) return fault;
        evaluate_units(t, y, true);
        collect_unknowns();
        if (!unknown_.empty()) {
            fault = close_contacts(t, y);
            if (fault.status != done) return fault;
        }
        return dy ? rates(t, y, dy) : Fault{};
    }
    Fault pass_corner(double t, double to, double* y) {
        const Fault fault = TreeProblem::pass_corner(t, to, y);
        if (fault.status != done) return fault;
        return settle(t, y, true);
    }

    // What a run that goes on with a motion takes over of it.
    struct Memory {
        std::vector<UnitMode> mode;
        std::vector<double> last_impact;
        double fastest = 0;
    };
    void resume(Memory&& of) {
        mode = std::move(of.mode), last_impact_ = std::move(of.last_impact), fastest_ = of.fastest, resumes_ = true;
    }
    Memory memory() const { return {mode, last_impact_, fastest_}; }

    // The modes at the start.
    Fault begin(double t, double* y) {
        watch(t, y);
        evaluate_units(t, y, true);
        if (resumes_) return {};
        for (int k : near_)  // a ratchet begins at the last tooth that it has passed
            if (unit[k].pitch > 0) {
                unit[k].limit += unit[k].sense * unit[k].pitch * std::floor(at[k].gap / unit[k].pitch + 1e-9);
                evaluate(k, true);
            }
        for (int k : near_)
            if (unit[k].kind != friction_unit && !unit[k].law.rigid && at[k].gap < 0)
                mode[k].normal = pressed, mode[k].started = t, mode[k].armed = true;
        return settle(t, y, false);
    }

    // Changes the modes at the end of a step that ends at a switch, with impulses to the velocities in y.
    Fault pass_switch(double t, double* y) {
        count_ = t - last_switch_ <= 1e-13 * std::fabs(t) ? count_ + 1 : 0;
        last_switch_ = t;
        if (count_ > max_switches_at_once) return {no_contact_solution, pending_.empty() ? 0 : pending_[0].unit};
        evaluate_units(t, y, true);
        const std::vector<UnitMode> before = modes();
        for (const Pending& p : pending_) switch_unit(t, p);
        return settle(t, y, true, &before);
    }

    // Records an output: accelerations, efforts of contacts, stored energy, and of units gap, contact point, normal and
    // tangents with their velocities, normal force, friction along two tangents, its bound, its modes, and whether the
    // motion determines its forces. Of the units of an element those are recorded that have forces or are no surfaces,
    // and the nearest.
    void put(double t, const double* y) {
        rates_.resize(size());
        rates(t, y, rates_.data());
        share_forces();
        find_determined();
        const auto efforts = tau_;
        const double stored = stored_energy();
        table.insert(table.end(), rates_.begin() + s_.positions, rates_.begin() + s_.positions + s_.velocities);
        table.insert(table.end(), efforts.begin(), efforts.end());
        table.push_back(stored);
        std::vector<std::array<double, 4>> forces(unit.size());
        for (int k : near_) forces[k] = {at[k].force[0], at[k].force[1], at[k].force[2], bound(k)};
        for (int k : units_to_record(t, y)) record(k, forces[k].data(), determined_[k]);
        ++rows;
    }
    // Records a unit of the present output.
    void record(int k, const double* forces, int determined) {
        evaluate(k, true);
        const UnitState& u = at[k];
        recorded.push_back(rows), recorded.push_back(k);
        for (double x : {u.gap, u.c.x, u.c.y, u.c.z}) units_table.push_back(x);
        for (int i = 0; i < 3; ++i) {
            const Vector d = i <= u.tangents ? u.row[i].d : Vector{0, 0, 0};
            for (double x : {d.x, d.y, d.z, i <= u.tangents ? u.row[i].u : 0.0}) units_table.push_back(x);
        }
        units_table.insert(units_table.end(), forces, forces + 4);
        units_table.push_back(mode[k].normal), units_table.push_back(mode[k].tangent);
        units_table.push_back(determined);
    }
    static constexpr int unit_width = 23;
    size_t row_width() const { return 2 * s_.velocities + 1; }
    std::vector<double> table, units_table;  // of every output; of every unit recorded
    std::vector<int> recorded;               // row and number of each
    int rows = 0;

  private:
    double last_switch_ = -HUGE_VAL;
    int count_ = 0;
    bool resumes_ = false;

    std::vector<int> units_to_record(double t, const double* y) {
        move_links(t, y);
        std::vector<int> out, nearest(unit.size(), -1);
        for (int k = 0; k < static_cast<int>(unit.size()); ++k) {
            evaluate(k, false);
            int& first = nearest[unit[k].element];
            if (first < 0 || at[k].gap < at[first].gap) first = k;
        }
        for (int k = 0; k < static_cast<int>(unit.size()); ++k)
            if (needs_rows(k) || unit[k].kind != contact_unit || at[k].gap < 0 || nearest[unit[k].element] == k)
                out.push_back(k);
        return out;
    }

    void switch_unit(double t, const Pending& p) {
        UnitMode& m = mode[p.unit];
        const Unit& own = unit[p.unit];
        if (p.by_force) {
            rates_.resize(size());
            // What does not stick has its normal force as its only margin, also where rounding leaves it above zero.
            if (m.normal == resting && (m.tangent != sticking || at[p.unit].force[0] <= needed_friction(p.unit)))
                m = {};
            else
                start_slip(p.unit);
        } else if (p.kind == slip_guard) {
            m.tangent = sticking;
        } else if (p.kind == tooth_guard) {
            unit[p.unit].limit += unit[p.unit].sense * unit[p.unit].pitch;
        } else if (m.normal == pressed) {
            m = {};
        } else if (!own.law.rigid) {
            m = {};
            m.normal = pressed, m.started = t;
            m.chi = own.law.factor(-at[p.unit].row[0].u);
        }
    }

    // Impacts, then consistent modes at a state whose gaps are known; reports what changed.
    Fault settle(double t, double* y, bool report, const std::vector<UnitMode>* old = nullptr) {
        const std::vector<UnitMode> before = old ? *old : modes();
        const size_t known = switches.size();
        Fault fault = collide(t, y);
        if (fault.status != done) return fault;
        still_ = switches.size() > known ? rest() : options_.slow;  // impacts leave slips of their own accuracy
        evaluate_units(t, y, true);
        for (int k : near_) {
            if (unit[k].kind == friction_unit || !unit[k].law.rigid) continue;
            const bool rests = closed(k) && std::fabs(at[k].row[0].u) <= rest() && !parted(k);
            if (rests && mode[k].normal == open_gap) mode[k].normal = resting;
            if (mode[k].normal == resting && at[k].row[0].u > rest()) mode[k] = {};
        }
        stop_slow_slips();
        refresh_tangents();
        for (bool low = true; low;) {
            fault = stop_what_rests(t, y);
            if (fault.status != done) return fault;
            still_ = options_.slow;
            fault = resolve(t, y);
            low = fault.status == no_contact_solution && report && end_sliding(t, y);
            if (low) continue;
            if (fault.status != done) return fault;
            low = end_low_flights();
        }
        fault = project(t, y, nullptr);
        evaluate_units(t, y, true);
        for (int k : near_) {
            if (mode[k].normal != open_gap || unit[k].kind == friction_unit) continue;
            mode[k].armed = at[k].gap > gap_tolerance;  // in flight while others meet, its own fall counts
            mode[k].floor = unit[k].law.rigid ? std::fmin(at[k].gap, 0) : 0;
        }
        if (report) report_changes(t, before);
        return fault;
    }
    // What rests has no velocity left along its normal; after impacts what sticks has none along its tangents.
    Fault stop_what_rests(double t, double* y) {
        collect_unknowns();
        const auto other = [&](const Unknown& u) {
            return unit[u.unit].kind == friction_unit || (u.row > 0 && still_ <= options_.slow);
        };
        unknown_.erase(std::remove_if(unknown_.begin(), unknown_.end(), other), unknown_.end());
        if (unknown_.empty()) return {};
        const double before = kinetic_energy(t, y);
        evaluate_units(t, y, true);
        const Fault fault = correct(t, y, false);
        const double gain = kinetic_energy(t, y) - before;
        y[s_.states() - 1] += s_.law.empty() ? 0 : gain;  // drivers that move carry along what comes to rest on them
        y[s_.states() - 2] -= s_.law.empty() ? gain : 0;
        evaluate_units(t, y, true);
        return fault;
    }
    // Flights so low that rounding hides them are none.
    bool end_low_flights() {
        bool any = false;
        for (int k : near_) {
            if (mode[k].normal != open_gap || !closed(k) || !(acceleration_[k] < 0)) continue;
            const double u = at[k].row[0].u;
            if (u < 0 || 2 * u * u > -acceleration_[k] * unresolved * 1e10 * gap_tolerance) continue;
            mode[k].normal = resting, any = true;
            refresh_tangent(k);
        }
        return any;
    }
    // Slips that end at the same instant as others, up to rounding: they are taken to stick too.
    void stop_slow_slips() {
        double along[2];
        for (int k : near_)
            if (slips(k) && mode[k].slip_armed && slip_speed(k, along) <= still_) mode[k].tangent = sticking;
    }
    // Opened by its force in this very switch.
    bool parted(int k) const {
        for (const Pending& p : pending_)
            if (p.unit == k && p.by_force && mode[k].normal == open_gap) return true;
        return false;
    }
    void report_changes(double t, const std::vector<UnitMode>& before) {
        for (size_t i = 0; i < near_.size(); ++i) {
            const int k = near_[i];
            const UnitMode &a = before[i], &b = mode[k];
            const auto tell = [&](int kind) { switches.push_back({t, k, kind, at[k].row[0].u, at[k].row[0].u}); };
            if (a.normal == open_gap && b.normal == pressed) tell(touch_switch);
            if (a.normal == open_gap && b.normal == resting) tell(rest_switch);
            if (a.normal != open_gap && b.normal == open_gap) tell(part_switch);
            if (a.tangent != sticking && b.tangent == sticking && a.tangent == slipping) tell(stick_switch);
            if (a.tangent == sticking && b.tangent == slipping) tell(slip_switch);
        }
    }

    // Newton's method on the gaps of resting contacts, then the velocities of all constraints.
    Fault close_contacts(double t, double* y) {
        for (int count = 0; count < 3; ++count) {
            double worst = 0;
            for (const Unknown& u : unknown_)
                if (is_position(u)) worst = std::fmax(worst, std::fabs(at[u.unit].gap));
            if (worst <= 1e-4 * gap_tolerance) break;
            const Fault fault = correct(t, y, true);
            if (fault.status != done) return fault;
        }
        return correct(t, y, false);
    }
    bool is_position(const Unknown& u) const { return u.row == 0 && unit[u.unit].kind != friction_unit; }
    Fault correct(double t, double* y, bool positions) {
        q_.assign(y, y + s_.positions);
        drive_positions(t, q_);
        const std::vector<Unknown> all = unknown_;
        if (positions)
            unknown_.erase(std::remove_if(unknown_.begin(), unknown_.end(), [&](auto& u) { return !is_position(u); }),
                           unknown_.end());
        Fault fault = plain_responses(t, q_.data());
        if (fault.status != done) return fault;
        for (size_t r = 0; r < unknown_.size(); ++r)
            solver_.b[r] = positions ? -at[unknown_[r].unit].gap : -row_of(unknown_[r]).u;
        solver_.solve();
        dx_.assign(s_.velocities, 0.0);
        for (size_t r = 0; r < unknown_.size(); ++r)
            for (int i = 0; i < s_.velocities; ++i) dx_[i] += solver_.x[r] * response_[r][i];
        if (positions)
            move_positions(s_, dx_.data(), y);
        else
            for (int i = 0; i < s_.velocities; ++i) y[s_.positions + i] += dx_[i];
        unknown_ = all;
        if (!positions) return {};
        fault = TreeProblem::project(t, y, nullptr);
        evaluate_units(t, y, true);
        return fault;
    }
    std::vector<double> dx_;
};

}  // namespace mubo
