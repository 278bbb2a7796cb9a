"""Options of joints and forces, from what users write to what mubo keeps, and the lengths that can be computed with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np

from mubo.elements import AMBIENTS, Option, joints_of, loads_of
from mubo.errors import ModelError, nearest
from mubo.geometry import LARGEST
from mubo.model.laws import read_law
from mubo.model.parts import Body, Joint, Parts, Vector
from mubo.quantities.quantity_text import quantity
from mubo.quantities.units import Units

MOST_RADIANS = 1e9  # with 16 digits, a tenth of a microradian is left
ROUNDED = 1e-15  # how far the length of a unit quaternion is off by rounding alone
UNIT_TOLERANCE = 1e-6  # how far a quaternion's length may be from one: numbers written with six digits pass


def read_options(
    units: Units,
    kind: str,
    between: Sequence[str],
    given: Mapping[str, Any],
    dimension: int = 2,
    what: str = "joint",
    of: str = "",
) -> dict[str, Any]:
    """Options of a joint or force as mubo holds them; what each may be is declared with the kind.

    `of` is what the coordinate that a force acts on holds, "angle" or "length".
    """
    known = joints_of(dimension) if what == "joint" else loads_of(dimension)
    if kind not in known:
        raise ModelError(f'there is no {what} type "{kind}". {nearest(kind, known)}')
    declared = {option.name: option for option in known[kind].options}
    for name in given:
        if name not in declared:
            raise ModelError(f'a {kind} {what} has no "{name}". {nearest(name, declared)}')
    return {name: read_option(units, declared[name], value, dimension, between, of) for name, value in given.items()}


def read_option(
    units: Units, option: Option, value: Any, dimension: int = 2, between: Sequence[str] = (), of: str = ""
) -> Any:
    """One option as mubo holds it; an error begins with its name."""
    try:
        return _read(units, option, value, between, dimension, of)
    except ModelError as error:
        raise ModelError(f"{option.name}: {error}") from None


def _read(units: Units, option: Option, value: Any, between: Sequence[str], dimension: int, of: str) -> Any:
    holds = option.holds
    if isinstance(holds, tuple):
        if value not in holds:
            raise ModelError(f'"{value}" is not one of {", ".join(holds)}')
        return value
    if holds == "direction":
        return _direction(units, value, dimension)
    if holds == "vector":
        return read_vector(units, value, option.measures, dimension)
    if holds == "directions":
        if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 2:
            raise ModelError(f"expected two directions; found {value!r}")
        return tuple(_direction(units, direction, dimension) for direction in value)
    if holds == "orientation":
        return read_orientation(units, value)
    if holds == "lengths":
        return tuple(require_allowed(option, length) for length in read_vector(units, value, "length"))
    if holds == "counts":
        return _counts(value)
    if holds == "interval":
        return _interval(units, value)
    if holds == "contour":
        value = value.tolist() if hasattr(value, "tolist") else value
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) < 4:
            raise ModelError("needs a list of at least four points [x, y]")
        return tuple(read_vector(units, point, "length") for point in value)
    if holds in ("numbers", "samples"):
        return _numbers(units, value, holds == "samples")
    if holds in ("polygon", "place", "names", "text", "body"):
        return _plain(units, holds, value, dimension)
    if holds == "law":
        return _law(units, option, value, of)
    if holds == "coordinate":
        holds = of or ("angle" if between[0].endswith(".phi") else "length")
    return require_allowed(option, units.read(value, measured(option, of) if holds == "number" else holds))


def read_plain(option: Option, value: Any) -> Any:
    """A word or a whole number as its declaration allows it."""
    if isinstance(option.holds, tuple):
        if value not in option.holds:
            raise ModelError(f'there is no {option.name} "{value}". {nearest(str(value), option.holds)}')
    elif isinstance(value, bool) or not isinstance(value, int) or value < (option.least or 0):
        raise ModelError(f"{option.name} is a whole number, at least {option.least}; found {value!r}")
    return value


def _plain(units: Units, holds: str, value: Any, dimension: int) -> Any:
    """Names and places."""
    if holds == "place":
        return read_vector(units, value, "length", dimension)
    if holds == "body":
        return str(value)
    if holds == "text":
        if not isinstance(value, str):
            raise ModelError(f"expected a name; found {value!r}")
        return value
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ModelError(f"expected a list of {'points' if holds == 'polygon' else 'names'}; found {value!r}")
    if holds == "names":
        return tuple(_plain(units, "text", name, dimension) for name in value)
    if len(value) < 3:
        raise ModelError(f"a polygon has three corners or more; found {len(value)}")
    return tuple(read_vector(units, corner, "length", dimension) for corner in value)


def _law(units: Units, option: Option, value: Any, of: str) -> Any:
    """A law of time; where the option may depend on the motion, also of its columns."""
    from mubo.model.column_laws import column_law
    from mubo.model.moment_law import moment_law

    if option.over != "motion":
        return read_law(value, units, measured(option, of), option.over)
    plain = isinstance(value, str) and quantity(value) is not None
    moved = moment_law(value, units) or (None if plain else column_law(value, units.parameters))
    return moved or read_law(value, units, measured(option, of))


def _numbers(units: Units, value: Any, pairs: bool) -> tuple[Any, ...]:
    """Numbers, or pairs of numbers whose first ones ascend."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, str) or not isinstance(value, Sequence) or not value:
        raise ModelError(f"expected a list of {'pairs of ' * pairs}numbers; found {value!r}")
    if not pairs:
        return tuple(units.read(number, "number") for number in value)
    found = tuple(read_vector(units, pair, "number") for pair in value)
    if len(found) < 2 or any(b[0] <= a[0] for a, b in pairwise(found)):
        raise ModelError("needs two pairs or more, whose first numbers ascend")
    return found


def _counts(value: Any) -> tuple[int, int]:
    """Two whole numbers of at least one."""
    whole = not isinstance(value, str) and isinstance(value, Sequence) and len(value) == 2
    if not whole or not all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in value):
        raise ModelError(f"expected two whole numbers; found {value!r}")
    return value[0], value[1]


def _interval(units: Units, value: Any) -> Vector:
    """Two numbers, or two lengths."""
    try:
        return read_vector(units, value, "length")
    except ModelError:
        return read_vector(units, value, "number")


def _direction(units: Units, value: Any, dimension: int) -> Vector:
    """A vector whose length does not count: one whose square would be lost or overflow is scaled to unit size."""
    vector = read_vector(units, value, "number", dimension)
    size = max(abs(x) for x in vector)
    return vector if size == 0 or 1e-100 < size < 1e100 else tuple(x / size for x in vector)


def measured(option: Option, of: str) -> str:
    """The kind of an option's number or law, where `of` is the quantity of its coordinate."""
    turns = of == "angle"
    kind = option.measures.replace("effort", "torque" if turns else "force")
    return kind.replace("coordinate", "angle" if turns else "length")


def require_allowed(option: Option, value: float) -> float:
    """The number of an option, or a refusal of one that its declaration does not allow."""
    if option.positive and not value > 0:
        raise ModelError(f"must be positive; found {value:g}")
    if option.nonzero and value == 0:
        raise ModelError("must not be zero")
    if option.least is not None and value < option.least:
        raise ModelError(f"must be at least {option.least:g}; found {value:g}")
    if option.holds == "angle" and abs(value) > MOST_RADIANS:
        raise ModelError(f"{value:.4g} rad is more revolutions than can be resolved: at most {MOST_RADIANS:.0e} rad")
    return value


def read_vector(units: Units, value: Any, kind: str, dimension: int = 2) -> Vector:
    """Two numbers or quantities, in space three."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != dimension:
        raise ModelError(f"expected {AMBIENTS[dimension].vector}; found {value!r}")
    return tuple(units.read(number, kind) for number in value)


def read_orientation(units: Units, value: Any) -> tuple[float, ...]:
    """A unit quaternion [w, x, y, z], or { euler = "zxz", angles = [..] }."""
    from mubo.elements.space.options import SEQUENCES
    from mubo.geometry.rotation import quaternion_of_euler

    if isinstance(value, Mapping):
        if set(value) != {"euler", "angles"} or str(value["euler"]) not in SEQUENCES:
            raise ModelError(f'expected {{ euler = "zxz", angles = [a, b, c] }}; found {dict(value)!r}')
        angles = value["angles"]
        if isinstance(angles, str) or not isinstance(angles, Sequence) or len(angles) != 3:
            raise ModelError(f"expected three angles; found {angles!r}")
        return quaternion_of_euler(str(value["euler"]), [units.read(a, "angle") for a in angles])
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 4:
        raise ModelError(f"expected a quaternion [w, x, y, z] or Euler angles; found {value!r}")
    return unit_quaternion([units.read(number, "number") for number in value])


def unit_quaternion(numbers: Sequence[float]) -> tuple[float, ...]:
    """Four numbers made exactly a unit; refused where they are far from one."""
    from mubo.laws.dependent import kept, sqrt

    length = sqrt(sum(number * number for number in numbers))
    if abs(length - 1) > UNIT_TOLERANCE:
        raise ModelError(f"the quaternion has length {length:.9g}; it must be 1 (within {UNIT_TOLERANCE:g})")
    if abs(length - 1) <= ROUNDED:
        return tuple(kept(number) for number in numbers)  # as it was written: a file reads back to the same digits
    return tuple(number / length for number in numbers)


def too_far(model: Parts, bodies: Iterable[Body], joints: Iterable[Joint]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Positions, points, shapes of some bodies and lengths of some joints that are too large: where, and in words."""
    for body in bodies:
        numbers = map(abs, chain(body.position, *body.points.values()))
        if body.shape is None and max(numbers, default=0.0) <= LARGEST:
            continue
        places = {f"point {name}": ("points", place) for name, place in body.points.items()}
        places["its position"] = ("position", body.position)
        for name, (key, place) in places.items():
            yield from _beyond(("body", body.name, key), name, max(map(abs, place), default=0.0), " away")
        for name, size in body.shape.sizes.items() if body.shape else ():
            yield from _beyond(("body", body.name, "shape"), name, size)
    for joint, name, size in written_lengths(model, joints):
        yield from _beyond(("joint", joint, name), name, size)


def written_lengths(model: Parts, joints: Iterable[Joint] | None = None) -> Iterator[tuple[str, str, float]]:
    """Joint, option and largest length of the options of joints that hold lengths: of a rod, radii, a cam's edge."""
    for joint in model.joints.values() if joints is None else joints:
        if not joint.options or joint.kind not in model.kinds:
            continue
        for option in model.kinds[joint.kind].options:
            if (
                option.holds in ("length", "lengths", "interval", "contour")
                and joint.options.get(option.name) is not None
            ):
                yield joint.name, option.name, float(np.max(np.abs(joint.options[option.name]), initial=0.0))


def _beyond(where: tuple[str, ...], name: str, size: float, away: str = "") -> Iterator[tuple[tuple[str, ...], str]]:
    if size > LARGEST:
        yield where, f"{name} is {size:g}{away}; lengths above {LARGEST:g} cannot be computed with: check its unit"
