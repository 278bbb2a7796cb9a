"""Inverse kinematics of a chain of segments: the coordinates whose markers lie closest to those measured.

All frames are solved together by the steps of Levenberg and Marquardt: q minimises Σ w_m |p_m(q) − y_m|² over the
markers that are seen (T.-W. Lu, J. J. O'Connor, Journal of Biomechanics 32 (1999) 129-134). The first guess of a person
without a skeleton of his own is every segment for itself; that of a given skeleton the pose in which it was drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.walk.chain import ChainLink, marker_places, pose
from mubo.formats.walk.registration import LEAST, ClusterMotion, is_flat, register

ROUNDS, CLOSE = 200, 1e-9  # iterations, and the last step, rad and m
ENOUGH = 1e-4  # the last step where markers are so far off that iterations converge slowly
TURN = 0.5  # rad in one iteration at most
TOGETHER = 500  # frames in one system of equations
LOOSE = 1e-3  # weight of the trunk: the back bends, so that its markers show where it points, and move no leg
# Skin moves on the bone most at the thigh (A. Leardini et al., Gait & Posture 21 (2005) 212-225): markers of thigh and
# shank count as if they were √3 and √2 times as uncertain as those of pelvis and foot, a rule of thumb.
SKIN = {"thigh": 1 / 3, "shank": 1 / 2}
LOST = 1e-6  # of the largest singular value: motion that no marker shows
DAMPING = 1e-10  # of the sum of the eigenvalues: smaller ones are coordinates that no marker shows
DAMPED, NOISE = 1e-6, 1e-12  # damping after a step that is taken back; a larger sum of squares that is rounding


@dataclass(frozen=True, eq=False)
class Fit:
    """Coordinates (frames × n) and the distance of every marker from its place, NaN where it is not seen."""

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


def guess_by_segments(links: Sequence[ChainLink], measured: Mapping[str, Array]) -> Array:
    """Coordinates of balls by every segment for itself; one with too few markers keeps the axes of its parent."""
    count = len(next(iter(measured.values())))
    q = np.zeros((count, 6 + 3 * (len(links) - 1)))
    axes: list[Array] = []
    for k, link in enumerate(links):
        near = axes[link.parent] if k else np.broadcast_to(np.eye(3), (count, 3, 3))
        own = near.copy()
        if shows_turn(link):
            motion = _registered(link, measured)
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
        signs = [float(np.sum(motion.axis)) for motion in link.motions[-3:]]
        q[:, 3 + 3 * k : 6 + 3 * k] = angles_of(np.swapaxes(near, 1, 2) @ own, signs)
    return q


def shows_turn(link: ChainLink) -> bool:
    """Whether the markers of a link show how it turns."""
    return len(link.markers) >= LEAST and not is_flat(np.array(list(link.markers.values())))


def _registered(link: ChainLink, measured: Mapping[str, Array]) -> ClusterMotion:
    seen = np.stack([measured[name] for name in link.markers], axis=1)
    return register(np.array(list(link.markers.values())), seen)


def guess_as_drawn(links: Sequence[ChainLink], measured: Mapping[str, Array], drawn: Array) -> Array:
    """The coordinates as drawn in every frame in which the first link with three markers is seen; NaN in others."""
    base = next((link for link in links if shows_turn(link)), None)
    if base is None:
        raise ModelError("no body of the skeleton has three markers of the walk that are not on one line")
    seen = np.isfinite(_registered(base, measured).residual)
    return np.where(seen[:, None], drawn, np.nan)


def fit(
    links: Sequence[ChainLink],
    measured: Mapping[str, Array],
    guess: Array,
    weights: Mapping[str, float],
    locked: Sequence[int] = (),
    chain: bool = True,
) -> Fit:
    """The coordinates of a chain, from a guess; those whose numbers are `locked` stay. Frames of NaN remain NaN.

    Without `chain` the guess is the answer: every segment for itself.
    """
    q = guess.copy()
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
    turns = turning(links)
    q[:, turns] = np.unwrap(np.where(np.isfinite(q[:, turns]), q[:, turns], 0.0), axis=0) + 0.0 * q[:, turns]
    return Fit(q, distances)


def turning(links: Sequence[ChainLink]) -> list[int]:
    """Numbers of the coordinates that are angles."""
    own = [motion for link in links for motion in link.motions if not motion.curves]
    return sorted({motion.coordinate for motion in own if motion.turns})


def _require_seen(links: Sequence[ChainLink], q: Array, free: NDArray[np.intp], markers: tuple[Array, Array]) -> None:
    """Refuses a segment whose markers do not show how it turns."""
    seen, weight = markers
    visible = np.any(np.all(np.isfinite(seen), axis=2), axis=0) & (weight > 0)
    lean = marker_places(links, q)[1][0][np.repeat(visible, 3)][:, free]
    _, sizes, lines = np.linalg.svd(lean, full_matrices=True)
    if len(sizes) == len(free) and sizes[-1] > LOST * sizes[0]:
        return
    link = _moved_segment(links, int(free[np.argmax(np.abs(lines[-1]))]))
    raise ModelError(
        f"the markers do not show how {link.name} turns: it is followed by {', '.join(link.markers) or 'none'}",
        suggestion=f'Name more markers of it, clusters = {{ {link.name} = ["…", "…", "…"] }}, or lock coordinates.',
    )


def _moved_segment(links: Sequence[ChainLink], coordinate: int) -> ChainLink:
    """The segment that a coordinate moves; links without markers between two turns of one joint are passed."""
    k = next(k for k, link in enumerate(links) if coordinate in link.coordinates)
    while not links[k].markers and len(links[k].motions) == 1:
        below = [i for i, link in enumerate(links) if link.parent == k]
        if len(below) != 1:
            break
        k = below[0]
    return links[k]


def _solve(links: Sequence[ChainLink], q: Array, seen: Array, weight: Array, free: NDArray[np.intp]) -> Array:
    """Steps of Levenberg and Marquardt for some frames together, each until its own is small.

    A step that makes the distances larger is taken back, and tried again with ten times the damping.
    """
    q, best = q.copy(), q.copy()
    left, damping, cost = np.arange(len(q)), np.full(len(q), DAMPING), np.full(len(q), np.inf)
    matrix, pull = np.zeros((len(q), len(free), len(free))), np.zeros((len(q), len(free)))
    angles = np.isin(free, turning(links))
    for _ in range(ROUNDS):
        curvature, gradient, sums = _normal_equations(links, q[left], seen[left], weight, free)
        better = sums <= cost[left] * (1 + NOISE)
        mine, other = left[better], left[~better]
        best[mine], cost[mine], matrix[mine], pull[mine] = q[mine], sums[better], curvature[better], gradient[better]
        damping[mine] = np.maximum(damping[mine] / 10, DAMPING)
        damping[other] = np.maximum(damping[other] * 10, DAMPED)
        added = damping[left] * np.trace(matrix[left], axis1=1, axis2=2)
        step = np.linalg.solve(matrix[left] + added[:, None, None] * np.eye(len(free)), pull[left][:, :, None])[:, :, 0]
        widest = np.abs(step[:, angles]).max(axis=1, keepdims=True, initial=0.0)
        step *= np.minimum(1.0, TURN / np.maximum(widest, 1e-300))  # no angle by more than TURN
        q[np.ix_(left, free)] = best[np.ix_(left, free)] + step
        sizes = np.max(np.abs(step), axis=1)
        left, sizes = left[sizes >= CLOSE], sizes[sizes >= CLOSE]
        if not len(left):
            return q
    if np.all(sizes < ENOUGH):
        return q
    worst = int(left[np.argmax(sizes)])
    visible = np.all(np.isfinite(seen[worst]), axis=1) & (weight > 0)
    apart = np.linalg.norm(marker_places(links, q[worst : worst + 1])[0][0] - seen[worst], axis=1)
    names = [name for link in links for name in link.markers]
    raise ModelError(
        f"inverse kinematics: the markers have no closest pose after {ROUNDS} iterations "
        f"(last step {np.max(sizes):.2g}); farthest from its segment is "
        f"{names[int(np.argmax(np.where(visible, apart, 0.0)))]}: is it swapped, or are both files of one person?",
        suggestion='Name markers that are never lost, lock coordinates, or write kinematics = "segments".',
    )


def _normal_equations(
    links: Sequence[ChainLink], q: Array, seen: Array, weight: Array, free: NDArray[np.intp]
) -> tuple[Array, Array, Array]:
    """JᵀJ and Jᵀr of the weighted distances r along the coordinates that are free, and Σ r², of every frame."""
    visible = np.all(np.isfinite(seen), axis=2)
    scale = np.repeat(visible * weight, 3, axis=1)
    places, jacobian = marker_places(links, q)
    off = scale * (np.where(visible[:, :, None], seen, 0.0) - places).reshape(len(q), -1)
    lean = scale[:, :, None] * jacobian[:, :, free]
    return np.swapaxes(lean, 1, 2) @ lean, np.einsum("fmi,fm->fi", lean, off), np.einsum("fm,fm->f", off, off)
