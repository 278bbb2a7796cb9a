"""A model: named parts, and the words to build one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from mubo.errors import ModelError, nearest
from mubo.model.options import law, read_options, read_vector
from mubo.model.parts import GROUND, Analysis, Body, Driver, Joint, Point, Vector
from mubo.model.units import Units
from mubo.motion import Law

Motion = Law | str | float | Callable[[float], float]
_Part = TypeVar("_Part", Body, Joint, Driver, Point)


class Model:
    """Bodies, joints, drivers and points of interest of a planar mechanism."""

    def __init__(self, name: str = "mechanism", units: Units | Mapping[str, str] | None = None) -> None:
        self.name = name
        self.units = units if isinstance(units, Units) else Units(**(units or {}))
        self.bodies: dict[str, Body] = {GROUND: Body(GROUND)}
        self.joints: dict[str, Joint] = {}
        self.drivers: dict[str, Driver] = {}
        self.points: dict[str, Point] = {}
        self.analysis: Analysis | None = None
        self.source = ""  # the file it came from, for messages

    def __eq__(self, other: object) -> bool:
        own = (self.name, self.units, self.bodies, self.joints, self.drivers, self.points, self.analysis)
        return isinstance(other, Model) and own == (
            other.name,
            other.units,
            other.bodies,
            other.joints,
            other.drivers,
            other.points,
            other.analysis,
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

    def body(
        self,
        name: str,
        position: Sequence[float] = (0.0, 0.0),
        angle: float | str = 0.0,
        points: Mapping[str, Sequence[float]] | None = None,
    ) -> BodyHandle:
        """Adds a body. Position and angle are estimates; points are in the body's own axes."""
        held = {key: self._vector(value) for key, value in (points or {}).items()}
        self._add(self.bodies, Body(name, self._vector(position), self.units.read(angle, "angle"), held))
        return BodyHandle(self, name)

    def joint(self, name: str, kind: str, *between: str, **options: Any) -> None:
        """Adds a joint of any kind of the registry: m.joint("mesh", "gears", "sun", "planet", radii=(2, 1))."""
        self._add(self.joints, Joint(name, kind, between, read_options(self.units, kind, between, options)))

    def revolute(self, name: str, *ends: str) -> None:
        """Adds a pin that joins two or more points, such as "ground.A" and "crank.A"."""
        self.joint(name, "revolute", *ends)

    def translational(
        self, name: str, first: str, second: str, axis: Sequence[float], angle: float | str | None = None
    ) -> None:
        """Adds a slider: the second point stays on the line through the first along `axis`."""
        given = {} if angle is None else {"angle": angle}
        self.joint(name, "translational", first, second, axis=axis, **given)

    def drive(self, name: str, of: str | Sequence[str], motion: Motion) -> None:
        """Adds a driver: `of` follows `motion`, which is in the model's units.

        `of` is a body coordinate "crank.phi", a joint "A" (its angle or slide), a coordinate of a point
        "coupler.P.x", or two points ("ground.N", "boom.M") whose distance is driven.
        """
        held = of if isinstance(of, str) else tuple(of)
        self._add(self.drivers, Driver(name, held, law(motion)))  # type: ignore[arg-type]

    def point(self, name: str, body: str, at: Sequence[float]) -> None:
        """Adds a point of interest on a body."""
        self._add(self.points, Point(name, body, self._vector(at)))

    def replace(self, what: str, value: Any) -> Model:
        """A new model with one thing changed: "coupler.B" (a point of a body), a point of interest, or
        "joint.option"."""
        new = self.copy()
        head, _, tail = what.partition(".")
        if head in new.bodies and tail in new.bodies[head].points:
            body = new.bodies[head]
            new.bodies[head] = replace(body, points={**body.points, tail: self._vector(value)})
        elif head in new.bodies and tail in ("position", "angle"):
            body = new.bodies[head]
            if tail == "position":
                new.bodies[head] = replace(body, position=self._vector(value))
            else:
                new.bodies[head] = replace(body, angle=self.units.read(value, "angle"))
        elif head in new.joints and tail:
            joint = new.joints[head]
            changed = read_options(self.units, joint.kind, joint.between, {tail: value})
            new.joints[head] = replace(joint, options={**joint.options, **changed})
        elif what in new.points:
            new.points[what] = replace(new.points[what], at=self._vector(value))
        elif what in new.drivers:
            new.drivers[what] = replace(new.drivers[what], motion=law(value))
        else:
            known = [f"{b.name}.{p}" for b in self.bodies.values() for p in b.points]
            raise ModelError(f'there is no "{what}" to replace. {nearest(what, [*known, *self.points])}')
        return new

    def copy(self) -> Model:
        """The same parts in a new model."""
        new = type(self)(self.name, self.units)
        new.bodies, new.joints = dict(self.bodies), dict(self.joints)
        new.drivers, new.points = dict(self.drivers), dict(self.points)
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

    def _vector(self, value: Sequence[Any]) -> Vector:
        return read_vector(self.units, value, "length")


class BodyHandle:
    """A body in the hands of a builder."""

    def __init__(self, model: Model, name: str) -> None:
        self._model, self.name = model, name

    def point(self, name: str, at: Sequence[float]) -> None:
        """Names a point of the body, in its own axes."""
        body = self._model.bodies[self.name]
        points = {**body.points, name: self._model._vector(at)}
        self._model.bodies[self.name] = replace(body, points=points)
