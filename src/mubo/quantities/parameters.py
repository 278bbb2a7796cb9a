"""Parameters: named numbers that may stand, as expressions of them, wherever a model has a number.

A parameter is a number, which takes the unit of the place where it stands; text with a unit, `"20 deg"`, whose unit is
kept and judged; or an expression of other parameters. Units are judged as dimensions: "3*a" of a length is a length,
and a mass cannot stand where a length is wanted. What has no unit (a plain number, a sine, the ratio of two lengths)
fits everywhere.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.laws.dependent import Dependent, Scope
from mubo.laws.expression import unknown
from mubo.laws.jet import FUNCTIONS
from mubo.lazy_dataclass import dataclass
from mubo.mappings import FrozenDict, cached_property
from mubo.quantities.formula import Formula
from mubo.quantities.sizes import KINDS, NUMBER, Size, unit_clause, words_of_size
from mubo.quantities.unit_algebra import powers_of

UNTOLD = Size(None)  # the unit of a plain number: that of the place where it stands
TAKEN = ("t", "theta", "where", "pi", *FUNCTIONS)
"""Names with a meaning of their own in expressions; a parameter e, the usual offset, hides Euler's number."""


@dataclass(frozen=True)
class Parameter:
    """A named number in the model's units (angles in its unit of angle), with its unit and the text written for it."""

    name: str
    value: float
    size: Size = UNTOLD
    text: str = ""

    @property
    def is_dependent(self) -> bool:
        """Whether other parameters define it."""
        return isinstance(self.value, Dependent)


@dataclass(frozen=True)
class Parameters(Mapping[str, Parameter]):
    """The parameters of a model by name, and its units of length, angle, mass and time in m, rad, kg and s."""

    entries: Mapping[str, Parameter] = field(default_factory=FrozenDict, hash=False)
    own: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0)

    @property
    def radians(self) -> float:
        """The radians of the model's unit of angle."""
        return self.own[KINDS.index("angle")]

    def __getitem__(self, name: str) -> Parameter:
        return self.entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @cached_property
    def scope(self) -> Scope:
        """The value of every parameter."""
        return FrozenDict({name: entry.value for name, entry in self.entries.items()})

    @cached_property
    def sizes(self) -> Mapping[str, Size]:
        """The unit of every parameter."""
        return {name: entry.size for name, entry in self.entries.items()}

    def require(self, name: str) -> None:
        """Refuse what is no parameter, with the nearest word."""
        if name not in self.entries:
            raise ModelError(f'there is no parameter "{name}". {nearest(name, self.entries)}')

    def expression(self, text: str) -> tuple[ast.expr, Size]:
        """The tree of an expression of parameters, angles made radians where functions take them, and its unit."""
        formula = Formula(text, "of parameters")
        for node in ast.walk(formula.tree):
            if (isinstance(node, ast.Name) and node.id == "t") or isinstance(node, ast.Attribute):
                raise unknown(ast.unparse(node), node, text, self.entries)
        return formula.sized(self.sizes, self.own, strict=True)

    def number(self, text: str, kind: str, plain: float, unit: float) -> Dependent:
        """Returns the value of an expression that must be of a `kind` such as "force/length".

        A value without unit is multiplied by `plain`, as a plain number in that place is; a value with a unit is in
        multiples of `unit`, which is in internal units.
        """
        tree, size = self.expression(text)
        factor = plain
        if has_unit(size):
            wanted = size_of_kind(kind)
            if size.powers != wanted.powers:
                raise ModelError(f"expected {words_of_size(wanted)}, but {text} {unit_clause(size)}")
            factor = self.radians ** powers_of(kind).get("angle", 0) / unit
        scaled = tree if factor == 1.0 else ast.BinOp(tree, ast.Mult(), ast.Constant(factor))
        return Dependent.from_tree(scaled, self.scope, text)

    def named(self, names: Iterable[str]) -> dict[str, float]:
        """Some of the parameters, each as a number that follows it."""
        return {name: Dependent.from_tree(ast.Name(name), self.scope, name) for name in names}

    def changed(self, values: Mapping[str, Any], read: Callable[[str, Any, Parameters], Parameter]) -> Parameters:
        """Other values for some of them; `read` turns what somebody wrote into a Parameter of that name."""
        new = dict(self.entries)
        for name, value in values.items():
            if name not in new:
                none = "The model has none." if not new else nearest(name, new)
                raise ModelError(f'there is no parameter "{name}". {none}', names=[name])
            new[name] = read(name, value, self)
        return self._worked_out(new)

    def over(self, values: Mapping[str, Array]) -> dict[str, Array]:
        """All parameters for many values of some: an array each."""
        count = np.broadcast_shapes(*(np.shape(array) for array in values.values()))
        out: dict[str, Array] = {}
        for name in self._order():
            value = self[name].value
            if name in values:
                out[name] = np.asarray(values[name], float)
            elif isinstance(value, Dependent):
                out[name] = value.over({known: out[known] for known in value.scope})
            else:
                out[name] = np.full(count, float(value))
        return out

    def _order(self) -> list[str]:
        """The parameters in order, each after those that define it."""
        return sorted(self.entries, key=lambda name: len(getattr(self[name].value, "names", ())))

    def _worked_out(self, entries: Mapping[str, Parameter]) -> Parameters:
        """Evaluates the parameters that depend on others with the others' new values."""
        scope: dict[str, float] = {}
        order = sorted(entries, key=lambda name: len(getattr(entries[name].value, "names", ())))
        done: dict[str, Parameter] = {}
        for name in order:
            value = entries[name].value
            if isinstance(value, Dependent):
                try:
                    value = value.at({known: scope[known] for known in value.scope})
                except ModelError as error:
                    raise ModelError(f"parameter {name}: {error}", names=[name]) from None
            scope[name] = value
            done[name] = entries[name] if value is entries[name].value else replace(entries[name], value=value)
        return Parameters(FrozenDict({name: done[name] for name in entries}), self.own)


def has_unit(size: Size) -> bool:
    """Whether a unit is known: a number without one fits everywhere."""
    return size.powers is not None and size.powers != NUMBER and not size.plain


def size_of_kind(kind: str) -> Size:
    """The unit of a kind of quantity such as "force/length"."""
    powers = powers_of(kind)
    return Size(tuple(float(powers.get(one, 0)) for one in KINDS))


def require_name(name: str) -> None:
    """Refuses what cannot stand in an expression as a name."""
    if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name):
        raise ModelError(f'"{name}" cannot be the name of a parameter: use letters, digits and underscores')
    if name in TAKEN:
        raise ModelError(
            f'"{name}" is reserved in expressions; rename the parameter, for example {name}_1. '
            f"Reserved: {', '.join(TAKEN)}."
        )
