// Derivatives of forward dynamics: with R = M a + h - Q + J'lam and c = d2Phi/dt2 at constant a and lam,
//   M da + J'dlam = -dR + dtau,   J da = -dc.
// M = L'D L without fill in the branches of the tree (Featherstone 2008, section 6.5); rows that close loops are
// eliminated by J M^-1 J'. Geometry of the rows is differentiated by differences of fourth order, which are exact in v.
#pragma once
#include <algorithm>
#include <vector>

#include "../tree/load_derivatives.hpp"
#include "loop_closure.hpp"

namespace mubo {

// L'D L of a symmetric positive matrix whose row k has entries only at inboard[k], inboard[inboard[k]] and so on.
class SymmetricFactor {
  public:
    explicit SymmetricFactor(std::vector<int> inboard) : inboard_(std::move(inboard)), L_(size() * size()) {}
    size_t size() const { return inboard_.size(); }

    // False where a pivot vanishes beside its diagonal.
    bool factor(const double* M) {
        const int n = static_cast<int>(size());
        std::copy(M, M + L_.size(), L_.begin());
        for (int k = n - 1; k >= 0; --k) {
            double* row = L_.data() + k * n;
            if (!(row[k] > least_pivot * M[k * n + k])) return false;
            for (int i = inboard_[k]; i >= 0; i = inboard_[i]) {
                const double part = row[i] / row[k];
                for (int j = i; j >= 0; j = inboard_[j]) L_[i * n + j] -= part * row[j];
                row[i] = part;
            }
        }
        return true;
    }
    // Solves for `columns` right sides, x [size][columns].
    void solve(double* x, int columns) const {
        const int n = static_cast<int>(size());
        const auto subtract = [&](double part, const double* from, double* to) {
            for (int c = 0; c < columns; ++c) to[c] -= part * from[c];
        };
        for (int k = n - 1; k >= 0; --k)
            for (int i = inboard_[k]; i >= 0; i = inboard_[i])
                subtract(L_[k * n + i], x + k * columns, x + i * columns);
        for (int k = 0; k < n; ++k) {
            const double scale = 1 / L_[k * n + k];
            for (int c = 0; c < columns; ++c) x[k * columns + c] *= scale;
            for (int i = inboard_[k]; i >= 0; i = inboard_[i])
                subtract(L_[k * n + i], x + i * columns, x + k * columns);
        }
    }

  private:
    static constexpr double least_pivot = 1e-13;
    std::vector<int> inboard_;
    std::vector<double> L_;
};

// The degree of freedom next inboard of each one; -1: none.
inline std::vector<int> inboard_of(const TreeSystem& s) {
    std::vector<int> out(s.velocities, -1), last(s.links() + 1, -1);
    for (int i = 0; i < s.links(); ++i) {
        const Link& l = s.link[i];
        int before = last[l.parent + 1];
        for (int c = l.v; c < l.v + kind_velocities[l.kind]; ++c) out[c] = before, before = c;
        last[i + 1] = before;
    }
    return out;
}
inline std::vector<int> one_after_the_other(int count) {
    std::vector<int> out(count);
    for (int k = 0; k < count; ++k) out[k] = k - 1;
    return out;
}

// J of the active rows that close loops, [rows][velocities], at the motion in `work` with `loops` evaluated.
inline void loop_jacobian(const TreeSystem& s, const ClosedTree& loops, const TreeWork& work, double* J) {
    const int n = s.velocities;
    const std::vector<int>& end = loops.rows().end;
    int row = 0;
    for (int r = 0; r < loops.rows().equations; ++r) {
        if (!loops.active()[r]) continue;
        double* line = J + n * row++;
        std::fill(line, line + n, 0.0);
        for (int k = 0; k < max_bodies; ++k) {
            Wrench K = work.loops.end[max_bodies * r + k];
            for (int i = end[max_bodies * r + k]; i >= 0; i = s.link[i].parent) {
                double along[3];
                joint_effort(s.link[i], work.of(i), K, along);
                for (int c = 0; c < kind_velocities[s.link[i].kind]; ++c) line[s.link[i].v + c] += along[c];
                K = shifted(K, work.of(i).s);
            }
        }
    }
}

// Adds d(J'lam)/dq to Dq, and sets cq and cv, the derivatives of d2Phi/dt2 at constant a: [active rows][velocities].
inline void add_loop_derivatives(const TreeSystem& s, const ClosedTree& loops, double t, const double* q,
                                 const double* v, const double* a, const std::vector<double>& lam, TreeWork& work,
                                 double* Dq, double* cq, double* cv) {
    const int n = s.velocities, m = static_cast<int>(lam.size());
    std::vector<double> J(static_cast<size_t>(m) * n), c(m);
    std::fill(cq, cq + m * n, 0.0), std::fill(cv, cv + m * n, 0.0);
    const auto evaluate = [&](const double* at_q, const double* at_v) {
        std::copy(a, a + n, work.a.begin());
        loops.place(s, t, at_q, at_v, work);
        for (int r = 0, row = 0; r < loops.rows().equations; ++r)
            if (loops.active()[r]) c[row++] = work.loops.bias[r];
        return true;
    };
    differences(s, q, v, true, evaluate, [&](int k, double factor) {
        loop_jacobian(s, loops, work, J.data());
        for (int r = 0; r < m; ++r) {
            cq[r * n + k] += factor * c[r];
            for (int i = 0; i < n; ++i) Dq[i * n + k] += factor * lam[r] * J[r * n + i];
        }
    });
    differences(s, q, v, false, evaluate, [&](int k, double factor) {
        for (int r = 0; r < m; ++r) cv[r * n + k] += factor * c[r];
    });
    std::fill(work.a.begin(), work.a.end(), 0.0);
}

}  // namespace mubo
