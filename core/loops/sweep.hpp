// Motion of a system of vector loops over a time grid, block by block: for each block the unknowns of earlier blocks
// are known. A driver is a block of one linear equation; a dyad is a block of two, solved by Cramer's rule inside
// Newton. Over any number type: several variants in lanes are solved, checked and stopped independently.
#pragma once
#include <vector>

#include "../branch.hpp"
#include "block_matrix.hpp"
#include "block_plan.hpp"
#include "one_bar.hpp"
#include "place.hpp"
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

    // Sign of det, smallest pivot (of a dyad: |det|) of each block, cosines and sines at the instant just solved.
    const std::vector<T>& signs() const { return signs_; }
    const std::vector<T>& sizes() const { return sizes_; }
    Turns<T>& turns() { return turns_; }

    // Newton's method for position, then velocity and acceleration, block after block. `state` is x, v, a.
    LaneStatus<T> solve(T* state, const T* motion, const SweepOptions& o, T* count) {
        T *x = state, *v = state + n_, *a = state + 2 * n_;
        const LoopState<T> at = this->at(state, motion);
        *count = T(0.0);
        LaneStatus<T> status;
        for (size_t k = 0; k < plan_.size() && any(status.good); ++k) {
            BlockPlan<T>& p = plan_[k];
            BlockMatrix<T>& m = matrix_[k];
            if (p.direct()) {
                solve_linear(p.lines[0], at, x, v, a, k, &status);
            } else if (p.two_bars()) {
                solve_dyad(p, at, x, v, a, o, k, &status, count);
            } else if (p.one_bar()) {
                solve_single_bar(p, at, x, v, a, o, k, &status, count);
            } else if (p.one_slide()) {
                solve_single_slide(p, at, x, v, a, k, &status);
            } else {
                solve_block(p, m, at, x, o, &status, count);
                if (any(status.good)) rates(p, m, at, v, a, &status);
                signs_[k] = m.sign();
                sizes_[k] = m.size();
            }
        }
        return status;
    }

    // One step of length h from `last` to `next` (x, v, a); `extrapolation` adds to the start of Newton's method only.
    LaneStatus<T> step(double h, const T* last, T* next, const T* signs, T* largest, const T* motion,
                       const SweepOptions& o, T* count, const T* extrapolation = nullptr) {
        predict(h, last);
        for (int k = 0; k < n_; ++k)
            next[k] = !o.taylor ? last[k] : extrapolation ? guess_[k] + extrapolation[k] : guess_[k];
        LaneStatus<T> status = solve(next, motion, o, count);
        if (any(status.good)) check_branch(h, last, next, signs, largest, o, &status);
        return status;
    }

    // Checks positions that have just been solved from other starts as `step` checks its own; every lane has its h.
    void check_step(const T& h, const T* last, const T* next, const T* signs, T* largest, const SweepOptions& o,
                    LaneStatus<T>* status) {
        predict(h, last);
        check_branch(h, last, next, signs, largest, o, status);
    }

    // Poses of the bodies in `order`, with `rates` their velocities and accelerations too, at the instant just solved.
    void place(const std::vector<int>& order, bool rates, const T* state, const T* motion, T* out) const {
        rates ? place_bodies(s_, order, at(state, motion), out) : place_poses(s_, order, at(state, motion), out);
    }

  private:
    template <class H>
    MUBO_HOT void predict(const H& h, const T* last) {
        for (int k = 0; k < n_; ++k) guess_[k] = last[k] + T(h) * (last[n_ + k] + T(0.5 * h) * last[2 * n_ + k]);
    }

    // Checks whether the position just solved is on the branch of the last one.
    template <class H>
    MUBO_HOT void check_branch(const H& h, const T* last, const T* next, const T* signs, T* largest,
                               const SweepOptions& o, LaneStatus<T>* status) {
        T radius(1.0);
        Mask<T> wide = all_lanes<T>();
        for (size_t k = 0; k < plan_.size(); ++k) wide = wide & (T(3.0) * sizes_[k] >= largest[k]);
        for (size_t k = 0; k < plan_.size() && !all(wide); ++k)
            radius = smaller(radius, branch_radius(sizes_[k], larger(largest[k], sizes_[k])));
        status->fail(fails_branch_check(n_, 1, 1, s_.angles, h, last, next, guess_.data(), back_.data(), radius, o),
                     other_branch);
        // Every block has its own sign: two that change together would cancel in the product.
        Mask<T> nearly_lost = no_lanes<T>(), changed = nearly_lost;
        for (size_t k = 0; k < plan_.size(); ++k) {
            changed = changed | (signs_[k] != signs[k]);
            largest[k] = choose(status->good & !changed, larger(largest[k], sizes_[k]), largest[k]);
            nearly_lost = nearly_lost | (sizes_[k] < T(nearly_singular) * largest[k]);
        }
        status->fail(changed, sign_change);
        status->fail(nearly_lost, singular);
    }

    LoopState<T> at(const T* state, const T* motion) const {
        return {state, state + n_, state + 2 * n_, turns_.c.data(), turns_.s.data(), motion};
    }

    // Solves factor * unknown + known terms = constant + f for position, velocity and acceleration.
    MUBO_HOT void solve_linear(const Line<T>& line, const LoopState<T>& at, T* x, T* v, T* a, size_t number,
                               LaneStatus<T>* status) {
        const Linear<T>& of = *line.of;
        T r[3] = {of.constant, T(0.0), T(0.0)}, factor(1.0);
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
        if (!all(factor == T(1.0)))
            for (T& side : r) side = side / factor;
        x[own] = r[0], v[own] = r[1], a[own] = r[2];
        record_determinant(number, factor);
        if (own < s_.angles) turns_.set(own, x[own]);
        status->fail(!finite(r[0] + r[1] + r[2]), not_finite);
    }

    // Two bars that close a loop: Newton's method with everything in registers (see two_bars.hpp).
    MUBO_HOT void solve_dyad(const BlockPlan<T>& p, const LoopState<T>& at, T* x, T* v, T* a, const SweepOptions& o,
                             size_t number, LaneStatus<T>* status, T* count) {
        const Polygon<T>& polygon = p.polygons[0];
        const int first = p.unknowns[0], second = p.unknowns[1];
        TwoBars<T> dyad(known_sum(polygon, at), *polygon.own[0].term, *polygon.own[1].term,
                        {cos_sin(x[first]), cos_sin(x[second])});
        solve_newton(dyad, o, status, count);
        record_determinant(number, dyad.determinant);
        if (!any(status->good)) return;
        x[first] += dyad.turn[0], x[second] += dyad.turn[1];
        turns_.put(first, dyad.rotation[0]);
        turns_.put(second, dyad.rotation[1]);
        dyad.rates(&v[first], &v[second], &a[first], &a[second]);
        status->fail(!finite(v[first] + v[second] + a[first] + a[second]), not_finite);
    }

    // One bar rotated until its end meets a line.
    MUBO_HOT void solve_single_bar(const BlockPlan<T>& p, const LoopState<T>& at, T* x, T* v, T* a,
                                   const SweepOptions& o, size_t number, LaneStatus<T>* status, T* count) {
        const Polygon<T>& polygon = p.polygons[0];
        const int u = p.unknowns[0];
        OneBar<T> bar(polygon.row_x >= 0, known_sum(polygon, at), *polygon.own[0].term, cos_sin(x[u]));
        solve_newton(bar, o, status, count);
        record_determinant(number, bar.determinant);
        x[u] += bar.turn;
        turns_.put(u, bar.rotation);
        bar.rates(&v[u], &a[u]);
        status->fail(!finite(v[u] + a[u]), not_finite);
    }

    // A slide along a fixed direction: a linear equation for position, velocity and acceleration.
    MUBO_HOT void solve_single_slide(const BlockPlan<T>& p, const LoopState<T>& at, T* x, T* v, T* a, size_t number,
                                     LaneStatus<T>* status) {
        const Polygon<T>& polygon = p.polygons[0];
        const int u = p.unknowns[0];
        const T factor =
            solve_slide(polygon.row_x >= 0, known_sum(polygon, at), *polygon.own[0].term, &x[u], &v[u], &a[u]);
        record_determinant(number, factor);
        status->fail(factor == T(0.0), singular);
        status->fail(!finite(x[u] + v[u] + a[u]), not_finite);
    }

    void record_determinant(size_t number, const T& determinant) {
        signs_[number] = choose(determinant > T(0.0), T(1.0), T(-1.0));
        sizes_[number] = magnitude(determinant);
    }

    // The equations of a block in the form of `solve_newton`.
    struct BlockEquations {
        LoopSweeper& s;
        BlockPlan<T>& p;
        BlockMatrix<T>& m;
        const LoopState<T>& at;
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

    MUBO_HOT void solve_block(BlockPlan<T>& p, BlockMatrix<T>& m, const LoopState<T>& at, T* x, const SweepOptions& o,
                              LaneStatus<T>* status, T* count) {
        for (int u : p.angles) turns_.set(u, x[u]);
        for (Polygon<T>& polygon : p.polygons) polygon.sum = known_sum(polygon, at);
        evaluate(p, m, at);
        BlockEquations block{*this, p, m, at, x};
        solve_newton(block, o, status, count);
    }

    // Gaps of all equations of the block and their derivatives by its unknowns.
    void evaluate(BlockPlan<T>& p, BlockMatrix<T>& m, const LoopState<T>& at) {
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

    // Velocity and acceleration: the equations with zero rates of the block's own unknowns are the right sides.
    MUBO_HOT void rates(BlockPlan<T>& p, const BlockMatrix<T>& m, const LoopState<T>& at, T* v, T* a,
                        LaneStatus<T>* status) {
        for (int u : p.unknowns) v[u] = a[u] = T(0.0);
        const auto solve_for = [&](Vector2<T> VectorMotion<T>::* part, int order, T* rate) {
            for (const Polygon<T>& polygon : p.polygons) {
                Vector2<T> sum = polygon.sum.*part;
                for (const OwnTerm<T>& own : polygon.own) sum = sum + vector_motion(own.e, *own.term, at).*part;
                put(polygon, sum);
            }
            for (const Line<T>& line : p.lines) right_[line.row] = sum_along(line, rate, at, order);
            m.solve(right_.data());
            for (size_t k = 0; k < p.unknowns.size(); ++k) rate[p.unknowns[k]] = -right_[k];
        };
        solve_for(&VectorMotion<T>::v, 1, v);
        solve_for(&VectorMotion<T>::a, 2, a);
        for (int u : p.unknowns) status->fail(!finite(v[u]), not_finite), status->fail(!finite(a[u]), not_finite);
    }

    void put(const Polygon<T>& polygon, const Vector2<T>& value) {
        if (polygon.row_x >= 0) right_[polygon.row_x] = value.x;
        if (polygon.row_y >= 0) right_[polygon.row_y] = value.y;
    }

    const Loops<T>& s_;
    int n_;
    Turns<T> turns_;
    std::vector<T> guess_, back_, right_, signs_, sizes_;
    std::vector<BlockPlan<T>> plan_;
    std::vector<BlockMatrix<T>> matrix_;
};

}  // namespace mubo
