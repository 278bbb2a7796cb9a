// The square matrix of a block: closed form up to two equations, dense LU above.
#pragma once
#include "../linear/lu.hpp"

namespace mubo {

template <class T>
class BlockMatrix {
  public:
    explicit BlockMatrix(int n) : n_(n), lu_(n > 2 ? n : 0) {}

    T* row(int r) { return n_ > 2 ? lu_.row(r) : m_ + r * n_; }
    void clear() {
        if (n_ > 2)
            lu_.clear();
        else
            m_[0] = m_[1] = m_[2] = m_[3] = T(0.0);
    }
    T sign() const { return n_ > 2 ? lu_.sign() : choose(determinant_ > T(0.0), T(1.0), T(-1.0)); }
    T size() const { return n_ > 2 ? lu_.smallest() : magnitude(determinant_); }  // zero where rank is lost

    // False where no digit of a solution would be left.
    Mask<T> factor() {
        if (n_ > 2) return lu_.factor();
        determinant_ = n_ == 1 ? m_[0] : m_[0] * m_[3] - m_[1] * m_[2];
        inverse_ = T(1.0) / determinant_;
        if (n_ == 1) return determinant_ != T(0.0);
        const T largest = larger(larger(magnitude(m_[0]), magnitude(m_[1])),  //
                                 larger(magnitude(m_[2]), magnitude(m_[3])));
        return magnitude(determinant_) > T(lost_pivot) * largest * largest;
    }

    // Overwrites r with the solution.
    void solve(T* r) const {
        if (n_ == 2) {
            const T x = (m_[3] * r[0] - m_[1] * r[1]) * inverse_;
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
    T m_[4] = {T(0.0), T(0.0), T(0.0), T(0.0)}, determinant_ = T(0.0), inverse_ = T(0.0);
    LUOf<T> lu_;
};

}  // namespace mubo
