"""A model: named parts, and the words to build one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from mubo.elements import Element, joints_of
from mubo.errors import ModelError, nearest
from mubo.model.bodies import read_body
from mubo.model.coordinates import coordinate_of, holds_at, holds_of
from mubo.model.mass import read_inertia, read_mass
from mubo.model.options import read_options, read_orientation, read_vector, unit_quaternion
from mubo.model.parts import GROUND, Analysis, Body, Driver, Force, Initial, Joint, Point, Vector, Watch
from mubo.model.units import Units
from mubo.motion import LawLike, law_of

_Part = TypeVar("_Part", Body, Joint, Driver, Point, Force, Watch)
PARTS = ("bodies", "joints", "drivers", "points", "forces", "initial", "events")
PLAIN = ("name", "units", "dimension", "gravity", "analysis")


class Model:
    """Bodies, joints, drivers, forces and points of interest of a mechanism, in the plane or in space."""

    def __init__(
        self,
        name: str = "mechanism",
        units: Units | Mapping[str, str] | None = None,
        dimension: int = 2,
        gravity: Sequence[float] | None = None,
    ) -> None:
        if dimension not in (2, 3):
            raise ModelError(f"the dimension is 2 or 3; found {dimension!r}")
        self.name = name
        self.units = units if isinstance(units, Units) else Units(**(units or {}))
        self.dimension = dimension
        self.gravity = None if gravity is None else read_vector(self.units, gravity, "number", dimension)
        self.bodies: dict[str, Body] = {GROUND: Body(GROUND, (0.0,) * dimension)}
        self.joints: dict[str, Joint] = {}
        self.drivers: dict[str, Driver] = {}
        self.points: dict[str, Point] = {}
        self.forces: dict[str, Force] = {}
        self.initial: dict[str, Initial] = {}  # by joint
        self.events: dict[str, Watch] = {}
        self.analysis: Analysis | None = None
        self.source = ""  # the file it came from, for messages

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and all(
            getattr(self, part) == getattr(other, part) for part in (*PLAIN, *PARTS)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f'Model "{self.name}": {len(self.bodies) - 1} bodies, {len(self.joints)} joints, '
            f"{len(self.drivers)} drivers, {len(self.points)} points"
        )

    @property
    def ground(self) -> BodyHandle:
        """The body that never moves."""
        return BodyHandle(self, GROUND)

    @property
    def kinds(self) -> dict[str, Element]:
        """The joints that this model may have, by type."""
        return joints_of(self.dimension)

    def body(
        self,
        name: str,
        position: Sequence[float] | None = None,
        angle: float | str = 0.0,
        points: Mapping[str, Sequence[float]] | None = None,
        *,
        orientation: Any = None,
        mass: float | None = None,
        density: float | None = None,
        inertia: Any = None,
        center: Sequence[float] | None = None,
        shape: Mapping[str, Any] | None = None,
    ) -> BodyHandle:
        """Adds a body. Position and angle (in space: orientation) are estimates; points are in the body's own axes.

        In space, a body without them is placed by its joints. Inertia is about the centre of mass, `center`.
        """
        held = {key: self._vector(value) for key, value in (points or {}).items()}
        fields = {"position": position, "angle": angle, "orientation": orientation, "center": center}
        fields |= {"mass": mass, "density": density, "inertia": inertia, "shape": shape}
        self._add(self.bodies, read_body(self.units, self.dimension, name, held, fields))
        return BodyHandle(self, name)

    def joint(self, name: str, kind: str, *between: str, **options: Any) -> None:
        """Adds a joint of any kind of the registry: m.joint("mesh", "gears", "sun", "planet", radii=(2, 1))."""
        held = read_options(self.units, kind, between, options, self.dimension)
        self._add(self.joints, Joint(name, kind, between, held))

    def revolute(self, name: str, *ends: str, **options: Any) -> None:
        """Adds a pin that joins two or more points, such as "ground.A" and "crank.A"; in space it has an `axis`."""
        self.joint(name, "revolute", *ends, **options)

    def translational(
        self, name: str, first: str, second: str, axis: Sequence[float], angle: float | str | None = None
    ) -> None:
        """Adds a slider: the second point stays on the line through the first along `axis`."""
        given = {} if angle is None else {"angle": angle}
        self.joint(name, "translational", first, second, axis=axis, **given)

    def drive(self, name: str, of: str | Sequence[str], motion: LawLike) -> None:
        """Adds a driver: `of` follows `motion`, which is in the model's units.

        `of` is a body coordinate "crank.phi", a joint "A" (its angle or slide), a coordinate of a point
        "coupler.P.x", or two points ("ground.N", "boom.M") whose distance is driven.
        """
        held = of if isinstance(of, str) else tuple(of)
        self._add(self.drivers, Driver(name, held, law_of(motion)))  # type: ignore[arg-type]

    def point(self, name: str, body: str, at: Sequence[float]) -> None:
        """Adds a point of interest on a body."""
        self._add(self.points, Point(name, body, self._vector(at)))

    def force(self, name: str, kind: str, *on: str, **options: Any) -> None:
        """Adds a load of any kind: m.force("strut", "spring", "ground.A", "arm.B", stiffness=200, length=0.5)."""
        of = holds_at(self, on[0]) if on else ""
        held = read_options(self.units, kind, on, options, self.dimension, "force", of)
        self._add(self.forces, Force(name, kind, on, held))

    def start(self, joint: str, q: Any = (), v: Any = ()) -> None:
        """Coordinates and rates of a joint at the start, angles in the model's unit; what is left out is zero."""
        if joint not in self.joints:
            raise ModelError(f'there is no joint "{joint}". {nearest(joint, self.joints)}')
        given = []
        for values, rates in ((q, False), (v, True)):
            values = values.tolist() if hasattr(values, "tolist") else values
            values = list(values) if isinstance(values, list | tuple) else [values]
            holds = holds_of(self, self.joints[joint], rates)
            if values and len(values) != len(holds):
                what = f"{'v' if rates else 'q'} of a {self.joints[joint].kind} joint"
                raise ModelError(f"{what} needs {len(holds)} number{'s' * (len(holds) != 1)}; found {len(values)}")
            given.append(tuple(self.units.read(x, kind) for x, kind in zip(values, holds, strict=False)))
        if given[0] and holds_of(self, self.joints[joint])[-4:] == ("number",) * 4:  # a ball without Euler angles
            given[0] = (*given[0][:-4], *unit_quaternion(given[0][-4:]))
        self.initial[joint] = Initial(joint, *given)

    def watch(self, name: str, of: str, value: float, direction: str = "both", stop: bool = False) -> None:
        """Looks for a joint coordinate ("A", or "A.q2") to cross a value "up", "down" or "both" ways."""
        if direction not in ("up", "down", "both"):
            raise ModelError(f'the direction is "up", "down" or "both"; found "{direction}"')
        joint, number = coordinate_of(self, of)
        reached = self.units.read(value, holds_of(self, joint)[number])
        self._add(self.events, Watch(name, of, reached, direction, stop))

    def replace(self, what: str, value: Any) -> Model:
        """A new model with one thing changed: "coupler.B" (a point of a body), a point of interest, or
        "joint.option"."""
        new = self.copy()
        head, _, tail = what.partition(".")
        if head in new.bodies and tail in new.bodies[head].points:
            body = new.bodies[head]
            new.bodies[head] = replace(body, points={**body.points, tail: self._vector(value)})
        elif head in new.bodies and tail in ("position", "angle", "orientation", "mass", "inertia", "center"):
            new.bodies[head] = replace(new.bodies[head], **{tail: self._body_value(tail, value)})
        elif head in new.joints and tail:
            joint = new.joints[head]
            changed = read_options(self.units, joint.kind, joint.between, {tail: value}, self.dimension)
            new.joints[head] = replace(joint, options={**joint.options, **changed})
        elif what in new.points:
            new.points[what] = replace(new.points[what], at=self._vector(value))
        elif what in new.drivers:
            new.drivers[what] = replace(new.drivers[what], motion=law_of(value))
        else:
            known = [f"{b.name}.{p}" for b in self.bodies.values() for p in b.points]
            raise ModelError(f'there is no "{what}" to replace. {nearest(what, [*known, *self.points])}')
        return new

    def copy(self) -> Model:
        """The same parts in a new model."""
        new = type(self)(self.name, self.units, self.dimension, self.gravity)
        for part in PARTS:
            setattr(new, part, dict(getattr(self, part)))
        new.analysis, new.source = self.analysis, self.source
        return new

    def place(self, reference: str) -> tuple[str, Vector]:
        """Body and coordinates of "body.point"."""
        body, _, point = reference.partition(".")
        return body, self.bodies[body].points[point]

    def _add(self, parts: dict[str, _Part], part: _Part) -> None:
        if part.name in parts:
            raise ModelError(f'{type(part).__name__.lower()} "{part.name}" is there already', names=[part.name])
        parts[part.name] = part

    def _body_value(self, name: str, value: Any) -> Any:
        if name in ("position", "center"):
            return self._vector(value)
        if name == "orientation":
            return read_orientation(self.units, value)
        if name == "inertia":
            return read_inertia(self.units, value, self.dimension)
        return read_mass(self.units, {"mass": value}, None) if name == "mass" else self.units.read(value, "angle")

    def _vector(self, value: Sequence[Any]) -> Vector:
        return read_vector(self.units, value, "length", self.dimension)


class BodyHandle:
    """A body in the hands of a builder."""

    def __init__(self, model: Model, name: str) -> None:
        self._model, self.name = model, name

    def point(self, name: str, at: Sequence[float]) -> None:
        """Names a point of the body, in its own axes."""
        body = self._model.bodies[self.name]
        points = {**body.points, name: self._model._vector(at)}
        self._model.bodies[self.name] = replace(body, points=points)
