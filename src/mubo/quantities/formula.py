"""An expression of columns, such as "P.x - 2*Q.x": which names stand in it, and which unit its value has.

Numbers and columns are in the model's units; a number may have a unit of its own: "3*cos(30 deg)". sin, cos and tan of
an angle take it as the angle that it is, whatever its unit; of a plain number they take radians. atan answers an angle
in the model's unit.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Container, Mapping
from dataclasses import replace
from functools import cached_property

from mubo.errors import ModelError
from mubo.laws.expression import CONSTANTS, dotted, out_of_place, parse, unknown
from mubo.laws.jet import FUNCTIONS
from mubo.lazy_dataclass import dataclass
from mubo.quantities.unit_algebra import mark_quantities, measure

QUANTITY = "quantity"  # of a number with a unit: a call that no expression can write itself
DEEPEST = 100  # levels of an expression whose units are judged
KINDS = ("length", "angle", "mass", "time")
Powers = tuple[float, ...]  # of each of the four
NUMBER: Powers = (0.0, 0.0, 0.0, 0.0)
ANGLE: Powers = (0.0, 1.0, 0.0, 0.0)
POWERS: dict[str, Powers] = {
    "number": NUMBER,
    "length": (1.0, 0.0, 0.0, 0.0),
    "angle": ANGLE,
    "mass": (0.0, 0.0, 1.0, 0.0),
    "time": (0.0, 0.0, 0.0, 1.0),
    "force": (1.0, 0.0, 1.0, -2.0),
    "torque": (2.0, 0.0, 1.0, -2.0),
    "energy": (2.0, 0.0, 1.0, -2.0),
    "power": (2.0, 0.0, 1.0, -3.0),
}


@dataclass(frozen=True)
class Size:
    """The unit of a part of an expression, as powers; None where it is not known.

    `plain`: numbers alone, which take the unit of what they are added to. `scaled`: a number is a factor of it, which
    may have hidden a unit.
    """

    powers: Powers | None = NUMBER
    plain: bool = False
    scaled: bool = False

    def times(self, other: Size, sign: int = 1) -> Size:
        known = self.powers is not None and other.powers is not None
        powers = tuple(a + sign * b for a, b in zip(self.powers or NUMBER, other.powers or NUMBER, strict=True))
        scaled = self.plain or other.plain or self.scaled or other.scaled
        return Size(powers if known else None, self.plain and other.plain, scaled)


def size_of(holds: str, order: int) -> Size:
    """The unit of a column."""
    length, angle, mass, time = POWERS[holds] if holds in POWERS else _compound(holds)
    return Size((length, angle, mass, time - order))


def _compound(holds: str) -> Powers:
    pairs = (word.split("^") for word in holds.split())
    powers = {kind: float(power) for kind, power in pairs}
    length, angle, mass, time = (powers.get(kind, 0.0) for kind in KINDS)
    return length, angle, mass, time


def holds_of(size: Size) -> tuple[str, int]:
    """Returns the quantity of a column of this unit and the order of its derivative: ("length", 1) for a velocity.

    Other products of units are words such as "length^2 time^-1"; "number" stands where no unit is known.
    """
    if size.powers is None or any(power != int(power) for power in size.powers):
        return "number", 0
    length, angle, mass, time = (int(power) for power in size.powers)
    if mass == 0 and (length, angle) in ((1, 0), (0, 1)) and time <= 0:
        return ("length" if length else "angle"), -time
    if (length, angle, mass) == (0, 0, 0) and time in (0, 1):
        return ("time" if time else "number"), 0
    return " ".join(f"{k}^{p}" for k, p in zip(KINDS, (length, angle, mass, time), strict=True) if p), 0


@dataclass(frozen=True)
class Formula:
    """An expression of names with dots; `of` says in messages what it is an expression of."""

    text: str
    of: str = "of columns"

    @cached_property
    def tree(self) -> ast.expr:
        marked = mark_quantities(self.text, QUANTITY)
        if marked == self.text or re.search(rf"\b{QUANTITY}\b", self.text):
            return parse(self.text, self.of)
        try:
            return parse(marked, self.of)
        except ModelError:
            return parse(self.text, self.of)  # which shows what was written

    @property
    def has_units(self) -> bool:
        """Whether numbers with units stand in it."""
        return any(isinstance(node, ast.Call) and dotted(node.func) == QUANTITY for node in ast.walk(self.tree))

    @property
    def names(self) -> tuple[str, ...]:
        """The columns and measures that stand in it, in their order; t and constants aside."""
        return tuple(name for name in self._words if name not in CONSTANTS)

    def parameters(self, known: Container[str]) -> tuple[str, ...]:
        """The parameters that stand in it, of those that are known; one named e hides Euler's number."""
        return tuple(name for name in self._words if name in known)

    @cached_property
    def _words(self) -> tuple[str, ...]:
        """Every name but t, in their order."""
        found: dict[str, None] = {}
        left: list[ast.AST] = [self.tree]
        while left:  # no recursion: a sum of a thousand terms is a thousand deep
            node = left.pop()
            if not isinstance(node, ast.Name | ast.Attribute):
                left += reversed(node.args if isinstance(node, ast.Call) else list(ast.iter_child_nodes(node)))
                continue
            name = dotted(node)
            if name is None:
                raise out_of_place(node, self.text)
            if name != "t":
                found[name] = None
        return tuple(found)

    def sized(self, sizes: Mapping[str, Size], own: tuple[float, ...], strict: bool = False) -> tuple[ast.expr, Size]:
        """The tree with quantities in the model's units and angles in radians where functions need them, and the unit
        of its value.

        `sizes` are those of all names that are known; `own` are the model's units of length, angle, mass and time in m,
        rad, kg and s. In a `strict` expression a written factor is a pure number, which hides no unit.
        """
        _require_shallow(self.tree, self.text)
        return _Sizing(self.text, {**sizes, "t": size_of("time", 0)}, own, strict).walk(self.tree)


def _require_shallow(tree: ast.expr, text: str) -> None:
    """Refuses what is nested too deep to be walked: a sum of n terms is n deep, halves in parentheses half as much."""
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return
    raise ModelError(
        f'"{text[:40]}…" is nested more than {DEEPEST} deep',
        suggestion="Put parts of long sums and products into parentheses, or into measures or parameters of their own.",
    )


class _Sizing:
    def __init__(self, text: str, sizes: Mapping[str, Size], own: tuple[float, ...], strict: bool) -> None:
        self._text, self._sizes, self._own, self._strict = text, sizes, own, strict
        self._radians = own[KINDS.index("angle")]

    def walk(self, node: ast.expr) -> tuple[ast.expr, Size]:
        name = dotted(node)
        if name is not None and name in self._sizes:
            return node, self._sizes[name]
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
        return new, self._joined(node, one, two)

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
            return replace(one, scaled=one.scaled or two.scaled)
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
        return ast.Constant(float(number) * (known[0] / own)), Size(powers)  # type: ignore[arg-type]

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
            arguments[0] = ast.BinOp(arguments[0], ast.Mult(), ast.Constant(self._radians))
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
        (yes, first), (no, second) = self.walk(node.args[1]), self.walk(node.args[2])
        return ast.Call(node.func, [ast.Compare(left, test.ops, [right]), yes, no], []), self._joined(
            node, first, second
        )


def require_unit(text: str, size: Size, wanted: Size) -> None:
    """Refuses the value of an expression that is not of the wanted unit; a factor may have hidden a unit."""
    free = size.plain or size.scaled or size.powers in (None, NUMBER)
    if not free and size.powers != wanted.powers:
        raise ModelError(
            f"expected {words_of_size(wanted)}, but {text} {unit_clause(size)}",
            suggestion="Multiply it by a number that makes it one.",
        )


def _unit_words(powers: Powers) -> str:
    """A product of SI units: "s/rad"."""
    words = list(zip(("m", "rad", "kg", "s"), powers, strict=True))
    above, below = (
        " ".join(f"{word}^{abs(p):g}" if abs(p) != 1 else word for word, p in words if sign * p > 0) for sign in (1, -1)
    )
    return (above or "1") + (f"/({below})" if " " in below else f"/{below}" if below else "")


def unit_clause(size: Size) -> str:
    """The end of a message about an expression of a wrong unit: "is an angle", "has the unit s/rad"."""
    name = _name_of_size(size)
    return f"is {name}" if name else f"has the unit {_unit_words(size.powers or NUMBER)}"


def words_of_size(size: Size) -> str:
    """ "a length per time"; a mass, a force, a torque and a power by their names; of others the unit."""
    return _name_of_size(size) or f"a quantity in {_unit_words(size.powers or NUMBER)}"


def _name_of_size(size: Size) -> str:
    """The name of a kind of quantity with its article, "" where it has none."""
    named = [kind for kind in ("mass", "force", "torque", "power") if size.powers == POWERS[kind]]
    if size.powers is not None and any(power != int(power) for power in size.powers):
        return "a root of units"
    holds, order = (named[0], 0) if named else holds_of(size)
    if "^" in holds:
        return ""
    word = {"number": "a number", "angle": "an angle"}.get(holds, f"a {holds}")
    return word + ("", " per time", " per time squared")[min(order, 2)]
