"""A spatial tree as an SDF file: links where they stand at zero coordinates, and the joints between them. Loops and
joints that SDF does not have are refused by name."""

from __future__ import annotations

import warnings
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.files import write_text
from mubo.formats.robots.mjcf_write import MjcfWriter
from mubo.formats.robots.poses import Pose
from mubo.formats.robots.robot import place_of
from mubo.formats.robots.urdf_write import row_of, tree_beside_couplers
from mubo.geometry import UNIT
from mubo.geometry.rotation import matrix
from mubo.model import GROUND, ModelDefinition
from mubo.topology.tree import Hinge

WRITTEN = {"revolute": "revolute", "prismatic": "prismatic", "spherical": "ball", "fixed": "fixed", "free": ""}
KEYS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


def write_sdf(model: ModelDefinition, path: Path) -> None:
    """Writes links and joints in SI units; a warning states what SDF cannot express."""
    if model.dimension != 3:
        raise ModelError(f"{path.name}: SDF holds spatial models; this one is planar")
    hinges = tree_beside_couplers(model)
    for hinge in hinges:
        joint = hinge.joint_in(model)
        if joint.kind not in WRITTEN:
            raise ModelError(
                f"{path.name}: joint {joint.name}: SDF has no {joint.kind} joint. Allowed: {', '.join(WRITTEN)}.",
                names=[joint.name],
            )
        if joint.kind == "free" and hinge.parent != GROUND:
            raise ModelError(f"{path.name}: joint {joint.name}: only a root can float in SDF", names=[joint.name])
    writer = SdfWriter(model, hinges)
    lines = ['<?xml version="1.0"?>', '<sdf version="1.9">', f"  <model name={quoteattr(model.name)}>"]
    lines += [line for hinge in hinges for line in writer.link_with_pose(hinge)]
    lines += [line for hinge in hinges for line in writer.sdf_joint(hinge)]
    write_text(path, "\n".join([*lines, "  </model>", "</sdf>"]) + "\n")
    if writer.left:
        warnings.warn(f"{path.name} does not hold: {'; '.join(writer.left)}", stacklevel=4)


class SdfWriter(MjcfWriter):
    """Links and joints of a tree as lines of SDF; a link keeps its own origin."""

    states_gravity = armatures = polynomials = actuators = False

    def __init__(self, model: ModelDefinition, hinges: list[Hinge]) -> None:
        super().__init__(model, hinges)
        self.poses = {GROUND: Pose()}
        for hinge in hinges:
            at, zero = self._pose(hinge)
            self.poses[hinge.child] = self.poses[hinge.parent] @ Pose(place_of(at * self.metre), place_of(zero))

    def link_with_pose(self, hinge: Hinge) -> list[str]:
        """A link with its mass, about its centre in its own axes."""
        body, pose = self.model.bodies[hinge.child].whole, self.poses[hinge.child]
        w, *xyz = pose.turn
        numbers = row_of(np.array([*pose.at, *xyz, w]))
        center = row_of(np.array([*(body.center or (0.0, 0.0, 0.0)), 0.0, 0.0, 0.0]) * self.metre)
        factor = self.kilogram * self.metre**2
        entries = zip(KEYS, body.inertia or (0.0,) * 6, strict=True)
        tensor = "".join(f"<{key}>{value * factor!r}</{key}>" for key, value in entries)
        return [
            f'    <link name="{body.name}">',
            f'      <pose rotation_format="quat_xyzw">{numbers}</pose>',
            f"      <inertial><pose>{center}</pose><mass>{(body.mass or 0.0) * self.kilogram!r}</mass>",
            f"        <inertia>{tensor}</inertia></inertial>",
            "    </link>",
        ]

    def sdf_joint(self, hinge: Hinge) -> list[str]:
        """A joint at its point of the child, its axis in the child's axes; a root that floats has none."""
        joint = hinge.joint_in(self.model)
        kind = WRITTEN[joint.kind]
        if not kind:
            return []
        parent = "world" if hinge.parent == GROUND else hinge.parent
        at = row_of(np.array([*self._on(hinge, hinge.child), 0.0, 0.0, 0.0]) * self.metre)
        lines = [f'    <joint name="{joint.name}" type="{kind}">', f"      <parent>{parent}</parent>"]
        lines += [f"      <child>{hinge.child}</child>", f"      <pose>{at}</pose>"]
        if "axis" in joint.options:
            lines.append(
                f"      <axis><xyz>{row_of(self._axis_on_child(hinge))}</xyz>{self._drive(joint.name, kind)}</axis>"
            )
        return [*lines, "    </joint>"]

    def _axis_on_child(self, hinge: Hinge) -> Array:
        joint = hinge.joint_in(self.model)
        axis, zero = np.array(joint.options["axis"], float), np.array(joint.options.get("zero", UNIT), float)
        return np.asarray(matrix(zero).T @ axis if hinge.forward else -axis)

    def _drive(self, name: str, kind: str) -> str:
        """Limits, damper and spring."""
        length = self.metre if kind == "prismatic" else 1.0
        effort = self.kilogram * (1.0 if kind == "prismatic" else self.metre**2)
        sides = {side: self.limits.get(f"{name}_{side}") for side in ("lower", "upper")}
        limit = "".join(f"<{side}>{one.value * length!r}</{side}>" for side, one in sides.items() if one)
        spring = self.damping[name].options if name in self.damping else {}
        given = {
            "damping": spring.get("damping", 0.0) * effort / self.second,
            "spring_reference": spring.get("rest", 0.0) * length,
            "spring_stiffness": spring.get("stiffness", 0.0) * effort / self.second**2,
        }
        dynamics = "".join(f"<{key}>{value!r}</{key}>" for key, value in given.items() if value)
        follows, mimic = self.coupled(name), ""
        if follows is not None:
            leader, (offset, ratio) = follows
            mimic = f'<mimic joint="{leader}"><multiplier>{ratio!r}</multiplier><offset>{offset!r}</offset></mimic>'
        return (
            mimic
            + (f"<limit>{limit}</limit>" if limit else "")
            + (f"<dynamics>{dynamics}</dynamics>" if dynamics else "")
        )
