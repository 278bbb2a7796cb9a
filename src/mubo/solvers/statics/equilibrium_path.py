"""Path of a mechanism of one degree of freedom through all its positions: every equilibrium on it is a sign change.

The parameter of the path is its length, not a coordinate, so that it continues through dead centres; it ends where it
returns to its start.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.solvers.statics.equilibrium import (
    BALANCED,
    nearest_equilibrium,
    reduced_force_norm,
    refine_equilibrium,
)
from mubo.solvers.statics.static_problem import StaticProblem
from mubo.solvers.statics.static_state import StaticState

STEP = 0.05  # radians, or sizes of the mechanism, of the body that moves most
SHORTEST = 1e-7
FARTHEST = 40.0  # in each direction, of a path that does not close
BISECTIONS = 60
NEARLY = 1e-6  # of the largest force: residual of an equilibrium before its refinement


@dataclass(frozen=True, eq=False)
class EquilibriumPath:
    """Positions along the path, the force along it at each (positive forwards), and whether it is closed."""

    problem: StaticProblem
    positions: Array
    tangents: Array  # scaled displacements, the largest one
    closed: bool
    start: Array  # position from which it was traced

    @cached_property
    def forces(self) -> Array:
        """Force along the path at every position, and below it the largest of all forces there."""
        every = self.problem.forces(self.positions) / self.problem.weight
        return np.stack([np.sum(every * self.tangents, axis=1), np.max(np.abs(every), axis=1)])

    @property
    def balanced(self) -> bool:
        """Whether the mechanism is in equilibrium everywhere on this path."""
        force, scale = self.forces
        return bool(np.all(np.abs(force) <= BALANCED * scale))

    def contains(self, q: Array) -> bool:
        """Whether a position lies on the path."""
        return self.problem.distance(q, self.positions) < 1.5 * STEP


def trace_path(state: StaticState) -> EquilibriumPath:
    """Trace the whole path through a position: forwards until it closes, else backwards too."""
    first = _tangent(state, None)
    ahead, closed = _trace_one_direction(state, first)
    behind: list[tuple[Array, Array]] = []
    if not closed:
        behind, _ = _trace_one_direction(state, -first)
    line = [(q, -t) for q, t in reversed(behind)] + [(state.q, first)] + ahead
    return EquilibriumPath(
        state.problem, np.array([q for q, _ in line]), np.array([t for _, t in line]), closed, state.q
    )


def _trace_one_direction(start: StaticState, direction: Array) -> tuple[list[tuple[Array, Array]], bool]:
    state, tangent, step, length = start, direction, STEP, 0.0
    out: list[tuple[Array, Array]] = []
    while length < FARTHEST:
        reached = state.step(step * tangent)
        after = None if reached is None else _tangent(reached, tangent)
        if reached is None or after is None or not _is_on_path(state, reached, tangent, after, step):
            step /= 2
            if step < SHORTEST:
                break
            continue
        state, tangent, length = reached, after, length + step
        out.append((state.q, tangent))
        step = min(1.5 * step, STEP)
        if length > 2 * STEP and _is_closed(start, direction, state, tangent):
            return out, True
    return out, False


def _tangent(state: StaticState, before: Array | None) -> Array:
    """Free motion with largest displacement one; at a change point the one that continues."""
    if before is None:
        line = state.free[-1]
    else:
        free = state.free if len(state.free) else np.zeros((1, len(before)))
        line = free.T @ (free @ before)
    largest = float(np.max(np.abs(line), initial=0.0))
    return np.asarray(line / largest) if largest > 0 else line


def _is_on_path(one: StaticState, two: StaticState, before: Array, after: Array, step: float) -> bool:
    """Whether a step stayed on the path: the tangent turned little, and the correction was short relative to it."""
    along = float(before @ after) / float(np.linalg.norm(before) * np.linalg.norm(after) or 1.0)
    step_made = one.problem.difference(one.q, two.q) * one.problem.weight
    return along > 0.95 and float(np.max(np.abs(step_made - step * before))) < 0.5 * step


def _is_closed(start: StaticState, direction: Array, state: StaticState, tangent: Array) -> bool:
    """Whether the path has returned to its start, under the same loads: a torsion spring counts revolutions."""
    away = start.problem.difference(start.q, state.q) * start.problem.weight
    if not float(np.max(np.abs(away))) < STEP or not float(tangent @ direction) > 0 or not float(away @ direction) >= 0:
        return False
    here = start.problem.forces(np.array([start.q, start.problem.displace(state.q, -away / start.problem.weight)]))
    return bool(np.max(np.abs(here[0] - here[1])) <= 1e-6 * np.max(np.abs(here), initial=1e-300))


def equilibria_on(curve: EquilibriumPath) -> tuple[list[StaticState], list[StaticState]]:
    """Return every equilibrium on the path, and the positions where the force jumps through zero."""
    found: list[StaticState] = []
    jumps: list[StaticState] = []
    force, _ = curve.forces
    if curve.balanced:
        return [StaticState(curve.problem, curve.start)], []
    for k in _sign_changes(force, curve.closed):
        after = (k + 1) % len(force)
        state = _find_root(curve, k, after)
        if reduced_force_norm(state) <= NEARLY * state.scale:
            found.append(refine_equilibrium(state))
        else:
            jumps.append(state)
    for k in _near_tangencies(force):
        touched = nearest_equilibrium(StaticState(curve.problem, curve.positions[k]))
        if touched is not None:
            found.append(touched)
    return found, jumps


def _sign_changes(force: Array, closed: bool) -> Iterator[int]:
    """Positions after which the force changes its sign."""
    last = len(force) if closed else len(force) - 1
    yield from (k for k in range(last) if (force[k] > 0) != (force[(k + 1) % len(force)] > 0))


def _near_tangencies(force: Array) -> Iterator[int]:
    """Positions at which the force is least without a change of sign, and might touch zero nearby."""
    for k in range(1, len(force) - 1):
        a, b, c = force[k - 1 : k + 2] * np.sign(force[k])
        bend = a - 2 * b + c
        if 0 < b <= min(a, c) and bend > 0 and b - (a - c) ** 2 / (8 * bend) < 0.5 * bend:
            yield k


def _find_root(curve: EquilibriumPath, before: int, after: int) -> StaticState:
    """Root of the force between two positions (regula falsi, Illinois rule)."""
    problem, q = curve.problem, curve.positions[before]
    chord = problem.difference(q, curve.positions[after])
    tangent = curve.tangents[before]

    def at(part: float) -> tuple[StaticState, float]:
        state = StaticState(problem, problem.close(problem.displace(q, part * chord)).q)
        return state, float(_tangent(state, tangent) @ state.force)

    (low, f), (high, g) = ((0.0, at(0.0)[1]), (1.0, at(1.0)[1]))
    state, side = StaticState(problem, q), 0
    for _ in range(BISECTIONS):
        part = (low * g - high * f) / (g - f) if g != f else (low + high) / 2
        state, force = at(part)
        if abs(force) <= BALANCED * state.scale or high - low < 1e-14:
            break
        if (force > 0) == (g > 0):
            high, g, f, side = part, force, f / 2 if side > 0 else f, 1
        else:
            low, f, g, side = part, force, g / 2 if side < 0 else g, -1
    return state
