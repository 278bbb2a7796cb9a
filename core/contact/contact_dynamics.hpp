// Forward dynamics of a tree with contacts and exact friction in given modes, as rates of the state.
//
// Compliant contacts and slip in joints are forces. A resting contact and a stick are constraints J a + bias = 0 with
// unknown forces x: with the response A^-1 D of the mechanism (loops closed, drivers fixed) to each of them,
//   J A^-1 D x + J a0 + bias = 0,   D = n - mu heading of a contact that slips, else the row itself.
#pragma once
#include "dense_solve.hpp"
#include "near_units.hpp"

namespace mubo {

class ContactDynamics : public NearUnits {
  public:
    ContactDynamics(const TreeSystem& s, std::vector<Unit> units, ContactOptions options, UserForce user,
                    EventFunction watch)
        : NearUnits(s, std::move(units), options, std::move(user), std::move(watch)),
          tau_(s.velocities),
          at_rest_(s.velocities, 0.0),
          no_jump_(s.law.size(), 0.0) {
        counted_[s.states() - 2] = 1;
    }

    Fault rates(double t, const double* y, double* dy) {
        const double *q = y, *v = y + s_.positions;
        if (s_.driven) {
            std::copy(y, y + s_.positions, work_.q.begin());
            std::copy(v, v + s_.velocities, work_.v.begin());
            drive(s_, t, work_, work_.q.data(), work_.v.data(), work_.a.data());
            q = work_.q.data(), v = work_.v.data();
        }
        work_.count(s_, y);
        position_rates(s_, q, v, dy);
        const Fault fault = accelerate_in_modes(t, q, v, dy + s_.positions);
        winding_rates(s_, t, q, v, work_, dy + s_.positions + s_.velocities);
        dy[s_.states() - 2] = work_.energy.dissipated;
        dy[s_.states() - 1] = work_.energy.supplied;
        return fault;
    }

    // Efforts of contacts and exact friction at the last evaluation, slip in joints included.
    const std::vector<double>& efforts() const { return tau_; }
    double stored_energy() const {
        double sum = 0;
        for (int k : near_)
            if (mode[k].normal == pressed) sum += unit[k].law.energy(-at[k].gap);
        return sum;
    }

  protected:
    struct Unknown {
        int unit, row;
    };
    std::vector<Unknown> unknown_;
    std::vector<std::vector<double>> response_;
    ConsistentSolver solver_;
    std::vector<double> tau_, free_;
    SparseRow slipping_;
    const std::vector<double> at_rest_, no_jump_;

    bool is_angular(int k) const { return unit[k].kind != contact_unit && unit[k].turns; }

    // Sense of slip along a tangent: of a plane and of joints the one of the mode, in space by the motion itself.
    void slip_heading(int k, double* out) const {
        const UnitState& u = at[k];
        if (u.tangents < 2) {
            out[0] = mode[k].heading.x;
            return;
        }
        const double speed = std::hypot(u.row[1].u, u.row[2].u);
        for (int i = 0; i < 2; ++i)
            out[i] = speed > options_.slow ? u.row[1 + i].u / speed : dot(mode[k].heading, u.row[1 + i].d);
    }

    // Sets the sense in which the loads of exact friction act: see loads/friction.hpp.
    void set_senses() {
        for (int k : near_)
            if (unit[k].kind == friction_unit)
                own_parameter(unit[k].parameter) = mode[k].tangent == slipping ? (mode[k].heading.x > 0 ? -2 : -3) : -1;
    }

    // Change of the velocities per unit of the generalised force D, loops and drivers kept.
    Fault respond(double t, const double* q, const SparseRow& D, std::vector<double>& out) {
        const LoadEnergy energy = work_.energy;
        std::fill(work_.a.begin(), work_.a.end(), 0.0);
        pass_outward(s_, q, at_rest_.data(), {0, 0, 0}, work_);
        work_.tau.assign(s_.velocities, 0.0);
        D.add_to(1, work_.tau);
        work_.jump = no_jump_;
        out.assign(s_.velocities, 0.0);
        const Fault fault = solve(s_, t, work_, out.data());
        work_.jump.clear();
        work_.energy = energy;
        for (const Link& l : s_.link)
            if (l.law >= 0) out[l.v] = 0;
        return fault;
    }
    // The row of an unknown force, and the generalised force per unit of it.
    const UnitRow& row_of(const Unknown& u) const { return at[u.unit].row[u.row]; }
    const SparseRow& direction_of(const Unknown& u) {
        const UnitMode& m = mode[u.unit];
        if (u.row > 0 || m.tangent != slipping || unit[u.unit].kind != contact_unit) return row_of(u).J;
        slipping_ = row_of(u).J;
        double heading[2];
        slip_heading(u.unit, heading);
        for (int i = 0; i < at[u.unit].tangents; ++i)
            for (const auto& [number, value] : at[u.unit].row[1 + i].J.entry)
                slipping_.add(number, -sliding_friction(u.unit) * heading[i] * value);
        return slipping_;
    }

    // Unknown forces of the modes.
    void collect_unknowns() {
        unknown_.clear();
        for (int k : near_) {
            if (mode[k].normal == resting) unknown_.push_back({k, 0});
            if (mode[k].tangent != sticking) continue;
            if (unit[k].kind == friction_unit) unknown_.push_back({k, 0});
            for (int i = 0; i < at[k].tangents; ++i) unknown_.push_back({k, 1 + i});
        }
    }
    // G of the unknowns, with their responses.
    Fault responses(double t, const double* q) {
        const int n = static_cast<int>(unknown_.size());
        solver_.resize(n);
        if (static_cast<int>(response_.size()) < n) response_.resize(n);
        for (int k = 0; k < n; ++k) {
            const Fault fault = respond(t, q, direction_of(unknown_[k]), response_[k]);
            if (fault.status != done) return fault;
            for (int r = 0; r < n; ++r) solver_.G[r * n + k] = row_of(unknown_[r]).J.times(response_[k]);
        }
        return {};
    }

    // Responses to forces along the rows themselves.
    Fault plain_responses(double t, const double* q) {
        const int n = static_cast<int>(unknown_.size());
        solver_.resize(n);
        if (static_cast<int>(response_.size()) < n) response_.resize(n);
        for (int k = 0; k < n; ++k) {
            const Fault fault = respond(t, q, row_of(unknown_[k]).J, response_[k]);
            if (fault.status != done) return fault;
            for (int r = 0; r < n; ++r) solver_.G[r * n + k] = row_of(unknown_[r]).J.times(response_[k]);
        }
        return {};
    }

    std::vector<double> q_;

    // The coefficient of a contact at its speed of slip.
    double sliding_friction(int k) const {
        const UnitState& u = at[k];
        return unit[k].kinetic_friction *
               unit[k].stribeck_factor(u.tangents < 2 ? u.row[1].u : std::hypot(u.row[1].u, u.row[2].u));
    }
    // Friction of a contact that slips, by its normal force.
    void slip_force(int k, bool adds) {
        double heading[2];
        slip_heading(k, heading);
        for (int i = 0; i < at[k].tangents; ++i) {
            at[k].force[1 + i] = -sliding_friction(k) * at[k].force[0] * heading[i];
            if (adds) at[k].row[1 + i].J.add_to(at[k].force[1 + i], tau_);
        }
    }
    // Forces of the solution at the units.
    void set_forces() {
        for (size_t k = 0; k < unknown_.size(); ++k) {
            const Unknown& u = unknown_[k];
            at[u.unit].force[u.row] += solver_.x[k];
            if (u.row == 0 && mode[u.unit].tangent == slipping && unit[u.unit].kind == contact_unit)
                slip_force(u.unit, false);
        }
    }

  private:
    // Forces of compliant contacts at their penetration, with friction where they slip.
    void press() {
        std::fill(tau_.begin(), tau_.end(), 0.0);
        for (int k : near_) {
            UnitState& u = at[k];
            std::fill(u.force, u.force + 3, 0.0);
            if (mode[k].normal != pressed) continue;
            u.force[0] = unit[k].law.force(-u.gap, -u.row[0].u, mode[k].chi);
            u.row[0].J.add_to(u.force[0], tau_);
            if (mode[k].tangent == slipping) slip_force(k, true);
        }
    }
    Fault accelerate_in_modes(double t, const double* q, const double* v, double* a) {
        move(s_, q, v, work_.a.data(), {0, 0, 0}, work_);
        for (int k : near_)
            if (needs_rows(k)) evaluate(k, true);
        set_senses();
        press();
        Fault fault = forward_dynamics(s_, t, q, v, tau_.data(), work_, a, nullptr);
        if (fault.status != done) return fault;
        collect_unknowns();
        if (!unknown_.empty()) fault = constrain(t, q, v, a);
        account(t, v);
        return fault;
    }

    // Solves the unknown forces, then the motion with them.
    Fault constrain(double t, const double* q, const double* v, double* a) {
        move(s_, q, v, a, {0, 0, 0}, work_);
        const int n = static_cast<int>(unknown_.size());
        free_.resize(n);
        for (int r = 0; r < n; ++r) free_[r] = acceleration_of(unknown_[r]);
        Fault fault = responses(t, q);
        if (fault.status != done) return fault;
        // Friction from reactions depends on the forces: then the equation is not linear, and is corrected.
        double before = HUGE_VAL;
        for (int count = 0; count < max_friction_iterations; ++count) {
            for (int r = 0; r < n; ++r) solver_.b[r] = -free_[r];
            solver_.solve();
            add_forces();
            drive_again(t);
            fault = forward_dynamics(s_, t, q, v, tau_.data(), work_, a, nullptr);
            if (fault.status != done || s_.reaction_friction.empty()) return fault;
            move(s_, q, v, a, {0, 0, 0}, work_);
            double worst = 0;
            for (int r = 0; r < n; ++r) worst = std::fmax(worst, std::fabs(free_[r] = acceleration_of(unknown_[r])));
            if (worst >= before || worst == 0) return {};
            before = worst;
        }
        return {};
    }
    void add_forces() {
        for (size_t k = 0; k < unknown_.size(); ++k) direction_of(unknown_[k]).add_to(solver_.x[k], tau_);
        set_forces();
    }
    // Accelerations of drivers, which the responses have cleared.
    void drive_again(double t) {
        if (!s_.driven) return;
        scratch_q_.resize(s_.positions), scratch_v_.resize(s_.velocities);
        drive(s_, t, work_, scratch_q_.data(), scratch_v_.data(), work_.a.data());
    }

  protected:
    double acceleration_of(const Unknown& u) const {
        return acceleration_along(unit[u.unit], work_, at[u.unit], u.row, is_angular(u.unit)) + row_of(u).bias;
    }

  private:
    std::vector<double> scratch_q_, scratch_v_;

    // The power of contacts is no supply: what they do not store they dissipate.
    void account(double t, const double* v) {
        double power = 0, storing = 0;
        for (int i = 0; i < s_.velocities; ++i) power += tau_[i] * v[i];
        for (int k : near_)
            if (mode[k].normal == pressed) storing += unit[k].law.elastic(-at[k].gap) * -at[k].row[0].u;
        work_.energy.supplied -= power;
        work_.energy.dissipated -= power + storing;
        for (int k : near_) {
            if (unit[k].kind != friction_unit) continue;
            const double size = friction_size(unit[k].load, t);
            at[k].bound = unit[k].static_friction * (mode[k].tangent == sticking ? holding_size(k, size) : size);
            if (mode[k].tangent == slipping) {
                at[k].force[0] = -size * unit[k].stribeck_factor(at[k].row[0].u) * mode[k].heading.x;
                at[k].row[0].J.add_to(at[k].force[0], tau_);
            }
        }
    }
    // What a transmission can hold is that of the motion that threatens, against the force that holds it.
    double holding_size(int k, double size) const {
        for (size_t n = 0; n < s_.reaction_friction.size(); ++n) {
            const ReactionFriction& friction = s_.reaction_friction[n];
            if (friction.number != unit[k].load || friction.gain == 0) continue;
            const double L = work_.reaction_friction.R[n].x;
            return friction.factor(L, -at[k].force[0]) * std::fabs(L);
        }
        return size;
    }
    double friction_size(int number, double t) const {
        for (const auto* loads : {&s_.on_dof, &s_.on_links})
            for (const TreeLoad& one : *loads)
                if (one.number == number) return load_size(s_, one, t, work_.inside_span(t), work_);
        return 0;
    }
};

}  // namespace mubo
