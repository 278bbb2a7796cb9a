"""What every motion law can do, and where it has corners."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from mubo.arrays import Array, distinct
from mubo.errors import ModelError
from mubo.laws.number_text import unit_text
from mubo.laws.tangent import promote, slopes_of
from mubo.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from mubo.laws.file_form import Quantities
    from mubo.laws.smoothing import Smoothing


EVERYWHERE = (-np.inf, np.inf)
ORDERS = ("value", "velocity", "acceleration")
ROUNDING = 256 * float(np.finfo(float).eps)  # of a law's own size: what formulas that meet may leave between them
GROSS = 1e-7
_LOOKS = np.linspace(0, 1, 9)  # places of a piece at which its size is looked at
FileForm = str | dict[str, Any]


class Samples(Protocol):
    """Measured samples that a law goes through or near."""

    @property
    def time(self) -> tuple[float, ...]: ...
    @property
    def value(self) -> tuple[float, ...]: ...
    @property
    def smooth(self) -> str | float | Smoothing: ...
    @property
    def knots(self) -> Array: ...


class Law(ABC):
    """f(t) with f'(t) and f''(t), which also says what it is and how a model file writes it.

    A law must answer `__call__` and `words`, and with `breaks` also `at`; what else it knows, it says instead of what
    stands here. With a line in
    `registry.py` model files can hold it and the laws of `tests/laws/test_motion.py` try it, on the examples
    ("    motion = …") of its docstring: one for every form that it has in files.
    """

    forms: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Its forms in a model file: the first key of each, and all keys that may stand there."""

    def __init_subclass__(cls) -> None:
        """A law that has corners must know what it is on both sides of them."""
        if cls.breaks is not Law.breaks and cls.at is Law.at:
            raise TypeError(f"{cls.__name__} says where it has corners (breaks) but not what it is beside them (at)")

    @abstractmethod
    def __call__(self, t: Array) -> Array:
        """f, f', f'' at the times t, as an array of shape (len(t), 3)."""

    def derivatives(self, t: Array, names: Sequence[str]) -> Array:
        """The exact derivatives of f, f', f'' by the parameters that define its numbers: (names, times, 3)."""
        raise ModelError(f"{self.description}: derivatives of such a law by its parameters are not known")

    def values(self, t: Array) -> Array:
        """f alone at the times t: what the size of a load needs."""
        return np.asarray(self(t)[:, 0])

    @property
    @abstractmethod
    def description(self) -> str:
        """The formula, as in "1.9 + 0.25 sin(2 t)", or in a few words how the law is defined where it has none."""

    @property
    def domain(self) -> tuple[float, float]:
        """First and last time at which the law is defined."""
        return EVERYWHERE

    def require_domain(self, owner: str, t: Array, time_text: Callable[[float], str]) -> None:
        """Refuse times outside the data of the law of a driver or force, in the words of `time_text`; rounding of the
        times is not outside."""
        first, last = self.domain
        slack = 1e-9 * (last - first) if np.isfinite(last - first) else 0.0
        outside = (t < first - slack) | (t > last + slack)
        if np.any(outside):
            at = float(t[np.argmax(outside)])
            raise ModelError(
                f"{owner}: its data covers t = {first:g} to {time_text(last)}; {time_text(at)} is asked for",
                names=[owner.split()[-1]],
                numbers={"t": at},
                suggestion="Shorten the analysis, or give data for the whole of it.",
            )

    @property
    def is_constant(self) -> bool:
        """Whether it is known to have one value at all times."""
        return False

    def at(self, t: Array, seen: Array) -> Array:
        """f, f', f'' at the times t by the formula that holds at the times `seen`: at a corner, the limits from there.

        Between t and `seen` there must be no corner. A law without corners has one formula.
        """
        return self(t)

    def breaks(self, start: float, end: float) -> Array:
        """Times where the law changes its formula and a derivative may jump, at least those between start and end."""
        return np.zeros(0)

    def notes(self) -> dict[str, Any]:
        """Facts for the summary, such as the smoothing used."""
        return {}

    @property
    def samples(self) -> Samples | None:
        """The samples that the law goes through or near, if it consists of some; its pieces end there."""
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
        """Returns the law with its measured samples smoothed; a law without samples is returned unchanged."""
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
    """A law's value, velocity or acceleration is not the same before and after a time.

    `relative` is its size over that of the quantity on both sides.
    """

    t: float
    order: int
    size: float
    relative: float

    @property
    def gross(self) -> bool:
        """Whether it is more than numbers written with seven digits leave between two formulas."""
        return self.relative > GROSS

    def describe(self, unit: str = "", time: str = "") -> str:
        """Describes it, as "its velocity jumps by 2 rad/s at t = 0.5 s"; with units where the model declares them."""
        size, at = f"{self.size:.4g} {unit_text(unit)}".strip(), f"{self.t:.9g} {time}".strip()
        return f"its {ORDERS[self.order]} jumps by {size} at t = {at}"


def by_tangents(law: Law, t: Array, names: Sequence[str]) -> Array:
    """Derivatives of a law by parameters, for a formula that also takes arrays with derivatives."""
    found = law(promote(t, 0.0, names))
    slopes = slopes_of(found, names)
    return np.zeros((len(names), len(t), 3)) if slopes is None else slopes


def breaks_of(law: Law, start: float, end: float) -> Array:
    """Times inside (start, end) where the law changes its formula."""
    times = np.asarray(law.breaks(start, end), float)
    return times[(times > start) & (times < end)]


def jumps_of(law: Law, start: float, end: float, *, closed: bool = False) -> list[Jump]:
    """The jump of lowest order at each corner of the law, after those of lower order that are not gross.

    The limits on both sides come from the formulas of the pieces that meet there. A law that is `closed` goes on at
    `start` when it reaches `end`, as a lift does after a full turn: there it has one more corner, reported at `start`.
    """
    breaks = breaks_of(law, start, end)
    if not (len(breaks) or closed):
        return []
    corners = distinct(breaks)
    edges = np.concatenate([[start], corners, [end]])
    looks = edges[:-1, None] + np.diff(edges)[:, None] * _LOOKS
    looks[:, -1] = edges[1:]
    middles = np.repeat(looks[:, len(_LOOKS) // 2], len(_LOOKS))
    values = law.at(looks.ravel(), middles).reshape(*looks.shape, 3)
    size = np.abs(values).max(axis=1)
    steep = (np.abs(np.diff(values, axis=1)) / np.diff(looks)[:, :, None]).max(axis=1)
    before, after = np.arange(len(corners)), np.arange(1, len(corners) + 1)  # pieces that meet
    if closed:
        before, after = np.append(len(corners), before), np.append(0, after)
    gap, scale = np.abs(values[after, 0] - values[before, -1]), np.maximum(size[before], size[after])
    # Rounding of the law itself, and of the time at which it is asked for.
    far = np.maximum(np.abs(edges[after]), np.abs(edges[before + 1]))
    seen = gap > ROUNDING * (scale + far[:, None] * np.maximum(steep[before], steep[after]))
    return [jump for line in zip(edges[after], gap, scale, seen, strict=True) for jump in _jumps(*line)]


def _jumps(t: float, gap: Array, scale: Array, seen: Array) -> Iterator[Jump]:
    """The jumps at one corner, up to the first that is gross."""
    for order in np.flatnonzero(seen):
        jump = Jump(float(t), int(order), float(gap[order]), float(gap[order] / scale[order]))
        yield jump
        if jump.gross:
            break


def asks_python(law: Any) -> bool:
    """Whether a Python function is behind a law, or behind one that it consists of: its answers may differ at another
    time."""
    if isinstance(law, tuple | list):
        return any(map(asks_python, law))
    if isinstance(law, Law) and is_dataclass(law):
        return any(asks_python(getattr(law, one.name)) for one in fields(law))
    return callable(law)
