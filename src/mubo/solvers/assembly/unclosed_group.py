"""The first group of equations that does not close, in the order in which they are solved.

Drivers come first, then what they place, dyad by dyad: whatever is solved before the first group that cannot close is
closed, and what comes after it does not matter. So the gap is told where it arises.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.solvers.assembly.assemble import assemble
from mubo.solvers.assembly.other_starts import assemble_from_other_starts
from mubo.solvers.continuation.equation_scales import EquationScales, Flags
from mubo.solvers.continuation.linear_algebra import EquationSubset
from mubo.topology.blocks import Block, solve_order


@dataclass(frozen=True)
class EquationGroup:
    """Equations and unknowns that place some bodies together, and all those on which they depend, included."""

    rows: Flags
    columns: Flags
    basis_rows: Flags
    basis_columns: Flags
    q: Array  # a position with everything closed that is solved before it

    @staticmethod
    def whole(form: Absolute, q: Array) -> EquationGroup:
        rows, columns = np.ones(len(form.equations), bool), np.ones(len(form.weight), bool)
        return EquationGroup(rows, columns, rows, columns, q)

    def part(self, scales: EquationScales) -> EquationSubset:
        return EquationSubset(np.where(self.rows, scales.weight, 0.0), self.columns)

    def basis(self, scales: EquationScales) -> EquationSubset:
        return EquationSubset(np.where(self.basis_rows, scales.weight, 0.0), self.basis_columns)


def find_open_group(
    form: Absolute, scales: EquationScales, motion: Array, tolerance: float, q: Array
) -> EquationGroup | None:
    """The first group that does not close; None where equations and unknowns do not match each other."""
    uses = _equation_unknowns(form, q, motion)
    blocks = solve_order(uses, len(form.weight))
    if blocks is None:
        return None
    closed, failing, last = 0, len(blocks), q  # blocks before `closed` close together, those before `failing` do not
    while failing - closed > 1:
        middle = (closed + failing) // 2
        rows, columns = _masks(form, blocks[:middle])
        part = EquationSubset(np.where(rows, scales.weight, 0.0), columns)
        found = _close_part(form, motion, tolerance, part, (last, form.estimate))
        closed, failing, last = (closed, middle, last) if found is None else (middle, failing, found)
    basis = _predecessor_blocks(blocks, uses, closed)
    bodies = {unknown // form.width for unknown in blocks[closed][1]}
    together = [block for block in basis if any(unknown // form.width in bodies for unknown in block[1])]
    return EquationGroup(*_masks(form, together), *_masks(form, basis), last)


def _close_part(
    form: Absolute, motion: Array, tolerance: float, part: EquationSubset, starts: Sequence[Array]
) -> Array | None:
    for start in starts:
        found = assemble(form, motion, tolerance, 20, start, part)
        if found.gap <= tolerance:
            return found.q
    found = assemble_from_other_starts(form, motion, tolerance, 20, found, part)
    return found.q if found.gap <= tolerance else None


def _equation_unknowns(form: Absolute, q: Array, motion: Array) -> list[set[int]]:
    """Unknowns in each equation: where J is not zero at a position nearby, at which no entry vanishes by chance."""
    shift = np.random.default_rng(1).uniform(-0.01, 0.01, len(q)) / form.weight
    uses: list[set[int]] = [set() for _ in form.equations]
    for row, column, value in form.system.jacobian_entries(q + shift, motion):
        if value != 0:
            uses[int(row)].add(int(column))
    return uses


def _predecessor_blocks(blocks: Sequence[Block], uses: Sequence[set[int]], number: int) -> list[Block]:
    """A block and all those before it whose unknowns it needs."""
    owner = {unknown: k for k, (_, unknowns) in enumerate(blocks) for unknown in unknowns}
    needed, queue = {number}, [number]
    while queue:
        more = {owner[unknown] for row in blocks[queue.pop()][0] for unknown in uses[row]} - needed
        needed |= more
        queue += more
    return [blocks[k] for k in sorted(needed)]


def _masks(form: Absolute, blocks: Sequence[Block]) -> tuple[Flags, Flags]:
    rows, columns = np.zeros(len(form.equations), bool), np.zeros(len(form.weight), bool)
    for equations, unknowns in blocks:
        rows[equations], columns[unknowns] = True, True
    return rows, columns
