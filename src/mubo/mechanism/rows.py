"""The constraint equations of a mechanism by name: every use of a core row, its owner, its numbers, and its name in
sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from mubo import _core
from mubo.arrays import Array, Integers
from mubo.elements import AMBIENTS, Row
from mubo.lazy_dataclass import dataclass
from mubo.note import Note

if TYPE_CHECKING:
    from mubo.mechanism.couplers import FunctionPieces
    from mubo.mechanism.curves import CurvePieces
    from mubo.mechanism.profiles import CamProfile

Values = dict[str, list[float]]  # quantities of an element by the names that declarations use
KINDS = {2: _core.row_kinds(), 3: _core.spatial_row_kinds()}
ROW_KINDS = {name: (number, *sizes) for number, (name, *sizes) in enumerate(KINDS[2])}
SPATIAL_ROW_KINDS = {name: (number, *sizes) for number, (name, *sizes) in enumerate(KINDS[3])}
ON_VELOCITIES = {size: {name for name, *_, on in kinds if on} for size, kinds in KINDS.items()}  # rows without a gap
SYSTEMS = {2: _core.System, 3: _core.SpatialSystem}


@dataclass(frozen=True)
class Equation:
    """Owner and meaning of an equation: ("joint", "A") and "x"."""

    kind: str
    name: str
    word: str = ""

    @property
    def owner(self) -> str:
        return f"{self.kind} {self.name}"

    def __str__(self) -> str:
        return f"{self.owner} ({self.word})" if self.word else self.owner


@dataclass(frozen=True)
class NamedRow:
    """One use of a core row. `values` are its quantities in the order of the core's parameters.

    Numbers that depend on parameters stay what they are. `driver` is the number of the driver whose law is its right
    side, −1 for none; `of` the joint that this driver moves, where it moves one.
    """

    kind: str
    owner: Equation
    bodies: tuple[str, ...]
    values: Mapping[str, tuple[float, ...]]
    words: tuple[str, ...]
    driver: int = -1
    profile: CamProfile | CurvePieces | FunctionPieces | None = field(default=None, repr=False)
    of: str = ""

    @property
    def parameters(self) -> list[float]:
        return [number for numbers in self.values.values() for number in numbers]

    @property
    def equations(self) -> tuple[Equation, ...]:
        return tuple(Equation(self.owner.kind, self.owner.name, word) for word in self.words)


@dataclass(frozen=True)
class EquationParameter:
    """One number of the equations: its owner, its name there, and its component."""

    owner: Equation
    quantity: str
    component: int


@dataclass(frozen=True)
class EquationRows:
    """Rows of all elements, with the quantities of every joint and notes on those taken from the estimates."""

    rows: tuple[NamedRow, ...]
    values: Mapping[str, Values]
    notes: tuple[Note, ...]


def named_row(
    row: Row,
    values: Values,
    bodies: Mapping[str, str],
    owner: Equation,
    driver: int = -1,
    profile: CamProfile | CurvePieces | FunctionPieces | None = None,
    of: str = "",
) -> NamedRow:
    """A row of a declaration with the numbers of one element."""
    filled = {name: tuple(values[name]) for name in row.quantities}
    ends = tuple(bodies[letter] for letter in row.bodies)
    return NamedRow(row.kind, owner, ends, filled, row.words, driver, profile, of)


def pack(rows: Sequence[NamedRow], dimension: int, free: Sequence[str], fixed: Mapping[str, Array]) -> _core.System:
    """The core's system of some rows: `free` bodies have unknowns, `fixed` ones stand at their poses."""
    return pack_numbers(rows, dimension, lay_out_rows(rows, dimension, free, fixed), len(free), fixed)


Layout = tuple[Integers, Integers, Integers, Integers]  # kind, bodies, driver and profile of every row


def lay_out_rows(rows: Sequence[NamedRow], dimension: int, free: Iterable[str], fixed: Iterable[str]) -> Layout:
    """The layout of some rows: all that the core has to know of them besides their numbers."""
    number = {name: k for k, name in enumerate((*free, *fixed))}
    known = {name: k for k, (name, *_) in enumerate(KINDS[dimension])}
    bodies = [_padded(number[name] for name in row.bodies) for row in rows]
    profile_number = iter(range(len(rows)))
    return (
        np.array([known[row.kind] for row in rows], np.int32),
        np.array(bodies, np.int32).reshape(-1, _core.max_bodies),
        np.array([row.driver for row in rows], np.int32),
        np.array([-1 if row.profile is None else next(profile_number) for row in rows], np.int32),
    )


def pack_numbers(
    rows: Sequence[NamedRow], dimension: int, layout: Layout, free: int, fixed: Mapping[str, Array]
) -> _core.System:
    """The core's system of rows whose layout is known: that of every variant of a model."""
    return SYSTEMS[dimension](
        free,
        np.array(list(fixed.values()), float).reshape(-1, len(AMBIENTS[dimension].pose)),
        *layout,
        np.array([number for row in rows for numbers in row.values.values() for number in numbers], float),
        [row.profile.arrays for row in rows if row.profile is not None],
    )


def first_equation_of_owner(owners: Sequence[str]) -> Integers:
    """Number of the first equation with the same owner, for every equation."""
    first: dict[str, int] = {}
    return np.array([first.setdefault(owner, k) for k, owner in enumerate(owners)], np.int32)


def _padded(numbers: Iterable[int]) -> list[int]:
    return ([*numbers] + [-1] * _core.max_bodies)[: _core.max_bodies]


def join_words(words: Sequence[str]) -> str:
    """Join names, such as "joint A", "joint B", "driver M" → "joints A and B and driver M"; other words stay as they
    are."""
    if not all(" " in word for word in words):
        return _join_list(list(words))
    names: dict[str, list[str]] = {}
    for word in words:
        kind, name = word.split(" ", 1)
        names.setdefault(kind, []).append(name)
    return " and ".join(f"{kind}{'s' * (len(of) > 1)} {_join_list(of)}" for kind, of in names.items())


MOST_NAMES = 12


def _join_list(words: list[str]) -> str:
    if len(words) > MOST_NAMES:
        words = [*words[: MOST_NAMES - 2], f"{len(words) - MOST_NAMES + 2} more"]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def elements_of(used: Iterable[Equation]) -> tuple[str, ...]:
    """Elements behind equations, each once: "joint A", "driver motor"."""
    return tuple(dict.fromkeys(equation.owner for equation in used))


def axes_of(used: Iterable[Equation], sizes: Mapping[str, int]) -> str:
    """Text on the equations meant, where an element is not meant as a whole: "x of B; angle of F"."""
    chosen: dict[str, list[str]] = {}
    for equation in used:
        chosen.setdefault(equation.name, []).append(equation.word)
    parts = [f"{' and '.join(words)} of {name}" for name, words in chosen.items() if len(words) < sizes[name]]
    return "; ".join(parts)
