"""mubo: mechanisms and multibody systems. How they move, what forces that takes, where they lock, with proof."""

from __future__ import annotations

# ruff: noqa: E402
from mubo.interrupt import quiet_while_loading

quiet_while_loading()  # before the imports that take their time

from mubo.errors import (
    AssemblyError,
    ModelError,
    MuboError,
    RedundancyError,
    ResultError,
    SimulationError,
    SingularityError,
)
from mubo.face import Linkage, Model, Run, compare, load


def __getattr__(name: str) -> str:
    """__version__, looked up when asked for: importlib.metadata would cost a third of the start-up time."""
    if name == "__version__":
        from importlib.metadata import version

        return version("mubo")
    raise AttributeError(f"module 'mubo' has no attribute {name!r}")


__all__ = [
    "AssemblyError",
    "Linkage",
    "Model",
    "ModelError",
    "MuboError",
    "RedundancyError",
    "ResultError",
    "Run",
    "SimulationError",
    "SingularityError",
    "compare",
    "load",
]
