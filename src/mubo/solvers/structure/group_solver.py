"""Newton's method on the groups of a loop system one by one, and the comparison of two solutions."""

from __future__ import annotations

import numpy as np

from mubo import _core
from mubo._core import Status
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.loops import Loops

SAME = 1e-6  # radians, or parts of the mechanism's size: answers that are closer are one
MOST_CORRECTIONS = 60
SEED = 1964
ROUND = 150  # starts per round and unknown
QUIET_ROUNDS = 2  # rounds without anything new that end the search
MOST_ROUNDS = 12


class GroupSolver:
    """The groups of a loop system at given values of the drivers. Angles are near those of `first`."""

    def __init__(self, loops: Loops, motion: Array, first: Array, tolerance: float, scale: float) -> None:
        self.loops, self.motion, self.first = loops, motion, first
        self.tolerance, self.scale = tolerance, scale
        self.angles = sum(name.startswith("angle") for name in loops.unknown_names)
        self._tied = self._geared()
        self._systems: dict[int, _core.LoopSystem] = {}

    def _geared(self) -> Array:
        """Angles in equations with other factors than ±1: there a whole revolution more is another position."""
        tied = np.zeros(len(self.loops.unknown_names), bool)
        for used, factors, _, _ in self.loops.linear:
            if any(abs(factor) != 1 for factor in factors):
                tied[used] = True
        return tied

    def refine(self, block: int, x: Array, values: Array) -> Array | None:
        """All unknowns with those of the group corrected from `values`; None where Newton's method does not converge
        nearby."""
        rows, unknowns = self.loops.blocks[block]
        guess = x.copy()
        guess[unknowns] = values
        status, _, _, _, state = self._upto(block).solve(
            guess, self.motion, self.tolerance, MOST_CORRECTIONS, self.scale
        )
        answer = state[0]
        if status != Status.done and not self._closed(rows, answer):
            return None
        near = self._near_first(answer, unknowns)
        return near if self._closed(rows, near) else answer

    def sign(self, block: int, x: Array) -> float:
        """Sign of det J of a group at a solved position."""
        solved = self._upto(block).solve(x, self.motion, self.tolerance, MOST_CORRECTIONS, self.scale)
        return float(solved[2][block])

    def solve_near(self, x: Array) -> Array | None:
        """A position up to whole revolutions as one that solves all groups; None where geared wheels forbid it."""
        near = self._near_first(x, list(range(self.angles)))
        status, _, _, _, state = self.loops.system.solve(
            near, self.motion, self.tolerance, MOST_CORRECTIONS, self.scale
        )
        return state[0] if status == Status.done and self.same(state[0], x) else None

    def same(self, a: Array, b: Array, limit: float = SAME, unknowns: list[int] | None = None) -> bool:
        """Whether two positions are equal: slides equal, angles equal up to whole revolutions."""
        which = np.arange(len(a)) if unknowns is None else np.array(unknowns)
        apart = (a - b)[which]
        turning = which < self.angles
        apart[turning] = np.remainder(apart[turning] + np.pi, 2 * np.pi) - np.pi
        return bool(np.all(np.abs(apart * self.loops.weight[which]) < limit))

    def turned_too_far(self, x: Array, unknowns: list[int]) -> bool:
        """Whether a geared wheel of the group is more than half a revolution from the first position."""
        return any(self._tied[u] and abs(x[u] - self.first[u]) > np.pi for u in unknowns if u < self.angles)

    def _near_first(self, x: Array, unknowns: list[int]) -> Array:
        """Angles within half a revolution of the first position, those of geared wheels excepted."""
        near = x.copy()
        for u in unknowns:
            if u < self.angles and not self._tied[u]:
                near[u] -= 2 * np.pi * np.round((x[u] - self.first[u]) / (2 * np.pi))
        return near

    def _closed(self, rows: list[int], x: Array) -> bool:
        """Whether the group's equations hold at x, though its rates have no solution: a limit position."""
        still = np.zeros_like(x)
        phi = self.loops.system.along(x, still, still, self.motion)[0]
        return bool(np.max(np.abs(phi[rows])) <= self.tolerance)

    def _upto(self, block: int) -> _core.LoopSystem:
        """The system that ends with the group: those after it need not be solvable."""
        if block not in self._systems:
            loops = self.loops
            slides = len(loops.unknown_names) - self.angles
            self._systems[block] = _core.LoopSystem(
                self.angles, slides, loops.polygons, loops.linear, loops.blocks[: block + 1], []
            )
        return self._systems[block]


@dataclass(frozen=True)
class GroupSearch:
    """Record of a search: its unknowns, the number of starts and of solutions."""

    unknowns: tuple[str, ...]
    starts: int
    found: int


def search_group_solutions(solver: GroupSolver, block: int, x: Array, reach: float) -> tuple[list[Array], int]:
    """Values of all unknowns with those of the group solved, and the number of starts.

    Starts are drawn evenly: angles within half a turn of those in `x`, slides within ± reach. The first start is `x`.
    """
    _, unknowns = solver.loops.blocks[block]
    half = np.where(np.array(unknowns) < solver.angles, np.pi, reach)
    middle = np.where(np.array(unknowns) < solver.angles, x[unknowns], 0.0)
    random = np.random.default_rng(SEED)
    found: list[Array] = []
    starts, quiet, rounds = 0, 0, 0
    while quiet < QUIET_ROUNDS and rounds < MOST_ROUNDS:
        before = len(found)
        guesses = middle + half * random.uniform(-1, 1, (ROUND * len(unknowns), len(unknowns)))
        for guess in guesses if rounds else [x[unknowns], *guesses]:
            answer = solver.refine(block, x, guess)
            if answer is None or solver.turned_too_far(answer, unknowns):
                continue
            if not any(solver.same(answer, other, unknowns=unknowns) for other in found):
                found.append(answer)
        starts += len(guesses)
        rounds += 1
        quiet = quiet + 1 if len(found) == before else 0
    return found, starts
