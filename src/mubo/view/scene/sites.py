"""Where joints, loads and drivers of a distance act: two ends, the axes of the joint, how far it slides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import Enum, auto
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.elements import Element, loads_of
from mubo.geometry.rotation import matrix
from mubo.laws import Law
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.frames import axes_of
from mubo.mechanism.loads import TURNED_WITH
from mubo.model import GROUND, Force, Joint, ModelDefinition, target_of
from mubo.model.coordinates import axis_of, coordinate_of, point_of, reported_dofs
from mubo.model.parts import STANDS_FOR
from mubo.results import Run
from mubo.view.scene.actions import BodyPoint
from mubo.view.scene.data import Kind, Paint, SceneShape
from mubo.view.scene.motion import place
from mubo.view.scene.plan import Plan


class Acts(Enum):
    """How a load acts: on a point along a direction, along the line of two points, about a direction on a body, along
    the coordinate of a joint."""

    POINT = auto()
    LINE = auto()
    TURN = auto()
    COORDINATE = auto()


THROUGH = (Kind.PIN, Kind.BOX, Kind.BALL, Kind.TURN, Kind.COIL)


@dataclass(frozen=True)
class Teeth:
    """The module of all teeth, and the angles at which wheels (body, radius) that were drawn have a tooth."""

    module: float
    phases: dict[tuple[str, float], float] = field(default_factory=dict)


@dataclass(frozen=True)
class Site:
    """An element between two places; `axes` are the joint's in the first body, as columns, `on_second` in the second.

    `low` and `high` are the least and greatest place of the second end in these axes, seen from the first. A load has
    the `values` of its law, one per row, and for the coordinate of a joint its degree of freedom: "turn z".
    """

    plan: Plan
    label: str
    element: str
    glyph: str
    first: BodyPoint
    second: BodyPoint
    axes: Array
    on_second: Array
    low: Array
    high: Array
    options: Mapping[str, Any] = field(default_factory=dict)
    bodies: tuple[str, ...] = ()
    driven: bool = False
    values: Array | None = None
    dof: str = ""
    teeth: Teeth | None = None
    turned: int | None = None  # of a load: the end with whose body its direction turns
    acts: Acts | None = None
    pulls: bool = False  # of a load along a line: its size is positive where it pulls the ends together
    direction: Array | None = None  # of a load that the motion directs: its direction in ground axes, one per row

    @property
    def axis(self) -> Array:
        """The direction along which it slides or about which it turns, in the first body's axes."""
        return np.asarray(self.axes[:, self.plan.ambient.main])

    @property
    def travel(self) -> tuple[float, float]:
        """Least and greatest slide along the axis."""
        k = self.plan.ambient.main
        return float(self.low[k]), float(self.high[k])

    @property
    def grounded(self) -> bool:
        return bool({self.first.body, self.second.body} & self.plan.standing)

    @property
    def moving(self) -> BodyPoint:
        """The end that moves, the second if both do."""
        return self.first if self.second.body in self.plan.standing else self.second

    def paint(self, end: BodyPoint) -> Paint:
        """The paint of a shape at an end: that of the frame, or of its moving body."""
        return Paint.FRAME if end.body in self.plan.standing else Paint.OWN

    def put(
        self, kind: Kind, end: BodyPoint, paint: Paint = Paint.STEEL, of: str = "", /, **numbers: Any
    ) -> SceneShape:
        """A shape of this element fixed in the body of one end; pins and blocks go through the layers of all bodies."""
        over = self.plan.layer(*(self.bodies if kind in THROUGH else (end.body,)))
        return SceneShape(kind, f"{self.label} {of}".rstrip(), end.body, numbers, paint, heights=over)


def joint_sites(plan: Plan, teeth: Teeth) -> Iterator[Site]:
    """Joints between bodies, and drivers of a distance as rams between their points."""
    driven = _driven(plan)
    for joint in plan.model.joints.values():
        element = plan.model.kinds[joint.kind]
        if element.key == "between" and STANDS_FOR not in joint.options:
            yield joint_site(plan, joint, element, f"joint {joint.name}", driven=joint.name in driven, teeth=teeth)
    for driver in plan.model.drivers.values():
        if isinstance(driver.of, tuple):
            first, second = (BodyPoint(*point_of(plan.model, reference)) for reference in driver.of)
            label = f"driver {driver.name}"
            yield site_between(plan, label, driver.name, first, second, glyph="ram", driven=True)


def site_between(
    plan: Plan, label: str, element: str, first: BodyPoint, second: BodyPoint, glyph: str = "", **more: Any
) -> Site:
    """The site of what acts between two points."""
    return _site(plan, label, element, glyph, first, second, np.eye(plan.dimension), **more)


def joint_site(plan: Plan, joint: Joint, element: Element, label: str, **more: Any) -> Site:
    """The site of a joint; `more` are further fields."""
    model = plan.model
    if element.ends == "body":
        carrier = joint.options.get("carrier", GROUND)
        first, second = (BodyPoint(body, shaft(plan, body, carrier)) for body in joint.between[:2])
    else:
        first, second = (BodyPoint(*model.place(reference)) for reference in joint.between[:2])
    bodies = tuple(reference.partition(".")[0] for reference in joint.between)
    axes = _axes(model, joint)
    given = {"glyph": element.glyph, "options": joint.options, "bodies": bodies, **more}
    return _site(plan, label, joint.name, given.pop("glyph"), first, second, axes, **given)


def load_sites(plan: Plan, run: Run) -> Iterator[Site]:
    """Loads: between two points, at a point, on a body, or on the coordinate of a joint, as they are written."""
    model = plan.model
    for force in model.forces.values():
        element, label = loads_of(model.dimension)[force.kind], f"force {force.name}"
        values = _values(run, element, force)
        more: dict[str, Any] = {"options": force.options, "values": values, "pulls": element.formula.pulls}
        if element.key == "of":
            joint, number = coordinate_of(model, force.on[0])
            words = [entry for f in reported_dofs(model, joint) for entry in (f"{f.kind} {f.axis}",) * len(f.q)]
            more |= {"glyph": element.glyph, "dof": words[number].strip(), "acts": Acts.COORDINATE}
            yield joint_site(plan, joint, model.kinds[joint.kind], label, **more)
            continue
        more["turned"] = TURNED_WITH.get(force.options.get("axes", ""), 0 if element.ends == "body" else None)
        ends = _ends(plan, force)
        turns = element.key == "body" or element.ends == "body"
        more["acts"] = Acts.TURN if turns else Acts.LINE if len(ends) == 2 else Acts.POINT
        if element.formula.medium:
            more["direction"] = _against(plan, run, ends[0], force.options.get(element.formula.medium, ()))
        yield _site(plan, label, force.name, element.glyph, ends[0], ends[-1], np.eye(model.dimension), **more)


def _ends(plan: Plan, force: Force) -> list[BodyPoint]:
    """Where a load acts: at points, on bodies at their centres, between two bodies at the joint between them."""
    model = plan.model
    for joint in plan.features.joints.get(force.on[0], ()) if len(force.on) == 2 else ():
        joined = {end.partition(".")[0]: end for end in joint.between if "." in end}
        if set(force.on) <= set(joined):
            return [BodyPoint(*model.place(joined[body])) for body in force.on]
    return [
        BodyPoint(r, tuple(plan.centre(r))) if r in model.bodies else BodyPoint(*point_of(model, r)) for r in force.on
    ]


def _against(plan: Plan, run: Run, end: BodyPoint, medium: tuple[float, ...]) -> Array | None:
    """The direction against the velocity of a place in a medium, one per row, zero where it rests in it; None where the
    run has no velocities."""
    size = plan.dimension
    velocity = np.zeros((plan.count, size)) - (medium or (0.0,) * size)
    if end.body not in plan.standing:
        if f"{end.body}.vx" not in run.columns:
            return None
        arm = plan.places_of(end) - plan.rows(end.body)[:, :size]
        rates = np.column_stack([run.columns.raw(f"{end.body}.{word}") for word in run.model.ambient.twist])
        velocity, spin = velocity + rates[:, :size], rates[:, size:]
        velocity += spin * np.column_stack([-arm[:, 1], arm[:, 0]]) if size == 2 else np.cross(spin, arm)
    speed = np.linalg.norm(velocity, axis=1, keepdims=True)
    return np.asarray(-velocity / np.where(speed > 0, speed, 1.0))


def shaft(plan: Plan, body: str, carrier: str) -> tuple[float, ...]:
    """Where a wheel turns on its carrier: their common pin, else a pin of the body, else its origin."""
    return next((plan.model.place(ends[body])[1] for ends in pins(plan, body, carrier)), (0.0,) * plan.dimension)


def pins(plan: Plan, body: str, carrier: str) -> list[dict[str, str]]:
    """Ends by body of the joints in which a body turns about a pin, those with the carrier first."""
    out = []
    for joint in plan.features.joints.get(body, ()):
        dofs = plan.model.kinds[joint.kind].dofs
        if len(dofs) == 1 and dofs[0].startswith("turn"):
            out.append({end.partition(".")[0]: end for end in joint.between})
    return sorted(out, key=lambda ends: carrier not in ends)


def _site(
    plan: Plan, label: str, element: str, glyph: str, first: BodyPoint, second: BodyPoint, axes: Array, **more: Any
) -> Site:
    """A site with the travel of its second end, and its axes on the second body."""
    zero = more.get("options", {}).get("zero")
    turned = plan.axes(second.body).T @ plan.axes(first.body) if zero is None else matrix(zero).T
    base = plan.rows(first.body)
    frame = [place(base, np.array(first.at) + axis)[:, 0] - place(base, first.at)[:, 0] for axis in axes.T]
    gap = place(plan.rows(second.body), second.at)[:, 0] - place(base, first.at)[:, 0]
    seen = np.column_stack([np.sum(gap * axis, axis=1) for axis in frame])
    seen = seen[np.isfinite(seen).all(axis=1)]
    low, high = (seen.min(axis=0), seen.max(axis=0)) if len(seen) else (np.zeros(len(axes)), np.zeros(len(axes)))
    more.setdefault("bodies", (first.body, second.body))
    return Site(plan, label, element, glyph, first, second, axes, turned @ axes, low, high, **more)


def _axes(model: ModelDefinition, joint: Joint) -> Array:
    """The axes of a joint in its first body: x along `axis` in the plane, z in space; x and y along two `axes`."""
    if model.dimension == 2:
        u = np.array(axis_of(model, joint), float)
        u /= np.hypot(*u)
        return np.array([[u[0], -u[1]], [u[1], u[0]]])
    return axes_of(joint)


def _driven(plan: Plan) -> set[str]:
    """Joints that a driver moves: named by it, or the pin on which a driven body turns in the frame."""
    model, out = plan.model, set()
    for driver in model.drivers.values():
        if isinstance(driver.of, tuple):
            continue
        head, _, picked = driver.of.partition(".")
        target = target_of(model, driver.of)
        if head in model.joints and (target.joint or not picked):
            out.add(head)
        elif target.holds == "angle" and target.bodies == (head,):
            out |= {joint.name for joint in _pins_in_frame(plan, head)[:1]}
    return out


def driven_pin(plan: Plan, body: str) -> str | None:
    """The point of a driven body that is on its pin in the frame; None where it has none."""
    ends = (end for joint in _pins_in_frame(plan, body) for end in joint.between)
    return next((end for end in ends if end.partition(".")[0] == body), None)


def _pins_in_frame(plan: Plan, body: str) -> list[Joint]:
    turning = [set(pin) for pin in pins(plan, body, GROUND)]
    joints = ((joint, {end.partition(".")[0] for end in joint.between}) for joint in plan.features.joints.get(body, ()))
    return [joint for joint, ends in joints if ends & plan.standing and ends in turning]


def _values(run: Run, element: Element, force: Force) -> Array | None:
    """The size of a load at the rows of the run: as the run has it, else by its law of time; None where neither is."""
    for column in run.columns.of_kind("load", force.name):
        if column.holds in ("force", "torque"):
            return run[column.name]
    for option in element.options:
        if option.holds == "law" and isinstance(law := force.options.get(option.name), Law):
            return law.values(run["t"])
    return None
