"""Euler angles along a motion, without jumps.

A quaternion has many triples of angles: two per turn, and full turns. Between two rows the right one is found by going
there in steps so short that no angle changes by more than a part of a radian; where rows are too far apart, the motion
between them is integrated again with more rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo import _core
from mubo.arrays import Array
from mubo.mechanism.forms.ball import euler_rates, joint_ball
from mubo.mechanism.forms.links import LinkMotion
from mubo.mechanism.forms.tree import Tree
from mubo.model.rotation import euler_along
from mubo.studies.dynamics.integrate import ENERGY_FREE, SLICE
from mubo.studies.dynamics.settings import SimulationSettings

FAR = 0.5  # radians: a change between two rows above which rows are put between them
MOST_PARTS = 64
MOST_ROUNDS = 5  # a motion through the singular position itself is not resolved by any number


def euler_angles(tree: Tree, t: Array, states: Array, settings: SimulationSettings) -> dict[str, Array]:
    """The Euler angles of every joint that has them: (rows, 3), in radians."""
    balls = [motion for motion in tree.links.motions if motion.kind == "ball" and motion.euler]
    if not balls:
        return {}
    rows: Any = np.arange(len(t))
    for rounds in range(MOST_ROUNDS + 1):
        triples = {motion.joint: _angles(tree, motion, states) for motion in balls}
        way = np.max([_way(tree, motion, t, states, triples[motion.joint]) for motion in balls], axis=0)
        if rounds == MOST_ROUNDS or not np.any(way > FAR):
            break
        t, states, rows = _refined(tree, t, states, rows, way, settings)
    return {joint: angles[rows] for joint, angles in triples.items()}


def _angles(tree: Tree, motion: LinkMotion, states: Array) -> Array:
    given = tree.model.initial.get(motion.joint)
    near = given.q[motion.first :] if given and given.q else (0.0, 0.0, 0.0)
    p, _, _ = joint_ball(motion, states[:, motion.q], states[:, :3], states[:, :3])
    return euler_along(motion.euler, p, np.array(near))


def _way(tree: Tree, motion: LinkMotion, t: Array, states: Array, angles: Array) -> Array:
    """Per interval the largest change of an angle, seen or expected from its rates at both ends."""
    omega = states[:, tree.links.positions :][:, motion.v]
    _, own, _ = joint_ball(motion, states[:, motion.q], omega, omega)
    rates = np.nan_to_num(np.max(np.abs(euler_rates(motion.euler, angles, own, own)[0]), axis=1), nan=np.inf)
    seen = np.max(np.abs(np.diff(angles, axis=0)), axis=1)
    return np.asarray(np.maximum(seen, np.diff(t) * np.maximum(rates[1:], rates[:-1])))


def _refined(
    tree: Tree, t: Array, states: Array, rows: Any, way: Array, settings: SimulationSettings
) -> tuple[Array, Array, Any]:
    """More rows where angles move far, and where the given rows stand among them."""
    parts = np.where(way > FAR, np.clip(np.ceil(1.5 * np.minimum(way, 1e3) / FAR), 2, MOST_PARTS), 1).astype(int)
    new_t, new_states = [t[:1]], [states[:1]]
    for k, count in enumerate(parts):
        if count > 1:
            times = t[k] + (t[k + 1] - t[k]) * np.arange(1, count) / count
            new_t.append(times)
            new_states.append(_states_at(tree, float(t[k]), times, states[k], settings))
        new_t.append(t[k + 1 : k + 2])
        new_states.append(states[k + 1 : k + 2])
    places = np.concatenate([[0], np.cumsum(parts)])
    return np.concatenate(new_t), np.concatenate(new_states), places[rows]


def _states_at(tree: Tree, start: float, times: Array, state: Array, settings: SimulationSettings) -> Array:
    atol = np.full(len(state), settings.atol)
    atol[-2:] = ENERGY_FREE
    end = float(times[-1])
    run = _core.TreeRun(
        tree.system,
        start,
        end,
        state,
        times,
        settings.rtol,
        atol,
        0.0,
        end - start,
        settings.max_steps,
        np.zeros(0),
        [],
        settings.user,
    )
    while run.advance(SLICE) == _core.Status.running:
        pass
    return np.asarray(run.states())
