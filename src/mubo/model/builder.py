"""The words to build a model: bodies, joints, drivers, forces and points, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self, TypeVar

from mubo.elements import Element, joints_of
from mubo.elements.plane.joints.revolute import REVOLUTE
from mubo.elements.plane.joints.translational import TRANSLATIONAL
from mubo.errors import ModelError, nearest
from mubo.model.bodies import read_body
from mubo.model.coordinates import coordinate_of, holds_at, holds_of
from mubo.model.linkage import Linkage
from mubo.model.measures import Measure, read_measure
from mubo.model.model import PARTS, PLAIN, Model, ground_of
from mubo.model.options import read_options, read_vector, unit_quaternion
from mubo.model.parts import GROUND, Analysis, Body, Driver, Force, Initial, Joint, Point, Vector, Watch
from mubo.model.units import Units
from mubo.motion import LawLike, law_of

_Part = TypeVar("_Part", Body, Joint, Driver, Point, Force, Measure, Watch)


class Builder:
    """A model that grows. `build` answers it frozen, as it is at that moment."""

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
        self.bodies: dict[str, Body] = {GROUND: ground_of(dimension)}
        self.joints: dict[str, Joint] = {}
        self.drivers: dict[str, Driver] = {}
        self.points: dict[str, Point] = {}
        self.forces: dict[str, Force] = {}
        self.measures: dict[str, Measure] = {}
        self.initial: dict[str, Initial] = {}  # by joint
        self.events: dict[str, Watch] = {}
        self.analysis: Analysis | None = None
        self.linkage: Linkage | None = None
        self.source = ""  # the file it came from, for messages
        self._built: Model | None = None

    @classmethod
    def of(cls, model: Model) -> Self:
        """A builder that begins where a model stands."""
        new = cls(model.name, model.units, model.dimension, model.gravity)
        for part in PARTS:
            setattr(new, part, dict(getattr(model, part)))
        new.analysis, new.linkage, new.source, new._built = model.analysis, model.linkage, model.source, model
        return new

    def build(self) -> Model:
        """The model as it is now, frozen; the same one as before where nothing has changed."""
        fields = {name: getattr(self, name) for name in (*PLAIN, *PARTS)}
        same = self._built is not None and all(getattr(self._built, name) == value for name, value in fields.items())
        if self._built is None or not same:
            self._built = Model(**fields)
        return self._built

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Builder) and self.build() == other.build()

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
    def kinds(self) -> Mapping[str, Element]:
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
        places = {key: self.vector(value) for key, value in (points or {}).items()}
        fields = {"position": position, "angle": angle, "orientation": orientation, "center": center}
        fields |= {"mass": mass, "density": density, "inertia": inertia, "shape": shape}
        self._add(self.bodies, read_body(self.units, self.dimension, name, places, fields))
        return BodyHandle(self, name)

    def joint(self, name: str, kind: str, *between: str, **options: Any) -> None:
        """Adds a joint of any kind of the registry: m.joint("mesh", "gears", "sun", "planet", radii=(2, 1))."""
        given = read_options(self.units, kind, between, options, self.dimension)
        self._add(self.joints, Joint(name, kind, between, given))

    def revolute(self, name: str, *ends: str, **options: Any) -> None:
        """Adds a pin that joins two or more points, such as "ground.A" and "crank.A"; in space it has an `axis`."""
        self.joint(name, REVOLUTE.name, *ends, **options)

    def translational(
        self, name: str, first: str, second: str, axis: Sequence[float], angle: float | str | None = None
    ) -> None:
        """Adds a slider: the second point stays on the line through the first along `axis`."""
        given = {} if angle is None else {"angle": angle}
        self.joint(name, TRANSLATIONAL.name, first, second, axis=axis, **given)

    def drive(self, name: str, of: str | Sequence[str], motion: LawLike) -> None:
        """Adds a driver: `of` follows `motion`, which is in the model's units.

        `of` is a body coordinate "crank.phi", a joint "A" (its angle or slide), a coordinate of a point
        "coupler.P.x", or two points ("ground.N", "boom.M") whose distance is driven.
        """
        target = of if isinstance(of, str) else tuple(of)
        self._add(self.drivers, Driver(name, target, law_of(motion)))  # type: ignore[arg-type]

    def point(self, name: str, body: str, at: Sequence[float]) -> None:
        """Adds a point of interest on a body."""
        self._add(self.points, Point(name, body, self.vector(at)))

    def force(self, name: str, kind: str, *on: str, **options: Any) -> None:
        """Adds a load of any kind: m.force("strut", "spring", "ground.A", "arm.B", stiffness=200, length=0.5)."""
        of = holds_at(self, on[0]) if on else ""
        given = read_options(self.units, kind, on, options, self.dimension, "force", of)
        self._add(self.forces, Force(name, kind, on, given))

    def measure(self, name: str, **what: Any) -> None:
        """Adds a measure, told as the columns NAME, NAME.rate and NAME.rate2. One of these says what is measured:

        `distance=("chassis.S", "arm.S")`; `angle=` two bodies (second minus first), three points (at the middle one,
        from the first to the last) or four (from the direction of the first two to that of the last two);
        `of="rocker.phi"`, any column; `value="P.x - Q.x"`, an expression of columns, other measures and t.
        """
        self._add(self.measures, read_measure(name, what))

    def start(self, joint: str, q: Any = (), v: Any = ()) -> None:
        """Coordinates and rates of a joint at the start, angles in the model's unit; what is left out is zero."""
        if joint not in self.joints:
            raise ModelError(f'there is no joint "{joint}". {nearest(joint, self.joints)}')
        position, rate = self._state(joint, q, False), self._state(joint, v, True)
        if position and holds_of(self, self.joints[joint])[-4:] == ("number",) * 4:  # a ball without Euler angles
            position = (*position[:-4], *unit_quaternion(position[-4:]))
        self.initial[joint] = Initial(joint, position, rate)

    def _state(self, joint: str, given: Any, rates: bool) -> tuple[float, ...]:
        """Numbers of a joint's coordinates or rates, as mubo holds them."""
        given = given.tolist() if hasattr(given, "tolist") else given
        values = list(given) if isinstance(given, list | tuple) else [given]
        holds = holds_of(self, self.joints[joint], rates)
        if values and len(values) != len(holds):
            what = f"{'v' if rates else 'q'} of a {self.joints[joint].kind} joint"
            raise ModelError(f"{what} needs {len(holds)} number{'s' * (len(holds) != 1)}; found {len(values)}")
        return tuple(self.units.read(x, kind) for x, kind in zip(values, holds, strict=False))

    def watch(self, name: str, of: str, value: float, direction: str = "both", stop: bool = False) -> None:
        """Looks for a joint coordinate ("A", or "A.q2") to cross a value "up", "down" or "both" ways."""
        if direction not in ("up", "down", "both"):
            raise ModelError(f'the direction is "up", "down" or "both"; found "{direction}"')
        joint, number = coordinate_of(self, of)
        reached = self.units.read(value, holds_of(self, joint)[number])
        self._add(self.events, Watch(name, of, reached, direction, stop))

    def replace(self, what: str, value: Any) -> Self:
        """Another model with one thing changed: "coupler.B" (a point of a body), a point of interest, an option."""
        return type(self).of(self.build().replace(what, value))

    def copy(self) -> Self:
        """The same parts in another builder."""
        return type(self).of(self.build())

    def vector(self, value: Any) -> Vector:
        """Numbers of a place, in the model's unit of length."""
        return read_vector(self.units, value, "length", self.dimension)

    def _add(self, parts: dict[str, _Part], part: _Part) -> None:
        if part.name in parts:
            raise ModelError(f'{type(part).__name__.lower()} "{part.name}" is there already', names=[part.name])
        parts[part.name] = part


class BodyHandle:
    """A body in the hands of a builder."""

    def __init__(self, builder: Builder, name: str) -> None:
        self._builder, self.name = builder, name

    def point(self, name: str, at: Sequence[float]) -> None:
        """Names a point of the body, in its own axes."""
        body = self._builder.bodies[self.name]
        points = {**body.points, name: self._builder.vector(at)}
        self._builder.bodies[self.name] = replace(body, points=points)
