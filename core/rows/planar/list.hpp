// Every planar equation there is. A new one: a header beside these, and its name in this list.
#pragma once
#include <tuple>
#include <utility>

#include "along.hpp"
#include "cam.hpp"
#include "coincide.hpp"
#include "coordinate.hpp"
#include "distance.hpp"
#include "parallel.hpp"
#include "place.hpp"
#include "ratio.hpp"
#include "roll.hpp"
#include "slide.hpp"

namespace mubo {

using PlanarRows =
    std::tuple<Coincide, Along, Parallel, Coordinate, Slide, Distance, Ratio, Roll, Place, CamRoller, CamFlat>;
constexpr int planar_kinds = std::tuple_size_v<PlanarRows>;
constexpr int most_rows = 2, most_bodies = 3, most_parameters = 8;

template <class Visit, int... K>
void for_each_planar_row(Visit&& visit, std::integer_sequence<int, K...>) {
    (visit(K, std::tuple_element_t<K, PlanarRows>{}), ...);
}
// visit(kind number, Row{}) for every kind of the list, unrolled by the compiler.
template <class Visit>
void for_each_planar_row(Visit&& visit) {
    for_each_planar_row(visit, std::make_integer_sequence<int, planar_kinds>{});
}

}  // namespace mubo
