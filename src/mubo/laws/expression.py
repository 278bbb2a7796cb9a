"""Expressions in t as text, such as "0.5 + 0.1*sin(2*pi*t)", with exact derivatives and no `eval`."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, fields
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.laws.jet import FUNCTIONS, Constant, Jet, preset_conditions, select, watched
from mubo.laws.law import FileForm, Law, by_tangents
from mubo.laws.tangent import beside
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property

MOST_CHARACTERS = 2000
GRID = 4001  # times at which switches of an expression are looked at
CONSTANTS = {"pi": np.pi, "e": np.e}
_COMPARE = {
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}


@dataclass(frozen=True)
class Expression(Law):
    """f(t) from text. Knows + - * / ** ^, comparisons inside where(condition, yes, no), sin, cos, tan, atan,
    exp, log, sqrt, abs, min, max, pi, e; `theta` may stand for t in a cam. The derivatives come from the same text by
    the chain rule.

        motion = "exp(-t)*cos(4*t) + sqrt(1 + t^2)/2 - where(t < 1, t**2, 2*t - 1)"
    """

    text: str
    given: Mapping[str, float] = field(default_factory=dict, hash=False)  # parameters of the model that stand in it
    written: str = ""  # what somebody wrote, where `text` has angles made radians

    def __post_init__(self) -> None:
        self(np.array([0.5]))  # a mistake in the text is found here, not in the middle of a run

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # a copy parses it again

    @cached_property
    def _tree(self) -> ast.expr:
        return parse(self.text)

    @cached_property
    def _steps(self) -> Steps:
        return steps_of(self._tree, ("t", "theta", *self.given), self.text)

    def __call__(self, t: Array) -> Array:
        with np.errstate(all="ignore"):  # a NaN is reported by the solver with its time and driver
            jet = followed(self._steps, self._names(t))
        return np.column_stack([jet.v, jet.d, jet.dd])

    def derivatives(self, t: Array, names: Sequence[str]) -> Array:
        return by_tangents(self, t, names)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(node.id for node in ast.walk(self._tree) if isinstance(node, ast.Name))

    @property
    def _switching(self) -> bool:
        return not self._words.isdisjoint({"where", "abs", "min", "max"})

    @property
    def is_constant(self) -> bool:
        return self._words.isdisjoint({"t", "theta"})

    def at(self, t: Array, seen: Array) -> Array:
        if not self._switching:
            return self(t)
        with preset_conditions(self._switches(seen)):
            return self(t)

    def breaks(self, start: float, end: float) -> Array:
        """Times where a where, abs, min or max switches: seen on a fine grid, then bisected.

        Switches that rounding alone sets apart are one.
        """
        if not self._switching:
            return np.zeros(0)
        grid = np.linspace(start, end, GRID)
        states = self._switches(grid)
        cells = np.flatnonzero(np.any(states[:, 1:] != states[:, :-1], axis=0))
        low, high, state, goal = grid[cells], grid[cells + 1], states[:, cells], states[:, cells + 1]
        times = [np.zeros(0)]
        for _ in states:  # each of them may switch in the same cell
            more = np.any(state != goal, axis=0)
            if not np.any(more):
                break
            low, high, state, goal = low[more], high[more], state[:, more], goal[:, more]
            low = self._switched(low, high, state)
            state = self._switches(low)
            times.append(low)
        every = np.sort(np.concatenate(times))
        apart = np.diff(every, prepend=-np.inf) > 1e-12 * np.maximum(np.abs(every), end - start)
        return every[apart]

    def _switched(self, low: Array, high: Array, state: Array) -> Array:
        """The first times between `low`, where the switches are in a state, and `high` at which they are not."""
        for _ in range(60):
            middle = 0.5 * (low + high)
            same = np.all(self._switches(middle) == state, axis=0)
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        return high

    def _switches(self, t: Array) -> Array:
        """Which branch each switch of the expression takes at the times t."""
        with np.errstate(all="ignore"), watched() as seen:
            followed(self._steps, self._names(t))
        return np.array([np.broadcast_to(switch, len(t)) for switch in seen]).reshape(-1, len(t))

    def _names(self, t: Array) -> Names:
        time = Jet(t, np.ones(len(t)), np.zeros(len(t)))
        return {"t": time, "theta": time, **{name: Constant(beside(t, value)) for name, value in self.given.items()}}

    @property
    def description(self) -> str:
        return self.written or self.text

    def to_file(self) -> FileForm:
        return self.description


Names = Mapping[str, Jet]  # what may stand in an expression; "t" always does
Steps = list[tuple[Callable[..., Jet], int]]  # what to do, with how many of the jets before it


def dotted(node: ast.expr) -> str | None:
    """ "crank.phi" of a name with dots in an expression; None where it is something else."""
    tail = ""
    while isinstance(node, ast.Attribute):
        tail = f".{node.attr}{tail}"
        node = node.value
    return node.id + tail if isinstance(node, ast.Name) else None


def parse(text: str, of: str = "in t") -> ast.expr:
    """The tree of an expression; `of` says in messages what it is an expression of."""
    if len(text) > MOST_CHARACTERS:
        raise ModelError(f"an expression of {len(text)} characters is too long; {MOST_CHARACTERS} are allowed")
    try:
        return ast.parse(text.replace("^", "**"), mode="eval").body
    except (RecursionError, MemoryError, ValueError):
        raise ModelError(f'"{text[:40]}…" is nested too deeply') from None
    except SyntaxError as error:
        at = max((error.offset or 1) - 1, 0)
        raise ModelError(
            f'"{text}" is not an expression {of}: {error.msg}, at "{text[at : at + 8]}"',
            suggestion="Write a choice as where(a < b, yes, no)." if re.search(r"\bif\b", text) else "",
        ) from None


def evaluate(node: ast.expr, names: Names, text: str) -> Jet:
    """The jet of a parsed expression from those of its names."""
    return followed(steps_of(node, names, text), names)


def steps_of(node: ast.expr, known: Iterable[str], text: str) -> Steps:
    """Lists the operations of an expression, operands first: a list, since a long sum is a deep tree."""
    names, steps, waiting = [*known], [], [node]
    while waiting:
        step, parts = _step(waiting.pop(), names, text)
        steps.append((step, len(parts)))
        waiting += reversed(parts)
    return steps[::-1]


def followed(steps: Steps, names: Names) -> Jet:
    """Returns the jet that results from the operations; those without operands take the names."""
    stack: list[Jet] = []
    with np.errstate(all="ignore"):
        for step, count in steps:  # the first operand is on top
            stack.append(step(*[stack.pop() for _ in range(count)]) if count else step(names))
    jet, at = stack[0], np.shape(names["t"].v)
    return Jet(*(np.zeros(at) + part for part in (jet.v, jet.d, jet.dd))) if isinstance(jet, Constant) else jet


Step = tuple[Callable[..., Jet], list[ast.expr]]


def _step(node: ast.expr, names: list[str], text: str) -> Step:
    """Returns the operation of a node on the jets of its operands, and these operands."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        try:
            return _constant(float(node.value)), []
        except OverflowError:
            raise ModelError(f'"{text[:40]}": a number is too large') from None
    name = dotted(node) or ""
    if name in names:
        return operator.itemgetter(name), []
    if name in CONSTANTS:
        return _constant(CONSTANTS[name]), []
    if isinstance(node, ast.Name):
        raise unknown(name, node, text, names)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        return (lambda x: -x) if isinstance(node.op, ast.USub) else (lambda x: x), [node.operand]
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _BINARY[type(node.op)], [node.left, node.right]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _call(node.func.id, node.args, text)
    raise out_of_place(node, text)


def unknown(name: str, node: ast.expr, text: str, allowed: Iterable[str]) -> ModelError:
    """A name that an expression does not know; `theta` is another word for t and not offered."""
    known = [*(word for word in allowed if word != "theta"), *CONSTANTS]
    return ModelError(f'"{text}": unknown name "{name}" at position {node.col_offset + 1}. {nearest(name, known)}')


def out_of_place(node: ast.expr, text: str) -> ModelError:
    """Something that is no part of an expression."""
    part = text.replace("^", "**").encode()[node.col_offset : node.end_col_offset].decode(errors="replace")
    return ModelError(
        f'"{text}": "{part}" cannot stand in an expression',
        suggestion=f"Use numbers, t, pi, + - * / **, and the functions {', '.join(sorted([*FUNCTIONS, 'where']))}.",
    )


def _constant(value: float) -> Callable[[Names], Jet]:
    number = Constant(value)
    return lambda names: number


_BINARY: dict[type[ast.operator], Callable[[Jet, Jet], Jet]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: lambda a, b: a.power(b),
}


def binary(node: ast.operator) -> Callable[[Jet, Jet], Jet]:
    """Returns the operation of + − × ÷ or a power on two jets."""
    return _BINARY[type(node)]


def _call(name: str, arguments: list[ast.expr], text: str) -> Step:
    if name == "where":
        if len(arguments) != 3 or not isinstance(arguments[0], ast.Compare) or len(arguments[0].ops) != 1:
            raise ModelError(f'"{text}": write where(a < b, yes, no)')
        test = arguments[0]
        compare = _COMPARE.get(type(test.ops[0]))
        if compare is None:
            raise ModelError(f'"{text}": compare with <, <=, >, >=, == or !=')
        parts = [test.left, test.comparators[0], *arguments[1:]]
        return lambda left, right, yes, no: select(compare(left.v, right.v), yes, no), parts
    function = FUNCTIONS.get(name)
    if function is None:
        raise ModelError(f'"{text}": unknown function "{name}". {nearest(name, [*FUNCTIONS, "where"])}')
    wanted = 2 if name in ("min", "max") else 1
    if len(arguments) != wanted:
        raise ModelError(f'"{text}": {name} takes {wanted} argument{"s" * (wanted > 1)}')
    return function, arguments
