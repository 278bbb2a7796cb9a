// Iteration over a list of row types at compile time.
#pragma once
#include <tuple>
#include <utility>

namespace mubo {

constexpr int max_bodies = 4;  // that one row may connect

template <class Rows, class Visit, int... K>
void for_each_row(Visit&& visit, std::integer_sequence<int, K...>) {
    (visit(K, std::tuple_element_t<K, Rows>{}), ...);
}
// visit(kind number, Row{}) for every kind of the list, unrolled.
template <class Rows, class Visit>
void for_each_row(Visit&& visit) {
    for_each_row<Rows>(visit, std::make_integer_sequence<int, std::tuple_size_v<Rows>>{});
}

}  // namespace mubo
