"""A body from what users write: each field by its own reader, so that a file can say which one is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from mubo.errors import ModelError, nearest
from mubo.model.options import read_orientation, read_vector
from mubo.model.parts import Body, Detail, Vector
from mubo.model.tables import STIFFNESS
from mubo.quantities.units import Units

if TYPE_CHECKING:
    from mubo.model.segments import BodySegment


SEGMENT = ("kind", "ends", "spread")
Attempt = Callable[[str, Callable[[], Any]], Any]


def read_body(
    units: Units,
    dimension: int,
    name: str,
    points: Mapping[str, Vector],
    given: Mapping[str, Any],
    attempt: Attempt = lambda field, read: read(),
    figure: Mapping[str, Any] | None = None,
    subject: Detail | None = None,
) -> Body:
    """The body with the fields given; `attempt(field, read)` answers what `read` does, or None if it notes an error."""
    from mubo.geometry import UNIT

    def field(key: str, read: Callable[[Any], Any], absent: Any) -> Any:
        return attempt(key, lambda: read(given[key])) if given.get(key) is not None else absent

    def vector(value: Any) -> Vector:
        return read_vector(units, value, "length", dimension)

    flat = dimension == 2
    angle = field("angle", lambda value: units.read(value, "angle"), 0.0)
    return Body(
        name,
        field("position", vector, (0.0, 0.0) if flat else ()) or (),
        0.0 if angle is None else angle,
        points,
        field("orientation", lambda value: read_orientation(units, value), UNIT if flat else ()) or (),
        field("mass", lambda value: _mass().read_mass(units, value), None),
        field("inertia", lambda value: _mass().read_inertia(units, value, dimension), None),
        field("center", vector, ()) or (),
        field("shape", lambda value: _shape(units, value, dimension), None),
        field("added_masses", lambda value: _mass().read_added(units, value), {}) or {},
        None if given.get("density") is None else attempt("density", lambda: _mass().read_density(units, given)),
        figure or {},
        field("stiffness", lambda value: read_stiffness(units, value, "stiffness"), None),
        field("turning_stiffness", lambda value: read_stiffness(units, value, "turning_stiffness"), None),
        field("segment", lambda value: read_segment(value, subject), None),
    )


def _mass() -> Any:
    """Return the readers of masses, which are loaded where a body has one."""
    from mubo.model import mass

    return mass


def _shape(units: Units, value: Any, dimension: int) -> Any:
    from mubo.geometry.shapes import read_shape

    return read_shape(units, value, dimension)


def read_stiffness(units: Units, value: Any, key: str) -> float:
    """How stiff a body is at its joints, against forces or against moments."""
    stiffness = units.read(value, STIFFNESS[key])
    if not stiffness > 0:
        raise ModelError(f"the {key} must be positive; found {value}")
    return stiffness


def read_segment(given: Any, subject: Detail | None) -> BodySegment:
    """Reads "thigh", or { kind = "thigh", ends = ["hip", "knee"] } where the points have other names."""
    from mubo.elements.details import ANTHROPOMETRIES
    from mubo.laws.file_form import require_keys
    from mubo.model.segments import DEFAULT, BodySegment

    keys = {"kind": given} if isinstance(given, str) else given
    if not isinstance(keys, Mapping) or not isinstance(keys.get("kind"), str):
        raise ModelError(f'a segment is "thigh", or {{ kind = "thigh", ends = ["hip", "knee"] }}; found {given!r}')
    require_keys(keys, "a segment", SEGMENT)
    if subject is None or subject["mass"] is None:
        raise ModelError("a segment needs [subject] with the mass of the whole body")
    table = subject["table"] or DEFAULT
    known = ANTHROPOMETRIES[table]
    kind = keys["kind"]
    if kind not in known.segments:
        apart = "; it gives head, arms and trunk apart" if kind in ANTHROPOMETRIES[DEFAULT].segments else ""
        raise ModelError(f'there is no segment "{kind}" in the table {table}{apart}. {nearest(kind, known.segments)}')
    ends = keys.get("ends", known.ends[kind])
    if isinstance(ends, str) or len(ends) != 2 or not all(isinstance(end, str) for end in ends):
        raise ModelError(f"ends are two points of the body, the proximal one first; found {ends!r}")
    return BodySegment(kind, (ends[0], ends[1]), subject["mass"], table, float(keys.get("spread", 0.0)))
