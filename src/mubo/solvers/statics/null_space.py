"""Constraints at a position, J x = b: the free motions, the smallest motion that meets them, and the multipliers.

Few displacements: by the singular values of J. Many: by sparse factors of [a Jᵀ; J −d], a small so that long chains of
weak equations keep their digits (Björck 1996, section 2.5), in proximal steps (Rockafellar 1976): dependent equations
do not make the matrix singular, and the error by d is removed from iteration to iteration. Free motions are then random
ones, projected on the constraints.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mappings import cached_property

RANK_TOLERANCE = 1e-9  # of an equation of unit length, as for the mobility
MANY = 200  # displacements from which on J is sparse
MOST_FREE = 512  # free motions: the reduced equations are dense in them
SOFT = 1e-10  # d, for equations of unit length
LIGHT = 1e-6  # a
ROUNDS = 8
BLOCK = 8  # random motions in the first block


class ConstraintProjection:
    """Projection on constraints J of unit length over scaled displacements; dense or sparse."""

    def __init__(self, J: Any) -> None:
        self._J = J
        if not isinstance(J, np.ndarray):
            from scipy.sparse import block_array, csc_array, eye_array
            from scipy.sparse.linalg import splu

            rows, columns = J.shape
            matrix = block_array([[LIGHT * eye_array(columns), J.T], [J, -SOFT * eye_array(rows)]])
            self._factor = splu(csc_array(matrix))

    @cached_property
    def _singular(self) -> tuple[Array, Array, Array]:
        left, values, right = np.linalg.svd(self._J)
        return left, values, right

    @property
    def _rank(self) -> int:
        return int(np.sum(self._singular[1] > RANK_TOLERANCE))

    @cached_property
    def free(self) -> Array:
        """Basis Z: free motions × displacements, orthonormal."""
        if isinstance(self._J, np.ndarray):
            return self._singular[2][self._rank :]
        random, count = np.random.default_rng(0), BLOCK
        while True:
            block = self.projected(random.standard_normal((count, self._J.shape[1])))
            _, values, lines = np.linalg.svd(block, full_matrices=False)
            found = int(np.sum(values > np.sqrt(RANK_TOLERANCE) * max(values[0], 1.0)))
            if found < count:
                return lines[:found]
            if count >= MOST_FREE:
                raise ModelError(
                    f"{MOST_FREE} and more free motions: equilibria and linearised motion of so many are not computed",
                    suggestion="Drive some of them, or analyse a part of the mechanism.",
                )
            count *= 4

    def projected(self, motions: Array) -> Array:
        """Return the nearest motions that satisfy the constraints."""
        return motions - self.least((self._J @ motions.T).T)

    def least(self, right: Array) -> Array:
        """Return the smallest x with J x = right, one line for each line."""
        if isinstance(self._J, np.ndarray):
            left, values, lines = self._singular
            rank = self._rank
            return np.asarray((right @ left[:, :rank] / values[:rank]) @ lines[:rank])
        nothing = np.zeros((*right.shape[:-1], self._J.shape[1]))
        return self._solve_proximal(nothing, right)[0]

    def carrying(self, force: Array) -> Array:
        """Return the smallest λ that balance the part of a force which does no work along the free motions; where J is
        sparse, the load that dependent equations share has rounding errors, which move nothing."""
        if isinstance(self._J, np.ndarray):
            left, values, lines = self._singular
            rank = self._rank
            return np.asarray(((force @ lines[:rank].T) / values[:rank]) @ left[:, :rank].T)
        return self._solve_proximal(force, np.zeros((*force.shape[:-1], self._J.shape[0])))[1]

    def _solve_proximal(self, force: Array, right: Array) -> tuple[Array, Array]:
        """Solution x and λ of x + Jᵀ λ = force, J x = right."""
        J, columns = self._J, self._J.shape[1]
        x, pull = np.zeros_like(force), np.zeros_like(right)
        for _ in range(ROUNDS):
            open_force, open_right = LIGHT * (force - x) - (J.T @ pull.T).T, right - (J @ x.T).T
            change = self._factor.solve(np.concatenate([open_force, open_right], -1).T).T
            x, pull = x + change[..., :columns], pull + change[..., columns:]
            if np.max(np.abs(change[..., :columns]), initial=0.0) <= 1e-14 * np.max(np.abs(x), initial=0.0):
                break
        return x, pull / LIGHT
