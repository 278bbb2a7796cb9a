// Impacts of rigid contacts.
//
// Impacts at one instant are resolved one after the other, the fastest first, and those as fast as it to rounding with
// it, so that what is symmetric stays so and no order of theirs matters: with the responses r of the mechanism the
// normal impulse is P = (1 + e) |u| / (n.r), and friction stops the sliding if |T| <= mu P, else it is mu P against it.
// A rebound below `rest_speed` of the fastest impact so far, or after a flight so low that rounding hides it, is none:
// the contact rests, which ends sequences of ever shorter flights (Zeno). Where bodies pass impacts to and fro at one
// instant, ever slower ones, what is left below `faint` of the first ends at once and without rebound: impulses of all
// closed contacts with Coulomb's law (Moreau 1988), which cannot gain energy.
#pragma once
#include "contact_sharing.hpp"
#include "impact_records.hpp"

namespace mubo {

constexpr double rest_speed = 1e-8;   // of the fastest impact
constexpr double unresolved = 2e-14;  // of the size: four times the height of a flight that rounding hides
constexpr int max_impacts = 60;       // of every contact at one instant; then all end together
constexpr double faint = 1e-3;        // of the first impact of an instant
constexpr double as_fast = 1e-8;      // of the fastest impact: what differs less strikes with it
constexpr int repeated = 3;           // impacts of one contact at one instant, of which the last are faint

class ContactImpacts : public ContactSharing {
  public:
    using ContactSharing::ContactSharing;
    std::vector<SwitchRecord> switches;
    double largest_gain = 0;   // of energy that an impact would have had, which its restitution was reduced for
    int impacts_together = 0;  // instants at which impacts ended together
    bool keeps_impacts = false;
    std::vector<ImpactRecord> impacts;

  protected:
    double fastest_ = 0;
    std::vector<double> response_n_, response_t_[2];
    std::vector<double> last_impact_;

    double rest() const { return rest_speed * fastest_ + options_.slow; }
    bool closed(int k) const {
        return unit[k].kind != friction_unit && unit[k].law.rigid && at[k].gap <= gap_tolerance &&
               at[k].gap >= -1000 * gap_tolerance;
    }
    double kinetic_energy(double t, const double* y) {
        stage_.assign(y, y + size());
        return kinetic(s_, t, stage_.data(), stage_.data() + s_.positions, work_);
    }

    // Impacts of all closed rigid contacts that approach.
    Fault collide(double t, double* y) {
        const int n = static_cast<int>(near_.size());
        double first = 0;
        struck_.assign(unit.size(), 0);
        for (int count = 0; count < 100 * max_impacts * n; ++count) {
            evaluate_units(t, y, true);
            int worst = -1;
            for (int k : near_)
                if (closed(k) && at[k].row[0].u < -rest() && (worst < 0 || at[k].row[0].u < at[worst].row[0].u))
                    worst = k;
            if (worst < 0) break;
            const double speed = -at[worst].row[0].u;
            first = std::fmax(first, speed);
            const bool ends = ++struck_[worst] > max_impacts || (struck_[worst] > repeated && speed < faint * first);
            if (ends && count < max_impacts * n && stop_together(t, y)) break;
            if (count < max_impacts * n && strike_tied(t, y, worst)) continue;
            const Fault fault = strike(t, y, worst, count >= max_impacts * n);
            if (fault.status != done) return fault;
        }
        return {};
    }
    std::vector<int> struck_;  // impacts of every contact at this instant

    // The impacts of all contacts as fast as one, at once with their restitution; false, and no change, where it is
    // alone, or where the impulses are not found or would gain energy.
    bool strike_tied(double t, double* y, int worst) {
        const double speed = -at[worst].row[0].u;
        tied_.clear();
        for (int k : near_)
            if (closed(k) && at[k].row[0].u <= -speed * (1 - as_fast)) tied_.push_back(k);
        if (tied_.size() < 2) return false;
        last_impact_.resize(unit.size(), -HUGE_VAL);
        std::vector<double> push;
        for (int k : tied_) {
            const bool rests = unit[k].law.restitution * speed <= rest() || too_low(k, t, speed);
            if (unit[k].law.poisson && !rests) return false;
            push.resize(push.size() + 1 + at[k].tangents, 0.0);
            push[push.size() - 1 - at[k].tangents] = rests ? 0 : -unit[k].law.restitution * speed;
        }
        if (!stop_together(t, y, push, tied_)) return false;
        fastest_ = std::fmax(fastest_, speed);
        for (int k : tied_) last_impact_[k] = t, ++struck_[k];
        --struck_[worst];  // counted already
        return true;
    }
    std::vector<int> tied_;
    // Whether the flight since the last impact was so low that rounding hides it.
    bool too_low(int k, double t, double speed) const {
        const double size = unit[k].kind == stop_unit ? 1 + std::fabs(unit[k].limit) : 1e10 * gap_tolerance;
        return speed * (t - last_impact_[k]) < unresolved * size;
    }

    // Impulses without rebound of all closed contacts, or of these, at once, against these velocities of theirs besides
    // those in y; false, and no change, where they are not found.
    bool stop_together(double t, double* y, const std::vector<double>& push = {}, const std::vector<int>& these = {}) {
        unknown_.clear();
        coulomb_.cone.clear();
        for (int k : these.empty() ? near_ : these) {
            if (!closed(k)) continue;
            const int row = static_cast<int>(unknown_.size());
            coulomb_.cone.push_back({row, row + 1, at[k].tangents, unit[k].kinetic_friction, 0});
            for (int i = 0; i <= at[k].tangents; ++i) unknown_.push_back({k, i});
        }
        const double energy = kinetic_energy(t, y);
        evaluate_units(t, y, true);
        q_.assign(y, y + s_.positions);
        drive_positions(t, q_);
        if (plain_responses(t, q_.data()).status != done) return false;
        const int n = static_cast<int>(unknown_.size());
        for (int r = 0; r < n; ++r) solver_.b[r] = -row_of(unknown_[r]).u - (push.empty() ? 0 : push[r]);
        coulomb_.x.assign(n, 0.0);
        coulomb_.solve(solver_.G, solver_.b, n);
        for (const FrictionCone& c : coulomb_.cone)
            if (coulomb_.w[c.normal] < -rest()) return false;
        std::vector<double> change(s_.velocities, 0.0);
        for (int r = 0; r < n; ++r)
            for (int i = 0; i < s_.velocities; ++i) change[i] += coulomb_.x[r] * response_[r][i];
        const std::vector<double> v(y + s_.positions, y + s_.positions + s_.velocities);
        for (int i = 0; i < s_.velocities; ++i) y[s_.positions + i] += change[i];
        double taken = 0;
        for (const FrictionCone& c : coulomb_.cone) {
            const UnitState& u = at[unknown_[c.normal].unit];
            taken += taken_by(u, &coulomb_.x[c.normal], change);
        }
        if (!push.empty() && !(taken > 0) && (these.empty() || taken < -1e-12 * energy)) {
            std::copy(v.begin(), v.end(), y + s_.positions);
            return false;
        }
        const double supplied = s_.law.empty() ? 0 : kinetic_energy(t, y) - energy + taken;
        y[s_.states() - 2] += s_.law.empty() ? energy - kinetic_energy(t, y) : taken;
        y[s_.states() - 1] += supplied;
        if (these.empty()) ++impacts_together;
        std::vector<double> state(y, y + size());
        std::copy(v.begin(), v.end(), state.begin() + s_.positions);
        for (const FrictionCone& c : coulomb_.cone) record_stop(t, state, change, c);
        evaluate_units(t, y, true);
        return true;
    }
    // Records the impulse of one contact among others; adds what it changes alone to the velocities of the state.
    void record_stop(double t, std::vector<double>& state, const std::vector<double>& change, const FrictionCone& c) {
        const int k = unknown_[c.normal].unit;
        const UnitState& u = at[k];
        double P[3] = {};
        std::copy_n(&coulomb_.x[c.normal], 1 + u.tangents, P);
        if (!(P[0] > 0)) return;
        const std::vector<double> before(state.begin() + s_.positions, state.begin() + s_.positions + s_.velocities);
        for (int r = 0; r <= u.tangents; ++r)
            for (int i = 0; i < s_.velocities; ++i) state[s_.positions + i] += P[r] * response_[c.normal + r][i];
        if (keeps_impacts) keep_impact(k, state.data(), before, P);
        const double tangential = u.tangents == 1 ? P[1] : std::hypot(P[1], P[2]), slip = slip_along(u, P),
                     after = u.row[0].u + u.row[0].J.times(change);
        double slips = 0;  // after, along the tangential impulse
        for (int i = 1; i <= u.tangents; ++i)
            slips += (u.row[i].u + u.row[i].J.times(change)) * (u.tangents == 1 ? 1 : P[i]);
        if (u.tangents == 2) slips /= std::fmax(tangential, 1e-300);
        switches.push_back(
            {t, k, impact_switch, u.row[0].u, after, P[0], tangential, taken_by(u, P, change), slip, slips});
    }

    // The impulse of one contact: changes the velocities in y, dissipates energy.
    Fault strike(double t, double* y, int k, bool without_rebound) {
        const Unit& own = unit[k];
        UnitState& u = at[k];
        last_impact_.resize(unit.size(), -HUGE_VAL);
        const double before = u.row[0].u, energy = kinetic_energy(t, y);
        evaluate_units(t, y, true);
        fastest_ = std::fmax(fastest_, -before);
        std::vector<double> q(y, y + s_.positions);
        drive_positions(t, q);
        Fault fault = respond(t, q.data(), u.row[0].J, response_n_);
        for (int i = 0; i < u.tangents && fault.status == done; ++i)
            fault = respond(t, q.data(), u.row[1 + i].J, response_t_[i]);
        if (fault.status != done) return fault;
        if (!(u.row[0].J.times(response_n_) > 0)) return {zero_inertia, -1};
        const bool rests = own.law.restitution * -before <= rest() || too_low(k, t, -before);
        last_impact_[k] = t;
        double e = without_rebound || rests ? 0 : own.law.restitution;
        const std::vector<double> v(y + s_.positions, y + s_.positions + s_.velocities);
        double P[3], lost = 0, supplied = 0;
        for (int tries = 0; tries < 60; ++tries) {
            impulse(k, e, P);
            std::vector<double> change(s_.velocities);
            for (int i = 0; i < s_.velocities; ++i) {
                change[i] = P[0] * response_n_[i];
                for (int j = 0; j < u.tangents; ++j) change[i] += P[1 + j] * response_t_[j][i];
                y[s_.positions + i] = v[i] + change[i];
            }
            supplied = kinetic_energy(t, y) - energy;
            lost = -supplied;
            if (!s_.law.empty()) lost = taken_by(u, P, change);  // a driver that moves does work at the impact
            supplied += lost;
            if (lost >= -1e-12 * energy || e == 0) break;
            largest_gain = std::fmax(largest_gain, -lost);
            e = tries > 50 ? 0 : 0.8 * e;  // energy is never gained
        }
        if (keeps_impacts) keep_impact(k, y, v, P);
        y[s_.states() - 2] += lost;
        y[s_.states() - 1] += supplied;
        const double slip = slip_along(u, P);
        evaluate_units(t, y, true);
        const double tangential = u.tangents == 1 ? P[1] : std::hypot(P[1], P[2]);
        switches.push_back({t, k, impact_switch, before, u.row[0].u, P[0], tangential, lost, slip, slip_along(u, P)});
        return {};
    }
    // Energy that impulses take: half of them times the velocities before and after along them (Kelvin and Tait).
    static double taken_by(const UnitState& u, const double* P, const std::vector<double>& change) {
        double sum = 0;
        for (int i = 0; i <= u.tangents; ++i) sum -= P[i] * (u.row[i].u + 0.5 * u.row[i].J.times(change));
        return sum;
    }
    // The velocity of slip along a tangential impulse; in the plane along the tangent.
    static double slip_along(const UnitState& u, const double* P) {
        const double size = std::hypot(P[1], P[2]);
        if (u.tangents < 2 || !(size > 0)) return u.tangents ? u.row[1].u : 0;
        return (P[1] * u.row[1].u + P[2] * u.row[2].u) / size;
    }
    void drive_positions(double t, std::vector<double>& q) {
        std::vector<double> v(s_.velocities), a(s_.velocities);
        drive(s_, t, work_, q.data(), v.data(), a.data());
    }

    void keep_impact(int k, const double* y, const std::vector<double>& before, const double* P) {
        const UnitState& u = at[k];
        ImpactRecord one{switches.size(), k, {y, y + size()}, {y + s_.positions, y + s_.positions + s_.velocities}};
        std::copy(before.begin(), before.end(), one.state.begin() + s_.positions);
        one.c = u.c;
        for (int i = 0; i <= u.tangents; ++i) one.P = one.P + P[i] * u.row[i].d;
        impacts.push_back(std::move(one));
    }

    // Normal and tangential impulses with restitution e: of velocities (Newton), or of the impulse (Poisson), whose
    // second phase returns e times the normal impulse of the compression.
    void impulse(int k, double e, double* P) {
        const UnitState& u = at[k];
        const bool poisson = unit[k].law.poisson;
        newton_impulse(u, poisson ? 0 : e, unit[k].kinetic_friction, P);
        if (poisson && e > 0) expand(u, e * P[0], unit[k].kinetic_friction, P);
    }
    // Adds the impulse R of the restitution phase, with Coulomb's law for the tangential one.
    void expand(const UnitState& u, double R, double mu, double* P) {
        const double compressed[3] = {P[0], P[1], P[2]};
        P[0] += R;
        const int n = u.tangents;
        if (!n) return;
        const auto G = [&](int r, int k) { return u.row[r].J.times(k == 0 ? response_n_ : response_t_[k - 1]); };
        double slip[2] = {};
        solver_.resize(n);
        for (int i = 0; i < n; ++i) {
            slip[i] = u.row[1 + i].u;
            for (int j = 0; j <= n; ++j) slip[i] += G(1 + i, j) * compressed[j];
            for (int j = 0; j < n; ++j) solver_.G[i * n + j] = G(1 + i, 1 + j);
            solver_.b[i] = -slip[i] - G(1 + i, 0) * R;
        }
        solver_.solve();
        const double T = std::hypot(solver_.x[0], n > 1 ? solver_.x[1] : 0), speed = std::hypot(slip[0], slip[1]);
        const bool slides = speed > rest();
        for (int i = 0; i < n; ++i) {
            const double along = slides ? -slip[i] / speed : solver_.x[i] / std::fmax(T, 1e-300);
            P[1 + i] += T <= mu * R ? solver_.x[i] : mu * R * along;
        }
    }
    void newton_impulse(const UnitState& u, double e, double mu, double* P) {
        const double Gnn = u.row[0].J.times(response_n_), wanted = -(1 + e) * u.row[0].u;
        P[0] = wanted / Gnn, P[1] = P[2] = 0;
        if (!u.tangents) return;
        const int n = 1 + u.tangents;
        solver_.resize(n);
        for (int r = 0; r < n; ++r)
            for (int k = 0; k < n; ++k)
                solver_.G[r * n + k] = u.row[r].J.times(k == 0 ? response_n_ : response_t_[k - 1]);
        solver_.b[0] = wanted;
        for (int i = 1; i < n; ++i) solver_.b[i] = -u.row[i].u;
        solver_.solve();
        const double T = std::hypot(solver_.x[1], n > 2 ? solver_.x[2] : 0),
                     speed = std::hypot(u.row[1].u, n > 2 ? u.row[2].u : 0);
        if (T <= mu * solver_.x[0]) {
            std::copy(solver_.x.begin(), solver_.x.end(), P);
            return;
        }
        double heading[2], coupled = Gnn;
        for (int i = 0; i < u.tangents; ++i) {
            heading[i] = speed > options_.slow ? u.row[1 + i].u / speed : -solver_.x[1 + i] / T;
            coupled -= mu * heading[i] * solver_.G[1 + i];
        }
        P[0] = coupled > 0 ? wanted / coupled : wanted / Gnn;
        for (int i = 0; i < u.tangents; ++i) P[1 + i] = -mu * heading[i] * P[0];
    }
};

}  // namespace mubo
