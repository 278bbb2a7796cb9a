"""Tooth forces of gears: a force at the pitch point, which the bearings of both wheels carry.

The equation of a gear pair is p (φ_i − φ_c) + q (φ_j − φ_c) = 0; it exerts torques alone, −λp and −λq on the wheels and
λ(p + q) on the carrier. Teeth do the same by a force F at the pitch point P of the line of centres, square to it:
    F = λ (p + q) / d,    P = C_i + e d p/(p + q)
with d the distance of the centres C and e the direction from C_i to C_j (Willis). It lies in the plane of the wheels,
so that their bearings carry it: F more on wheel i, F less on wheel j; the carrier has bearing forces instead of a
torque. Joints between wheel and carrier (see `bearings`) transmit the force. With a pressure angle α the teeth also
separate the wheels by |F| tan α.

A sun wheel with a pin in the frame has as bearing on the arm two pins, wheel – frame and frame – arm, if they have the
same axis; a ring that is welded to the frame has a weld and a pin. All of them transmit a force at the wheel.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.elements import Element
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.model import Joint
from mubo.note import Note
from mubo.solvers.forces.reactions import ReactionMap, point_positions

SAME = 1e-9  # of the size of the mechanism: axes this close are one


@dataclass(frozen=True)
class GearMesh:
    """A gear pair whose wheels have bearings on the carrier."""

    joint: str
    wheels: tuple[str, str]
    carrier: str
    bearings: tuple[WheelBearing, WheelBearing]
    factors: tuple[float, float]  # p and q
    tangent: float  # of the pressure angle

    @property
    def pitch(self) -> tuple[float, ...]:
        """Pitch point, fixed in axes of the carrier."""
        (one, two), (p, q) = (bearing.center for bearing in self.bearings), self.factors
        return tuple(float(x) for x in one + (two - one) * (p / (p + q)))


def gear_meshes(form: Absolute) -> list[GearMesh]:
    """Gear pairs whose tooth force has a point of action: both wheels have a bearing on the carrier."""
    return [mesh for joint in form.model.joints.values() for mesh in _gear_mesh(form, joint)]


def move_to_pitch_points(reaction_map: ReactionMap, meshes: list[GearMesh]) -> ReactionMap:
    """Return the reaction map with the tooth forces of gears at their pitch points."""
    pitch = {(mesh.joint, wheel): mesh for mesh in meshes for wheel in mesh.wheels}
    for k, place in enumerate(reaction_map.places):
        mesh = pitch.get((place.joint, place.body))
        if mesh is not None and place.others:
            reaction_map.places[k] = replace(place, carrier=mesh.carrier, point=mesh.pitch)
    return reaction_map


def mesh_notes(form: Absolute) -> list[Note]:
    """Notes on pressure angles that are not given, and on wheels of gears or belts whose bearings lack the force of
    teeth or belt."""
    placed, joints = {mesh.joint: mesh for mesh in gear_meshes(form)}, form.model.joints
    out = [
        Note("forces.pressure_angle_taken", joint=name, degrees=math.degrees(math.atan(mesh.tangent)))
        for name, mesh in placed.items()
        if "pressure_angle" not in joints[name].options
    ]
    for joint in form.model.joints.values():
        if "factors" not in form.values.get(joint.name, {}) or joint.name in placed:
            continue
        element = form.model.kinds[joint.kind]
        lacks = "axes" if element.meshes else "pretension"
        out.append(Note("forces.mesh_left_out", kind=element.word, joint=joint.name, lacks=lacks))
    return out


def _gear_mesh(form: Absolute, joint: Joint) -> Iterator[GearMesh]:
    element = form.model.kinds[joint.kind]
    if not element.meshes:
        return
    first, second = joint.between
    carrier = joint.options.get("carrier") or _default(element, "carrier")
    one, two = (find_wheel_bearing(form, wheel, carrier) for wheel in (first, second))
    if one and two and np.linalg.norm(two.center - one.center) > SAME * form.scale:
        p, q = form.values[joint.name]["factors"]
        angle = joint.options.get("pressure_angle", _default(element, "pressure_angle"))
        yield GearMesh(joint.name, (first, second), carrier, (one, two), (p, q), math.tan(angle))


def _default(element: Element, option: str) -> Any:
    return next(declared.default for declared in element.options if declared.name == option)


def apply_tooth_forces(
    form: Absolute, reaction_map: ReactionMap, meshes: list[GearMesh], states: Array, lam: Array, out: Array
) -> None:
    """Replace the torques of gears by tooth forces, in `out`: times × places × components."""
    for mesh in meshes:
        (equation,) = reaction_map.equations_of(f"joint {mesh.joint}")
        one, two = (point_positions(form, states, mesh.carrier, bearing.center) for bearing in mesh.bearings)
        apart = np.linalg.norm(two - one, axis=1)
        along = (two - one) / apart[:, None]
        (p, q), size = mesh.factors, lam[:, equation]
        across = np.stack([-along[:, 1], along[:, 0]], axis=1)
        tooth = (size * (p + q) / apart)[:, None] * across
        tooth = tooth + (np.linalg.norm(tooth, axis=1) * mesh.tangent * np.sign(p * q))[:, None] * along
        for wheel, bearing, center, sign in zip(mesh.wheels, mesh.bearings, (one, two), (-1.0, 1.0), strict=True):
            passing = {(joint, near): -sign for joint, near, _ in bearing.steps}
            passing |= {(joint, far): sign for joint, _, far in bearing.steps}
            for k, place in enumerate(reaction_map.places):
                if place.joint == mesh.joint and place.body == wheel:
                    out[:, k] = np.column_stack([sign * tooth, np.zeros(len(tooth))])  # at the pitch point
                elif (place.joint, place.body) in passing:
                    side = passing[place.joint, place.body]
                    out[:, k] += _wrench(
                        center - point_positions(form, states, place.carrier, place.point), side * tooth
                    )
        for k, place in enumerate(reaction_map.places):
            if place.joint == mesh.joint and place.body == mesh.carrier:
                out[:, k] = 0.0


def _wrench(arm: Array, force: Array) -> Array:
    return np.column_stack([force, arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0]])


@dataclass(frozen=True)
class WheelBearing:
    """Joints from a wheel to its carrier, each with the body on the wheel's side and the one on the carrier's."""

    steps: tuple[tuple[str, str, str], ...]
    center: Array  # the axis of the wheel, in axes of the carrier


_Place = tuple[str, Array | None]  # a body, and the axis of the wheel in its axes where a pin defines it


def find_wheel_bearing(form: Absolute, wheel: str, carrier: str) -> WheelBearing | None:
    """The shortest chain from a wheel to its carrier over pins of one axis and welds; None where there is none."""
    chains: list[tuple[str, Array | None, tuple[tuple[str, str, str], ...]]] = [(wheel, None, ())]
    seen = {(wheel, False)}
    for body, center, steps in chains:  # the list grows during the loop: breadth-first search
        if body == carrier and center is not None:
            return WheelBearing(steps, center)
        for joint, (other, at) in _neighbours(form, body, center):
            if (other, at is not None) not in seen:
                seen.add((other, at is not None))
                chains.append((other, at, (*steps, (joint, body, other)) if joint else steps))
    return None


def _neighbours(form: Absolute, body: str, center: Array | None) -> Iterator[tuple[str, _Place]]:
    """Neighbours of a body, and the joint between; fixed bodies count as one, without a joint."""
    for joint in form.model.joints.values():
        ends = {reference.partition(".")[0]: reference for reference in joint.between}
        element = form.model.kinds[joint.kind]
        if body not in ends or element.ends != "point" or len(ends) < 2:
            continue
        here = np.array(form.model.place(ends[body])[1])
        there = {other: np.array(form.model.place(ends[other])[1]) for other in ends if other != body}
        if element.coordinate == "angle":
            if center is None or np.linalg.norm(center - here) <= SAME * form.scale:
                yield from ((joint.name, place) for place in there.items())
        elif element.hinge and not element.dofs:
            ((other, at),) = there.items()
            yield joint.name, (other, None if center is None else _across_weld(form, joint, body, center - here) + at)
    if body in form.fixed:
        yield from (
            ("", (other, _between_fixed_bodies(form, body, other, center))) for other in form.fixed if other != body
        )


def _across_weld(form: Absolute, joint: Joint, body: str, arm: Array) -> Array:
    """A vector of one welded body in the axes of the other; `angle` is second minus first."""
    angle = float(form.values[joint.name]["angle"][0])
    return rotate_vector(arm, -angle if joint.between[0].partition(".")[0] == body else angle)


def _between_fixed_bodies(form: Absolute, body: str, other: str, center: Array | None) -> Array | None:
    if center is None:
        return None
    one, two = (np.asarray(form.mechanism.poses[name], float) for name in (body, other))
    return rotate_vector(one[:2] + rotate_vector(center, one[2]) - two[:2], -two[2])


def rotate_vector(vector: Array, angle: float) -> Array:
    """A vector of the plane, rotated counter-clockwise."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])
