"""What a driver drives: a body coordinate, a joint, the distance of two points, or a coordinate of a point."""

from __future__ import annotations

from dataclasses import dataclass

from mubo.elements import COORDINATES, Element, driver_of
from mubo.errors import ModelError, nearest
from mubo.model.coordinates import coordinate_of, holds_of, joint_dofs
from mubo.model.parts import Joint, Parts, Vector

Of = str | tuple[str, str]


@dataclass(frozen=True)
class Target:
    """The element of the driver registry, the bodies and points it acts on, and what it moves."""

    element: Element
    bodies: tuple[str, ...]
    points: tuple[Vector, ...] = ()
    picked: str = ""  # x, y or phi; in space x, y, z of the ground or of the joint's frame
    axis: Vector | None = None
    joint: str = ""  # the joint whose coordinate it is, which DOF of which of its arms
    number: int = 0
    arm: int = 0

    @property
    def holds(self) -> str:
        """What the driver's value is: an "angle" or a "length"."""
        return "angle" if self.picked == "phi" or self.element.turns else "length"


def target_of(model: Parts, of: Of) -> Target:
    """The target of a driver; raises ModelError with the nearest right word."""
    space, letters = model.dimension == 3, "xyz"[: model.dimension]
    if isinstance(of, tuple):
        return _distance(model, of)
    head, _, tail = of.partition(".")
    if not tail or (space and head in model.joints):
        return _spatial_joint(model, of) if space else _joint(model, head)
    if head in model.bodies and not space and tail in COORDINATES:
        return Target(driver_of(2, "coordinate"), (head,), picked=tail)
    if head in model.bodies and tail in letters:
        return Target(driver_of(3, "place"), (head,), ((0.0, 0.0, 0.0),), tail)
    name, _, picked = of.rpartition(".")
    if picked in letters and (head in model.points or head in model.bodies):
        body, at = point_of(model, name)
        return Target(driver_of(model.dimension, "place"), (body,), (at,), picked)
    if head in model.bodies:
        written = [f'"{head}.x"'] if space else [f'"{head}.{letter}"' for letter in COORDINATES]
        listed = " or ".join(filter(None, (", ".join(written[:-1]), written[-1])))
        raise ModelError(f'"{of}" is not a coordinate of a body: write {listed}, or "{head}.POINT.x"')
    what, known = ("joint or body", model.joints) if space else ("body", ())
    raise ModelError(f'there is no {what} "{head}". {nearest(head, [*known, *model.bodies, *model.points])}')


def _distance(model: Parts, of: tuple[str, ...]) -> Target:
    if len(of) != 2:
        raise ModelError(f"between needs 2 points; found {len(of)}")
    (first, at), (second, on) = (point_of(model, reference) for reference in of)
    if first == second:
        raise ModelError(f'both points are on "{first}": their distance cannot change')
    return Target(driver_of(model.dimension, "distance"), (first, second), (at, on))


def point_of(model: Parts, reference: str) -> tuple[str, Vector]:
    """Body and place of "body.point", or of a point of interest."""
    if reference in model.points:
        point = model.points[reference]
        return point.body, point.at
    body, _, point_name = reference.partition(".")
    if body not in model.bodies:
        raise ModelError(f'there is no body "{body}". {nearest(body, [*model.bodies, *model.points])}')
    points = model.bodies[body].points
    if point_name not in points:
        raise ModelError(f'body "{body}" has no point "{point_name}". {nearest(point_name, points)}')
    return body, points[point_name]


def _joint(model: Parts, name: str) -> Target:
    if name not in model.joints:
        known = [j.name for j in model.joints.values() if j.kind in model.kinds and model.kinds[j.kind].coordinate]
        raise ModelError(f'there is no joint "{name}" to drive. {nearest(name, known)}')
    joint = model.joints[name]
    element = model.kinds[joint.kind]
    if not element.coordinate:
        raise ModelError(f'joint "{name}" is {element.summary}: it has no angle or slide to drive')
    if len(joint.between) != 2:
        raise ModelError(f'joint "{name}" joins {len(joint.between)} bodies: drive an angle of one of them instead')
    (first, at), (second, on) = (point_of(model, reference) for reference in joint.between)
    driver = driver_of(2, element.coordinate)
    if driver.turns:
        return Target(driver, (first, second), joint=name)
    return Target(driver, (first, second), (at, on), axis=axis_of(model, joint), joint=name)


def axis_of(model: Parts, joint: Joint) -> Vector:
    """The axis of a planar joint in its first body: as written, else as its kind declares, else x of that body."""
    declared = [o.default for o in model.kinds[joint.kind].options if o.name == "axis" and o.default]
    x, y = joint.options.get("axis", declared[0] if declared else (1.0, 0.0))
    return x, y


def _spatial_joint(model: Parts, of: str) -> Target:
    if of.partition(".")[0] not in model.joints:
        known = [*model.joints, *model.bodies, *model.points]
        raise ModelError(f'there is no joint or body "{of}". {nearest(of, known)}')
    joint, number = coordinate_of(model, of)
    if len(joint.between) < 2:
        raise ModelError(f'joint "{joint.name}" has one end: it joins nothing')
    arm, number = divmod(number, len(holds_of(model, joint.arms[0])))
    joint = joint.arms[arm]
    dofs = joint_dofs(model, joint)
    if any(dof.kind == "ball" for dof in dofs[: number + 1]):
        raise ModelError(
            f'joint "{joint.name}" turns about a ball: its angles cannot be driven; use a distance of points'
        )
    dof = dofs[number]
    (first, at), (second, on) = (point_of(model, reference) for reference in joint.between)
    places = ((first, second), (at, on))
    return Target(driver_of(3, dof.kind), *places, dof.axis, joint=joint.name, number=number, arm=arm)
