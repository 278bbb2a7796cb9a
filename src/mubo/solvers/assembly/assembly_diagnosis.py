"""Diagnosis of a mechanism that does not close: open element, smallest gap, feasible ranges.

Drivers come first, then what they place, dyad by dyad: whatever is solved before the first group that cannot close is
closed, and later groups do not matter. So the gap is reported where it arises.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.absolute import EquationScales
from mubo.mechanism.rows import elements_of, join_words
from mubo.solvers.assembly.assemble import assemble, assemble_from_other_starts
from mubo.solvers.assembly.closest_position import OpenMechanism
from mubo.solvers.assembly.feasible_range import FeasibleRange, find_feasible_range
from mubo.solvers.assembly.mobility import RedundantEquation
from mubo.solvers.continuation.linear_algebra import (
    ClosureGap,
    EquationSubset,
    closure_gap,
    equations_owned_by,
)
from mubo.topology import Block, solve_order

MOST_CANDIDATES = 8  # elements of a group that are opened, one after the other
MOST_REACHES = 3  # drivers and lengths whose range is reported
MOST_UNKNOWNS = 240  # of a group, or of a contradiction, whose closest position is searched
SAME = 1e-6  # part by which gaps must differ to count as different


@dataclass(frozen=True)
class OpenElement:
    """An open element, and its gap while the `others` are closed, with the feasible ranges of its equations."""

    owner: str
    gap: ClosureGap
    others: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()
    reaches: tuple[FeasibleRange, ...] = ()


def find_open_element(form: Absolute, motion: Array, tolerance: float, q: Array) -> OpenElement:
    """The joint of the first group that does not close which opens least, drivers fixed; q is a position near."""
    scales = form.equation_scales
    group = find_open_group(form, scales, motion, tolerance, q) or EquationGroup.whole(form, q)
    elements = elements_of(e for e, own in zip(form.equations, group.rows, strict=True) if own and e.kind != "body")
    joints = [name for name in elements if name.startswith("joint ")]
    opening = OpenMechanism(form, motion, tolerance, group.part(scales), group.rows)
    starts = (np.where(group.columns, q, group.q), group.q)
    best: tuple[ClosureGap, str, Array] | None = None
    small = int(np.sum(group.columns)) <= MOST_UNKNOWNS
    for name in (joints or elements)[:MOST_CANDIDATES] if small else ():
        at = _closest_with_open(opening, scales, [name], starts)
        if at is not None:
            gap = closure_gap(form, scales, form.system.phi(at, motion), name)
            best = (gap, name, at) if best is None or _is_smaller_gap(form, gap, best[0]) else best
    if best is None:  # too large, or no element alone lets the rest close: the largest gap where all are closest
        phi = form.system.phi(q, motion)
        name = form.equations[int(np.argmax(np.abs(scales.weight * phi * group.rows)))].owner
        return OpenElement(name, closure_gap(form, scales, phi, name))
    gap, name, at = best
    others = tuple(other for other in elements if other != name)
    return OpenElement(
        name, gap, others, _placed_bodies(form, group), _feasible_ranges(form, scales, motion, tolerance, group, at)
    )


def _closest_with_open(
    opening: OpenMechanism, scales: EquationScales, owners: Sequence[str], starts: Iterable[Array]
) -> Array | None:
    """Closest position with some elements open: in their lengths only, where the rest then closes, else in all."""
    own = equations_owned_by(opening.form.equations, owners)
    choices = [own & ~scales.turning, own] if np.any(own & ~scales.turning) and np.any(own & scales.turning) else [own]
    for rows in choices:
        at = replace(opening, own=rows).closest(starts)
        if at is not None:
            return at
    return None


def _is_smaller_gap(form: Absolute, one: ClosureGap, other: ClosureGap) -> bool:
    """Whether a gap is really smaller, lengths counted in sizes of the mechanism."""
    sizes = [gap.length * float(form.weight[0]) + gap.angle for gap in (one, other)]
    return sizes[0] < (1 - SAME) * sizes[1]


def _placed_bodies(form: Absolute, group: EquationGroup) -> tuple[str, ...]:
    """Bodies that the group places."""
    return tuple(form.free[b] for b in np.flatnonzero(group.columns.reshape(-1, form.width).any(axis=1)))


def _feasible_ranges(
    form: Absolute, scales: EquationScales, motion: Array, tolerance: float, group: EquationGroup, q: Array
) -> tuple[FeasibleRange, ...]:
    """Feasible ranges of the drivers on which the group depends, and of its own lengths."""
    drivers = np.array([equation.kind == "driver" for equation in form.equations])
    if int(np.sum(group.basis_rows)) != int(np.sum(group.basis_columns)):
        return ()
    opening = OpenMechanism(form, motion, tolerance, group.basis(scales), drivers)
    found: list[FeasibleRange] = []
    for equation in (*np.flatnonzero(group.basis_rows & drivers), *np.flatnonzero(group.rows & ~drivers)):
        if len(found) < MOST_REACHES and (reach := find_feasible_range(opening, int(equation), q)) is not None:
            found.append(reach)
    return tuple(found)


def find_contradictions(
    form: Absolute, motion: Array, tolerance: float, q: Array, sets: Sequence[RedundantEquation]
) -> tuple[OpenElement, ...]:
    """Elements that contradict others, each with its smallest gap and the others of its sets.

    Where one open element lets all others close, only that one is reported; else the last of each set.
    """
    scales, names = form.equation_scales, list(dict.fromkeys(d.name for d in sets))

    def closest(owners: Sequence[str]) -> Array | None:
        opening = OpenMechanism(
            form, motion, tolerance, EquationSubset.whole(form), equations_owned_by(form.equations, owners)
        )
        at = _closest_with_open(
            opening, scales, owners, [form.estimate]
        )  # on the branch of the estimates, where it closes
        return _closest_with_open(opening, scales, owners, [q]) if at is None else at

    def open_element(name: str, at: Array, among: Sequence[RedundantEquation]) -> OpenElement:
        others = dict.fromkeys(other for d in among for other in (*d.others, d.name) if other != name)
        return OpenElement(name, closure_gap(form, scales, form.system.phi(at, motion), name), tuple(others))

    for name in names if len(q) <= MOST_UNKNOWNS else ():
        at = closest([name])
        if at is not None:
            return (open_element(name, at, sets),)
    at = closest(names) if len(q) <= MOST_UNKNOWNS else None
    return tuple(open_element(name, q if at is None else at, [d for d in sets if d.name == name]) for name in names)


def describe_contradiction(form: Absolute, one: OpenElement) -> str:
    gap = one.gap.describe(form.model.units)
    if not one.others:
        return f"{one.owner} cannot hold: its gap is {gap}"
    return f"{join_words([*one.others, one.owner])} contradict each other by {gap}"


@dataclass(frozen=True)
class EquationGroup:
    """Equations and unknowns that place some bodies together, and all those on which they depend, included."""

    rows: Booleans
    columns: Booleans
    basis_rows: Booleans
    basis_columns: Booleans
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


def _masks(form: Absolute, blocks: Sequence[Block]) -> tuple[Booleans, Booleans]:
    rows, columns = np.zeros(len(form.equations), bool), np.zeros(len(form.weight), bool)
    for equations, unknowns in blocks:
        rows[equations], columns[unknowns] = True, True
    return rows, columns
