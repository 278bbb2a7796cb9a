"""OpenSim files of versions 2 and 3 in the form of version 4: joints in a set of their own, with frames of both bodies.

Until version 4 a body holds the joint that hangs it on its parent, with the place and the orientation (three turns
about x, y and z that move along) of the joint in both bodies; the ground is a body without mass, a marker names its
body, and the inertia is six numbers. Source: files of versions 20303 and 30000 of OpenSim's public models.
"""

from __future__ import annotations

from mubo.formats.robots.sdf_models import text_of
from mubo.formats.robots.xml import Node, Problems

OLDEST, LATEST = 20000, 40000  # versions whose joints stand in their bodies; the latter is the first where they do not
MOMENTS = ("xx", "yy", "zz", "xy", "xz", "yz")
GROUND = "ground"


def as_version_4(model: Node, problems: Problems) -> None:
    """Changes a <Model> whose joints stand in their bodies into one of version 4, in its nodes."""
    bodies = model.first("BodySet")
    if model.first("JointSet") is not None and not _nested(bodies):
        return  # versions just before 4 have the set already
    joints = []
    for body in _objects(bodies):
        joint = next((one for holder in body.all("Joint") for one in holder.children), None)
        if joint is not None:
            joints.append(_joint(joint, body.given.get("name", ""), problems))
        if body.first("inertia_xx") is not None:
            moments = " ".join(text_of(body, f"inertia_{word}", "0") for word in MOMENTS)
            body.children.append(_leaf(body, "inertia", moments))
    inside = None if bodies is None else bodies.first("objects")
    if inside is not None:
        inside.children = [body for body in inside.children if body.given.get("name") != GROUND]
    model.children.append(_node(model, "JointSet", {}, [_node(model, "objects", {}, joints)]))
    for marker in _objects(model.first("MarkerSet")):
        marker.children.append(_leaf(marker, "socket_parent_frame", text_of(marker, "body")))
    for constraint in _objects(model.first("ConstraintSet")):
        enforced = "false" if text_of(constraint, "isDisabled") == "true" else "true"
        constraint.children.append(_leaf(constraint, "isEnforced", enforced))


def _nested(bodies: Node | None) -> bool:
    return any(body.first("Joint") is not None for body in _objects(bodies))


def _objects(part: Node | None) -> list[Node]:
    inside = None if part is None else part.first("objects")
    return [] if inside is None else inside.children


def _joint(joint: Node, child: str, problems: Problems) -> Node:
    """A joint with a frame on each body, from its places in them."""
    if text_of(joint, "reverse", "false") == "true":
        problems.note(
            joint, f"joint {joint.given.get('name', '')}: a reversed joint cannot be read: exchange its bodies"
        )
    frames = []
    for socket, body, tail in (("parent", text_of(joint, "parent_body"), "_in_parent"), ("child", child, "")):
        name = f"{body}_{socket}"
        parts = [
            _leaf(joint, "socket_parent", body),
            _leaf(joint, "translation", text_of(joint, f"location{tail}")),
            _leaf(joint, "orientation", text_of(joint, f"orientation{tail}")),
        ]
        frames.append(_node(joint, "PhysicalOffsetFrame", {"name": name}, parts))
        joint.children.append(_leaf(joint, f"socket_{socket}_frame", name))
    joint.children.append(_node(joint, "frames", {}, frames))
    joint.children.append(_node(joint, "coordinates", {}, _objects(joint.first("CoordinateSet"))))
    return joint


def _node(near: Node, tag: str, given: dict[str, str], children: list[Node]) -> Node:
    return Node(tag, given, near.line, children, file=near.file)


def _leaf(near: Node, tag: str, text: str) -> Node:
    return Node(tag, {}, near.line, text=text, file=near.file)
