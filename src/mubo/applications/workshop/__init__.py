"""Links of the plane as plates to cut: outlines with rounded ends, holes at the pins, drawings and a parts list."""
