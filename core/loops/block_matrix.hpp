// The square matrix of a block: closed form up to two equations, dense LU above.
#pragma once
#include <algorithm>
#include <cmath>

#include "../linear/lu.hpp"

namespace mubo {

class BlockMatrix {
  public:
    explicit BlockMatrix(int n) : n_(n), lu_(n > 2 ? n : 0) {}

    double* row(int r) { return n_ > 2 ? lu_.row(r) : m_ + r * n_; }
    void clear() {
        if (n_ > 2)
            lu_.clear();
        else
            m_[0] = m_[1] = m_[2] = m_[3] = 0;
    }
    int sign() const { return n_ > 2 ? lu_.sign() : determinant_ > 0 ? 1 : -1; }
    double size() const { return n_ > 2 ? lu_.smallest() : std::fabs(determinant_); }  // zero where rank is lost

    // False where no digit of a solution would be left.
    bool factor() {
        if (n_ > 2) return lu_.factor();
        if (n_ == 1) {
            determinant_ = m_[0];
            inverse_ = 1 / determinant_;
            return determinant_ != 0;
        }
        determinant_ = m_[0] * m_[3] - m_[1] * m_[2];
        inverse_ = 1 / determinant_;
        const double largest = std::max(std::max(std::fabs(m_[0]), std::fabs(m_[1])),  //
                                        std::max(std::fabs(m_[2]), std::fabs(m_[3])));
        return std::fabs(determinant_) > 1e-13 * largest * largest;
    }

    // Overwrites r with the solution.
    void solve(double* r) const {
        if (n_ == 2) {
            const double x = (m_[3] * r[0] - m_[1] * r[1]) * inverse_;
            r[1] = (m_[0] * r[1] - m_[2] * r[0]) * inverse_;
            r[0] = x;
        } else if (n_ == 1) {
            r[0] *= inverse_;
        } else {
            lu_.solve(r);
        }
    }

  private:
    int n_;
    double m_[4] = {0, 0, 0, 0}, determinant_ = 0, inverse_ = 0;
    DenseLU lu_;
};

}  // namespace mubo
