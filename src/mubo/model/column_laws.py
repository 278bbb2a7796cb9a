"""Sizes that depend on the motion: an expression of columns, a curve over one of them, or a Python function.

They stand where a load may have a law of time. Names are those of columns (`A.q`, `crank.phi`, `piston.vx`), measures
and drivers, in the units of their columns, and of the load's own coordinate: `length` and `rate` of a force between
two points.
"""

from __future__ import annotations

import ast
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from itertools import pairwise
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.laws.expression import evaluate
from mubo.laws.file_form import require_keys
from mubo.laws.jet import Constant, Jet
from mubo.laws.law import FileForm
from mubo.laws.number_text import number
from mubo.laws.stack_code import COLUMN, CURVE, Step, code_of
from mubo.lazy_dataclass import dataclass
from mubo.mappings import FrozenDict, cached_property
from mubo.quantities.formula import Formula
from mubo.quantities.parameters import Parameters, has_unit
from mubo.quantities.sizes import Size, require_unit

SLACK = 1e-9  # of a curve's width: how far beyond its ends it still has a value


class ColumnLaw(ABC):
    """A size over the rows of a motion."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The columns that it needs, t aside; those of a Python function are not known."""

    @property
    @abstractmethod
    def description(self) -> str:
        """Its formula, or in a few words what it is."""

    @abstractmethod
    def judge(self, sizes: Mapping[str, Size], own: tuple[float, ...], wanted: Size) -> None:
        """Refuses names that are not among `sizes`, and a value that is not of the `wanted` unit."""

    @abstractmethod
    def values(
        self, columns: Mapping[str, Array], sizes: Mapping[str, Size], own: tuple[float, ...], wanted: Size
    ) -> Array:
        """Its values of the `wanted` unit from those of the columns, all in coherent units; NaN where it has none."""

    def code(self, sizes: Mapping[str, Size], own: tuple[float, ...], wanted: Size) -> list[Step] | None:
        """Its steps over a stack of numbers in coherent units; None where only `value` can follow it."""
        return None

    def value(self, t: float, state: Mapping[str, float], unit: float) -> float:
        """Its value at one time from those of the columns there, of a law without `code`.

        `unit` is the unit of the value in coherent ones.
        """
        raise NotImplementedError(type(self).__name__)

    @abstractmethod
    def to_file(self) -> FileForm:
        """As a model file holds it."""

    def notes(self) -> dict[str, Any]:
        """Nothing was done to data."""
        return {}


@dataclass(frozen=True)
class ColumnExpression(ColumnLaw):
    """An expression of columns.

    force = "-4000*((1 + cos(crank.phi))/2)^8"
    """

    text: str
    given: Mapping[str, float] = field(default_factory=dict)  # parameters of the model that stand in it
    given_sizes: Mapping[str, Size] = field(default_factory=dict)  # and their units

    @cached_property
    def _formula(self) -> Formula:
        return Formula(self.text)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in self._formula.names if name not in self.given)

    @property
    def description(self) -> str:
        return self.text

    def judge(self, sizes: Mapping[str, Size], own: tuple[float, ...], wanted: Size) -> None:
        for name in self.given.keys() & sizes.keys():
            raise ModelError(f'"{self.text}": "{name}" is a parameter, and a column or measure too: rename one of them')
        require_unit(self.text, self._sized(sizes, own, wanted)[1], wanted)

    def _sized(self, sizes: Mapping[str, Size], own: tuple[float, ...], wanted: Size) -> tuple[ast.expr, Size]:
        stated = any(has_unit(size) for size in self.given_sizes.values())
        return self._formula.sized({**sizes, **self.given_sizes}, own, wanted=wanted, stated=stated)

    def values(
        self, columns: Mapping[str, Array], sizes: Mapping[str, Size], own: tuple[float, ...], wanted: Size
    ) -> Array:
        tree, _ = self._sized(sizes, own, wanted)
        still = np.zeros(len(columns["t"]))
        names: dict[str, Jet] = {name: Jet(columns[name], still, still) for name in ("t", *self.names)}
        names |= {name: Constant(float(value)) for name, value in self.given.items()}
        with np.errstate(all="ignore"):  # where it has no value, the caller says so with the time
            return np.asarray(evaluate(tree, names, self.text).v + still)

    def code(self, sizes: Mapping[str, Size], own: tuple[float, ...], wanted: Size) -> list[Step]:
        return code_of(self._sized(sizes, own, wanted)[0], self.names, self.text)

    def to_file(self) -> FileForm:
        return self.text


@dataclass(frozen=True)
class Curve(ColumnLaw):
    """Straight lines between points over a column; before the first and behind the last it is not defined.

    torque = { points = [[0, 3], [150, 0]], over = "crank.omega" }
    """

    over: str
    points: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        if len(self.points) < 2:
            raise ModelError(f"a curve needs at least two points; found {len(self.points)}")
        if not np.all(np.isfinite(self.points)):
            raise ModelError("the numbers of a curve must be finite")
        x = [x for x, _ in self.points]
        for before, after in pairwise(x):
            if not after > before:
                raise ModelError(
                    f"the first numbers of a curve's points must increase; found {after:g} after {before:g}"
                )

    @property
    def names(self) -> tuple[str, ...]:
        return (self.over,) if self.over != "t" else ()

    @property
    def description(self) -> str:
        (first, _), (last, _) = self.points[0], self.points[-1]
        return f"a curve of {len(self.points)} points over {self.over} = {number(first)} … {number(last)}"

    def judge(self, sizes: Mapping[str, Size], own: tuple[float, ...], wanted: Size) -> None:
        if self.over not in sizes and self.over != "t":
            raise ModelError(f'there is no column "{self.over}" for a curve. {nearest(self.over, sizes)}')

    def values(
        self, columns: Mapping[str, Array], sizes: Mapping[str, Size], own: tuple[float, ...], wanted: Size
    ) -> Array:
        x, y = np.array(self.points).T
        at, slack = columns[self.over] / self._unit(sizes), SLACK * (x[-1] - x[0])
        beyond = (at < x[0] - slack) | (at > x[-1] + slack)
        if np.any(beyond):
            row = int(np.argmax(beyond))
            raise ModelError(
                f"its curve covers {self.over} = {x[0]:g} to {x[-1]:g}; at t = {columns['t'][row]:g} it is {at[row]:g}",
                numbers={"t": float(columns["t"][row])},
                suggestion="Give points for the whole motion.",
            )
        return np.asarray(np.interp(at, x, y)) * wanted.unit

    def code(self, sizes: Mapping[str, Size], own: tuple[float, ...], wanted: Size) -> list[Step]:
        x, y = self._unit(sizes), wanted.unit
        return [(COLUMN, self.over), (CURVE, tuple((x * a, y * b) for a, b in self.points))]

    def _unit(self, sizes: Mapping[str, Size]) -> float:
        """The unit in which the column of its abscissa is written, in coherent units."""
        return sizes[self.over].unit if self.over in sizes else 1.0

    def to_file(self) -> FileForm:
        return {"points": [[float(x), float(y)] for x, y in self.points], "over": self.over}


@dataclass(frozen=True)
class StateFunction(ColumnLaw):
    """A Python function f(t, state); state["crank.phi"] is the value of a column at that time."""

    function: Callable[[float, Mapping[str, float]], float]

    @property
    def names(self) -> tuple[str, ...]:
        return ()

    @property
    def description(self) -> str:
        return f"the Python function {getattr(self.function, '__name__', 'given')}"

    def judge(self, sizes: Mapping[str, Size], own: tuple[float, ...], wanted: Size) -> None:
        """Accepts everything: the columns that a Python function reads are known only when it is called."""

    def values(
        self, columns: Mapping[str, Array], sizes: Mapping[str, Size], own: tuple[float, ...], wanted: Size
    ) -> Array:
        known = _Known(columns)
        return np.array([self.value(float(t), known.at(k)) for k, t in enumerate(columns["t"])]) * wanted.unit

    def value(self, t: float, state: Mapping[str, float], unit: float = 1.0) -> float:
        """Its answer at one time."""
        try:
            return float(self.function(t, state))
        except ModelError:
            raise
        except Exception as error:  # whatever user code may raise is reported for the load, without a traceback
            raise ModelError(f"{self.description} does not answer a number: {error!r}") from error

    def to_file(self) -> FileForm:
        raise ModelError("a Python function cannot be written to a file", suggestion="Use an expression or a curve.")


class _Known(Mapping[str, float]):
    """The values of all columns at one row."""

    def __init__(self, columns: Mapping[str, Array], row: int = 0) -> None:
        self._columns, self._row = columns, row

    def at(self, row: int) -> _Known:
        return _Known(self._columns, row)

    def __getitem__(self, name: str) -> float:
        if name not in self._columns:
            raise ModelError(f'there is no column "{name}". {nearest(name, self._columns)}')
        return float(self._columns[name][self._row])

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


def column_law(given: Any, known: Parameters) -> ColumnLaw | None:
    """The law of columns that somebody wrote; None where it is one of time and of `known` parameters alone."""
    if isinstance(given, ColumnLaw):
        return given
    if isinstance(given, str):
        formula = Formula(given)
        if all(name in known for name in formula.names):
            return None
        used = formula.parameters(known)
        return ColumnExpression(
            given, FrozenDict(known.named(used)), FrozenDict({name: known.sizes[name] for name in used})
        )
    if isinstance(given, Mapping) and "over" in given:
        require_keys(given, "a curve", ("points", "over"))
        return Curve(_text(given["over"]), _points(given.get("points")))
    return StateFunction(given) if callable(given) and _takes_state(given) else None


def calls_python(option: Any) -> bool:
    """Whether the size of a load is a function of Python that depends on the motion."""
    return isinstance(option, StateFunction)


def _text(over: Any) -> str:
    if not isinstance(over, str) or not over.strip():
        raise ModelError(f'over names a column such as "crank.omega"; found {over!r}')
    return over.strip()


def _points(given: Any) -> tuple[tuple[float, float], ...]:
    given = given.tolist() if hasattr(given, "tolist") else given
    example = "points are pairs of numbers in the model's units, such as [[0, 3], [150, 0]]"
    if not isinstance(given, list | tuple):
        raise ModelError(f"{example}; found {given!r}")
    for pair in given:
        plain = isinstance(pair, list | tuple) and len(pair) == 2
        if not plain or not all(isinstance(x, int | float) and not isinstance(x, bool) for x in pair):
            raise ModelError(f"{example}; found {pair!r}")
    return tuple((float(x), float(y)) for x, y in given)


def _takes_state(function: Callable[..., Any]) -> bool:
    """Whether a function must be given two things: f(t, state)."""
    try:
        needed = [
            p
            for p in inspect.signature(function).parameters.values()
            if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        ]
    except (TypeError, ValueError):
        return False
    return len(needed) == 2
