"""A URDF file as a spatial model. All problems come together, with lines; a warning states what cannot be kept.

Gravity is no part of URDF: the model states none, and a simulation asks for it.
Source: ROS wiki, urdf/XML/link, urdf/XML/joint.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mubo.elements import COORDINATES
from mubo.errors import nearest
from mubo.formats.urdf.links import ZERO, read_link, turned
from mubo.formats.urdf.xml import Node, Problems, parse
from mubo.geometry.rotation import of_euler
from mubo.model import GROUND, Builder, EventDefinition, Force, Joint, ModelDefinition, Units

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
KNOWN = ("link", "joint", "material")


def read_urdf(text: str, path: Path) -> ModelDefinition:
    """The model of the text of a robot description."""
    root, problems = parse(text, path), Problems(path)
    if root.tag != "robot":
        problems.note(root, f"expected <robot>; found <{root.tag}>. This is no robot description.")
        problems.raise_any()
    if any("xacro" in key for key in root.given) and "xacro:" in text:
        problems.note(root, "this is a xacro file: turn it into URDF first, with `xacro FILE > robot.urdf`")
        problems.raise_any()
    builder = Builder(root.given.get("name") or path.stem, Units("m", "rad", "kg", "s"), 3)
    builder.source = str(path)
    _UrdfReader(builder, problems).read(root)
    problems.raise_any()
    model = builder.build()
    for problem in model.problems:
        problems.note(root, str(problem))
    problems.raise_any()
    return model


class _UrdfReader:
    def __init__(self, model: Builder, problems: Problems) -> None:
        self.model, self.problems = model, problems
        self.notes: list[str] = []
        self.bodies: dict[str, str] = {}  # link: its name in the model

    def read(self, root: Node) -> None:
        links, joints = root.all("link"), root.all("joint")
        base = self._base(root, links, joints)
        self._twice(links, "link")
        self._twice(joints, "joint")
        if base is None or self.problems.noted:
            return
        self.bodies = dict(_plain((node.given["name"] for node in links), {base: GROUND} if base in WORLD else {}))
        names = dict(_plain((node.given["name"] for node in joints), {}))
        for node in links:
            name = self.bodies[node.given["name"]]
            if name != GROUND:
                self.model.bodies[name] = read_link(node, name, self.problems, self.notes)
            elif node.first("inertial") is not None:
                self.notes.append(f"link {base}: is the ground; its inertia is left out")
        if base not in WORLD:
            self._stand(base)
        for node in joints:
            self._joint(node, names[node.given["name"]])
        self._warn(root, names)

    def _base(self, root: Node, links: list[Node], joints: list[Node]) -> str | None:
        """The one link that is nobody's child; loops and several roots are noted by name."""
        known = {self.problems.name(node, "link"): node for node in links}
        above: dict[str, str] = {}
        below: dict[str, list[str]] = {}
        for node in joints:
            what = f"joint {self.problems.name(node, 'joint')}"
            for tag in ("parent", "child"):
                link = _end(node, tag)
                if not link:
                    self.problems.note(node, f'{what}: <{tag} link="…"> is missing')
                elif link not in known:
                    self.problems.note(
                        node.first(tag) or node, f'{what}: there is no link "{link}". {nearest(link, known)}'
                    )
                elif tag == "child":
                    first = above.setdefault(link, what)
                    if first != what:
                        self.problems.note(node, f'{what}: link "{link}" is a child of {first} already')
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
        reached = [roots[0]]
        for name in reached:
            reached += [child for child in below.get(name, ()) if child not in reached]
        loose = [name for name in known if name not in reached]
        if loose and not self.problems.noted:
            self.problems.note(root, f"the links {', '.join(loose)} hang on each other only: their joints close a loop")
        return roots[0]

    def _twice(self, nodes: list[Node], what: str) -> None:
        seen: set[str] = set()
        for node in nodes:
            name = node.given.get("name", "")
            if name in seen:
                self.problems.note(node, f'there are two {what}s "{name}"')
            seen.add(name)

    def _stand(self, base: str) -> None:
        """URDF leaves open how the root stands: here it is welded to the ground, which a warning states."""
        body = self.bodies[base]
        for name in (GROUND, body):
            self._point(name, "base", ZERO)
        self.model.joints["base"] = Joint("base", "fixed", (f"{GROUND}.base", f"{body}.base"))
        self.notes.append(f'link {base}: the root is welded to the ground by the joint "base"; make it "free" to float')

    def _joint(self, node: Node, name: str) -> None:
        what, problems = f"joint {node.given['name']}", self.problems
        kind = KINDS.get(node.given.get("type", ""))
        if kind is None:
            known = f"Allowed: {', '.join(KINDS)}."
            problems.note(node, f'{what}: there is no joint type "{node.given.get("type", "")}". {known}')
            return
        parent, child = (self.bodies[_end(node, tag)] for tag in ("parent", "child"))
        origin = node.first("origin")
        at = problems.numbers(origin, "xyz", 3, ZERO, what)
        rpy = problems.numbers(origin, "rpy", 3, ZERO, what)
        point = f"at_{name}" if name in COORDINATES else name
        self._point(parent, point, at)
        self._point(child, point, ZERO)
        options: dict[str, Any] = {}
        if kind in ("revolute", "prismatic", "planar"):
            axis = problems.numbers(node.first("axis"), "xyz", 3, (1.0, 0.0, 0.0), what)
            if not any(axis):
                problems.note(node.first("axis") or node, f"{what}: its axis has zero length")
                return
            options["axis"] = axis if not any(rpy) else tuple(float(x) for x in turned(rpy) @ np.array(axis))
        if any(rpy):
            options["zero"] = tuple(float(x) for x in of_euler("zyx", rpy[::-1]))
        self.model.joints[name] = Joint(name, kind, (f"{parent}.{point}", f"{child}.{point}"), options)
        self._extras(node, name, kind, what)

    def _extras(self, node: Node, name: str, kind: str, what: str) -> None:
        """Damping becomes a force, limits become events that report; the rest is left out, with a warning."""
        problems, single = self.problems, kind in ("revolute", "prismatic")
        dynamics, limit = node.first("dynamics"), node.first("limit")
        damping = problems.number(dynamics, "damping", 0.0, what)
        if damping < 0:
            problems.note(dynamics or node, f"{what}: the damping cannot be negative; found {damping:g}")
        elif damping and single:
            force = f"{name}_damping"
            self.model.forces[force] = Force(force, "joint_spring", (name,), {"damping": damping})
        elif damping:
            self.notes.append(f"{what}: left out: damping, which a {kind} joint does not have")
        if problems.number(dynamics, "friction", 0.0, what):
            self.notes.append(f"{what}: left out: friction")
        if limit is not None and single and node.given["type"] != "continuous":
            for key, direction in (("lower", "down"), ("upper", "up")):
                if key in limit.given:
                    value = problems.number(limit, key, 0.0, what)
                    if abs(value) >= NO_LIMIT:
                        continue
                    self.model.events[f"{name}_{key}"] = EventDefinition(f"{name}_{key}", name, value, direction)
        left_out: list[str] = []
        for key in ("effort", "velocity"):
            if limit is not None and key in limit.given and problems.number(limit, key, 0.0, what) < NO_LIMIT:
                left_out.append(key)
        left_out += [tag for tag in ("mimic", "safety_controller", "calibration") if node.first(tag) is not None]
        if left_out:
            self.notes.append(f"{what}: left out: {', '.join(left_out)}")

    def _point(self, body: str, name: str, at: tuple[float, ...]) -> None:
        known = self.model.bodies[body]
        self.model.bodies[body] = replace(known, points={**known.points, name: at})

    def _warn(self, root: Node, names: dict[str, str]) -> None:
        changed = [
            f"{old} is called {new}" for old, new in {**self.bodies, **names}.items() if new not in (old, GROUND)
        ]
        if changed:
            self.notes.append("names consist of letters, digits and underscores: " + "; ".join(changed))
        other = dict.fromkeys(node.tag for node in root.children if node.tag not in KNOWN)
        if other:
            self.notes.append(f"left out: {', '.join(f'<{tag}>' for tag in other)}")
        if self.notes and not self.problems.noted:
            warnings.warn(f"{self.problems.path}: " + "\n  ".join(_together(self.notes)), stacklevel=5)


def _together(notes: Iterable[str]) -> list[str]:
    """Notes of the same thing left out as one: "joints hip, knee: left out: friction"; meshes without their files."""
    alike: dict[tuple[str, str], list[str]] = {}
    for note in notes:
        what, _, thing = note.partition(": left out: ")
        thing = "a mesh" if thing.startswith("mesh ") else thing or note
        alike.setdefault((what.partition(" ")[0], thing), []).append(note)
    grouped = []
    for (kind, thing), same in alike.items():
        names = dict.fromkeys(note.partition(":")[0].partition(" ")[2] for note in same)
        grouped.append(same[0] if len(same) == 1 else f"{kind}s {', '.join(names)}: left out: {thing}")
    return grouped


def _end(joint: Node, tag: str) -> str:
    """The link that a joint names as its parent or child; empty if it does not."""
    end = joint.first(tag)
    return end.given.get("link", "") if end is not None else ""


def _plain(names: Iterable[str], given: dict[str, str]) -> Iterable[tuple[str, str]]:
    """Names that mubo allows, each different: "arm-1" becomes "arm_1"; the word ground is taken."""
    taken = {GROUND, *given.values()}
    for name in names:
        new = given.get(name) or re.sub(r"[^A-Za-z0-9_]", "_", name)
        plain, count = new, 1
        while plain in taken and name not in given:
            count += 1
            plain = f"{new}_{count}"
        taken.add(plain)
        yield name, plain
