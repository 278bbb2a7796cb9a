"""The mechanism that is solved: bodies, named constraint equations and loads, and the formulations that compile them
for the core."""

from mubo.mechanism.formulations.absolute import Absolute, absolute
from mubo.mechanism.mechanism import Mechanism, mechanism_of
from mubo.mechanism.rows import ROW_KINDS, SPATIAL_ROW_KINDS, Equation, NamedRow

__all__ = [
    "ROW_KINDS",
    "SPATIAL_ROW_KINDS",
    "Absolute",
    "Equation",
    "Mechanism",
    "NamedRow",
    "absolute",
    "mechanism_of",
]
