"""The walk over an expression that follows its units and puts all numbers into coherent ones."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from dataclasses import replace

from mubo.errors import ModelError
from mubo.laws.expression import CONSTANTS, dotted, out_of_place, unknown
from mubo.laws.jet import FUNCTIONS
from mubo.quantities.sizes import ANGLE, KINDS, NUMBER, Size, unit_of_product, words_of_size
from mubo.quantities.unit_algebra import measure

QUANTITY = "quantity"  # of a number with a unit: a call that no expression can write itself


class Sizing:
    """Walks an expression; `written`: names are in the units of their columns, `keyed`: these are not all coherent."""

    def __init__(
        self,
        text: str,
        sizes: Mapping[str, Size],
        own: tuple[float, ...],
        strict: bool,
        keyed: bool,
        written: bool = False,
    ) -> None:
        self._text, self._sizes, self._own, self._strict = text, sizes, own, strict
        self._keyed, self._written = keyed, written
        self._radians = own[KINDS.index("angle")]

    def walk(self, node: ast.expr) -> tuple[ast.expr, Size]:
        name = dotted(node)
        if name is not None and name in self._sizes:
            size = self._sizes[name]
            other = self._written and size.unit not in (0.0, 1.0)
            return (ast.BinOp(node, ast.Div(), ast.Constant(size.unit)) if other else node), size
        if name in CONSTANTS or isinstance(node, ast.Constant):
            return node, Size(plain=True)
        if name is not None:
            raise unknown(name, node, self._text, self._sizes)
        if isinstance(node, ast.UnaryOp):
            inner, size = self.walk(node.operand)
            return ast.UnaryOp(node.op, inner), size
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._call(node, node.func.id)
        raise out_of_place(node, self._text)

    def _binary(self, node: ast.BinOp) -> tuple[ast.expr, Size]:
        (left, one), (right, two) = self.walk(node.left), self.walk(node.right)
        new = ast.BinOp(left, node.op, right)
        if isinstance(node.op, ast.Mult):
            return new, one.times(two)
        if isinstance(node.op, ast.Div):
            return new, one.times(two, -1)
        if isinstance(node.op, ast.Pow):
            return new, self._power(one, node.right)
        left, right = self._in_one_unit((left, one), (right, two))
        return ast.BinOp(left, node.op, right), self._joined(node, one, two)

    def _in_one_unit(self, *parts: tuple[ast.expr, Size]) -> list[ast.expr]:
        """Parts that are added or compared: a plain number is in the unit in which the other part is written."""
        others = [size for _, size in parts if not size.plain]
        if self._written or not self._keyed or not others or len(others) == len(parts):
            return [node for node, _ in parts]
        out = []
        for node, size in parts:
            if size.plain and not (isinstance(node, ast.Constant) and node.value == 0):
                if not others[0].unit:
                    raise ModelError(
                        f'"{self._text}": the unit of {ast.unparse(node)} is not known',
                        suggestion="Write its unit behind it.",
                    )
                node = ast.BinOp(node, ast.Mult(), ast.Constant(others[0].unit))
            out.append(node)
        return out

    def _power(self, base: Size, exponent: ast.expr) -> Size:
        """x^n: the unit to the power of a written number, else an unknown one."""
        sign, node = 1.0, exponent
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            sign, node = -1.0, node.operand
        if base.powers == NUMBER or base.powers is None:
            return base
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return replace(base, powers=tuple(sign * node.value * power for power in base.powers))
        return Size(None)

    def _joined(self, node: ast.expr, one: Size, two: Size) -> Size:
        """The unit of a sum, or of one of two: numbers alone take that of the other."""
        if one.plain or two.plain:
            return two if one.plain else one
        if one.powers == two.powers:
            return replace(one, scaled=one.scaled or two.scaled, unit=one.unit if one.unit == two.unit else 0.0)
        if one.powers is None or two.powers is None or (not self._strict and (one.scaled or two.scaled)):
            return Size(None)
        words = [words_of_size(size) for size in (one, two)]
        raise ModelError(f'"{self._text}": {words[0]} and {words[1]} cannot be added in "{ast.unparse(node)}"')

    def _quantity(self, node: ast.Call) -> tuple[ast.expr, Size]:
        """A number with a unit as a number in the model's units."""
        number, unit = (argument.value for argument in node.args if isinstance(argument, ast.Constant))
        known = measure(str(unit))
        assert known is not None, unit
        powers = tuple(float(known[1].get(kind, 0)) for kind in KINDS)
        own = math.prod(size**power for size, power in zip(self._own, powers, strict=True))
        size = Size(powers, unit=unit_of_product(powers))
        return ast.Constant(float(number) * (known[0] / own)), size  # type: ignore[arg-type]

    def _call(self, node: ast.Call, name: str) -> tuple[ast.expr, Size]:
        if name == QUANTITY and len(node.args) == 2:
            return self._quantity(node)
        if name not in (*FUNCTIONS, "where"):
            return node, Size()  # refused with the nearest word where it is evaluated
        if name == "where":
            return self._where(node)
        walked = [self.walk(argument) for argument in node.args]
        arguments, sizes = [new for new, _ in walked], [size for _, size in walked] or [Size()]
        size = sizes[0]
        if name in ("sin", "cos", "tan") and size.powers == ANGLE:
            if self._written:  # a product such as rpm · s is an angle in coherent units alone
                coherent = Sizing(self._text, self._sizes, self._own, self._strict, self._keyed)
                arguments[0] = coherent.walk(node.args[0])[0]
            arguments[0] = ast.BinOp(arguments[0], ast.Mult(), ast.Constant(self._radians))
        arguments = self._in_one_unit(*zip(arguments, sizes, strict=True)) if name in ("min", "max") else arguments
        call = ast.Call(node.func, arguments, [])
        if name == "atan":
            return ast.BinOp(call, ast.Div(), ast.Constant(self._radians)), Size(ANGLE)
        if name == "sqrt":
            return call, replace(size, powers=size.powers and tuple(power / 2 for power in size.powers))
        if name == "abs":
            return call, size
        if name in ("min", "max"):
            return call, self._joined(node, size, sizes[-1])
        return call, Size(scaled=True)

    def _where(self, node: ast.Call) -> tuple[ast.expr, Size]:
        if len(node.args) != 3 or not isinstance(node.args[0], ast.Compare) or len(node.args[0].ops) != 1:
            raise ModelError(f'"{self._text}": write where(a < b, yes, no)')
        test = node.args[0]
        (left, one), (right, two) = self.walk(test.left), self.walk(test.comparators[0])
        self._joined(test, one, two)
        left, right = self._in_one_unit((left, one), (right, two))
        (yes, first), (no, second) = self.walk(node.args[1]), self.walk(node.args[2])
        yes, no = self._in_one_unit((yes, first), (no, second))
        return ast.Call(node.func, [ast.Compare(left, test.ops, [right]), yes, no], []), self._joined(
            node, first, second
        )
