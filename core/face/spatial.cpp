// The nanobind face of spatial systems in absolute coordinates.
#include "system.hpp"

void bind_spatial(nb::module_& m) {
    mubo::bind_system<mubo::SpatialSystem>(m, "SpatialSystem", "spatial_row_kinds");
}
