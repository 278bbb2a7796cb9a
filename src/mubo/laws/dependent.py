"""Numbers that depend on parameters: each keeps its value and the expression that defines it.

A `Dependent` is a float. The results of + − × ÷, of powers and of the functions here are `Dependent` on the same
parameters; NumPy and `math` return plain numbers. Derivatives are exact: jets are propagated through the expression.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Mapping
from math import isfinite
from numbers import Real
from operator import add, mul, sub, truediv
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.laws.expression import binary, evaluate, parse
from mubo.laws.jet import FUNCTIONS, Constant, Jet
from mubo.mappings import cached_property

if TYPE_CHECKING:
    from mubo.laws.arithmetic import Arithmetic

Scope = Mapping[str, float]
"""The value of every parameter; one that is defined by others is a `Dependent` itself."""


class Dependent(float):
    """A number with the tree of its expression, the parameters that stand in it, and the text that somebody wrote for
    it ("" where it was computed from others)."""

    tree: ast.expr
    scope: Scope
    text: str

    def __new__(cls, value: float, tree: ast.expr, scope: Scope, text: str = "") -> Dependent:
        new = super().__new__(cls, value)
        new.tree, new.scope, new.text = tree, scope, text
        return new

    @classmethod
    def from_tree(cls, tree: ast.expr, scope: Scope, text: str) -> Dependent:
        """Returns the value of an expression; refuses one that is infinite or not a number."""
        value = float(evaluate(tree, {**_constants(scope), "t": Constant(0.0)}, text).v)
        if not isfinite(value):
            values = ", ".join(f"{name} = {float(scope[name]):g}" for name in _names(tree, scope))
            shown = text or ast.unparse(tree)
            raise ModelError(f'"{shown}" is not a finite number{f" where {values}" if values else ""}')
        return cls(value, tree, scope, text)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (float(self), ast.unparse(self.tree), self.scope, self.text)

    @cached_property
    def names(self) -> frozenset[str]:
        """The parameters that define it, directly or through others."""
        found: set[str] = set()
        left = [self]
        while left:  # no recursion: a chain of parameters may be as long as the table
            number = left.pop()
            for name in number.direct:
                if name not in found:
                    found.add(name)
                    left += [value for value in (number.scope[name],) if isinstance(value, Dependent)]
        return frozenset(found)

    @cached_property
    def direct(self) -> tuple[str, ...]:
        """The parameters that stand in its own expression."""
        return tuple(_names(self.tree, self.scope))

    @cached_property
    def _arithmetic(self) -> Arithmetic | None:
        """Its expression as operations on plain numbers; None where it has powers or functions."""
        from mubo.laws.arithmetic import Arithmetic

        return Arithmetic.of_tree(self.tree, self.scope)

    def at(self, scope: Scope) -> Dependent:
        """Returns its value for other values of the same parameters."""
        arithmetic, value = self._arithmetic, math.inf
        if arithmetic is not None:
            try:
                value = arithmetic.value(scope)
            except ZeroDivisionError:
                value = math.inf
        if isfinite(value):
            new = Dependent(value, self.tree, scope, self.text)
        else:  # jets evaluate everything, and say what is not finite
            new = Dependent.from_tree(self.tree, scope, self.text)
        new.__dict__ |= {"direct": self.direct, "names": self.names, "_arithmetic": arithmetic}
        return new

    def over(self, scope: Mapping[str, Array]) -> Array:
        """Returns its values for arrays of values of the parameters."""
        times = np.zeros(np.broadcast_shapes(*(np.shape(values) for values in scope.values())))
        return np.asarray(evaluate(self.tree, {**_constants(scope), "t": Constant(times)}, self.text).v, float)

    def slope(self, name: str) -> float:
        """Its exact derivative with respect to a parameter, through all parameters that depend on that one."""
        if name not in self.names:
            return 0.0
        known, path = {name: 1.0}, [("", self)]
        while path:  # no recursion: each number after those in its expression
            label, number = path[-1]
            used = ((word, number.scope[word]) for word in number.direct if word not in known)
            missing = next(((word, value) for word, value in used if isinstance(value, Dependent)), None)
            if missing is not None:
                path.append(missing)
            else:
                known[label] = number._slope_by(known)
                path.pop()
        return known[""]

    def _slope_by(self, known: Mapping[str, float]) -> float:
        """Its derivative from those of the parameters in its expression; zero of one that is not known."""
        if self._arithmetic is not None:
            try:
                return self._arithmetic.slope(self.scope, known)
            except ZeroDivisionError:
                pass  # jets give what is not finite
        one, zero = np.ones(1), np.zeros(1)
        jets: dict[str, Jet] = {"t": Jet(zero, zero, zero)}
        for name in self.direct:
            jets[name] = Jet(float(self.scope[name]) * one, known.get(name, 0.0) * one, zero)
        return float(evaluate(self.tree, jets, self.text).d[0])

    def __add__(self, other: Any) -> Any:
        return _joined(self, ast.Add(), other)

    def __radd__(self, other: Any) -> Any:
        return _joined(other, ast.Add(), self)

    def __sub__(self, other: Any) -> Any:
        return _joined(self, ast.Sub(), other)

    def __rsub__(self, other: Any) -> Any:
        return _joined(other, ast.Sub(), self)

    def __mul__(self, other: Any) -> Any:
        return _joined(self, ast.Mult(), other)

    def __rmul__(self, other: Any) -> Any:
        return _joined(other, ast.Mult(), self)

    def __truediv__(self, other: Any) -> Any:
        return _joined(self, ast.Div(), other)

    def __rtruediv__(self, other: Any) -> Any:
        return _joined(other, ast.Div(), self)

    def __pow__(self, other: Any, modulo: None = None) -> Any:
        return _joined(self, ast.Pow(), other)

    def __rpow__(self, other: Any, modulo: None = None) -> Any:
        return _joined(other, ast.Pow(), self)

    def __neg__(self) -> Any:
        return Dependent(-float(self), ast.UnaryOp(ast.USub(), self.tree), self.scope)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return self if float(self) >= 0 else -self


def slope_of(value: float, name: str) -> float:
    """The derivative of a number with respect to a parameter: zero of one that does not depend on any."""
    return value.slope(name) if isinstance(value, Dependent) else 0.0


def written(value: float) -> float | str:
    """A number as files hold it: the text that somebody wrote for it, else the plain number."""
    return value.text if isinstance(value, Dependent) and value.text else float(value)


def kept(value: Any) -> float:
    """A plain float of any number, but of one that depends on parameters itself."""
    return value if isinstance(value, Dependent) else float(value)


def array_of(values: Iterable[Any]) -> Array:
    """An array of numbers, which keeps those that depend on parameters as what they are."""
    listed = list(values)
    flat = [x for line in listed for x in (line if isinstance(line, Iterable) else (line,))]
    tied = any(isinstance(x, Dependent) for x in flat)
    return cast(Array, np.array(listed, dtype=object if tied else float))


def sqrt(x: float) -> float:
    """√x."""
    return _applied("sqrt", x)


def sin(x: float) -> float:
    """sin x."""
    return _applied("sin", x)


def cos(x: float) -> float:
    """cos x."""
    return _applied("cos", x)


def arc_tangent(x: float) -> float:
    """Arc tangent of x."""
    return _applied("atan", x)


def hypot(x: float, y: float) -> float:
    """√(x² + y²)."""
    if isinstance(x, Dependent) or isinstance(y, Dependent):
        return sqrt(x * x + y * y)
    return math.hypot(x, y)


def _applied(name: str, x: float) -> float:
    if not isinstance(x, Dependent):
        return float(getattr(math, name)(x))
    value = float(FUNCTIONS[name](Constant(float(x))).v)
    return Dependent(value, ast.Call(ast.Name(name), [x.tree], []), x.scope)


_PLAIN = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv}
_PLAIN_TYPES = (float, int, Dependent)


def _joined(left: Any, operator: ast.operator, right: Any) -> Any:
    """Joins two numbers, at least one of which depends on parameters; arrays take it as a plain number."""
    for number in (left, right):
        if type(number) not in _PLAIN_TYPES and not isinstance(number, Real):
            return NotImplemented
    plain = _PLAIN.get(type(operator))
    if plain is not None and float(right):
        value = plain(float(left), float(right))
    else:
        value = float(binary(operator)(Constant(float(left)), Constant(float(right))).v)
    scope = (left if isinstance(left, Dependent) else right).scope
    return Dependent(value, ast.BinOp(_tree(left), operator, _tree(right)), scope)


def _tree(number: Any) -> ast.expr:
    if isinstance(number, Dependent):
        return number.tree
    value = ast.Constant(abs(float(number)))
    return ast.UnaryOp(ast.USub(), value) if float(number) < 0 else value


def _names(tree: ast.expr, scope: Scope) -> list[str]:
    found = dict.fromkeys(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    return [name for name in found if name in scope]


def _constants(scope: Mapping[str, Any]) -> dict[str, Jet]:
    return {name: Constant(np.asarray(value, float)) for name, value in scope.items()}


def _restored(value: float, tree: str, scope: Scope, text: str) -> Dependent:
    return Dependent(value, parse(tree), scope, text)
