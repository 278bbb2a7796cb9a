// Motion of a system of vector loops over a time grid, block by block: each block sees the unknowns of the blocks
// before it as known. A driver is a block of one linear equation; a dyad is a block of two, solved by Cramer's rule
// inside Newton.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "../status.hpp"
#include "block_matrix.hpp"
#include "place.hpp"
#include "plan.hpp"
#include "two_bars.hpp"

namespace mubo {

class LoopSweeper {
  public:
    explicit LoopSweeper(const LoopSystem& s)
        : s_(s),
          n_(s.unknowns()),
          turns_(s.angles),
          guess_(n_),
          back_(n_),
          signs_(s.block.size()),
          sizes_(s.block.size()) {
        size_t largest = 1;
        std::vector<int> column(n_, -1);
        for (const Block& b : s.block) {
            plan_.emplace_back(s, b, column);
            matrix_.emplace_back(static_cast<int>(b.rows.size()));
            largest = std::max(largest, b.rows.size());
        }
        right_.resize(largest);
    }

    // Sign of det and smallest pivot (of a dyad: |det|) of each block at the instant just solved.
    const std::vector<double>& signs() const { return signs_; }
    const std::vector<double>& sizes() const { return sizes_; }

    // Newton for position, then velocity and acceleration, block after block. `state` is x, v, a.
    Status solve(double* state, const double* motion, const SweepOptions& o, int* count) {
        double *x = state, *v = state + n_, *a = state + 2 * n_;
        const Instant at = this->at(state, motion);
        *count = 0;
        for (size_t k = 0; k < plan_.size(); ++k) {
            Plan& p = plan_[k];
            BlockMatrix& m = matrix_[k];
            Status status = done;
            if (p.direct()) {
                status = straight(p.lines[0], at, x, v, a, k);
            } else if (p.two_bars()) {
                status = bars(p, at, x, v, a, o, count, k);
            } else {
                status = newton(p, m, at, x, o, count);
                if (status == done) status = rates(p, m, at, v, a);
                signs_[k] = m.sign();
                sizes_[k] = m.size();
            }
            if (status != done) return status;
        }
        return done;
    }

    // One step of length h from `last` to `next`, both x, v, a.
    Status step(double h, const double* last, double* next, const double* signs, double* largest, const double* motion,
                const SweepOptions& o, int* count) {
        const double *x = last, *v = last + n_, *a = last + 2 * n_;
        for (int k = 0; k < n_; ++k) {
            guess_[k] = x[k] + h * (v[k] + 0.5 * h * a[k]);
            next[k] = o.taylor ? guess_[k] : x[k];
        }
        const Status status = solve(next, motion, o, count);
        if (status != done) return status;
        double narrow = 1;
        for (size_t k = 0; k < plan_.size(); ++k)
            narrow = std::min(narrow, narrowed(sizes_[k], std::max(largest[k], sizes_[k])));
        if (strayed_both_ways(n_, 1, 1, s_.angles, h, last, next, guess_.data(), back_.data(), narrow, o))
            return other_branch;
        // Every block keeps its own sign: two that change together would hide each other in their product.
        Status answer = done;
        for (size_t k = 0; k < plan_.size(); ++k) {
            if (signs_[k] != signs[k]) return sign_change;
            largest[k] = std::max(largest[k], sizes_[k]);
            if (sizes_[k] < nearly_singular * largest[k]) answer = singular;
        }
        return answer;
    }

    // Poses, velocities and accelerations of all bodies at the instant just solved.
    void place(const double* state, const double* motion, double* out) const {
        place_bodies(s_, at(state, motion), out);
    }

  private:
    Instant at(const double* state, const double* motion) const {
        return {state, state + n_, state + 2 * n_, turns_.c.data(), turns_.s.data(), motion};
    }

    // factor * unknown + the rest = constant + f, in all three orders.
    Status straight(const Line& line, const Instant& at, double* x, double* v, double* a, size_t number) {
        const Linear& of = *line.of;
        double r[3] = {of.constant, 0, 0}, factor = 1;
        int own = 0;
        if (of.driver >= 0)
            for (int k = 0; k < 3; ++k) r[k] += at.motion[3 * of.driver + k];
        for (size_t i = 0; i < of.unknown.size(); ++i) {
            const int u = of.unknown[i];
            if (line.column[i] >= 0) {
                own = u;
                factor = of.factor[i];
                continue;
            }
            r[0] -= of.factor[i] * x[u], r[1] -= of.factor[i] * v[u], r[2] -= of.factor[i] * a[u];
        }
        x[own] = r[0] / factor, v[own] = r[1] / factor, a[own] = r[2] / factor;
        signs_[number] = factor > 0 ? 1 : -1;
        sizes_[number] = std::fabs(factor);
        if (own < s_.angles) turns_.set(own, x[own]);
        return std::isfinite(x[own]) && std::isfinite(v[own]) && std::isfinite(a[own]) ? done : not_finite;
    }

    // Two bars that close a loop: the same Newton with everything in registers (see two_bars.hpp).
    Status bars(const Plan& p, const Instant& at, double* x, double* v, double* a, const SweepOptions& o, int* count,
                size_t number) {
        const Polygon& polygon = p.polygons[0];
        const int first = p.unknowns[0], second = p.unknowns[1];
        turns_.set(first, x[first]);
        turns_.set(second, x[second]);
        TwoBars bars(known_sum(polygon, at), direction(*polygon.own[0].term, at), direction(*polygon.own[1].term, at));
        const Status status = bars.close(o, count);
        signs_[number] = bars.determinant > 0 ? 1 : -1;
        sizes_[number] = std::fabs(bars.determinant);
        if (status != done) return status;
        x[first] += bars.turn[0], x[second] += bars.turn[1];
        turns_.correct(first, bars.turn[0], x[first]);
        turns_.correct(second, bars.turn[1], x[second]);
        bars.rates(&v[first], &v[second], &a[first], &a[second]);
        const double sum = v[first] + v[second] + a[first] + a[second];
        return std::isfinite(sum) ? done : not_finite;
    }

    static Moving known_sum(const Polygon& polygon, const Instant& at) {
        Moving sum{{0, 0}, {0, 0}, {0, 0}};
        for (const Term* t : polygon.known) add(sum, moving(direction(*t, at), *t, at));
        return sum;
    }

    Status newton(Plan& p, BlockMatrix& m, const Instant& at, double* x, const SweepOptions& o, int* count) {
        for (int u : p.angles) turns_.set(u, x[u]);
        for (Polygon& polygon : p.polygons) polygon.sum = known_sum(polygon, at);
        for (int corrections = 0;; ++corrections) {
            evaluate(p, m, at);
            double gap = 0;
            for (size_t k = 0; k < p.unknowns.size(); ++k)
                if (!(std::fabs(right_[k]) <= gap)) gap = std::fabs(right_[k]);
            if (!std::isfinite(gap)) return not_finite;
            const bool converged = gap <= o.tolerance;
            if (!converged && corrections >= o.max_iterations) return no_convergence;
            if (!m.factor()) return singular;
            if (o.accepts(gap)) return done;
            m.solve(right_.data());
            for (size_t k = 0; k < p.unknowns.size(); ++k) {
                const int u = p.unknowns[k];
                x[u] -= right_[k];
                if (u < s_.angles) turns_.correct(u, -right_[k], x[u]);
            }
            if (converged) break;
            ++*count;
        }
        evaluate(p, m, at);
        return m.factor() ? done : singular;
    }

    // Gaps of all equations of the block and their slopes by its unknowns.
    void evaluate(Plan& p, BlockMatrix& m, const Instant& at) {
        m.clear();
        for (Polygon& polygon : p.polygons) {
            Vector gap = polygon.sum.p;
            for (OwnTerm& own : polygon.own) {
                const Vector e = own.e = direction(*own.term, at);
                const double k = value_of_scale(*own.term, at);
                gap.x += k * e.x;
                gap.y += k * e.y;
                if (polygon.row_x >= 0) {
                    double* row = m.row(polygon.row_x);
                    if (own.turns >= 0) row[own.turns] -= k * e.y;
                    if (own.slides >= 0) row[own.slides] += e.x;
                }
                if (polygon.row_y >= 0) {
                    double* row = m.row(polygon.row_y);
                    if (own.turns >= 0) row[own.turns] += k * e.x;
                    if (own.slides >= 0) row[own.slides] += e.y;
                }
            }
            put(polygon, gap);
        }
        for (const Line& line : p.lines) {
            right_[line.row] = along(line, at.x, at, 0) - line.of->constant;
            double* row = m.row(line.row);
            for (size_t i = 0; i < line.column.size(); ++i)
                if (line.column[i] >= 0) row[line.column[i]] += line.of->factor[i];
        }
    }

    // Velocity and acceleration: with the block's own rates at zero, each equation gives its right side.
    Status rates(Plan& p, const BlockMatrix& m, const Instant& at, double* v, double* a) {
        const size_t n = p.unknowns.size();
        for (int u : p.unknowns) v[u] = a[u] = 0;
        for (const Polygon& polygon : p.polygons) {
            Vector sum = polygon.sum.v;
            for (const OwnTerm& own : polygon.own) {
                if (own.plain) continue;
                const Vector rate = moving(own.e, *own.term, at).v;
                sum.x += rate.x, sum.y += rate.y;
            }
            put(polygon, sum);
        }
        for (const Line& line : p.lines) right_[line.row] = along(line, at.v, at, 1);
        m.solve(right_.data());
        for (size_t k = 0; k < n; ++k) v[p.unknowns[k]] = -right_[k];
        for (const Polygon& polygon : p.polygons) {
            Vector sum = polygon.sum.a;
            for (const OwnTerm& own : polygon.own) {
                const Vector bend = moving(own.e, *own.term, at).a;
                sum.x += bend.x, sum.y += bend.y;
            }
            put(polygon, sum);
        }
        for (const Line& line : p.lines) right_[line.row] = along(line, at.a, at, 2);
        m.solve(right_.data());
        for (size_t k = 0; k < n; ++k) a[p.unknowns[k]] = -right_[k];
        for (int u : p.unknowns)
            if (!std::isfinite(v[u]) || !std::isfinite(a[u])) return not_finite;
        return done;
    }

    void put(const Polygon& polygon, const Vector& value) {
        if (polygon.row_x >= 0) right_[polygon.row_x] = value.x;
        if (polygon.row_y >= 0) right_[polygon.row_y] = value.y;
    }

    // A linear equation without its constant, for the unknowns or their rates of any order.
    static double along(const Line& line, const double* unknown, const Instant& at, int order) {
        double sum = line.of->driver < 0 ? 0 : -at.motion[3 * line.of->driver + order];
        for (size_t i = 0; i < line.column.size(); ++i) sum += line.of->factor[i] * unknown[line.of->unknown[i]];
        return sum;
    }

    const LoopSystem& s_;
    int n_;
    Turns turns_;
    std::vector<double> guess_, back_, right_, signs_, sizes_;
    std::vector<Plan> plan_;
    std::vector<BlockMatrix> matrix_;
};

}  // namespace mubo
