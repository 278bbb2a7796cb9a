"""Positions to search from: the estimates, then positions spread evenly over the possible poses of the bodies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.arrays import Array
from mubo.solvers.assembly.axis_orientation import reversed_joints
from mubo.solvers.statics.static_problem import StaticProblem
from mubo.solvers.statics.static_state import StaticState

STRIDES, STRIDE = 8, 0.6  # of a way to another start: how many, and how far the body goes that moves most
REACH = 1.0  # how far bodies are put from their estimates, in sizes of the mechanism


def closed_starts(rest: StaticProblem, first: Array, count: int) -> Iterator[StaticState]:
    """The first position and `count` others, each assembled from a spread position; where it does not close there, the
    end of a random walk from the first."""
    yield StaticState(rest, first)
    anyhow = np.random.default_rng(0)  # the same ones for the same answer
    for q in spread_positions(rest, count):
        reached = rest.closed(q)
        if reached.gap <= rest.tolerance and not reversed_joints(rest.form, reached.q):
            yield StaticState(rest, reached.q)
        else:
            yield random_walk(StaticState(rest, first), anyhow)


def random_walk(spot: StaticState, anyhow: np.random.Generator) -> StaticState:
    """The end of a path in random directions through positions that close."""
    for _ in range(STRIDES):
        line = anyhow.standard_normal(len(spot.free)) @ spot.free
        reached = spot.stepped(STRIDE * line / np.max(np.abs(line), initial=1e-300))
        spot = spot if reached is None else reached
    return spot


def spread_positions(rest: StaticProblem, count: int) -> Iterator[Array]:
    """Positions of all bodies: places within reach of the estimates, any orientation, always the same ones."""
    form, dimension = rest.form, rest.form.mechanism.dimension
    bodies, width = len(form.free), 3 if dimension == 2 else 6
    reach = REACH * form.mechanism.size
    drawn = form.estimate.reshape(bodies, form.width)
    for line in _kronecker_points(count, bodies * width):
        numbers = line.reshape(bodies, width)
        places = drawn[:, :dimension] + reach * (2 * numbers[:, :dimension] - 1)
        turns = (
            drawn[:, 2:] + 2 * np.pi * (numbers[:, 2:] - 0.5)
            if dimension == 2
            else _uniform_rotations(numbers[:, dimension:])
        )
        yield np.concatenate([places, turns], 1).ravel()


def _kronecker_points(count: int, dimension: int) -> Array:
    """Points of the unit cube, evenly spread: x_k = k α mod 1 with α_j = φ⁻ʲ, φ the root of φ^(d+1) = φ + 1 (a
    Kronecker sequence; for d = 1 φ is the golden section)."""
    root = 2.0
    for _ in range(60):
        root = (1 + root) ** (1 / (dimension + 1))
    steps = root ** -np.arange(1.0, dimension + 1)
    return np.remainder(0.5 + np.arange(1, count + 1)[:, None] * steps, 1.0)


def _uniform_rotations(numbers: Array) -> Array:
    """Unit quaternions from three numbers between 0 and 1 each, evenly spread (Shoemake, Graphics Gems III, 1992)."""
    a, b, c = numbers[:, 0], 2 * np.pi * numbers[:, 1], 2 * np.pi * numbers[:, 2]
    less, more = np.sqrt(1 - a), np.sqrt(a)
    return np.stack([more * np.cos(c), less * np.sin(b), less * np.cos(b), more * np.sin(c)], 1)
