// A tree with its loops as the problem that integrate/run.hpp solves: rates, projected states, singular positions.
#pragma once
#include <functional>
#include <utility>

#include "../integrate/event.hpp"
#include "../tree/dynamics.hpp"
#include "../tree/impulse.hpp"
#include "singularity_crossing.hpp"

namespace mubo {

// The user function of an event: its number, how many times, times, states, their width, results.
using EventFunction = std::function<void(int, int, const double*, const double*, int, double*)>;

// A tree as a system of differential equations in q, v, counted turns, energy dissipated, energy supplied.
class TreeProblem {
  public:
    TreeProblem(const TreeSystem& s, UserForce user, EventFunction watch)
        : s_(s), work_(s), watch_(std::move(watch)), counted_(s.states(), 1), owner_(s.states(), -1) {
        for (int k = 0; k < s.links(); ++k) {
            const Link& l = s.link[k];
            for (int i = 0; i < kind_positions[l.kind]; ++i) owner_[l.q + i] = k, counted_[l.q + i] = l.law < 0;
            for (int i = 0; i < kind_velocities[l.kind]; ++i)
                owner_[s.positions + l.v + i] = k, counted_[s.positions + l.v + i] = l.law < 0;
        }
        drives_.assign(s.law.size(), 0);
        for (const Link& l : s.link)
            if (l.law >= 0) drives_[l.law] = 1;
        for (int k : s.loop_closure ? s.loop_closure->laws() : std::vector<int>{})
            if (k >= 0) drives_[k] = 1;
        work_.user = std::move(user);
        for (int k = 0; k < s.windings(); ++k) counted_[s.positions + s.velocities + k] = 0;
        const bool exchanges = s.exchanges || work_.user;
        counted_[s.states() - 2] = counted_[s.states() - 1] = exchanges;
    }

    int size() const { return s_.states(); }
    bool counted(int i) const { return counted_[i]; }
    int owner(int i) const { return owner_[i]; }
    void span(double from, double to) { work_.from = from, work_.to = to; }

    // Near a singular position stages are first projected onto the loop equations.
    Fault rates(double t, const double* y, double* dy) {
        if (s_.loop_closure && crossing_.projects) {
            stage_.assign(y, y + size());
            const double taken = work_.loops.taken;
            const Fault fault = project_state(t, stage_.data());
            work_.loops.taken = taken;
            if (fault.status != done) return fault;
            y = stage_.data();
        }
        const Fault fault = state_rates(s_, t, y, work_, dy);
        if (s_.loop_closure) crossing_.stage(t, singularity_measure());
        return fault;
    }
    bool is_noise(double error) { return s_.loop_closure && crossing_.is_noise(error); }
    double followed() { return s_.loop_closure ? crossing_.followed() : 1; }
    double shorter() const { return crossing_.straddles ? 0.7 : 1; }
    double plan(double t, double h) {
        if (!s_.loop_closure) return h;
        if (!weak_.empty()) exchange_rows(t);
        return crossing_.plan(t, h);
    }

    double growth() const { return s_.loop_closure ? 2 : 6; }
    double taken() const { return work_.loops.taken; }

    // Normalises quaternions and their rates (null: none), sets driven entries from their laws, closes the loops.
    Fault project(double t, double* y, double* dy) {
        for (const Link& l : s_.link) {
            if (l.kind != ball) continue;
            const double k = 1 / std::sqrt(square(quaternion_at(y + l.q)));
            for (int i = l.q; i < l.q + 4; ++i) {
                y[i] *= k;
                if (dy) dy[i] *= k;
            }
        }
        if (!s_.loop_closure) {
            drive(s_, t, work_, y, y + s_.positions, work_.a.data());
            return {};
        }
        const double taken = work_.loops.taken;
        Fault fault = project_state(t, y);
        if (!dy) work_.loops.taken = taken;  // an output only: the motion itself is not changed
        if (fault.status != done || !dy) return fault;
        fault = state_rates(s_, t, y, work_, dy);
        reached_ = {t, singularity_measure(), work_.loops.weakest_row};
        weak_.clear();
        if (reached_.s < crossing_weak && s_.reaction_friction.empty()) weak_.assign(y, y + size());
        return fault;
    }
    // Starts the span from t to `to`; where rates of drivers jump, the undriven bodies receive an impulse.
    Fault pass_corner(double t, double to, double* y) {
        std::vector<double> before(s_.law.size()), after(s_.law.size());
        law_rates(s_, t, work_, before.data());
        span(t, to);
        law_rates(s_, t, work_, after.data());
        for (size_t k = 0; k < s_.law.size(); ++k)
            if (!drives_[k]) after[k] = before[k];
        if (!find_jumps(s_, before, after)) return {};
        work_.jump = after;
        work_.count(s_, y);
        double gained = 0;
        const Fault fault = apply_impulse(s_, t, y, y + s_.positions, work_, &gained);
        y[s_.states() - 1] += gained;
        impulses.push_back({t, gained});
        return fault.status == done ? project(t, y, nullptr) : fault;
    }
    std::vector<std::pair<double, double>> impulses;  // times, and the energy that they supplied

    // The function of an event at states that need not be projected.
    void event_values(const Event& e, int count, const double* t, const double* y, double* out) {
        if (e.number < 0) return watch_(e.index, count, t, y, size(), out);
        for (int k = 0; k < count; ++k) {
            std::vector<double>& state = stage_;
            state.assign(y + k * size(), y + (k + 1) * size());
            double *q = state.data(), *v = q + s_.positions;
            drive(s_, t[k], work_, q, v, work_.a.data());
            work_.count(s_, q);
            move(s_, q, v, work_.a.data(), {0, 0, 0}, work_);
            read_sensors(s_, t[k], q, v, s_.event_sensors, work_);
            out[k] = value_of(s_, e.number, t[k], work_);
        }
    }

    // Accepts the step that ends at the last projected state.
    bool accept() { return s_.loop_closure && crossing_.reach(reached_.t, reached_.s, reached_.row); }
    // Nothing switches within a step of a tree without contact.
    static constexpr bool has_switches = false;
    Fault stuck() const { return crossing_.stuck() ? Fault{singular_loop, crossing_.row()} : Fault{}; }
    // state(part) fills y with the state at a part of the step that passed a singular position.
    template <class State>
    void locate(double t, double h, double* y, State&& state) {
        const double taken = work_.loops.taken;
        crossing_.locate(t, h, [&](double part) {
            state(part);
            return project_state(t + part * h, y).status == done ? singularity_measure() : 0;
        });
        const double at = crossing_.times.back();
        state((at - t) / h);
        if (project_state(at, y).status == done && s_.loop_closure->full_rank(s_, at, y, work_)) crossing_.withdraw();
        work_.loops.taken = taken;
    }
    const CrossingPlan& crossing() const { return crossing_; }

  protected:
    struct Reached {
        double t, s;
        int row;
    };
    const TreeSystem& s_;
    TreeWork work_;
    CrossingPlan crossing_;
    Reached reached_{};
    EventFunction watch_;
    std::vector<double> stage_, weak_;    // weak_: the last state where rows become dependent; else empty
    std::vector<char> counted_, drives_;  // of entries of the state; of laws
    std::vector<int> owner_;

    // Exchanges rows that become dependent for others. Friction keeps its rows, because it depends on how they share
    // the load.
    void exchange_rows(double t) {
        const double taken = work_.loops.taken;
        const double weakest = reached_.s * reached_.s;
        if (s_.loop_closure->exchange_rows(s_, t, weak_.data(), weakest, work_) &&
            project_state(t, weak_.data()).status == done)
            crossing_.restart(t, singularity_measure(), work_.loops.weakest_row);
        work_.loops.taken = taken;
        weak_.clear();
    }
    double singularity_measure() const { return std::sqrt(std::fmax(work_.loops.weakest, 0.0)); }
    Fault project_state(double t, double* y) {
        drive(s_, t, work_, y, y + s_.positions, work_.a.data());
        return s_.loop_closure->project(s_, t, y, y + s_.positions, work_);
    }
};

}  // namespace mubo
