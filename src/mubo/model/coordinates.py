"""Coordinates of a joint: how many, what each is, what its columns are called."""

from __future__ import annotations

from dataclasses import dataclass

from mubo.elements import loads_of
from mubo.errors import ModelError, nearest
from mubo.model.parts import GROUND, Force, Joint, Parts


@dataclass(frozen=True)
class JointDof:
    """One entry of a joint's stack of unit motions: "turn", "slide", "screw" or "ball", about or along an axis."""

    kind: str
    axis: str = ""  # x, y or z of the joint's frame
    euler: str = ""  # of a ball whose coordinates are Euler angles

    @property
    def q(self) -> tuple[str, ...]:
        """What each coordinate holds."""
        if self.kind == "ball":
            return ("angle",) * 3 if self.euler else ("number",) * 4
        return ("length",) if self.kind == "slide" else ("angle",)

    @property
    def zero(self) -> tuple[float, ...]:
        """The coordinates where the joint's two frames fall together."""
        return (1.0, 0.0, 0.0, 0.0) if self.kind == "ball" and not self.euler else (0.0,) * len(self.q)

    @property
    def v(self) -> tuple[str, ...]:
        """What each rate holds: of a ball without Euler angles the angular velocity in the axes of the joint's frame on
        the second body, which are the body's own where neither `axis` nor `zero` is given."""
        return ("angle",) * 3 if self.kind == "ball" else self.q


def joint_dofs(model: Parts, joint: Joint) -> tuple[JointDof, ...]:
    """The stack of unit motions of a joint, of three and more ends one stack after the other; empty for a weld and for
    joints that are no hinge of a tree."""
    element = model.kinds[joint.kind]
    if not element.hinge:
        return ()
    held = [(*entry.split(), "")[:2] for entry in element.dofs]
    euler = joint.options.get("euler") or ""
    return tuple(JointDof(kind, axis, euler if kind == "ball" else "") for kind, axis in held) * len(joint.arms)


def planar_dof(model: Parts, joint: Joint) -> JointDof | None:
    """The one coordinate that a planar joint of two ends has in tables; None where it has none."""
    coordinate = model.kinds[joint.kind].coordinate if joint.kind in model.kinds else ""
    if not coordinate or len(joint.between) != 2:
        return None
    return JointDof("turn", "z") if coordinate == "angle" else JointDof(coordinate, "x")


def reported_dofs(model: Parts, joint: Joint) -> tuple[JointDof, ...]:
    """The degrees of freedom of a joint whose coordinates are columns: in space all, in the plane one at most."""
    if model.dimension == 3:
        return joint_dofs(model, joint)
    one = planar_dof(model, joint)
    return (one,) if one else ()


def holds_of(model: Parts, joint: Joint, rates: bool = False) -> tuple[str, ...]:
    """What each coordinate (or rate) of a joint holds: "angle", "length" or "number"."""
    return tuple(word for f in reported_dofs(model, joint) for word in (f.v if rates else f.q))


def column_names(count: int, letter: str) -> tuple[str, ...]:
    """q for one coordinate; q1, q2, … for several."""
    return (letter,) if count == 1 else tuple(f"{letter}{k + 1}" for k in range(count))


def coordinate_names(model: Parts, joint: Joint) -> tuple[str, ...]:
    """What the coordinates of a joint are called in tables: q, or q1, q2, …"""
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
    """What the coordinate "A" or "A.q2" holds; empty where there is none, which the check reports."""
    try:
        joint, number = coordinate_of(model, of)
    except ModelError:
        return ""
    return holds_of(model, joint)[number]


def size_holds(model: Parts, force: Force) -> str:
    """What the size of a force is: a "force", or a "torque"."""
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
