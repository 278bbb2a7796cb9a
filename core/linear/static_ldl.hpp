// L D L' of a symmetric matrix (real, or complex without conjugation) in one fixed order without pivoting: the pattern
// and the entries that every pivot changes are found once, and a factorisation allocates nothing.
#pragma once
#include <algorithm>
#include <vector>

#include "../number/complex.hpp"

namespace mubo {

// Unknowns are numbered in the order of elimination; column k has the entries start[k] to start[k + 1] below its
// diagonal, their rows ascending.
struct LdlPattern {
    std::vector<int> start{0}, row;
    std::vector<int> target;  // of every pair of entries (a < b) of every column: the entry (row b, row a)

    int size() const { return static_cast<int>(start.size()) - 1; }

    // The entry (i, j) with i > j; it must be in the pattern.
    int entry(int i, int j) const {
        int low = start[j], high = start[j + 1];
        while (low < high) {
            const int middle = (low + high) / 2;
            row[middle] < i ? low = middle + 1 : high = middle;
        }
        return low;
    }
    void find_targets() {
        for (int k = 0; k < size(); ++k)
            for (int a = start[k]; a < start[k + 1]; ++a)
                for (int b = a + 1; b < start[k + 1]; ++b) target.push_back(entry(row[b], row[a]));
    }
};

template <class T>
class StaticLdl {
  public:
    std::vector<T> diagonal, below;  // the matrix, then its factors

    explicit StaticLdl(const LdlPattern& p) : diagonal(p.size()), below(p.row.size()), p_(p) {}

    void clear() {
        std::fill(diagonal.begin(), diagonal.end(), T(0));
        std::fill(below.begin(), below.end(), T(0));
    }

    // `skipped(k, pivot)` returns whether unknown k is left out, so that it stays zero; `eliminates(k, row, part)`
    // receives what pivot k subtracts from the diagonal of a row.
    template <class Skipped, class Eliminates>
    bool factor(Skipped&& skipped, Eliminates&& eliminates) {
        const int* target = p_.target.data();
        for (int k = 0; k < p_.size(); ++k) {
            const int first = p_.start[k], last = p_.start[k + 1], count = last - first;
            if (skipped(k, diagonal[k])) {
                diagonal[k] = T(0);
                std::fill(below.begin() + first, below.begin() + last, T(0));
                target += count * (count - 1) / 2;
                continue;
            }
            if (!(size_of(diagonal[k]) > 0)) return false;
            const T inverse = T(1) / diagonal[k];
            for (int a = first; a < last; ++a) {
                const T x = below[a], part = x * inverse;
                diagonal[p_.row[a]] -= part * x;
                eliminates(k, p_.row[a], part * x);
                for (int b = a + 1; b < last; ++b) below[*target++] -= part * below[b];
            }
            for (int a = first; a < last; ++a) below[a] *= inverse;
            diagonal[k] = inverse;
        }
        return true;
    }

    // Overwrites x with the solution; skipped unknowns become zero.
    void solve(T* x) const {
        const int n = p_.size();
        for (int k = 0; k < n; ++k)
            for (int a = p_.start[k]; a < p_.start[k + 1]; ++a) x[p_.row[a]] -= below[a] * x[k];
        for (int k = n - 1; k >= 0; --k) {
            x[k] *= diagonal[k];
            for (int a = p_.start[k]; a < p_.start[k + 1]; ++a) x[k] -= below[a] * x[p_.row[a]];
        }
    }

  private:
    const LdlPattern& p_;
};

}  // namespace mubo
