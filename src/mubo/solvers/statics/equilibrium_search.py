"""Search for all equilibria.

One degree of freedom: the path through every start is traced to its end, and every change of sign of the force along it
is an equilibrium. More degrees of freedom: from every start by descent, and by Newton's method to the nearest one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

import numpy as np

from mubo.arrays import Array
from mubo.elements import loads_of
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.note import Note
from mubo.solvers.assembly.assemble import reversed_joints
from mubo.solvers.statics.equilibrium import Equilibrium, descend_to_equilibrium, is_balanced, nearest_equilibrium
from mubo.solvers.statics.equilibrium_path import EquilibriumPath, equilibria_on, trace_path
from mubo.solvers.statics.static_problem import StaticProblem
from mubo.solvers.statics.static_state import StaticState

SAME = 1e-6  # radians or sizes of the mechanism: equilibria closer than that are equal
LEVEL = 1e-7  # of the largest force times the size of the mechanism: potentials that differ less are equal
STARTS = 40  # number of starts for few DOFs
FEW = 4  # DOFs: with more, a search takes so long that there are fewer starts, from 25 on that of the drawing alone
PATIENCE = 16  # starts without a result, after which the search stops unless the number of starts was given
STRIDES, STRIDE = 8, 0.6  # of a random walk to another start: number, and displacement of the body that moves most
REACH = 1.0  # distance of bodies from their estimates, in sizes of the mechanism


@dataclass
class EquilibriumSearch:
    """Record of a search for equilibria: its starts and its results."""

    problem: StaticProblem
    starts: int = 0  # number of starts that closed
    paths: list[EquilibriumPath] = field(default_factory=list)  # of a mechanism of one DOF
    equilibria: list[Equilibrium] = field(default_factory=list)
    jumps: list[StaticState] = field(default_factory=list)  # positions where the force along a path jumps through zero
    everywhere: bool = False  # every position that was tried is in equilibrium
    singular: int = 0  # equilibria at singular positions
    dofs: int = 0
    revolutions: list[int] = field(default_factory=list)  # of each equilibrium, from the position drawn
    outside: tuple[Note, ...] = ()  # on equilibria that are left out, because they are outside the ranges asked for

    def add(self, state: StaticState) -> None:
        """Keep an equilibrium that is new, with its revolutions as drawn where the loads do not count them."""
        new = Equilibrium(_near_estimates(state))
        if len(state.free) != self.dofs:
            self.singular += 1
        elif not any(self._same(new, one) for one in self.equilibria):
            self.equilibria.append(new)

    def path_of(self, one: Equilibrium) -> int:
        """Number of the path through an equilibrium, 1 for that of the position drawn; 0 where none was traced."""
        return next((k for k, path in enumerate(self.paths, 1) if path.contains(one.state.q)), 0)

    def within_revolutions(self, most: int) -> EquilibriumSearch:
        """The equilibria within `most` whole revolutions of the position drawn, or the nearest ones where none is, and
        a note on the others."""
        most = max(most, min(self.revolutions, default=0))
        kept = [one for one, count in zip(self.equilibria, self.revolutions, strict=True) if count <= most]
        left = len(self.equilibria) - len(kept)
        beyond = [count for count in self.revolutions if count > most]
        notes = (Note("statics.more_revolutions", count=left, turns=min(beyond)),) if left else ()
        return replace(self, equilibria=kept, revolutions=self.revolutions[: len(kept)], outside=notes)

    def _same(self, one: Equilibrium, two: Equilibrium) -> bool:
        """Whether two equilibria are equal, or of one family of neutral equilibria, which have one potential."""
        if self.problem.distance(one.state.q, two.state.q) <= SAME:
            return True
        if not (one.neutral and one.neutral == two.neutral and one.unstable == two.unstable):
            return False
        if one.potential is None or two.potential is None:
            return True
        return abs(one.potential - two.potential) <= LEVEL * max(one.state.scale, two.state.scale)


def search_equilibria(problem: StaticProblem, first: Array, starts: int | None = None) -> EquilibriumSearch:
    """Search equilibria from the first position and from `starts` others; sort them by revolutions and distance from
    it."""
    _refuse_films(problem)
    out = EquilibriumSearch(problem, dofs=len(StaticState(problem, first).free))
    fruitless = PATIENCE if starts is None else starts + 1
    if starts is None:
        starts = int(STARTS * min(1.0, FEW / out.dofs) ** 2)
    if out.dofs == 1:
        _search_along_paths(out, first, starts)
    else:
        _search_from_starts(out, first, starts, fruitless)
    away = {id(one): _displacement(first, one.state) for one in out.equilibria}
    out.equilibria.sort(key=lambda one: away[id(one)])
    out.revolutions = [away[id(one)][0] for one in out.equilibria]
    return out


def _refuse_films(problem: StaticProblem) -> None:
    """Refuses loads that hold nothing at rest."""
    model = problem.form.model
    names = [name for name, f in model.forces.items() if loads_of(model.dimension)[f.kind].formula.bears_by_motion]
    if names:
        raise ModelError(
            f"no equilibrium was found: force {names[0]} holds nothing at rest, for its film bears by motion alone",
            names=names[:1],
            suggestion="Use simulate until the journal has settled, or pin the journal.",
        )


def _displacement(first: Array, state: StaticState) -> tuple[int, float]:
    """Whole revolutions between a position and the first one, and the largest displacement of a body.

    They count in the plane, where the loads count them; a body within half a revolution has made none.
    """
    problem, q = state.problem, state.q
    if problem.form.mechanism.dimension == 3:
        return 0, problem.distance(first, q)
    turns = np.round((q - first)[2::3] / (2 * np.pi))
    other = _unwound(state, turns) if np.any(turns) else None
    if other is not None:
        q, turns = other.q, np.zeros(1)
    return int(np.max(np.abs(turns), initial=0.0)), float(np.max(np.abs((q - first) * problem.weight)))


def _search_along_paths(out: EquilibriumSearch, first: Array, starts: int) -> None:
    for state in closed_starts(out.problem, first, starts):
        out.starts += 1
        if len(state.free) != 1 or any(path.contains(state.q) for path in out.paths):
            continue
        path = trace_path(state)
        out.paths.append(path)
        found, jumps = equilibria_on(path)
        for one in found:
            out.add(one)
        out.jumps += jumps
    out.everywhere = all(path.balanced for path in out.paths)


def _search_from_starts(out: EquilibriumSearch, first: Array, starts: int, fruitless: int) -> None:
    """Search from all starts, unless `fruitless` of them in turn find nothing."""
    out.everywhere = True
    for state in closed_starts(out.problem, first, starts):
        out.starts += 1
        if not np.all(np.isfinite(state.force)):
            continue
        still = is_balanced(state)
        out.everywhere &= still
        for reached in (state,) if still else (descend_to_equilibrium(state), nearest_equilibrium(state)):
            if reached is not None:
                out.add(reached)
        if out.starts >= fruitless and not out.equilibria:
            return


def _near_estimates(state: StaticState) -> StaticState:
    """Bodies within half a revolution of their estimates, all together or one by one, unless the loads count
    revolutions."""
    problem = state.problem
    if problem.form.mechanism.dimension == 3:
        return state
    turns = np.round((state.q - problem.form.estimate)[2::3] / (2 * np.pi))
    if not np.any(turns):
        return state
    for bodies in (turns, *(np.where(np.arange(len(turns)) == k, turns, 0.0) for k in np.flatnonzero(turns))):
        other = _unwound(state, bodies)
        if other is not None and bodies is turns:
            return other
        state = state if other is None else other
    return state


def _unwound(state: StaticState, turns: Array) -> StaticState | None:
    """The position with whole turns taken off; None where that changes the position or the loads."""
    problem, q = state.problem, state.q.copy()
    q[2::3] -= 2 * np.pi * turns
    there = problem.close(q)
    if there.gap > problem.tolerance or problem.distance(there.q, state.q) > SAME:
        return None
    other = StaticState(problem, there.q)
    return other if np.allclose(other.force, state.force, rtol=0, atol=1e-9 * state.scale) else None


def closed_starts(problem: StaticProblem, first: Array, count: int) -> Iterator[StaticState]:
    """The first position and `count` others, each assembled from a spread position; where it does not close there, the
    end of a random walk from the first."""
    yield StaticState(problem, first)
    random = np.random.default_rng(0)  # a fixed seed, for the same result every time
    for q in spread_positions(problem, count):
        reached = problem.close(q)
        if reached.gap <= problem.tolerance and not reversed_joints(problem.form, reached.q):
            yield StaticState(problem, reached.q)
        else:
            yield random_walk(StaticState(problem, first), random)


def random_walk(state: StaticState, random: np.random.Generator) -> StaticState:
    """Return the end of a random walk through positions that close."""
    for _ in range(STRIDES):
        line = random.standard_normal(len(state.free)) @ state.free
        reached = state.step(STRIDE * line / np.max(np.abs(line), initial=1e-300))
        state = state if reached is None else reached
    return state


def spread_positions(problem: StaticProblem, count: int) -> Iterator[Array]:
    """Positions of all bodies: places within reach of the estimates, any orientation, always the same ones."""
    form, dimension = problem.form, problem.form.mechanism.dimension
    bodies, width = len(form.free), len(form.mechanism.ambient.wrench)
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
