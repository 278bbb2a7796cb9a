"""The motion in one hinge: of body i⁻(a) relative to body i⁺(a), as a stack of unit motions in the hinge's frame."""

from __future__ import annotations

import math

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import matrix
from mubo.lazy_dataclass import dataclass
from mubo.legacy.wittenburg.vectors import cross
from mubo.mappings import cached_property
from mubo.mechanism.frames import JointFrame, frames_of
from mubo.model import ModelDefinition
from mubo.model.coordinates import JointDof, column_names, joint_dofs
from mubo.topology.tree import Hinge


@dataclass(frozen=True)
class HingeMotion:
    """A hinge with its frames on i⁺ and i⁻, its unit motions, and where its coordinates and rates stand."""

    name: str
    kind: str
    first: JointFrame
    second: JointFrame
    dofs: tuple[JointDof, ...]
    pitch: float  # advance per radian of a screw
    q: slice
    v: slice
    forward: bool  # from the ground outwards, as written

    @property
    def turns_only(self) -> bool:
        return all(dof.kind in ("turn", "ball") for dof in self.dofs)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """shoulder.q1, shoulder.q2, …"""
        return tuple(f"{self.name}.{tail}" for tail in column_names(self.q.stop - self.q.start, "q"))

    @property
    def rates(self) -> tuple[str, ...]:
        """shoulder.v1, shoulder.v2, …"""
        return tuple(f"{self.name}.{tail}" for tail in column_names(self.v.stop - self.v.start, "v"))

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the lines of A q̈ = B: the coordinates, or the rates of a ball with a quaternion."""
        return self.coordinates if len(self.coordinates) == len(self.rates) else self.rates

    @cached_property
    def middle(self) -> tuple[int, int, float] | None:
        """Coordinate and rate of the middle Euler angle, and the phase with det p = sin(middle + phase)."""
        for before, dof in enumerate(self.dofs):  # slides stand before a ball, one coordinate each
            if dof.euler:
                phase = 0.0 if dof.euler[0] == dof.euler[2] else math.pi / 2
                return self.q.start + before + 1, self.v.start + before + 1, phase
        return None

    @cached_property
    def quaternion(self) -> slice | None:
        """Where the quaternion of a ball without Euler angles stands in q: after the slides."""
        ball = any(len(dof.q) == 4 for dof in self.dofs)
        return slice(self.q.stop - 4, self.q.stop) if ball else None

    def euler_distance(self, q: Array) -> float:
        """|det p| of the Euler angles, 0 where they are singular; 1 where the hinge has none."""
        return 1.0 if self.middle is None else abs(math.sin(q[self.middle[0]] + self.middle[2]))


@dataclass
class Relative:
    """Where body i⁻ is relative to i⁺ and how it moves, in the axes of the hinge's frame on i⁺.

    Ω = p q̇ is its angular velocity and p q̈ + w its angular acceleration; z is the vector from the hinge point of i⁺ to
    that of i⁻, with rate k q̇ and second rate k q̈ + s as seen from i⁺.
    """

    G: Array  # rotation of the hinge's frame on i⁻
    z: Array
    p: Array  # one column per rate
    k: Array
    omega: Array  # Ω
    rate: Array  # k q̇
    w: Array
    s: Array


def stacks_of(model: ModelDefinition, hinges: list[Hinge]) -> list[HingeMotion]:
    """The hinges of a tree with their coordinates one after the other."""
    stacks, q, v = [], 0, 0
    for hinge in hinges:
        joint = model.joints[hinge.joint]
        dofs = joint_dofs(model, joint)
        positions, rates = sum(len(f.q) for f in dofs), sum(len(f.v) for f in dofs)
        pitch = float(joint.options.get("lead", 0.0)) / (2 * math.pi)
        at = (slice(q, q + positions), slice(v, v + rates))
        stacks.append(HingeMotion(joint.name, joint.kind, *frames_of(model, joint), dofs, pitch, *at, hinge.forward))
        q, v = q + positions, v + rates
    return stacks


def relative_motion(stack: HingeMotion, q: Array, v: Array) -> Relative:
    """The unit motions one after the other, each in the frame that the earlier ones have moved."""
    count = stack.v.stop - stack.v.start
    p, k, still = np.zeros((3, count)), np.zeros((3, count)), np.zeros(3)
    out = Relative(np.eye(3), still, p, k, still, still, still, still)
    at_q, at_v = stack.q.start, stack.v.start
    column = 0
    for dof in stack.dofs:
        values, rates = q[at_q : at_q + len(dof.q)], v[at_v : at_v + len(dof.v)]
        if dof.kind == "ball" and dof.euler:
            for number, letter in enumerate(dof.euler):
                _turn(out, column + number, letter, values[number], rates[number])
        elif dof.kind == "ball":
            _ball(out, column, values, rates)
        else:
            if dof.kind != "turn":
                pitch = 1.0 if dof.kind == "slide" else stack.pitch
                _slide(out, column, pitch * out.G[:, "xyz".index(dof.axis)], values[0], rates[0])
            if dof.kind != "slide":
                _turn(out, column, dof.axis, values[0], rates[0])
        at_q, at_v, column = at_q + len(dof.q), at_v + len(dof.v), column + len(dof.v)
    return out


def _turn(out: Relative, column: int, axis: str, angle: float, rate: float) -> None:
    """Ω grows by p φ̇; its rate by Ω × p φ̇, since p is fixed in the frame that turns with the Ω before it."""
    i = "xyz".index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    p = out.G[:, i]
    out.p[:, column] = p
    out.w = out.w + cross(out.omega, p * rate)
    out.omega = out.omega + p * rate
    cos, sin = math.cos(angle), math.sin(angle)
    before, out.G = out.G, out.G.copy()
    out.G[:, j] = cos * before[:, j] + sin * before[:, k]
    out.G[:, k] = cos * before[:, k] - sin * before[:, j]


def _ball(out: Relative, column: int, quaternion: Array, rates: Array) -> None:
    """Quasi-velocities: the rates are the components of the angular velocity in the turned frame."""
    out.G = out.G @ matrix(quaternion / np.linalg.norm(quaternion))
    out.p[:, column : column + 3] = out.G
    spin = out.G @ rates
    out.w = out.w + cross(out.omega, spin)
    out.omega = out.omega + spin


def _slide(out: Relative, column: int, along: Array, distance: float, rate: float) -> None:
    """z grows by k q, where k turns with the Ω before it: z″ gains w × kq + Ω × (Ω × kq) + 2 Ω × k q̇."""
    step = along * distance
    carried = cross(out.omega, step)
    out.s = out.s + cross(out.w, step) + cross(out.omega, carried) + 2 * cross(out.omega, along * rate)
    out.rate = out.rate + carried + along * rate
    out.k = out.k + cross(out.p.T, step).T
    out.k[:, column] += along
    out.z = out.z + step
