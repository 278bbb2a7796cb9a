// The nanobind face of planar systems in absolute coordinates.
#include "system.hpp"

void bind_planar(nb::module_& m) {
    m.attr("most_bodies") = mubo::most_bodies;
    mubo::bind_system<mubo::PlanarSystem>(m, "System", "row_kinds");
}
