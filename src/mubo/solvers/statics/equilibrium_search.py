"""Search for all equilibria.

One degree of freedom: every way that a start lies on is walked to its end, and every change of sign of the force along
it is an equilibrium. More degrees of freedom: from every start downhill, and by Newton to the nearest one."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mubo.arrays import Array
from mubo.solvers.statics.equilibrium import Equilibrium
from mubo.solvers.statics.equilibrium_path import EquilibriumPath, equilibria_on, trace_path
from mubo.solvers.statics.equilibrium_solver import descend_to_equilibrium, is_balanced, nearest_equilibrium
from mubo.solvers.statics.search_starts import closed_starts
from mubo.solvers.statics.static_problem import StaticProblem
from mubo.solvers.statics.static_state import StaticState

SAME = 1e-6  # radians or sizes of the mechanism: nearer equilibria are one
LEVEL = 1e-7  # of the largest force times the size of the mechanism: potentials that differ less are one
STARTS = 40  # of few DOFs
FEW = 12  # DOFs: of more, the search from one start takes so long that there are fewer starts, LEAST of them
LEAST = 4
PATIENCE = 16  # starts that find nothing, after which no more are tried unless they were asked for


@dataclass
class EquilibriumSearch:
    """Record of a search for equilibria: its starts and its results."""

    rest: StaticProblem
    starts: int = 0  # that closed
    ways: list[EquilibriumPath] = field(default_factory=list)  # walked, of a mechanism of one DOF
    found: list[Equilibrium] = field(default_factory=list)
    jumps: list[StaticState] = field(default_factory=list)  # where the force along a way jumps over zero
    everywhere: bool = False  # every position that was tried is in equilibrium
    singular: int = 0  # equilibria at singular positions
    dofs: int = 0

    def add(self, spot: StaticState) -> None:
        """Keep an equilibrium that is new, with its revolutions as drawn where the loads do not count them."""
        new = Equilibrium(_near_estimates(spot))
        if len(spot.free) != self.dofs:
            self.singular += 1
        elif not any(self._same(new, one) for one in self.found):
            self.found.append(new)

    def _same(self, one: Equilibrium, two: Equilibrium) -> bool:
        """Whether two equilibria are equal, or of one family of neutral equilibria, which have one potential."""
        if self.rest.apart(one.spot.q, two.spot.q) <= SAME:
            return True
        if not (one.neutral and one.neutral == two.neutral and one.unstable == two.unstable):
            return False
        if one.potential is None or two.potential is None:
            return True
        return abs(one.potential - two.potential) <= LEVEL * max(one.spot.scale, two.spot.scale)


def search_equilibria(rest: StaticProblem, first: Array, starts: int | None = None) -> EquilibriumSearch:
    """All equilibria that are found from the first position and from `starts` others, the nearest to it first."""
    out = EquilibriumSearch(rest, dofs=len(StaticState(rest, first).free))
    fruitless = PATIENCE if starts is None else starts + 1
    if starts is None:
        starts = max(LEAST, int(STARTS * min(1.0, FEW / out.dofs) ** 2))
    if out.dofs == 1:
        _search_along_paths(out, first, starts)
    else:
        _search_from_starts(out, first, starts, fruitless)
    out.found.sort(key=lambda one: rest.apart(first, one.spot.q))
    return out


def _search_along_paths(out: EquilibriumSearch, first: Array, starts: int) -> None:
    for spot in closed_starts(out.rest, first, starts):
        out.starts += 1
        if len(spot.free) != 1 or any(way.meets(spot.q) for way in out.ways):
            continue
        way = trace_path(spot)
        out.ways.append(way)
        found, jumps = equilibria_on(way)
        for one in found:
            out.add(one)
        out.jumps += jumps
    out.everywhere = all(way.balanced for way in out.ways)


def _search_from_starts(out: EquilibriumSearch, first: Array, starts: int, fruitless: int) -> None:
    """Search from all starts, unless `fruitless` of them in turn find nothing."""
    out.everywhere = True
    for spot in closed_starts(out.rest, first, starts):
        out.starts += 1
        if not np.all(np.isfinite(spot.force)):
            continue
        still = is_balanced(spot)
        out.everywhere &= still
        for reached in (spot,) if still else (descend_to_equilibrium(spot), nearest_equilibrium(spot)):
            if reached is not None:
                out.add(reached)
        if out.starts >= fruitless and not out.found:
            return


def _near_estimates(spot: StaticState) -> StaticState:
    """Bodies within half a revolution of their estimates, unless the loads count revolutions."""
    rest = spot.rest
    if rest.form.mechanism.dimension == 3:
        return spot
    q = spot.q.copy().reshape(-1, 3)
    q[:, 2] -= 2 * np.pi * np.round((q[:, 2] - rest.form.estimate.reshape(-1, 3)[:, 2]) / (2 * np.pi))
    there = rest.closed(q.ravel())
    if there.gap > rest.tolerance or rest.apart(there.q, spot.q) > SAME or np.allclose(q.ravel(), spot.q):
        return spot
    other = StaticState(rest, there.q)
    return other if np.allclose(other.force, spot.force, rtol=0, atol=1e-9 * spot.scale) else spot
