"""What a mechanism can do at a position: mobility, dependent equations, freedoms that nothing drives.

J is scaled so that lengths compare with angles and every row has length one; the rank decision is then free of
units. Rows are taken in the order joints, drivers, as the user wrote them: an equation that the earlier ones
already impose is the dependent one, and its combination of them is the minimal dependent set (a circuit).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from mubo.compile import Compiled
from mubo.motion.law import Array, Integers
from mubo.studies.linear import Factor, is_large, jacobian
from mubo.topology import graph_of

RANK_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Dependence:
    """An equation that others already impose; `gap` says by how much they disagree."""

    name: str
    others: tuple[str, ...]
    gap: float
    equation: int

    def words(self, contradictory: bool) -> str:
        if not self.others:
            verb = "has no effect here" if not contradictory else f"cannot hold: its gap is {self.gap:.3g}"
            return f"{self.name} {verb}"
        if contradictory:
            return f"{join_words([*self.others, self.name])} contradict each other by {self.gap:.3g}"
        return f"{self.name} repeats what {join_words(self.others)} already impose"


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
    free_motions: tuple[tuple[str, ...], ...] = field(default=())  # bodies that each left freedom moves

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
            "redundant": [d.words(False) for d in self.dependent],
        }


def diagnose(compiled: Compiled, q: Array, motion: Array) -> Diagnosis:
    """Mobility, dependent equations and left freedoms at the position q."""
    held = 3 * (len(compiled.fixed) - 1)  # rows of grounded bodies, met by construction
    n, m = int(compiled.system.unknowns), int(compiled.system.equations)
    drivers = sum(kind == "driver" for kind, _ in compiled.equation_names)
    loops = graph_of(compiled.model).loops
    if is_large(compiled) and n == m and Factor(jacobian(compiled, q, motion)).regular:
        everything = np.arange(m, dtype=np.int32)
        return Diagnosis(n + held, m + held, drivers, n + held, drivers, loops, everything)
    J, lengths = _scaled(compiled, q, motion)
    independent, basis = _independent(J)
    rank = len(independent)
    joint_rank = sum(compiled.equation_names[k][0] == "joint" for k in independent)
    gaps = np.divide(compiled.system.phi(q, motion), lengths, out=np.zeros(m), where=lengths > 0)
    dependent = _dependences(compiled, J, lengths, independent, gaps)
    return Diagnosis(
        coordinates=n + held,
        constraints=m + held,
        drivers=drivers,
        rank=rank + held,
        mobility=n - joint_rank,
        loops=loops,
        independent=np.array(independent, np.int32),
        dependent=tuple(dependent),
        free_motions=_free_motions(compiled, basis, n - rank),
    )


def generic_rank(compiled: Compiled, q: Array, motion: Array) -> int:
    """Rank at a position moved at random by a tenth of the mechanism's size: what holds in general, not here."""
    shift = np.random.default_rng(0).uniform(-0.1, 0.1, len(q)) / compiled.weight
    return len(_independent(_scaled(compiled, q + shift, motion)[0])[0])


def classify_singularity(compiled: Compiled, q: Array, motion: Array) -> tuple[str, tuple[str, ...]]:
    """Kind of the singular position at q, and the bodies that can move there while the drivers stand still.

    Let w be the left null vector of J: wᵀ J = 0. If w has a share in a driver's equation, the driver cannot go on: a
    limit. If not, the velocity equations stay solvable: two motions cross, a bifurcation (Haug 1989, section 3.7).
    """
    J, _ = _scaled(compiled, q, motion)
    left, values, right = np.linalg.svd(J)
    if values[-1] > 1e-3 * values[0]:
        return "failure", ()
    drivers = [k for k, (kind, _) in enumerate(compiled.equation_names) if kind == "driver"]
    share = float(np.max(np.abs(left[drivers, len(values) - 1]), initial=0.0))
    moves = np.abs(right[-1].reshape(-1, 3)).max(axis=1)
    bodies = tuple(compiled.free[b] for b in np.flatnonzero(moves > 1e-3 * moves.max()))
    return ("limit" if share > 1e-4 else "bifurcation"), bodies


def _scaled(compiled: Compiled, q: Array, motion: Array) -> tuple[Array, Array]:
    """J with lengths made comparable to angles and rows of length one, and the lengths the rows had."""
    J = np.asarray(compiled.system.jacobian(q, motion)) / compiled.weight
    lengths = np.linalg.norm(J, axis=1)
    unit = np.divide(J, lengths[:, None], out=np.zeros_like(J), where=lengths[:, None] > 0)
    return unit, lengths


def _independent(J: Array) -> tuple[list[int], Array]:
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


def _dependences(compiled: Compiled, J: Array, lengths: Array, chosen: list[int], gaps: Array) -> list[Dependence]:
    """Each dependent equation with the elements it repeats, one entry per element.

    If row k = Σ s_i row_i, then Φ_k must equal Σ s_i Φ_i; the difference is the contradiction.
    """
    found: dict[tuple[str, str], Dependence] = {}
    for k in sorted(set(range(len(J))) - set(chosen)):
        own = compiled.equation_names[k]
        share = np.linalg.lstsq(J[chosen].T, J[k], rcond=None)[0] if chosen else np.zeros(0)
        gap = abs(float(gaps[k] - share @ gaps[chosen])) * float(lengths[k])
        others = [compiled.equation_names[c] for c, s in zip(chosen, share, strict=True) if abs(s) > 1e-6]
        names = tuple(dict.fromkeys(" ".join(other) for other in others if other != own))
        if own not in found or gap > found[own].gap:
            found[own] = Dependence(" ".join(own), names, gap, k)
    return list(found.values())


def _free_motions(compiled: Compiled, basis: Array, left: int) -> tuple[tuple[str, ...], ...]:
    """Bodies that move in each freedom left: the null space of J, reduced so that motions separate."""
    if left <= 0:
        return ()
    n = basis.shape[1]
    null = np.linalg.svd(basis)[2][len(basis) :] if len(basis) else np.eye(n)
    null = null.copy()
    for k in range(len(null)):  # reduced row echelon form, largest pivot first
        pivot = int(np.argmax(np.max(np.abs(null[k:]), axis=0)))
        best = k + int(np.argmax(np.abs(null[k:, pivot])))
        null[[k, best]] = null[[best, k]]
        null[k] /= null[k, pivot]
        for other in range(len(null)):
            if other != k:
                null[other] -= null[other, pivot] * null[k]
    moves = np.abs(null.reshape(len(null), -1, 3)).max(axis=2) > 1e-7
    return tuple(tuple(compiled.free[b] for b in np.flatnonzero(line)) for line in moves)


def join_words(words: Sequence[str]) -> str:
    """ "joint A, joint B and joint C" → "joints A, B and C"; mixed kinds stay as they are."""
    kinds = {word.split(" ")[0] for word in words if " " in word}
    if len(words) > 1 and len(kinds) == 1 and all(" " in word for word in words):
        names = [word.split(" ", 1)[1] for word in words]
        return f"{kinds.pop()}s {_enumerate(names)}"
    return _enumerate(list(words))


def _enumerate(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]
