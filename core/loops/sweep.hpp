// Motion of a system of vector loops over a time grid, block by block: each block sees the unknowns of the blocks
// before it as known. A driver is a block of one linear equation; a dyad is a block of two, solved by Cramer's rule
// inside Newton. Over any number type: of several variants in lanes each is solved, judged and failed by itself.
#pragma once
#include <vector>

#include "../branch.hpp"
#include "block_matrix.hpp"
#include "one_bar.hpp"
#include "place.hpp"
#include "plan.hpp"
#include "two_bars.hpp"

namespace mubo {

template <class T>
class LoopSweeper {
  public:
    explicit LoopSweeper(const Loops<T>& s)
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

    // Sign of det and smallest pivot (of a dyad: |det|) of each block at the instant just solved; cosines and sines
    // there.
    const std::vector<T>& signs() const { return signs_; }
    const std::vector<T>& sizes() const { return sizes_; }
    Turns<T>& turns() { return turns_; }

    // Newton for position, then velocity and acceleration, block after block. `state` is x, v, a.
    Fate<T> solve(T* state, const double* motion, const SweepOptions& o, T* count) {
        T *x = state, *v = state + n_, *a = state + 2 * n_;
        const Instant<T> at = this->at(state, motion);
        *count = T(0.0);
        Fate<T> fate;
        for (size_t k = 0; k < plan_.size() && any(fate.good); ++k) {
            Plan<T>& p = plan_[k];
            BlockMatrix<T>& m = matrix_[k];
            if (p.direct()) {
                straight(p.lines[0], at, x, v, a, k, &fate);
            } else if (p.two_bars()) {
                bars(p, at, x, v, a, o, k, &fate, count);
            } else if (p.one_bar()) {
                bar(p, at, x, v, a, o, k, &fate, count);
            } else if (p.one_slide()) {
                slide(p, at, x, v, a, k, &fate);
            } else {
                newton(p, m, at, x, o, &fate, count);
                if (any(fate.good)) rates(p, m, at, v, a, &fate);
                signs_[k] = m.sign();
                sizes_[k] = m.size();
            }
        }
        return fate;
    }

    // One step of length h from `last` to `next`, both x, v, a. `ahead`, where given, is what a higher order adds to
    // the prediction h v + h^2 a / 2: Newton starts there, while the branch is judged by the prediction alone.
    Fate<T> step(double h, const T* last, T* next, const T* signs, T* largest, const double* motion,
                 const SweepOptions& o, T* count, const T* ahead = nullptr) {
        const T *x = last, *v = last + n_, *a = last + 2 * n_;
        for (int k = 0; k < n_; ++k) {
            guess_[k] = x[k] + T(h) * (v[k] + T(0.5 * h) * a[k]);
            next[k] = !o.taylor ? x[k] : ahead ? guess_[k] + ahead[k] : guess_[k];
        }
        Fate<T> fate = solve(next, motion, o, count);
        if (any(fate.good)) judge(h, last, next, signs, largest, o, &fate);
        return fate;
    }

    // Poses of the bodies in `order`, with `rates` their velocities and accelerations too, at the instant just solved.
    void place(const std::vector<int>& order, bool rates, const T* state, const double* motion, T* out) const {
        rates ? place_bodies(s_, order, at(state, motion), out) : place_poses(s_, order, at(state, motion), out);
    }

  private:
    // Is the position just solved on the branch of the last one?
    MUBO_HOT void judge(double h, const T* last, const T* next, const T* signs, T* largest, const SweepOptions& o,
                        Fate<T>* fate) {
        T narrow(1.0);
        Mask<T> wide = everywhere<T>();
        for (size_t k = 0; k < plan_.size(); ++k) wide = wide & (T(3.0) * sizes_[k] >= largest[k]);
        for (size_t k = 0; k < plan_.size() && !all(wide); ++k)
            narrow = smaller(narrow, narrowed(sizes_[k], larger(largest[k], sizes_[k])));
        fate->fail(strayed_both_ways(n_, 1, 1, s_.angles, h, last, next, guess_.data(), back_.data(), narrow, o),
                   other_branch);
        // Every block keeps its own sign: two that change together would hide each other in their product.
        Mask<T> lost = nowhere<T>(), changed = lost;
        for (size_t k = 0; k < plan_.size(); ++k) {
            changed = changed | (signs_[k] != signs[k]);
            largest[k] = choose(fate->good & !changed, larger(largest[k], sizes_[k]), largest[k]);
            lost = lost | (sizes_[k] < T(nearly_singular) * largest[k]);
        }
        fate->fail(changed, sign_change);
        fate->fail(lost, singular);
    }

    Instant<T> at(const T* state, const double* motion) const {
        return {state, state + n_, state + 2 * n_, turns_.c.data(), turns_.s.data(), motion};
    }

    // factor * unknown + the rest = constant + f, in all three orders.
    MUBO_HOT void straight(const Line<T>& line, const Instant<T>& at, T* x, T* v, T* a, size_t number, Fate<T>* fate) {
        const Linear<T>& of = *line.of;
        T r[3] = {of.constant, T(0.0), T(0.0)}, factor(1.0);
        int own = 0;
        if (of.driver >= 0)
            for (int k = 0; k < 3; ++k) r[k] += T(at.motion[3 * of.driver + k]);
        for (size_t i = 0; i < of.unknown.size(); ++i) {
            const int u = of.unknown[i];
            if (line.column[i] >= 0) {
                own = u;
                factor = of.factor[i];
                continue;
            }
            r[0] -= of.factor[i] * x[u], r[1] -= of.factor[i] * v[u], r[2] -= of.factor[i] * a[u];
        }
        if (!all(factor == T(1.0)))
            for (T& side : r) side = side / factor;
        x[own] = r[0], v[own] = r[1], a[own] = r[2];
        judged(number, factor);
        if (own < s_.angles) turns_.set(own, x[own]);
        fate->fail(!finite(r[0] + r[1] + r[2]), not_finite);
    }

    // Two bars that close a loop: the same Newton with everything in registers (see two_bars.hpp).
    MUBO_HOT void bars(const Plan<T>& p, const Instant<T>& at, T* x, T* v, T* a, const SweepOptions& o, size_t number,
                       Fate<T>* fate, T* count) {
        const Polygon<T>& polygon = p.polygons[0];
        const int first = p.unknowns[0], second = p.unknowns[1];
        TwoBars<T> bars(known_sum(polygon, at), *polygon.own[0].term, *polygon.own[1].term,
                        {cos_sin(x[first]), cos_sin(x[second])});
        close(bars, o, fate, count);
        judged(number, bars.determinant);
        if (!any(fate->good)) return;
        x[first] += bars.turn[0], x[second] += bars.turn[1];
        turns_.put(first, bars.turned[0]);
        turns_.put(second, bars.turned[1]);
        bars.rates(&v[first], &v[second], &a[first], &a[second]);
        fate->fail(!finite(v[first] + v[second] + a[first] + a[second]), not_finite);
    }

    // One bar turned until it meets a line.
    MUBO_HOT void bar(const Plan<T>& p, const Instant<T>& at, T* x, T* v, T* a, const SweepOptions& o, size_t number,
                      Fate<T>* fate, T* count) {
        const Polygon<T>& polygon = p.polygons[0];
        const int u = p.unknowns[0];
        OneBar<T> bar(polygon.row_x >= 0, known_sum(polygon, at), *polygon.own[0].term, cos_sin(x[u]));
        close(bar, o, fate, count);
        judged(number, bar.determinant);
        x[u] += bar.turn;
        turns_.put(u, bar.turned);
        bar.rates(&v[u], &a[u]);
        fate->fail(!finite(v[u] + a[u]), not_finite);
    }

    // A slide along a direction that stays: a linear equation, in all three orders.
    MUBO_HOT void slide(const Plan<T>& p, const Instant<T>& at, T* x, T* v, T* a, size_t number, Fate<T>* fate) {
        const Polygon<T>& polygon = p.polygons[0];
        const int u = p.unknowns[0];
        const T factor =
            solve_slide(polygon.row_x >= 0, known_sum(polygon, at), *polygon.own[0].term, &x[u], &v[u], &a[u]);
        judged(number, factor);
        fate->fail(factor == T(0.0), singular);
        fate->fail(!finite(x[u] + v[u] + a[u]), not_finite);
    }

    void judged(size_t number, const T& determinant) {
        signs_[number] = choose(determinant > T(0.0), T(1.0), T(-1.0));
        sizes_[number] = magnitude(determinant);
    }

    // The equations of a block as `close` takes them.
    struct Together {
        LoopSweeper& s;
        Plan<T>& p;
        BlockMatrix<T>& m;
        const Instant<T>& at;
        T* x;

        T gap(Mask<T>* exists) {
            T largest(0.0);
            for (size_t k = 0; k < p.unknowns.size(); ++k) {
                const T size = magnitude(s.right_[k]);
                largest = choose(size <= largest, largest, size);
            }
            *exists = finite(largest);
            return largest;
        }
        Mask<T> factor() { return m.factor(); }
        void correct(const Mask<T>& where) {
            m.solve(s.right_.data());
            for (size_t k = 0; k < p.unknowns.size(); ++k) {
                const int u = p.unknowns[k];
                const T step = choose(where, s.right_[k], T(0.0));
                x[u] -= step;
                if (u < s.s_.angles) s.turns_.correct(u, -step);
            }
            s.evaluate(p, m, at);
        }
    };

    MUBO_HOT void newton(Plan<T>& p, BlockMatrix<T>& m, const Instant<T>& at, T* x, const SweepOptions& o,
                         Fate<T>* fate, T* count) {
        for (int u : p.angles) turns_.set(u, x[u]);
        for (Polygon<T>& polygon : p.polygons) polygon.sum = known_sum(polygon, at);
        evaluate(p, m, at);
        Together block{*this, p, m, at, x};
        close(block, o, fate, count);
    }

    // Gaps of all equations of the block and their slopes by its unknowns.
    void evaluate(Plan<T>& p, BlockMatrix<T>& m, const Instant<T>& at) {
        m.clear();
        for (Polygon<T>& polygon : p.polygons) {
            Vector2<T> gap = polygon.sum.p;
            for (OwnTerm<T>& own : polygon.own) {
                const Vector2<T> e = own.e = direction(*own.term, at);
                const T k = value_of_scale(*own.term, at);
                gap.x += k * e.x;
                gap.y += k * e.y;
                if (polygon.row_x >= 0) {
                    T* row = m.row(polygon.row_x);
                    if (own.turns >= 0) row[own.turns] -= k * e.y;
                    if (own.slides >= 0) row[own.slides] += e.x;
                }
                if (polygon.row_y >= 0) {
                    T* row = m.row(polygon.row_y);
                    if (own.turns >= 0) row[own.turns] += k * e.x;
                    if (own.slides >= 0) row[own.slides] += e.y;
                }
            }
            put(polygon, gap);
        }
        for (const Line<T>& line : p.lines) {
            right_[line.row] = sum_along(line, at.x, at, 0) - line.of->constant;
            T* row = m.row(line.row);
            for (size_t i = 0; i < line.column.size(); ++i)
                if (line.column[i] >= 0) row[line.column[i]] += line.of->factor[i];
        }
    }

    // Velocity and acceleration: with the block's own rates at zero, each equation gives its right side.
    MUBO_HOT void rates(Plan<T>& p, const BlockMatrix<T>& m, const Instant<T>& at, T* v, T* a, Fate<T>* fate) {
        const size_t n = p.unknowns.size();
        for (int u : p.unknowns) v[u] = a[u] = T(0.0);
        for (const Polygon<T>& polygon : p.polygons) {
            Vector2<T> sum = polygon.sum.v;
            for (const OwnTerm<T>& own : polygon.own) {
                if (own.plain) continue;
                const Vector2<T> rate = moving(own.e, *own.term, at).v;
                sum.x += rate.x, sum.y += rate.y;
            }
            put(polygon, sum);
        }
        for (const Line<T>& line : p.lines) right_[line.row] = sum_along(line, at.v, at, 1);
        m.solve(right_.data());
        for (size_t k = 0; k < n; ++k) v[p.unknowns[k]] = -right_[k];
        for (const Polygon<T>& polygon : p.polygons) {
            Vector2<T> sum = polygon.sum.a;
            for (const OwnTerm<T>& own : polygon.own) {
                const Vector2<T> bend = moving(own.e, *own.term, at).a;
                sum.x += bend.x, sum.y += bend.y;
            }
            put(polygon, sum);
        }
        for (const Line<T>& line : p.lines) right_[line.row] = sum_along(line, at.a, at, 2);
        m.solve(right_.data());
        for (size_t k = 0; k < n; ++k) a[p.unknowns[k]] = -right_[k];
        for (int u : p.unknowns) fate->fail(!(finite(v[u]) & finite(a[u])), not_finite);
    }

    void put(const Polygon<T>& polygon, const Vector2<T>& value) {
        if (polygon.row_x >= 0) right_[polygon.row_x] = value.x;
        if (polygon.row_y >= 0) right_[polygon.row_y] = value.y;
    }

    const Loops<T>& s_;
    int n_;
    Turns<T> turns_;
    std::vector<T> guess_, back_, right_, signs_, sizes_;
    std::vector<Plan<T>> plan_;
    std::vector<BlockMatrix<T>> matrix_;
};

}  // namespace mubo
