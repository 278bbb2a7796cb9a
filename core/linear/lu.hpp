// Dense LU with partial pivoting for small systems. J of a mechanism is mostly zeros, so zero multipliers
// are skipped; at these sizes that beats LAPACK about twofold.
#pragma once
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "../number/choose.hpp"
#include "../status.hpp"

namespace mubo {

// LU factors over any number type; each lane has its own pivot order.
template <class T>
class LUOf {
  public:
    explicit LUOf(int n) : n_(n), a_(n * n), pivot_(n) {}

    T* row(int r) { return a_.data() + r * n_; }
    void clear() { std::fill(a_.begin(), a_.end(), T(0.0)); }
    const T& sign() const { return sign_; }          // sign of the determinant; 0 where the matrix is singular
    const T& smallest() const { return smallest_; }  // smallest pivot: it goes to zero where the rank is lost

    // Factorises in place. False where a pivot is rounding beside the largest one.
    Mask<T> factor() {
        sign_ = T(1.0);
        smallest_ = T(HUGE_VAL);
        T largest(0.0);
        Mask<T> regular = largest == largest;
        for (int k = 0; k < n_; ++k) {
            bring_pivot_up(k);
            const T p = row(k)[k], size = magnitude(p);
            largest = larger(largest, size);
            smallest_ = smaller(smallest_, size);
            regular = regular & (size > T(lost_pivot) * largest);
            sign_ = choose(regular, choose(p < T(0.0), -sign_, sign_), T(0.0));
            if (!any(regular)) return regular;
            eliminate(k, T(1.0) / p);
        }
        return regular & (smallest_ > T(lost_pivot) * largest);
    }

    // Overwrites b with the solution of A x = b.
    void solve(T* b) const {
        for (int k = 0; k < n_; ++k) swap_lines(k, b + k, 1);
        for (int r = 1; r < n_; ++r) {
            const T* low = a_.data() + r * n_;
            T sum = b[r];
            for (int c = 0; c < r; ++c) sum -= low[c] * b[c];
            b[r] = sum;
        }
        for (int r = n_ - 1; r >= 0; --r) {
            const T* up = a_.data() + r * n_;
            T sum = b[r];
            for (int c = r + 1; c < n_; ++c) sum -= up[c] * b[c];
            b[r] = sum / up[r];
        }
    }

  private:
    // Partial pivoting: the row with the largest entry in column k becomes row k.
    void bring_pivot_up(int k) {
        T best(0.0), size = magnitude(row(k)[k]);
        for (int r = k + 1; r < n_; ++r) {
            const T other = magnitude(row(r)[k]);
            const Mask<T> better = other > size;
            size = choose(better, other, size);
            best = choose(better, T(static_cast<double>(r - k)), best);
        }
        pivot_[k] = best;
        sign_ = choose(best == T(0.0), sign_, -sign_);
        swap_lines(k, row(k), n_);
    }

    // Swaps a line with the one that is pivot_[k] lines below.
    void swap_lines(int k, T* line, int width) const {
        if constexpr (LanesOf<T>::count == 1) {
            const int below = static_cast<int>(pivot_[k]);
            if (below) std::swap_ranges(line, line + width, line + below * width);
        } else {
            for (int below = 1; k + below < n_; ++below) {
                const Mask<T> here = pivot_[k] == T(static_cast<double>(below));
                if (!any(here)) continue;
                for (int c = 0; c < width; ++c) {
                    const T up = line[c], down = line[below * width + c];
                    line[c] = choose(here, down, up);
                    line[below * width + c] = choose(here, up, down);
                }
            }
        }
    }

    void eliminate(int k, const T& inverse) {
        const T* top = row(k);
        for (int r = k + 1; r < n_; ++r) {
            T* low = row(r);
            const Mask<T> zero = low[k] == T(0.0);
            if (all(zero)) continue;
            const T m = low[k] *= inverse;
            if (!any(zero))
                for (int c = k + 1; c < n_; ++c) low[c] -= m * top[c];
            else
                for (int c = k + 1; c < n_; ++c) low[c] = choose(zero, low[c], low[c] - m * top[c]);
        }
    }

    int n_;
    T sign_ = T(0.0), smallest_ = T(0.0);
    std::vector<T> a_, pivot_;
};
using DenseLU = LUOf<double>;

}  // namespace mubo
