// Variants shared out among threads, and the crews that a processor can work with.
#include "batch.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <system_error>
#include <thread>

#include "crews.hpp"

namespace mubo {

Crew::~Crew() = default;

std::vector<CrewKind> crew_kinds() {
    std::vector<CrewKind> kinds;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) kinds.push_back({wide_crew, make_wide_crew});
#endif
    kinds.push_back({plain_crew, make_plain_crew});
    kinds.push_back({1, make_single_crew});
    return kinds;
}

void run_batch(const LoopSystem& s, const BatchTask& task, MakeCrew make, int variants, int threads,
               const double* numbers, double* out, Outcome* outcome) {
    const size_t room = static_cast<size_t>(task.rows) * task.columns.size();
    std::vector<std::unique_ptr<Crew>> crews;
    crews.push_back(make(s, task));
    const int width = crews[0]->width(), groups = (variants + width - 1) / width;
    while (static_cast<int>(crews.size()) < std::min(threads, groups)) crews.push_back(make(s, task));
    std::atomic<int> next{0};
    const auto work = [&](Crew& crew) {
        for (int group = next++; group < groups; group = next++) {
            const size_t first = static_cast<size_t>(group) * width;
            const int count = std::min(width, variants - static_cast<int>(first));
            crew.run(numbers + first * task.dimensions, count, out + first * room, outcome + first);
        }
    };
    std::vector<std::thread> pool;
    try {
        for (size_t k = 1; k < crews.size(); ++k) pool.emplace_back(work, std::ref(*crews[k]));
    } catch (const std::system_error&) {
        // The system gives no more threads: those there do all the work.
    }
    work(*crews[0]);
    for (std::thread& thread : pool) thread.join();
}

}  // namespace mubo
