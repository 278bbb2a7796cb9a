"""What is to be optimised, as [optimize] of a model file says it: what varies between which bounds, what is to be
least, greatest or met, and which limits hold.

    vary = { a = [0.02, 0.06], beta = ["10 deg", "40 deg"] }
    minimize = "max motor.effort"              # or maximize = "transmission"
    fit = { "stroke of D" = "60 deg" }         # or fit = "path error of P from curve.csv"
    constraints = ["transmission >= 40 deg", "a + b <= 0.3", "full turn of motor", "no change of branch"]

It is kept as it is written. `term_of` and `limit_of` say what it means for a model: numbers of a run, in the words of
`objectives`, names of [measure.NAME] with a `number`, or expressions of parameters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from mubo.errors import ModelError, nearest
from mubo.frozen import FrozenDict
from mubo.laws.dependent import Dependent
from mubo.model.column_names import quantities_of
from mubo.model.objectives import WORDS, Objective, read_objective
from mubo.model.read_parameters import with_values
from mubo.quantities.formula import Formula
from mubo.quantities.parameters import Parameters
from mubo.quantities.units import Units, is_expression, quantity

GOALS = ("minimize", "maximize", "fit")
METHODS = ("starts", "evolution", "cma")
KEYS = ("vary", *GOALS, "constraints", "starts", "method", "seed")
STARTS = 8
SMOOTH = "no change of branch"
TURN = "full turn of "
SIGNS = {"<=": 1, "≤": 1, "<": 1, ">=": -1, "≥": -1, ">": -1, "==": 0, "=": 0}
_LIMIT = re.compile(r"^(.*?)\s*(<=|>=|==|≤|≥|<|>|=)\s*(.*)$")


@dataclass(frozen=True)
class Optimization:
    """What is asked, as it is written: bounds by parameter, what is measured with its target, limits, and how to seek.

    `of` has one entry where something is least or greatest, with no target; of a fit a target each.
    """

    vary: Mapping[str, tuple[Any, Any]]
    goal: str
    of: Mapping[str, Any]
    constraints: tuple[str, ...] = ()
    starts: int = STARTS
    method: str = METHODS[0]
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "vary", FrozenDict(self.vary))
        object.__setattr__(self, "of", FrozenDict(self.of))

    __hash__ = None  # type: ignore[assignment]


class Known(Protocol):
    """What words of goals and limits refer to."""

    @property
    def units(self) -> Units: ...
    @property
    def parameters(self) -> Parameters: ...
    @property
    def objectives(self) -> Mapping[str, Objective]: ...


@dataclass(frozen=True)
class Term:
    """One number of a design: an objective of its run or, without one, an expression of its parameters."""

    text: str
    objective: Objective | None = None

    def of_parameters(self, parameters: Parameters) -> Dependent:
        """What the expression is worth, with its exact derivatives."""
        tree, _ = parameters.expression(self.text)
        return Dependent.of(tree, parameters.scope, self.text)


@dataclass(frozen=True)
class Limit:
    """A term at most (`sign` 1), at least (−1) or exactly (0) a value, which is a number or text with a unit."""

    text: str
    term: Term
    sign: int
    value: Any = field(default=0.0)


def term_of(model: Known, text: Any) -> Term:
    """The number that a text means: one that the model names, an objective, or an expression of parameters."""
    if not isinstance(text, str) or not text.strip():
        raise ModelError(f'write what is measured as text such as "max motor.effort", "transmission"; found {text!r}')
    words = " ".join(text.split())
    if words in model.objectives:
        return Term(words, model.objectives[words])
    if words in model.parameters and words in WORDS:
        raise ModelError(f'"{words}" is a parameter and a number of a run: call the parameter otherwise', names=[words])
    if _of_parameters(model, words):
        model.parameters.expression(words)
        return Term(words)
    try:
        return Term(words, read_objective(words))
    except ModelError as error:
        close = nearest(words, [*model.objectives, *model.parameters]) if words.isidentifier() else ""
        raise ModelError(f"{error} {close}".strip()) from None


def _of_parameters(model: Known, text: str) -> bool:
    """Whether a text is an expression in which at least one parameter stands."""
    try:
        return is_expression(text) and bool(set(Formula(text, "of parameters").names) & set(model.parameters))
    except ModelError:
        return False


def bounds_of(units: Units, name: str, pair: tuple[Any, Any]) -> tuple[float, float]:
    """Two bounds of a parameter in the model's units; refuses reversed and empty ones, and those without the start."""
    if name not in units.parameters:
        none = "" if units.parameters else "The model has none: write [parameters]."
        raise ModelError(f'there is no parameter "{name}". {none or nearest(name, units.parameters)}', names=[name])
    low, high = (float(with_values(units, {name: bound}).parameters[name].value) for bound in pair)
    if low == high:
        raise ModelError(f"{name}: there is nothing between its bounds: both are {low:g}", names=[name])
    if low > high:
        raise ModelError(f"{name}: its bounds are reversed: {low:g} is above {high:g}", names=[name])
    start = float(units.parameters[name].value)
    if not low <= start <= high:
        side, bound = ("below", low) if start < low else ("above", high)
        raise ModelError(
            f"{name} = {start:g}, from which the search starts, is {side} its bound {bound:g}: "
            "move the bound, or start from another design",
            names=[name],
        )
    return low, high


def limit_of(model: Any, text: Any) -> Limit | None:
    """The limit that a text such as "transmission >= 40 deg" says; None of "no change of branch", no number."""
    words = " ".join(text.split()) if isinstance(text, str) else ""
    if words == SMOOTH:
        return None
    if words.startswith(TURN):
        name, turned = words.removeprefix(TURN), _turning(model)
        if name not in turned:
            raise ModelError(f'"{words}": nothing called "{name}" turns. {nearest(name, turned)}', names=[name])
        return Limit(words, Term(words, Objective(words, "range", turned[name])), -1, "1 rev")
    match = _LIMIT.match(words)
    if match is None or not match[1] or not match[3]:
        known = f'"transmission >= 40 deg", "a + b <= 0.3", "{TURN}motor", "{SMOOTH}"'
        raise ModelError(f"a limit is written such as {known}; found {text!r}")
    left, sign, right = match[1], SIGNS[match[2]], match[3]
    term = term_of(model, left)
    value = number_in(right)
    if value is None and term.objective is None and _of_parameters(model, right):
        return Limit(words, term_of(model, f"({left}) - ({right})"), sign)
    if value is None:
        raise ModelError(f'"{words}": on the right stands a number, or one with a unit; found "{right}"')
    return Limit(words, term, sign, value)


def _turning(model: Any) -> dict[str, str]:
    """The angle of everything that may make a full turn: drivers, bodies and joints by name."""
    angles = [c for c in quantities_of(model).values() if c.holds == "angle" and c.order == 0]
    return {c.owner: c.name for quantity in ("q", "phi", "value") for c in angles if c.quantity == quantity}


def number_in(text: str) -> float | str | None:
    """A number, or text of a number with a known unit; None of anything else."""
    try:
        return float(text)
    except ValueError:
        return text if quantity(text) is not None else None
