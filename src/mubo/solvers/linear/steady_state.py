"""A steady motion: the coordinates at which nothing accelerates while the drivers and some joints turn at constant
rates, and the proof that it stays so as they turn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.errors import SimulationError
from mubo.solvers.linear.matrices import Reduced, reduced, unbalanced
from mubo.solvers.linear.reduced_coordinates import Vicinity

STEPS = 60
LONGEST = 0.3  # step, in radians or sizes of the mechanism
BALANCED = 1e-10  # of the largest force
SAME = 1e-6  # of the largest entry: how far M, C and K may change along the motion
TURNED = 0.7  # radians between the two places at which they are compared


def steady_from(near: Vicinity) -> Vicinity:
    """The steady motion that Newton's steps on Wᵀ r = 0 reach; rates of coordinates and drivers stay."""
    left = _left(near)
    for _ in range(STEPS):
        if left <= BALANCED:
            return near
        K = reduced(near).K * np.outer(near.sizes, near.sizes)
        step = np.asarray(np.linalg.lstsq(K, near.sizes * unbalanced(near), rcond=1e-8)[0], float)
        step *= min(1.0, LONGEST / max(float(np.max(np.abs(step))), 1e-300))
        tried = ((one, _left(one)) for k in range(12) if (one := _moved(near, step * 0.5**k)) is not None)
        better = next((pair for pair in tried if pair[1] < left), None)
        if better is None:
            break
        near, left = better
    if left <= 1e3 * BALANCED:  # rounding stops it here
        return near
    name = near.coordinates[int(np.argmax(np.abs(near.sizes * unbalanced(near))))].name
    raise SimulationError(
        f"no steady motion was found near the estimates: the loads accelerate {name} at these rates",
        names=[name],
        suggestion="Draw the mechanism nearer to the steady motion that is meant, or look at the loads.",
    )


def _moved(near: Vicinity, step: Array) -> Vicinity | None:
    reached = near.rest.closed(near.beside(step * near.sizes))
    return replace(near, q=reached.q) if reached.gap <= near.rest.tolerance else None


def _left(near: Vicinity) -> float:
    """The residual force on the coordinates, relative to the largest force."""
    none = np.zeros((1, near.count))
    demand = near.demands(near.states(near.q[None], near.rates[None], none))[0]
    largest = float(np.max(np.abs(demand / near.rest.weight), initial=0.0))
    return float(np.linalg.norm(near.sizes * (near.basis @ demand))) / max(largest, 1e-300)


def require_steady(found: Reduced) -> None:
    """Refuses a motion whose M, C or K change as it goes on: it is not steady."""
    near = found.near
    fastest = float(np.max(np.abs(near.twist * near.rest.weight), initial=0.0))
    if not fastest:
        return
    later = reduced(_later(near, TURNED / fastest))
    left = _left(later.near)
    scale = np.outer(near.sizes, near.sizes)
    for name, before, after in (("M", found.M, later.M), ("C", found.C, later.C), ("K", found.K, later.K)):
        away, largest = np.abs((after - before) * scale), np.max(np.abs(before * scale), initial=1e-300)
        if np.max(away, initial=0.0) > SAME * largest or left > SAME:
            what = near.coordinates[int(np.argmax(np.max(away, axis=0)))].name
            raise SimulationError(
                f"this motion is not steady: {name} of its small motions changes as it turns, first along {what}",
                names=[what],
                suggestion="Linearise about a position instead, or simulate: small motions about a motion that repeats "
                "have no constant frequencies.",
            )


def _later(near: Vicinity, time: float, parts: int = 4) -> Vicinity:
    """The motion after some time: followed in short parts, each closed again and brought back to y + ẏ t."""
    start = near
    for k in range(1, parts + 1):
        passed = time * k / parts
        motion = start.rest.form.motion(np.array([start.rest.time + passed]))[0]
        rest = replace(start.rest, motion=motion, time=start.rest.time + passed)
        near = replace(near, rest=rest, q=rest.closed(near.rest.moved(near.q, near.twist * time / parts)).q)
        for _ in range(1 if k < parts else 4):
            off = start.values + start.rates * passed - near.values
            turns = np.array([one.holds == "angle" for one in near.coordinates])
            off = np.where(turns, np.remainder(off + np.pi, 2 * np.pi) - np.pi, off)
            near = replace(near, q=rest.closed(near.beside(off)).q)
    return near
