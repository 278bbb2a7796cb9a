"""Freedoms that nothing drives, told as motions: which bodies move, and how, per unit of one coordinate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.compile import Compiled
from mubo.elements import COORDINATES
from mubo.motion.law import Array
from mubo.studies.words import join_words

STILL = 1e-7  # of the largest motion: a body that moves less stands still


@dataclass(frozen=True)
class FreeMotion:
    """A motion that keeps all constraints: rates of the bodies' coordinates per unit of `per`."""

    per: str  # "rocker.phi"
    rates: dict[str, tuple[float, float, float]]  # body → rates of x, y, phi

    @property
    def bodies(self) -> tuple[str, ...]:
        return tuple(self.rates)

    def words(self) -> str:
        """ "per unit of crank.phi: coupler turns 0.04 and moves (0.1, -0.2), …"."""
        return f"per unit of {self.per}: " + ", ".join(_body_words(name, rate) for name, rate in self.rates.items())


def _body_words(name: str, rate: tuple[float, float, float]) -> str:
    x, y, turn = (float(f"{value:.3g}") + 0.0 for value in rate)
    told = [f"turns {turn:g}"] if turn else []
    told += [f"moves ({x:g}, {y:g})"] if x or y else []
    return f"{name} {' and '.join(told)}"


def free_motions(compiled: Compiled, basis: Array) -> tuple[FreeMotion, ...]:
    """The null space of J, given an orthonormal basis of its rows, reduced so that motions separate."""
    null = null_space(basis, len(compiled.weight))
    out = []
    for line in null:
        scaled = np.where(np.abs(line) > STILL * np.max(np.abs(line)), line, 0.0)
        pivot = int(np.argmax(np.abs(scaled)))
        real = scaled / compiled.weight
        real /= real[pivot]
        rates = {
            compiled.free[b]: (float(x), float(y), float(turn))
            for b, (x, y, turn) in enumerate(real.reshape(-1, 3))
            if x or y or turn
        }
        per = f"{compiled.free[pivot // 3]}.{COORDINATES[pivot % 3]}"
        out.append(FreeMotion(per, rates))
    return tuple(out)


def null_space(basis: Array, unknowns: int) -> Array:
    """Vectors square to all rows, in reduced row echelon form with the largest pivot first."""
    left = unknowns - len(basis)
    if left <= 0:
        return np.zeros((0, unknowns))
    null = np.linalg.svd(basis)[2][len(basis) :].copy() if len(basis) else np.eye(unknowns)
    for k in range(left):
        pivot = int(np.argmax(np.max(np.abs(null[k:]), axis=0)))
        best = k + int(np.argmax(np.abs(null[k:, pivot])))
        null[[k, best]] = null[[best, k]]
        null[k] /= null[k, pivot]
        for other in range(left):
            if other != k:
                null[other] -= null[other, pivot] * null[k]
    return null


def moved_words(motions: tuple[FreeMotion, ...]) -> str:
    """ "1 freedom is left; it moves coupler and rocker"."""
    if len(motions) == 1:
        return f"1 freedom is left; it moves {join_words(motions[0].bodies)}"
    moves = "; ".join(f"one moves {join_words(motion.bodies)}" for motion in motions)
    return f"{len(motions)} freedoms are left; {moves}"
