"""Solutions of a larger group of loop equations by Newton's method from many starts: a search, which may miss some."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.solvers.structure.group_solver import GroupSolver

SEED = 1964
ROUND = 150  # starts per round and unknown
QUIET_ROUNDS = 2  # rounds without anything new that end the search
MOST_ROUNDS = 12


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
            answer = solver.polished(block, x, guess)
            if answer is None or solver.turned_too_far(answer, unknowns):
                continue
            if not any(solver.same(answer, other, unknowns=unknowns) for other in found):
                found.append(answer)
        starts += len(guesses)
        rounds += 1
        quiet = quiet + 1 if len(found) == before else 0
    return found, starts
