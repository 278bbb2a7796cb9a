"""Loads of a scene: springs between points and around joints; forces, torques, reactions, weights, efforts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.model import GROUND, Driver, target_of
from mubo.model.coordinates import reported_dofs
from mubo.model.parts import STANDS_FOR
from mubo.results import Run
from mubo.solvers.forces.reaction import vectors_to_contact
from mubo.view.scene.actions import BodyPoint, Load
from mubo.view.scene.data import Kind, Paint, SceneReach, SceneShape, Stretch
from mubo.view.scene.motion import place
from mubo.view.scene.plan import Plan
from mubo.view.scene.sites import Acts, Site, driven_pin, joint_site, site_between
from mubo.view.scene.supports import stand

Drawn = list[SceneShape | SceneReach]
UNSIZED = 0.12  # of the whole motion: the arrow of a load whose size is not known
TURNED = 1e-6  # of the largest step: what counts as turning back


def spring(site: Site) -> Drawn:
    """A coil spring between the points, on a stand where it is in the frame."""
    wire = SceneShape(Kind.SPRING, site.label, site.label, {"radius": 1.8 * site.plan.thick}, Paint.INK, Stretch.ALONG)
    return [*stand(site), *connect_ends(site, wire)]


def coil(site: Site) -> Drawn:
    """A spring wound around a joint."""
    numbers = {"at": site.first.at, "radius": 2.8 * site.plan.thick, **site.plan.ambient.about(_dof_axis(site))}
    return [site.put(Kind.COIL, site.first, Paint.LOAD, **numbers)]


def arrow(site: Site) -> Drawn:
    """A force of unknown size along its direction; one of known size is an arrow to scale."""
    return _unsized_force(site, _direction(site))


def torque(site: Site) -> Drawn:
    """A torque of unknown size about its direction."""
    return _unsized_torque(site, _direction(site))


def effort(site: Site) -> Drawn:
    """A force of unknown size along the coordinate of a joint, or a torque about it."""
    rows = _in_ground(site, _dof_axis(site))
    return _unsized_force(site, rows) if _slides(site) else _unsized_torque(site, rows)


def site_loads(site: Site) -> list[Load]:
    """The forces and torques of a load of known size, in ground axes: on the second body, along a line on both."""
    if site.values is None:
        return []
    if site.acts == Acts.LINE:
        return _along_line(site)
    along = site.acts == Acts.COORDINATE
    direction = _in_ground(site, _dof_axis(site)) if along else _direction(site)
    pushes = site.acts == Acts.POINT or (along and _slides(site))
    flat = not (pushes or site.plan.ambient.solid)  # a torque of the plane is one number
    values = site.values[:, None] * (1.0 if flat else direction)
    by = site.first.body if site.first.body != site.second.body else ""
    return [_load(site, site.second, values, "force" if pushes else "torque", by)]


def _along_line(site: Site) -> list[Load]:
    """Forces along the line of two points on both of their bodies that move."""
    assert site.values is not None
    first, second = (site.plan.places_of(end) for end in (site.first, site.second))
    gap = second - first
    length = np.linalg.norm(gap, axis=1, keepdims=True)
    direction = (-1.0 if site.pulls else 1.0) * site.values[:, None] * gap / np.where(length > 0, length, 1.0)
    ends = ((site.first, -direction), (site.second, direction))
    return [_load(site, end, values, "force") for end, values in ends if end.body not in site.plan.standing]


def _slides(site: Site) -> bool:
    return site.dof.startswith("slide")


def senses_of(steps: Array) -> tuple[float, ...]:
    """1 where steps are positive, −1 where they are negative; both where they are both."""
    known = steps[np.isfinite(steps)]
    far = float(np.max(np.abs(known), initial=0.0))
    return tuple(s for s in (1.0, -1.0) if np.any(s * known > TURNED * far)) or (1.0,)


def connect_ends(site: Site, *shapes: SceneShape) -> Drawn:
    """Shapes that hang on the reach from the first end to the second."""
    over = site.plan.layer(*site.bodies)
    return [SceneReach(site.label, site.first, site.second), *(replace(s, heights=over) for s in shapes)]


def _dof_axis(site: Site) -> Array:
    """The axis of the coordinate that a load acts on; the main axis for a ball."""
    number = "xyz".find(site.dof.partition(" ")[2] or "?")
    return np.asarray(site.axes[:, number]) if 0 <= number < len(site.axes) else site.axis


def _direction(site: Site) -> Array:
    """The direction of a load in ground axes, one row per time; of a torque in the plane any."""
    if site.direction is not None:
        return site.direction
    direction = np.array(site.options.get("direction", np.eye(site.plan.dimension)[0]), float)
    direction /= np.linalg.norm(direction)
    if site.turned is None:
        return np.tile(direction, (site.plan.count, 1))
    return _in_ground(site, direction, (site.first, site.second)[site.turned])


def _in_ground(site: Site, direction: Array, end: BodyPoint | None = None) -> Array:
    """A direction of the body of an end, of the first where none is named, in ground axes, one row per time."""
    rows = site.plan.rows((end or site.first).body)
    turned = place(rows, tuple(direction))[:, 0] - rows[:, : site.plan.dimension]
    return np.asarray(np.broadcast_to(turned, (site.plan.count, site.plan.dimension)))


def _load(site: Site, end: BodyPoint, values: Array, holds: str, by: str = "") -> Load:
    return Load(f"{site.label} on {end.body}", end, values, holds, end.body, by=by)


def _unsized_force(site: Site, direction: Array) -> Drawn:
    if site.values is not None:
        return []
    shape = SceneShape(Kind.ARROW, site.label, site.label, {"length": 1.0, "radius": 0.03}, Paint.LOAD, Stretch.ALL)
    return _attach_shape(site, UNSIZED * site.plan.reach * direction, shape)


def _unsized_torque(site: Site, direction: Array) -> Drawn:
    if site.values is not None:
        return []
    numbers = {"radius": max(3.6 * site.plan.thick, 0.03 * site.plan.reach), "senses": (1.0,)}
    if not site.plan.ambient.solid:
        return [site.put(Kind.TURN, site.second, Paint.LOAD, at=site.second.at, **numbers)]
    numbers |= {"at": np.zeros(3), "axis": np.eye(3)[2]}
    return _attach_shape(
        site, site.plan.thick * direction, SceneShape(Kind.TURN, site.label, site.label, numbers, Paint.LOAD)
    )


def _attach_shape(site: Site, along: Array, shape: SceneShape) -> Drawn:
    """A shape on a reach from the second end along an arrow."""
    return [SceneReach(site.label, site.second, along=along), replace(shape, heights=site.plan.layer(*site.bodies))]


def reactions(plan: Plan, run: Run) -> Iterator[Load]:
    """Forces and moments of joints on bodies, where the run has them. Of a joint in the frame only that on the body
    that moves: the frame feels the opposite."""
    places = () if run.record.forces is None else run.record.forces.places
    moving = {place.joint for place in places if place.body not in plan.standing}
    counts = Counter(place.joint for place in places)
    made = {name for name, joint in plan.model.joints.items() if STANDS_FOR in joint.options}
    for at in places:
        if (at.body in plan.standing and at.joint in moving) or at.joint in made:
            continue
        start = vectors_to_contact(plan.model, run.columns, at) if at.wanders else None
        columns = [column for column in run.columns.of_kind("reaction", at.owner) if column.quantity != "f"]
        for holds, name in (("force", at.owner), ("torque", f"{at.owner} moment")):
            own = [column for column in columns if column.holds == holds]
            if own:
                values = np.column_stack([run[column.name] for column in own])
                end, unique = BodyPoint(at.carrier, at.point), all(column.unique for column in own)
                by = at.others[0] if counts[at.joint] == 1 and len(at.others) == 1 else ""
                yield Load(f"reaction {name}", end, values, holds, at.body, True, unique, by, start)


def contact_forces(plan: Plan, run: Run) -> Iterator[Load]:
    """Forces of contacts between two bodies where they act: at the contact, or at the centre of pressure of several
    points. Of more than two surfaces the columns state no pairs, so that nothing is drawn."""
    letters = "xyz"[: plan.dimension]
    for name in dict.fromkeys(column.owner for column in run.columns.of_kind("contact")):
        bodies = _bodies_in_contact(run, name)
        if len(bodies) != 2 or f"{name}.f{letters[0]}" not in run.columns:
            continue
        values, at = (np.column_stack([run[f"{name}.{word}{x}"] for x in letters]) for word in ("f", ""))
        unique = all(run.columns.column(f"{name}.f{x}").unique for x in letters)
        end = BodyPoint(GROUND, (0.0,) * plan.dimension)
        yield Load(f"contact {name}", end, values, "force", bodies[0], True, unique, bodies[1], at)


def _bodies_in_contact(run: Run, name: str) -> tuple[str, ...]:
    """The two bodies of a contact, that on which its columns state the force first."""
    model = run.model
    for joint in model.joints.values():
        kept = joint.options.get(STANDS_FOR)
        if kept is not None and kept.contact == name:
            return (kept.body, kept.on) if kept.sense > 0 else (kept.on, kept.body)
    contact = model.contacts.get(name)
    if contact is None:
        return ()
    if contact["rope"] is not None:
        return tuple(end.partition(".")[0] for end in contact["rope"])
    return tuple(model.surfaces[one]["body"] for one in contact["between"] or ())


def weights(plan: Plan, run: Run) -> Iterator[Load]:
    """The weights of bodies that move, at their centres of mass, in a run with forces."""
    model = plan.model
    if run.record.forces is None or model.gravity is None or not any(model.gravity):
        return
    for name, written in model.bodies.items():
        body = written.whole
        if name not in plan.standing and body.mass:
            end = BodyPoint(name, tuple(body.center or (0.0,) * plan.dimension))
            yield Load(
                f"weight {name}",
                end,
                np.tile(body.mass * np.array(model.gravity, float), (plan.count, 1)),
                "force",
                name,
            )


def efforts(plan: Plan, run: Run) -> Iterator[Load]:
    """The actuator forces and torques of drivers, on the bodies that they move."""
    for driver in plan.model.drivers.values():
        if f"{driver.name}.effort" in run.columns:
            yield from _effort(plan, driver, {"values": run[f"{driver.name}.effort"]})


def _effort(plan: Plan, driver: Driver, values: dict[str, Any]) -> list[Load]:
    model, label = plan.model, f"driver {driver.name} effort"
    target = target_of(model, driver.of)
    if target.joint:
        joint = model.joints[target.joint].arms[target.arm]
        dofs = [entry for f in reported_dofs(model, joint) for entry in (f"{f.kind} {f.axis}",) * len(f.q)]
        more = {**values, "dof": dofs[target.number].strip(), "acts": Acts.COORDINATE}
        return site_loads(joint_site(plan, joint, model.kinds[joint.kind], label, **more))
    if len(target.bodies) == 2:
        first, second = (BodyPoint(*end) for end in zip(target.bodies, target.points, strict=True))
        return site_loads(site_between(plan, label, driver.name, first, second, acts=Acts.LINE, **values))
    (body,) = target.bodies
    if target.holds == "angle":
        pin = driven_pin(plan, body)
        end = BodyPoint(body, (0.0, 0.0)) if pin is None else BodyPoint(*model.place(pin))
        return [Load(label, end, values["values"][:, None], "torque", body)]
    direction = np.eye(plan.dimension)["xyz".index(target.picked)]
    end = BodyPoint(body, target.points[0] if target.points else (0.0,) * plan.dimension)
    return [Load(label, end, values["values"][:, None] * direction, "force", body)]
