"""A body from what users write, each field by its own reader, so that an error names the field; its handle in a model
under construction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mubo.docstrings import documented
from mubo.errors import ModelError, nearest
from mubo.model.draft import ModelDraft
from mubo.model.options import read_orientation, read_vector
from mubo.model.parts import Body, Detail, Vector
from mubo.model.tables import BODY, STIFFNESS
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
    check = field("inertia_check", _inertia_check, "refuse") or "refuse"
    angle = field("angle", lambda value: units.read(value, "angle"), 0.0)
    return Body(
        name,
        field("position", vector, (0.0, 0.0) if flat else ()) or (),
        0.0 if angle is None else angle,
        points,
        field("orientation", lambda value: read_orientation(units, value), UNIT if flat else ()) or (),
        field("mass", lambda value: _mass().read_mass(units, value), None),
        field("inertia", lambda value: _mass().read_inertia(units, value, dimension, check), None),
        field("center", vector, ()) or (),
        field("shape", lambda value: _shape(units, value, dimension), None),
        field("added_masses", lambda value: _mass().read_added(units, value), {}) or {},
        None if given.get("density") is None else attempt("density", lambda: _mass().read_density(units, given)),
        figure or {},
        field("stiffness", lambda value: read_stiffness(units, value, "stiffness"), None),
        field("turning_stiffness", lambda value: read_stiffness(units, value, "turning_stiffness"), None),
        field("segment", lambda value: read_segment(value, subject), None),
        check if check == "note" else "refuse",  # what was mended is possible
    )


def _inertia_check(value: Any) -> str:
    allowed = _mass().INERTIA_CHECKS
    if value not in allowed:
        raise ModelError(f"inertia_check is one of {', '.join(allowed)}; found {value!r}")
    return str(value)


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


class BodyHandle:
    """A body in the hands of a builder: `model.ground`, or what `model.body` answers.

    Examples
    --------
    >>> model = mubo.Model("bench")
    >>> crank = model.body("crank")
    >>> crank.point("A", (0, 0))
    """

    def __init__(self, draft: ModelDraft, name: str) -> None:
        self._draft, self.name = draft, name

    def __repr__(self) -> str:
        return f"body {self.name} with the points {', '.join(self.points) or 'none'}"

    @property
    def points(self) -> Mapping[str, Vector]:
        """Its points by name, in its own axes.

        Examples
        --------
        >>> list(mubo.load("four_bar.toml").ground.points)
        ['A', 'D']
        """
        return self._draft.bodies[self.name].points

    @documented(name="Name of the point.", at="Its coordinates in the axes of the body, numbers or text with a unit.")
    def point(self, name: str, at: Sequence[float]) -> None:
        """Names a point of the body, in its own axes.

        >>> model = mubo.Model("bench")
        >>> model.ground.point("A", (0, "20 mm"))
        >>> model.ground.points["A"]
        (0.0, 0.02)
        """
        body = self._draft.bodies[self.name]
        points = {**body.points, name: self._draft.vector(at)}
        self._draft.bodies[self.name] = replace(body, points=points)

    @documented(BODY.sentences)
    def geometry_from_lengths(
        self,
        lengths: Mapping[str, float | str],
        angles: Mapping[str, float | str] | None = None,
        right: Sequence[str] = (),
    ) -> None:
        """Names points by lengths between them and angles at corners, as `Model.body` does.

        >>> model = mubo.Model("bench")
        >>> model.ground.geometry_from_lengths({"AD": 4})
        >>> model.ground.points["D"]
        (4.0, 0.0)
        """
        draft, body = self._draft, self._draft.bodies[self.name]
        given = {"lengths": lengths, "angles": angles, "right": right}
        points, figure = draft._place_points(body.points, given)
        draft.bodies[self.name] = replace(body, points=points, figure=figure)
