// The rows of a sweep in blocks where that succeeds.
#pragma once
#include <algorithm>
#include <vector>

#include "row_solver.hpp"

namespace mubo {

class RowBlocks {
  public:
    RowBlocks(RowSolver& solver, const RowGrid& grid, int rows, int unknowns)
        : solver_(solver), grid_(grid), rows_(rows), n_(unknowns), powers_(3 * unknowns) {}

    // Rows solved after `row`: a whole block or none.
    int advance(int row, const SweepOptions& options, const double* signs, double* states, double* largest,
                size_t blocks, double* counts) {
        if (row < next_ || row + block_rows >= rows_) return 0;
        const RowPrediction from = predict(row, states);
        largest_.assign(largest, largest + blocks);
        for (int done = 0; done < block_rows; done += solver_.width())
            if (!solver_.solve(grid_, from, row + done, options, signs, states, largest_.data(), counts)) {
                next_ = row + pause_;
                pause_ = std::min(2 * pause_, longest_pause);
                return 0;
            }
        std::copy(largest_.begin(), largest_.end(), largest);
        pause_ = block_rows;
        return block_rows;
    }

  private:
    double time(int row) const { return grid_.times[static_cast<size_t>(row) * grid_.parts]; }

    // With D0 = x - H v + H^2 a / 2 - x', D1 = H (v - H a - v'), D2 = H^2 (a - a') and x', v', a' a time H before.
    RowPrediction predict(int row, const double* states) {
        const size_t line = 3 * static_cast<size_t>(n_);
        const double H = time(row) - time(row - block_rows);
        const double *x = states + row * line, *v = x + n_, *a = v + n_;
        const double *y = states + (row - block_rows) * line, *w = y + n_, *b = w + n_;
        double *cubic = powers_.data(), *quartic = cubic + n_, *quintic = quartic + n_;
        for (int k = 0; k < n_; ++k) {
            const double d0 = x[k] - H * v[k] + 0.5 * H * H * a[k] - y[k], d1 = H * (v[k] - H * a[k] - w[k]),
                         d2 = H * H * (a[k] - b[k]);
            cubic[k] = 10 * d0 + 4 * d1 + 0.5 * d2;
            quartic[k] = 15 * d0 + 7 * d1 + d2;
            quintic[k] = 6 * d0 + 3 * d1 + 0.5 * d2;
        }
        return {row, H, x, cubic, quartic, quintic};
    }

    static constexpr int longest_pause = 1 << 10;
    RowSolver& solver_;
    const RowGrid& grid_;
    int rows_, n_, next_ = block_rows, pause_ = block_rows;  // no block begins before the row `next_`
    std::vector<double> powers_, largest_;
};

}  // namespace mubo
