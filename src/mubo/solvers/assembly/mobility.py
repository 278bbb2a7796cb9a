"""Mobility of a mechanism at a position: rank, redundant equations, undriven degrees of freedom.

J is scaled so that lengths compare with angles and every row has length one; the rank decision is then free of
units. Rows are taken in the order joints, drivers, as the user wrote them: an equation that the earlier ones
already impose is the dependent one, and its combination of them is the minimal dependent set (a circuit). A large
mechanism is taken apart body by body along its graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from mubo import _core
from mubo.arrays import Array, Integers
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.mechanism import Absolute
from mubo.mechanism.rows import axes_of, elements_of, join_words
from mubo.solvers.continuation.linear_algebra import RANK_TOLERANCE, SparseLU, is_large, jacobian
from mubo.topology import graph_of

if TYPE_CHECKING:
    from mubo.solvers.assembly.block_rank import BodyBlocks
    from mubo.solvers.assembly.undriven_motion import UndrivenMotion

CLEARLY = 1e3  # times the tolerance: rows so far from the others are independent by any method


@dataclass(frozen=True)
class RedundantEquation:
    """An equation that others already impose; `gap` is their disagreement to first order."""

    name: str  # "joint N"
    others: tuple[str, ...]
    axes: str  # "y of N": which equations are meant, where not all of an element
    gap: float
    equation: int
    with_equations: tuple[int, ...]

    def describe(self) -> str:
        axes = f" ({self.axes})" if self.axes else ""
        if not self.others:
            return f"{self.name} has no effect{axes}"
        verb = "impose" if len(self.others) > 1 else "imposes"
        return f"{self.name} repeats what {join_words(self.others)} already {verb}{axes}"


@dataclass(frozen=True)
class MobilityAnalysis:
    """Counts and findings of the mobility analysis at one position."""

    coordinates: int  # N
    constraints: int  # M, drivers included
    drivers: int
    rank: int  # of all equations
    mobility: int  # true DOFs of the joints alone, at this position
    loops: int
    independent: Integers  # as many equation numbers as the rank
    dependent: tuple[RedundantEquation, ...] = ()
    motions: Callable[[], tuple[UndrivenMotion, ...]] = tuple

    @cached_property
    def free(self) -> tuple[UndrivenMotion, ...]:
        """Undriven motions; of many in a large mechanism the first ones."""
        return self.motions()

    @property
    def gruebler(self) -> int:
        """Grübler's count: N minus the equations of the joints."""
        return self.coordinates - (self.constraints - self.drivers)

    @property
    def undriven_dofs(self) -> int:
        return self.coordinates - self.rank

    def contradictions(self, tolerance: float) -> list[RedundantEquation]:
        return [d for d in self.dependent if d.gap > 100 * tolerance]

    def summary(self) -> dict[str, object]:
        return {
            "gruebler": self.gruebler,
            "rank": self.mobility,
            "loops": self.loops,
            "redundant": [d.describe() for d in self.dependent],
        }


def analyse_mobility(form: Absolute, q: Array, motion: Array) -> MobilityAnalysis:
    """Mobility, redundant equations and undriven degrees of freedom at the position q."""
    # Rows of grounded bodies are met by construction; unit quaternions are no constraints but part of what a body is.
    grounded = 3 * (len(form.fixed) - 1) - form.of_bodies
    n, m = form.system.unknowns, form.system.equations
    kinds = form.mechanism.equation_kinds
    drivers = kinds["driver"]
    loops = graph_of(form.model).loops
    if is_large(form) and n == m and SparseLU(jacobian(form, q, motion)).regular:
        everything = np.arange(m, dtype=np.int32)
        return MobilityAnalysis(n + grounded, m + grounded, drivers, n + grounded, drivers, loops, everything)
    found = _rank_by_blocks(form, q, motion) if is_large(form) else _rank_dense(form, q, motion)
    whole = len(found.independent) == m
    joint_rank = kinds["joint"] if whole else sum(form.equations[k].kind == "joint" for k in found.independent)
    return MobilityAnalysis(
        coordinates=n + grounded,
        constraints=m + grounded,
        drivers=drivers,
        rank=len(found.independent) + grounded,
        mobility=n - form.of_bodies - joint_rank,
        loops=loops,
        independent=np.array(found.independent, np.int32),
        dependent=tuple(found.dependent),
        motions=found.motions,
    )


@dataclass(frozen=True)
class _RankResult:
    """Rank of a mechanism: its independent equations, the others, and a function for the motions that are left."""

    independent: list[int]
    dependent: list[RedundantEquation]
    motions: Callable[[], tuple[UndrivenMotion, ...]]


def _rank_dense(form: Absolute, q: Array, motion: Array) -> _RankResult:
    J, lengths = scaled_jacobian(form, q, motion)
    clear = are_clearly_independent(J)
    chosen = list(range(len(J))) if clear else independent_rows(J)[0]
    dependent: list[RedundantEquation] = []
    if not clear:
        gaps = _scaled_residuals(form.system.phi(q, motion), lengths)
        dependent = _redundant_equations(form, J, chosen, gaps, lengths)

    def motions() -> tuple[UndrivenMotion, ...]:
        from mubo.solvers.assembly.undriven_motion import undriven_motions

        return undriven_motions(form, independent_rows(J)[1], q)

    return _RankResult(chosen, dependent, motions)


def _rank_by_blocks(form: Absolute, q: Array, motion: Array) -> _RankResult:
    """Rank of a large mechanism, body by body along the graph."""
    from mubo.solvers.assembly.block_rank import decompose_blocks
    from mubo.solvers.assembly.dependent_equations import dependent_sets
    from mubo.solvers.assembly.undriven_motion import undriven_motions_of_blocks

    ties, lengths = scaled_body_blocks(form, q, motion)
    apart = decompose_blocks(ties)
    combinations = dependent_sets(apart)
    gaps = _scaled_residuals(form.system.phi(q, motion), lengths)
    dependent = [_redundant_equation(form, k, combinations[k], gaps, lengths) for k in sorted(combinations)]
    independent = [k for k in range(len(gaps)) if k not in combinations]
    return _RankResult(independent, dependent, lambda: undriven_motions_of_blocks(form, apart, q))


def constraint_rank(form: Absolute, q: Array, motion: Array) -> int:
    """Number of independent equations at q."""
    from mubo.solvers.assembly.block_rank import decompose_blocks

    if is_large(form):
        ties, _ = scaled_body_blocks(form, q, motion)
        return len(form.weight) - decompose_blocks(ties).dofs
    return len(independent_rows(scaled_jacobian(form, q, motion)[0])[0])


def free_directions(form: Absolute, q: Array, motion: Array) -> Iterator[Array]:
    """Rates of the unknowns that satisfy all equations; of many in a large mechanism the first ones."""
    from mubo.solvers.assembly.block_rank import block_null_motions, decompose_blocks
    from mubo.solvers.assembly.undriven_motion import MOST_MOTIONS, expand_rates, null_space

    if is_large(form):
        motions = block_null_motions(decompose_blocks(scaled_body_blocks(form, q, motion)[0]))
        return (expand_rates(form, moved) for moved in islice(motions, MOST_MOTIONS))
    _, basis = independent_rows(scaled_jacobian(form, q, motion)[0])
    return (line / form.weight for line in null_space(basis, len(form.weight)))


def scaled_body_blocks(form: Absolute, q: Array, motion: Array) -> tuple[BodyBlocks, Array]:
    """Scaled Jacobian by pairs of equation and body, and the lengths of the rows before scaling."""
    from mubo.solvers.assembly.block_rank import BodyBlocks

    row, column, value, lengths = scaled_entries(form, q, motion)
    return BodyBlocks(row, column, value, (form.system.equations, form.system.unknowns), form.width), lengths


def scaled_entries(form: Absolute, q: Array, motion: Array) -> tuple[Integers, Integers, Array, Array]:
    """Rows, columns and values of the scaled Jacobian, and the lengths of the rows before scaling."""
    entries = form.system.jacobian_entries(q, motion)
    row, column = entries[:, 0].astype(np.int32), entries[:, 1].astype(np.int32)
    value = entries[:, 2] / form.weight[column]
    lengths = np.sqrt(np.bincount(row, value**2, minlength=form.system.equations))
    return row, column, value / np.where(lengths > 0, lengths, 1.0)[row], lengths


def scaled_jacobian(form: Absolute, q: Array, motion: Array) -> tuple[Array, Array]:
    """Jacobian with lengths comparable to angles and rows of length one, and the lengths of the rows before scaling."""
    return form.system.scaled_jacobian(q, motion, form.weight)


def are_clearly_independent(J: Array) -> bool:
    """Whether all rows are independent by any method: each is far enough from the span of those before it."""
    return 0 < J.shape[0] <= J.shape[1] and _core.are_independent(J, CLEARLY * RANK_TOLERANCE)


def independent_rows(J: Array) -> tuple[list[int], Array]:
    """Rows independent of those before them, and an orthonormal basis of their span.

    Where all are clearly independent, Q of Jᵀ = Q R is the basis; else rows are chosen one by one (Gram-Schmidt,
    twice).
    """
    if are_clearly_independent(J):
        return list(range(len(J))), np.linalg.qr(J.T)[0].T
    basis = np.zeros((min(J.shape), J.shape[1]))
    chosen: list[int] = []
    for k, row in enumerate(J):
        span = basis[: len(chosen)]
        rest = row - span.T @ (span @ row)
        rest -= span.T @ (span @ rest)
        length = float(np.linalg.norm(rest))
        if length > RANK_TOLERANCE and len(chosen) < len(basis):
            basis[len(chosen)] = rest / length
            chosen.append(k)
    return chosen, basis[: len(chosen)]


def _scaled_residuals(phi: Array, lengths: Array) -> Array:
    """Residuals Φ of equations that are scaled to length one."""
    return np.divide(phi, lengths, out=np.zeros(len(phi)), where=lengths > 0)


def _redundant_equations(
    form: Absolute, J: Array, chosen: list[int], gaps: Array, lengths: Array
) -> list[RedundantEquation]:
    """Each redundant equation with the minimal set that imposes it."""
    found = []
    for k in sorted(set(range(len(J))) - set(chosen)):
        share = np.linalg.lstsq(J[chosen].T, J[k], rcond=None)[0] if chosen else np.zeros(0)
        found.append(_redundant_equation(form, k, dict(zip(chosen, share.tolist(), strict=True)), gaps, lengths))
    return found


def _redundant_equation(
    form: Absolute, equation: int, share: Mapping[int, float], gaps: Array, lengths: Array
) -> RedundantEquation:
    """An equation that is Σ s_i row_i of others: Φ must then equal Σ s_i Φ_i; the difference is the contradiction."""
    gap = abs(float(gaps[equation]) - sum(s * float(gaps[k]) for k, s in share.items())) * float(lengths[equation])
    used = sorted(k for k, s in share.items() if abs(s) > 1e-6)
    every, own = form.equations, form.equations[equation]
    meant = [every[k] for k in (*used, equation)]
    others = elements_of(e for e in meant if e.owner != own.owner)
    # In space nearly every equation of a loop has a share in the dependence: the one that is too many is named.
    axes = axes_of([own] if form.model.dimension == 3 else meant, form.mechanism.equation_counts)
    return RedundantEquation(own.owner, others, axes, gap, equation, tuple(used))
