// Lane solvers for the registers that every processor has (SSE2, NEON), and for one variant or row at a time.
#include "../number/lanes.hpp"
#include "lane_group.hpp"
#include "lane_solvers.hpp"
#include "row_group.hpp"

namespace mubo {

std::unique_ptr<LaneSolver> make_scalar_lane_solver(const LoopSystem& s, const BatchTask& task) {
    return std::make_unique<LaneGroup<double>>(s, task);
}

std::unique_ptr<LaneSolver> make_plain_lane_solver(const LoopSystem& s, const BatchTask& task) {
    return std::make_unique<LaneGroup<Lanes<2>>>(s, task);
}

std::unique_ptr<RowSolver> make_scalar_row_solver(const LoopSystem& s) {
    return std::make_unique<RowGroup<double>>(s);
}

std::unique_ptr<RowSolver> make_plain_row_solver(const LoopSystem& s) {
    return std::make_unique<RowGroup<Lanes<2>>>(s);
}

}  // namespace mubo
