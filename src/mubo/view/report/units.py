"""Units beside the numbers of the page; empty where the model declares none."""

from __future__ import annotations

from mubo.elements import Option
from mubo.model import Units
from mubo.model.options import measured
from mubo.results import Run
from mubo.view.report.markup import number
from mubo.view.scene.legend import pretty as pretty


def unit_of(units: Units, holds: str, order: int = 0) -> str:
    """Unit of a quantity: what a column may hold, "mass" or "inertia"."""
    if not units.declared:
        return ""
    if holds in ("mass", "inertia"):
        mass = units.mass or "kg"
        return mass if holds == "mass" else f"{mass} {pretty(units.rate('length', 0) + '^2')}"
    return pretty(units.of(holds, order))


def bracketed(units: Units, holds: str, order: int = 0) -> str:
    """ " [m]", to follow the head of a column."""
    unit = unit_of(units, holds, order)
    return f" [{unit}]" if unit else ""


def residual_unit(units: Units, order: int = 0) -> str:
    """Of what equations leave open: some are lengths, others angles, always in radians."""
    if not units.declared:
        return ""
    time = units.time or "s"
    angle = pretty("rad" + ("", f"/{time}", f"/{time}^2")[order])
    return " or ".join(filter(None, (unit_of(units, "length", order), angle)))


def residual_words(units: Units, value: float, order: int = 0) -> str:
    """What is open, in two digits; nothing needs no unit."""
    return with_unit(number(value, 2), residual_unit(units, order) if value else "")


def with_unit(text: str, unit: str) -> str:
    return f"{text} {unit}" if unit else text


def option_unit(units: Units, option: Option, of: str) -> str:
    """Unit of an option of a joint or load; `of` is what the coordinate holds that it belongs to."""
    if option.holds in ("length", "lengths"):
        return unit_of(units, "length")
    if option.holds == "coordinate":
        return unit_of(units, of or "length")
    return pretty(units.of_kind(measured(option, of))) if option.holds in ("number", "law") else ""


def momentum_unit(units: Units, name: str) -> str:
    """Unit of a "linear_momentum" or an "angular_momentum"."""
    if not units.declared:
        return ""
    length, angular = units.length or "m", name == "angular_momentum"
    if units.force:
        return f"{units.force} {length + ' ' if angular else ''}{units.time or 's'}"
    return f"{units.mass or 'kg'} {length}{'²' * angular}/{units.time or 's'}"


def law_words(run: Run, driver: str) -> str:
    """The law of a driver, with its unit: "45 + 360*t, in deg"."""
    value = f"{driver}.value"
    unit = pretty(run.unit(value)) if value in run.columns else ""
    words = run.model.drivers[driver].words
    return f"{words}, in {unit}" if unit else words
