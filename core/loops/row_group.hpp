// Rows of one motion in the lanes of a number type.
#pragma once
#include "row_solver.hpp"
#include "sweep.hpp"

namespace mubo {

template <class T>
class RowGroup : public RowSolver {
  public:
    static constexpr int lanes = LanesOf<T>::count;

    explicit RowGroup(const LoopSystem& s)
        : system_(s),
          sweeper_(system_),
          n_(s.unknowns()),
          last_(3 * n_),
          next_(3 * n_),
          signs_(s.block.size()),
          largest_(s.block.size()),
          placed_(9 * s.body.size()) {}

    int width() const override { return lanes; }

    bool solve(const RowGrid& grid, const RowPrediction& from, int row, const SweepOptions& options,
               const double* signs, double* states, double* largest, double* counts) override {
        const size_t line = 3 * static_cast<size_t>(n_);
        load_laws(grid, row + 1, lanes);
        predict(grid, from, row);
        T count;
        LaneStatus<T> status = sweeper_.solve(next_.data(), laws_.data(), options, &count);
        if (!all(status.good)) return false;
        store(next_, states + (row + 1) * line, line);
        load(last_, states + row * line, line, lanes);
        T h;
        for (int lane = 0; lane < lanes; ++lane) set_lane(h, lane, time(grid, row + lane + 1) - time(grid, row + lane));
        for (size_t k = 0; k < signs_.size(); ++k) {
            signs_[k] = T(signs[k]);
            largest_[k] = largest_so_far(sweeper_.sizes()[k], largest[k]);
        }
        sweeper_.check_step(h, last_.data(), next_.data(), signs_.data(), largest_.data(), options, &status);
        if (!all(status.good)) return false;
        for (size_t k = 0; k < signs_.size(); ++k) largest[k] = get_lane(largest_[k], lanes - 1);
        for (int lane = 0; lane < lanes; ++lane) counts[row + 1 + lane] = get_lane(count, lane);
        return true;
    }

    void place(const RowGrid& grid, int rows, const double* states, double* out) override {
        const size_t line = 3 * static_cast<size_t>(n_), width = placed_.size();
        for (int row = 0; row < rows; row += lanes) {
            const int used = std::min(lanes, rows - row);
            load_laws(grid, row, used);
            load(next_, states + row * line, line, used);
            for (int u = 0; u < system_.angles; ++u) sweeper_.turns().set(u, next_[u]);
            sweeper_.place(system_.order, true, next_.data(), laws_.data(), placed_.data());
            if (used == lanes) {
                store(placed_, out + row * width, width);
                continue;
            }
            for (int lane = 0; lane < used; ++lane)
                for (size_t k = 0; k < width; ++k) out[(row + lane) * width + k] = get_lane(placed_[k], lane);
        }
    }

  private:
    static double time(const RowGrid& grid, int row) { return grid.times[static_cast<size_t>(row) * grid.parts]; }

    // Lanes without a row repeat the last one.
    void load(std::vector<T>& to, const double* from, size_t line, int used) {
        for (size_t k = 0; k < to.size(); ++k)
            for (int lane = 0; lane < lanes; ++lane) set_lane(to[k], lane, from[std::min(lane, used - 1) * line + k]);
    }
    void store(const std::vector<T>& from, double* to, size_t line) {
        const char* each = reinterpret_cast<const char*>(from.data());
        for (size_t k = 0; k < from.size(); ++k)
            for (int lane = 0; lane < lanes; ++lane)
                std::memcpy(to + lane * line + k, each + (k * lanes + lane) * sizeof(double), sizeof(double));
    }
    void load_laws(const RowGrid& grid, int row, int used) {
        laws_.resize(grid.laws);
        load(laws_, grid.motion + static_cast<size_t>(row) * grid.parts * grid.laws,
             static_cast<size_t>(grid.parts) * grid.laws, used);
    }

    void predict(const RowGrid& grid, const RowPrediction& from, int row) {
        T h, u;
        for (int lane = 0; lane < lanes; ++lane) {
            const double after = time(grid, row + 1 + lane) - time(grid, from.row);
            set_lane(h, lane, after);
            set_lane(u, lane, after / from.span);
        }
        const double *x = from.at, *v = x + n_, *a = v + n_;
        for (int k = 0; k < n_; ++k)
            next_[k] = T(x[k]) + h * (T(v[k]) + h * T(0.5 * a[k])) +
                       u * u * u * (T(from.cubic[k]) + u * (T(from.quartic[k]) + u * T(from.quintic[k])));
    }

    // The largest size before each row: `largest` before the first, and the sizes of the rows between.
    static T largest_so_far(const T& sizes, double largest) {
        T out;
        for (int lane = 0; lane < lanes; ++lane) {
            set_lane(out, lane, largest);
            largest = larger(largest, get_lane(sizes, lane));
        }
        return out;
    }

    Loops<T> system_;
    LoopSweeper<T> sweeper_;
    int n_;
    std::vector<T> last_, next_, laws_, signs_, largest_, placed_;  // of a row in each lane
};

}  // namespace mubo
