"""Expressions in t as text, such as "0.5 + 0.1*sin(2*pi*t)", with exact derivatives and no `eval`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.motion.jet import FUNCTIONS, Jet, select, watched
from mubo.motion.law import FileForm, Law

MOST_CHARACTERS = 2000
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

    def __post_init__(self) -> None:
        self(np.array([0.5]))  # a mistake in the text is found here, not in the middle of a run

    @cached_property
    def _tree(self) -> ast.expr:
        return _parse(self.text)

    @cached_property
    def _steps(self) -> list[Step]:
        return _program(self._tree, self.text)

    def __call__(self, t: Array) -> Array:
        with np.errstate(all="ignore"):  # a NaN is reported by the solver with its time and driver
            jet = _run(self._steps, _time(t))
        return np.column_stack([jet.v, jet.d, jet.dd])

    def breaks(self, start: float, end: float) -> Array:
        """Times where a where, abs, min or max switches: seen on a fine grid, then bisected."""
        if not {"where", "abs", "min", "max"} & {n.id for n in ast.walk(self._tree) if isinstance(n, ast.Name)}:
            return np.zeros(0)
        grid = np.linspace(start, end, 4001)
        states = self._switches(grid)
        times = []
        for k in np.flatnonzero(np.any(states[:, 1:] != states[:, :-1], axis=0)):
            low, high = grid[k], grid[k + 1]
            for _ in range(60):
                middle = 0.5 * (low + high)
                same = np.array_equal(self._switches(np.array([low, middle]))[:, 1], states[:, k])
                low, high = (middle, high) if same else (low, middle)
            times.append(high)
        return np.array(times)

    def _switches(self, t: Array) -> Array:
        """Which branch each switch of the expression takes at the times t."""
        with np.errstate(all="ignore"), watched() as seen:
            _run(self._steps, _time(t))
        return np.array(seen).reshape(-1, len(t))

    @property
    def words(self) -> str:
        return self.text

    def to_file(self) -> FileForm:
        return self.text


def _time(t: Array) -> Jet:
    return Jet(np.asarray(t, float), np.ones(len(t)), np.zeros(len(t)))


def _parse(text: str) -> ast.expr:
    if len(text) > MOST_CHARACTERS:
        raise ModelError(f"an expression of {len(text)} characters is too long; {MOST_CHARACTERS} are allowed")
    try:
        return ast.parse(text.replace("^", "**"), mode="eval").body
    except (RecursionError, MemoryError, ValueError):
        raise ModelError(f'"{text[:40]}…" is nested too deeply') from None
    except SyntaxError as error:
        at = max((error.offset or 1) - 1, 0)
        raise ModelError(f'"{text}" is not an expression in t: {error.msg}, at "{text[at : at + 8]}"') from None


Step = tuple[Callable[..., Jet], int]
"""What becomes of t and so many operands."""


def _program(root: ast.expr, text: str) -> list[Step]:
    """The steps of an expression, operands before what joins them: a loop, since a long sum is a deep tree."""
    steps, waiting = [], [root]
    while waiting:
        step, parts = _step(waiting.pop(), text)
        steps.append((step, len(parts)))
        waiting += reversed(parts)
    return steps[::-1]


def _run(steps: list[Step], t: Jet) -> Jet:
    """The jet of an expression; of several operands, the first is on top."""
    stack: list[Jet] = []
    for step, count in steps:
        stack.append(step(t, *(stack.pop() for _ in range(count))))
    return stack[0]


def _step(node: ast.expr, text: str) -> tuple[Callable[..., Jet], list[ast.expr]]:
    """What a node does with t and its parts, and these parts."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return _constant(node.value, text), []
    if isinstance(node, ast.Name):
        if node.id in ("t", "theta"):
            return lambda t: t, []
        if node.id in CONSTANTS:
            return _constant(CONSTANTS[node.id], text), []
        raise ModelError(
            f'"{text}": unknown name "{node.id}" at position {node.col_offset + 1}. '
            + nearest(node.id, ["t", *CONSTANTS])
        )
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        return (lambda t, x: -x) if isinstance(node.op, ast.USub) else (lambda t, x: x), [node.operand]
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _BINARY[type(node.op)], [node.left, node.right]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _call(node.func.id, node.args, text)
    part = text.replace("^", "**").encode()[node.col_offset : node.end_col_offset].decode(errors="replace")
    raise ModelError(
        f'"{text}": "{part}" cannot stand in a motion law',
        suggestion=f"Use numbers, t, pi, + - * / **, and the functions {', '.join(sorted([*FUNCTIONS, 'where']))}.",
    )


def _constant(value: float, text: str) -> Callable[..., Jet]:
    try:
        number = float(value)
    except OverflowError:
        raise ModelError(f'"{text[:40]}": a number is too large') from None

    def constant(t: Jet) -> Jet:
        zero = np.zeros_like(t.v)
        return Jet(zero + number, zero, zero)

    return constant


_BINARY: dict[type[ast.operator], Callable[..., Jet]] = {
    ast.Add: lambda t, a, b: a + b,
    ast.Sub: lambda t, a, b: a - b,
    ast.Mult: lambda t, a, b: a * b,
    ast.Div: lambda t, a, b: a / b,
    ast.Pow: lambda t, a, b: a.power(b),
}


def _call(name: str, arguments: list[ast.expr], text: str) -> tuple[Callable[..., Jet], list[ast.expr]]:
    if name == "where":
        if len(arguments) != 3 or not isinstance(arguments[0], ast.Compare) or len(arguments[0].ops) != 1:
            raise ModelError(f'"{text}": write where(a < b, yes, no)')
        test = arguments[0]
        compare = _COMPARE.get(type(test.ops[0]))
        if compare is None:
            raise ModelError(f'"{text}": compare with <, <=, >, >=, == or !=')
        chosen = lambda t, left, right, yes, no: select(compare(left.v, right.v), yes, no)  # noqa: E731
        return chosen, [test.left, test.comparators[0], *arguments[1:]]
    function = FUNCTIONS.get(name)
    if function is None:
        raise ModelError(f'"{text}": unknown function "{name}". {nearest(name, [*FUNCTIONS, "where"])}')
    wanted = 2 if name in ("min", "max") else 1
    if len(arguments) != wanted:
        raise ModelError(f'"{text}": {name} takes {wanted} argument{"s" * (wanted > 1)}')
    return lambda t, *parts: function(*parts), arguments
