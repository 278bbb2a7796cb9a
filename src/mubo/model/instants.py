"""Instants of a run as they are written: a time, or what a driver travels until then.

Text with a unit of angle or length is travel, plain numbers are times unless a driver is named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mubo.errors import ModelError
from mubo.quantities.formula import Formula
from mubo.quantities.output_times import Travel
from mubo.quantities.parameters import has_unit, size_of_kind
from mubo.quantities.quantity_text import is_expression, quantity
from mubo.quantities.units import Units

SPAN = ("start", "end", "step")
Instant = float | Travel
"""A time in the model's unit, or what a driver travels until then."""


def read_times(units: Units, given: Mapping[str, Any], over: str = "", named: bool = True) -> dict[str, Any]:
    """The keys of output times among those given, read; plain numbers are travel where a driver is named.

    Messages begin with the key, unless it is `named` elsewhere.
    """
    if "at" in given and (both := [key for key in SPAN if key in given]):
        raise ModelError(f"at lists all rows: leave out {' and '.join(both)}, or at")
    over = given.get("over", over)
    read: dict[str, Any] = {
        key: read_instant(units, key if named else "", given[key], bool(over)) for key in SPAN if key in given
    }
    if "at" in given:
        listed = (
            given["at"] if isinstance(given["at"], Sequence) and not isinstance(given["at"], str) else [given["at"]]
        )
        read["at"] = tuple(read_instant(units, "at" if named else "", value, bool(over)) for value in listed)
        if not read["at"]:
            raise ModelError("at is a list of times or positions such as [0, 0.1, 0.25]; found none")
    return read | ({"over": over} if over else {})


def read_instant(units: Units, key: str, value: Any, plain_travel: bool) -> Instant:
    """A time, or a travel: text by its unit, a plain number as `plain_travel` says. Messages begin with the key."""
    if isinstance(value, Travel):
        return value
    kind = _kind(units, value) if isinstance(value, str) else ""
    if kind == "other":
        raise _no_instant(units, key, value)
    try:
        if kind == "time" or (not kind and not plain_travel):
            return units.read(value, "time")
        text = value if isinstance(value, str) else ""
        return Travel(units.in_own(value, kind or "angle"), kind, text)
    except ModelError as error:
        raise ModelError(f"{key}: {error}" if key else str(error)) from None


def _kind(units: Units, text: str) -> str:
    """The quantity that text has a unit of: "time", "angle", "length", "other", or "" of a number without unit."""
    if is_expression(text) and (units.parameters or not Formula(text).names):
        size = units.parameters.expression(text)[1]
        if not has_unit(size):
            return ""
        known = [kind for kind in ("time", "angle", "length") if size.powers == size_of_kind(kind).powers]
        return known[0] if known else "other"
    found = quantity(text)
    if found is None:
        return ""
    known = [kind for kind in ("time", "angle", "length") if found.powers == {kind: 1}]
    return known[0] if known else "other"


def _no_instant(units: Units, key: str, text: str) -> ModelError:
    """The error that text is neither a time nor a travel, with the unit that it has, and a cure where one is near."""
    found = quantity(text)
    unit = (
        text.split(maxsplit=1)[-1]
        if found
        else units.unit_from_powers(units.parameters.expression(text)[1].powers or ())
    )
    cure = f'Write a time such as "0.5 {units.time or "s"}", or what a driver moves, such as "1 rev".'
    turned = text.replace("2*pi", "1 rev").replace("2 * pi", "1 rev")
    if turned != text and _kind(units, turned) == "time":
        cure = f'Write "{turned}".'
    return ModelError(f"{key} must be a time, but {text} has the unit {unit}".lstrip(), suggestion=cure)
