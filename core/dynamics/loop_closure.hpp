// The loop closure of a tree: independent rows, accelerations, and projection of states onto the loop constraints.
//
// Projection (coordinate projection; Eich 1993; Hairer and Wanner 1996, VII.2): Newton's method with a new
// factorisation in each iteration until the gap is rounding, then one solve for the velocities. Both corrections are
// the smallest in the metric of the mass matrix.
#pragma once
#include <memory>
#include <utility>

#include "closure_tolerances.hpp"
#include "loop_recursion.hpp"

namespace mubo {

class ClosedTree final : public LoopClosure {
  public:
    ClosedTree(const TreeSystem& s, std::unique_ptr<LoopRows> rows)
        : rows_(std::move(rows)), all_(chosen(s, std::vector<char>(rows_->equations, 1))), own_(all_) {}

    const LoopRows& rows() const { return *rows_; }
    const std::vector<char>& active() const { return own_->active; }

    // Leaves out the rows that are redundant at q, which must satisfy the loop equations.
    Fault choose(const TreeSystem& s, double t, const double* q, TreeWork& work) {
        std::vector<char> kept;
        const Fault fault = independent(s, t, q, redundant_row, work, kept);
        if (fault.status == done) own_ = chosen(s, std::move(kept));
        return fault;
    }

    bool exchange_rows(const TreeSystem& s, double t, const double* q, double weakest, TreeWork& work) const override {
        const RowChoice& now = choice(work.loops);
        std::vector<char> kept;
        const double better = exchange_gain * std::fmax(weakest, redundant_row);
        if (now.count() == rows_->equations || independent(s, t, q, better, work, kept).status != done) return false;
        if (std::count(kept.begin(), kept.end(), 1) != now.count() || kept == now.active) return false;
        work.loops.chosen = chosen(s, std::move(kept));
        return true;
    }
    bool full_rank(const TreeSystem& s, double t, const double* q, TreeWork& work) const override {
        const int wanted = choice(work.loops).count();
        std::vector<char> kept;
        return wanted < rows_->equations && independent(s, t, q, sound_row, work, kept).status == done &&
               std::count(kept.begin(), kept.end(), 1) == wanted;
    }

    Fault accelerate(const TreeSystem& s, double t, TreeWork& work, double* a) const override {
        make_room(work.loops);
        rows_->evaluate(s, t, work, work.loops);
        const Fault fault = solve(s, work.loops.bias, work, a);
        for (int r = 0; r < rows_->equations; ++r) work.energy.supplied -= work.loops.lam[r] * work.loops.nu[r];
        return fault;
    }

    std::vector<int> laws() const override { return rows_->law; }
    Vector joint_force(int link, const TreeWork& work) const override {
        Vector f{0, 0, 0};
        for (const OpenRow& o : choice(work.loops).plan.at[link + 1].open)
            f += work.loops.lam[o.row] * work.loops.K[o.slot].f;
        return f;
    }

    Fault project(const TreeSystem& s, double t, double* q, double* v, TreeWork& work) const override {
        const Fault fault = project_positions(s, t, q, v, work);
        if (fault.status != done) return fault;
        LoopWork& w = work.loops;
        w.x.assign(s.velocities, 0.0);
        const Fault found = correct(s, w.rate, work, w.x.data());
        for (int k = 0; k < s.velocities; ++k) v[k] += w.x[k];
        for (int r = 0; r < rows_->equations; ++r) w.taken += 0.5 * w.lam[r] * w.rate[r];
        return found;
    }

    // Evaluates gaps and their rates at a motion into work.loops.
    void place(const TreeSystem& s, double t, const double* q, const double* v, TreeWork& work) const {
        make_room(work.loops);
        move(s, q, v, work.a.data(), {0, 0, 0}, work);
        rows_->evaluate(s, t, work, work.loops);
    }

  private:
    std::unique_ptr<LoopRows> rows_;
    std::shared_ptr<const RowChoice> all_, own_;  // of all rows; of those that are independent at the start

    std::shared_ptr<const RowChoice> chosen(const TreeSystem& s, std::vector<char> active) const {
        RowPlan plan = Planner(s, rows_->end, active).build();
        return std::make_shared<const RowChoice>(RowChoice{std::move(active), std::move(plan)});
    }
    const RowChoice& choice(const LoopWork& w) const { return w.chosen ? *w.chosen : *own_; }

    // Determines the rows `kept` at q, which must be closed, if pivots below `least` are rejected.
    Fault independent(const TreeSystem& s, double t, const double* q, double least, TreeWork& work,
                      std::vector<char>& kept) const {
        const std::vector<double> at_rest(s.velocities, 0.0);
        std::vector<double> x(s.velocities, 0.0);
        LoopWork& w = work.loops;
        const auto before = std::exchange(w.chosen, all_);
        const double usual = std::exchange(w.least, least);
        place(s, t, q, at_rest.data(), work);
        const Fault fault = correct(s, w.phi, work, x.data());
        w.chosen = before, w.least = usual;
        kept.resize(rows_->equations);
        for (int r = 0; r < rows_->equations; ++r) kept[r] = w.part[r] > least;
        return fault;
    }

    void make_room(LoopWork& w) const {
        const RowPlan& plan = choice(w).plan;
        const size_t m = rows_->equations;
        if (w.phi.size() == m && w.K.size() == static_cast<size_t>(plan.slots) &&
            w.L.size() == static_cast<size_t>(plan.entries))
            return;
        for (auto* numbers : {&w.phi, &w.rate, &w.nu, &w.bias, &w.c, &w.lam, &w.diagonal, &w.size, &w.part})
            numbers->assign(m, 0.0);
        w.motion.assign(3 * rows_->law.size(), 0.0);
        w.end.assign(max_bodies * m, Wrench{{0, 0, 0}, {0, 0, 0}});
        w.K.resize(plan.slots);
        w.y.resize(plan.slots), w.planar_y.resize(plan.slots);
        w.L.resize(plan.entries);
    }

    // Solves M x + J'lam = 0 and J x + c = 0 at the poses in `work`.
    Fault correct(const TreeSystem& s, const std::vector<double>& c, TreeWork& work, double* x) const {
        with_link_algebra(s, [&](auto links) {
            for (int i = 0; i < s.links(); ++i) {
                links.evaluate_inertia(s.link[i], work.of(i));
                work.of(i).p = {{0, 0, 0}, {0, 0, 0}};
            }
        });
        work.entry[0].p = {{0, 0, 0}, {0, 0, 0}};
        std::fill(work.tau.begin(), work.tau.end(), 0.0);
        return solve(s, c, work, x);
    }
    Fault solve(const TreeSystem& s, const std::vector<double>& c, TreeWork& work, double* a) const {
        const RowPlan& plan = choice(work.loops).plan;
        return with_link_algebra(
            s, [&](auto links) { return solve_closed<decltype(links)>(s, plan, *rows_, c, work, a); });
    }

    std::pair<double, int> gap(const LoopWork& w, bool independent) const {
        std::pair<double, int> worst{0, -1};
        const std::vector<char>& active = choice(w).active;
        for (int r = 0; r < rows_->equations; ++r) {
            const double size = std::fabs(w.phi[r]) * rows_->weight[r];
            if (static_cast<bool>(active[r]) == independent && !(size <= worst.first)) worst = {size, r};
        }
        return worst;
    }

    Fault project_positions(const TreeSystem& s, double t, double* q, const double* v, TreeWork& work) const {
        double before = HUGE_VAL;
        std::vector<double>& x = work.loops.x;
        for (int count = 0;; ++count) {
            place(s, t, q, v, work);
            const auto [open, row] = gap(work.loops, true);
            if (!std::isfinite(open) || (open > open_gap && (count == max_corrections || open > 10 * before)))
                return {open_loop, row};
            if (open <= closed_gap || (open <= stalled_gap && open > 0.5 * before) || count == max_corrections) break;
            before = open;
            x.assign(s.velocities, 0.0);
            const Fault fault = correct(s, work.loops.phi, work, x.data());
            if (fault.status != done) return fault;
            move_positions(s, x.data(), q);
        }
        const auto [open, row] = gap(work.loops, false);
        return open > redundant_gap ? Fault{open_loop, row} : Fault{};
    }
};

}  // namespace mubo
