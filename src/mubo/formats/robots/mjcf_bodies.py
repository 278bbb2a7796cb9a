"""The kinematic tree of an MJCF file: bodies with their joints, inertias and geoms, frames and copies.

A body with several joints is a chain: a link without mass for each joint but the last, with the axes of the body. The
coordinate of a hinge or slide is MuJoCo's: the body stands as drawn where it equals `ref`.
Source: MuJoCo, XML reference: body, inertial, joint, freejoint, geom, site, frame, replicate, attach.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from mubo.formats.robots.mjcf_geoms import GeomSolid, asset_mesh, geom_shape, read_solid, together
from mubo.formats.robots.mjcf_settings import Compiler, Defaults, with_includes
from mubo.formats.robots.poses import Pose
from mubo.formats.robots.robot import ORIGIN, Robot, RobotJoint, RobotLink, place_of, tensor_in
from mubo.formats.robots.xml import Node, Problems, parse
from mubo.geometry.rotation import about, matrix, product
from mubo.geometry.triangle_meshes import TriangleMesh
from mubo.model.mass import tensor_of

KINDS = {"hinge": "revolute", "slide": "prismatic", "ball": "spherical", "free": "free"}
WORLD = "world"


@dataclass
class BodyTree:
    """Findings of the walk over the bodies: poses as drawn, joints in MuJoCo's order, meshes that lack."""

    poses: dict[str, Pose] = field(default_factory=lambda: {"": Pose(), WORLD: Pose()})
    order: list[str] = field(default_factory=list)
    refs: dict[str, float] = field(default_factory=dict)
    sites: dict[str, tuple[str, Pose]] = field(default_factory=dict)
    lacking: dict[str, tuple[Node, str]] = field(default_factory=dict)  # link: body and mesh on which its mass depends
    moving: set[str] = field(default_factory=set)  # links that joints move against the world


class MjcfFile:
    """One file with its own compiler and defaults; `prefix` stands before names of an attached one."""

    def __init__(
        self, root: Node, robot: Robot, tree: BodyTree, problems: Problems, folder: Path, prefix: str = ""
    ) -> None:
        self.root, self.robot, self.tree, self.problems = root, robot, tree, problems
        self.folder, self.prefix = folder, prefix
        self.compiler, self.defaults = Compiler(), Defaults()
        for node in root.all("compiler"):
            self.compiler.read(node, problems)
        for node in root.all("default"):
            self.defaults.read(node, problems)
        self.meshes = {
            node.given.get("name") or Path(node.given.get("file", "")).stem: self.defaults.apply(node, "", problems)
            for part in root.all("asset")
            for node in part.all("mesh")
        }
        self.models = {node.given.get("name", ""): node for part in root.all("asset") for node in part.all("model")}

    def read_world(self) -> None:
        """Every body of the world; geoms of the world do not move."""
        for world in self.root.all("worldbody"):
            for child, frame, class_name in self.parts(world, ""):
                self._world_part(child, frame, class_name)

    def _world_part(self, child: Node, frame: Pose, class_name: str) -> None:
        if child.tag == "body":
            self.read_body(child, "", frame, class_name)
        elif child.tag == "attach":
            self._attach(child, "", frame)
        elif child.tag == "site":
            self._site(child, "", frame, class_name)

    def parts(self, node: Node, class_name: str, frame: Pose | None = None) -> Iterator[tuple[Node, Pose, str]]:
        """The children of a body with the pose of the frames around them and their class; copies one by one."""
        frame = frame or Pose()
        for child in node.children:
            if child.tag == "frame":
                yield from self.parts(child, child.given.get("childclass", class_name), frame @ self.pose(child))
            elif child.tag == "replicate":
                yield from self._copies(child, class_name, frame)
            else:
                yield child, frame, class_name

    def _copies(self, node: Node, class_name: str, frame: Pose) -> Iterator[tuple[Node, Pose, str]]:
        """Copies with numbers behind their names: the angles of copy k are k times those given, and the offset of the
        next is along its axes."""
        count = int(self.problems.number(node, "count", 1.0, "replicate"))
        offset = self.problems.numbers(node, "offset", 3, ORIGIN, "replicate")
        angles = np.array(self.problems.numbers(node, "euler", 3, ORIGIN, "replicate"))
        at = Pose()
        for number in range(count):
            copy = deepcopy(node)
            _rename(copy, f"{node.given.get('sep', '')}{number:0{len(str(count - 1))}d}")
            at = Pose(at.at, self.compiler.euler(place_of(number * angles)))
            yield from self.parts(copy, class_name, frame @ at)
            at = at @ Pose(offset)

    def pose(self, node: Node) -> Pose:
        """The pose of an element in its parent."""
        what = f"{node.tag} {node.given.get('name', '')}".strip()
        at = self.problems.numbers(node, "pos", 3, ORIGIN, what)
        return Pose(at, self.compiler.orientation(node, self.problems, what))

    def read_body(self, node: Node, parent: str, frame: Pose, class_name: str) -> None:
        """A body with its joints, and all below it."""
        class_name = node.given.get("childclass", class_name)
        name = self._new(node.given.get("name", ""), f"body_{len(self.robot.links) + 1}", self.robot.links)
        pose = frame @ self.pose(node)
        parts = list(self.parts(node, class_name))
        self.tree.poses[name] = self.tree.poses[parent] @ pose
        link = self.robot.links[name] = RobotLink(name, node.line)
        joints = [(child, around) for child, _, around in parts if child.tag in ("joint", "freejoint")]
        self._joints(node, joints, parent, name, pose)
        solids = [solid for child, around, word in parts if (solid := self._solid(child, around, word, name))]
        self._inertia(node, link, solids)
        if node.given.get("gravcomp", "0").strip() not in ("0", "0.0"):
            self.robot.notes.left_out("link", name, "gravity compensation")
        for child, around, word in parts:
            if child.tag == "body":
                self.read_body(child, name, around, word)
            elif child.tag == "attach":
                self._attach(child, name, around)
            elif child.tag == "site":
                self._site(child, name, around, word)
            elif child.tag in ("composite", "flexcomp", "plugin"):
                self.problems.note(child, f"body {name}: <{child.tag}> is not read")

    def _new(self, name: str, otherwise: str, taken: dict[str, RobotLink] | dict[str, float]) -> str:
        """A name with the prefix of the file; where there is none, another that is not taken."""
        if name:
            return self.prefix + name
        while otherwise in taken:
            otherwise += "_"
        return otherwise

    def _attach(self, node: Node, parent: str, frame: Pose) -> None:
        """A body of another model with all below it, under names with a prefix."""
        name, body = node.given.get("model", ""), node.given.get("body", "")
        model = self.models.get(name)
        path = self.folder / model.given.get("file", "") if model is not None else None
        if path is None or not path.is_file():
            self.problems.note(node, f'attach: there is no model "{name}", or not its file')
            return
        root = with_includes(parse(path.read_text("utf-8-sig"), path), path.parent)
        prefix = self.prefix + node.given.get("prefix", "")
        file = MjcfFile(root, self.robot, self.tree, self.problems, path.parent, prefix)
        for world in root.all("worldbody"):
            for child, around, class_name in file.parts(world, ""):
                if child.tag == "body" and (not body or child.given.get("name") == body):
                    file.read_body(child, parent, frame @ around, class_name)

    def _site(self, node: Node, link: str, frame: Pose, class_name: str) -> None:
        node = self.defaults.apply(node, class_name, self.problems)
        name, pose = node.given.get("name", ""), frame @ self.pose(node)
        if name:
            self.tree.sites[self.prefix + name] = (link, pose)
            if link:
                self.robot.links[link].points[self.prefix + name] = pose.at

    def _solid(self, node: Node, frame: Pose, class_name: str, link: str) -> GeomSolid | None:
        if node.tag != "geom":
            return None
        node = self.defaults.apply(node, class_name, self.problems)
        what = f"geom {node.given.get('name', '')} of body {link}".replace("  ", " ")
        solid = read_solid(node, self.compiler, self.problems, what, self._mesh)
        if solid is None or frame == Pose():
            return solid
        pose = frame @ Pose(solid.at, solid.turn)
        inertia = tensor_in(frame.turn, solid.inertia)
        return GeomSolid(solid.kind, solid.size, pose.at, pose.turn, solid.mass, inertia, solid.mesh)

    def _mesh(self, name: str) -> TriangleMesh | None:
        """The mesh of an asset, where its file is beside the model."""
        if name not in self.meshes:
            return None
        return asset_mesh(self.meshes[name], name, self.folder, self.compiler, self.robot.notes, self.problems)

    def _inertia(self, node: Node, link: RobotLink, solids: list[GeomSolid]) -> None:
        """Mass and inertia as <inertial> states them, or of the geoms; bounds and balance as the compiler asks."""
        inertial, compiler, what = node.first("inertial"), self.compiler, f"body {link.name}"
        if inertial is not None and compiler.inertiafromgeom != "true":
            link.line = inertial.line
            pose = self.pose(inertial)
            link.center, link.mass = pose.at, self.problems.number(inertial, "mass", 0.0, what)
            full = self.problems.numbers(inertial, "fullinertia", 6, (), what)
            diagonal = self.problems.numbers(inertial, "diaginertia", 3, ORIGIN, what)
            link.inertia = tensor_of(full) if full else tensor_in(pose.turn, np.diag(diagonal))
        elif compiler.inertiafromgeom != "false":
            meshes = [solid.mesh for solid in solids if solid.mesh]
            if meshes:
                self.tree.lacking[link.name] = (node, meshes[0])
            link.mass, link.center, link.inertia = together([solid for solid in solids if not solid.mesh])
        self._bound(link)
        link.shape = next((shape for solid in solids if (shape := geom_shape(solid, link.center))), None)

    def _bound(self, link: RobotLink) -> None:
        """The least mass and inertia, and equal principal moments in place of impossible ones, as the compiler asks."""
        compiler = self.compiler
        if not (compiler.boundmass or compiler.boundinertia or compiler.balanceinertia):
            return
        link.mass = max(link.mass, compiler.boundmass)
        moments, axes = np.linalg.eigh(link.inertia)
        moments = np.maximum(moments, compiler.boundinertia)
        if compiler.balanceinertia and moments[2] > moments[0] + moments[1]:
            moments = np.full(3, np.mean(moments))
        link.inertia = (axes * moments) @ axes.T

    def _joints(self, body: Node, joints: list[tuple[Node, str]], parent: str, name: str, pose: Pose) -> None:
        """The joints of a body, one after the other, with links without mass between them; a weld where it has none."""
        if parent in self.tree.moving or joints:
            self.tree.moving.add(name)
        if not joints:
            weld = RobotJoint(self._weld_name(name), "fixed", parent, name, body.line, pose.at, zero=pose.turn)
            self.robot.joints.append(weld)
        for number, (node, class_name) in enumerate(joints):
            last = number == len(joints) - 1
            given = self.defaults.apply(node, class_name, self.problems) if node.tag == "joint" else node
            own = self._new(given.given.get("name", ""), f"{name}_joint", self.tree.refs)
            child = name
            if not last:
                child = self._new("", f"{name}_{own}", self.robot.links)
                self.robot.links[child] = RobotLink(child, node.line)
            self._joint(given, own, parent, child, pose)
            parent, pose = child, Pose()

    def _weld_name(self, body: str) -> str:
        names = {joint.name for joint in self.robot.joints}
        name = f"{body}_weld"
        while name in names:
            name += "_"
        return name

    def _joint(self, node: Node, name: str, parent: str, child: str, pose: Pose) -> None:
        problems, what, compiler = self.problems, f"joint {name}", self.compiler
        given = "free" if node.tag == "freejoint" else node.given.get("type", "hinge")
        if given not in KINDS:
            problems.note(node, f'{what}: there is no joint type "{given}". Allowed: {", ".join(KINDS)}.')
            return
        joint = RobotJoint(name, KINDS[given], parent, child, node.line)
        self.tree.order.append(name)
        self.tree.refs[name] = 0.0
        if given == "free":
            self.robot.joints.append(joint)
            joint.start = (*pose.at, *pose.turn)
            self._left_out(node, joint, ("damping", "stiffness", "armature", "frictionloss"))
            return
        turned, angle = matrix(pose.turn), compiler.angle if given in ("hinge", "ball") else float
        place = np.array(problems.numbers(node, "pos", 3, ORIGIN, what))
        joint.on, joint.at = place_of(place), place_of(np.array(pose.at) + turned @ place)
        joint.zero = pose.turn
        if given == "ball":
            self.robot.add_in_axes_of_origin(joint)
        if given != "ball":
            axis = np.array(problems.numbers(node, "axis", 3, (0.0, 0.0, 1.0), what))
            if not axis.any():
                problems.note(node, f"{what}: its axis has zero length")
                return
            axis = turned @ axis / np.linalg.norm(axis)
            joint.axis = place_of(axis)
            self.robot.joints.append(joint)
            self._reference(node, joint, angle(problems.number(node, "ref", 0.0, what)), axis)
        joint.damping, joint.stiffness = (problems.number(node, key, 0.0, what) for key in ("damping", "stiffness"))
        joint.rest = angle(problems.number(node, "springref", 0.0, what))
        armature = problems.number(node, "armature", 0.0, what)
        if armature:
            joint.options["armature"] = armature
        limited = node.given.get("limited", "auto")
        if "range" in node.given and (limited == "true" or (limited == "auto" and compiler.autolimits)):
            limits = problems.numbers(node, "range", 2, (0.0, 0.0), what)
            joint.lower, joint.upper = (angle(value) for value in limits)
        joint.friction = problems.number(node, "frictionloss", 0.0, what)
        self._left_out(node, joint, ("springdamper",))

    def _reference(self, node: Node, joint: RobotJoint, ref: float, axis: np.ndarray) -> None:
        """Shift the zero of the coordinate so that the body stands as drawn at `ref`, where MuJoCo begins."""
        if not ref:
            return
        self.tree.refs[joint.name] = ref
        joint.start = (ref,)
        if joint.kind == "revolute":
            joint.zero = place_of(product(about(axis, -ref), joint.zero))
        else:
            joint.at = place_of(np.array(joint.at) - ref * axis)

    def _left_out(self, node: Node, joint: RobotJoint, keys: tuple[str, ...]) -> None:
        for key in keys:
            if any(self.problems.list(node, key, (0.0,), f"joint {joint.name}")):
                self.robot.notes.left_out("joint", joint.name, key)


def _rename(node: Node, suffix: str) -> None:
    for child in node.children:
        if "name" in child.given:
            child.given["name"] += suffix
        _rename(child, suffix)
