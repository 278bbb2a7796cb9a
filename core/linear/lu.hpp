// Dense LU with partial pivoting for small systems. J of a mechanism is mostly zeros, so zero multipliers
// are skipped; at these sizes that beats LAPACK about twofold.
#pragma once
#include <cmath>
#include <utility>
#include <vector>

#include "../status.hpp"

namespace mubo {

class DenseLU {
  public:
    explicit DenseLU(int n) : n_(n), a_(n * n), pivot_(n) {}

    double* row(int r) { return a_.data() + r * n_; }
    void clear() { std::fill(a_.begin(), a_.end(), 0.0); }
    int sign() const { return sign_; }             // of the determinant; 0 where the matrix is singular
    double smallest() const { return smallest_; }  // pivot: it goes to zero where the rank is lost

    // Factorises in place. False where a pivot is lost against the largest one.
    bool factor() {
        sign_ = 1;
        smallest_ = HUGE_VAL;
        double largest = 0;
        for (int k = 0; k < n_; ++k) {
            int best = k;
            for (int r = k + 1; r < n_; ++r)
                if (std::fabs(row(r)[k]) > std::fabs(row(best)[k])) best = r;
            pivot_[k] = best;
            if (best != k) {
                std::swap_ranges(row(k), row(k) + n_, row(best));
                sign_ = -sign_;
            }
            const double* top = row(k);
            const double p = top[k], size = std::fabs(p);
            largest = std::fmax(largest, size);
            smallest_ = std::fmin(smallest_, size);
            if (!(size > lost_pivot * largest)) {
                sign_ = 0;
                return false;
            }
            if (p < 0) sign_ = -sign_;
            const double inverse = 1 / p;
            for (int r = k + 1; r < n_; ++r) {
                double* low = row(r);
                if (low[k] == 0) continue;
                const double m = low[k] *= inverse;
                for (int c = k + 1; c < n_; ++c) low[c] -= m * top[c];
            }
        }
        return smallest_ > lost_pivot * largest;
    }

    // Overwrites b with the solution.
    void solve(double* b) const {
        for (int k = 0; k < n_; ++k) std::swap(b[k], b[pivot_[k]]);
        for (int r = 1; r < n_; ++r) {
            const double* low = a_.data() + r * n_;
            double sum = b[r];
            for (int c = 0; c < r; ++c) sum -= low[c] * b[c];
            b[r] = sum;
        }
        for (int r = n_ - 1; r >= 0; --r) {
            const double* up = a_.data() + r * n_;
            double sum = b[r];
            for (int c = r + 1; c < n_; ++c) sum -= up[c] * b[c];
            b[r] = sum / up[r];
        }
    }

  private:
    int n_, sign_ = 0;
    double smallest_ = 0;
    std::vector<double> a_;
    std::vector<int> pivot_;
};

}  // namespace mubo
