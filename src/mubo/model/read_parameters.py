"""[parameters] from what users write: numbers, text with a unit, and expressions of other parameters."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from numbers import Real
from typing import Any

from mubo.errors import ModelError
from mubo.laws.dependent import Dependent
from mubo.laws.expression import unknown
from mubo.mappings import FrozenDict
from mubo.quantities.formula import Formula
from mubo.quantities.parameters import UNTOLD, Parameter, Parameters, has_unit, require_name
from mubo.quantities.quantity_text import finite, is_expression, quantity
from mubo.quantities.sizes import KINDS, Size, unit_of_product, words_of_size
from mubo.quantities.units import Units

Note = Callable[[str, str], None]  # a parameter, and what is wrong with it


def with_parameters(units: Units, given: Mapping[str, Any], note: Note | None = None) -> Units:
    """Adds these parameters to the units. A problem of one is passed to `note` and the others are read; without `note`
    it is raised."""
    reading = _Reading(units, given, note or _raised)
    for name in given:
        reading.visit(str(name))
    return replace(units, parameters=reading.known)


def with_values(units: Units, values: Mapping[str, Any]) -> Units:
    """The units with other values for some parameters; all dependent ones follow."""

    def read(name: str, value: Any, known: Parameters) -> Parameter:
        entry, size = read_parameter(units, name, value, known), known[name].size
        if has_unit(entry.size) and entry.size.powers != size.powers:
            has = words_of_size(size) if has_unit(size) else "written without a unit"
            raise ModelError(
                f'parameter {name} is {has}; found "{value}"',
                names=[name],
                suggestion="" if has_unit(size) else "Give a plain number, in the model's units.",
            )
        if entry.text or not has_unit(size):
            return entry if has_unit(entry.size) else replace(entry, size=size)
        return replace(entry, size=size, text=f"{entry.value!r} {units.unit_from_powers(size.powers or ())}")

    return replace(units, parameters=units.parameters.changed(values, read))


def read_parameter(units: Units, name: str, value: Any, known: Parameters) -> Parameter:
    """Reads one parameter; those in `known` may stand in its expression."""
    require_name(name)
    if type(value) is float:
        return Parameter(name, finite(value, value))
    found = quantity(value) if isinstance(value, str) else None
    if found is not None:
        powers = tuple(float(found.powers.get(kind, 0)) for kind in KINDS)
        size = Size(powers, unit=unit_of_product(powers))
        return Parameter(name, units.own(found), size if found.powers else UNTOLD, str(value).strip())
    if isinstance(value, str) and is_expression(value):
        tree, size = known.expression(value)
        used = {word: known[word].value for word in Formula(value).parameters(known)}
        number = Dependent.from_tree(tree, FrozenDict(used), value)
        return Parameter(name, number, size if has_unit(size) else UNTOLD, value)
    if isinstance(value, bool) or not isinstance(value, Real):
        allowed = 'a number, text with a unit such as "20 deg", or an expression such as "3*a"'
        raise ModelError(f"a parameter is {allowed}; found {value!r}")
    return Parameter(name, finite(value, value))


def parameter_unit(units: Units, name: str) -> str:
    """The unit of a parameter; "" where it has none of its own."""
    size = units.parameters[name].size
    return units.unit_from_powers(size.powers) if size.powers is not None and any(size.powers) else ""


class _Reading:
    """Parameters of a table, each read after those in its expression."""

    def __init__(self, units: Units, given: Mapping[str, Any], note: Note) -> None:
        self.units, self.given, self.note = units, given, note
        self.known = replace(units.parameters, own=units.own_sizes)
        self.wrong: set[str] = set()

    def visit(self, first: str) -> None:
        """Read a parameter after all that its expression needs; a chain of them may be as long as the table."""
        path = [first]
        while path:
            name = path[-1]
            if name in self.known or name in self.wrong:
                path.pop()
                continue
            try:
                missing = next((used for used in self._used(name) if not self._is_read(used)), None)
                if missing is None:
                    self._read(name)
                elif missing in path:
                    circle = " → ".join((*path[path.index(missing) :], missing))
                    self._refuse(missing, f"it is defined by itself: {circle}")
                else:
                    path.append(missing)
            except ModelError as error:
                self._refuse(name, str(error))

    def _is_read(self, name: str) -> bool:
        return name in self.known or name in self.wrong

    def _read(self, name: str) -> None:
        """Add a parameter whose expression is known; what needs a wrong one is wrong too."""
        if self.wrong.intersection(self._used(name)):
            self.wrong.add(name)
        else:
            self._add(read_parameter(self.units, name, self.given[name], self.known))

    def _refuse(self, name: str, text: str) -> None:
        self.wrong.add(name)
        self.note(name, text)

    def _used(self, name: str) -> list[str]:
        """The parameters of the same table in its expression; an unknown name is refused here, while all are known."""
        value = self.given[name]
        if not isinstance(value, str) or quantity(value) is not None or not is_expression(value):
            return []
        formula = Formula(value, "of parameters")
        allowed = [word for word in (*self.known, *map(str, self.given)) if word != name]
        for node in ast.walk(formula.tree):
            if isinstance(node, ast.Name) and node.id in formula.names and node.id not in (*allowed, name):
                raise unknown(node.id, node, value, allowed)
        return [*formula.parameters(self.given)]

    def _add(self, entry: Parameter) -> None:
        self.known = replace(self.known, entries=FrozenDict({**self.known.entries, entry.name: entry}))


def _raised(name: str, text: str) -> None:
    raise ModelError(f"parameter {name}: {text}", names=[name])
