"""What a mechanism can do at a position: mobility, dependent equations, freedoms that nothing drives.

J is scaled so that lengths compare with angles and every row has length one; the rank decision is then free of
units. Rows are taken in the order joints, drivers, as the user wrote them: an equation that the earlier ones
already impose is the dependent one, and its combination of them is the minimal dependent set (a circuit). A large
mechanism is taken apart by its graph first, and the rank of each block decided by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from mubo.arrays import Array, Integers
from mubo.mechanism import Absolute
from mubo.studies.position.blocks import Core, Ties, taken_apart
from mubo.studies.position.freedoms import FreeMotion, free_motions, free_motions_of_blocks, null_space, reduced
from mubo.studies.position.linear import DENSE_LIMIT, Factor, is_large, jacobian
from mubo.studies.position.words import axes_of, elements_of, join_words
from mubo.topology import graph_of

RANK_TOLERANCE = 1e-9
MOST_BORDER = 20  # freedoms of a large core that are found by sparse factors


@dataclass(frozen=True)
class Dependence:
    """An equation that others already impose; `gap` says by how much they disagree, to first order."""

    name: str  # "joint N"
    others: tuple[str, ...]
    axes: str  # "y of N": which equations are meant, where not all of an element
    gap: float
    equation: int
    with_equations: tuple[int, ...]

    def words(self) -> str:
        axes = f" ({self.axes})" if self.axes else ""
        if not self.others:
            return f"{self.name} has no effect{axes}"
        verb = "impose" if len(self.others) > 1 else "imposes"
        return f"{self.name} repeats what {join_words(self.others)} already {verb}{axes}"


@dataclass(frozen=True)
class Diagnosis:
    """Counts and findings at one position."""

    coordinates: int  # N
    constraints: int  # M, drivers included
    drivers: int
    rank: int  # of all equations
    mobility: int  # true freedoms of the joints alone, at this position
    loops: int
    independent: Integers  # as many equation numbers as the rank
    dependent: tuple[Dependence, ...] = ()
    motions: Callable[[], tuple[FreeMotion, ...]] = tuple

    @cached_property
    def free(self) -> tuple[FreeMotion, ...]:
        """Motions that nothing drives; of many in a large mechanism the first ones."""
        return self.motions()

    @property
    def gruebler(self) -> int:
        """Grübler's count: N minus the equations of the joints."""
        return self.coordinates - (self.constraints - self.drivers)

    @property
    def freedoms_left(self) -> int:
        return self.coordinates - self.rank

    def contradictions(self, tolerance: float) -> list[Dependence]:
        return [d for d in self.dependent if d.gap > 100 * tolerance]

    def summary(self) -> dict[str, object]:
        return {
            "gruebler": self.gruebler,
            "rank": self.mobility,
            "loops": self.loops,
            "redundant": [d.words() for d in self.dependent],
        }


def diagnose(form: Absolute, q: Array, motion: Array) -> Diagnosis:
    """Mobility, dependent equations and left freedoms at the position q."""
    # Rows of grounded bodies are met by construction; unit quaternions are no constraints but part of what a body is.
    held = 3 * (len(form.fixed) - 1) - form.of_bodies
    n, m = form.system.unknowns, form.system.equations
    drivers = sum(equation.kind == "driver" for equation in form.equations)
    loops = graph_of(form.model).loops
    if is_large(form) and n == m and Factor(jacobian(form, q, motion)).regular:
        everything = np.arange(m, dtype=np.int32)
        return Diagnosis(n + held, m + held, drivers, n + held, drivers, loops, everything)
    found = _of_blocks(form, q, motion) if is_large(form) else _of_whole(form, q, motion)
    joint_rank = sum(form.equations[k].kind == "joint" for k in found.independent)
    return Diagnosis(
        coordinates=n + held,
        constraints=m + held,
        drivers=drivers,
        rank=len(found.independent) + held,
        mobility=n - form.of_bodies - joint_rank,
        loops=loops,
        independent=np.array(found.independent, np.int32),
        dependent=tuple(found.dependent),
        motions=found.motions,
    )


@dataclass(frozen=True)
class _Ranked:
    """The rank of a mechanism: its independent equations, the others, and how to find the motions that are left."""

    independent: list[int]
    dependent: list[Dependence]
    motions: Callable[[], tuple[FreeMotion, ...]]


def _of_whole(form: Absolute, q: Array, motion: Array) -> _Ranked:
    J, lengths = scaled_jacobian(form, q, motion)
    chosen, basis = independent_rows(J)
    phi = form.system.phi(q, motion)
    dependent = _dependences(form, range(len(J)), J, chosen, phi, lengths)
    return _Ranked(chosen, dependent, lambda: free_motions(form, basis, q))


def _of_blocks(form: Absolute, q: Array, motion: Array) -> _Ranked:
    """Likewise by the graph: bodies that hang on others need no decision, cores are decided one by one."""
    ties, lengths = scaled_ties(form, q, motion)
    phi = form.system.phi(q, motion)
    taken, cores = taken_apart(ties)
    independent, dependent = [row for one in taken for row in one.rows], []
    left: list[tuple[Core, int, Callable[[], Array]]] = []
    for core in cores:
        null = _sparse_null_space(ties, core)
        if null is not None:
            independent += core.rows
            left.append((core, len(null), partial(reduced, null)))
            continue
        J = ties.dense(core)
        chosen, basis = independent_rows(J)
        independent += [core.rows[k] for k in chosen]
        dependent += _dependences(form, core.rows, J, chosen, phi, lengths)
        left.append((core, J.shape[1] - len(chosen), partial(null_space, basis, J.shape[1])))
    return _Ranked(
        sorted(independent),
        sorted(dependent, key=lambda one: one.equation),
        lambda: free_motions_of_blocks(form, ties, taken, left, q),
    )


def _sparse_null_space(ties: Ties, core: Core) -> Array | None:
    """Vectors square to all equations of a large core if those are independent; else, or where it is small, None.

    With random rows B below J, one for each unknown too many, a regular matrix has independent equations on top, and
    its inverse times (0, 1) is the null space: J x = 0, B x = unit vector.
    """
    unknowns, rows = ties.width * len(core.bodies), len(core.rows)
    if unknowns <= DENSE_LIMIT or not 0 <= unknowns - rows <= MOST_BORDER:
        return None
    from scipy.sparse import csc_matrix, vstack

    border = np.random.default_rng(0).standard_normal((unknowns - rows, unknowns)) / np.sqrt(unknowns)
    factor = Factor(vstack([ties.sparse(core), csc_matrix(border)]))
    if not factor.regular:
        return None
    return factor.solve(np.eye(unknowns, unknowns - rows, -rows)).T if unknowns - rows else np.zeros((0, unknowns))


def scaled_ties(form: Absolute, q: Array, motion: Array) -> tuple[Ties, Array]:
    """The same as `scaled_jacobian` does, by pairs of equation and body."""
    entries = form.system.jacobian_entries(q, motion)
    row, column = entries[:, 0].astype(int), entries[:, 1].astype(int)
    value = entries[:, 2] / form.weight[column]
    shape = (form.system.equations, form.system.unknowns)
    lengths = np.sqrt(np.bincount(row, value**2, minlength=shape[0]))
    return Ties(row, column, value / np.where(lengths > 0, lengths, 1.0)[row], shape, form.width), lengths


def scaled_jacobian(form: Absolute, q: Array, motion: Array) -> tuple[Array, Array]:
    """J with lengths made comparable to angles and rows of length one, and the lengths the rows had."""
    J = np.asarray(form.system.jacobian(q, motion)) / form.weight
    lengths = np.linalg.norm(J, axis=1)
    unit = np.divide(J, lengths[:, None], out=np.zeros_like(J), where=lengths[:, None] > 0)
    return unit, lengths


def independent_rows(J: Array) -> tuple[list[int], Array]:
    """Rows that add to the ones before them, and an orthonormal basis of their span (Gram-Schmidt, twice)."""
    basis = np.zeros((min(J.shape), J.shape[1]))
    chosen: list[int] = []
    for k, row in enumerate(J):
        held = basis[: len(chosen)]
        rest = row - held.T @ (held @ row)
        rest -= held.T @ (held @ rest)
        length = float(np.linalg.norm(rest))
        if length > RANK_TOLERANCE and len(chosen) < len(basis):
            basis[len(chosen)] = rest / length
            chosen.append(k)
    return chosen, basis[: len(chosen)]


def _dependences(
    form: Absolute, rows: Sequence[int], J: Array, chosen: list[int], phi: Array, lengths: Array
) -> list[Dependence]:
    """Each dependent equation of a block with the minimal set that imposes it; line k of J is equation rows[k].

    If row k = Σ s_i row_i, then Φ_k must equal Σ s_i Φ_i; the difference is the contradiction.
    """
    found = []
    every, at = form.equations, np.asarray(rows)
    gaps = np.divide(phi[at], lengths[at], out=np.zeros(len(at)), where=lengths[at] > 0)
    for k in sorted(set(range(len(J))) - set(chosen)):
        share = np.linalg.lstsq(J[chosen].T, J[k], rcond=None)[0] if chosen else np.zeros(0)
        gap = abs(float(gaps[k] - share @ gaps[chosen])) * float(lengths[at[k]])
        used = [int(at[c]) for c, s in zip(chosen, share, strict=True) if abs(s) > 1e-6]
        own = every[at[k]]
        meant = [every[c] for c in (*used, at[k])]
        others = elements_of(e for e in meant if e.owner != own.owner)
        # In space nearly every equation of a loop has a share in the dependence: the one that is too many is named.
        axes = axes_of([own] if form.model.dimension == 3 else meant, every)
        found.append(Dependence(own.owner, others, axes, gap, int(at[k]), tuple(used)))
    return found
