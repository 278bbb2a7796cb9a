// The nanobind bindings of systems of the plane in absolute coordinates.
#include "system.hpp"

void bind_plane(nb::module_& m) {
    m.attr("max_bodies") = mubo::max_bodies;
    mubo::bind_system<mubo::PlaneSystem>(m, "System", "row_kinds");
}
