"""A model: everything that somebody wrote about a mechanism, by name, frozen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, fields
from typing import TYPE_CHECKING, Any

from mubo.elements import AMBIENTS, Ambient, Element, joints_of
from mubo.elements import TABLES as SCHEMAS
from mubo.errors import ModelError, nearest
from mubo.laws import Law
from mubo.laws.dependent import Dependent
from mubo.lazy_dataclass import dataclass, replace
from mubo.mappings import cached_property, freeze
from mubo.model.check import Problem, check
from mubo.model.coordinates import center_of, holds_at, point_of, tracked_points
from mubo.model.dependence import Place, at_parameters, numbers_in, parts_in, parts_of
from mubo.model.laws import LawWords, driven_kind, read_law
from mubo.model.options import read_options, read_orientation, read_vector
from mubo.model.output_times import shared_output_times
from mubo.model.parts import (
    GROUND,
    Analysis,
    Body,
    Detail,
    Driver,
    EventDefinition,
    Force,
    Initial,
    InitialBody,
    Joint,
    Measure,
    Origin,
    Point,
    Vector,
)
from mubo.quantities.output_times import OutputTimes
from mubo.quantities.parameters import Parameters
from mubo.quantities.units import Units

if TYPE_CHECKING:
    from mubo.model.objectives import Objective
    from mubo.model.optimization import Optimization
    from mubo.model.tolerances import Tolerance


MOVED = ("bodies", "joints", "drivers", "points", "forces", "measures", "initial_joints", "initial_bodies", "events")
PARTS = (*MOVED, "objectives", "tolerances", *(table.part for table in SCHEMAS.values()))
PLAIN = ("name", "units", "dimension", "gravity", "subject", "analysis", "optimization", "origin", "source")
FIELDS = (*PLAIN, *PARTS)
ONE = {"bodies": "body", **{part: part.removesuffix("s") for part in PARTS[1:]}}
TABLES = {
    "gravity": "gravity",
    "subject": "subject",
    **ONE,
    **dict.fromkeys(("initial_joints", "initial_bodies"), "initial"),
    "analysis": "analysis",
}  # of the native file
BODY_FIELDS = ("position", "angle", "orientation", "mass", "inertia", "center")


@dataclass(frozen=True, eq=True)
class ModelDefinition:
    """Bodies, joints, drivers, forces and points of interest of a mechanism, in the plane or in space.

    Nothing changes a model: `replace` and `changed` make another one. A builder makes the first.
    """

    name: str = "mechanism"
    units: Units = field(default_factory=Units)
    dimension: int = 2
    gravity: Vector | None = None
    subject: Detail | None = None  # whose segments bodies are
    bodies: Mapping[str, Body] = field(default_factory=dict)
    joints: Mapping[str, Joint] = field(default_factory=dict)
    drivers: Mapping[str, Driver] = field(default_factory=dict)
    points: Mapping[str, Point] = field(default_factory=dict)
    forces: Mapping[str, Force] = field(default_factory=dict)
    measures: Mapping[str, Measure] = field(default_factory=dict)
    initial_joints: Mapping[str, Initial] = field(default_factory=dict)  # by joint
    initial_bodies: Mapping[str, InitialBody] = field(default_factory=dict)
    events: Mapping[str, EventDefinition] = field(default_factory=dict)
    objectives: Mapping[str, Objective] = field(default_factory=dict)  # numbers of a whole run
    tolerances: Mapping[str, Tolerance] = field(default_factory=dict)  # of parameters, and of pins by joint
    pins: Mapping[str, Detail] = field(default_factory=dict)  # by joint
    sections: Mapping[str, Detail] = field(default_factory=dict)  # by body
    struts: Mapping[str, Detail] = field(default_factory=dict)  # by driver
    materials: Mapping[str, Detail] = field(default_factory=dict)
    outlines: Mapping[str, Detail] = field(default_factory=dict)  # by body
    keepouts: Mapping[str, Detail] = field(default_factory=dict)
    surfaces: Mapping[str, Detail] = field(default_factory=dict)
    contacts: Mapping[str, Detail] = field(default_factory=dict)
    analysis: Analysis | None = None
    optimization: Optimization | None = None  # what [optimize] asks for
    # What the file states beyond this, where its format has more; not a part of the mechanism.
    origin: Origin | None = field(default=None, compare=False)
    source: str = field(default="", compare=False)  # the file it came from, for messages

    def __repr__(self) -> str:
        counts = {part: len(getattr(self, part)) - (part == "bodies") for part in PARTS if part != "initial_joints"}
        parts = [f"{count} {part if count != 1 else ONE[part]}" for part, count in counts.items() if count]
        return f'Model "{self.name}" {self.ambient.words}: {", ".join(parts) or "empty"}'

    @property
    def ambient(self) -> Ambient:
        """The plane or space: what the numbers of a pose, a velocity and a force are there."""
        return AMBIENTS[self.dimension]

    def __post_init__(self) -> None:
        freeze(self, *PARTS)

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}  # what is derived is derived again

    @cached_property
    def derived_values(self) -> dict[str, Any]:
        """Values that later rooms derive from the model once and keep with it: the mechanism, its first position."""
        return {}

    @cached_property
    def structure(self) -> dict[str, Any]:
        """Values that later rooms derive from names, kinds and references alone: variants by numbers share them."""
        return {}

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of names and references, found once; those of names are the same in every variant."""
        found = tuple(check(self, self.structure.get("sound parts")))
        if not found:
            self.structure["sound parts"] = self.bodies, self.joints
        return found

    @cached_property
    def targets(self) -> dict[Any, Any]:
        """The targets of drivers that were asked for, by what they are drivers of."""
        return {}

    @cached_property
    def kinds(self) -> Mapping[str, Element]:
        """The joints that this model may have, by type."""
        return joints_of(self.dimension)

    @cached_property
    def tracked_points(self) -> Mapping[str, Point]:
        """The points whose motion is a column: those of interest, and centres of mass that something names."""
        return tracked_points(self)

    @property
    def parameters(self) -> Parameters:
        """The named numbers by which others may be defined."""
        return self.units.parameters

    @cached_property
    def dependents(self) -> Mapping[Place, Dependent]:
        """Every number that an expression defines, by its place: ("body", "crank", "points", "B", "0")."""
        parts = parts_of(self, TABLES)
        return {place: number for where, part in parts for place, number in numbers_in(part, where)}

    @cached_property
    def dependent_parts(self) -> tuple[tuple[str, str], ...]:
        """Parts in which some number depends on parameters, by field and name; "" where a field is one part."""
        return tuple(
            (field, name)
            for field in TABLES
            for name, part in parts_in(getattr(self, field)).items()
            if any(True for _ in numbers_in(part))
        )

    @property
    def expressions(self) -> Mapping[Place, str]:
        """The expression of every number that has one, by its place."""
        return {place: number.text for place, number in self.dependents.items()}

    def derivatives(self, parameter: str) -> dict[Place, float]:
        """The exact derivative of every number with respect to a parameter, by its place, where it is not zero.

        Mass, centre and inertia of a body as they are solved, from its shape and added masses too, stand under
        ("body", name, "whole", …). In the model's units, angles in radians, per unit of the parameter.
        """
        self.parameters.require(parameter)
        numbers = dict(self.dependents)
        for body in self.bodies.values():
            whole = {key: getattr(body.whole, key) for key in ("mass", "center", "inertia")}
            numbers |= dict(numbers_in(whole, ("body", body.name, "whole")))
        found = {place: number.slope(parameter) for place, number in numbers.items()}
        return {place: slope for place, slope in found.items() if slope}

    @property
    def unused_parameters(self) -> list[str]:
        """Parameters on which no number depends, not even through others."""
        used: set[str] = set().union(*(number.names for number in self.dependents.values()))
        return [name for name in self.parameters if name not in used]

    def output_times(
        self, given: Mapping[str, Any] | None = None, without_end: str = "turn", free: Sequence[str] = ()
    ) -> OutputTimes:
        """The times of the rows that [analysis] asks for, or those given instead; see `model/output_times.py`."""
        return shared_output_times(self, self.structure, given or {}, without_end, free)

    @cached_property
    def start_time(self) -> float:
        """The first time of [analysis]; 0 where there is none."""
        return self.output_times(without_end="start").start if self.analysis is not None else 0.0

    @property
    def where(self) -> str:
        """The file it came from, as messages begin with it."""
        return f"{self.source}: " if self.source else ""

    def place(self, reference: str) -> tuple[str, Vector]:
        """Body and coordinates of "body.point"; of "body" its origin."""
        return point_of(self, reference) if "." in reference else (reference, (0.0,) * self.dimension)

    def changed(self, **parts: Any) -> ModelDefinition:
        """A new model with other parts: model.changed(drivers={...}); the rod of a driver goes with it."""
        rods = {name: rod for name, rod in self.struts.items() if name in parts.get("drivers", self.drivers)}
        return replace(self, **({"struts": rods} | parts if rods != self.struts else parts))

    def replace(self, what: str = "", value: Any = None, /, **parameters: Any) -> ModelDefinition:
        """A new model with one thing changed: "coupler.B" (a point of a body), a field of a body such as "crank.mass",
        a point of interest, "joint.option", "force.option", or the motion of a driver; or with other values of
        parameters, replace(a=0.05), on which all dependent numbers follow."""
        from mubo.model.read_parameters import with_values

        if parameters:
            model = self.variant(
                **at_parameters(self, with_values(self.units, parameters), TABLES, self.dependent_parts)
            )
            model.__dict__["dependent_parts"] = self.dependent_parts
            return model.replace(what, value) if what else model
        head, _, tail = what.partition(".")
        if head in self.bodies and tail in self.bodies[head].points:
            body = self.bodies[head]
            figure = {} if tail in body.figure.get("places", ()) else body.figure
            points = {**body.points, tail: self._vector(value)}
            return self.variant(bodies={**self.bodies, head: replace(body, points=points, figure=figure)})
        if head in self.bodies and tail in BODY_FIELDS:
            body = replace(self.bodies[head], **{tail: self._body_value(tail, value)})
            return self.changed(points=_with_centers(self.points, body, self.dimension))._with("bodies", body)
        if head in self.joints and tail:
            joint = self.joints[head]
            option = read_options(self.units, joint.kind, joint.between, {tail: value}, self.dimension)
            return self._with("joints", replace(joint, options={**joint.options, **option}))
        if head in self.forces and tail:
            force = self.forces[head]
            of = holds_at(self, force.on[0])
            option = read_options(self.units, force.kind, force.on, {tail: value}, self.dimension, "force", of)
            return self._with("forces", replace(force, options={**force.options, **option}))
        if what in self.points:
            point = replace(self.points[what], at=self._vector(value), centered=False)
            return self.variant(points={**self.points, what: point})
        if what in self.drivers:
            return self.variant(
                drivers={**self.drivers, what: replace(self.drivers[what], motion=self._law(what, value))}
            )
        known = [f"{b.name}.{p}" for b in self.bodies.values() for p in b.points]
        raise ModelError(f'there is no "{what}" to replace. {nearest(what, [*known, *self.points])}')

    def variant(self, **parts: Any) -> ModelDefinition:
        """A new model in which numbers and laws differ, and no name, kind or reference."""
        new = self.changed(**parts)
        new.__dict__["structure"] = self.structure
        return new

    def _with(self, part: str, changed: Body | Joint | Point | Driver | Force) -> ModelDefinition:
        return self.changed(**{part: {**getattr(self, part), changed.name: changed}})

    def _law(self, driver: str, value: LawWords) -> Law:
        return read_law(value, self.units, driven_kind(self, self.drivers[driver].of))

    def _body_value(self, name: str, value: Any) -> Any:
        from mubo.model.mass import read_inertia, read_mass

        if name in ("position", "center"):
            return self._vector(value)
        if name == "orientation":
            return read_orientation(self.units, value)
        if name == "inertia":
            return read_inertia(self.units, value, self.dimension)
        return read_mass(self.units, value) if name == "mass" else self.units.read(value, "angle")

    def _vector(self, value: Any) -> Vector:
        return read_vector(self.units, value, "length", self.dimension)


def ground_of(dimension: int) -> Body:
    """The ground, which is at the origin."""
    return Body(GROUND, (0.0,) * dimension)


def _with_centers(points: Mapping[str, Point], body: Body, dimension: int) -> dict[str, Point]:
    """The points of interest with those at the centre of mass of a body where that centre is now."""
    return {
        name: replace(point, at=center_of(body, dimension)) if point.centered and point.body == body.name else point
        for name, point in points.items()
    }
