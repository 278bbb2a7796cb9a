"""A URDF file as a robot. All problems come together, with lines; a warning states what cannot be kept.

Gravity is no part of URDF: the model states none unless it is given. Inertias that no body has are noted and used as
given, as Pinocchio and others do. Source: ROS wiki, urdf/XML/link, urdf/XML/joint.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mubo.errors import nearest
from mubo.formats.robots.model_of_robot import robot_model
from mubo.formats.robots.poses import Pose
from mubo.formats.robots.robot import (
    ORIGIN,
    Place,
    Robot,
    RobotActuator,
    RobotCoupling,
    RobotJoint,
    RobotLink,
    RobotOptions,
    place_of,
    tensor_in,
)
from mubo.formats.robots.sdf_models import text_of
from mubo.formats.robots.shapes import mesh_shape, shape_of
from mubo.formats.robots.xml import Node, Problems, parse
from mubo.geometry import UNIT
from mubo.geometry.rotation import frame_about, matrix, of_euler
from mubo.geometry.shapes import Shape
from mubo.model import GROUND, ModelDefinition
from mubo.model.mass import tensor_of

KINDS = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "floating": "free",
    "planar": "planar",
}
WORLD = ("world", GROUND)  # a root link of this name is the ground itself
NO_LIMIT = 1e9  # URDF demands limits; from here on they mean none
KNOWN = ("link", "joint", "material", "transmission")
XACRO = "this is a xacro file: turn it into URDF first, with `xacro FILE > robot.urdf`"


def read_urdf(text: str, path: Path, options: RobotOptions | None = None) -> ModelDefinition:
    """The model of the text of a robot description."""
    root, problems = parse(text, path), Problems(path)
    if root.tag != "robot":
        problems.note(root, f"expected <robot>; found <{root.tag}>. This is no robot description.")
    elif (macro := _macro(root)) is not None:
        problems.note(macro, XACRO)
    problems.raise_any()
    robot = Robot(root.given.get("name", ""), "urdf")
    _UrdfReader(robot, problems).read(root)
    return robot_model(robot, options or RobotOptions(), problems, path)


def _macro(node: Node) -> Node | None:
    """The first element that only xacro understands: a tag or an expression of it, not its namespace alone."""
    expressions = ("${" in value or "$(" in value for key, value in node.given.items() if key != "filename")
    if node.tag.startswith("xacro:") or any(expressions):
        return node
    return next((found for child in node.children if (found := _macro(child)) is not None), None)


class _UrdfReader:
    def __init__(self, robot: Robot, problems: Problems) -> None:
        self.robot, self.problems, self.notes = robot, problems, robot.notes

    def read(self, root: Node) -> None:
        links, joints = root.all("link"), root.all("joint")
        base = self._base(root, links, joints)
        self._twice(links, "link")
        self._twice(joints, "joint")
        if base is None or self.problems.noted:
            return
        self.robot.ground = (base,) if base in WORLD else ()
        for node in links:
            self.robot.links[node.given["name"]] = self._link(node)
        for node in joints:
            self._joint(node)
        for node in joints:
            self._mimic(node)
        for node in root.all("transmission"):
            self._transmission(node)
        for tag in dict.fromkeys(node.tag for node in root.children if node.tag not in KNOWN):
            self.notes.add("", "", f"left out: <{tag}>")

    def _base(self, root: Node, links: list[Node], joints: list[Node]) -> str | None:
        """The one link that is nobody's child; loops and several roots are noted by name."""
        known = {self.problems.name(node, "link"): node for node in links}
        above: dict[str, str] = {}
        below: dict[str, list[str]] = {}
        for node in joints:
            self._ends(node, known, above)
            below.setdefault(_end(node, "parent"), []).append(_end(node, "child"))
        if not links:
            self.problems.note(root, "the robot has no links")
        roots = [name for name in known if name not in above]
        if len(roots) > 1:
            self.problems.note(root, f"the links {', '.join(roots)} have no parent: a robot has one root")
        elif links and not roots:
            self.problems.note(root, "every link is a child of another: the joints close a loop")
        if len(roots) != 1:
            return None
        reached = {roots[0]: None}
        queue = [roots[0]]
        for name in queue:
            new = [child for child in below.get(name, ()) if child not in reached]
            queue += new
            reached |= dict.fromkeys(new)
        loose = [name for name in known if name not in reached]
        if loose and not self.problems.noted:
            self.problems.note(root, f"the links {', '.join(loose)} hang on each other only: their joints close a loop")
        return roots[0]

    def _ends(self, node: Node, known: dict[str, Node], above: dict[str, str]) -> None:
        """Parent and child of a joint, of links that exist; a link is a child once."""
        what = f"joint {self.problems.name(node, 'joint')}"
        for tag in ("parent", "child"):
            link = _end(node, tag)
            if not link:
                self.problems.note(node, f'{what}: <{tag} link="…"> is missing')
            elif link not in known:
                where = node.first(tag) or node
                self.problems.note(where, f'{what}: there is no link "{link}". {nearest(link, known)}')
            elif tag == "child" and above.setdefault(link, what) != what:
                self.problems.note(node, f'{what}: link "{link}" is a child of {above[link]} already')

    def _twice(self, nodes: list[Node], what: str) -> None:
        seen: set[str] = set()
        for node in nodes:
            name = node.given.get("name", "")
            if name in seen:
                self.problems.note(node, f'there are two {what}s "{name}"')
            seen.add(name)

    def _pose(self, node: Node | None, what: str) -> tuple[Place, Place]:
        """Place and quaternion of an <origin>: roll, pitch and yaw about fixed axes, A = Rz(yaw) Ry(pitch) Rx(roll)."""
        rpy = self.problems.numbers(node, "rpy", 3, ORIGIN, what)
        turn = place_of(of_euler("zyx", rpy[::-1])) if any(rpy) else UNIT
        return self.problems.numbers(node, "xyz", 3, ORIGIN, what), turn

    def _link(self, node: Node) -> RobotLink:
        """The body of a link. A link without <inertial> has, by the definition of URDF, no mass."""
        name, problems = node.given["name"], self.problems
        what, link = f"link {name}", RobotLink(name, node.line)
        inertial = node.first("inertial")
        if inertial is not None:
            link.line = inertial.line
            link.center, turn = self._pose(inertial.first("origin"), what)
            link.mass = problems.number(inertial.first("mass"), "value", 0.0, what)
            keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
            own = tensor_of([problems.number(inertial.first("inertia"), key, 0.0, what) for key in keys])
            link.inertia = tensor_in(turn, own)
        link.shape = self._shape(node, link)
        return link

    def _shape(self, node: Node, link: RobotLink) -> Shape | None:
        """The first primitive of <visual> or <collision>."""
        for part in (*node.all("visual"), *node.all("collision")):
            geometry = part.first("geometry")
            solid = geometry.children[0] if geometry is not None and geometry.children else None
            at, turn = self._pose(part.first("origin"), f"link {link.name}")
            shape = None if solid is None else self._solid(solid, at, turn, link)
            if shape is not None:
                return shape
            if part.tag == "visual" and not self.notes.has("mesh", link.name):
                mesh = solid.given.get("filename", "") if solid is not None and solid.tag == "mesh" else ""
                self.notes.left_out("link", link.name, _described(solid), mesh)
        return None

    def _solid(self, solid: Node, at: Place, turn: Place, link: RobotLink) -> Shape | None:
        problems, what = self.problems, f"link {link.name}"
        if solid.tag == "box":
            sides = problems.numbers(solid, "size", 3, (0.0, 0.0, 0.0), what)
            return shape_of("box", dict(zip("abc", sides, strict=True)), at, turn, link.center)
        keys = {"cylinder": ("length", "radius"), "sphere": ("radius",)}.get(solid.tag)
        if solid.tag == "mesh":
            scale = problems.numbers(solid, "scale", 3, (1.0, 1.0, 1.0), what)
            return mesh_shape(solid.file, solid.given.get("filename", ""), scale, Pose(at, turn), link, self.notes)
        if keys is None:
            return None
        sizes = {key: problems.number(solid, key, 0.0, what) for key in keys}
        return shape_of(solid.tag, sizes, at, turn, link.center)

    def _joint(self, node: Node) -> None:
        name, problems = node.given["name"], self.problems
        what, given = f"joint {name}", node.given.get("type", "")
        kind = KINDS.get(given)
        if kind is None:
            problems.note(node, f'{what}: there is no joint type "{given}". Allowed: {", ".join(KINDS)}.')
            return
        at, zero = self._pose(node.first("origin"), what)
        joint = RobotJoint(name, kind, _end(node, "parent"), _end(node, "child"), node.line, at, zero=zero)
        if kind in ("revolute", "prismatic", "planar"):
            axis = problems.numbers(node.first("axis"), "xyz", 3, (1.0, 0.0, 0.0), what)
            if not any(axis):
                problems.note(node.first("axis") or node, f"{what}: its axis has zero length")
                return
            joint.axis = place_of(matrix(zero) @ np.array(axis))
        if kind == "planar":
            joint.options = _plane(joint, axis)
        self._dynamics(node, joint)
        if kind == "free":
            self.robot.add_in_axes_of_origin(joint)
        else:
            self.robot.joints.append(joint)

    def _mimic(self, node: Node) -> None:
        """A joint that follows another one: q = multiplier · q of that + offset."""
        mimic, name = node.first("mimic"), node.given["name"]
        if mimic is None:
            return
        kinds, what = {joint.name: joint for joint in self.robot.joints}, f"joint {name}"
        leader = mimic.given.get("joint", "")
        if leader not in kinds or leader == name:
            self.notes.left_out("joint", name, "mimic of a joint that is not there", leader)
        elif name in kinds and not (kinds[name].single and kinds[leader].single):
            self.notes.left_out("joint", name, "mimic of a joint without one coordinate")
        elif name in kinds:
            given = {"offset": 0.0, "multiplier": 1.0}
            offset, ratio = (self.problems.number(mimic, key, usual, what) for key, usual in given.items())
            self.robot.couplings.append(RobotCoupling(f"{name}_mimic", name, leader, (offset, ratio), line=mimic.line))

    def _transmission(self, node: Node) -> None:
        """A transmission of one joint as an input: the effort of the joint. Its reduction is kept with its facts."""
        name, joint, actuator = node.given.get("name", ""), node.first("joint"), node.first("actuator")
        kinds = {one.name: one for one in self.robot.joints}
        moved = joint.given.get("name", "") if joint is not None else ""
        if moved not in kinds or not kinds[moved].single or len(node.all("joint")) > 1:
            self.notes.left_out("transmission", name, "it does not move one joint with one coordinate")
            return
        facts = {}
        for part in (actuator, joint):
            reduction = text_of(part, "mechanicalReduction")
            if reduction:
                facts["mechanicalReduction"] = reduction
        own = actuator.given.get("name", "") if actuator is not None else ""
        self.robot.actuators.append(RobotActuator(own or name, "transmission", {moved: 1.0}, facts=facts))

    def _dynamics(self, node: Node, joint: RobotJoint) -> None:
        """Damping acts and limits report; the rest is left out, with a note."""
        what, problems = f"joint {joint.name}", self.problems
        dynamics, limit = node.first("dynamics"), node.first("limit")
        joint.damping = problems.number(dynamics, "damping", 0.0, what)
        joint.friction = problems.number(dynamics, "friction", 0.0, what)
        if limit is not None and joint.single and node.given["type"] != "continuous":
            lower, upper = (problems.number(limit, key, np.inf, what) for key in ("lower", "upper"))
            joint.lower = lower if abs(lower) < NO_LIMIT else None
            joint.upper = upper if abs(upper) < NO_LIMIT else None
        given = [key for key in ("effort", "velocity") if limit is not None and key in limit.given]
        left: list[str] = [key for key in given if problems.number(limit, key, 0.0, what) < NO_LIMIT]
        left += [tag for tag in ("safety_controller", "calibration") if node.first(tag) is not None]
        if left:
            self.notes.left_out("joint", joint.name, ", ".join(left))


def _described(solid: Node | None) -> str:
    """A geometry that is not drawn, in words."""
    if solid is None:
        return "a <visual> without geometry"
    if solid.tag == "mesh":
        return "a mesh"
    if solid.tag in ("box", "cylinder", "sphere"):
        return f"{solid.tag} of its <visual>, which has no size"
    return f'geometry "{solid.tag}"'


def _plane(joint: RobotJoint, axis: Place) -> dict[str, Any]:
    """The first direction in the plane of a planar joint: the child's axis that the normal's frame begins with."""
    along = matrix(joint.zero) @ frame_about(np.array(axis) / np.linalg.norm(axis))[:, 0]
    return {"along": place_of(along)}


def _end(joint: Node, tag: str) -> str:
    """The link that a joint names as its parent or child; empty if it does not."""
    end = joint.first(tag)
    return end.given.get("link", "") if end is not None else ""
