"""Euler angles along a motion, without jumps, independent of the output rows.

A quaternion has many triples of angles: two per turn, and full turns. Which one the motion reaches is decided between
the rows, not at them: near the position where the first and last axis line up, angles run through half a turn in an
instant. So the whole motion between two rows is examined. With Ω the largest angular speed on it and s the sine of the
angle between the axes, s changes by no more than Ω h, so it stays above s_min = (s_0 + s_1 − Ω h) / 2, and no angle
changes by more than Ω h / s_min. Where that is not small, states between the rows are added until it is.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import euler_along, euler_apart
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.links import LinkMotion, joint_ball
from mubo.mechanism.formulations.tree import Tree

FAR = 0.8  # radians: a change of an angle that cannot be taken for one to the other triple, π away
MOST_PARTS = 16
GROWTH = 1.5  # of the angular speed within a step of the integrator, over that at its ends
LEAST_CLOSE = 1e-9  # radians from the singular position, within which rounding decides the branch
OF_TOLERANCE = 100.0  # that distance as a multiple of the tolerance of the states
StatesBetween = Callable[[float, Array, Array], Array]  # states at times after a start and its state


@dataclass
class SampledMotion:
    """Times and states along a motion, and the numbers of those that are output rows."""

    t: Array
    states: Array
    rows: np.ndarray


@dataclass(frozen=True)
class EulerAngles:
    """Angles of each ball that has them, (rows, 3) in radians, and the joints whose angles became singular."""

    angles: dict[int, Array]  # by link
    lost: dict[str, float]  # joint: the first time at which the branch was decided by rounding


def euler_angles(
    tree: Tree, t: Array, states: Array, ends: Array, between: StatesBetween, tolerance: float
) -> EulerAngles:
    """Follow the Euler angles to the rows; `ends` are the ends of the integrator's steps."""
    balls = [motion for motion in tree.links.motions if motion.kind == "ball" and motion.euler]
    if not balls:
        return EulerAngles({}, {})
    close = max(LEAST_CLOSE, OF_TOLERANCE * tolerance)
    sampled = SampledMotion(t, states, np.arange(len(t)))
    inner = _steps_between(t, ends)
    while True:
        if any(len(times) for times in inner):
            sampled = _refine(sampled, inner, between)
        inner = _parts(tree, balls, sampled, close)
        if not any(len(times) for times in inner):
            break
    angles, lost = {}, {}
    for ball in balls:
        angles_of_ball, singular = _follow_angles(tree, ball, sampled.states, close)
        angles[ball.link] = angles_of_ball[sampled.rows]
        if singular.any():
            lost[ball.joint] = float(sampled.t[np.argmax(singular)])
    return EulerAngles(angles, lost)


def _steps_between(t: Array, ends: Array) -> list[Array]:
    """Ends of steps between rows that are more than a step apart: within one, the speeds at its ends suffice."""
    edges = zip(np.searchsorted(ends, t[:-1], "right"), np.searchsorted(ends, t[1:], "left"), strict=True)
    return [ends[first:last] if last - first > 1 else ends[:0] for first, last in edges]


def _parts(tree: Tree, balls: list[LinkMotion], sampled: SampledMotion, close: float) -> list[Array]:
    """Times to add to each interval: none where every angle is followed safely, or all is within `close`."""
    counts = np.ones(max(len(sampled.t) - 1, 0), int)
    for ball in balls:
        speed = np.linalg.norm(sampled.states[:, tree.links.positions :][:, ball.v], axis=1)
        turned = GROWTH * np.maximum(speed[1:], speed[:-1]) * np.diff(sampled.t)
        distance = _singularity_distance(ball, sampled.states)
        least = (distance[1:] + distance[:-1] - turned) / 2
        safe = turned <= FAR * least
        with np.errstate(divide="ignore", invalid="ignore"):
            wanted = np.where(least > 0, turned / (FAR * least), np.inf)
        parts = np.clip(np.ceil(np.minimum(wanted, MOST_PARTS)), 2, MOST_PARTS).astype(int)
        counts = np.maximum(counts, np.where(safe | (turned < close), 1, parts))
    starts, lengths = sampled.t[:-1], np.diff(sampled.t)
    return [a + h * np.arange(1, n) / n for a, h, n in zip(starts, lengths, counts, strict=True)]


def _refine(sampled: SampledMotion, inner: list[Array], between: StatesBetween) -> SampledMotion:
    """Add states at the times between rows; consecutive intervals are integrated as one."""
    t, states = [sampled.t[:1]], [sampled.states[:1]]
    for filled, group in itertools.groupby(range(len(inner)), lambda k: len(inner[k]) > 0):
        of_group = list(group)
        first, last = of_group[0], of_group[-1] + 1
        if filled:
            times_between = np.concatenate([inner[k] for k in of_group])
            reached = between(float(sampled.t[first]), sampled.states[first], times_between)
            times = np.concatenate([times_between, sampled.t[first + 1 : last + 1]])
            order = np.argsort(times, kind="stable")
            t.append(times[order])
            states.append(np.concatenate([reached, sampled.states[first + 1 : last + 1]])[order])
        else:
            t.append(sampled.t[first + 1 : last + 1])
            states.append(sampled.states[first + 1 : last + 1])
    places = np.concatenate([[0], np.cumsum([len(times) + 1 for times in inner])])
    return SampledMotion(np.concatenate(t), np.concatenate(states), places[sampled.rows])


def _singularity_distance(ball: LinkMotion, states: Array) -> Array:
    p, _, _ = joint_ball(ball, states[:, ball.q], states[:, :3], states[:, :3])
    return euler_apart(ball.euler, p)


def _follow_angles(tree: Tree, ball: LinkMotion, states: Array, close: float) -> tuple[Array, np.ndarray]:
    """Follow the angles of every state, and flag the states so close to the singular position that they fix no branch.

    A motion through that position keeps its first angle, and its middle angle changes sign.
    """
    given = tree.model.initial_joints.get(ball.joint)
    near = np.array(given.q[ball.first :][:3] if given and given.q else (0.0, 0.0, 0.0))
    p, _, _ = joint_ball(ball, states[:, ball.q], states[:, :3], states[:, :3])
    singular = euler_apart(ball.euler, p) < close
    out = np.empty((len(p), 3))
    out[~singular] = euler_along(ball.euler, p[~singular], near)
    for k in np.flatnonzero(singular):
        before = np.flatnonzero(~singular[:k])
        out[k] = euler_along(ball.euler, p[k : k + 1], out[before[-1]] if len(before) else near)[0]
    return out, singular
