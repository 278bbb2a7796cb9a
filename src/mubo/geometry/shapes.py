"""Mass, inertia and size of simple solids: in the plane bar, plate, disc and link (see `flat_shapes`); in space rod,
cylinder, tube, box, plate and sphere, centred on the body's centre.

Inertia about the centre of mass in body axes; the length of rods, cylinders and tubes lies along `along` (x, y or z).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.geometry import LARGEST, UNIT
from mubo.geometry.flat_shapes import Points, Solid, flat_solid
from mubo.lazy_dataclass import dataclass
from mubo.mappings import FrozenDict
from mubo.quantities.units import Units

# What each solid is described by, in the order in which it is drawn.
SIZES: dict[str, tuple[str, ...]] = {
    "rod": ("length",),
    "cylinder": ("length", "radius"),
    "tube": ("length", "radius", "inner"),
    "box": ("a", "b", "c"),
    "plate": ("a", "b"),
    "sphere": ("radius",),
}
UNIT_LENGTH = 1e-6  # how far the square of a quaternion's length may be from one
ROUND = ("rod", "cylinder", "tube")

# Of the plane: what must be given, what may be, and the key that says on which points of the body it sits.
FLAT: dict[str, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    "bar": ((), ("length", "width", "thickness"), "between"),
    "plate": ((), ("thickness",), ""),
    "disc": (("radius",), ("thickness",), "at"),
    "link": (("width",), ("thickness", "hole"), "holes"),
}


@dataclass(frozen=True)
class Shape:
    """A solid: kind, sizes by name, the axis of its length (of a plate: its normal), and in the plane the points of the
    body that it sits on; in space its centre and orientation in body axes, where it is not at the centre of mass along
    them."""

    kind: str
    sizes: Mapping[str, float]
    along: str = "z"
    on: tuple[str, ...] = ()
    at: tuple[float, ...] = ()
    turn: tuple[float, ...] = UNIT

    def __post_init__(self) -> None:
        object.__setattr__(self, "sizes", FrozenDict(self.sizes))

    def solid(self, points: Points, dimension: int) -> Solid:
        """Its volume, inertia and centre on a body with these points."""
        if dimension == 2:
            return flat_solid(self.kind, self.sizes, self.on, points)
        return Solid(self.volume, self._turned_inertia(), self.at or None)

    @property
    def reach(self) -> float:
        """How far it goes from the centre at most, as far as its sizes say: half a length, or a radius."""
        return self.sizes.get("radius", 0.5 * max(self.sizes.values(), default=0.0))

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

    def _turned_inertia(self) -> tuple[float, ...]:
        """Inertia of a unit of mass about the centre, in body axes."""
        own = self.inertia(1.0)
        if self.turn == UNIT:
            return own
        import numpy as np

        from mubo.geometry.rotation import matrix

        A = matrix(self.turn)
        tensor = A @ np.diag(own[:3]) @ A.T
        return tuple(float(tensor[k]) for k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))

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


def read_shape(units: Units, given: Any, dimension: int) -> Shape:
    """A shape from { kind = "cylinder", length = 1, radius = 0.05, along = "x" }, in the plane from
    { kind = "disc", radius = 1 }."""
    kinds: Mapping[str, Any] = FLAT if dimension == 2 else SIZES
    if not isinstance(given, Mapping) or "kind" not in given:
        example = '"bar", between = ["A", "B"]' if dimension == 2 else '"cylinder", length = 1, radius = 0.05'
        raise ModelError(f"a shape is a table such as {{ kind = {example} }}")
    kind = str(given["kind"])
    if kind not in kinds:
        raise ModelError(
            f'there is no shape "{kind}" {"in the plane" if dimension == 2 else "in space"}. {nearest(kind, kinds)}'
        )
    return _flat(units, given, kind) if dimension == 2 else _spatial(units, given, kind)


def _flat(units: Units, given: Mapping[str, Any], kind: str) -> Shape:
    needed, optional, key = FLAT[kind]
    sizes = _sizes(units, given, kind, needed, optional, (key,) if key else ())
    on = given.get(key, ()) if key else ()
    named = (on,) if isinstance(on, str) else tuple(map(str, on))
    if kind == "bar" and (len(named) != 2) == ("length" not in sizes):
        raise ModelError('a bar has a "length", or stands "between" two points of the body: between = ["A", "B"]')
    if kind == "disc" and len(named) > 1:
        raise ModelError(f"a disc is at one point of the body; found {', '.join(named)}")
    return Shape(kind, sizes, "z", named)


def _spatial(units: Units, given: Mapping[str, Any], kind: str) -> Shape:
    others = (*(() if kind in ("box", "sphere") else ("along",)), "at", "orientation")
    sizes = _sizes(units, given, kind, SIZES[kind], (), others)
    if kind == "tube" and not sizes["inner"] < sizes["radius"]:
        raise ModelError("the inner radius of a tube must be smaller than its radius")
    along = str(given.get("along", "z"))
    if along not in ("x", "y", "z"):
        raise ModelError(f'along is "x", "y" or "z"; found "{along}"')
    return Shape(kind, sizes, along, (), *_placed(units, given))


def _placed(units: Units, given: Mapping[str, Any]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Centre and orientation of a solid on its body: empty and not turned where they are left out."""
    at, turn = given.get("at"), given.get("orientation")
    if at is not None and (isinstance(at, str) or not hasattr(at, "__len__") or len(at) != 3):
        raise ModelError(f"at is the centre of the solid in body axes, three numbers [x, y, z]; found {at!r}")
    if turn is not None and (isinstance(turn, str) or not hasattr(turn, "__len__") or len(turn) != 4):
        raise ModelError(f"orientation is a unit quaternion [w, x, y, z]; found {turn!r}")
    numbers = tuple(units.read(number, "number") for number in turn) if turn is not None else UNIT
    if abs(sum(x * x for x in numbers) - 1) > UNIT_LENGTH:
        raise ModelError(f"the orientation of a shape has length {math.hypot(*numbers):.9g}; it must be 1")
    return tuple(units.read(number, "length") for number in at) if at is not None else (), numbers


def _sizes(
    units: Units,
    given: Mapping[str, Any],
    kind: str,
    needed: tuple[str, ...],
    optional: tuple[str, ...],
    others: tuple[str, ...],
) -> dict[str, float]:
    """Its sizes, all positive; every word must be one that the kind knows."""
    allowed = ("kind", *needed, *optional, *others)
    for key in given:
        if key not in allowed:
            raise ModelError(f'a {kind} has no "{key}". {nearest(key, allowed)}')
    for name in needed:
        if name not in given:
            raise ModelError(f'a {kind} needs "{name}"')
    sizes = {name: units.read(given[name], "length") for name in (*needed, *optional) if name in given}
    for name, size in sizes.items():
        if not size > 0:
            raise ModelError(f"{name} must be positive; found {size:g}")
        if size > LARGEST:
            raise ModelError(f"{name} is {size:g}; lengths above {LARGEST:g} cannot be computed with: check its unit")
    return sizes
