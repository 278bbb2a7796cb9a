// One output step, taken as a whole or, where that fails, in halves, quarters … down to its smallest parts.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "../status.hpp"

namespace mubo {

// `Step` is called as step(from, to, last, next, part, count) with indices on the grid of the parts, two states of x,
// v, a, the largest correction of a body relative to its motion, and the number of iterations; it returns a status.
template <class Step>
class StepHalver {
  public:
    // `parts`, a power of two, is the number of smallest parts of an output step, 1 to take it only as a whole.
    // Positions that differ by less than `same` are equal.
    StepHalver(Step step, int unknowns, int parts, double part, double same)
        : step_(step), n_(unknowns), parts_(parts), part_(part), same_(same) {
        if (parts > 1) here_.resize(3 * n_), there_.resize(3 * n_);
    }

    // Advances from the grid point `first`, where the state is `last`, to the next output time.
    Status advance(int first, const double* last, double* next, double* count) {
        Status status = step_(first, first + parts_, last, next, part_, count);
        if (status == done || parts_ == 1) return status;
        double divided = 0;
        status = advance_in_parts(first, last, &divided);
        if (status != done) return status;
        // The whole step, without the branch criterion, where the sub-steps confirm it.
        status = step_(first, first + parts_, last, next, std::numeric_limits<double>::infinity(), count);
        if (status == done && confirms(next)) return done;
        std::copy(here_.begin(), here_.end(), next);
        *count = divided;
        return done;
    }

  private:
    Status advance_in_parts(int first, const double* last, double* count) {
        std::copy(last, last + 3 * n_, here_.begin());
        for (int at = 0, width = parts_ / 2; at < parts_;) {
            const int reach = std::min(width, parts_ - at);
            double corrections = 0;
            const Status status =
                step_(first + at, first + at + reach, here_.data(), there_.data(), part_, &corrections);
            if (status == done) {
                here_.swap(there_);
                at += reach;
                *count += corrections;
                width = std::min(2 * reach, parts_ / 2);
            } else if (reach == 1) {
                return status;
            } else {
                width = reach / 2;
            }
        }
        return done;
    }

    bool confirms(const double* whole) const {
        double difference = 0, largest = 0;
        for (int k = 0; k < n_; ++k) {
            difference = std::fmax(difference, std::fabs(whole[k] - here_[k]));
            largest = std::fmax(largest, std::fabs(here_[k]));
        }
        return difference < same_ * (1 + largest);
    }

    Step step_;
    int n_, parts_;
    double part_, same_;
    std::vector<double> here_, there_;
};

}  // namespace mubo
