"""Equalities between joints, tendons and actuators of an MJCF file.

An equality of joints is a coupler. A fixed tendon is a sum of joint coordinates: one of two joints that is kept
constant is a coupler too, and one that an actuator pulls is an effort of each of its joints. A spatial tendon between
two sites with a stiffness is a spring. What is left is named.
Source: MuJoCo, XML reference: equality/joint, equality/tendon, tendon, actuator.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from mubo.errors import nearest
from mubo.formats.robots.mjcf_bodies import MjcfFile
from mubo.formats.robots.poses import Pose
from mubo.formats.robots.robot import Place, RobotActuator, RobotCoupling, place_of
from mubo.formats.robots.xml import Node

SERVOS = ("motor", "position", "velocity", "general", "intvelocity")
RANGES = ("ctrlrange", "forcerange", "actrange")
PARTS = ("site", "geom", "pulley")


@dataclass
class Tendons:
    """The tendons of a file: joints with their coefficients of fixed ones, sites of spatial ones."""

    fixed: dict[str, dict[str, float]] = field(default_factory=dict)
    spatial: dict[str, tuple[str, ...]] = field(default_factory=dict)  # points of bodies, where it has two


def shifted(coefficients: Sequence[float], ref: float, base: float) -> Place:
    """Coefficients of base + Σ c_k (x − ref)^k in powers of x."""
    shift = np.polynomial.Polynomial([-ref, 1.0])
    total = np.polynomial.Polynomial([base])
    for k, c in enumerate(coefficients):
        total = total + c * shift**k
    out = [float(c) for c in np.trim_zeros(total.coef, "b")] or [0.0]
    return place_of(out if len(out) > 2 else (*out, 0.0)[:2])


def couple_joints(file: MjcfFile, node: Node, name: str) -> None:
    """An equality of two joints: joint1 − ref1 = Σ c_k (joint2 − ref2)^k."""
    refs, what = file.tree.refs, f"equality {name}"
    named = [file.prefix + node.given[key] for key in ("joint1", "joint2") if key in node.given]
    for joint in named:
        if joint not in refs:
            file.problems.note(node, f'{what}: there is no joint "{joint}". {nearest(joint, refs)}')
            return
    given = file.problems.numbers(node, "polycoef", 5, (0.0, 1.0, 0.0, 0.0, 0.0), what)
    if len(named) == 1:
        text = f"joint {named[0]} is kept at {refs[named[0]] + given[0]:g}: write a driver for it"
        file.robot.notes.left_out("equality", name, text)
        return
    kinds = {joint.name: joint for joint in file.robot.joints}
    if not all(kinds[joint].single for joint in named):
        file.robot.notes.left_out("equality", name, "joints of several coordinates")
        return
    follower, leader = named
    coefficients = shifted(given, refs[leader], refs[follower])
    file.robot.couplings.append(RobotCoupling(name, follower, leader, coefficients, line=node.line))


def couple_tendon(file: MjcfFile, node: Node, name: str, tendons: Tendons) -> None:
    """An equality that keeps a fixed tendon of two joints at its length: c₁ q₁ + c₂ q₂ = constant."""
    joints = tendons.fixed.get(node.given.get("tendon1", ""), {})
    refs = file.tree.refs
    constant = file.problems.numbers(node, "polycoef", 5, (0.0,) * 5, f"equality {name}")[0]
    if len(joints) != 2 or "tendon2" in node.given:
        file.robot.notes.left_out("equality", name, "tendon")
        return
    (leader, a), (follower, b) = joints.items()
    offset = (constant + a * refs[leader] + b * refs[follower]) / b
    file.robot.couplings.append(RobotCoupling(name, follower, leader, (offset, -a / b), line=node.line))


def read_tendons(file: MjcfFile) -> Tendons:
    """All tendons; springs of spatial ones between two sites, and names of those that have no part."""
    out = Tendons()
    for part in file.root.all("tendon"):
        for number, given in enumerate(part.children, 1):
            node = file.defaults.apply(
                Node("tendon", given.given, given.line, given.children, file=given.file), "", file.problems
            )
            name = node.given.get("name") or f"{given.tag}_{number}"
            if given.tag == "fixed":
                _fixed(file, node, name, out)
            elif given.tag == "spatial":
                _spatial(file, node, name, out)
            else:
                file.problems.note(given, f"tendon {name}: there is no tendon <{given.tag}>. Allowed: fixed, spatial.")
    return out


def _fixed(file: MjcfFile, node: Node, name: str, out: Tendons) -> None:
    joints: dict[str, float] = {}
    for part in node.all("joint"):
        joint = file.prefix + part.given.get("joint", "")
        if joint not in file.tree.refs:
            file.problems.note(part, f'tendon {name}: there is no joint "{joint}". {nearest(joint, file.tree.refs)}')
            return
        joints[joint] = file.problems.number(part, "coef", 1.0, f"tendon {name}")
    out.fixed[name] = joints
    _forces_left_out(file, node, name, ("stiffness", "damping", "frictionloss", "armature"))


def _spatial(file: MjcfFile, node: Node, name: str, out: Tendons) -> None:
    """A straight tendon between two sites is a spring where it has a stiffness or damping; others are named."""
    what, problems = f"tendon {name}", file.problems
    parts = [part for part in node.children if part.tag in PARTS]
    if len(parts) != 2 or any(part.tag != "site" for part in parts):
        file.robot.notes.left_out("tendon", name, "spatial, over more than two sites or around geoms")
        return
    ends = []
    for part in parts:
        site = file.prefix + part.given.get("site", "")
        if site not in file.tree.sites:
            problems.note(part, f'{what}: there is no site "{site}". {nearest(site, file.tree.sites)}')
            return
        link, pose = file.tree.sites[site]
        ends.append((link, pose.at))
    stiffness, damping = (problems.number(node, key, 0.0, what) for key in ("stiffness", "damping"))
    lengths = problems.list(node, "springlength", (-1.0,), what)
    first, second = ((file.tree.poses[link] @ Pose(at)).at for link, at in ends)
    length = lengths[0] if lengths[0] >= 0 else float(np.linalg.norm(np.subtract(first, second)))
    if stiffness or damping:
        numbers = {"stiffness": stiffness, "length": length, "damping": damping}
        numbers = {key: value for key, value in numbers.items() if value}
        file.robot.springs[name] = (ends, numbers)
    _forces_left_out(file, node, name, ("frictionloss", "armature"))


def _forces_left_out(file: MjcfFile, node: Node, name: str, keys: Sequence[str]) -> None:
    for key in keys:
        if any(file.problems.list(node, key, (0.0,), f"tendon {name}")):
            file.robot.notes.left_out("tendon", name, key)


def read_actuators(file: MjcfFile, tendons: Tendons, control: Sequence[float]) -> None:
    """Actuators of joints and fixed tendons; `control` are the signals of the keyframe, in the file's order."""
    number = 0
    for part in file.root.all("actuator"):
        for given in part.children:
            node = file.defaults.apply(given, "", file.problems)
            signal = control[number] if number < len(control) else 0.0
            number += 1
            name = node.given.get("name") or f"{given.tag}_{number}"
            joints = _transmission(file, node, tendons)
            if given.tag not in SERVOS or not joints or not _static(given.tag, node):
                why = given.tag if joints else f"{given.tag}, which acts on no joint with one coordinate"
                file.robot.notes.left_out("actuator", name, why)
                continue
            gain, bias = _gains(file, given.tag, node, name)
            facts = {
                key: file.problems.numbers(node, key, 2, (), f"actuator {name}") for key in RANGES if key in node.given
            }
            file.robot.actuators.append(RobotActuator(name, given.tag, joints, gain, bias, signal, facts))


def _transmission(file: MjcfFile, node: Node, tendons: Tendons) -> dict[str, float]:
    """The joints on which an actuator acts, with the gear of each; none where it acts on something else."""
    gear = file.problems.list(node, "gear", (1.0,), f"actuator {node.given.get('name', '')}")[0]
    joint = node.given.get("joint") or node.given.get("jointinparent")
    if joint is None:
        coefficients = tendons.fixed.get(node.given.get("tendon", ""), {})
        return {name: gear * c for name, c in coefficients.items()}
    name = file.prefix + joint
    if name not in file.tree.refs:
        file.problems.note(node, f'actuator: there is no joint "{name}". {nearest(name, file.tree.refs)}')
        return {}
    kinds = {one.name: one for one in file.robot.joints}
    return {name: gear} if kinds[name].single else {}


def _static(tag: str, node: Node) -> bool:
    """Whether an actuator has no dynamics of its own, and a gain and bias that are linear."""
    dynamics = node.given.get("dyntype", "none") == "none" and tag != "intvelocity"
    linear = node.given.get("gaintype", "fixed") == "fixed" and node.given.get("biastype", "none") in ("none", "affine")
    return dynamics and linear


def _gains(file: MjcfFile, tag: str, node: Node, name: str) -> tuple[float, Place]:
    """Gain of the control signal, and bias: constant, per length, per rate."""
    problems, what = file.problems, f"actuator {name}"
    if tag == "position":
        kp, kv = problems.number(node, "kp", 1.0, what), problems.number(node, "kv", 0.0, what)
        if "dampratio" in node.given:
            file.robot.notes.left_out("actuator", name, "dampratio")
        return kp, (0.0, -kp, -kv)
    if tag == "velocity":
        kv = problems.number(node, "kv", 1.0, what)
        return kv, (0.0, 0.0, -kv)
    if tag == "motor":
        return 1.0, (0.0, 0.0, 0.0)
    first, bias = (problems.list(node, key, (absent,), what) for key, absent in (("gainprm", 1.0), ("biasprm", 0.0)))
    affine = node.given.get("biastype", "none") == "affine"
    return first[0], place_of((*bias, 0.0, 0.0, 0.0)[:3]) if affine else (0.0, 0.0, 0.0)
