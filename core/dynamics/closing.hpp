// A tree with its loops: which rows are independent, accelerations, and states moved onto the loops.
//
// Settling (coordinate projection; Eich 1993; Hairer and Wanner 1996, VII.2): Newton with a fresh factor each time
// until the gap is rounding, then one solve for the velocities. Both corrections are the least in the metric of the
// masses.
#pragma once
#include <memory>
#include <utility>

#include "closed.hpp"
#include "gaps.hpp"

namespace mubo {

class ClosedTree final : public Closing {
  public:
    ClosedTree(const TreeSystem& s, std::unique_ptr<LoopRows> rows)
        : rows_(std::move(rows)), active_(rows_->equations, 1), plan_(Planner(s, rows_->end, active_).made()) {}

    const LoopRows& rows() const { return *rows_; }
    const std::vector<char>& active() const { return active_; }

    // Leaves out the rows that depend on others at q, which must be closed.
    Fault choose(const TreeSystem& s, double t, const double* q, TreeWork& work) {
        const std::vector<double> rest(s.velocities, 0.0);
        place(s, t, q, rest.data(), work);
        work.loops.least = redundant_row;
        std::vector<double> x(s.velocities, 0.0);
        const Fault fault = correct(s, work.loops.phi, work, x.data());
        work.loops.least = LoopWork{}.least;
        if (fault.status != done) return fault;
        for (int r = 0; r < rows_->equations; ++r) active_[r] = work.loops.part[r] > redundant_row;
        plan_ = Planner(s, rows_->end, active_).made();
        work.loops.phi.clear();  // its room has another size now
        return {};
    }

    Fault accelerate(const TreeSystem& s, double t, TreeWork& work, double* a) const override {
        make_room(work.loops);
        rows_->evaluate(s, t, work, work.loops);
        const Fault fault = solve_closed(s, plan_, *rows_, work.loops.bias, work, a);
        for (int r = 0; r < rows_->equations; ++r) work.energy.supplied -= work.loops.lam[r] * work.loops.nu[r];
        return fault;
    }

    std::vector<int> laws() const override { return rows_->law; }
    Vector carried(int link, const TreeWork& work) const override {
        Vector f{0, 0, 0};
        for (const OpenRow& o : plan_.at[link + 1].open) f += work.loops.lam[o.row] * work.loops.K[o.slot].f;
        return f;
    }

    Fault settle(const TreeSystem& s, double t, double* q, double* v, TreeWork& work) const override {
        const Fault fault = settle_positions(s, t, q, v, work);
        if (fault.status != done) return fault;
        LoopWork& w = work.loops;
        std::vector<double> x(s.velocities, 0.0);
        const std::vector<double> rate = w.rate;
        const Fault found = correct(s, rate, work, x.data());
        for (int k = 0; k < s.velocities; ++k) v[k] += x[k];
        for (int r = 0; r < rows_->equations; ++r) w.taken += 0.5 * w.lam[r] * rate[r];
        return found;
    }

    // Gaps and their rates at a motion, in work.loops.
    void place(const TreeSystem& s, double t, const double* q, const double* v, TreeWork& work) const {
        make_room(work.loops);
        move(s, q, v, work.a.data(), {0, 0, 0}, work);
        rows_->evaluate(s, t, work, work.loops);
    }

  private:
    std::unique_ptr<LoopRows> rows_;
    std::vector<char> active_;
    RowPlan plan_;

    void make_room(LoopWork& w) const {
        const size_t m = rows_->equations;
        if (w.phi.size() == m && w.K.size() == static_cast<size_t>(plan_.slots)) return;
        for (auto* numbers : {&w.phi, &w.rate, &w.nu, &w.bias, &w.c, &w.lam, &w.diagonal, &w.size, &w.part})
            numbers->assign(m, 0.0);
        w.motion.assign(3 * rows_->law.size(), 0.0);
        w.end.assign(most_bodies * m, Wrench{{0, 0, 0}, {0, 0, 0}});
        w.K.resize(plan_.slots);
        w.y.resize(plan_.slots);
        w.L.resize(plan_.entries);
    }

    // x with M x + J'lam = 0 and J x + c = 0, at the poses in `work`.
    Fault correct(const TreeSystem& s, const std::vector<double>& c, TreeWork& work, double* x) const {
        for (int i = 0; i < s.links(); ++i) {
            take_inertia(s.link[i], work.of(i));
            work.of(i).p = {{0, 0, 0}, {0, 0, 0}};
        }
        work.entry[0].p = {{0, 0, 0}, {0, 0, 0}};
        std::fill(work.tau.begin(), work.tau.end(), 0.0);
        return solve_closed(s, plan_, *rows_, c, work, x);
    }

    std::pair<double, int> gap(const LoopWork& w, bool independent) const {
        std::pair<double, int> worst{0, -1};
        for (int r = 0; r < rows_->equations; ++r) {
            const double size = std::fabs(w.phi[r]) * rows_->weight[r];
            if (static_cast<bool>(active_[r]) == independent && !(size <= worst.first)) worst = {size, r};
        }
        return worst;
    }

    Fault settle_positions(const TreeSystem& s, double t, double* q, const double* v, TreeWork& work) const {
        double before = HUGE_VAL;
        std::vector<double> x(s.velocities);
        for (int count = 0;; ++count) {
            place(s, t, q, v, work);
            const auto [open, row] = gap(work.loops, true);
            if (!std::isfinite(open) || (open > open_gap && (count == most_corrections || open > 10 * before)))
                return {open_loop, row};
            if (open <= closed_gap || (open <= stalled_gap && open > 0.5 * before) || count == most_corrections) break;
            before = open;
            std::fill(x.begin(), x.end(), 0.0);
            const std::vector<double> phi = work.loops.phi;
            const Fault fault = correct(s, phi, work, x.data());
            if (fault.status != done) return fault;
            move_by(s, x.data(), q);
        }
        const auto [open, row] = gap(work.loops, false);
        return open > redundant_gap ? Fault{open_loop, row} : Fault{};
    }

    // q moved by a small x, unit quaternions kept.
    static void move_by(const TreeSystem& s, const double* x, double* q) {
        for (const Link& l : s.link) {
            if (l.kind == ball) {
                const Quaternion<double> p = quaternion_at(q + l.q),
                                         d = rate(p, Vector{x[l.v], x[l.v + 1], x[l.v + 2]});
                const Quaternion<double> n{p.w + d.w, p.x + d.x, p.y + d.y, p.z + d.z};
                const double k = 1 / std::sqrt(square(n));
                q[l.q] = k * n.w, q[l.q + 1] = k * n.x, q[l.q + 2] = k * n.y, q[l.q + 3] = k * n.z;
            } else {
                for (int k = 0; k < kind_velocities[l.kind]; ++k) q[l.q + k] += x[l.v + k];
            }
        }
    }
};

}  // namespace mubo
