"""Inverse kinematics of a chain of segments: the coordinates whose markers lie closest to those measured.

A link hangs on its parent by a ball at a fixed place of the parent. Its coordinates are three angles in the order of
E. S. Grood and W. J. Suntay (Journal of Biomechanical Engineering 105 (1983) 136-144), about z of the parent, the
floating x and y of the link itself:

    A_link = A_parent Rz(s₁ q₁) Rx(s₂ q₂) Ry(s₃ q₃),    p_link = p_parent + A_parent o

with signs s that make flexion, adduction and inner rotation positive on both sides. The first link has three places
before its angles. All frames are solved together by Gauss and Newton: q minimises Σ w_m |p_m(q) − y_m|² over the
markers that are seen (T.-W. Lu, J. J. O'Connor, Journal of Biomechanics 32 (1999) 129-134).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.walk.registration import LEAST, is_flat, register

ROUNDS, CLOSE = 60, 1e-9  # Gauss-Newton iterations, and the last step, rad and m
TOGETHER = 500  # frames in one system of equations
LOST = 1e-6  # of the largest singular value: motion that no marker shows
DAMPING = 1e-10  # of the largest eigenvalue: smaller ones are coordinates that no marker shows


@dataclass(frozen=True, eq=False)
class ChainLink:
    """A segment: its parent (−1 of the first), its origin in the parent's axes, signs of its angles, its markers."""

    name: str
    parent: int
    origin: Array
    signs: tuple[float, float, float]
    markers: Mapping[str, Array]  # places in its own axes


@dataclass(frozen=True, eq=False)
class Poses:
    """Axes (frames × 3 × 3), origins and joint axes (frames × 3 × 3, in lines) of every link."""

    axes: list[Array]
    places: list[Array]
    turns: list[Array]


@dataclass(frozen=True, eq=False)
class Fit:
    """Coordinates (frames × 6 + 3 a link) and the distance of every marker from its place, NaN where it is not seen."""

    coordinates: Array
    distances: dict[str, Array]

    def rms(self, names: Sequence[str]) -> float:
        """Root mean square distance of some markers; NaN of none."""
        apart = np.concatenate([self.distances[name] for name in names]) if names else np.array([np.nan])
        seen = apart[np.isfinite(apart)]
        return float(np.sqrt(np.mean(seen**2))) if len(seen) else float("nan")


def angles_of(turn: Array, signs: Sequence[float]) -> Array:
    """The three angles of rotations …×3×3 in the order z, x, y: …×3."""
    first = np.arctan2(-turn[..., 0, 1], turn[..., 1, 1])
    second = np.arcsin(np.clip(turn[..., 2, 1], -1.0, 1.0))
    third = np.arctan2(-turn[..., 2, 0], turn[..., 2, 2])
    return np.asarray(np.stack([first, second, third], axis=-1) * np.asarray(signs))


def pose(links: Sequence[ChainLink], q: Array) -> Poses:
    """Axes and origins of all links at coordinates frames × n."""
    out = Poses([], [], [])
    for k, link in enumerate(links):
        angles = q[:, 3 + 3 * k : 6 + 3 * k] * np.asarray(link.signs)
        near = out.axes[link.parent] if k else np.broadcast_to(np.eye(3), (len(q), 3, 3))
        first = near @ _about(2, angles[:, 0])
        second = first @ _about(0, angles[:, 1])
        out.places.append(out.places[link.parent] + near @ link.origin if k else q[:, :3])
        out.turns.append(np.stack([near[:, :, 2], first[:, :, 0], second[:, :, 1]], axis=1))
        out.axes.append(second @ _about(1, angles[:, 2]))
    return out


def _about(axis: int, angle: Array) -> Array:
    """Rotations about an axis of a frame: frames × 3 × 3."""
    i, k = (axis + 1) % 3, (axis + 2) % 3
    out = np.zeros((len(angle), 3, 3))
    c, s = np.cos(angle), np.sin(angle)
    out[:, axis, axis] = 1.0
    out[:, i, i] = out[:, k, k] = c
    out[:, i, k], out[:, k, i] = -s, s
    return out


def first_guess(links: Sequence[ChainLink], measured: Mapping[str, Array]) -> Array:
    """Coordinates by every segment for itself; a segment with too few markers keeps the axes of its parent."""
    count = len(next(iter(measured.values())))
    q = np.zeros((count, 6 + 3 * (len(links) - 1)))
    axes: list[Array] = []
    for k, link in enumerate(links):
        near = axes[link.parent] if k else np.broadcast_to(np.eye(3), (count, 3, 3))
        own = near.copy()
        if len(link.markers) >= LEAST and not is_flat(np.array(list(link.markers.values()))):
            seen = np.stack([measured[name] for name in link.markers], axis=1)
            motion = register(np.array(list(link.markers.values())), seen)
            own = np.where(np.isfinite(motion.rotation), motion.rotation, near)
            if not k:
                q[:, :3] = motion.translation
        elif not k:
            raise ModelError(
                "the pelvis needs three markers of the walk that are not on one line; found "
                f"{', '.join(link.markers) or 'none'}",
                suggestion='Name them: clusters = { pelvis = ["RASI", "LASI", "SACR"] }.',
            )
        axes.append(own)
        q[:, 3 + 3 * k : 6 + 3 * k] = angles_of(np.swapaxes(near, 1, 2) @ own, link.signs)
    return q


def fit(
    links: Sequence[ChainLink],
    measured: Mapping[str, Array],
    weights: Mapping[str, float],
    locked: Sequence[int] = (),
    chain: bool = True,
) -> Fit:
    """The coordinates of a chain; those whose numbers are `locked` stay zero. Frames without a pelvis are NaN.

    Without `chain` every segment is fitted for itself, and only the pelvis gives the place.
    """
    q = first_guess(links, measured)
    q[:, list(locked)] = 0.0
    known = np.flatnonzero(np.all(np.isfinite(q), axis=1))
    if chain and len(known):
        names = [name for link in links for name in link.markers]
        seen = np.stack([measured[name] for name in names], axis=1)
        weight = np.sqrt([weights.get(name, 1.0) for name in names])
        free = np.setdiff1d(np.arange(q.shape[1]), list(locked))
        _require_seen(links, q[known[:1]], free, (seen[known], weight))
        for start in range(0, len(known), TOGETHER):
            rows = known[start : start + TOGETHER]
            q[rows] = _solve(links, q[rows], seen[rows], weight, free)
    placed = pose(links, q)
    distances = {
        name: np.linalg.norm(placed.places[k] + placed.axes[k] @ at - measured[name], axis=1)
        for k, link in enumerate(links)
        for name, at in link.markers.items()
    }
    q[:, 3:] = np.unwrap(np.where(np.isfinite(q[:, 3:]), q[:, 3:], 0.0), axis=0) + 0.0 * q[:, 3:]
    return Fit(q, distances)


def _require_seen(links: Sequence[ChainLink], q: Array, free: NDArray[np.intp], markers: tuple[Array, Array]) -> None:
    """Refuses a segment whose markers do not show how it turns."""
    seen, weight = markers
    visible = np.any(np.all(np.isfinite(seen), axis=2), axis=0) & (weight > 0)
    lean = _markers(links, q)[1][0][np.repeat(visible, 3)][:, free]
    _, sizes, lines = np.linalg.svd(lean, full_matrices=True)
    if len(sizes) == len(free) and sizes[-1] > LOST * sizes[0]:
        return
    lost = int(free[np.argmax(np.abs(lines[-1]))])
    link = links[max(lost - 3, 0) // 3]
    raise ModelError(
        f"the markers do not show how {link.name} turns: it is followed by {', '.join(link.markers) or 'none'}",
        suggestion=f'Name more markers of it, clusters = {{ {link.name} = ["…", "…", "…"] }}, or lock coordinates.',
    )


def _solve(links: Sequence[ChainLink], q: Array, seen: Array, weight: Array, free: NDArray[np.intp]) -> Array:
    """Gauss-Newton iterations of some frames together."""
    q = q.copy()
    visible = np.all(np.isfinite(seen), axis=2)
    scale = np.repeat(visible * weight, 3, axis=1)
    target = np.where(visible[:, :, None], seen, 0.0)
    for _ in range(ROUNDS):
        places, jacobian = _markers(links, q)
        off = scale * (target - places).reshape(len(q), -1)
        lean = scale[:, :, None] * jacobian[:, :, free]
        matrix = np.swapaxes(lean, 1, 2) @ lean
        size = np.trace(matrix, axis1=1, axis2=2)[:, None, None]
        step = np.linalg.solve(
            matrix + DAMPING * size * np.eye(len(free)), np.einsum("fmi,fm->fi", lean, off)[:, :, None]
        )[:, :, 0]
        step *= np.minimum(1.0, 0.5 / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1e-300))
        q[:, free] += step
        if np.max(np.abs(step)) < CLOSE:
            return q
    raise ModelError(
        f"inverse kinematics: the markers have no closest pose after {ROUNDS} iterations "
        f"(last step {np.max(np.abs(step)):.2g})",
        suggestion='Name markers that are never lost, lock coordinates, or write kinematics = "segments".',
    )


def _markers(links: Sequence[ChainLink], q: Array) -> tuple[Array, Array]:
    """Places of all markers (frames × markers × 3) and their derivatives (frames × 3 markers × coordinates)."""
    placed = pose(links, q)
    places, rows = [], []
    for k, link in enumerate(links):
        for at in link.markers.values():
            place = placed.places[k] + placed.axes[k] @ at
            row = np.zeros((len(q), 3, q.shape[1]))
            row[:, :, :3] = np.eye(3)
            above = k
            while above >= 0:
                arm = place - placed.places[above]
                turns = placed.turns[above] * np.asarray(links[above].signs)[:, None]
                row[:, :, 3 + 3 * above : 6 + 3 * above] = np.swapaxes(np.cross(turns, arm[:, None]), 1, 2)
                above = links[above].parent
            places.append(place)
            rows.append(row)
    return np.stack(places, axis=1), np.concatenate(rows, axis=1)
