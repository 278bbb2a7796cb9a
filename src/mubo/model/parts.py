"""The parts of a model: frozen, by name, numbers in the model's length unit and radians."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields, replace
from typing import TYPE_CHECKING, Any, Protocol

from mubo.arrays import Vector
from mubo.elements import Element
from mubo.errors import ModelError
from mubo.geometry import UNIT
from mubo.laws import Law
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property, freeze
from mubo.quantities.formula import Formula
from mubo.quantities.parameters import Parameters
from mubo.quantities.units import Units

if TYPE_CHECKING:
    from mubo.geometry.shapes import Shape
    from mubo.model.objectives import Objective
    from mubo.model.segments import BodySegment

STANDS_FOR = "stands_for"  # option of a joint that is made, not written: the contact in whose place it is
GROUND = "ground"
AS_DRAWN = "as drawn"
RATES = ("", ".rate", ".rate2")  # endings of the columns of a measure
VECTOR_TAILS = (".r", ".theta", ".omega", ".alpha")  # of a vector: length; direction with its rates


@dataclass(frozen=True)
class Body:
    """A rigid body: estimated position and angle (in space orientation), and named points in its own axes.

    In space position and orientation may be empty: the body is placed by the joint coordinates. `inertia` is about the
    centre of mass: one number in the plane, xx, yy, zz, xy, xz, yz in space; None where it was not given. These are as
    written: `whole` has what follows from `shape` and `density`, and the point masses `added` at named points.
    """

    name: str
    position: Vector = (0.0, 0.0)
    angle: float = 0.0
    points: Mapping[str, Vector] = field(default_factory=dict)
    orientation: tuple[float, ...] = UNIT
    mass: float | None = None
    inertia: tuple[float, ...] | None = None
    center: Vector = ()  # of mass, in body axes; empty: the origin
    shape: Shape | None = None
    added: Mapping[str, float] = field(default_factory=dict)  # point: mass
    density: float | None = None
    figure: Mapping[str, Any] = field(default_factory=dict)  # lengths and angles that place points by parameters
    stiffness: float | None = None  # by which it yields at each of its joints: it divides loads among redundant joints
    turning_stiffness: float | None = None  # moment per radian, for the same purpose
    segment: BodySegment | None = None  # of a human body, from which mass, centre and inertia follow
    inertia_check: str = "refuse"  # "note": an inertia that no body has is used as given

    def __post_init__(self) -> None:
        freeze(self, "points", "figure", "added")

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}  # what is derived is derived again

    @cached_property
    def own(self) -> Body:
        """The body with mass, centre and inertia of its shape or segment; an error says what misses."""
        if self.segment is not None:
            given = {"mass": self.mass, "center": self.center or None, "inertia": self.inertia}
            made = self.segment.solid(self.points, self.mass)
            return replace(self, **made | {key: value for key, value in given.items() if value is not None})
        if self.shape is None:
            return self
        from mubo.model.mass import with_shape

        solid = self.shape.solid(self.points, len(self.position) or 3)
        return replace(self, density=None, **with_shape(solid, self.mass, self.density, self.center, self.inertia))

    @cached_property
    def whole(self) -> Body:
        """Its own mass with the added masses as part of its mass, centre of mass and inertia."""
        body = self.own
        if not self.added:
            return body
        from mubo.model.mass import with_points

        masses = [(mass, self.points[name]) for name, mass in self.added.items()]
        return replace(body, added={}, **with_points(body.mass, body.center, body.inertia, masses))

    @property
    def weighs(self) -> bool:
        """Whether its mass is given."""
        return self.mass is not None or self.density is not None or bool(self.added) or self.segment is not None


@dataclass(frozen=True)
class Joint:
    """A joint: its kind, what it acts on, and its options.

    `between` holds what the kind asks for: "body.point" twice or more, "body" once or twice, or one "body.coordinate".
    """

    name: str
    kind: str
    between: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        freeze(self, "options")

    @property
    def arms(self) -> tuple[Joint, ...]:
        """Every end after the first as a joint of its own to the first; of two ends the joint itself."""
        if len(self.between) <= 2:
            return (self,)
        return tuple(replace(self, between=(self.between[0], end)) for end in self.between[1:])


@dataclass(frozen=True)
class Driver:
    """Something that follows a motion law: `of` is a coordinate, a joint, or two points whose distance is driven.

    With `start` "as drawn" the law counts from the value that `of` has at the positions written.
    """

    name: str
    of: str | tuple[str, str]
    motion: Law
    start: str = ""

    def __post_init__(self) -> None:
        if self.start not in ("", AS_DRAWN):
            raise ModelError(f'start is "{AS_DRAWN}", or left out; found "{self.start}"')

    @property
    def description(self) -> str:
        """Its law: "drawn + 0.05 t" where it starts as drawn."""
        return f"drawn + {self.motion.description}" if self.start else self.motion.description


@dataclass(frozen=True)
class Point:
    """A point of interest on a body; `centered` where it is its centre of mass."""

    name: str
    body: str
    at: Vector
    centered: bool = False


@dataclass(frozen=True)
class Force:
    """A load: its kind, what it acts on as the kind asks for, and its options."""

    name: str
    kind: str
    on: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        freeze(self, "options")


@dataclass(frozen=True)
class Initial:
    """Coordinates and rates of a joint at the start of a simulation."""

    joint: str
    q: tuple[float, ...]
    v: tuple[float, ...]


@dataclass(frozen=True)
class InitialBody:
    """Where a body is at the start of a simulation and how it moves, in ground axes; what is not given is empty."""

    body: str
    position: Vector = ()
    orientation: tuple[float, ...] = ()
    velocity: Vector = ()  # of the body's origin
    omega: Vector = ()
    angle: float | None = None  # in the plane


@dataclass(frozen=True)
class EventDefinition:
    """An event to look for: a joint coordinate crosses a value upwards, downwards or in both directions."""

    name: str
    of: str
    value: float
    direction: str = "both"
    stop: bool = False


@dataclass(frozen=True)
class Analysis:
    """The study that a model file asks for, with those of its options that the file gives, in the model's units."""

    type: str = "kinematics"
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        freeze(self, "options")


@dataclass(frozen=True)
class Origin:
    """The content of a model's file beyond bodies and joints, for those who know its format.

    `data` is the format's own. `notes` state what its reader decided where the file left a choice, `problems` why the
    file cannot be solved, `file_notes` what its reader left out or changed.
    """

    format: str
    data: Any
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    file_notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Measure:
    """A measured quantity: `key` is "distance", "angle", "vector", "of" or "value", `on` holds its points or bodies, or
    the one column or expression; `turns` are full turns that are added to the direction of a vector."""

    name: str
    key: str
    on: tuple[str, ...]
    turns: int = 0

    @property
    def tails(self) -> tuple[str, ...]:
        """The endings of the names of its columns."""
        return VECTOR_TAILS if self.key == "vector" else RATES

    @cached_property
    def formula(self) -> Formula:
        """The formula of a column or an expression."""
        return Formula(self.on[0] if self.key in ("of", "value") else "0")

    def to_file(self) -> dict[str, Any]:
        """Its key with the value that a model file holds."""
        turns = {"turns": self.turns} if self.turns else {}
        return {self.key: self.on[0] if self.key in ("of", "value") else list(self.on), **turns}


@dataclass(frozen=True)
class Detail:
    """Options of a table of a joint or a body, or under a name of its own; a material given in place has no name."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        freeze(self, "options")

    def __getitem__(self, option: str) -> Any:
        """An option, or None where it was left out."""
        return self.options.get(option)


class Parts(Protocol):
    """The parts that a model and the builder of one both have."""

    @property
    def units(self) -> Units: ...
    @property
    def dimension(self) -> int: ...
    @property
    def kinds(self) -> Mapping[str, Element]: ...
    @property
    def targets(self) -> dict[Any, Any] | None: ...
    @property
    def bodies(self) -> Mapping[str, Body]: ...
    @property
    def joints(self) -> Mapping[str, Joint]: ...
    @property
    def drivers(self) -> Mapping[str, Driver]: ...
    @property
    def points(self) -> Mapping[str, Point]: ...
    @property
    def forces(self) -> Mapping[str, Force]: ...
    @property
    def measures(self) -> Mapping[str, Measure]: ...
    @property
    def events(self) -> Mapping[str, EventDefinition]: ...
    @property
    def origin(self) -> Origin | None: ...
    @property
    def materials(self) -> Mapping[str, Detail]: ...
    @property
    def analysis(self) -> Analysis | None: ...
    @property
    def parameters(self) -> Parameters: ...
    @property
    def objectives(self) -> Mapping[str, Objective]: ...
    @property
    def subject(self) -> Detail | None: ...
