"""An MJCF file as a robot: the tree of its bodies, gravity, equalities as loops, keyframes; the rest by name.

Contacts and sensors have no part in the model: notes list them. A body whose mass is that of a mesh that is not beside
the file is refused by name.
Source: MuJoCo, XML reference: option, equality, keyframe.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mubo.errors import nearest
from mubo.formats.robots.mjcf_bodies import WORLD, BodyTree, MjcfFile
from mubo.formats.robots.mjcf_drives import Tendons, couple_joints, couple_tendon, read_actuators, read_tendons
from mubo.formats.robots.mjcf_settings import with_includes
from mubo.formats.robots.model_of_robot import robot_model
from mubo.formats.robots.poses import Pose
from mubo.formats.robots.robot import ORIGIN, Place, Robot, RobotJoint, RobotOptions, place_of
from mubo.formats.robots.xml import Node, Problems, parse
from mubo.geometry.rotation import conjugate, product
from mubo.model import ModelDefinition

EARTH = (0.0, 0.0, -9.81)
ROUNDED = 1e-6  # metres that two sites are apart by the rounding of the file
UNUSED = ("contact", "sensor", "deformable", "extension", "custom")


def read_mjcf(text: str, path: Path, options: RobotOptions | None = None) -> ModelDefinition:
    """The model of the text of an MJCF file."""
    options = options or RobotOptions()
    root, problems = parse(text, path), Problems(path)
    if root.tag not in ("mujoco", "mujocoinclude"):
        problems.note(root, f"expected <mujoco>; found <{root.tag}>. This is no MJCF file.")
    problems.raise_any()
    root = with_includes(root, path.parent, (path,))
    robot, tree = Robot(root.given.get("model", ""), "mjcf", gravity=EARTH), BodyTree()
    file = MjcfFile(root, robot, tree, problems, path.parent)
    file.read_world()
    _require_masses(tree, problems)
    _gravity(root, robot, problems)
    _set_total_mass(robot, file.compiler.settotalmass)
    tendons = read_tendons(file)
    _equalities(file, tendons)
    _unused(root, robot)
    read_actuators(file, tendons, _keyframes(root, robot, tree, options, problems))
    if not robot.links:
        problems.note(root, "there is no body: this file is only included by others")
    return robot_model(robot, options, problems, path, {"order": tuple(tree.order)})


def _require_masses(tree: BodyTree, problems: Problems) -> None:
    for link, (node, mesh) in tree.lacking.items():
        if link in tree.moving:
            text = f"its mass is that of the mesh {mesh}, whose file is not there: put it there, or write an <inertial>"
            problems.note(node, f"body {link}: {text}")


def _gravity(root: Node, robot: Robot, problems: Problems) -> None:
    for node in root.all("option"):
        robot.gravity = problems.numbers(node, "gravity", 3, robot.gravity or EARTH, "option")
        for flag in node.all("flag"):
            if flag.given.get("gravity") == "disable":
                robot.gravity = ORIGIN
        for key in ("density", "viscosity", "wind"):
            if any(problems.list(node, key, (0.0,), "option")):
                robot.notes.add("", "", f"left out: {key} of the medium (option)")


def _set_total_mass(robot: Robot, total: float) -> None:
    """Scale masses and inertias so that their sum is the mass that the compiler asks for."""
    found = sum(link.mass for link in robot.links.values())
    if total > 0 and found > 0:
        for link in robot.links.values():
            link.mass *= total / found
            link.inertia = link.inertia * (total / found)


def _unused(root: Node, robot: Robot) -> None:
    for tag in UNUSED:
        if any(part.children for part in root.all(tag)):
            robot.notes.add("", "", f"left out: <{tag}>")


def _equalities(file: MjcfFile, tendons: Tendons) -> None:
    """Equalities as joints that close loops and as couplers; others are left out by name."""
    robot = file.robot
    for part in file.root.all("equality"):
        for number, given in enumerate(part.children, 1):
            node = file.defaults.apply(Node("equality", given.given, given.line, file=given.file), "", file.problems)
            name = node.given.get("name") or f"equality_{number}"
            if node.given.get("active", "true") == "false":
                robot.notes.left_out("equality", name, "it is not active")
            elif given.tag in ("connect", "weld"):
                joint = _loop(given.tag, node, name, file)
                if joint is not None:
                    taken = {one.name for one in (*robot.joints, *robot.loops)}
                    joint.name = _unused_name(joint.name, taken)
                    robot.loops.append(joint)
            elif given.tag == "joint":
                couple_joints(file, node, name)
            elif given.tag == "tendon":
                couple_tendon(file, node, name, tendons)
            else:
                robot.notes.left_out("equality", name, f"{given.tag}")


def _unused_name(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _loop(tag: str, node: Node, name: str, file: MjcfFile) -> RobotJoint | None:
    """A connect as a ball, a weld as a weld, between two bodies as they stand where the file draws them."""
    tree, problems, what = file.tree, file.problems, f"equality {name}"
    kind = "spherical" if tag == "connect" else "fixed"
    if "site1" in node.given:
        one, two = (tree.sites.get(file.prefix + node.given.get(key, "")) for key in ("site1", "site2"))
        if one is None or two is None:
            problems.note(node, f"{what}: there is no such site")
            return None
        joint = RobotJoint(name, kind, one[0], two[0], node.line, one[1].at, _closed(file, name, one, two))
        if kind == "fixed":
            joint.zero = place_of(product(one[1].turn, conjugate(two[1].turn)))
        return joint
    named = [node.given.get(key, WORLD) for key in ("body1", "body2")]
    first, second = ("" if body == WORLD else file.prefix + body for body in named)
    for body in (first, second):
        if body not in tree.poses:
            problems.note(node, f'{what}: there is no body "{body}". {nearest(body, tree.poses)}')
            return None
    drawn = tree.poses[first].inverse() @ tree.poses[second]  # the second body in the first
    if tag == "connect":
        at = problems.numbers(node, "anchor", 3, ORIGIN, what)
        return RobotJoint(name, kind, first, second, node.line, at, (drawn.inverse() @ Pose(at)).at)
    given = problems.numbers(node, "relpose", 7, (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0), what)
    size = float(np.linalg.norm(given[3:]))
    pose = Pose(given[:3], place_of(np.array(given[3:]) / size)) if size else drawn
    on = problems.numbers(node, "anchor", 3, ORIGIN, what)
    return RobotJoint(name, kind, first, second, node.line, (pose @ Pose(on)).at, on, zero=pose.turn)


def _closed(file: MjcfFile, name: str, one: tuple[str, Pose], two: tuple[str, Pose]) -> Place:
    """The place of the second site on its body; moved to the first, with a note, where rounding of the file parts them
    as they are drawn: loops of parallel hinges would contradict each other by so much."""
    first, second = (file.tree.poses[link] for link, _ in (one, two))
    met = (second.inverse() @ first @ Pose(one[1].at)).at
    gap = float(np.linalg.norm(np.subtract(met, two[1].at)))
    if not 0 < gap < ROUNDED:
        return two[1].at
    file.robot.notes.add("equality", name, "a site is moved by less than a micrometre, so that the loop is closed")
    return met


def _keyframes(root: Node, robot: Robot, tree: BodyTree, options: RobotOptions, problems: Problems) -> Place:
    """Sets the coordinates of the keyframe that is asked for, and returns its control signals; notes the names of all,
    where none is."""
    keys = {
        node.given.get("name", str(k)): node for part in root.all("keyframe") for k, node in enumerate(part.children)
    }
    if options.keyframe is None:
        if keys:
            robot.notes.add("", "", f"keyframes, to begin in one by keyframe=: {', '.join(keys)}")
        return ()
    if options.keyframe not in keys:
        problems.note(root, f'there is no keyframe "{options.keyframe}". {nearest(options.keyframe, keys)}')
        return ()
    node = keys[options.keyframe]
    counts = {"free": 7, "spherical": 4}
    joints = {joint.name: joint for joint in robot.joints}
    total = sum(counts.get(joints[name].kind, 1) for name in tree.order)
    values = problems.numbers(node, "qpos", total, (), f"keyframe {options.keyframe}")
    first = 0
    for name in tree.order if values else ():
        wide = counts.get(joints[name].kind, 1)
        joints[name].start = values[first : first + wide]
        first += wide
    words = node.given.get("ctrl", "").split()
    return problems.numbers(node, "ctrl", len(words), (), f"keyframe {options.keyframe}")
