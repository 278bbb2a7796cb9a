"""Outlines in the plane: round ends, plates around points, circles, hatching, coils, arrows around a centre."""

from __future__ import annotations

from itertools import pairwise
from itertools import product as pairs
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.geometry.polygons import around as around
from mubo.geometry.polygons import circle as circle
from mubo.geometry.polygons import hull
from mubo.geometry.polygons import rounded as rounded
from mubo.geometry.rotation import matrix
from mubo.view.scene.data import SceneShape

COILS = 8  # of a spring
FLAT = 0.02  # points are in a plane if they leave it by no more than this part of their spread
STRAIGHT = 0.02  # and on a line likewise: a body narrower than this part of its length is a bar
DASHES = 48  # of a circle


def dashed_circle(at: Array, radius: float) -> Array:
    """A circle in dashes, parted by NaN."""
    start = 2 * np.pi * np.arange(DASHES) / DASHES
    angles = start[:, None] + 2 * np.pi / DASHES * np.array([0.0, 0.2, 0.4, 0.6, np.nan])
    return np.asarray(at + radius * around(angles.ravel()))


def thinned(path: Array, tolerance: float) -> Array:
    """The places of a path without which it would be more than so far from where it was (Douglas and Peucker 1973)."""
    kept, spans = {0, len(path) - 1}, [(0, len(path) - 1)]
    while spans:
        low, high = spans.pop()
        inner, chord = path[low + 1 : high] - path[low], path[high] - path[low]
        part = np.clip(inner @ chord / max(float(chord @ chord), 1e-300), 0, 1)
        off = np.linalg.norm(inner - np.outer(part, chord), axis=1)
        if len(off) and off.max() > tolerance:
            at = low + 1 + int(np.argmax(off))
            kept.add(at)
            spans += [(low, at), (at, high)]
    return path[sorted(kept)]


def smooth_runs(path: Array) -> list[Array]:
    """A path cut where it turns by more than 60°, without places that repeat."""
    path = path[np.append(True, np.any(np.diff(path, axis=0) != 0, axis=1))]
    along = np.diff(path, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    corners = 1 + np.flatnonzero(np.sum(along[1:] * along[:-1], axis=1) < 0.5)
    return [path[a : b + 1] for a, b in pairwise([0, *corners, len(path) - 1])]


def left_of(u: Array) -> Array:
    """A direction turned by a right angle counter-clockwise."""
    return np.array([-u[1], u[0]])


def plane_of(points: Array) -> Array | None:
    """Axes along, across and square to the plane of points in space; None where they are not in one, or on a line."""
    offset = points - points.mean(axis=0)
    _, size, axes = np.linalg.svd(np.vstack([offset, np.zeros((3, 3))]), full_matrices=False)
    return axes if size[1] > STRAIGHT * size[0] and size[2] <= FLAT * size[0] else None


def corners_of_plate(points: Array, least: int = 4) -> Array:
    """Corners of the plate on which points in space lie: so many, or three around a further one; else none."""
    axes = plane_of(points)
    if axes is None:
        return np.zeros((0, 3))
    middle = points.mean(axis=0)
    ring = hull((points - middle) @ axes[:2].T)
    return ring @ axes[:2] + middle if len(ring) >= least or len(points) > len(ring) else np.zeros((0, 3))


def rectangle(at: Array, along: Array, half: float, high: float) -> Array:
    """A closed rectangle about a place, `half` of its length along a unit vector, `high` of its width across it."""
    n = left_of(along)
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]
    return np.asarray(np.array(at) + np.array([s * half * along + t * high * n for s, t in corners]))


def hatching(line: Array, deep: float) -> Array:
    """Short strokes on the right-hand side along a line, parted by NaN."""
    steps = np.diff(line, axis=0)
    gone = np.concatenate([[0.0], np.cumsum(np.hypot(*steps.T))])
    count = int(np.clip(round(gone[-1] / (0.9 * deep)), 3, 200))
    part = gone[-1] * (np.arange(count) + 0.75) / count
    piece = np.clip(np.searchsorted(gone, part, side="right") - 1, 0, len(steps) - 1)
    u = steps[piece] / np.hypot(*steps[piece].T)[:, None]
    starts = line[piece] + (part - gone[piece])[:, None] * u
    comb = np.full((3 * count, 2), np.nan)
    comb[0::3], comb[1::3] = starts, starts - deep * (np.column_stack([-u[:, 1], u[:, 0]]) + 0.7 * u)
    return comb


def zigzag(high: float) -> Array:
    """A spring from 0 to 1 along x, with straight ends."""
    teeth = np.arange(2 * COILS)
    part = np.array([0.0, 0.18, *(0.18 + 0.64 * (teeth + 0.5) / (2 * COILS)), 0.82, 1.0])
    return np.column_stack([part, [0.0, 0.0, *(high * (-1.0) ** teeth), 0.0, 0.0]])


def spiral(at: Array, radius: float) -> Array:
    """A spiral spring of two and a half turns."""
    angle = np.linspace(0, 5 * np.pi, 60)
    return np.asarray(at + (radius * np.linspace(0.25, 1, 60))[:, None] * around(angle))


def turn_arcs(at: Array, radius: float, senses: tuple[float, ...]) -> tuple[Array, list[Array]]:
    """An arc around a place, and its heads: at its end where it turns counter-clockwise, at its start clockwise."""
    angle = np.radians(np.linspace(140, 400, 31))
    heads = []
    for last, sense in zip((angle[-1], angle[0]), (1.0, -1.0), strict=True):
        if sense in senses:
            u, n = sense * around(np.array([last + np.pi / 2]))[0], around(np.array([last]))[0]
            head = np.array([0.5 * u, -0.2 * u + 0.33 * n, -0.2 * u - 0.33 * n, 0.5 * u])
            heads.append(at + radius * (n + head))
    return at + radius * around(angle), heads


def arrow(length: float, radius: float) -> Array:
    """The closed outline of an arrow along x from 0 to its length, its shaft two radii wide."""
    neck, wide = length - 6 * radius, 3 * radius
    half = np.array([(0, radius), (neck, radius), (neck, wide), (length, 0)])
    return np.vstack([half * [1, -1], half[::-1][1:], half[:1] * [1, -1]])


LINES = ("points", "outline", "rim", "back", "start", "end", "at")


def corners_of(shape: SceneShape, dimension: int) -> Array:
    """Points whose box holds the box of the shape, in any pose of its frame nearly."""
    n = shape.numbers
    if "size" in n or "turned" in n:
        size = n["size"] if "size" in n else (2 * n["radius"],) * (dimension - 1) + (n["length"],)
        return _box_corners(np.array(n["at"], float), np.array(size[:dimension], float) / 2, n["turned"])
    places = np.vstack([np.reshape(n[name], (-1, dimension)) for name in LINES if name in n])
    reach = max(float(n.get(name, 0.0)) for name in ("radius", "gap", "width"))
    if "direction" in n:  # a foot below the place, and wider
        down = np.array(n["direction"])
        sides = np.eye(dimension) - np.outer(down, down)
        foot = places + 1.3 * n["high"] * down
        return np.vstack([places, foot + 1.1 * n["high"] * sides, foot - 1.1 * n["high"] * sides])
    around = reach * np.vstack([np.eye(dimension), -np.eye(dimension)])
    return np.asarray((places[:, None] + around).reshape(-1, dimension)) if reach and len(places) < 40 else places


def _box_corners(at: Array, half: Array, turned: Any) -> Array:
    signs = np.array(list(pairs((-1, 1), repeat=len(half))), float)
    if len(half) == 3:
        return np.asarray(at + (signs * half) @ matrix(turned).T)
    c, s = np.cos(turned), np.sin(turned)
    return np.asarray(at + (signs * half) @ np.array([[c, s], [-s, c]]))
