"""A model from what a robot's file describes: plain names, its base, checked inertias, damping, limits and notes."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mubo.elements import COORDINATES
from mubo.formats.robots.drives_of_robot import RobotDrives
from mubo.formats.robots.robot import NAMED, ORIGIN, SHOWN, Place, Robot, RobotJoint, RobotLink, RobotOptions
from mubo.formats.robots.xml import Problems
from mubo.geometry import UNIT
from mubo.model import GROUND, Body, Builder, EventDefinition, Force, Initial, Joint, ModelDefinition, Origin, Units
from mubo.model.mass import checked_inertia, elements_of, inertia_problem

CUT = {"role": "cut"}


def robot_model(
    robot: Robot, options: RobotOptions, problems: Problems, path: Path, data: Mapping[str, Any] | None = None
) -> ModelDefinition:
    """The model of a robot. All problems are reported together; a warning states what was left out or changed.

    Its origin has the names of the model by those of the file, and the `data` of the format."""
    problems.raise_any()
    builder = Builder(robot.name or path.stem, Units("m", "rad", "kg", "s"), 3, robot.gravity)
    builder.source = str(path)
    assembly = _Assembly(robot, options, problems, builder)
    assembly.assemble()
    problems.raise_any()
    names = {"links": assembly.bodies, "joints": assembly.joints, "actuators": assembly.actuators}
    names |= {"points": assembly.points, **(data or {})}
    builder.origin = Origin(robot.format, names, (), (), tuple(robot.notes.lines()))
    model = builder.build()
    for problem in model.problems:
        problems.note(0, str(problem))
    problems.raise_any()
    _warn(robot, path)
    return model


def _warn(robot: Robot, path: Path) -> None:
    lines = robot.notes.lines(NAMED)
    more = len(lines) - SHOWN
    if more > 0:
        lines = [*lines[:SHOWN], f"and {more} more note{'s' * (more > 1)}, all in model.notes"]
    if lines:
        warnings.warn(f"{path}: " + "\n  ".join(lines), stacklevel=6)


def plain_names(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Names that mubo allows, each different: "arm-1" becomes "arm_1"."""
    used, out = {GROUND, *taken}, {}
    for name in names:
        new = re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"
        plain, count = new, 1
        while plain in used:
            count += 1
            plain = f"{new}_{count}"
        used.add(plain)
        out[name] = plain
    return out


class _Assembly:
    """The parts of a model under construction, by the names of the robot's file."""

    def __init__(self, robot: Robot, options: RobotOptions, problems: Problems, model: Builder) -> None:
        self.robot, self.options, self.problems, self.model = robot, options, problems, model
        moving = [name for name in robot.links if name not in robot.ground]
        self.bodies = {"": GROUND, **dict.fromkeys(robot.ground, GROUND), **plain_names(moving)}
        self.joints = plain_names(joint.name for joint in (*robot.joints, *robot.loops))
        self.actuators: dict[str, Any] = {}
        self.points: dict[str, str] = {}  # sites and markers by their names in the file

    def assemble(self) -> None:
        robot = self.robot
        for link in robot.links.values():
            self._body(link)
        for joint in self._with_base():
            self._joint(joint)
        for joint in robot.loops:
            self._joint(replace(joint, options={**joint.options, **CUT}))
        if not self.problems.noted:
            drives = RobotDrives(robot, self.options, self.model, self.joints, self._free_name, self._place)
            self.actuators = drives.add()
        renamed = {**self.bodies, **self.joints}
        changed = [f"{old} is called {new}" for old, new in renamed.items() if old not in ("", new) and new != GROUND]
        if changed:
            robot.notes.add("", "", "names consist of letters, digits and underscores: " + "; ".join(changed))

    def _body(self, link: RobotLink) -> None:
        name = self.bodies[link.name]
        if name == GROUND:
            if link.mass:
                self.robot.notes.add("link", link.name, "is the ground; its inertia is left out")
            for point, at in link.points.items():
                self._point(GROUND, point, at)
            return
        if link.mass < 0:
            self.problems.note(link.line, f"link {link.name}: the mass cannot be negative; found {link.mass:g}")
        placed = link.shape is not None and link.shape.at  # else the centre of mass would follow from the shape
        center = link.center if placed or any(link.center) else ()
        plain = plain_names(link.points, COORDINATES)
        points = {new: link.points[old] for old, new in plain.items()}
        self.points |= {old: f"{name}.{new}" for old, new in plain.items()}
        tensor, check = self._checked(link)
        self.model.bodies[name] = Body(
            name, (), 0.0, points, (), link.mass, elements_of(tensor), center, link.shape, inertia_check=check
        )

    def _checked(self, link: RobotLink) -> tuple[np.ndarray, str]:
        """The inertia of a link as `inertia_check` says, and the check that the body needs to be read back."""
        problem = inertia_problem(link.inertia)
        if not problem:
            return link.inertia, "refuse"
        asked = self.options.inertia_check
        if asked == "refuse":
            self.problems.note(link.line, f"link {link.name}: {problem}")
            return link.inertia, "refuse"
        done = "used as given" if asked == "note" else "replaced by the inertia next to it that a body has"
        self.robot.notes.add("link", link.name, f"{problem}; {done}")
        return checked_inertia(link.inertia, asked), "note" if asked == "note" else "refuse"

    def _with_base(self) -> list[RobotJoint]:
        """The joints of the tree, with one for every part that hangs on nothing, and the base as it is asked for."""
        robot, base = self.robot, self.options.base
        joints = [self._rebased(joint) for joint in robot.joints]
        for link in self._roots():
            floats = robot.floats and not robot.links[link].fixed
            kind = "free" if (base == "free" if base else floats) else "fixed"
            name, drawn = self._base_name(), robot.links[link].drawn or (*ORIGIN, *UNIT)
            joint = RobotJoint(name, kind, "", link, start=drawn if drawn[:4] != (*ORIGIN, 1.0) else ())
            joints.insert(0, joint if kind == "free" else replace(joint, at=drawn[:3], zero=drawn[3:], start=()))
            if base is None and not robot.floats:
                text = f'the root is welded to the ground by the joint "{name}"; `base = "free"` lets it float'
                robot.notes.add("link", link, text)
        return joints

    def _roots(self) -> list[str]:
        """A link of each part that no joint connects with the ground: the first that is nobody's child."""
        robot, group = self.robot, dict[str, str]()

        def root(link: str) -> str:
            link = "" if link in robot.ground else link
            while link in group:
                link = group[link]
            return link

        children = {joint.child for joint in robot.joints}
        for joint in robot.joints:
            one, other = root(joint.parent), root(joint.child)
            if one != other:
                group[one or other] = other if one else one
        first: dict[str, str] = {}
        for link in sorted(robot.links, key=lambda name: name in children):  # stable: in the order of the file
            first.setdefault(root(link), link)
        return [link for part, link in first.items() if part and part not in robot.ground]

    def _free_name(self, name: str) -> str:
        """A plain name that no joint and no force has: their columns would collide."""
        return plain_names([name], (*self.model.joints, *self.model.forces, *self.model.drivers))[name]

    def _place(self, link: str, name: str, at: Place) -> str:
        """The reference of a place on a link, as a point with a name."""
        body = self.bodies[link]
        return f"{body}.{self._point(body, name, at)}"

    def _base_name(self) -> str:
        name = plain_names(["base"], self.joints.values())["base"]
        self.joints[name] = name
        return name

    def _rebased(self, joint: RobotJoint) -> RobotJoint:
        """A joint to the ground as the base is asked for: a weld of a part that moves floats, a floating one is welded
        where it starts."""
        base = self.options.base
        if joint.parent and self.bodies[joint.parent] != GROUND:
            return joint
        if base == "free" and joint.kind == "fixed" and self._moves(joint.child):
            return replace(joint, kind="free", at=ORIGIN, zero=UNIT, start=(*joint.at, *joint.zero))
        if base == "fixed" and joint.kind == "free":
            start = joint.start or (*ORIGIN, *UNIT)
            return replace(joint, kind="fixed", at=start[:3], zero=start[3:], start=())
        return joint

    def _moves(self, link: str) -> bool:
        """Whether a joint below a link moves."""
        below = [joint for joint in self.robot.joints if joint.parent == link]
        return any(joint.kind != "fixed" or self._moves(joint.child) for joint in below)

    def _joint(self, joint: RobotJoint) -> None:
        name = self.joints[joint.name]
        parent, child = self.bodies[joint.parent], self.bodies[joint.child]
        point = f"at_{name}" if name in AXES else name
        if parent == child:
            self.problems.note(joint.line, f"joint {joint.name}: it connects the link with itself")
            return
        first, second = self._point(parent, point, joint.at), self._point(child, point, joint.on)
        options: dict[str, Any] = {}
        if joint.axis:
            options["axis"] = joint.axis
        if tuple(joint.zero) != tuple(UNIT):
            options["zero"] = tuple(joint.zero)
        options |= joint.options
        self.model.joints[name] = Joint(name, joint.kind, (f"{parent}.{first}", f"{child}.{second}"), options)
        if joint.start:
            rates = 6 if joint.kind == "free" else 3 if joint.kind == "spherical" else len(joint.start)
            self.model.initial_joints[name] = Initial(name, joint.start, (0.0,) * rates)
        self._spring(joint, name)
        self._limits(joint, name)

    def _spring(self, joint: RobotJoint, name: str) -> None:
        """Spring and damper of a joint, as one force."""
        if joint.damping < 0:
            text = f"joint {joint.name}: the damping cannot be negative; found {joint.damping:g}"
            self.problems.note(joint.line, text)
        elif joint.damping or joint.stiffness:
            if not joint.single:
                self.robot.notes.left_out("joint", joint.name, f"damping or stiffness of a {joint.kind} joint")
                return
            given = {"stiffness": joint.stiffness, "rest": joint.rest, "damping": joint.damping}
            keys = ["damping"] * (joint.damping != 0) + ["stiffness", "rest"] * (joint.stiffness != 0)
            force = f"{name}_{keys[0]}"
            self.model.forces[force] = Force(force, "joint_spring", (name,), {key: given[key] for key in keys})

    def _limits(self, joint: RobotJoint, name: str) -> None:
        """Limits as events that report, or as soft stops where their stiffness is given."""
        limits = {"lower": joint.lower, "upper": joint.upper}
        known = {key: value for key, value in limits.items() if value is not None}
        if not known or not joint.single:
            return
        if self.options.stops is not None:
            stiffness, damping = self.options.stops
            given = {**known, "stiffness": stiffness, "damping": damping}
            self.model.forces[f"{name}_stop"] = Force(f"{name}_stop", "joint_stop", (name,), given)
            return
        for key, value in known.items():
            direction = "down" if key == "lower" else "up"
            self.model.events[f"{name}_{key}"] = EventDefinition(f"{name}_{key}", name, value, direction)

    def _point(self, body: str, name: str, at: Place) -> str:
        """Names a point of a body, or finds the name that it has."""
        known = self.model.bodies[body]
        while known.points.get(name, at) != at:
            name += "_"
        self.model.bodies[body] = replace(known, points={**known.points, name: at})
        return name


AXES = ("x", "y", "z", *COORDINATES)
