"""A spatial tree as a URDF file. Loops and joints that URDF does not have are refused by name."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.files import write_text
from mubo.formats.robots.urdf import KINDS, NO_LIMIT
from mubo.geometry import UNIT
from mubo.geometry.rotation import conjugate, euler_of, matrix
from mubo.geometry.shapes import Shape
from mubo.model import GROUND, Body, ModelDefinition
from mubo.topology.tree import Hinge, SpanningTree, hinges_of, spanning_tree

WRITTEN = {kind: name for name, kind in KINDS.items() if name != "continuous"}


def write_urdf(model: ModelDefinition, path: Path) -> None:
    """Writes links and joints in SI units; a warning states what URDF cannot express."""
    if model.dimension != 3:
        raise ModelError(f"{path.name}: URDF holds spatial models; this one is planar")
    problems = [
        f"joint {joint.name}: URDF has no {joint.kind} joint. Allowed: {', '.join(WRITTEN)}."
        for joint in model.joints.values()
        if joint.kind not in WRITTEN and not model.kinds[joint.kind].relates
    ]
    problems += [
        f"joint {joint.name}: a URDF joint has two ends" for joint in model.joints.values() if len(joint.arms) > 1
    ]
    if problems:
        raise ModelError("\n".join(f"{path.name}: {text}" for text in problems), names=list(model.joints))
    hinges = tree_beside_couplers(model)
    writer = UrdfWriter(model, hinges)
    lines = ['<?xml version="1.0"?>', f"<robot name={quoteattr(model.name)}>", f'  <link name="{writer.world}"/>']
    for hinge in hinges:
        lines += writer.link(hinge)
    for hinge in hinges:
        lines += writer.joint(hinge)
    write_text(path, "\n".join([*lines, "</robot>"]) + "\n")
    if writer.left:
        warnings.warn(f"{path.name} does not hold: {'; '.join(writer.left)}", stacklevel=4)


def tree_beside_couplers(model: ModelDefinition) -> list[Hinge]:
    """The hinges of a model whose only further joints are couplers; loops are refused."""
    tree = spanning_tree(model)
    cut = tuple(name for name in tree.cut if not model.kinds[model.joints[name].kind].relates)
    return hinges_of(model, SpanningTree(tree.hinges, cut))


class UrdfWriter:
    """Links and joints of a tree as lines of XML, and what they cannot express."""

    states_gravity = keeps_origins = False
    springs = False  # whether joints may have springs
    armatures = polynomials = False  # whether joints may have a reflected inertia, and follow by polynomials
    actuators = False  # whether efforts of joints that are inputs are written

    def __init__(self, model: ModelDefinition, hinges: list[Hinge]) -> None:
        self.model, self.hinges = model, hinges
        self.world = "world" if "world" not in model.bodies else GROUND
        units = model.units
        self.metre, self.kilogram, self.second = (units.size(kind) for kind in ("length", "mass", "time"))
        # The frame of a link stands on its joint: where the body's own origin is not, the origin moves there.
        self.origin = {GROUND: np.zeros(3)} | {h.child: self._on(h, h.child) for h in hinges}
        self.damping = {
            f.on[0].partition(".")[0]: f
            for f in model.forces.values()
            if f.kind == "joint_spring"
            and (self.springs or not f.options.get("stiffness"))
            and not f.options.get("preload")
            and model.joints[f.on[0].partition(".")[0]].kind in ("revolute", "prismatic")
        }
        self.limits = {w.name: w for w in model.events.values() if self._is_limit(w.name)}
        self.couplers = {one.options["of"][1]: one for one in model.joints.values() if model.kinds[one.kind].relates}
        inputs = (f for f in model.forces.values() if f.kind == "joint_effort" and _is_zero(f.options["effort"]))
        self.motors = {force.name: force.on[0] for force in inputs}
        self.left = self._left_out()

    def _is_limit(self, name: str) -> bool:
        joint, _, side = name.rpartition("_")
        watch = self.model.events[name]
        direction = {"lower": "down", "upper": "up"}.get(side)
        plain = watch.of.partition(".")[0] == joint and watch.direction == direction and not watch.stop
        return plain and joint in self.model.joints and self.model.joints[joint].kind in ("revolute", "prismatic")

    def _left_out(self) -> list[str]:
        model = self.model
        kept = {force.name for force in self.damping.values()} | set(self.motors if self.actuators else ())
        moved = [name for name, at in self.origin.items() if np.any(at)]
        parts = {
            "forces": [name for name in model.forces if name not in kept],
            "drivers": list(model.drivers),
            "points": list(model.points),
            "measures": list(model.measures),
            "initial conditions of": [*model.initial_joints, *model.initial_bodies],
            "events": [name for name in model.events if name not in self.limits],
        }
        omitted = [f"{what} {', '.join(names)}" for what, names in parts.items() if names]
        bent = [one.name for one in self.couplers.values() if {"points", "polynomial"} & one.options.keys()]
        if bent and not self.polynomials:
            omitted.append(f"the couplers {', '.join(bent)}, which are not proportional")
        geared = [name for name, joint in model.joints.items() if joint.options.get("armature")]
        if geared and not self.armatures:
            omitted.append(f"the armature of {', '.join(geared)}")
        omitted += ["gravity"] * (model.gravity is not None and not self.states_gravity)
        omitted += ["the analysis"] * (model.analysis is not None)
        if moved and not self.keeps_origins:
            omitted.append(f"the origins of {', '.join(moved)}, which move to their joints")
        return omitted

    def _on(self, hinge: Hinge, body: str) -> Array:
        """Where the joint stands on a body, in the body's axes; a body that floats hangs on its origin."""
        if hinge.inserted:
            return np.zeros(3)
        ends = (self.model.place(reference) for reference in self.model.joints[hinge.joint].between)
        return np.array(next(at for name, at in ends if name == body))

    def link(self, hinge: Hinge) -> list[str]:
        body = self.model.bodies[hinge.child]
        drawn = body.shape.at if body.shape is not None and body.shape.at else body.own.center
        own, whole = (
            (np.array(at or (0.0, 0.0, 0.0)) - self.origin[body.name]) * self.metre for at in (drawn, body.whole.center)
        )
        inside = self._inertial(body.whole, whole) + self._visual(body.shape, own)
        if not inside:
            return [f'  <link name="{body.name}"/>']
        return [f'  <link name="{body.name}">', *inside, "  </link>"]

    def _inertial(self, body: Body, center: Array) -> list[str]:
        if not body.mass and not any(body.inertia or ()):
            return []
        factor = self.kilogram * self.metre**2
        keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        entries = zip(keys, body.inertia or (0.0,) * 6, strict=True)
        tensor = " ".join(f'{key}="{value * factor!r}"' for key, value in entries)
        return [
            "    <inertial>",
            f'      <origin xyz="{row_of(center)}"/>',
            f'      <mass value="{(body.mass or 0.0) * self.kilogram!r}"/>',
            f"      <inertia {tensor}/>",
            "    </inertial>",
        ]

    def _visual(self, shape: Shape | None, center: Array) -> list[str]:
        if shape is None:
            return []
        s = {key: value * self.metre for key, value in shape.sizes.items()}
        turn = ""
        if shape.kind == "sphere":
            solid = f'<sphere radius="{s["radius"]!r}"/>'
        elif shape.kind == "box":
            solid = f'<box size="{row_of(np.array([s["a"], s["b"], s["c"]]))}"/>'
        elif shape.kind == "cylinder":
            solid = f'<cylinder radius="{s["radius"]!r}" length="{s["length"]!r}"/>'
            turn = {"x": f' rpy="0 {np.pi / 2!r} 0"', "y": f' rpy="{-np.pi / 2!r} 0 0"', "z": ""}[shape.along]
            if shape.turn != UNIT and shape.along != "z":
                self.left.append("the turn of a cylinder")
        else:
            self.left.append(f"a {shape.kind} as shape")
            return []
        turn = turn or _rpy(np.array(shape.turn))
        geometry = f"      <geometry>{solid}</geometry>"
        return ["    <visual>", f'      <origin xyz="{row_of(center)}"{turn}/>', geometry, "    </visual>"]

    def joint(self, hinge: Hinge) -> list[str]:
        """Forward: A = Rot(a, q) A₀ = A₀ Rot(A₀ᵀa, q). Written from child to parent, its inverse: A₀ᵀ Rot(−a, q)."""
        joint = hinge.joint_in(self.model)
        zero = np.array(joint.options.get("zero", UNIT))
        axis = np.array(joint.options.get("axis", (1.0, 0.0, 0.0)))
        axis = matrix(zero).T @ axis if hinge.forward else -axis
        zero = zero if hinge.forward else conjugate(zero)
        at = (self._on(hinge, hinge.parent) - self.origin[hinge.parent]) * self.metre
        kind = WRITTEN[joint.kind]
        limit = self._limit(joint.name) if kind in ("revolute", "prismatic") else ""
        if kind == "revolute" and "lower" not in limit and "upper" not in limit:
            kind, limit = "continuous", ""
        parent = self.world if hinge.parent == GROUND else hinge.parent
        lines = [f'  <joint name="{joint.name}" type="{kind}">']
        lines.append(f'    <parent link="{parent}"/>')
        lines.append(f'    <child link="{hinge.child}"/>')
        lines.append(f'    <origin xyz="{row_of(at)}"{_rpy(zero)}/>')
        if "axis" in joint.options:
            lines.append(f'    <axis xyz="{row_of(axis)}"/>')
        follows = self.coupled(joint.name)
        if follows is not None:
            leader, (offset, ratio) = follows
            lines.append(f'    <mimic joint="{leader}" multiplier="{ratio!r}" offset="{offset!r}"/>')
        return [*lines, *([limit] if limit else []), *self._dynamics(joint.name, kind), "  </joint>"]

    def coupled(self, name: str) -> tuple[str, list[float]] | None:
        """The leader of a joint that follows another one, and the coefficients in SI units, the constant first; None
        where it does not, or not by a formula of this format."""
        given = self.couplers[name].options if name in self.couplers else {}
        if not given or "points" in given or ("polynomial" in given and not self.polynomials):
            return None
        leader = given["of"][0]
        coefficients = given.get("polynomial", (given.get("offset", 0.0), given.get("ratio", 1.0)))
        follower, led = (self.metre if self.model.joints[one].kind == "prismatic" else 1.0 for one in (name, leader))
        return leader, [float(c) * follower / led**k for k, c in enumerate(coefficients)]

    def _limit(self, joint: str) -> str:
        turns = self.model.joints[joint].kind == "revolute"
        limits = {
            side: self.limits[f"{joint}_{side}"].value
            for side in ("lower", "upper")
            if f"{joint}_{side}" in self.limits
        }
        if not limits and turns:
            return ""
        values = {key: value if turns else value * self.metre for key, value in limits.items()}
        values = {"lower": -NO_LIMIT, "upper": NO_LIMIT} | values  # one left out would mean 0
        text = " ".join(f'{key}="{value!r}"' for key, value in values.items())
        return f'    <limit {text} effort="{NO_LIMIT!r}" velocity="{NO_LIMIT!r}"/>'

    def _dynamics(self, joint: str, kind: str) -> list[str]:
        if joint not in self.damping:
            return []
        factor = self.kilogram / self.second * (1.0 if kind == "prismatic" else self.metre**2)
        return [f'    <dynamics damping="{self.damping[joint].options["damping"] * factor!r}"/>']


def _is_zero(effort: Any) -> bool:
    """Whether an effort is an input that is zero until it is set; one that depends on the motion is not."""
    return getattr(effort, "is_constant", False) and not np.any(effort(np.zeros(1)))


def row_of(values: Array) -> str:
    """Numbers as text, to the last digit."""
    return " ".join(repr(float(value)) for value in values)


def _rpy(zero: Array) -> str:
    """Roll, pitch and yaw of a quaternion; nothing where it does not turn."""
    if np.array_equal(np.abs(zero), UNIT):
        return ""
    yaw, pitch, roll = (float(angle) for angle in euler_of("zyx", zero))
    return f' rpy="{roll!r} {pitch!r} {yaw!r}"'
