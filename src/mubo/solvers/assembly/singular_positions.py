"""Singular positions: their kind, and whether the rank is lost only there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.solvers.assembly.mobility import RedundantEquation, constraint_rank, independent_rows, scaled_entries
from mubo.solvers.assembly.smallest_singular_value import smallest_singular_vectors


def classify_singularity(form: Absolute, q: Array, motion: Array) -> tuple[str, tuple[str, ...]]:
    """Kind of the singular position at q, and the bodies that can move there while the drivers are fixed.

    Let w be the left null vector of J: wᵀ J = 0. If w has a share in a driver's equation, the driver cannot go on: a
    limit. If not, the velocity equations stay solvable: two motions cross, a bifurcation (Haug 1989, chapter 3).
    """
    way = smallest_singular_vectors(form, q, motion)
    if way.part > 1e-3:
        return "failure", ()
    drivers = [k for k, equation in enumerate(form.equations) if equation.kind == "driver"]
    share = float(np.max(np.abs(way.left[drivers]), initial=0.0))
    moves = np.abs(way.right.reshape(-1, form.width)).max(axis=1)
    bodies = tuple(form.free[b] for b in np.flatnonzero(moves > 1e-3 * moves.max()))
    return ("limit" if share > 1e-4 else "bifurcation"), bodies


def is_regular(form: Absolute, q: Array, motion: Array) -> bool:
    """Whether J is far from losing its rank: its smallest singular value, scaled, is not small."""
    return smallest_singular_vectors(form, q, motion).part > 1e-4


def remain_redundant(form: Absolute, dependent: Sequence[RedundantEquation], q: Array, motion: Array) -> Iterator[bool]:
    """Flags of the redundant equations that are still imposed by the same others at another position.

    In space nearly all equations of a loop have a share, and may take turns: there it counts whether the others still
    determine the motion.
    """
    if form.model.dimension == 3:
        return repeat(constraint_rank(form, q, motion) == len(form.weight), len(dependent))
    row, column, value, _ = scaled_entries(form, q, motion)
    lines: list[dict[int, float]] = [{} for _ in form.equations]
    for k, unknown, part in zip(row.tolist(), column.tolist(), value.tolist(), strict=True):
        lines[k][unknown] = lines[k].get(unknown, 0.0) + part
    return (_is_combination(lines[one.equation], [lines[k] for k in one.with_equations]) for one in dependent)


def _is_combination(line: dict[int, float], others: Sequence[dict[int, float]]) -> bool:
    """Whether a line is a combination of others, all by their unknowns."""
    place = {unknown: k for k, unknown in enumerate(sorted({*line}.union(*others)))}
    J = np.zeros((1 + len(others), len(place)))
    for target, source in zip(J, [line, *others], strict=True):
        target[[place[unknown] for unknown in source]] = list(source.values())
    _, basis = independent_rows(J[1:])
    return float(np.linalg.norm(J[0] - basis.T @ (basis @ J[0]))) < 1e-6


def generic_rank(form: Absolute, q: Array, motion: Array) -> int:
    """Rank at a position displaced at random by a tenth of the mechanism's size: the rank in general, not at q."""
    shift = np.random.default_rng(0).uniform(-0.1, 0.1, len(q)) / form.weight
    return constraint_rank(form, q + shift, motion)
