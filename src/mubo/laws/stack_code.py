"""An expression as steps over a stack of numbers: what a core can follow without Python.

Words are those of the core's operations; functions keep the names that they have in expressions. A comparison takes
four numbers: both sides, and what holds where it is true and where it is not.
"""

from __future__ import annotations

import ast
from typing import Any

from mubo.laws.expression import CONSTANTS, dotted, steps_of

Step = tuple[str, Any]  # a word, and a number, the name of a column or the points of a curve where it needs one
NUMBER, COLUMN, CURVE = "number", "column", "curve"
_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "times",
    ast.Div: "divide",
    ast.Pow: "power",
}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Lt: "less",
    ast.LtE: "less_equal",
    ast.Gt: "greater",
    ast.GtE: "greater_equal",
    ast.Eq: "equal",
    ast.NotEq: "not_equal",
}


def code_of(node: ast.expr, names: tuple[str, ...], text: str) -> list[Step]:
    """The steps of a parsed expression, operands first; what cannot stand in one is refused with its place.

    >>> from mubo.laws.expression import parse
    >>> code_of(parse("2*sin(t)"), (), "2*sin(t)")
    [('number', 2.0), ('column', 't'), ('sin', None), ('times', None)]
    """
    steps_of(node, ("t", *names), text)  # refuses what cannot stand there
    return _steps(node, {"t", *names})


def _steps(node: ast.expr, names: set[str]) -> list[Step]:
    name = dotted(node)
    if name is not None and name in names:
        return [(COLUMN, name)]
    if name is not None:
        return [(NUMBER, float(CONSTANTS[name]))]
    if isinstance(node, ast.Constant):
        return [(NUMBER, float(node.value))]  # type: ignore[arg-type]
    if isinstance(node, ast.UnaryOp):
        inner = _steps(node.operand, names)
        return [*inner, ("negate", None)] if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.BinOp):
        return [*_steps(node.left, names), *_steps(node.right, names), (_BINARY[type(node.op)], None)]
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    if node.func.id == "where":
        test = node.args[0]
        assert isinstance(test, ast.Compare)
        parts = [test.left, test.comparators[0], *node.args[1:]]
        return [*_all(parts, names), (_COMPARE[type(test.ops[0])], None)]
    return [*_all(node.args, names), (node.func.id, None)]


def _all(nodes: list[ast.expr], names: set[str]) -> list[Step]:
    return [step for node in nodes for step in _steps(node, names)]
