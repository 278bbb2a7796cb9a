"""What `units` of a model may declare: a unit of each quantity, and sets of them by name.

`length`, `angle`, `mass`, `time` and `force` are the base: from them follow coherent units of everything else. The
other keys name a unit of one quantity, in which its plain numbers are read and its results are written.
"""

from __future__ import annotations

from collections.abc import Mapping

from mubo.errors import ModelError, nearest
from mubo.quantities.unit_algebra import FACTORS, FORCES, example_of, measure, powers_of, unknown_word

BASE: dict[str, Mapping[str, float]] = {**FACTORS, "force": FORCES}
"""The units of the base, by key."""
DERIVED: dict[str, str] = {
    "velocity": "length/time",
    "acceleration": "length/time^2",
    "angular_velocity": "angle/time",
    "angular_acceleration": "angle/time^2",
    "torque": "torque",
    "energy": "energy",
    "power": "power",
    "pressure": "stress",
    "inertia": "mass*length^2",
    "density": "mass/length^3",
    "stiffness": "force/length",
    "torsional_stiffness": "torque/angle",
}
"""The other keys, each with the kind of quantity whose unit it declares."""
KEYS = (*BASE, *DERIVED)
UNSTATED = "unstated"  # in place of a unit: numbers of this kind carry none, though others do
SET = "set"  # the key of a set beside keys that replace some of its units
SETS: dict[str, dict[str, str]] = {
    "SI": {"length": "m", "angle": "rad", "mass": "kg", "time": "s"},
    "machine design": {
        "length": "mm",
        "angle": "deg",
        "mass": "kg",
        "time": "s",
        "force": "N",
        "velocity": "m/s",
        "acceleration": "m/s^2",
        "angular_velocity": "rpm",
        "angular_acceleration": "rad/s^2",
        "torque": "N m",
        "energy": "J",
        "power": "kW",
        "pressure": "MPa",
        "inertia": "kg m^2",
        "density": "kg/m^3",
    },
    "US customary": {
        "length": "in",
        "angle": "deg",
        "mass": "lb",
        "time": "s",
        "force": "lbf",
        "angular_velocity": "rpm",
        "angular_acceleration": "rad/s^2",
        "power": "hp",
        "pressure": "psi",
    },
}
"""Combinations of units that are usual together, by name."""


def expand_set(given: str | Mapping[str, str]) -> dict[str, str]:
    """The units by key of a set by name, or of keys, which may be those of a set with some replaced."""
    if isinstance(given, str):
        return dict(_set(given))
    own = {key: unit for key, unit in given.items() if key != SET}
    return {**_set(given[SET]), **own} if SET in given else own


def _set(name: str) -> Mapping[str, str]:
    if name not in SETS:
        listed = ", ".join(f'"{known}"' for known in SETS)
        raise ModelError(f'units are a table, or a set by name, {listed}; there is no set "{name}"')
    return SETS[name]


def require_unit_of_key(key: str, unit: str) -> None:
    """Refuses a word that is no unit of the quantity of a key, with one that is."""
    if key in BASE:
        if unit not in BASE[key]:
            raise ModelError(f'units: "{unit}" is not a unit of {key}. {nearest(unit, BASE[key])}')
        return
    kind, found = DERIVED[key], measure(unit)
    example = f'Write one such as "{example_of(kind)}".'
    if found is None:
        word = unknown_word(unit)
        raise ModelError(f'units: "{unit}" is not a unit of {key}: unknown unit "{word}". {example}')
    if found[1] != powers_of(kind):
        raise ModelError(f'units: "{unit}" is not a unit of {key}. {example}')


def require_stated(unstated: str, stated: Mapping[str, str]) -> None:
    """Refuses a unit of a quantity of which a part has none, such as a velocity where lengths have none."""
    for key in stated:
        if key in DERIVED and unstated in powers_of(DERIVED[key]):
            raise ModelError(
                f'units: {key} is "{stated[key]}", and {unstated} is "{UNSTATED}"',
                suggestion=f"Give the unit of {unstated}, or leave {key} out.",
            )
