"""Coordinates of joints and places of points: how many, what each is, what its columns are called.

`crank.center` is the centre of mass of a body, wherever a point of it may stand. Its motion has columns where a
measure, a load, an event or an objective names one of them; [point.G] with at = "center" has them in every table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mubo.elements import COORDINATES, Element, driver_of, loads_of
from mubo.errors import ModelError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.model.parts import GROUND, STANDS_FOR, Body, Force, Joint, Parts, Point, Vector

CENTER = "center"
_CENTER_COLUMN = re.compile(rf"\b([A-Za-z_]\w*)\.{CENTER}\.[va]?[xyz]\b")


@dataclass(frozen=True)
class JointDof:
    """One entry of a joint's stack of unit motions: "turn", "slide", "screw" or "ball", about or along an axis."""

    kind: str
    axis: str = ""  # x, y or z of the joint's frame
    euler: str = ""  # of a ball whose coordinates are Euler angles

    @property
    def q(self) -> tuple[str, ...]:
        """The quantity of each coordinate: "angle", "length" or "number"."""
        if self.kind == "ball":
            return ("angle",) * 3 if self.euler else ("number",) * 4
        return ("length",) if self.kind == "slide" else ("angle",)

    @property
    def zero(self) -> tuple[float, ...]:
        """The coordinates where the joint's two frames fall together."""
        return (1.0, 0.0, 0.0, 0.0) if self.kind == "ball" and not self.euler else (0.0,) * len(self.q)

    @property
    def v(self) -> tuple[str, ...]:
        """The quantity of each rate. The rates of a ball without Euler angles are the angular velocity in the axes of
        the joint's frame on the second body, which are the body's own where neither `axis` nor `zero` is given."""
        return ("angle",) * 3 if self.kind == "ball" else self.q


def joint_dofs(model: Parts, joint: Joint) -> tuple[JointDof, ...]:
    """The stack of unit motions of a joint, of three and more ends one stack after the other; empty for a weld and for
    joints that are no hinge of a tree."""
    element = model.kinds[joint.kind]
    if not element.hinge:
        return ()
    motions = [(*entry.split(), "")[:2] for entry in element.dofs]
    euler = joint.options.get("euler") or ""
    return tuple(JointDof(kind, axis, euler if kind == "ball" else "") for kind, axis in motions) * len(joint.arms)


def planar_dof(model: Parts, joint: Joint) -> JointDof | None:
    """The one coordinate that a planar joint of two ends has in tables; None where it has none."""
    coordinate = model.kinds[joint.kind].coordinate if joint.kind in model.kinds else ""
    if not coordinate or len(joint.between) != 2:
        return None
    return JointDof("turn", "z") if coordinate == "angle" else JointDof(coordinate, "x")


def reported_dofs(model: Parts, joint: Joint) -> tuple[JointDof, ...]:
    """The degrees of freedom of a joint whose coordinates are columns: in space all, in the plane one at most; none of
    a joint in the place of a contact."""
    if STANDS_FOR in joint.options:
        return ()
    if model.dimension == 3:
        return joint_dofs(model, joint)
    one = planar_dof(model, joint)
    return (one,) if one else ()


def holds_of(model: Parts, joint: Joint, rates: bool = False) -> tuple[str, ...]:
    """The quantity of each coordinate (or rate) of a joint: "angle", "length" or "number"."""
    return tuple(word for f in reported_dofs(model, joint) for word in (f.v if rates else f.q))


def column_names(count: int, letter: str) -> tuple[str, ...]:
    """q for one coordinate; q1, q2, … for several."""
    return (letter,) if count == 1 else tuple(f"{letter}{k + 1}" for k in range(count))


def coordinate_names(model: Parts, joint: Joint) -> tuple[str, ...]:
    """Names of the coordinates of a joint in tables: q, or q1, q2, …"""
    return column_names(len(holds_of(model, joint)), "q")


def coordinate_of(model: Parts, of: str) -> tuple[Joint, int]:
    """The joint and the number of the coordinate meant by "A" or "A.q2"."""
    name, dot, picked = of.partition(".")
    if name not in model.joints:
        raise ModelError(f'there is no joint "{name}". {nearest(name, model.joints)}')
    joint = model.joints[name]
    names = coordinate_names(model, joint)
    if not names and model.dimension == 2 and len(joint.between) > 2:
        raise ModelError(f'joint "{name}" joins {len(joint.between)} bodies: write it as joints of two ends each')
    if not names:
        raise ModelError(f'joint "{name}" is {model.kinds[joint.kind].summary}: it has no coordinate')
    if not dot and len(names) > 1:
        raise ModelError(f'joint "{name}" has {len(names)} coordinates: write "{name}.q1" to "{name}.q{len(names)}"')
    if dot and picked not in names:
        raise ModelError(f'joint "{name}" has no coordinate "{picked}". Allowed: {", ".join(names)}.')
    return joint, names.index(picked) if dot else 0


def holds_at(model: Parts, of: str) -> str:
    """The quantity of the coordinate "A" or "A.q2"; empty where there is none, which the check reports."""
    try:
        joint, number = coordinate_of(model, of)
    except ModelError:
        return ""
    return holds_of(model, joint)[number]


def size_holds(model: Parts, force: Force) -> str:
    """The quantity of the size of a load: "force" or "torque"."""
    element = loads_of(model.dimension)[force.kind]
    if element.key == "of":
        return "torque" if holds_at(model, force.on[0]) == "angle" else "force"
    return "torque" if element.key == "body" or element.ends == "body" else "force"


def grounded(model: Parts) -> tuple[str, ...]:
    """Names of the bodies that cannot move: the ground first, then those that a joint fixes where they are drawn.

    Joints of unknown kinds, which are reported elsewhere, fix nothing.
    """
    joints = (j for j in model.joints.values() if j.kind in model.kinds and j.between)
    return (GROUND, *(j.between[0] for j in joints if model.kinds[j.kind].anchors))


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
        """The quantity of the driver's value: "angle" or "length"."""
        return "angle" if self.picked == "phi" or self.element.turns else "length"


def target_of(model: Parts, of: Of) -> Target:
    """The target of a driver, which a frozen model keeps; raises ModelError with the nearest right word."""
    kept = model.targets
    if kept is None:
        return _find_target(model, of)
    if of not in kept:
        kept[of] = _find_target(model, of)
    found: Target = kept[of]
    return found


def _find_target(model: Parts, of: Of) -> Target:
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
    place = point_of_body(model.bodies[body], point_name, model.dimension)
    if place is None:
        known = [*model.bodies[body].points, CENTER]
        raise ModelError(f'body "{body}" has no point "{point_name}". {nearest(point_name, known)}')
    return body, place


def point_of_body(body: Body, name: str, dimension: int) -> Vector | None:
    """The place of a named point of a body, or of its centre of mass; None where there is no such point."""
    if name in body.points:
        return body.points[name]
    return center_of(body, dimension) if name == CENTER else None


def center_of(body: Body, dimension: int) -> Vector:
    """The centre of mass in body axes; raises where the body has no mass."""
    if not body.weighs and not body.center:
        raise ModelError(
            f'body "{body.name}" has no mass, so that "{body.name}.{CENTER}" is no point',
            names=[body.name],
            suggestion="Give its mass, or a shape with a density.",
        )
    return body.whole.center or (0.0,) * dimension


def tracked_points(model: Parts) -> dict[str, Point]:
    """The points whose motion is a column: those of interest, and centres of mass that something names."""
    found = dict(model.points)
    for text in _formulas(model):
        for name in _CENTER_COLUMN.findall(text):
            if name in model.bodies and f"{name}.{CENTER}" not in found:
                place = center_of(model.bodies[name], model.dimension)
                found[f"{name}.{CENTER}"] = Point(f"{name}.{CENTER}", name, place, centered=True)
    return found


def _formulas(model: Parts) -> Iterator[str]:
    """Every text of a model in which a column may be named."""
    for measure in model.measures.values():
        yield from measure.on
    for event in model.events.values():
        yield event.of
    for objective in model.objectives.values():
        yield objective.of
    for force in model.forces.values():
        for option in force.options.values():
            yield from getattr(option, "names", ())


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
