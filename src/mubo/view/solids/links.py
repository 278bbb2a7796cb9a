"""What stretches between two points of different bodies: massless rods, springs, and cylinders that a driver moves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.arrays import Array
from mubo.model import Model
from mubo.model.rotation import about, product
from mubo.model.targets import point_of
from mubo.view.solids.mesh import Mesh, cylinder, helix, joined
from mubo.view.solids.poses import Poses
from mubo.view.solids.sizes import in_space

TURNS = 9  # of a coil


def links_of(model: Model, poses: Poses, thick: float) -> Iterator[tuple[str, Mesh, Array, Array, Array]]:
    """Name, solid of length 1 along z, place, quaternion and length along the motion."""
    found = [(f"joint {j.name}", j.between, "rod") for j in model.joints.values() if j.kind == "distance"]
    found += [(f"force {f.name}", f.on, "spring") for f in model.forces.values() if f.kind == "spring"]
    found += [(f"driver {d.name}", d.of, "ram") for d in model.drivers.values() if isinstance(d.of, tuple)]
    for name, (first, second), kind in found:
        (body, at), (other, on) = point_of(model, first), point_of(model, second)
        start, end = poses.point(body, in_space(at)), poses.point(other, in_space(on))
        length = np.linalg.norm(end - start, axis=1)
        held = np.where(length > 0, length, 1.0)
        yield name, _solid(kind, thick), start, pointing((end - start) / held[:, None]), length


def _solid(kind: str, thick: float) -> Mesh:
    if kind == "spring":
        return helix(1.6 * thick, 0.35 * thick, 1.0, TURNS)
    if kind == "ram":
        barrel, stem = cylinder(1.6 * thick, 0.6).moved((0, 0, 0.3)), cylinder(0.8 * thick, 0.4).moved((0, 0, 0.8))
        return joined([barrel, stem])
    return cylinder(0.6 * thick, 1.0).moved((0, 0, 0.5))


def pointing(direction: Array) -> Array:
    """Quaternions that turn z into unit directions; each follows the one before by the shortest turn, without spin."""
    out = np.empty((len(direction), 4))
    last, before = np.array([1.0, 0, 0, 0]), np.array([0.0, 0, 1])
    for k, now in enumerate(direction):
        axis = np.cross(before, now)
        sine, cosine = float(np.linalg.norm(axis)), float(before @ now)
        if sine > 0:
            last = product(about(axis / sine, np.arctan2(sine, cosine)), last)
        elif cosine < 0:  # straight back: about any axis square to it
            square = np.eye(3)[int(np.argmin(np.abs(before)))]
            axis = np.cross(before, square)
            last = product(about(axis / np.linalg.norm(axis), np.pi), last)
        last = last / np.linalg.norm(last)
        out[k], before = last, now
    return out
