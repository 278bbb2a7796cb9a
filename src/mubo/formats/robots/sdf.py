"""An SDF file as a robot: links and joints of its models, also of models in models; joints may close loops.

A link on which no joint acts floats, unless its model is static. Included files are
named. Source: SDFormat specification, 1.9: link, joint, model, frame semantics.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mubo.errors import ModelError
from mubo.formats.robots.model_of_robot import robot_model
from mubo.formats.robots.poses import Pose
from mubo.formats.robots.robot import (
    Place,
    Robot,
    RobotCoupling,
    RobotJoint,
    RobotLink,
    RobotOptions,
    place_of,
    tensor_in,
)
from mubo.formats.robots.sdf_models import MODEL, SdfModel, read_pose, text_of
from mubo.formats.robots.shapes import mesh_shape, shape_of
from mubo.formats.robots.xml import Node, Problems, parse, sane_number
from mubo.geometry.shapes import Shape
from mubo.model import ModelDefinition
from mubo.model.mass import tensor_of

KINDS = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "ball": "spherical",
    "universal": "universal",
    "revolute2": "universal",
    "screw": "screw",
}
NO_LIMIT = 1e9
READ = ("link", "joint", "frame", "model", "pose", "static", "include")
QUIET = ("allow_auto_disable", "enable_wind", "self_collide")


def read_sdf(text: str, path: Path, options: RobotOptions | None = None) -> ModelDefinition:
    """The model of the text of an SDF file."""
    root, problems = parse(text, path), Problems(path)
    if root.tag != "sdf":
        problems.note(root, f"expected <sdf>; found <{root.tag}>. This is no SDF file.")
        problems.raise_any()
    worlds = root.all("world")
    top = [*root.all("model"), *(node for world in worlds for node in world.all("model"))]
    robot = Robot(top[0].given.get("name", "") if top else "", "sdf", floats=True)
    if not top:
        problems.note(root, "there is no <model>")
    for world in worlds:
        stated = Node("gravity", {"gravity": text_of(world, "gravity", "0 0 -9.8")}, world.line, file=world.file)
        robot.gravity = problems.numbers(stated, "gravity", 3, (0.0, 0.0, -9.8), "world")
    reader = _SdfReader(robot, problems, _version(root))
    around = SdfModel(worlds[0], problems) if worlds else None
    for node in top:
        reader.read(SdfModel(node, problems, around))
    reader.check_mimics()
    for node in (*root.all("include"), *(one for world in worlds for one in world.all("include"))):
        reader.note_include(node)
    return robot_model(robot, options or RobotOptions(), problems, path)


def _version(root: Node) -> tuple[int, ...]:
    words = root.given.get("version", "1.9").split(".")
    return tuple(int(word) for word in words if word.isdigit())


class _SdfReader:
    def __init__(self, robot: Robot, problems: Problems, version: tuple[int, ...]) -> None:
        self.robot, self.problems, self.version = robot, problems, version
        self.group: dict[str, str] = {}  # of each link: one that joints connect it with, step by step

    def read(self, top: SdfModel) -> None:
        """All links of a model and of those in it, then the joints between them."""
        for model in top.all():
            for node in model.node.all("link"):
                self._attempt(node, lambda model=model, node=node: self._link(model, node))
        for model in top.all():
            for node in model.node.all("joint"):
                self._attempt(node, lambda model=model, node=node: self._joint(model, node))
            for node in model.node.all("include"):
                self.note_include(node)
            for tag in dict.fromkeys(child.tag for child in model.node.children):
                if tag not in (*READ, *QUIET):
                    self.robot.notes.add("", "", f"left out: <{tag}>")
                if tag.endswith(":joint"):
                    kinds = [node.given.get("type", "") for node in model.node.all(tag)]
                    node = model.node.all(tag)[0]
                    self.problems.note(node, f"<{tag}> is no joint of SDF: {', '.join(kinds)} cannot be read")

    def _attempt(self, node: Node, read) -> None:  # type: ignore[no-untyped-def]
        try:
            read()
        except ModelError as error:
            self.problems.note(node, f"{node.tag} {node.given.get('name', '')}: {str(error).partition(': ')[2]}")

    def check_mimics(self) -> None:
        """Leave out, with a note, what mimics a joint that is not there or closes a loop."""
        known = {joint.name for joint in self.robot.joints if joint.single}
        for one in [*self.robot.couplings]:
            if one.leader not in known or one.follower not in known:
                self.robot.couplings.remove(one)
                self.robot.notes.left_out("joint", one.follower, "mimic of a joint that is not there", one.leader)

    def note_include(self, node: Node) -> None:
        """Name a file that is included and not read."""
        self.robot.notes.left_out("include", text_of(node, "uri"), "the model of another file")

    def _number(self, node: Node | None, tag: str, absent: float, what: str) -> float:
        child = None if node is None else node.first(tag)
        if child is None or not child.text.strip():
            return absent
        try:
            return float(child.text) if np.isinf(absent) else sane_number(child.text)  # limits may be infinite
        except ValueError:
            self.problems.note(child, f'{what}: {tag} needs a number; found "{child.text.strip()}"')
            return absent

    def _link(self, model: SdfModel, node: Node) -> None:
        """A link: without <inertial> it has, by the specification, a mass of 1 kg and principal inertias of 1 kg m²."""
        name = model.scope + node.given.get("name", "")
        what, inertial = f"link {name}", node.first("inertial")
        if name in self.robot.links:
            self.problems.note(node, f'there are two links "{name}"')
            return
        pose = model.pose(node.given.get("name", ""))
        link = self.robot.links[name] = RobotLink(name, node.line, drawn=(*pose.at, *pose.turn))
        link.fixed = model.fixed
        if inertial is not None and inertial.given.get("auto") == "true":
            self.problems.note(inertial, f"{what}: an inertia from its collisions (auto) is not computed: write it")
        own = read_pose(inertial.first("pose") if inertial is not None else None, self.problems, what)
        given = inertial.first("inertia") if inertial is not None else None
        keys = {"ixx": 1.0, "iyy": 1.0, "izz": 1.0, "ixy": 0.0, "ixz": 0.0, "iyz": 0.0}
        tensor = tensor_of([self._number(given, key, absent, what) for key, absent in keys.items()])
        link.mass = self._number(inertial, "mass", 1.0, what)
        link.center, link.inertia = own.at, tensor_in(own.turn, tensor)
        link.shape = self._shape(node, link)

    def _shape(self, node: Node, link: RobotLink) -> Shape | None:
        for part in (*node.all("visual"), *node.all("collision")):
            geometry = part.first("geometry")
            solid = geometry.children[0] if geometry is not None and geometry.children else None
            pose = read_pose(part.first("pose"), self.problems, f"link {link.name}")
            shape = None if solid is None else self._solid(solid, pose, link)
            if shape is not None:
                return shape
            if part.tag == "visual" and solid is not None and not self.robot.notes.has("mesh", link.name):
                uri = text_of(solid, "uri") if solid.tag == "mesh" else ""
                self.robot.notes.left_out("link", link.name, f"a {solid.tag}, which is not drawn", uri)
        return None

    def _solid(self, solid: Node, pose: Pose, link: RobotLink) -> Shape | None:
        """A primitive as the shape of a link."""
        if solid.tag == "mesh":
            at = Node("mesh", {"scale": text_of(solid, "scale", "1 1 1")}, solid.line, file=solid.file)
            scale = self.problems.numbers(at, "scale", 3, (1.0, 1.0, 1.0), f"link {link.name}")
            return mesh_shape(solid.file, text_of(solid, "uri"), scale, pose, link, self.robot.notes)
        try:
            if solid.tag == "box":
                sides = [sane_number(word) for word in text_of(solid, "size").split()]
                sizes = dict(zip("abc", sides, strict=True))
            else:
                keys = {"cylinder": ("length", "radius"), "sphere": ("radius",)}[solid.tag]
                sizes = {key: sane_number(text_of(solid, key)) for key in keys}
        except (KeyError, ValueError):
            return None
        return shape_of(solid.tag, sizes, pose.at, pose.turn, link.center)

    def _joint(self, model: SdfModel, node: Node) -> None:
        name, given = model.scope + node.given.get("name", ""), node.given.get("type", "")
        what, kind = f"joint {name}", KINDS.get(given)
        if kind is None:
            self.problems.note(node, f'{what}: joint type "{given}" cannot be read. Allowed: {", ".join(KINDS)}.')
            return
        parent, child = (model.link(text_of(node, tag)) for tag in ("parent", "child"))
        drawn = model.pose(node.given.get("name", ""))
        first, second = (Pose() if not link else self._drawn(link) for link in (parent, child))
        joint = RobotJoint(name, kind, parent, child, node.line)
        joint.at, joint.on = (first.inverse() @ drawn).at, (second.inverse() @ drawn).at
        joint.zero = (first.inverse() @ second).turn
        axes = [self._axis(model, node, axis, drawn, first) for axis in (*node.all("axis"), *node.all("axis2"))]
        if kind in ("revolute", "prismatic", "screw"):
            joint.axis = axes[0] if axes else (first.inverse() @ drawn).direction((0.0, 0.0, 1.0))
        elif kind == "universal":
            joint.options["axes"] = tuple(axes)
        if kind == "screw":
            joint.options["lead"] = self._lead(node, what)
        self._dynamics(node, joint)
        self._connect(joint)

    def _drawn(self, link: str) -> Pose:
        """A link as the file draws it; its pose was kept when it was read."""
        place = self.robot.links[link].drawn
        return Pose(place[:3], place[3:])

    def _axis(self, model: SdfModel, joint: Node, axis: Node, drawn: Pose, first: Pose) -> Place:
        """The axis of a joint in the parent's axes: given in those of the joint unless it states others."""
        xyz = axis.first("xyz")
        what = f"joint {joint.given.get('name', '')}"
        words = (xyz.text if xyz is not None else "0 0 1").split()
        try:
            vector = np.array([sane_number(word) for word in words])
        except ValueError:
            vector = np.zeros(0)
        if len(vector) != 3 or not np.linalg.norm(vector) > 0:
            self.problems.note(xyz or axis, f"{what}: its axis needs three numbers that are not all zero")
            vector = np.array([0.0, 0.0, 1.0])
        named = xyz.given.get("expressed_in", "") if xyz is not None else ""
        older = text_of(axis, "use_parent_model_frame", "false").lower() in ("true", "1") or self.version < (1, 5)
        frame = model.pose(named) if named else model.pose(MODEL) if older else drawn
        return (first.inverse() @ frame).direction(place_of(vector / np.linalg.norm(vector)))

    def _lead(self, node: Node, what: str) -> float:
        """Advance per revolution; `thread_pitch`, which is older, is in radians per metre with the other sign."""
        lead = self._number(node, "screw_thread_pitch", 0.0, what)
        older = self._number(node, "thread_pitch", 0.0, what)
        return lead or (-2 * float(np.pi) / older if older else 1.0)

    def _dynamics(self, node: Node, joint: RobotJoint) -> None:
        axis, what = node.first("axis"), f"joint {joint.name}"
        dynamics = axis.first("dynamics") if axis is not None else None
        limit = axis.first("limit") if axis is not None else None
        joint.damping = self._number(dynamics, "damping", 0.0, what)
        joint.stiffness = self._number(dynamics, "spring_stiffness", 0.0, what)
        joint.rest = self._number(dynamics, "spring_reference", 0.0, what)
        self._mimic(axis, joint)
        joint.friction = self._number(dynamics, "friction", 0.0, what)
        if node.given.get("type") != "continuous":
            lower, upper = (self._number(limit, key, np.inf, what) for key in ("lower", "upper"))
            joint.lower = lower if abs(lower) < NO_LIMIT else None
            joint.upper = upper if abs(upper) < NO_LIMIT else None
        rotor = self._number(node, "drake:rotor_inertia", 0.0, what)
        ratio = self._number(node, "drake:gear_ratio", 1.0, what)
        if rotor and joint.kind in ("revolute", "prismatic"):
            joint.options["armature"] = ratio**2 * rotor

    def _mimic(self, axis: Node | None, joint: RobotJoint) -> None:
        """A joint that follows another one: q = multiplier (q of that − reference) + offset."""
        mimic, what = axis.first("mimic") if axis is not None else None, f"joint {joint.name}"
        if mimic is None or not joint.single:
            return
        ratio = self._number(mimic, "multiplier", 1.0, what)
        offset = self._number(mimic, "offset", 0.0, what) - ratio * self._number(mimic, "reference", 0.0, what)
        scope = joint.name[: joint.name.rfind("::") + 2] if "::" in joint.name else ""
        leader = scope + mimic.given.get("joint", "")
        coupling = RobotCoupling(f"{joint.name}_mimic", joint.name, leader, (offset, ratio), line=mimic.line)
        self.robot.couplings.append(coupling)

    def _connect(self, joint: RobotJoint) -> None:
        """Add a joint to the tree, or to those that close loops where its links are connected already."""
        first, second = self._root(joint.parent), self._root(joint.child)
        if first == second:
            self.robot.loops.append(joint)
            return
        self.group[second] = first
        if joint.kind == "spherical":
            self.robot.add_in_axes_of_origin(joint)
        else:
            self.robot.joints.append(joint)

    def _root(self, link: str) -> str:
        while link in self.group:
            link = self.group[link]
        return link
