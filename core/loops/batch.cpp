// Variants distributed over threads, and the lane solvers that the processor supports.
#include "batch.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <system_error>
#include <thread>

#include "lane_solvers.hpp"

namespace mubo {

LaneSolver::~LaneSolver() = default;
RowSolver::~RowSolver() = default;

std::vector<LaneSolverKind> lane_solver_kinds() {
    std::vector<LaneSolverKind> kinds;
#if defined(__x86_64__)
    const bool wide = __builtin_cpu_supports("avx2");
    if (wide && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        kinds.push_back({widest_lanes, make_widest_lane_solver, make_wide_row_solver});
    if (wide) kinds.push_back({wide_lanes, make_wide_lane_solver, make_wide_row_solver});
#endif
    kinds.push_back({plain_lanes, make_plain_lane_solver, make_plain_row_solver});
    kinds.push_back({1, make_scalar_lane_solver, make_scalar_row_solver});
    return kinds;
}

void run_batch(const LoopSystem& s, const BatchTask& task, MakeLaneSolver make, int variants, int threads,
               const double* numbers, double* out, Outcome* outcome) {
    const size_t room = static_cast<size_t>(task.rows) * task.columns.size();
    std::vector<std::unique_ptr<LaneSolver>> solvers;
    solvers.push_back(make(s, task));
    const int width = solvers[0]->width(), groups = (variants + width - 1) / width;
    while (static_cast<int>(solvers.size()) < std::min(threads, groups)) solvers.push_back(make(s, task));
    std::atomic<int> next{0};
    const auto work = [&](LaneSolver& solver) {
        for (int group = next++; group < groups; group = next++) {
            const size_t first = static_cast<size_t>(group) * width;
            const int count = std::min(width, variants - static_cast<int>(first));
            solver.run(numbers + first * task.dimensions, count, out + first * room, outcome + first);
        }
    };
    std::vector<std::thread> pool;
    try {
        for (size_t k = 1; k < solvers.size(); ++k) pool.emplace_back(work, std::ref(*solvers[k]));
    } catch (const std::system_error&) {
        // The system has no more threads: the existing ones do all the work.
    }
    work(*solvers[0]);
    for (std::thread& thread : pool) thread.join();
}

}  // namespace mubo
