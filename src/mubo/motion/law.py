"""What every motion law can do, and where it has corners."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.motion.file_form import Quantities

if TYPE_CHECKING:
    from mubo.motion.smoothing import Smoothing
    from mubo.motion.table import Table

EVERYWHERE = (-np.inf, np.inf)
ORDERS = ("value", "velocity", "acceleration")
FileForm = str | dict[str, Any]


class Law(ABC):
    """f(t) with f'(t) and f''(t), which also says what it is and how a model file writes it.

    A law must answer `__call__` and `words`; what else it knows, it says instead of what stands here. With a line in
    `registry.py` model files can hold it and the laws of `tests/laws/test_motion.py` try it, on the examples
    ("    motion = …") of its docstring: one for every form that it has in files.
    """

    forms: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Its forms in a model file: the first key of each, and all keys that may stand there."""

    @abstractmethod
    def __call__(self, t: Array) -> Array:
        """f, f', f'' at the times t, as an array of shape (len(t), 3)."""

    @property
    @abstractmethod
    def words(self) -> str:
        """ "1.9 + 0.25 sin(2 t)", or how the law is made where that is no formula."""

    @property
    def domain(self) -> tuple[float, float]:
        """First and last time at which the law is defined."""
        return EVERYWHERE

    def breaks(self, start: float, end: float) -> Array:
        """Times where the law changes its formula and a derivative may jump, at least those between start and end."""
        return np.zeros(0)

    def notes(self) -> dict[str, Any]:
        """Facts for the summary, such as the smoothing used."""
        return {}

    @property
    def samples(self) -> Table | None:
        """The samples that the law goes through or near, if it is made of some; its pieces end there."""
        return None

    @property
    def powers(self) -> tuple[float, ...] | None:
        """c0, c1, … of a law that is c0 + c1 t + … by its form; None for others, even if they have such values."""
        return None

    @property
    def knows_derivatives(self) -> bool:
        """Whether f' and f'' are exact: those by differences are taken from Chebyshev pieces of f instead."""
        return True

    def smoothed(self, how: str | float | Smoothing) -> Law:
        """The law with its measured samples smoothed as said; others are the same as before."""
        return self

    def to_file(self) -> FileForm:
        """The law in the form that a model file holds: text, or keys with plain values."""
        raise ModelError(
            f"{type(self).__name__} cannot be written to a file",
            suggestion="Use an expression, a polynomial or a table.",
        )

    @classmethod
    def from_file(cls, given: Mapping[str, Any], read: Quantities) -> Law:
        """The law from one of its `forms`; the keys are known to be among those of the form."""
        raise NotImplementedError(f"{cls.__name__} has the forms {list(cls.forms)} but does not read them")


@dataclass(frozen=True)
class Jump:
    """A law's value, velocity or acceleration is not the same before and after a time."""

    t: float
    order: int
    size: float

    def __str__(self) -> str:
        return f"its {ORDERS[self.order]} jumps by {self.size:.4g} at t = {self.t:.9g}"


def breaks_of(law: Law, start: float, end: float) -> Array:
    """Times inside (start, end) where the law changes its formula."""
    times = np.asarray(law.breaks(start, end), float)
    return times[(times > start) & (times < end)]


def jumps_of(law: Law, start: float, end: float) -> list[Jump]:
    """The lowest-order jump at each corner of the law."""
    jumps = []
    span = max(end - start, abs(start), abs(end), 1e-300)
    for t in breaks_of(law, start, end):
        before, after = law(np.array([t - 1e-9 * span, t + 1e-9 * span]))
        size = np.abs(after - before)
        # Away from a corner these differ by the next derivative times 2e-9 of the span.
        expected = 1e-8 * span * np.abs(np.append((np.abs(before) + np.abs(after))[1:], 0.0))
        scale = 1e-7 * np.maximum(np.abs(before), np.abs(after)) + expected + 1e-12
        orders = np.flatnonzero(size > scale)
        if len(orders):
            jumps.append(Jump(float(t), int(orders[0]), float(size[orders[0]])))
    return jumps
