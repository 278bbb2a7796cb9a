"""An OpenSim skeleton as a robot: bodies, joints, coordinates, markers; muscles and other forces by name.

Every joint is a stack of slides along and turns about axes, each a function of a coordinate (SpatialTransform): slides
in the axes of the parent's frame first, then turns about axes that move along. The axis that is the coordinate itself
is a joint with its name; one that is another function of it, such as the spline of a knee, is a joint that follows by a
coupler. Source: Seth, Sherman, Eastman and Delp, Minimal formulation of joint motion for biomechanisms (2010), doi
10.1007/s11071-010-9717-3; OpenSim 4, API: CustomJoint, PhysicalOffsetFrame, SimmSpline, CoordinateCouplerConstraint.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from mubo.formats.robots.body_scales import BodyScales
from mubo.formats.robots.model_of_robot import robot_model
from mubo.formats.robots.osim_functions import CoordinateFunction, read_function
from mubo.formats.robots.osim_versions import LATEST, OLDEST, as_version_4
from mubo.formats.robots.poses import Pose
from mubo.formats.robots.robot import (
    ORIGIN,
    Place,
    Robot,
    RobotCoupling,
    RobotJoint,
    RobotLink,
    RobotOptions,
    place_of,
)
from mubo.formats.robots.sdf_models import text_of
from mubo.formats.robots.xml import Node, Problems, parse
from mubo.geometry.rotation import about, matrix, of_euler
from mubo.model import ModelDefinition
from mubo.model.mass import tensor_of

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
# Axes of the joints that have no transform of their own, in the order of their coordinates.
FIXED_AXES: dict[str, tuple[tuple[str, Place], ...]] = {
    "WeldJoint": (),
    "PinJoint": (("turn", Z),),
    "SliderJoint": (("slide", X),),
    "UniversalJoint": (("turn", X), ("turn", Y)),
    "BallJoint": (("turn", X), ("turn", Y), ("turn", Z)),
    "GimbalJoint": (("turn", X), ("turn", Y), ("turn", Z)),
    "PlanarJoint": (("turn", Z), ("slide", X), ("slide", Y)),
    "FreeJoint": (("turn", X), ("turn", Y), ("turn", Z), ("slide", X), ("slide", Y), ("slide", Z)),
}


@dataclass
class Axis:
    """One axis of a joint: a turn or a slide that is a function of a coordinate; constant without one."""

    kind: str
    direction: Place
    function: CoordinateFunction
    coordinate: str = ""
    name: str = ""

    def pose(self, value: float) -> Pose:
        """Where the axis leads at a value."""
        if self.kind == "slide":
            return Pose(place_of(value * np.array(self.direction)))
        return Pose(turn=place_of(about(np.array(self.direction), value))) if value else Pose()


@dataclass
class _OsimReader:
    robot: Robot
    problems: Problems
    scales: BodyScales
    leaders: dict[str, str] = field(default_factory=dict)  # joint of every coordinate
    waiting: list[tuple[str, Axis]] = field(default_factory=list)  # joints that follow a coordinate
    locked: list[str] = field(default_factory=list)  # coordinates that the file locks

    def read(self, model: Node) -> None:
        self.robot.gravity = self._vector(model, "gravity", (0.0, -9.80665, 0.0), "model")
        for node in _objects(model, "BodySet"):
            self._body(node)
        self.scales.scale_masses(self.robot.links.values())
        for node in _objects(model, "JointSet"):
            self._joint(node)
        for node in _objects(model, "ConstraintSet"):
            self._constraint(node)
        for node in _objects(model, "MarkerSet"):
            self._marker(node)
        for joint, axis in self.waiting:
            self._follow(joint, axis)
        for tag in ("ForceSet", "ContactGeometrySet", "ControllerSet"):
            for node in _objects(model, tag):
                self.robot.notes.left_out(tag.removesuffix("Set").lower(), node.given.get("name", ""), node.tag)

    def _vector(self, node: Node, tag: str, absent: Place, what: str) -> Place:
        text = text_of(node, tag)
        if not text:
            return absent
        return self.problems.numbers(Node(tag, {tag: text}, node.line, file=node.file), tag, len(absent), absent, what)

    def _body(self, node: Node) -> None:
        name = self.problems.name(node, "body")
        what, link = f"body {name}", RobotLink(name, node.line)
        link.mass = self._vector(node, "mass", (0.0,), what)[0]
        link.center = self.scales.place(name, self._vector(node, "mass_center", ORIGIN, what))
        link.inertia = tensor_of(self._vector(node, "inertia", (0.0,) * 6, what))
        if name in self.robot.links:
            self.problems.note(node, f'there are two bodies "{name}"')
        self.robot.links[name] = link

    def _frame(self, joint: Node, socket: str) -> tuple[str, Pose] | None:
        """Body and pose of the frame that a joint names, one of its own or a body itself."""
        named = text_of(joint, socket)
        frames = joint.first("frames")
        for node in frames.children if frames is not None else ():
            if node.given.get("name") == named.rpartition("/")[2]:
                body = self._body_of(node, text_of(node, "socket_parent"))
                at = self._vector(node, "translation", ORIGIN, f"frame {named}")
                angles = self._vector(node, "orientation", ORIGIN, f"frame {named}")
                turn = place_of(of_euler("xyz", np.array(angles))) if any(angles) else Pose().turn
                return None if body is None else (body, Pose(self.scales.place(body, at), turn))
        body = self._body_of(joint, named)
        return None if body is None else (body, Pose())

    def _body_of(self, node: Node, path: str) -> str | None:
        name = path.rpartition("/")[2]
        if name == "ground":
            return ""
        if name not in self.robot.links:
            self.problems.note(node, f'{node.given.get("name", node.tag)}: there is no body "{path}"')
            return None
        return name

    def _joint(self, node: Node) -> None:
        name = self.problems.name(node, "joint")
        ends = [self._frame(node, f"socket_{end}_frame") for end in ("parent", "child")]
        axes = self._axes(node, name)
        if None in ends or axes is None:
            return
        (parent, near), (child, far) = ends  # type: ignore[misc]
        axes = [self._scaled_axis(axis, parent, near) for axis in axes]
        moving = [axis for axis in axes if axis.coordinate]
        before = near
        for axis in axes:
            if not axis.coordinate:
                before = before @ axis.pose(axis.function.value(0.0))
                continue
            last = axis is moving[-1]
            after = axes[axes.index(axis) + 1 :] if last else []
            tail = Pose()
            for one in after:
                tail = tail @ one.pose(one.function.value(0.0))
            tail = tail @ far.inverse() if last else tail
            link = child if last else self._between(axis, name)
            self._add(node, axis, name, parent, link, before, tail)
            parent, before = link, Pose()
        if not moving:
            pose = before @ far.inverse()
            self.robot.joints.append(RobotJoint(name, "fixed", parent, child, node.line, pose.at, zero=pose.turn))

    def _scaled_axis(self, axis: Axis, parent: str, near: Pose) -> Axis:
        """A slide by the factors of the parent along it; a coordinate that is the slide itself stays."""
        if axis.kind != "slide" or (axis.coordinate and axis.function.straight == (0.0, 1.0)):
            return axis
        return replace(axis, function=axis.function.times(self.scales.along(parent, near.direction(axis.direction))))

    def _between(self, axis: Axis, joint: str) -> str:
        """A link without mass between two axes of a joint."""
        name = f"{joint}_{axis.name}"
        while name in self.robot.links:
            name += "_"
        self.robot.links[name] = RobotLink(name)
        return name

    def _add(self, node: Node, axis: Axis, name: str, parent: str, link: str, before: Pose, tail: Pose) -> None:
        """The joint of one axis: its coordinate where the function is linear with a slope of one, else a follower."""
        straight = axis.function.straight
        leads = straight is not None and abs(straight[1]) == 1.0 and axis.coordinate not in self.leaders
        own = axis.coordinate if leads else f"{name}_{axis.name}"
        sign = 1.0
        if leads and straight is not None:
            before, sign = before @ axis.pose(straight[0]), straight[1]
        kind = "revolute" if axis.kind == "turn" else "prismatic"
        joint = RobotJoint(own, kind, parent, link, node.line, before.at, tail.inverse().at)
        joint.zero = (before @ Pose(turn=tail.turn)).turn
        joint.axis = place_of(sign * (matrix(before.turn) @ np.array(axis.direction)))
        self.robot.joints.append(joint)
        if not leads:
            self.waiting.append((own, axis))
            return
        self.leaders[axis.coordinate] = own
        coordinate = next(one for one in _coordinates(node) if one.given.get("name") == axis.coordinate)
        start = self._vector(coordinate, "default_value", (0.0,), f"coordinate {own}")
        joint.start = start if any(start) else ()
        low, high = self._vector(coordinate, "range", (-np.inf, np.inf), f"coordinate {own}")
        if text_of(coordinate, "clamped", "false") == "true":
            joint.lower, joint.upper = low, high
        if text_of(coordinate, "locked", "false") == "true":
            self.robot.notes.left_out("coordinate", own, "that it is locked")
            self.locked.append(own)

    def _axes(self, node: Node, name: str) -> list[Axis] | None:
        """Slides, then turns; None where the joint cannot be read, which is noted."""
        coordinates = [one.given.get("name", "") for one in _coordinates(node)]
        if node.tag in FIXED_AXES:
            given = FIXED_AXES[node.tag]
            axes = [
                Axis(kind, direction, CoordinateFunction((0.0, 1.0)), coordinate, f"axis{k + 1}")
                for k, ((kind, direction), coordinate) in enumerate(zip(given, coordinates, strict=False))
            ]
            if len(axes) < len(given):
                self.problems.note(node, f"joint {name}: a {node.tag} has {len(given)} coordinates")
            return sorted(axes, key=lambda axis: axis.kind)
        if node.tag != "CustomJoint":
            allowed = ", ".join((*FIXED_AXES, "CustomJoint"))
            self.problems.note(node, f'joint {name}: joint type "{node.tag}" cannot be read. Allowed: {allowed}.')
            return None
        axes = []
        transform = node.first("SpatialTransform")
        for part in transform.all("TransformAxis") if transform is not None else ():
            what = part.given.get("name", "")
            function = read_function(part, self.problems, f"joint {name}, {what}")
            direction = np.array(self._vector(part, "axis", Z, f"joint {name}, {what}"))
            of = text_of(part, "coordinates").split()
            if function is None or not np.linalg.norm(direction) > 0 or len(of) > 1:
                if function is not None:
                    self.problems.note(part, f"joint {name}, {what}: it needs an axis and one coordinate at most")
                return None
            kind = "turn" if what.startswith("rotation") else "slide"
            moves = of[0] if of and not function.constant else ""
            axes.append(Axis(kind, place_of(direction / np.linalg.norm(direction)), function, moves, what))
        return sorted(axes, key=lambda axis: axis.kind)  # "slide" before "turn"; stable

    def _constraint(self, node: Node) -> None:
        name = node.given.get("name", node.tag)
        if node.tag != "CoordinateCouplerConstraint" or text_of(node, "isEnforced", "true") == "false":
            self.robot.notes.left_out("constraint", name, node.tag)
            return
        holder = node.first("coupled_coordinates_function")
        function = None if holder is None else read_function(holder, self.problems, f"constraint {name}")
        leaders = text_of(node, "independent_coordinate_names").split()
        follower = text_of(node, "dependent_coordinate_name")
        if function is None or len(leaders) != 1 or not {follower, *leaders} <= self.leaders.keys():
            self.robot.notes.left_out("constraint", name, f"{node.tag} of {follower}")
            return
        self.robot.couplings.append(
            RobotCoupling(name, self.leaders[follower], self.leaders[leaders[0]], *function.coupling)
        )

    def _follow(self, joint: str, axis: Axis) -> None:
        if axis.coordinate not in self.leaders:
            text = f"coordinate {axis.coordinate}: no axis is the coordinate itself, which {joint} follows"
            self.problems.note(0, text)
            return
        leader = self.leaders[axis.coordinate]
        self.robot.couplings.append(RobotCoupling(f"{joint}_follows", joint, leader, *axis.function.coupling))

    def _marker(self, node: Node) -> None:
        link = text_of(node, "socket_parent_frame").rpartition("/")[2]
        if link in self.robot.links:
            at = self._vector(node, "location", ORIGIN, f"marker {node.given.get('name', '')}")
            self.robot.links[link].points[node.given.get("name", "")] = self.scales.place(link, at)


def _objects(model: Node, tag: str) -> list[Node]:
    """The elements of a set of OpenSim."""
    part = model.first(tag)
    inside = part.first("objects") if part is not None else None
    return inside.children if inside is not None else []


def _coordinates(joint: Node) -> list[Node]:
    part = joint.first("coordinates")
    return part.all("Coordinate") if part is not None else []


def read_osim(text: str, path: Path, options: RobotOptions | None = None) -> ModelDefinition:
    """The model of the text of an OpenSim file."""
    root, problems = parse(text, path), Problems(path)
    model = root.first("Model")
    version = root.given.get("Version", "0")
    if root.tag != "OpenSimDocument" or model is None:
        problems.note(root, f"expected <OpenSimDocument> with a <Model>; found <{root.tag}>. This is no OpenSim model.")
    elif not version.isdigit() or int(version) < OLDEST:
        problems.note(root, f"it is of version {version}: save it by OpenSim 4 (opensim-cmd update-file) first")
    problems.raise_any()
    assert model is not None
    if int(version) < LATEST:
        as_version_4(model, problems)
    options = options or RobotOptions()
    robot = Robot(model.given.get("name", ""), "osim")
    reader = _OsimReader(robot, problems, options.scales)
    reader.read(model)
    if not robot.links:
        problems.note(model, "there is no body")
    return robot_model(robot, options, problems, path, {"locked": tuple(reader.locked)})
