"""A spatial joint as two frames and the motion between them.

The frame F of the first body and G of the second are columns x, y, z in body axes. The stack of unit motions moves G
against F: A_j G = A_i F R(q), P_j = P_i + A_i F d(q); at q = 0 the bodies stand as `zero` says, so G = A(zero)ᵀ F.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mubo.arrays import Array
from mubo.geometry import UNIT
from mubo.geometry.rotation import about, axis_of, matrix, of_euler
from mubo.laws.tangent import Tangent
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.frames import frames_of
from mubo.model import Joint, ModelDefinition
from mubo.model.coordinates import JointDof, joint_dofs

FOLLOWING = {"x": "y", "y": "z", "z": "x"}


@dataclass(frozen=True)
class JointMotion:
    """Bodies, points and frames of a spatial joint, and the unit motions between them."""

    first: str
    second: str
    at: Array  # the point in the first body
    on: Array  # in the second
    F: Array
    G: Array
    dofs: tuple[JointDof, ...]
    lead: float = 0.0  # of a screw

    @property
    def advance(self) -> float:
        """Slide of a screw per radian."""
        return self.lead / (2 * math.pi)

    def relative_pose(self, q: Sequence[float]) -> tuple[Array, Array]:
        """Rotation R(q) and displacement d(q), the unit motions one after the other."""
        R, d, rest = np.eye(3), np.zeros(3), list(q)
        for dof in self.dofs:
            own, rest = rest[: len(dof.q)], rest[len(dof.q) :]
            if dof.kind == "ball":
                R = R @ matrix(of_euler(dof.euler, own) if dof.euler else np.array(own))
                continue
            axis = axis_of(dof.axis)
            if dof.kind != "turn":
                d = d + R @ axis * own[0] * (self.advance if dof.kind == "screw" else 1.0)
            if dof.kind != "slide":
                R = R @ matrix(about(axis, own[0]))
        return R, d

    def arms(self, number: int) -> tuple[bool, str, str, str]:
        """Measurement of the rotation `number` of the joint: the angle of an arm of one body from one axis of the other
        towards a second one. Returns whether the axes are the second body's, then the letters of axis, second axis
        and arm.

        The axis of a second turn is fixed in the second body, where the first body's arm rotates in the opposite sense.
        """
        b = FOLLOWING[self.dofs[number].axis]
        c = FOLLOWING[b]
        later = any(dof.kind == "turn" for dof in self.dofs[:number])
        return (True, c, b, c) if later else (False, b, c, b)

    def measured_by(self, number: int) -> tuple[bool, Array, Array, Array]:
        """Measurement by axes instead of letters: whether from and toward are the second body's, from, toward, arm."""
        swapped, *letters = self.arms(number)
        frames = (self.G, self.G, self.F) if swapped else (self.F, self.F, self.G)
        base, toward, arm = (frame @ axis_of(letter) for frame, letter in zip(frames, letters, strict=True))
        return swapped, base, toward, arm

    @property
    def parallel(self) -> str:
        """Letters of the axes that F and G share at every q."""
        turning = [dof for dof in self.dofs if dof.kind != "slide"]
        if any(dof.kind == "ball" for dof in turning) or len(turning) > 1:
            return ""
        return turning[0].axis if turning else "xyz"


def zero_coordinates(dofs: Sequence[JointDof]) -> tuple[float, ...]:
    """The coordinates in the zero position of a joint."""
    return tuple(x for f in dofs for x in (UNIT if f.kind == "ball" and not f.euler else (0.0,) * len(f.q)))


def joint_motion(model: ModelDefinition, joint: Joint, like: Array | None = None) -> JointMotion:
    """Frames and unit motions of a spatial joint; a massless link, which is no hinge, has none.

    Its numbers have derivatives by parameters where those of `like` have.
    """
    first, second = frames_of(model, joint, like=like)
    lead = joint.options.get("lead", 0.0) if isinstance(like, Tangent) else float(joint.options.get("lead", 0.0))
    dofs = joint_dofs(model, joint)
    return JointMotion(first.body, second.body, first.at, second.at, first.axes, second.axes, dofs, lead)
