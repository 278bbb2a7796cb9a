// Motion of a system of vector loops over a time grid, block by block: each block sees the unknowns of the blocks
// before it as known. A dyad is a block of two equations, solved by Cramer's rule inside Newton.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "../linear/lu.hpp"
#include "../status.hpp"
#include "vectors.hpp"

namespace mubo {

class LoopSweeper {
  public:
    explicit LoopSweeper(const LoopSystem& s)
        : s_(s), n_(s.unknowns()), column_(n_, -1), c_(s.angles), sn_(s.angles), guess_(n_) {
        size_t largest = 1;
        for (const Block& b : s.block) largest = std::max(largest, b.rows.size());
        right_.resize(largest);
        signs_.resize(s.block.size());
        sizes_.resize(s.block.size());
        square_.resize(largest * largest);
        for (const Block& b : s.block) lu_.emplace_back(b.rows.size() > 2 ? static_cast<int>(b.rows.size()) : 0);
    }

    // Sign of det and smallest pivot (of a dyad: |det|) of each block at the instant just solved.
    const std::vector<double>& signs() const { return signs_; }
    const std::vector<double>& sizes() const { return sizes_; }

    // Newton for position, then velocity and acceleration, block after block. `state` is x, v, a.
    Status solve(double* state, const double* motion, const SweepOptions& o, int* count) {
        double *x = state, *v = state + n_, *a = state + 2 * n_;
        const Instant at{x, v, a, c_.data(), sn_.data(), motion};
        *count = 0;
        for (size_t k = 0; k < s_.block.size(); ++k) {
            const Status status = solve_block(k, at, x, v, a, o, count);
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
        for (size_t k = 0; k < s_.block.size(); ++k)
            narrow = std::fmin(narrow, narrowed(sizes_[k], std::fmax(largest[k], sizes_[k])));
        if (strayed(n_, 1, s_.angles, h, last, next, guess_.data(), narrow, o)) return other_branch;
        // Every block keeps its own sign: two that change together would hide each other in their product.
        Status answer = done;
        for (size_t k = 0; k < s_.block.size(); ++k) {
            if (signs_[k] != signs[k]) return sign_change;
            largest[k] = std::fmax(largest[k], sizes_[k]);
            if (sizes_[k] < nearly_singular * largest[k]) answer = singular;
        }
        return answer;
    }

    // Cosines and sines of the angles of a state, before `place`.
    void turn(const double* x) {
        for (int k = 0; k < s_.angles; ++k) sincos_of(x[k], k);
    }

    // Poses, velocities and accelerations of all bodies at the instant just solved: x y phi of each, then rates.
    void place(const double* state, const double* motion, double* out) const {
        const int bodies = static_cast<int>(s_.body.size()), line = 3 * bodies;
        const Instant at{state, state + n_, state + 2 * n_, c_.data(), sn_.data(), motion};
        for (int b = 0; b < bodies; ++b) {
            const LoopBody& body = s_.body[b];
            Moving r{{body.x, body.y}, {0, 0}, {0, 0}};
            if (body.parent >= 0) {
                const double* p = out + 3 * body.parent;
                r = {{p[0], p[1]}, {p[line], p[line + 1]}, {p[2 * line], p[2 * line + 1]}};
            }
            for (const Term& t : body.terms) {
                const Moving m = moving(t, at);
                r.p.x += m.p.x, r.p.y += m.p.y, r.v.x += m.v.x, r.v.y += m.v.y, r.a.x += m.a.x, r.a.y += m.a.y;
            }
            const bool turns = body.angle >= 0;
            double* o = out + 3 * b;
            o[0] = r.p.x, o[1] = r.p.y, o[2] = body.offset + (turns ? at.x[body.angle] : 0);
            o[line] = r.v.x, o[line + 1] = r.v.y, o[line + 2] = turns ? at.v[body.angle] : 0;
            o[2 * line] = r.a.x, o[2 * line + 1] = r.a.y, o[2 * line + 2] = turns ? at.a[body.angle] : 0;
        }
    }

  private:
    Status solve_block(size_t number, const Instant& at, double* x, double* v, double* a, const SweepOptions& o,
                       int* count) {
        const Block& b = s_.block[number];
        DenseLU& lu = lu_[number];
        const int n = static_cast<int>(b.unknowns.size());
        for (int k = 0; k < n; ++k) column_[b.unknowns[k]] = k;
        Status status = newton(b, lu, at, x, n, o, count);
        if (status == done) status = rates(b, lu, at, v, a, n);
        signs_[number] = block_sign_;
        sizes_[number] = n <= 2 ? std::fabs(determinant_) : lu.smallest();
        for (int k = 0; k < n; ++k) column_[b.unknowns[k]] = -1;
        return status;
    }

    Status newton(const Block& b, DenseLU& lu, const Instant& at, double* x, int n, const SweepOptions& o, int* count) {
        for (int corrections = 0;; ++corrections) {
            for (int u : b.unknowns)
                if (u < s_.angles) sincos_of(x[u], u);
            double gap = 0;
            values(b, at, [&](int k, double phi) {
                right_[k] = phi;
                const double size = std::fabs(phi);
                if (!(size <= gap)) gap = size;
            });
            if (!std::isfinite(gap)) return not_finite;
            const bool converged = gap <= o.tolerance;
            if (converged && (gap <= o.rounding() || gap > o.nearly())) break;
            if (!converged && corrections >= o.max_iterations) return no_convergence;
            if (!factor(b, lu, at, n)) return singular;
            back_solve(lu, n, right_.data());
            for (int k = 0; k < n; ++k) x[b.unknowns[k]] -= right_[k];
            if (!converged) {
                ++*count;
                continue;
            }
            for (int u : b.unknowns)
                if (u < s_.angles) sincos_of(x[u], u);
            break;
        }
        return done;
    }

    // Velocity and acceleration: with the block's own rates at zero, each equation gives its right side.
    Status rates(const Block& b, DenseLU& lu, const Instant& at, double* v, double* a, int n) {
        if (!factor(b, lu, at, n)) return singular;
        for (int u : b.unknowns) v[u] = a[u] = 0;
        rates_of(b, at, false, [&](int k, double value) { right_[k] = -value; });
        back_solve(lu, n, right_.data());
        for (int k = 0; k < n; ++k) v[b.unknowns[k]] = right_[k];
        rates_of(b, at, true, [&](int k, double value) { right_[k] = -value; });
        back_solve(lu, n, right_.data());
        for (int k = 0; k < n; ++k) a[b.unknowns[k]] = right_[k];
        for (int u : b.unknowns)
            if (!std::isfinite(v[u]) || !std::isfinite(a[u])) return not_finite;
        return done;
    }

    void sincos_of(double angle, int u) {
        c_[u] = std::cos(angle);
        sn_[u] = std::sin(angle);
    }

    // Both equations of a loop, or one of them, or a linear one: each visits its terms once.
    // put(row in the block, number) is called for every equation of the block.
    template <class Put>
    void values(const Block& b, const Instant& at, const Put& put) const {
        for_each_equation(
            b, at, put,
            [&](const Term& t) {
                const Vector e = direction(t, at);
                const double k = value_of_scale(t, at);
                return Vector{k * e.x, k * e.y};
            },
            at.x, 0, true);
    }

    // First or second time derivative of every equation of the block at the present rates.
    template <class Put>
    void rates_of(const Block& b, const Instant& at, bool second, const Put& put) const {
        for_each_equation(
            b, at, put,
            [&](const Term& t) {
                const Moving m = moving(t, at);
                return second ? m.a : m.v;
            },
            second ? at.a : at.v, second ? 2 : 1, false);
    }

    template <class Put, class Of>
    void for_each_equation(const Block& b, const Instant& at, const Put& put, const Of& of, const double* unknown,
                           int order, bool constants) const {
        const int loops = 2 * static_cast<int>(s_.loop.size()), n = static_cast<int>(b.rows.size());
        for (int k = 0; k < n; ++k) {
            const int row = b.rows[k];
            if (row >= loops) {
                const Linear& line = s_.linear[row - loops];
                double sum = constants ? -line.constant : 0;
                for (size_t i = 0; i < line.unknown.size(); ++i) sum += line.factor[i] * unknown[line.unknown[i]];
                put(k, line.driver < 0 ? sum : sum - at.motion[3 * line.driver + order]);
                continue;
            }
            Vector sum{0, 0};
            for (const Term& t : s_.loop[row / 2]) {
                const Vector v = of(t);
                sum.x += v.x;
                sum.y += v.y;
            }
            put(k, row % 2 ? sum.y : sum.x);
            if (k + 1 < n && b.rows[k + 1] == row + 1 && row % 2 == 0) put(++k, sum.y);  // the other half of the loop
        }
    }

    // d(equation) / d(unknowns of the block) into entry(row in the block, column, value).
    template <class Entry>
    void slopes(const Block& b, const Instant& at, const Entry& entry) const {
        const int loops = 2 * static_cast<int>(s_.loop.size()), n = static_cast<int>(b.rows.size());
        for (int k = 0; k < n; ++k) {
            const int row = b.rows[k];
            if (row >= loops) {
                const Linear& line = s_.linear[row - loops];
                for (size_t i = 0; i < line.unknown.size(); ++i)
                    if (column_[line.unknown[i]] >= 0) entry(k, column_[line.unknown[i]], line.factor[i]);
                continue;
            }
            const bool both = k + 1 < n && b.rows[k + 1] == row + 1 && row % 2 == 0;
            for (const Term& t : s_.loop[row / 2]) {
                const int turns = t.angle < 0 ? -1 : column_[t.angle], slides = t.slide < 0 ? -1 : column_[t.slide];
                if (turns < 0 && slides < 0) continue;
                const Vector e = direction(t, at);
                if (turns >= 0) {
                    const double scale = value_of_scale(t, at);
                    entry(k, turns, row % 2 ? scale * e.x : -scale * e.y);
                    if (both) entry(k + 1, turns, scale * e.x);
                }
                if (slides >= 0) {
                    entry(k, slides, row % 2 ? e.y : e.x);
                    if (both) entry(k + 1, slides, e.y);
                }
            }
            if (both) ++k;
        }
    }

    bool factor(const Block& b, DenseLU& lu, const Instant& at, int n) {
        if (n <= 2) {
            std::fill(square_.begin(), square_.begin() + n * n, 0.0);
            slopes(b, at, [&](int r, int c, double value) { square_[r * n + c] += value; });
            double size = 0;
            for (int k = 0; k < n * n; ++k) size = std::fmax(size, std::fabs(square_[k]));
            determinant_ = n == 1 ? square_[0] : square_[0] * square_[3] - square_[1] * square_[2];
            block_sign_ = determinant_ > 0 ? 1 : -1;
            return std::fabs(determinant_) > 1e-13 * (n == 1 ? size : size * size);
        }
        lu.clear();
        slopes(b, at, [&](int r, int c, double value) { lu.row(r)[c] += value; });
        const bool regular = lu.factor();
        block_sign_ = lu.sign();
        return regular;
    }

    void back_solve(const DenseLU& lu, int n, double* r) const {
        if (n == 1) {
            r[0] /= square_[0];
        } else if (n == 2) {
            const double x = (square_[3] * r[0] - square_[1] * r[1]) / determinant_;
            r[1] = (square_[0] * r[1] - square_[2] * r[0]) / determinant_;
            r[0] = x;
        } else {
            lu.solve(r);
        }
    }

    const LoopSystem& s_;
    int n_, block_sign_ = 1;
    double determinant_ = 0;
    std::vector<int> column_;
    std::vector<double> c_, sn_, guess_, right_, square_, signs_, sizes_;
    std::vector<DenseLU> lu_;
};

}  // namespace mubo
