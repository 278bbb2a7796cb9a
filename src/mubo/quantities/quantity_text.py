"""Numbers and text such as "1500 rpm", as people write quantities."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from numbers import Real
from typing import NamedTuple

from mubo.errors import ModelError
from mubo.laws.dependent import Dependent
from mubo.quantities.formula import Formula
from mubo.quantities.unit_algebra import NUMBER, measure

QUANTITY = re.compile(rf"^\s*([-+]?{NUMBER})((?:\s*[A-Za-zµ°]|\s+1\s*/).*?)\s*$")


class Quantity(NamedTuple):
    """A number with a unit: its factor to m, rad, kg, s, and the powers of these."""

    number: float
    factor: float
    powers: Mapping[str, int]


def quantity(text: str) -> Quantity | None:
    """Reads text such as "1500 rpm"; returns None where it is not a number with a known unit."""
    match = QUANTITY.match(text)
    known = measure(match[2]) if match else None
    return Quantity(float(match[1]), *known) if match and known else None


def is_expression(text: str) -> bool:
    """Whether text is an expression: neither a number with a unit, nor a number alone, nor no formula at all."""
    if quantity(text) is not None:
        return False
    try:
        tree = Formula(text).tree
    except ModelError:
        return False
    while isinstance(tree, ast.UnaryOp):
        tree = tree.operand
    return not isinstance(tree, ast.Constant)


def finite(value: Real | float, shown: object) -> float:
    """The value as a float; infinite and too large numbers are refused."""
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        text = str(shown) if len(str(shown)) < 30 else str(shown)[:27] + "..."
        raise ModelError(f"expected a finite number; found {text}")
    return number


def plain_number(value: object) -> float:
    """A number without a unit."""
    if type(value) is float and math.isfinite(value):
        return value
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ModelError(f"expected a number; found {value!r}")
    return value if isinstance(value, Dependent) else finite(value, value)
