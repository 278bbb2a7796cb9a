"""A tree as links of the core: hinges as stacks of unit motions, inertias on the last link of each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field

import numpy as np

from mubo import _core
from mubo.arrays import Array, Integers
from mubo.elements.declare import reflected_inertia
from mubo.geometry.rotation import axis_of, conjugate, euler_axes, matrix, of_euler, of_matrix
from mubo.laws.tangent import as_array, value_of
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.frames import JointFrame, frame_angle, frames_of, plane_rotation
from mubo.model import GROUND, Body, ModelDefinition
from mubo.model.coordinates import JointDof, holds_of, joint_dofs
from mubo.model.mass import tensor_of
from mubo.topology.tree import Hinge

KINDS = {name: number for number, (name, _, _) in enumerate(_core.tree_kinds())}
POSITIONS = {name: positions for name, positions, _ in _core.tree_kinds()}
VELOCITIES = {name: velocities for name, _, velocities in _core.tree_kinds()}
LOST = 1e-9  # sine of the middle angle below which Euler rates have no digit left


@dataclass(frozen=True)
class LinkMotion:
    """The degrees of freedom of one link as the core counts them, and as the joint's coordinates in the model."""

    joint: str
    kind: str  # of the link
    euler: str
    forward: bool
    link: int
    q: slice  # in the core's positions
    v: slice  # in the core's velocities
    first: int  # coordinate of the joint, in the model
    first_rate: int  # rate of the joint, in the model


@dataclass
class Links:
    """The core's arrays under construction, and the frame of each body on its link."""

    parent: list[int] = field(default_factory=list)
    kind: list[int] = field(default_factory=list)
    place: list[Array] = field(default_factory=list)
    axis: list[Array] = field(default_factory=list)
    pitch: list[float] = field(default_factory=list)
    armature: list[float] = field(default_factory=list)
    inertia: list[Array] = field(default_factory=list)
    motions: list[LinkMotion] = field(default_factory=list)
    frame: dict[str, tuple[int, JointFrame]] = field(
        default_factory=dict
    )  # body: its link, and that link's frame on it
    turned: dict[str, float] = field(default_factory=dict)  # body of the plane: turn of its link less φ, turns counted
    positions: int = 0
    velocities: int = 0
    _origins: dict[tuple[str, ...], tuple[Integers, Array, Array]] = field(default_factory=dict, repr=False)

    def origins(self, names: tuple[str, ...]) -> tuple[Integers, Array, Array]:
        """The link of each body, and on its link the turn of its axes (a quaternion) and the place of its origin; found
        once, when all links are laid."""
        if names not in self._origins:
            frames = [self.frame[name] for name in names]
            turns = [of_matrix(frame.axes.T) for _, frame in frames]
            places = [-frame.axes.T @ frame.at for _, frame in frames]
            self._origins[names] = np.array([k for k, _ in frames], np.int32), np.array(turns), np.array(places)
        return self._origins[names]

    def turns(self) -> dict[int, float]:
        """Rotation of every planar link where all coordinates are zero, as the core counts it."""
        out = {-1: 0.0}
        for link, parent in enumerate(self.parent):
            out[link] = out[parent] + 2 * math.atan2(self.place[link][6], self.place[link][3])
        return out

    def names(self) -> list[str]:
        """The joint that each link belongs to."""
        joint_of = {motion.link: motion.joint for motion in self.motions}
        return [joint_of.get(k, "") for k in range(len(self.kind))]


def lay_links(
    model: ModelDefinition, hinges: list[Hinge], angles: Mapping[str, float], fixed: Mapping[str, Array]
) -> Links:
    """Links of a tree. The frame of a body's last link is the frame of its joint on that body.

    `angles` are those that joints of the plane fix; `fixed` are x, y, φ of bodies that stand beside the ground.
    """
    out = Links()
    out.frame[GROUND] = (-1, JointFrame(GROUND, np.zeros(3), np.eye(3)))
    for name, (x, y, angle) in fixed.items():
        back = plane_rotation(-angle)
        out.frame[name] = (-1, JointFrame(name, -back @ np.array([x, y, 0.0]), back))
    for hinge in hinges:
        joint = hinge.joint_in(model)
        frames = frames_of(model, joint, angles.get(joint.name, 0.0))
        near, far = frames if hinge.forward else frames[::-1]
        link, on = out.frame[hinge.parent]
        place = _relative(near, on)
        stack = _stack(joint_dofs(model, joint), hinge.forward)
        lead = float(joint.options.get("lead", 0.0)) / (2 * np.pi)
        before = tuple(hinge.arm * len(holds_of(model, joint, rates)) for rates in (False, True))
        for number, (kind, axis, euler, first) in enumerate(stack):
            last = number == len(stack) - 1
            _add(out, hinge, link, kind, axis, place, lead, euler, (before[0] + first, before[1] + first))
            out.armature.append(reflected_inertia(joint.options) if VELOCITIES[kind] else 0.0)
            out.inertia.append(_inertia(model.bodies[hinge.child].whole, far) if last else np.zeros(10))
            link, place = len(out.kind) - 1, np.array([0.0, 0, 0, 1, 0, 0, 0])
        out.frame[hinge.child] = (link, far)
    if model.dimension == 2:
        out.turned = _turned(out, model, hinges, angles, fixed)
    return out


def _turned(
    links: Links, model: ModelDefinition, hinges: list[Hinge], angles: Mapping[str, float], fixed: Mapping[str, Array]
) -> dict[str, float]:
    """Angle of the link's frame on every body, with so many revolutions that φ is the sum of the joint angles from the
    ground."""
    phi = {GROUND: 0.0, **{name: float(angle) for name, (_, _, angle) in fixed.items()}}
    for hinge in hinges:
        angle = angles.get(hinge.joint_in(model).name, 0.0)
        phi[hinge.child] = phi[hinge.parent] + (angle if hinge.forward else -angle)
    turns, out = links.turns(), {}
    for body, (link, frame) in links.frame.items():
        angle = frame_angle(frame)
        out[body] = angle + 2 * math.pi * round((turns[link] - angle - phi[body]) / (2 * math.pi))
    return out


def _stack(dofs: tuple[JointDof, ...], forward: bool) -> list[tuple[str, Array, str, int]]:
    """Kind, axis, Euler sequence and first coordinate of each link; a joint walked backwards is its inverse.

    The inverse of T₁(q₁) T₂(q₂) is T₂⁻¹ T₁⁻¹, and a unit motion is inverted by turning its axis round.
    """
    stack, first = [], 0
    kinds = [f.kind for f in dofs]
    if kinds[:3] == ["slide"] * 3:
        stack.append(("shift", np.array([0.0, 0, 1]), "", 0))
        first, dofs = 3, dofs[3:]
    for dof in dofs:
        axis = axis_of(dof.axis) if dof.axis else np.array([0.0, 0, 1])
        stack.append((dof.kind, axis, dof.euler, first))
        first += len(dof.q)
    if not stack:
        stack.append(("weld", np.array([0.0, 0, 1]), "", 0))
    if forward:
        return stack
    return [(kind, -axis, euler, first) for kind, axis, euler, first in stack[::-1]]


def _add(
    out: Links,
    hinge: Hinge,
    parent: int,
    kind: str,
    axis: Array,
    place: Array,
    lead: float,
    euler: str,
    first: tuple[int, int],
) -> None:
    q, v = POSITIONS[kind], VELOCITIES[kind]
    out.motions.append(
        LinkMotion(
            hinge.joint,
            kind,
            euler,
            hinge.forward,
            len(out.kind),
            slice(out.positions, out.positions + q),
            slice(out.velocities, out.velocities + v),
            *first,
        )
    )
    out.positions, out.velocities = out.positions + q, out.velocities + v
    out.parent.append(parent)
    out.kind.append(KINDS[kind])
    out.place.append(place)
    out.axis.append(axis)
    out.pitch.append(lead if kind == "screw" else 0.0)


def _relative(frame: JointFrame, on: JointFrame) -> Array:
    """A frame of a body in another frame of the same body: place and quaternion."""
    return np.concatenate([on.axes.T @ (frame.at - on.at), of_matrix(on.axes.T @ frame.axes)])


def _inertia(body: Body, on: JointFrame) -> Array:
    """Mass, centre and tensor about it in the frame of the body's link; zeros for a body without mass."""
    if body.mass is None and body.inertia is None:
        return np.zeros(10)
    center = on.axes.T @ (np.array([*body.center, 0.0, 0.0, 0.0][:3]) - on.at)
    # In the plane only the moment about z is felt.
    inertia = body.inertia or (0.0,) * 6
    tensor = on.axes.T @ (np.diag([0.0, 0.0, *inertia]) if len(inertia) == 1 else tensor_of(inertia)) @ on.axes
    return np.array([body.mass or 0.0, *center, *tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]])


def core_ball(motion: LinkMotion, q: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
    """The core's quaternion, angular velocity and acceleration of a joint's coordinates (rows, 3 or 4) and rates."""
    if motion.euler:
        P = euler_axes(motion.euler, q)
        p, omega = of_euler(motion.euler, q), _times(P, v)
        alpha = _times(P, a) + _turning(P, v)
    else:
        p, omega, alpha = q / np.linalg.norm(q, axis=-1, keepdims=True), v, a
    if motion.forward:
        return p, omega, alpha
    turned = matrix(p)  # of the first body against the second, in the first body's axes
    return conjugate(p), -_times(turned, omega), -_times(turned, alpha)


def joint_ball(motion: LinkMotion, p: Array, omega: Array, alpha: Array) -> tuple[Array, Array, Array]:
    """Quaternion, angular velocity and acceleration of the second body relative to the first, in the second's axes."""
    if motion.forward:
        return p, omega, alpha
    turned = matrix(p)
    return conjugate(p), -_times(turned, omega), -_times(turned, alpha)


def euler_rates(sequence: str, angles: Array, omega: Array, alpha: Array) -> tuple[Array, Array]:
    """Rates and accelerations of Euler angles along a motion: ω = P rate, α = P bend + Ṗ rate.

    Where the first and last axis line up they do not exist: NaN.
    """
    P = euler_axes(sequence, angles)
    lost = np.abs(np.linalg.det(value_of(P))) < LOST
    P[lost] = np.eye(3)
    rates = as_array(np.linalg.solve(P, omega[..., None])[..., 0])
    bends = as_array(np.linalg.solve(P, (alpha - _turning(P, rates))[..., None])[..., 0])
    rates[lost] = bends[lost] = np.nan
    return rates, bends


def _turning(P: Array, rate: Array) -> Array:
    """Derivative Σ p_k′ rate_k at constant rates: p_1 turns against the middle and last axes, p_2 against the last.

    In the axes of the turned body a vector fixed in a frame that lags by ω_rest changes by −ω_rest × p.
    """
    first, middle, last = np.moveaxis(P, -1, 0)
    one, two, three = (rate[..., k, None] for k in range(3))
    turned = np.cross(middle * two + last * three, first) * one + np.cross(last * three, middle) * two
    return as_array(-turned)


def _times(A: Array, vectors: Array) -> Array:
    return np.asarray(np.einsum("nij,nj->ni", A, vectors))
