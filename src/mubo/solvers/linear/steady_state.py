"""Steady motion: coordinates at which nothing accelerates while drivers and some joints turn at constant rates, and
the check that M, C and K stay constant along it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.errors import SimulationError
from mubo.solvers.linear.matrices import LinearMatrices, linear_matrices, residual_force
from mubo.solvers.linear.reduced_coordinates import ReducedCoordinates

STEPS = 60
LONGEST = 0.3  # step in radians or sizes of the mechanism
BALANCED = 1e-10  # of the largest force
SAME = 1e-6  # of the largest entry: how far M, C and K may change along the motion
TURNED = 0.7  # radians between the two positions at which they are compared


def find_steady_motion(reduced: ReducedCoordinates) -> ReducedCoordinates:
    """Find the steady motion by Newton iterations on Wᵀ r = 0 with fixed rates of coordinates and drivers."""
    residual = _residual(reduced)
    for _ in range(STEPS):
        if residual <= BALANCED:
            return reduced
        K = linear_matrices(reduced).K * np.outer(reduced.sizes, reduced.sizes)
        step = np.asarray(np.linalg.lstsq(K, reduced.sizes * residual_force(reduced), rcond=1e-8)[0], float)
        step *= min(1.0, LONGEST / max(float(np.max(np.abs(step))), 1e-300))
        candidates = (
            (one, _residual(one)) for k in range(12) if (one := _displace(reduced, step * 0.5**k)) is not None
        )
        better = next((pair for pair in candidates if pair[1] < residual), None)
        if better is None:
            break
        reduced, residual = better
    if residual <= 1e3 * BALANCED:  # rounding stops it here
        return reduced
    name = reduced.coordinates[int(np.argmax(np.abs(reduced.sizes * residual_force(reduced))))].name
    raise SimulationError(
        f"no steady motion was found near the estimates: the loads accelerate {name} at these rates",
        names=[name],
        suggestion="Draw the mechanism nearer to the intended steady motion, or check the loads.",
    )


def _displace(reduced: ReducedCoordinates, step: Array) -> ReducedCoordinates | None:
    reached = reduced.place.problem.close(reduced.displaced(step * reduced.sizes))
    return replace(reduced, q=reached.q) if reached.gap <= reduced.problem.tolerance else None


def _residual(reduced: ReducedCoordinates) -> float:
    """The residual force on the coordinates, relative to the largest force."""
    none = np.zeros((1, reduced.count))
    wrench = reduced.unbalanced_wrenches(reduced.states(reduced.q[None], reduced.rates[None], none))[0]
    largest = float(np.max(np.abs(wrench / reduced.problem.weight), initial=0.0))
    return float(np.linalg.norm(reduced.sizes * (reduced.basis @ wrench))) / max(largest, 1e-300)


def require_steady(matrices: LinearMatrices) -> None:
    """Refuse a motion whose M, C or K change along it: it is not steady."""
    reduced = matrices.reduced
    fastest = float(np.max(np.abs(reduced.twist * reduced.problem.weight), initial=0.0))
    if not fastest:
        return
    later = linear_matrices(_later(reduced, TURNED / fastest))
    residual = _residual(later.reduced)
    scale = np.outer(reduced.sizes, reduced.sizes)
    for name, before, after in (("M", matrices.M, later.M), ("C", matrices.C, later.C), ("K", matrices.K, later.K)):
        away, largest = np.abs((after - before) * scale), np.max(np.abs(before * scale), initial=1e-300)
        if np.max(away, initial=0.0) > SAME * largest or residual > SAME:
            what = reduced.coordinates[int(np.argmax(np.max(away, axis=0)))].name
            raise SimulationError(
                f"this motion is not steady: {name} of its linearised motion changes as it turns, first along {what}",
                names=[what],
                suggestion="Linearise about a position instead, or simulate: a periodic motion has no constant natural "
                "frequencies.",
            )


def _later(reduced: ReducedCoordinates, time: float, parts: int = 4) -> ReducedCoordinates:
    """Return the motion after some time, in short steps that are each closed and corrected to y + ẏ t."""
    start = reduced
    for k in range(1, parts + 1):
        passed = time * k / parts
        motion = start.problem.form.motion(np.array([start.problem.time + passed]))[0]
        problem = replace(start.problem, motion=motion, time=start.problem.time + passed)
        moved = reduced.problem.displace(reduced.q, reduced.twist * time / parts)
        reduced = replace(reduced, problem=problem)
        reduced = replace(reduced, q=reduced.place.problem.close(moved).q)
        for _ in range(1 if k < parts else 4):
            off = start.values + start.rates * passed - reduced.values
            turns = np.array([one.holds == "angle" for one in reduced.coordinates])
            off = np.where(turns, np.remainder(off + np.pi, 2 * np.pi) - np.pi, off)
            reduced = replace(reduced, q=reduced.place.problem.close(reduced.displaced(off)).q)
    return reduced
