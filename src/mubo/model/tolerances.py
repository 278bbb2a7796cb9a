"""Tolerances: how far parameters may be off, and how much room pins have in their holes.

[tolerances]
a = "0.05 mm"                                    # a is made within ± 0.05 mm; normal, three sigma at the limit
c = { size = "0.1 mm", spread = "uniform" }      # anywhere within the limits
d = "0.5 %"                                      # of its value
B = { clearance = "0.02 mm" }                    # joint B: the radial clearance of its pin
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.model.parts import Parts
from mubo.model.read_parameters import with_values
from mubo.model.tables import SPREADS, TOLERANCE


@dataclass(frozen=True)
class Tolerance:
    """Half the width within which a parameter lies, in its own unit, or the radial clearance of a joint's pin."""

    name: str
    size: float
    spread: str = "normal"
    clearance: bool = False
    text: str = ""  # as it was written

    @property
    def sigma(self) -> float:
        """Standard deviation: the limits of a normal spread are three sigma away, those of a uniform one √3."""
        return self.size / (3.0 if self.spread == "normal" else math.sqrt(3.0))

    def to_file(self) -> Any:
        """As a model file holds it."""
        size = self.text or float(self.size)
        if self.clearance:
            return {"clearance": size}
        return size if self.spread == "normal" else {"size": size, "spread": self.spread}


def read_tolerance(model: Parts, name: str, given: Any) -> Tolerance:
    """A tolerance from a number, text such as "±0.05 mm" or "0.5 %", or a table with size or clearance, and spread."""
    table = dict(given) if isinstance(given, Mapping) else {"size": given}
    for key in table:
        if key not in TOLERANCE.keys:
            raise ModelError(f'a tolerance has no key "{key}". {nearest(key, TOLERANCE.keys)}')
    if ("size" in table) == ("clearance" in table):
        raise ModelError("a tolerance has either a size, of a parameter, or a clearance, of a joint")
    spread = table.get("spread", "normal")
    if spread not in SPREADS:
        raise ModelError(f'there is no spread "{spread}". {nearest(str(spread), SPREADS)}')
    if "clearance" in table:
        return _clearance(model, name, table)
    if name not in model.units.parameters:
        known = nearest(name, model.units.parameters) if model.units.parameters else "The model has none."
        joint = f' Of the pin of joint {name} write {{ clearance = "0.02 mm" }}.' if name in model.joints else ""
        raise ModelError(f'there is no parameter "{name}". {known}{joint}', names=[name])
    text = str(table["size"]).strip().lstrip("±").removeprefix("+-").removeprefix("+/-").strip()
    return Tolerance(name, _size(model, name, table["size"], text), spread, text=_written(table["size"], text))


def _written(given: Any, text: str) -> str:
    return text if isinstance(given, str) else ""


def _size(model: Parts, name: str, given: Any, text: str) -> float:
    """Half the width in the unit of the parameter."""
    if isinstance(given, bool):
        raise ModelError(f"a tolerance is a number or text with a unit; found {given!r}")
    if text.endswith("%"):
        try:
            size = abs(float(model.units.parameters[name].value)) * float(text[:-1]) / 100
        except ValueError:
            raise ModelError(f'"{text}" is no part of a parameter: write "0.5 %"') from None
        if size == 0 and float(text[:-1]) > 0:
            raise ModelError(f"parameter {name} is zero: a part of it is no tolerance; give its size")
    else:
        try:
            value: float | str = float(text)
        except ValueError:
            value = text
        size = float(with_values(model.units, {name: value}).parameters[name].value)
    return _positive(name, size, given)


def _clearance(model: Parts, name: str, table: Mapping[str, Any]) -> Tolerance:
    if "spread" in table:
        raise ModelError("a clearance has no spread: its pin lies against the hole, in any direction")
    if name not in model.joints:
        raise ModelError(f'there is no joint "{name}". {nearest(name, model.joints)}', names=[name])
    given = table["clearance"]
    text = given.strip() if isinstance(given, str) else ""
    try:
        value: float | str = float(text) if text else given
    except ValueError:
        value = text
    size = _positive(name, float(model.units.read(value, "length")), given)
    return Tolerance(name, size, "uniform", True, text)


def _positive(name: str, size: float, given: Any) -> float:
    if not (math.isfinite(size) and size > 0):
        raise ModelError(f"the tolerance of {name} must be positive; found {given}", names=[name])
    return size
