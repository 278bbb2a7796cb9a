// Crews of this build, each compiled in a file of its own for the registers it works with.
#pragma once
#include "batch.hpp"

namespace mubo {

// One variant at a time; two registers of two (SSE2, NEON: every processor has them); two of four (AVX2).
constexpr int plain_crew = 4, wide_crew = 8;
std::unique_ptr<Crew> make_single_crew(const LoopSystem& s, const BatchTask& task);
std::unique_ptr<Crew> make_plain_crew(const LoopSystem& s, const BatchTask& task);
std::unique_ptr<Crew> make_wide_crew(const LoopSystem& s, const BatchTask& task);

}  // namespace mubo
