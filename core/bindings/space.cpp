// The nanobind bindings of systems of space in absolute coordinates.
#include "system.hpp"

void bind_space(nb::module_& m) {
    mubo::bind_system<mubo::SpaceSystem>(m, "SpatialSystem", "spatial_row_kinds");
}
