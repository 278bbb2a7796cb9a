"""How thick things are drawn: derived from the size of the mechanism, so that no setting is needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.model import GROUND, Body, Model
from mubo.view.solids.poses import Poses

OF_EXTENT, OF_LENGTH = 0.012, 0.07  # radius of a rod, of the whole motion and of a body's length
SAMPLES = 200  # rows that are looked at


@dataclass(frozen=True)
class Sizes:
    """Radius of a rod, and the box that the whole motion fills (corner of least and of greatest coordinates)."""

    rod: float
    low: Array
    high: Array


def in_space(at: tuple[float, ...]) -> Array:
    """Two numbers of the plane, or three, as a place in space."""
    return np.array((*at, 0.0)[:3], float)


def centre_of(body: Body) -> Array:
    """The centre of mass in body axes; the origin where none is given."""
    return in_space(body.center) if body.center else np.zeros(3)


def points_of(model: Model, body: Body) -> Array:
    """The different points of a body, those of interest included, in body axes: n × 3."""
    named = [*body.points.values(), *(p.at for p in model.points.values() if p.body == body.name)]
    return np.array([in_space(at) for at in dict.fromkeys(named)]).reshape(-1, 3)


def sizes_of(model: Model, poses: Poses) -> Sizes:
    """Sizes from the points of all bodies along the motion and from the lengths of the bodies."""
    rows = sample(len(poses.times))
    everything, lengths = [], []
    for name, body in model.bodies.items():
        corners = points_of(model, body)
        if name != GROUND:
            corners = np.vstack([corners, centre_of(body), *_shape_corners(body)])
            lengths.append(float(np.max(np.ptp(corners, axis=0))))
        everything += [poses.point(name, corner)[rows] for corner in corners]
    places = np.concatenate(everything) if everything else np.zeros((1, 3))
    low, high = places.min(axis=0), places.max(axis=0)
    extent = float(np.linalg.norm(high - low))
    held = [length for length in lengths if length > 0]
    candidates = [OF_EXTENT * extent, *([OF_LENGTH * float(np.median(held))] if held else [])]
    rod = min((size for size in candidates if size > 0), default=0.02)
    return Sizes(rod, low, high)


def sample(rows: int) -> Array:
    """Numbers of at most SAMPLES rows, first and last among them."""
    return np.unique(np.linspace(0, rows - 1, SAMPLES).astype(int))


def _shape_corners(body: Body) -> list[Array]:
    if body.shape is None:
        return []
    reach = max(body.shape.sizes.values()) * (1.0 if body.shape.kind == "sphere" else 0.5)
    return [centre_of(body) + reach * sign * np.eye(3) for sign in (-1, 1)]
