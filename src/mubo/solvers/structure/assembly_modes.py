"""Assembly modes: all positions of the links at one value of the drivers, found group by group."""

from __future__ import annotations

import math
from dataclasses import field

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.loops import Loops
from mubo.solvers.structure.dyads import UndeterminedGroup, group_solutions, has_closed_form
from mubo.solvers.structure.group_solver import GroupSearch, GroupSolver, search_group_solutions
from mubo.solvers.structure.mode_problem import ModeProblem

MOST_MODES = 256


@dataclass(frozen=True)
class AssemblyMode:
    """One assembly mode: the unknowns of the loops, and the solution number of each group, from 1."""

    x: Array
    choice: tuple[int, ...]


@dataclass
class AssemblyModes:
    """All assembly modes of a model at its start. The first is that of its estimates."""

    subject: ModeProblem
    solver: GroupSolver
    found: list[AssemblyMode]
    searches: list[GroupSearch] = field(default_factory=list)
    free: list[str] = field(default_factory=list)  # groups that stay free in some mode of those before

    @property
    def loops(self) -> Loops:
        return self.solver.loops

    def number_of(self, x: Array) -> int | None:
        """Number of the mode at a position, counted from 0; None if it is not known."""
        return next((k for k, mode in enumerate(self.found) if self.solver.same(mode.x, x)), None)

    def absolute(self, x: Array, motion: Array) -> Array:
        """Coordinates of the free bodies at given unknowns."""
        still = np.zeros_like(x)
        return np.asarray(self.loops.system.bodies(np.stack([x, still, still])[None], motion[None])[0, 0])


def find_modes(subject: ModeProblem) -> AssemblyModes:
    """All assembly modes at one position of the drivers."""
    loops, tolerance, scale = subject.loops, subject.tolerance, subject.scale
    first = loops.system.solve(loops.start, subject.motion, tolerance, 20, scale)[4][0]
    modes = AssemblyModes(subject, GroupSolver(loops, subject.motion, first, tolerance, scale), [])
    partial = [AssemblyMode(first, ())]
    for block in range(len(loops.blocks)):
        partial = [grown for mode in partial for grown in _extend_mode(modes, block, mode)]
        if len(partial) > MOST_MODES:
            raise ModelError(
                f"the mechanism has more than {MOST_MODES} assembly modes: every group that has two positions "
                "doubles their number",
                suggestion="Analyse a part of it: use --modes on a model of fewer groups.",
            )
    modes.found = partial
    return modes


def _extend_mode(modes: AssemblyModes, block: int, mode: AssemblyMode) -> list[AssemblyMode]:
    """All solutions of one more group at a position: those with the sign of det J of mode 1 first, near first."""
    solver, loops = modes.solver, modes.loops
    unknowns = loops.blocks[block][1]
    if has_closed_form(loops, loops.blocks[block]):
        answers = _closed_form_solutions(modes, block, mode.x)
    else:
        answers, starts = search_group_solutions(solver, block, mode.x, _slide_bound(loops, solver.motion))
        names = tuple(loops.unknown_names[u] for u in unknowns)
        modes.searches.append(GroupSearch(names, starts, len(answers)))

    sign = solver.sign(block, solver.first)

    def order(x: Array) -> tuple[bool, float]:
        apart = (x - solver.first)[unknowns] * loops.weight[unknowns]
        return bool(solver.sign(block, x) != sign), float(np.linalg.norm(apart))

    answers.sort(key=order)
    return [AssemblyMode(x, (*mode.choice, k)) for k, x in enumerate(answers, 1)]


def _closed_form_solutions(modes: AssemblyModes, block: int, x: Array) -> list[Array]:
    solver, loops = modes.solver, modes.loops
    unknowns = loops.blocks[block][1]
    try:
        values = group_solutions(loops, loops.blocks[block], x, solver.motion)
    except UndeterminedGroup:
        modes.free.append(" and ".join(loops.unknown_names[u] for u in unknowns))
        return []
    out: list[Array] = []
    for value in values:
        answer = solver.refine(block, x, value)
        if answer is not None and not any(solver.same(answer, other, unknowns=unknowns) for other in out):
            out.append(answer)
    return out


def _slide_bound(loops: Loops, motion: Array) -> float:
    """A length that no slide exceeds as long as the rest of its loop consists of links."""
    links = [term for terms in loops.polygons for term in terms if term[1] < 0]
    return sum(math.hypot(x, y) * (abs(motion[3 * driver]) if driver >= 0 else 1) for _, _, driver, x, y in links)
