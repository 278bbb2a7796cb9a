"""Closest position of a mechanism that does not close: some elements open as little as possible, all others closed.

Minimise ½|W Φ_e|² of the open elements e subject to Φ = 0 of the others, W making lengths comparable with angles. From
a position that closes the others, Newton steps are taken in the null space Z of their J, with the curvature of the
Lagrangian from differences of J along Z, and each step is brought back to the others by an assembly (Nocedal and Wright
2006, chapter 18; Absil, Mahony, Sepulchre 2008, chapter 6). What is smallest does not depend on how the mechanism is
drawn, turned or shifted, nor on its units.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.solvers.assembly.assemble import assemble
from mubo.solvers.continuation.linear_algebra import EquationSubset, jacobian

MOST_STEPS = 60
LONGEST = 0.5  # radians, or sizes of the mechanism, in one step
DIFFERENCE = 1e-6  # step of the differences of J
LOST = 1e-9  # singular values below this part of the largest are zero
DONE = 1e-13  # slope, in sizes of the mechanism, at which a position is the closest


@dataclass(frozen=True)
class OpenMechanism:
    """A mechanism at a time, some of whose equations may stay open; a subset of it where the rest does not matter."""

    form: Absolute
    motion: Array
    tolerance: float
    part: EquationSubset
    own: Booleans  # the equations that may stay open

    @property
    def others(self) -> EquationSubset:
        return EquationSubset(np.where(self.own, 0.0, self.part.rows), self.part.columns)

    @property
    def open(self) -> EquationSubset:
        return EquationSubset(np.where(self.own, self.part.rows, 0.0), self.part.columns)

    def closest(self, starts: Iterable[Array]) -> Array | None:
        """The position nearest to closure of those reached from the starts; None if the others do not close."""
        reached = [self._descend(q) for q in map(self._close_others, starts) if q is not None]
        return min(reached, key=self._size) if reached else None

    def _close_others(self, q: Array) -> Array | None:
        """The position with the others closed."""
        if np.all(self.others.rows == 0):
            return q
        found = assemble(self.form, self.motion, self.tolerance, 20, q, self.others)
        return found.q if found.gap <= self.tolerance else None

    def _size(self, q: Array) -> float:
        own = (self.open.rows * self.form.system.phi(q, self.motion))[self.own & (self.part.rows > 0)]
        return float(own @ own)

    def _descend(self, q: Array) -> Array:
        for _ in range(MOST_STEPS):
            direction = self._direction(q)
            after = None if direction is None else self._reduce_gap(q, direction)
            if after is None:
                break
            q = after
        return q

    def _reduce_gap(self, q: Array, direction: Array) -> Array | None:
        """A step that reduces the gap, halved until it does; None where none does."""
        before = self._size(q)
        for _ in range(25):
            trial = self._close_others(q + self.part.step(self.form, direction))
            if trial is not None and self._size(trial) < before:
                return trial
            direction = direction / 2
        return None

    def _direction(self, q: Array) -> Array | None:
        """Newton step along the others; None where the gap is smallest, or J is not finite."""
        phi = self.form.system.phi(q, self.motion)
        A, _ = self.others.dense(self.form, q, self.motion, phi)
        B, gap = self.open.dense(self.form, q, self.motion, phi)
        if not (np.all(np.isfinite(A)) and np.all(np.isfinite(B))):
            return None
        Z = _null_space(A)
        if not Z.shape[1] or float(np.linalg.norm(gap)) < self.tolerance * self.form.weight[0]:
            return None
        slope = Z.T @ (B.T @ gap)
        bending = (B @ Z).T @ (B @ Z) + self._curvature(q, phi, A, B.T @ gap, Z)
        if not np.all(np.isfinite(bending)):
            return None  # products of what is finite may not be
        values, axes = np.linalg.eigh(bending)
        if np.linalg.norm(slope) < DONE:
            # A saddle, as of links drawn on top of each other, is left along the direction of most negative curvature.
            return np.asarray(Z @ axes[:, 0] * 0.1 * LONGEST) if values[0] < -1e-6 * abs(values).max() else None
        floor = max(1e-9, 1e-9 * float(np.abs(values).max()))
        step = -Z @ (axes @ ((axes.T @ slope) / np.maximum(np.abs(values), floor)))
        return np.asarray(step * min(1.0, LONGEST / float(np.linalg.norm(step))))

    def _curvature(self, q: Array, phi: Array, A: Array, slope: Array, Z: Array) -> Array:
        """Reduced Hessian Zᵀ (Σ σ_k ∇²Φ_k) Z, σ being the gaps of the open equations and the multipliers of others."""
        others = self.others.rows
        force = self.open.rows**2 * phi
        force[others > 0] = others[others > 0] * np.linalg.lstsq(A.T, -slope, rcond=None)[0]
        columns, weight = self.part.columns, self.form.weight

        def pull(at: Array) -> Array:
            return np.asarray(jacobian(self.form, at, self.motion).T @ force)[columns] / weight[columns]

        steps = [self.part.step(self.form, DIFFERENCE * z) for z in Z.T]
        bent = np.column_stack([(pull(q + step) - pull(q - step)) / (2 * DIFFERENCE) for step in steps])
        out = Z.T @ bent
        return np.asarray((out + out.T) / 2)


def _null_space(A: Array) -> Array:
    if not len(A):
        return np.eye(A.shape[1])
    _, values, lines = np.linalg.svd(A)
    return np.asarray(lines[int(np.sum(values > LOST * values[0])) :].T)
