"""Expressions of numbers, names, signs and + − × ÷ as a list of operations: values and derivatives on plain floats.

Most numbers of a model that depend on parameters are such expressions, and a search over designs evaluates each of
them again and again. IEEE 754 leaves no choice in the rounding of these four operations, so that the values have the
bits of the same expression over jets of arrays (`laws/expression.py`); powers and functions are left to those.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping, Sequence

Operation = tuple[str, float | str]  # what to do, and with which number or name
LARGE = 1e300  # a larger number is left to jets, which refuse what is too large
_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


class Arithmetic:
    """An expression as operations on a stack of numbers, operands first."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._operations = tuple(operations)

    @classmethod
    def of_tree(cls, tree: ast.expr, names: Container[str]) -> Arithmetic | None:
        """The operations of an expression over some names; None where it is more than signs and + − × ÷."""
        found: list[Operation] = []
        waiting: list[ast.expr] = [tree]
        while waiting:  # no recursion: a long sum is a deep tree
            node = waiting.pop()
            if isinstance(node, ast.Name) and node.id in names and node.id != "t":
                found.append(("name", node.id))
            elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
                if abs(node.value) > LARGE:  # type: ignore[arg-type]
                    return None
                found.append(("number", float(node.value)))  # type: ignore[arg-type]
            elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
                found.append(("negative", 0.0))
                waiting.append(node.operand)
            elif isinstance(node, ast.BinOp) and type(node.op) in _SIGNS:
                found.append((_SIGNS[type(node.op)], 0.0))
                waiting += [node.left, node.right]  # the right one is listed first, and done last
            else:
                return None
        return cls(found[::-1])

    def value(self, names: Mapping[str, float]) -> float:
        """Return the value; raises ZeroDivisionError where it divides by zero."""
        stack: list[float] = []
        for what, operand in self._operations:
            if what == "name":
                stack.append(float(names[operand]))  # type: ignore[index]
            elif what == "number":
                stack.append(operand)  # type: ignore[arg-type]
            elif what == "negative":
                stack[-1] = -stack[-1]
            else:
                y, x = stack.pop(), stack.pop()
                stack.append(x + y if what == "+" else x - y if what == "-" else x * y if what == "*" else x / y)
        return stack[0]

    def slope(self, names: Mapping[str, float], slopes: Mapping[str, float]) -> float:
        """Return the derivative from those of the names, zero of one that has none."""
        stack: list[tuple[float, float]] = []
        for what, operand in self._operations:
            if what == "name":
                stack.append((float(names[operand]), slopes.get(operand, 0.0)))  # type: ignore[index, arg-type]
            elif what == "number":
                stack.append((operand, 0.0))  # type: ignore[arg-type]
            elif what == "negative":
                stack[-1] = (-stack[-1][0], -stack[-1][1])
            else:
                (y, dy), (x, dx) = stack.pop(), stack.pop()
                if what == "+":
                    stack.append((x + y, dx + dy))
                elif what == "-":
                    stack.append((x - y, dx - dy))
                elif what == "*":
                    stack.append((x * y, dx * y + x * dy))
                else:
                    stack.append((x / y, (dx - x / y * dy) / y))
        return stack[0][1]
