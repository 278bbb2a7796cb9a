"""mubo: mechanisms and multibody systems. How they move, what forces that takes, where they lock, with proof."""

from __future__ import annotations

from importlib.metadata import version as _version

from mubo.errors import (
    AssemblyError,
    ModelError,
    MuboError,
    RedundancyError,
    ResultError,
    SimulationError,
    SingularityError,
)
from mubo.face import Model, Run, load

__version__ = _version("mubo")
__all__ = [
    "AssemblyError",
    "Model",
    "ModelError",
    "MuboError",
    "RedundancyError",
    "ResultError",
    "Run",
    "SimulationError",
    "SingularityError",
    "load",
]
