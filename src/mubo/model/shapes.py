"""Mass, inertia and size of simple solids: rod, cylinder, tube, box, plate, sphere, centred on the body's centre.

Inertia about the centre of mass in body axes; the length of rods, cylinders and tubes lies along `along` (x, y or z).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.model.frozen import FrozenDict
from mubo.model.units import Units

# What each solid is described by, in the order in which it is drawn.
SIZES: dict[str, tuple[str, ...]] = {
    "rod": ("length",),
    "cylinder": ("length", "radius"),
    "tube": ("length", "radius", "inner"),
    "box": ("a", "b", "c"),
    "plate": ("a", "b"),
    "sphere": ("radius",),
}
ROUND = ("rod", "cylinder", "tube")


@dataclass(frozen=True)
class Shape:
    """A solid: kind, sizes by name, and the axis of its length (of a plate: its normal)."""

    kind: str
    sizes: Mapping[str, float]
    along: str = "z"

    def __post_init__(self) -> None:
        object.__setattr__(self, "sizes", FrozenDict(self.sizes))

    @property
    def volume(self) -> float | None:
        """None for a rod and a plate, which have no thickness."""
        s = self.sizes
        if self.kind == "cylinder":
            return math.pi * s["radius"] ** 2 * s["length"]
        if self.kind == "tube":
            return math.pi * (s["radius"] ** 2 - s["inner"] ** 2) * s["length"]
        if self.kind == "box":
            return s["a"] * s["b"] * s["c"]
        return 4 / 3 * math.pi * s["radius"] ** 3 if self.kind == "sphere" else None

    def inertia(self, mass: float) -> tuple[float, ...]:
        """xx, yy, zz, xy, xz, yz about the centre (textbook formulas of homogeneous solids)."""
        s = self.sizes
        if self.kind == "sphere":
            principal = (0.4 * mass * s["radius"] ** 2,) * 3
        elif self.kind == "box":
            x, y, z = s["a"] ** 2, s["b"] ** 2, s["c"] ** 2
            principal = (mass * (y + z) / 12, mass * (x + z) / 12, mass * (x + y) / 12)
        elif self.kind == "plate":
            x, y = s["a"] ** 2, s["b"] ** 2
            principal = _turned((mass * y / 12, mass * x / 12, mass * (x + y) / 12), self.along)
        else:
            outer, inner = s.get("radius", 0.0) ** 2, s.get("inner", 0.0) ** 2
            across = mass * (3 * (outer + inner) + s["length"] ** 2) / 12
            principal = _turned((across, across, mass * (outer + inner) / 2), self.along)
        return (*principal, 0.0, 0.0, 0.0)


def _turned(principal: tuple[float, float, float], along: str) -> tuple[float, float, float]:
    """From z to another axis, the axes following in turn: (x, y, z) becomes (z, x, y) for x."""
    x, y, z = principal
    return {"x": (z, x, y), "y": (y, z, x), "z": (x, y, z)}[along]


def read_shape(units: Units, given: Any) -> Shape:
    """A shape from { kind = "cylinder", length = 1, radius = 0.05, along = "x" }."""
    if not isinstance(given, Mapping) or "kind" not in given:
        raise ModelError('a shape is a table such as { kind = "cylinder", length = 1, radius = 0.05 }')
    kind = str(given["kind"])
    if kind not in SIZES:
        raise ModelError(f'there is no shape "{kind}". {nearest(kind, SIZES)}')
    allowed = ("kind", *SIZES[kind], *(() if kind in ("box", "sphere") else ("along",)))
    for key in given:
        if key not in allowed:
            raise ModelError(f'a {kind} has no "{key}". {nearest(key, allowed)}')
    sizes = {}
    for name in SIZES[kind]:
        if name not in given:
            raise ModelError(f'a {kind} needs "{name}"')
        sizes[name] = units.read(given[name], "length")
        if not sizes[name] > 0:
            raise ModelError(f"{name} must be positive; found {sizes[name]:g}")
    if kind == "tube" and not sizes["inner"] < sizes["radius"]:
        raise ModelError("the inner radius of a tube must be smaller than its radius")
    along = str(given.get("along", "z"))
    if along not in ("x", "y", "z"):
        raise ModelError(f'along is "x", "y" or "z"; found "{along}"')
    return Shape(kind, sizes, along)
