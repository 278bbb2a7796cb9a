"""A spatial model as an MJCF file: bodies in bodies, with the joint on which each hangs; welds and balls that close
loops are equalities. Joints that MJCF does not have are refused by name."""

from __future__ import annotations

import warnings
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np

from mubo.arrays import Array
from mubo.elements.declare import reflected_inertia
from mubo.errors import ModelError
from mubo.formats.files import write_text
from mubo.formats.robots.urdf_write import UrdfWriter, row_of
from mubo.geometry import UNIT
from mubo.geometry.rotation import conjugate, matrix
from mubo.model import GROUND, Joint, ModelDefinition
from mubo.topology.tree import Hinge, spanning_tree

WRITTEN = {"revolute": "hinge", "prismatic": "slide", "spherical": "ball", "free": "free", "fixed": ""}
MOST_COEFFICIENTS = 5  # of an equality of joints
LOOPS = {"spherical": "connect", "fixed": "weld"}


def write_mjcf(model: ModelDefinition, path: Path) -> None:
    """Writes bodies, joints and loops in SI units and radians; a warning states what MJCF cannot express."""
    if model.dimension != 3:
        raise ModelError(f"{path.name}: MJCF holds spatial models; this one is planar")
    tree = spanning_tree(model)
    problems = [*_problems(model, list(tree.hinges), tree.cut)]
    if problems:
        raise ModelError("\n".join(f"{path.name}: {text}" for text in problems), names=list(model.joints))
    writer = MjcfWriter(model, list(tree.hinges))
    gravity = [x * writer.metre / writer.second**2 for x in model.gravity or (0.0, 0.0, 0.0)]
    lines = [f"<mujoco model={quoteattr(model.name)}>", '  <compiler angle="radian"/>']
    if model.gravity is not None:
        lines.append(f'  <option gravity="{row_of(np.array(gravity))}"/>')
    lines += ["  <worldbody>", *writer.bodies(GROUND, "    "), "  </worldbody>"]
    if tree.cut:
        lines += ["  <equality>", *(line for name in tree.cut for line in writer.equality(model.joints[name]))]
        lines.append("  </equality>")
    if writer.motors:
        motors = (f'    <motor name="{name}" joint="{joint}"/>' for name, joint in writer.motors.items())
        lines += ["  <actuator>", *motors, "  </actuator>"]
    write_text(path, "\n".join([*lines, "</mujoco>"]) + "\n")
    if writer.left:
        warnings.warn(f"{path.name} does not hold: {'; '.join(writer.left)}", stacklevel=4)


def _problems(model: ModelDefinition, hinges: list[Hinge], cut: tuple[str, ...]) -> list[str]:
    out = []
    for hinge in hinges:
        joint = hinge.joint_in(model)
        if joint.kind not in WRITTEN or len(joint.between) > 2:
            out.append(f"joint {joint.name}: MJCF has no {joint.kind} joint. Allowed: {', '.join(WRITTEN)}.")
        elif joint.kind == "free" and hinge.parent != GROUND:
            out.append(f"joint {joint.name}: a free joint of MJCF is one to the world")
    for name in cut:
        kind = model.joints[name].kind
        if kind not in LOOPS and not model.kinds[kind].relates:
            out.append(f"joint {name}: a loop of MJCF is closed by {' or '.join(LOOPS)}; found {kind}")
    return out


class MjcfWriter(UrdfWriter):
    """Bodies of a tree as lines of MJCF. A body keeps its own origin: the joint stands where it is on it."""

    states_gravity = keeps_origins = springs = armatures = polynomials = actuators = True

    def bodies(self, parent: str, indent: str) -> list[str]:
        """The bodies that hang on one, with all below them."""
        out: list[str] = []
        for hinge in (one for one in self.hinges if one.parent == parent):
            at, zero = self._pose(hinge)
            place = f'pos="{row_of(at * self.metre)}" quat="{row_of(zero)}"'
            out.append(f'{indent}<body name="{hinge.child}" {place}>')
            inside = indent + "  "
            out += [inside + line for line in (*self._joint(hinge), *self._mass(hinge.child))]
            out += [*self.bodies(hinge.child, inside), f"{indent}</body>"]
        return out

    def _pose(self, hinge: Hinge) -> tuple[Array, Array]:
        """Place and quaternion of the child in the parent where its coordinates are zero."""
        joint = hinge.joint_in(self.model)
        zero = np.array(joint.options.get("zero", UNIT), float)
        zero = zero if hinge.forward else conjugate(zero)
        if hinge.inserted:
            return np.zeros(3), zero
        return self._on(hinge, hinge.parent) - matrix(zero) @ self._on(hinge, hinge.child), zero

    def _joint(self, hinge: Hinge) -> list[str]:
        """Forward: A = Rot(a, q) A₀ = A₀ Rot(A₀ᵀa, q). Written from child to parent, its inverse: A₀ᵀ Rot(−a, q)."""
        joint = hinge.joint_in(self.model)
        kind = WRITTEN[joint.kind]
        if kind in ("", "free"):
            return [f'<freejoint name="{joint.name}"/>'] if kind else []
        words = [f'name="{joint.name}" type="{kind}" pos="{row_of(self._on(hinge, hinge.child) * self.metre)}"']
        zero = np.array(joint.options.get("zero", UNIT), float)
        if "axis" in joint.options:
            axis = np.array(joint.options["axis"], float)
            words.append(f'axis="{row_of(matrix(zero).T @ axis if hinge.forward else -axis)}"')
        elif not np.array_equal(zero, UNIT) or not hinge.forward:
            self.left.append(f"the coordinates of {joint.name}, which are in the axes of its second body there")
        return [f"<joint {' '.join([*words, *self._numbers(joint, kind)])}/>"]

    def _numbers(self, joint: Joint, kind: str) -> list[str]:
        """Armature, limits, spring and damper."""
        length = self.metre if kind == "slide" else 1.0
        inertia = self.kilogram * (1.0 if kind == "slide" else self.metre**2)
        out = []
        if armature := reflected_inertia(joint.options):
            out.append(f'armature="{armature * inertia!r}"')
        limits = [self.limits.get(f"{joint.name}_{side}") for side in ("lower", "upper")]
        if any(limits):
            low, high = (one.value * length if one else far for one, far in zip(limits, (-1e9, 1e9), strict=True))
            out.append(f'range="{low!r} {high!r}"')
        if joint.name in self.damping:
            spring = self.damping[joint.name].options
            if spring.get("damping"):
                out.append(f'damping="{spring["damping"] * inertia / self.second!r}"')
            if spring.get("stiffness"):
                out.append(f'stiffness="{spring["stiffness"] * inertia / self.second**2!r}"')
                out.append(f'springref="{spring.get("rest", 0.0) * length!r}"')
        return out

    def _mass(self, name: str) -> list[str]:
        body = self.model.bodies[name].whole
        center = np.array(body.center or (0.0, 0.0, 0.0)) * self.metre
        if not body.mass and not any(body.inertia or ()):
            return []
        tensor = row_of(np.array(body.inertia or (0.0,) * 6) * self.kilogram * self.metre**2)
        mass = (body.mass or 0.0) * self.kilogram
        return [f'<inertial pos="{row_of(center)}" mass="{mass!r}" fullinertia="{tensor}"/>']

    def equality(self, joint: Joint) -> list[str]:
        """A joint that closes a loop, or a coupler; none of a spline."""
        if self.model.kinds[joint.kind].relates:
            return self._joint_equality(joint)
        (first, at), (second, on) = (self.model.place(reference) for reference in joint.between)
        bodies = f'name="{joint.name}" body1="{_named(first)}" body2="{_named(second)}"'
        if joint.kind == "spherical":
            return [f'    <connect {bodies} anchor="{row_of(np.array(at) * self.metre)}"/>']
        zero = np.array(joint.options.get("zero", UNIT), float)
        place = (np.array(at) - matrix(zero) @ np.array(on)) * self.metre
        return [f'    <weld {bodies} relpose="{row_of(place)} {row_of(zero)}"/>']

    def _joint_equality(self, joint: Joint) -> list[str]:
        follower = joint.options["of"][1]
        found = self.coupled(follower)
        if found is None or len(found[1]) > MOST_COEFFICIENTS:
            self.left.append(f"the coupler {joint.name}")
            return []
        leader, given = found
        numbers = row_of(np.array([*given, 0.0, 0.0, 0.0, 0.0][:MOST_COEFFICIENTS]))
        return [f'    <joint name="{joint.name}" joint1="{follower}" joint2="{leader}" polycoef="{numbers}"/>']


def _named(body: str) -> str:
    return "world" if body == GROUND else body
