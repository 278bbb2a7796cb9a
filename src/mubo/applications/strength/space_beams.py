"""Links of space as straight beams: N, V, T and M in two planes at sections along them, at any times.

On the part before a cut at s act what enters there and the weight and inertia of its own mass, spread evenly,

    q(s) = µ (g − a(s)),   a(s) = a_A + s (α × e + ω × (ω × e)),   µ = m/L

With R their sum and H their moment about the start A, all in body axes, e along the beam, h the direction of the height
of its section and w = e × h that of its width:

    N = −R·e,   V = R − (R·e) e,   M = s e × R − H,   T = M·e,   M_h = M·w (bends the height),   M_w = M·h
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mubo.applications.strength.force_history import ForceSample
from mubo.applications.strength.space_sections import SpaceSection
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.geometry.rotation import matrix
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition, target_of
from mubo.model.parts import Detail

STATIONS = 40  # parts of a beam at whose ends its sections are judged
OFF, BESIDE = 1e-6, 1e-9  # of its length: an entry farther away is not on it; in front of an entry


class SpatialMotion(NamedTuple):
    """Origin, axes (columns), angular velocity and acceleration, and acceleration of the origin, in ground axes."""

    origin: Array
    axes: Array
    omega: Array
    alpha: Array
    acceleration: Array


@dataclass(frozen=True)
class SpatialBeam:
    """The line of a body from one point to another, its mass, section, and the direction of its height."""

    body: str
    points: tuple[str, str]
    start: Array
    end: Array
    upright: Array
    mass: float
    section: SpaceSection
    detail: Detail

    @property
    def length(self) -> float:
        return float(np.linalg.norm(self.end - self.start))

    @property
    def frame(self) -> Array:
        """e, h and w as rows, in body axes."""
        e = (self.end - self.start) / self.length
        h = self.upright - (self.upright @ e) * e
        h = h / np.linalg.norm(h)
        return np.array([e, h, np.cross(e, h)])


class SpatialForces(NamedTuple):
    """Section forces at sections: times × sections each; and what is left at the end, in size."""

    s: Array
    n: Array
    v: Array
    torque: Array
    height: Array  # moment that bends the height
    width: Array
    gap_force: Array
    gap_moment: Array


def spatial_motion(sample: ForceSample, body: str) -> SpatialMotion:
    """The motion of a body in space at the times of a sample."""
    raw, t = sample.forces.columns.raw, len(sample.t)
    form = sample.solver.form
    if body not in form.free:
        pose = np.asarray(form.mechanism.poses[body], float)
        zero = np.zeros((t, 3))
        return SpatialMotion(np.tile(pose[:3], (t, 1)), np.tile(matrix(pose[3:]), (t, 1, 1)), zero, zero, zero)

    def columns(*names: str) -> Array:
        return np.stack([raw(f"{body}.{name}") for name in names], axis=1)

    return SpatialMotion(
        columns("x", "y", "z"),
        matrix(columns("qw", "qx", "qy", "qz")),
        columns("wx", "wy", "wz"),
        columns("alphax", "alphay", "alphaz"),
        columns("ax", "ay", "az"),
    )


def spatial_entries(sample: ForceSample, body: str) -> Iterator[tuple[str, Array, Array, Array]]:
    """Name, place, force and moment of all that acts on a body but its weight and inertia, in body axes."""
    own = spatial_motion(sample, body)
    form, model = sample.solver.form, sample.solver.form.model

    def local(vector: Array) -> Array:
        return np.asarray(np.einsum("tij,ti->tj", own.axes, vector))

    def entry(name: str, wrench: Array, about: Array, at: Array) -> tuple[str, Array, Array, Array]:
        moment = wrench[:, 3:] + np.cross(about - at, wrench[:, :3])
        return name, local(at - own.origin), local(wrench[:, :3]), local(moment)

    places = sample.solver.reaction_map.places
    for k, place in enumerate(places):
        if place.body != body:
            continue
        about = _place(sample, place.carrier, place.point)
        at, name = about, f"joint {place.joint}"
        if place.joint in model.drivers:
            joint = target_of(model, model.drivers[place.joint].of).joint
            name = f"driver {place.joint}"
            at = next((_place(sample, p.carrier, p.point) for p in places if p.joint == joint and p.body == body), at)
        yield entry(name, sample.forces.wrenches[:, k], about, at)
    number = (*form.free, *form.fixed).index(body)
    for load in form.loads.loads:
        wrench = sample.loads[load.name][:, number]
        if np.any(wrench):
            point = next((at for owner, at in load.ends if owner == body), None)
            at = own.origin if point is None else _place(sample, body, point)
            yield entry(f"force {load.name}", wrench, own.origin, at)


def _place(sample: ForceSample, body: str, at: tuple[float, ...]) -> Array:
    motion = spatial_motion(sample, body)
    return np.asarray(motion.origin + motion.axes @ np.asarray(at, float))


def spatial_forces(beam: SpatialBeam, sample: ForceSample) -> SpatialForces:
    """The section forces of a beam at the times of a sample, kept with it."""
    return sample.once(("space", beam.body), lambda: _section_forces(beam, sample))


def _section_forces(beam: SpatialBeam, sample: ForceSample) -> SpatialForces:
    e, h, w = beam.frame
    entries, feet = list(spatial_entries(sample, beam.body)), []
    for name, at, _, _ in entries:
        along = (at - beam.start) @ e
        away = np.linalg.norm(at - beam.start - np.clip(along, 0, beam.length)[:, None] * e, axis=1)
        _require_on_beam(sample.solver.form.model, beam, name, away)
        feet.append(np.clip(along, 0, beam.length))
    s = _sections(beam.length, feet)
    b0, b1 = _field(beam, sample, e)
    mu = beam.mass / beam.length
    force = mu * (s[None, :, None] * b0[:, None] + s[None, :, None] ** 2 / 2 * b1[:, None])
    first = mu * (s[None, :, None] ** 2 / 2 * b0[:, None] + s[None, :, None] ** 3 / 3 * b1[:, None])
    moment = np.cross(e, first)
    for (_, at, pushed, turned), foot in zip(entries, feet, strict=True):
        before = (foot[:, None] <= s[None, :])[..., None]
        force = force + before * pushed[:, None]
        moment = moment + before * (turned + np.cross(at - beam.start, pushed))[:, None]
    cut = np.cross(s[None, :, None] * e, force) - moment
    gaps = np.linalg.norm(force[:, -1], axis=1), np.linalg.norm(cut[:, -1], axis=1)
    axial = force @ e
    shear = np.linalg.norm(force - axial[..., None] * e, axis=2)
    return SpatialForces(s[None], -axial, shear, cut @ e, cut @ w, cut @ h, *gaps)


def _sections(length: float, feet: list[Array]) -> Array:
    """Even sections, and both sides of each place at which forces enter and do not move."""
    fixed = [float(foot[0]) for foot in feet if np.ptp(foot) <= BESIDE * length]
    before = [at - BESIDE * length for at in fixed if at > 0]
    return np.unique(np.concatenate([np.linspace(0, length, STATIONS + 1), fixed, before]))


def _require_on_beam(model: ModelDefinition, beam: SpatialBeam, name: str, away: Array) -> None:
    if np.nanmax(away, initial=0.0) > OFF * beam.length:
        raise ModelError(
            f"section {beam.body}: {name} acts {float(np.nanmax(away)):.4g} beside the beam {'–'.join(beam.points)}",
            names=[beam.body],
            suggestion="In space a beam is straight: lead it through the points where forces enter, along = [...].",
        )


def _field(beam: SpatialBeam, sample: ForceSample, e: Array) -> tuple[Array, Array]:
    """g − a at the start of the beam, and what it changes by along it, in body axes."""
    motion = spatial_motion(sample, beam.body)
    gravity = np.array(sample.solver.form.model.gravity or (0.0, 0.0, 0.0))

    def swept(arm: Array) -> Array:
        return np.cross(motion.alpha, arm) + np.cross(motion.omega, np.cross(motion.omega, arm))

    at_start = gravity - motion.acceleration - swept(motion.axes @ beam.start)
    change = -swept(motion.axes @ e)
    return np.einsum("tij,ti->tj", motion.axes, at_start), np.einsum("tij,ti->tj", motion.axes, change)
