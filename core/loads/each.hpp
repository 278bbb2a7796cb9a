// Iteration over a list of load types at compile time.
#pragma once
#include <tuple>
#include <utility>

namespace mubo {

template <class World>
struct LoadsOf;  // ::type is the list of the loads of a world

template <class Loads, class Visit, int... K>
void for_each_load(Visit&& visit, std::integer_sequence<int, K...>) {
    (visit(K, std::tuple_element_t<K, Loads>{}), ...);
}
// visit(kind number, Load{}) for every kind of the list, unrolled.
template <class Loads, class Visit>
void for_each_load(Visit&& visit) {
    for_each_load<Loads>(visit, std::make_integer_sequence<int, std::tuple_size_v<Loads>>{});
}

}  // namespace mubo
