// Solution of small square systems G x = b that may be singular but consistent: the least solution of equally scaled
// unknowns, by a shifted matrix and iterative refinement (Riley 1955; the shift costs no accuracy, because refinement
// removes it from every part that the matrix determines).
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

namespace mubo {

class ConsistentSolver {
  public:
    std::vector<double> G, b, x;  // row by row

    void resize(int n) {
        n_ = n;
        G.assign(static_cast<size_t>(n) * n, 0.0);
        b.assign(n, 0.0), x.assign(n, 0.0);
    }
    int size() const { return n_; }
    // Whether the last matrix leaves a part of the unknowns open, or nearly.
    bool is_singular() const { return smallest_ < 100 * shift; }

    void solve() {
        scale_.resize(n_), order_.resize(n_), r_.resize(n_);
        for (int i = 0; i < n_; ++i) scale_[i] = 1 / std::sqrt(std::fmax(std::fabs(G[i * n_ + i]), 1e-24));
        factor();
        std::fill(x.begin(), x.end(), 0.0);
        refine();
    }
    // The solution nearest to x, with the factors of the last one.
    void refine() {
        for (int count = 0; count < 5; ++count) {
            for (int i = 0; i < n_; ++i) {
                double sum = b[i];
                for (int j = 0; j < n_; ++j) sum -= G[i * n_ + j] * x[j];
                r_[i] = scale_[i] * sum;
            }
            substitute();
            for (int i = 0; i < n_; ++i) x[i] += scale_[i] * r_[i];
        }
    }

  private:
    static constexpr double shift = 1e-5;
    int n_ = 0;
    double smallest_ = 1;  // pivot
    std::vector<double> LU_, scale_, r_;
    std::vector<int> order_;

    void factor() {
        LU_.resize(G.size());
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < n_; ++j) LU_[i * n_ + j] = scale_[i] * G[i * n_ + j] * scale_[j] + (i == j ? shift : 0);
        smallest_ = 1;
        for (int k = 0; k < n_; ++k) {
            int p = k;
            for (int i = k + 1; i < n_; ++i)
                if (std::fabs(LU_[i * n_ + k]) > std::fabs(LU_[p * n_ + k])) p = i;
            order_[k] = p;
            if (p != k) std::swap_ranges(&LU_[k * n_], &LU_[k * n_] + n_, &LU_[p * n_]);
            const double pivot = LU_[k * n_ + k];
            smallest_ = std::fmin(smallest_, std::fabs(pivot));
            if (pivot == 0) continue;
            for (int i = k + 1; i < n_; ++i) {
                const double f = LU_[i * n_ + k] /= pivot;
                if (f == 0) continue;
                for (int j = k + 1; j < n_; ++j) LU_[i * n_ + j] -= f * LU_[k * n_ + j];
            }
        }
    }
    void substitute() {
        for (int k = 0; k < n_; ++k) std::swap(r_[k], r_[order_[k]]);
        for (int k = 0; k < n_; ++k) {
            for (int i = k + 1; i < n_; ++i) r_[i] -= LU_[i * n_ + k] * r_[k];
        }
        for (int k = n_ - 1; k >= 0; --k) {
            for (int j = k + 1; j < n_; ++j) r_[k] -= LU_[k * n_ + j] * r_[j];
            r_[k] = LU_[k * n_ + k] == 0 ? 0 : r_[k] / LU_[k * n_ + k];
        }
    }
};

}  // namespace mubo
