"""Motion laws from what users write, with units: the same words in Python and in model files."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mubo.errors import ModelError, nearest
from mubo.laws import FORMS, Expression, Law, LawLike, law_of
from mubo.mappings import FrozenDict
from mubo.model.coordinates import target_of
from mubo.model.parts import AS_DRAWN, Parts
from mubo.quantities.formula import Formula
from mubo.quantities.parameters import has_unit
from mubo.quantities.quantity_text import quantity
from mubo.quantities.sizes import Size, require_unit
from mubo.quantities.unit_algebra import powers_of
from mubo.quantities.units import Units

if TYPE_CHECKING:
    from mubo.laws.file_form import Quantities


LawWords = LawLike | Mapping[str, Any]
"""What users write for a law in Python: also the tables of model files, such as {"rate": "1500 rpm"}."""


def read_law(given: LawWords, units: Units, holds: str, over: str = "time") -> Law:
    """A law from a law, an expression, a constant with or without unit, a function, or a table such as
    {"rate": "1500 rpm"}.

    `holds` is what the law gives, such as "angle", and `over` what it depends on: "time", the "angle" of a cam, or the
    parameter of a "curve".
    """
    if isinstance(given, str) and _is_constant(given, holds):
        from mubo.laws import Polynomial

        return Polynomial((_constant(given, units, holds, over),))
    if isinstance(given, str):
        return _expression(given, units, holds, over)
    if not isinstance(given, Mapping):
        return law_of(given)
    if over == "curve":
        raise ModelError('expected a formula of x or of s, such as "2*x^2"; a curve through places is given by points')
    form = next((form for form in FORMS if form in given), None)
    if form is None:
        first = next(iter(given), "")
        raise ModelError(f'a motion has no "{first}". {nearest(first, FORMS)}')
    from mubo.laws.file_form import require_keys

    require_keys(given, f"a motion by {form}", FORMS[form].forms[form])
    if given.get("start") == AS_DRAWN:
        raise ModelError(f'write start = "{AS_DRAWN}" beside motion, not in it: it belongs to the driver')
    return FORMS[form].from_file(given, quantities(units, holds, over))


def _is_constant(text: str, holds: str) -> bool:
    """Whether text is a number with a unit: "100 mm/s * t" is none, though t is also a tonne."""
    found = quantity(text)
    return found is not None and (found.powers == powers_of(holds) or re.search(r"\bt\b", text) is None)


def _expression(text: str, units: Units, holds: str, over: str) -> Law:
    """An expression of time, in which parameters may stand; their units are judged with that of the law. In one of a
    curve x and s stand for its parameter."""
    read = re.sub(r"\b[sx]\b", "theta", text) if over == "curve" else text
    formula = Formula(read, "in t")
    names = formula.parameters(units.parameters)
    if not names and not formula.has_units:
        return law_of(text) if read == text else Expression(read, written=text)
    known, wanted = units.parameters, units.column_size(holds) if over == "time" else None
    stated = any(has_unit(known.sizes[name]) for name in names)
    tree, size = formula.sized({**known.sizes, "theta": Size(None)}, units.own_sizes, wanted=wanted, stated=stated)
    if wanted is not None:
        require_unit(text, size, wanted)
        tree = tree if wanted.unit == 1.0 else ast.BinOp(tree, ast.Div(), ast.Constant(wanted.unit))
    return Expression(ast.unparse(tree), FrozenDict(known.named(names)), text)


def quantities(units: Units, holds: str, over: str) -> Quantities:
    """How a law's numbers are read in a model with these units."""
    from mubo.laws.file_form import Quantities

    in_radians = replace(units, length="", angle="", mass="", force="")
    return Quantities(
        value=lambda given: units.in_own(given, holds),
        time=lambda given: units.in_own(given, over),
        derivative=lambda given, order: _derivative(given, units, holds, over, order),
        rate=lambda given: _speed(given, units, holds, over),
        radians=lambda given: in_radians.read(given, "angle"),
        frequency=lambda given: in_radians.read(given, "angle/time" if over == "time" else "number"),
    )


def driven_kind(model: Parts, of: str | tuple[str, ...]) -> str:
    """The quantity that a driver prescribes, "angle" or "length"; the check reports a wrong `of` itself."""
    try:
        return target_of(model, of).holds  # type: ignore[arg-type]
    except ModelError:
        return "angle" if isinstance(of, str) and of.endswith(".phi") else "length"


def _constant(given: str, units: Units, holds: str, over: str) -> float:
    try:
        return units.in_own(given, holds)
    except ModelError as error:
        try:
            units.in_own(given, _rate(holds, over, 1))
        except ModelError:
            raise error from None
        raise ModelError(f'{error}; a constant speed is written {{ rate = "{given}" }}') from None


def _speed(given: Any, units: Units, holds: str, over: str) -> float:
    """A constant rate: a plain number is in the unit of angular velocities or velocities, where the model has one."""
    if isinstance(given, str) or over != "time" or holds not in ("angle", "length"):
        return _derivative(given, units, holds, over, 1)
    factor = units.factor(holds, 1) / units.factor(holds)
    return units.in_own(given, holds) if factor == 1.0 else units.in_own(given, holds) * factor


def _derivative(given: Any, units: Units, holds: str, over: str, order: int) -> float:
    """A coefficient of t, t² …: "60 deg/s", or "60 deg", which is then per unit of time of the model."""
    text = quantity(given) if isinstance(given, str) else None
    per_own = text is not None and text.powers == powers_of(holds)
    return units.coefficient(given, holds, over, 0 if per_own else order)


def _rate(holds: str, over: str, order: int) -> str:
    return holds if order == 0 else f"{holds}/{over}" if order == 1 else f"{holds}/{over}^{order}"
