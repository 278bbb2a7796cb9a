"""Tooth forces of gears: a force at the pitch point, which the bearings of both wheels carry.

The row of a gear pair is p (φ_i − φ_c) + q (φ_j − φ_c) = 0; it exerts torques alone, −λp and −λq on the wheels and
λ(p + q) on the carrier. Teeth do the same by a force F at the pitch point P of the line of centres, square to it:
    F = λ (p + q) / d,    P = C_i + e d p/(p + q)
with d the distance of the centres C and e the direction from C_i to C_j (Willis). It lies in the plane of the wheels,
so that their bearings feel it: F more on wheel i, F less on wheel j; the carrier feels bearings instead of a torque.
With a pressure angle α the teeth also push the wheels apart by |F| tan α.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.model import Joint, Model
from mubo.studies.forces.reactions import Exerted


@dataclass(frozen=True)
class Mesh:
    """A gear pair whose wheels have bearings on the carrier: numbers of its places, and the centres there."""

    joint: str
    wheels: tuple[str, str]
    carrier: str
    bearings: tuple[str, str]  # joints
    centers: tuple[tuple[float, ...], tuple[float, ...]]  # in axes of the carrier
    factors: tuple[float, float]  # p and q
    tangent: float  # of the pressure angle


def meshes_of(form: Absolute) -> list[Mesh]:
    """Gear pairs whose tooth force has a place: both wheels have a bearing on the carrier."""
    return [mesh for joint in form.model.joints.values() for mesh in _mesh(form, joint)]


def unplaced(form: Absolute) -> list[str]:
    """Wheels by gears or belts whose bearings lack the pull of teeth or belt, in words."""
    placed = {mesh.joint for mesh in meshes_of(form)}
    out = []
    for joint in form.model.joints.values():
        if "factors" not in form.values.get(joint.name, {}) or joint.name in placed:
            continue
        element = form.model.kinds[joint.kind]
        why = "its wheels have no pins on the carrier" if element.meshes else "its pretension is not known"
        out.append(f"{element.word} {joint.name}: {why}, so that pins of its wheels are told without its pull")
    return out


def _mesh(form: Absolute, joint: Joint) -> Iterator[Mesh]:
    element = form.model.kinds[joint.kind]
    if not element.meshes:
        return
    first, second = joint.between
    carrier = joint.options.get("carrier") or next(o.default for o in element.options if o.name == "carrier")
    bearings = [_bearing(form.model, wheel, carrier) for wheel in (first, second)]
    if all(bearings):
        (one, at), (two, on) = bearings  # type: ignore[misc]
        p, q = form.values[joint.name]["factors"]
        angle = joint.options.get("pressure_angle", 0.0)
        yield Mesh(joint.name, (first, second), carrier, (one, two), (at, on), (p, q), math.tan(angle))


def _bearing(model: Model, wheel: str, carrier: str) -> tuple[str, tuple[float, ...]] | None:
    """The pin that joins a wheel to the carrier, and its place there."""
    for joint in model.joints.values():
        ends = {reference.partition(".")[0]: reference for reference in joint.between}
        if wheel in ends and carrier in ends and model.kinds[joint.kind].coordinate == "angle":
            return joint.name, model.place(ends[carrier])[1]
    return None


def with_teeth(form: Absolute, exerted: Exerted, meshes: list[Mesh], states: Array, lam: Array, out: Array) -> None:
    """Puts tooth forces in place of the torques of gears, in `out`: times × places × components."""
    for mesh in meshes:
        (equation,) = exerted.equations_of(f"joint {mesh.joint}")
        pose = _poses(form, states, mesh.carrier)
        one, two = (_placed(pose, center) for center in mesh.centers)
        apart = np.linalg.norm(two - one, axis=1)
        along = (two - one) / apart[:, None]
        (p, q), size = mesh.factors, lam[:, equation]
        across = np.stack([-along[:, 1], along[:, 0]], axis=1)
        tooth = (size * (p + q) / apart)[:, None] * across
        tooth = tooth + (np.linalg.norm(tooth, axis=1) * mesh.tangent * np.sign(p * q))[:, None] * along
        pitch = one + along * (apart * p / (p + q))[:, None]
        for wheel, bearing, sign in zip(mesh.wheels, mesh.bearings, (-1.0, 1.0), strict=True):
            for k, place in enumerate(exerted.places):
                if place.joint == mesh.joint and place.body == wheel:
                    arm = pitch - _placed(_poses(form, states, place.carrier), place.point)
                    out[:, k] = _wrench(arm, sign * tooth)
                elif place.joint == bearing and place.body in (wheel, mesh.carrier):
                    out[:, k, :2] += (-sign if place.body == wheel else sign) * tooth
        for k, place in enumerate(exerted.places):
            if place.joint == mesh.joint and place.body == mesh.carrier:
                out[:, k] = 0.0


def _wrench(arm: Array, force: Array) -> Array:
    return np.column_stack([force, arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0]])


def _poses(form: Absolute, states: Array, name: str) -> Array:
    if name in form.fixed:
        return np.tile(form.mechanism.poses[name], (len(states), 1))
    k = form.free.index(name)
    return states[:, 0, 3 * k : 3 * k + 3]


def _placed(pose: Array, at: tuple[float, ...]) -> Array:
    c, s = np.cos(pose[:, 2]), np.sin(pose[:, 2])
    return pose[:, :2] + np.stack([c * at[0] - s * at[1], s * at[0] + c * at[1]], axis=1)
