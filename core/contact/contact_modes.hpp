// The modes of all units after an event: which contacts rest, stick or slip, by the accelerations.
//
// One violated condition (a normal force that pulls, friction beyond its bound, a contact that closes, slip against its
// own acceleration) is changed at a time, the worst first; where that does not end, all at once by Coulomb's law.
#pragma once

#include "contact_impacts.hpp"

namespace mubo {

constexpr int max_mode_changes = 8;       // of every unit at one instant, one after the other
constexpr double mode_tolerance = 1e-10;  // of the largest force, and of the largest acceleration

class ContactModes : public ContactImpacts {
  public:
    using ContactImpacts::ContactImpacts;

    int tangential_impacts = 0;

  protected:
    std::vector<double> rates_;
    std::vector<int> changes_;

    // The modes of the units that are watched, in their order.
    std::vector<UnitMode> modes() const {
        std::vector<UnitMode> out;
        for (int k : near_) out.push_back(mode[k]);
        return out;
    }

    // The speed of slip of a unit: of joint friction along its coordinate.
    double slip_speed(int k, double* along) const {
        const UnitState& u = at[k];
        const int first = unit[k].kind == friction_unit ? 0 : 1, count = first ? u.tangents : 1;
        along[0] = along[1] = 0;
        for (int i = 0; i < count; ++i) along[i] = u.row[first + i].u;
        return std::hypot(along[0], along[1]);
    }
    bool has_friction(int k) const { return unit[k].kinetic_friction > 0; }
    bool touches(int k) const { return unit[k].kind == friction_unit || mode[k].normal != open_gap; }

    // The direction of slip along some components: a sense in the plane and of joints, else a vector in ground axes.
    Vector heading_of(int k, const double* along, double size) const {
        if (unit[k].kind == friction_unit || at[k].tangents == 1) return {along[0] > 0 ? 1.0 : -1.0, 0, 0};
        return (along[0] / size) * at[k].row[1].d + (along[1] / size) * at[k].row[2].d;
    }

    // Tangential modes by the velocities: what does not slip is first taken to stick.
    void refresh_tangents() {
        for (int k : near_) refresh_tangent(k);
    }
    void refresh_tangent(int k) {
        UnitMode& m = mode[k];
        if (!touches(k) || !has_friction(k)) {
            m.tangent = no_friction;
            return;
        }
        double along[2];
        const double speed = slip_speed(k, along);
        if (speed > still_)
            m.tangent = slipping, m.heading = heading_of(k, along, speed), m.slip_armed = true;
        else if (m.tangent == no_friction)
            m.tangent = sticking;
    }

    // Finds consistent modes of rest, stick and slip by the accelerations at a state: by few changes of the present
    // ones, else by forces and accelerations of all closed contacts at once.
    Fault resolve(double t, const double* y) {
        const std::vector<UnitMode> before = modes();
        Fault fault = change_modes(t, y);
        if (fault.status != no_contact_solution) return fault;
        for (size_t i = 0; i < near_.size(); ++i) mode[near_[i]] = before[i];
        fault = adopt_modes(t, y);
        return fault.status == done ? change_modes(t, y) : fault;
    }

    // Sliding contacts may press each other without bound (Painleve's paradox; of several bodies also at small
    // friction): then no forces fit, and in no time impulses end some of the sliding (tangential impact: Genot and
    // Brogliato 1999). They are those of Coulomb's law for the velocities after what the loads do in a time so short
    // that only they remain. False, and no change, where there are none.
    bool end_sliding(double t, double* y) {
        const std::vector<UnitMode> before = modes();
        for (int k : near_)
            if (closed(k)) mode[k] = {};
        const bool found = rates(t, y, rates_.data()).status == done;
        evaluate_units(t, y, true);
        accelerations_of_units(t, y);
        std::vector<double> push, slip;  // of all rows; of contacts
        double largest = 0, along[2];
        for (int k : near_) {
            if (!closed(k)) continue;
            evaluate(k, true);
            slip.push_back(slip_speed(k, along));
            for (int i = 0; i <= at[k].tangents; ++i) {
                push.push_back(acceleration_of({k, i}));
                largest = std::fmax(largest, std::fabs(push.back()));
            }
        }
        for (double& one : push) one *= 0.1 * options_.slow / std::fmax(largest, 1e-300);
        const size_t known = switches.size(), impulses = impacts.size();
        const std::vector<double> kept(y, y + size());
        bool ends = found && stop_together(t, y, push), any = false;
        for (size_t i = 0; i < near_.size(); ++i) mode[near_[i]] = before[i];
        for (size_t i = 0; ends && i < coulomb_.cone.size(); ++i) {
            const FrictionCone& c = coulomb_.cone[i];
            const int k = unknown_[c.normal].unit;
            mode[k] = {};
            if (!(coulomb_.x[c.normal] > 0)) continue;
            mode[k].normal = resting;
            any = any || (slip[i] > 10 * options_.slow && slip_speed(k, along) < 0.01 * slip[i]);
        }
        if (!ends || !any) {
            std::copy(kept.begin(), kept.end(), y);
            for (size_t i = 0; i < near_.size(); ++i) mode[near_[i]] = before[i];
            switches.resize(known), impacts.erase(impacts.begin() + impulses, impacts.end());
            evaluate_units(t, y, true);
            return false;
        }
        ++tangential_impacts;
        still_ = options_.slow;
        refresh_tangents();
        return true;
    }

    std::vector<double> acceleration_;  // of slip at rest along its direction, of open gaps along the normal
    double still_ = 0;                  // the fastest slip that is taken as none at this event

  private:
    Fault change_modes(double t, const double* y) {
        const int n = static_cast<int>(near_.size());
        changes_.assign(unit.size(), 0);
        rates_.resize(size());
        for (int count = 0; count < max_mode_changes * (n + 1); ++count) {
            const Fault fault = rates(t, y, rates_.data());
            if (fault.status != done) return fault;
            share_forces();
            const int worst = violated(t, y);
            if (worst < 0) return {};
            if (++changes_[worst] > max_mode_changes) return {no_contact_solution, worst};
            change(worst);
        }
        return {no_contact_solution, 0};
    }

    // Modes by Coulomb's law of all closed contacts together.
    Fault adopt_modes(double t, const double* y) {
        double along[2], largest = std::sqrt(dot(s_.gravity, s_.gravity));
        for (int k : near_) {
            if (unit[k].kind != friction_unit && mode[k].normal == open_gap && at_rest(k)) mode[k].normal = resting;
            refresh_tangent(k);
            if (mode[k].tangent == slipping && slip_speed(k, along) <= options_.slow) mode[k].tangent = sticking;
        }
        const Fault fault = rates(t, y, rates_.data());
        if (fault.status != done || unknown_.empty()) return fault;
        collect_cones();
        coulomb_.x.assign(unknown_.size(), 0.0);
        coulomb_.solve(solver_.G, solver_.b, solver_.size());
        for (double one : solver_.b) largest = std::fmax(largest, std::fabs(one));
        for (const FrictionCone& c : coulomb_.cone) adopt(c, adopted * largest);
        return {};
    }
    // What opens or slips has an acceleration; what is about to slip has none, but all of its friction.
    void adopt(const FrictionCone& c, double small) {
        const int k = unknown_[c.normal >= 0 ? c.normal : c.tangent].unit;
        if (c.normal >= 0 && coulomb_.w[c.normal] > small) {
            mode[k] = {};
            return;
        }
        double along[2] = {}, force[2] = {};
        for (int i = 0; i < c.tangents; ++i)
            along[i] = coulomb_.w[c.tangent + i], force[i] = -coulomb_.x[c.tangent + i];
        double size = std::hypot(along[0], along[1]);
        if (size <= small) {
            size = std::hypot(force[0], force[1]);
            if (!c.tangents || size < (1 - adopted) * coulomb_.limit(c)) return;
            std::copy(force, force + 2, along);
        }
        mode[k].heading = heading_of(k, along, size);
        mode[k].tangent = slipping, mode[k].slip_armed = false;
    }
    static constexpr double adopted = 1e-7;  // of the largest acceleration: what is slower stays closed, or sticks

    // The unit whose mode contradicts the accelerations most; -1: none.
    int violated(double t, const double* y) {
        const double largest = largest_force();
        double fastest = 1e-300;
        accelerations_of_units(t, y);
        for (int i = 0; i < s_.velocities; ++i) fastest = std::fmax(fastest, std::fabs(rates_[s_.positions + i]));
        for (int k : near_) fastest = std::fmax(fastest, std::fabs(acceleration_[k]));
        fastest = std::fmax(fastest, std::sqrt(dot(s_.gravity, s_.gravity)));
        int worst = -1;
        double most = mode_tolerance + slack_ / largest;
        for (int k : near_) {
            const double size = violation(k, largest, fastest);
            if (size > most) most = size, worst = k;
        }
        return worst;
    }
    double violation(int k, double largest, double fastest) const {
        const UnitMode& m = mode[k];
        const double* f = at[k].force;
        double out = 0;
        if (m.normal == resting) out = -f[0] / largest;
        if (m.tangent == sticking) out = std::fmax(out, (needed_friction(k) - bound(k)) / std::fmax(largest, 1e-300));
        if (m.normal == open_gap && unit[k].kind != friction_unit && at_rest(k)) out = -acceleration_[k] / fastest;
        double along[2];
        if (m.tangent == slipping && slip_speed(k, along) <= options_.slow)
            out = std::fmax(out, -acceleration_[k] / fastest);
        return out;
    }
    bool at_rest(int k) const { return closed(k) && std::fabs(at[k].row[0].u) <= rest(); }

    void accelerations_of_units(double t, const double* y) {
        std::vector<double>& state = stage_;
        state.assign(y, y + size());
        double *q = state.data(), *v = q + s_.positions;
        drive(s_, t, work_, q, v, work_.a.data());
        move(s_, q, v, rates_.data() + s_.positions, {0, 0, 0}, work_);
        acceleration_.assign(unit.size(), 0.0);
        for (int k : near_) {
            double along[2];
            if (unit[k].kind != friction_unit && mode[k].normal == open_gap && closed(k)) {
                evaluate(k, true);
                acceleration_[k] = acceleration_of({k, 0});
            } else if (mode[k].tangent == slipping && slip_speed(k, along) <= options_.slow) {
                const int first = unit[k].kind == friction_unit ? 0 : 1, count = first ? at[k].tangents : 1;
                double heading[2] = {mode[k].heading.x, 0};
                if (first) slip_heading(k, heading);
                for (int i = 0; i < count; ++i) acceleration_[k] += heading[i] * acceleration_of({k, first + i});
            }
        }
    }

    void change(int k) {
        UnitMode& m = mode[k];
        if (m.normal == open_gap && unit[k].kind != friction_unit) {
            m.normal = resting;
            refresh_tangent(k);
        } else if (m.normal == resting && at[k].force[0] < 0) {
            // A stick that pulls and exceeds its friction may slip instead: where it has opened in vain, it does.
            if (m.tangent == sticking && changes_[k] % 4 == 0 && needed_friction(k) > 0)
                start_slip(k);
            else
                m = {};
        } else if (m.tangent == sticking) {
            start_slip(k);
        } else {
            // The slip that was assumed would turn back: it sticks, or after several changes goes the other heading.
            if (changes_[k] % 4 == 3)
                m.heading = -m.heading;
            else
                m.tangent = sticking;
        }
    }

  protected:
    double largest_force() const {
        double out = 1e-300;
        for (int k : near_)
            for (double f : at[k].force) out = std::fmax(out, std::fabs(f));
        return out;
    }
    double needed_friction(int k) const {
        const double* f = at[k].force;
        return unit[k].kind == friction_unit ? std::fabs(f[0]) : std::hypot(f[1], f[2]);
    }
    double bound(int k) const {
        return unit[k].kind == friction_unit ? at[k].bound : unit[k].static_friction * at[k].force[0];
    }
    // A stick that the friction cannot hold slips against the friction that it needed.
    void start_slip(int k) {
        const double* f = at[k].force + (unit[k].kind == friction_unit ? 0 : 1);
        const double against[2] = {-f[0], unit[k].kind == friction_unit ? 0 : -f[1]};
        mode[k].heading = heading_of(k, against, needed_friction(k));
        mode[k].tangent = slipping, mode[k].slip_armed = false;
    }
};

}  // namespace mubo
