"""Points of a body from what textbooks give: lengths between them, and angles at corners.

The first point of `lengths` stands at the body's origin and the second on its x axis; points that have coordinates stay
where those say. Every further point P follows from two known points K and L, named in this order, by

    two lengths KP, LP                   the circles about K and L meet
    a length KP and the angle PKL        the corner of an angle is its middle letter
    two angles PKL, PLK                  the two sides meet

on the left of the line from K to L, or on the right where `right` names P. In space the figure lies in the body's xy
plane.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mubo.arrays import Vector
from mubo.errors import ModelError, nearest
from mubo.geometry import FIGURE
from mubo.lazy_dataclass import dataclass
from mubo.mappings import FrozenDict
from mubo.quantities.units import Units

SAME = 1e-9  # relative, or radians: what is given beyond need must agree with the rest as well as this


@dataclass(frozen=True)
class _Datum:
    """A length between two points, or the angle at the second of three."""

    key: str
    points: tuple[str, ...]
    value: float

    def about(self, point: str, placed: Mapping[str, Vector]) -> bool:
        """Whether it says something about a point that is not placed yet, by points that are."""
        others = [name for name in self.points if name != point]
        corner = len(self.points) == 3 and self.points[1] == point
        return point in self.points and not corner and all(name in placed for name in others)

    def measured(self, placed: Mapping[str, Vector]) -> float:
        """Return this length or angle as the figure has it."""
        at = [placed[name] for name in self.points]
        if len(at) == 2:
            return math.dist(*at)
        first, last = (_direction(at[1], end) for end in (at[0], at[2]))
        return abs(math.remainder(last - first, 2 * math.pi))


def with_figure(
    units: Units, dimension: int, points: Mapping[str, Vector], given: Mapping[str, Any]
) -> dict[str, Vector]:
    """The points and those that `lengths`, `angles` and `right` of `given` place; all in the model's unit of length."""
    if not any(given.get(key) for key in FIGURE):
        return dict(points)
    data = [*_read(units, given, "lengths", 2), *_read(units, given, "angles", 3)]
    if not all(not any(at[2:]) for at in points.values()):
        raise ModelError("lengths and angles lie in the body's xy plane: points beside it need coordinates")
    names = list(dict.fromkeys([*points, *(name for datum in data for name in datum.points)]))
    right = _right(given.get("right") or (), names)
    placed = {name: at[:2] for name, at in points.items()}
    spare = _first_points(placed, data)
    sided = set()
    while missing := [name for name in names if name not in placed]:
        name = next((m for m in missing if _enough(m, spare, placed)), None)
        if name is None:
            raise ModelError(_lacking(missing[0], data, placed))
        used = _enough(name, spare, placed)
        placed[name] = _placed(name, used, placed, names, name in right)
        spare = [datum for datum in spare if datum not in used]
        sided.add(name)
    _require_agreement(spare, placed)
    for name in right:
        if name not in sided:
            raise ModelError(f"right: {name} has its place by other means; only points that two data place have a side")
    return {name: (*placed[name], *(0.0,) * (dimension - 2)) if name not in points else points[name] for name in names}


def require_figure(figure: Mapping[str, Any]) -> None:
    """Refuses lengths and angles of a kept figure that no figure has."""
    for field, count in (("lengths", 2), ("angles", 3)):
        for key, size in figure.get(field, {}).items():
            _require_size(field, key, size, count, f"{size:g}")


def kept_figure(units: Units, given: Mapping[str, Any], points: Iterable[str] = ()) -> dict[str, Any]:
    """The figure as it was given, for files to keep, where parameters stand in it; of others the points say all.

    `points` are those that have coordinates of their own; the figure places the rest of its points.
    """
    from mubo.laws.dependent import Dependent

    data = {key: _read(units, given, key, count) for key, count in (("lengths", 2), ("angles", 3))}
    if not any(isinstance(datum.value, Dependent) for read in data.values() for datum in read):
        return {}
    figure: dict[str, Any] = {key: FrozenDict({datum.key: datum.value for datum in read}) for key, read in data.items()}
    listed = given.get("right") or ()
    named = dict.fromkeys(name for read in data.values() for datum in read for name in datum.points)
    figure["places"] = tuple(name for name in named if name not in points)
    return {**figure, "right": (listed,) if isinstance(listed, str) else tuple(listed)}


def _read(units: Units, given: Mapping[str, Any], field: str, count: int) -> list[_Datum]:
    table = given.get(field) or {}
    if not isinstance(table, Mapping):
        raise ModelError(f"{field} are a table: " + ("{ AB = 3, BP = 1.5 }" if count == 2 else '{ PAB = "30 deg" }'))
    data = []
    for key, value in table.items():
        points = tuple(key.split("-")) if "-" in key else tuple(key)
        if len(points) != count or len(set(points)) != count or not all(points):
            wanted = {2: "two points: write AB, or A1-B2", 3: "three points: write PAB, or P1-A1-B2"}[count]
            raise ModelError(f'{field}: "{key}" does not name {wanted} where names are long')
        try:
            size = units.read(value, "length" if count == 2 else "angle")
        except ModelError as error:
            raise ModelError(f"{field}: {key}: {error}") from None
        _require_size(field, key, size, count, value)
        data.append(_Datum(key, points, size))
    return data


def _require_size(field: str, key: str, size: float, count: int, shown: Any) -> None:
    if not 0 < size < (math.inf if count == 2 else math.pi):
        allowed = "must be positive" if count == 2 else "must be between 0 and 180°"
        raise ModelError(f"{field}: {key} {allowed}; found {shown}")


def _right(given: Any, names: Sequence[str]) -> list[str]:
    listed = [given] if isinstance(given, str) else given
    if not isinstance(listed, Sequence):
        raise ModelError('right is a list of points such as ["P"]')
    for name in listed:
        if name not in names:
            raise ModelError(f'right: there is no point "{name}". {nearest(str(name), names)}')
    return [str(name) for name in listed]


def _first_points(placed: dict[str, Vector], data: list[_Datum]) -> list[_Datum]:
    """Places the origin and the point on the x axis, where coordinates do not say them; answers the data not used."""
    lengths = [datum for datum in data if len(datum.points) == 2]
    if not placed and lengths:
        placed[lengths[0].points[0]] = (0.0, 0.0)
    if len(placed) != 1:
        return list(data)
    (name, (x, y)), *_ = placed.items()
    base = next((datum for datum in lengths if name in datum.points), None)
    if base is None:
        raise ModelError(f"lengths: none begins at {name}: the first length gives the x axis")
    other = base.points[0] if base.points[1] == name else base.points[1]
    placed[other] = (x + base.value, y)
    return [datum for datum in data if datum is not base]


def _enough(name: str, data: Sequence[_Datum], placed: Mapping[str, Vector]) -> list[_Datum]:
    """The two data that place a point, or nothing."""
    about = [datum for datum in data if datum.about(name, placed)]
    for k, one in enumerate(about):
        for other in about[k + 1 :]:
            kinds = {len(one.points), len(other.points)}
            if kinds != {2, 3}:
                return [one, other]
            length, angle = sorted((one, other), key=lambda datum: len(datum.points))
            if angle.points[1] in length.points:
                return [length, angle]
    return []


def _placed(name: str, used: list[_Datum], placed: Mapping[str, Vector], order: Sequence[str], right: bool) -> Vector:
    side = -1.0 if right else 1.0
    one, other = used
    if len(other.points) == 2:
        return _circles(name, one, other, placed, order, side)
    toward = _side_of(name, other, placed, order, side)
    corner = placed[other.points[1]]
    if len(one.points) == 2:
        return corner[0] + one.value * toward[0], corner[1] + one.value * toward[1]
    start, along = placed[one.points[1]], _side_of(name, one, placed, order, side)
    turn = toward[1] * along[0] - toward[0] * along[1]
    dx, dy = corner[0] - start[0], corner[1] - start[1]
    far = (dx * toward[1] - dy * toward[0]) / turn if turn else 0.0
    back = (dx * along[1] - dy * along[0]) / turn if turn else 0.0
    if not (far > 0 and back > 0):
        raise ModelError(f"angles: the sides of {one.key} and {other.key} do not meet: there is no place for {name}")
    return start[0] + far * along[0], start[1] + far * along[1]


def _circles(
    name: str, one: _Datum, other: _Datum, placed: Mapping[str, Vector], order: Sequence[str], side: float
) -> Vector:
    """Where the circles about two known points meet, on one side of the line from the first to the second."""
    from mubo.laws.dependent import hypot, sqrt

    centre = {next(end for end in datum.points if end != name): datum for datum in (one, other)}
    if len(centre) == 1:
        raise ModelError(f"lengths: {one.key} and {other.key} are the same length")
    first, second = sorted(centre, key=order.index)
    r, s, d = (
        centre[first].value,
        centre[second].value,
        hypot(*(x - y for x, y in zip(placed[first], placed[second], strict=True))),
    )
    along = (r * r - s * s + d * d) / (2 * d) if d else 0.0
    square = r * r - along * along
    if not d or square < -SAME * r * r:
        raise ModelError(
            f"lengths: there is no triangle {first}{second}{name}: {one.key} = {one.value:g} and {other.key} = "
            f"{other.value:g} do not meet over {first}{second} = {d:g}"
        )
    up = side * sqrt(max(square, 0.0))
    (x, y), (u, v) = placed[first], placed[second]
    ex, ey = (u - x) / d, (v - y) / d
    return x + along * ex - up * ey, y + along * ey + up * ex


def _side_of(name: str, angle: _Datum, placed: Mapping[str, Vector], order: Sequence[str], side: float) -> Vector:
    """Direction, of length one, from the corner of an angle to the point that it places."""
    from mubo.laws.dependent import cos, hypot, sin

    corner = angle.points[1]
    arm = angle.points[0] if angle.points[2] == name else angle.points[2]
    forward = order.index(corner) < order.index(arm)  # else the line from the first to the second leads to the corner
    (x, y), (u, v) = placed[corner], placed[arm]
    far = hypot(u - x, v - y)
    ex, ey = (u - x) / far, (v - y) / far
    c, s = cos(angle.value), (side if forward else -side) * sin(angle.value)
    return ex * c - ey * s, ex * s + ey * c


def _direction(start: Vector, end: Vector) -> float:
    return math.atan2(end[1] - start[1], end[0] - start[0])


def _lacking(name: str, data: Sequence[_Datum], placed: Mapping[str, Vector]) -> str:
    named = [datum.key for datum in data if name in datum.points]
    known = ", ".join(placed)
    return (
        f"point {name} has no place: {', '.join(named)} and the known points {known} leave it open. Give two lengths "
        "to known points, or a length and the angle at its known end"
    )


def _require_agreement(spare: Sequence[_Datum], placed: Mapping[str, Vector]) -> None:
    for datum in spare:
        measured = datum.measured(placed)
        turned = len(datum.points) == 3
        if abs(measured - datum.value) > SAME * (1.0 if turned else datum.value):
            given, follows = (math.degrees(x) if turned else x for x in (datum.value, measured))
            unit = "°" if turned else ""
            raise ModelError(
                f"{datum.key} = {given:g}{unit} contradicts the rest of the figure, which gives {follows:.9g}{unit}: "
                "leave one of them out"
            )
