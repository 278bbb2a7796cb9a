"""Tooth forces of gears: a force at the pitch point, which the bearings of both wheels carry.

The row of a gear pair is p (φ_i − φ_c) + q (φ_j − φ_c) = 0; it exerts torques alone, −λp and −λq on the wheels and
λ(p + q) on the carrier. Teeth do the same by a force F at the pitch point P of the line of centres, square to it:
    F = λ (p + q) / d,    P = C_i + e d p/(p + q)
with d the distance of the centres C and e the direction from C_i to C_j (Willis). It lies in the plane of the wheels,
so that their bearings feel it: F more on wheel i, F less on wheel j; the carrier feels bearings instead of a torque.
What lies between wheel and carrier (see `bearings`) passes the force on. With a pressure angle α the teeth also push
the wheels apart by |F| tan α.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.model import Joint
from mubo.results.forces import Place
from mubo.solvers.forces.bearings import SAME, WheelBearing, find_wheel_bearing
from mubo.solvers.forces.reactions import ReactionMap


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
        """The pitch point, which is fixed in axes of the carrier."""
        (one, two), (p, q) = (bearing.center for bearing in self.bearings), self.factors
        return tuple(float(x) for x in one + (two - one) * (p / (p + q)))


def gear_meshes(form: Absolute) -> list[GearMesh]:
    """Gear pairs whose tooth force has a place: both wheels have a bearing on the carrier."""
    return [mesh for joint in form.model.joints.values() for mesh in _gear_mesh(form, joint)]


def move_to_pitch_points(exerted: ReactionMap, meshes: list[GearMesh]) -> ReactionMap:
    """The reaction map with the tooth forces of gears at their pitch points."""
    pitch = {(mesh.joint, wheel): mesh for mesh in meshes for wheel in mesh.wheels}
    for k, place in enumerate(exerted.places):
        mesh = pitch.get((place.joint, place.body))
        if mesh is not None and place.others:
            exerted.places[k] = replace(place, carrier=mesh.carrier, point=mesh.pitch)
    return exerted


def missing_bearing_notes(form: Absolute) -> list[str]:
    """Notes on wheels by gears or belts whose bearings lack the force of teeth or belt."""
    placed = {mesh.joint for mesh in gear_meshes(form)}
    out = []
    for joint in form.model.joints.values():
        if "factors" not in form.values.get(joint.name, {}) or joint.name in placed:
            continue
        element = form.model.kinds[joint.kind]
        why = "its wheels have no two axes on the carrier" if element.meshes else "its pretension is not known"
        out.append(f"{element.word} {joint.name}: {why}, so that pins of its wheels are told without its pull")
    return out


def _gear_mesh(form: Absolute, joint: Joint) -> Iterator[GearMesh]:
    element = form.model.kinds[joint.kind]
    if not element.meshes:
        return
    first, second = joint.between
    carrier = joint.options.get("carrier") or next(o.default for o in element.options if o.name == "carrier")
    one, two = (find_wheel_bearing(form, wheel, carrier) for wheel in (first, second))
    if one and two and np.linalg.norm(two.center - one.center) > SAME * form.scale:
        p, q = form.values[joint.name]["factors"]
        angle = joint.options.get("pressure_angle", 0.0)
        yield GearMesh(joint.name, (first, second), carrier, (one, two), (p, q), math.tan(angle))


def apply_tooth_forces(
    form: Absolute, exerted: ReactionMap, meshes: list[GearMesh], states: Array, lam: Array, out: Array
) -> None:
    """Replace the torques of gears by tooth forces, in `out`: times × places × components."""
    for mesh in meshes:
        (equation,) = exerted.equations_of(f"joint {mesh.joint}")
        pose = _poses(form, states, mesh.carrier)
        one, two = (_place_point(pose, bearing.center) for bearing in mesh.bearings)
        apart = np.linalg.norm(two - one, axis=1)
        along = (two - one) / apart[:, None]
        (p, q), size = mesh.factors, lam[:, equation]
        across = np.stack([-along[:, 1], along[:, 0]], axis=1)
        tooth = (size * (p + q) / apart)[:, None] * across
        tooth = tooth + (np.linalg.norm(tooth, axis=1) * mesh.tangent * np.sign(p * q))[:, None] * along
        for wheel, bearing, center, sign in zip(mesh.wheels, mesh.bearings, (one, two), (-1.0, 1.0), strict=True):
            passing = {(joint, near): -sign for joint, near, _ in bearing.steps}
            passing |= {(joint, far): sign for joint, _, far in bearing.steps}
            for k, place in enumerate(exerted.places):
                if place.joint == mesh.joint and place.body == wheel:
                    out[:, k] = np.column_stack([sign * tooth, np.zeros(len(tooth))])  # at the pitch point
                elif (place.joint, place.body) in passing:
                    side = passing[place.joint, place.body]
                    out[:, k] += _wrench(center - _point_positions(form, states, place), side * tooth)
        for k, place in enumerate(exerted.places):
            if place.joint == mesh.joint and place.body == mesh.carrier:
                out[:, k] = 0.0


def _wrench(arm: Array, force: Array) -> Array:
    return np.column_stack([force, arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0]])


def _point_positions(form: Absolute, states: Array, place: Place) -> Array:
    return _place_point(_poses(form, states, place.carrier), place.point)


def _poses(form: Absolute, states: Array, name: str) -> Array:
    if name in form.fixed:
        return np.tile(form.mechanism.poses[name], (len(states), 1))
    k = form.free.index(name)
    return states[:, 0, 3 * k : 3 * k + 3]


def _place_point(pose: Array, at: Sequence[float] | Array) -> Array:
    c, s = np.cos(pose[:, 2]), np.sin(pose[:, 2])
    return np.asarray(pose[:, :2] + np.stack([c * at[0] - s * at[1], s * at[0] + c * at[1]], axis=1))
