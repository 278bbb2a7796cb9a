"""What is to be optimised, as [optimize] of a model file says it: what varies between which bounds, what is to be
least, greatest or met, and which limits hold.

    vary = { a = [0.02, 0.06], beta = ["10 deg", "40 deg"] }
    minimize = "max motor.effort"              # or maximize = "transmission"
    fit = { "stroke of D" = "60 deg" }         # or fit = "path error of P from curve.csv"
    constraints = ["transmission >= 40 deg", "a + b <= 0.3", "full turn of motor", "no change of branch"]
    cases = { n = ["600 rpm", "3000 rpm"] }    # run there too, the worst counts; or cases = "tolerances"
    choices = { b = ["100 mm", "120 mm"] }     # parameters with the values that can be bought; or "@bearings.csv"

It is kept as it is written. `term_of` and `limit_of` say what it means for a model: numbers of a run, in the words of
`objectives`, names of [measure.NAME] with a `number`, or expressions of parameters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from numbers import Real
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.laws.dependent import Dependent
from mubo.lazy_dataclass import dataclass
from mubo.mappings import FrozenDict
from mubo.model.column_names import quantities_of
from mubo.model.objectives import WORDS, Objective, read_objective
from mubo.model.options import read_plain
from mubo.model.parts import Parts
from mubo.model.read_parameters import with_values
from mubo.model.tables import GOALS, METHODS, OPTIMIZE, STARTS
from mubo.quantities.formula import Formula
from mubo.quantities.parameters import Parameters
from mubo.quantities.quantity_text import is_expression, quantity
from mubo.quantities.units import Units

TOLERANCES = "tolerances"
SMOOTH = "no change of branch"
TURN = "full turn of "
TABLE = "@"  # before the name of a table with a choice in each line
GOAL_SIGNS = {"minimize": 1, "maximize": -1, "fit": 0}
SIGNS = {"<=": 1, "≤": 1, "<": 1, ">=": -1, "≥": -1, ">": -1, "==": 0, "=": 0}
_LIMIT = re.compile(r"^(.*?)\s*(<=|>=|==|≤|≥|<|>|=)\s*(.*)$")


@dataclass(frozen=True)
class Optimization:
    """An optimization task as it is written: bounds by parameter, objectives with targets, limits and search options.

    `of` has one entry where something is least or greatest, with no target; of a fit a target each. Every combination
    of a line of each of the `choices` is allowed.
    """

    vary: Mapping[str, tuple[Any, Any]]
    goal: str
    of: Mapping[str, Any]
    constraints: tuple[str, ...] = ()
    starts: int = STARTS
    method: str = METHODS[0]
    seed: int = 0
    cases: Any = None  # values by parameter, or "tolerances"
    choices: tuple[Any, ...] = ()  # values by parameter, or "@" and the name of a table

    def __post_init__(self) -> None:
        if isinstance(self.cases, Mapping):
            object.__setattr__(self, "cases", FrozenDict(self.cases))
        object.__setattr__(self, "vary", FrozenDict(self.vary))
        object.__setattr__(self, "of", FrozenDict(self.of))

    __hash__ = None  # type: ignore[assignment]

    def to_file(self) -> dict[str, Any]:
        """The keys of [optimize] that differ from their defaults."""
        entry: dict[str, Any] = {
            "vary": {name: list(pair) for name, pair in self.vary.items()},
            self.goal: dict(self.of) if self.goal == "fit" else next(iter(self.of)),
            "constraints": list(self.constraints) or None,
            "cases": dict(self.cases) if isinstance(self.cases, Mapping) else self.cases,
            "choices": (list(self.choices) if len(self.choices) > 1 else self.choices[0]) if self.choices else None,
            **{key: getattr(self, key) for key in ("starts", "method", "seed")},
        }
        return {
            key: entry[key] for key, option in OPTIMIZE.keys.items() if entry.get(key) not in (None, option.default)
        }


@dataclass(frozen=True)
class Term:
    """One number of a design: an objective of its run or, without one, an expression of its parameters."""

    text: str
    objective: Objective | None = None

    def of_parameters(self, parameters: Parameters) -> Dependent:
        """The value of the expression, with its exact derivatives."""
        tree, _ = parameters.expression(self.text)
        return Dependent.from_tree(tree, parameters.scope, self.text)


@dataclass(frozen=True)
class Limit:
    """A term at most (`sign` 1), at least (−1) or exactly (0) a value, which is a number or text with a unit."""

    text: str
    term: Term
    sign: int
    value: Any = field(default=0.0)


def term_of(model: Parts, text: Any) -> Term:
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
        return Term(words, read_objective(words, known=model.objectives))
    except ModelError as error:
        close = nearest(words, [*model.objectives, *model.parameters]) if words.isidentifier() else ""
        raise ModelError(f"{error} {close}".strip()) from None


def _of_parameters(model: Parts, text: str) -> bool:
    """Whether a text is an expression in which at least one parameter stands."""
    try:
        return is_expression(text) and bool(Formula(text, "of parameters").parameters(model.parameters))
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


def optimization_of(given: Mapping[str, Any]) -> Optimization:
    """Reads the keys of [optimize] and checks their form, without the model."""
    goals = [key for key in GOALS if given.get(key)]
    if len(goals) != 1:
        found = f"found {' and '.join(goals)}" if goals else "found none of them"
        raise ModelError(f"say what is wanted by one of {', '.join(GOALS)}; {found}")
    vary, choices = given.get("vary") or {}, _choices(given.get("choices"))
    if not isinstance(vary, Mapping) or not (vary or choices):
        raise ModelError("say what varies, such as vary = { a = [0.02, 0.06] }: parameters with two bounds each")
    pairs = {str(name): _pair(str(name), bounds) for name, bounds in vary.items()}
    constraints = given.get("constraints") or ()
    if isinstance(constraints, str) or not all(isinstance(text, str) for text in constraints):
        raise ModelError('constraints are a list of texts such as ["transmission >= 40 deg"]')
    goal = goals[0]
    of = _targets(given[goal]) if goal == "fit" else {given[goal]: None}
    search = {key: read_plain(OPTIMIZE.keys[key], given[key]) for key in ("starts", "method", "seed") if key in given}
    cases = _cases(given.get("cases"))
    return Optimization(pairs, goal, of, tuple(constraints), cases=cases, choices=choices, **search)


def _choices(given: Any) -> tuple[Any, ...]:
    """Values by parameter and names of tables, as they are written."""
    blocks = list(given) if isinstance(given, list | tuple) else [given] if given else []
    for block in blocks:
        listed = isinstance(block, Mapping) and all(isinstance(x, str | list | tuple) and x for x in block.values())
        if not listed and not (isinstance(block, str) and block.startswith(TABLE)):
            raise ModelError(
                'choices are values of parameters, { b = ["100 mm", "120 mm"] }, or a table with a choice in each '
                f'line, "@bearings.csv"; found {block!r}'
            )
    return tuple(dict(block) if isinstance(block, Mapping) else block for block in blocks)


def _cases(given: Any) -> Any:
    """Values by parameter, as they are written, or the word for all corners of the tolerances."""
    if isinstance(given, Mapping):
        return {str(name): given[name] for name in given} or None
    if given in (None, TOLERANCES, (TOLERANCES,), [TOLERANCES]):
        return TOLERANCES if given else None
    raise ModelError(f'cases are values of parameters, {{ n = [60, 120] }}, or "{TOLERANCES}"; found {given!r}')


def _pair(name: str, bounds: Any) -> tuple[Any, Any]:
    pair = bounds.split(":") if isinstance(bounds, str) else bounds
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise ModelError(f"{name}: write two bounds, {name} = [0.02, 0.06]; found {bounds!r}", names=[name])
    low, high = (_bound(name, one) for one in pair)
    return low, high


def _bound(name: str, value: Any) -> float | str:
    number = number_in(value.strip()) if isinstance(value, str) else value
    if isinstance(number, bool) or not isinstance(number, Real | str):
        raise ModelError(f'{name}: a bound is a number, or text such as "20 mm"; found {value!r}', names=[name])
    return number if isinstance(number, str) else float(number)


def _targets(given: Any) -> dict[str, Any]:
    """The objectives of a fit: a table of measures with targets, or paths, whose error is to vanish."""
    if isinstance(given, Mapping):
        for text, target in given.items():
            if isinstance(target, bool) or not isinstance(target, Real | str):
                raise ModelError(f'fit: the target of "{text}" is a number, or text with a unit; found {target!r}')
        return {str(text): target for text, target in given.items()}
    texts = [given] if isinstance(given, str) else list(given)
    if not all(isinstance(text, str) and "path error of " in text for text in texts):
        raise ModelError(
            'fit is a table of targets, { "stroke of D" = "60 deg" }, or "path error of P from curve.csv"; '
            f"found {given!r}"
        )
    return dict.fromkeys(texts, 0.0)


def number_in(text: str) -> float | str | None:
    """A number, or text of a number with a known unit; None of anything else."""
    try:
        return float(text)
    except ValueError:
        return text if quantity(text) is not None else None
