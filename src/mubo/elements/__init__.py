"""The elements of a mechanism, declarations only. A joint is a short list of constraint equations of the core."""

from mubo.elements.declare import CLOSING, COORDINATES, Element, LoadFormula, Option, Row
from mubo.elements.details import TABLES, TableSchema
from mubo.elements.registry import (
    AMBIENTS,
    DRIVERS,
    JOINTS,
    LOADS,
    PLANE_LOADS,
    SPATIAL_DRIVERS,
    SPATIAL_JOINTS,
    driver_of,
    joints_of,
    loads_of,
)

__all__ = [
    "AMBIENTS",
    "CLOSING",
    "COORDINATES",
    "DRIVERS",
    "JOINTS",
    "LOADS",
    "PLANE_LOADS",
    "SPATIAL_DRIVERS",
    "SPATIAL_JOINTS",
    "TABLES",
    "Element",
    "LoadFormula",
    "Option",
    "Row",
    "TableSchema",
    "driver_of",
    "joints_of",
    "loads_of",
]
