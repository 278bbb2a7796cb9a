// Variants in the registers that every processor of its kind has, and one at a time.
#include "../number/lanes.hpp"
#include "crews.hpp"
#include "group.hpp"

namespace mubo {

std::unique_ptr<Crew> make_single_crew(const LoopSystem& s, const BatchTask& task) {
    return std::make_unique<Group<double>>(s, task);
}

std::unique_ptr<Crew> make_plain_crew(const LoopSystem& s, const BatchTask& task) {
    return std::make_unique<Group<Lanes<2>>>(s, task);
}

}  // namespace mubo
