"""Linear algebra on J outside the hot loop: dense for small systems, SuperLU of SciPy for large ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo import _core
from mubo.arrays import Array
from mubo.mechanism import Absolute

# Measured on a scissor lift: above about this many unknowns SuperLU from Python beats the dense core.
DENSE_LIMIT = 120


def is_large(form: Absolute) -> bool:
    return int(form.system.unknowns) > DENSE_LIMIT


def jacobian(form: Absolute, q: Array, motion: Array) -> Any:
    """J at q: a dense array, or a sparse matrix where the system is large."""
    if not is_large(form):
        return form.system.jacobian(q, motion)
    from scipy.sparse import csc_matrix

    entries = form.system.jacobian_entries(q, motion)
    shape = (form.system.equations, form.system.unknowns)
    return csc_matrix((entries[:, 2], (entries[:, 0].astype(int), entries[:, 1].astype(int))), shape)


class Factor:
    """LU of a square sparse matrix, and whether it has full rank."""

    def __init__(self, matrix: Any) -> None:
        from scipy.sparse.linalg import splu

        self.regular = True
        try:
            self._lu = splu(matrix.tocsc())
        except RuntimeError:  # SuperLU says "Factor is exactly singular"
            self.regular = False
            return
        pivots = np.abs(self._lu.U.diagonal())
        self.regular = bool(pivots.min() > _core.lost_pivot * pivots.max())
        self.smallest = float(pivots.min())

    def solve(self, right: Array) -> Array:
        return np.asarray(self._lu.solve(right))

    @property
    def sign(self) -> int:
        """Sign of the determinant."""
        sign = np.prod(np.sign(self._lu.U.diagonal()))
        return int(sign) * _parity(self._lu.perm_r) * _parity(self._lu.perm_c)


def _parity(permutation: Array) -> int:
    """+1 for an even permutation, −1 for an odd one, by length minus number of cycles."""
    after = permutation.tolist()
    cycles = 0
    for start in range(len(after)):
        if after[start] < 0:
            continue
        cycles += 1
        k = start
        while after[k] >= 0:
            after[k], k = -1, after[k]
    return -1 if (len(after) - cycles) % 2 else 1


def newton_step(form: Absolute, q: Array, motion: Array, phi: Array) -> Array | None:
    """Δq with J Δq = −Φ (shortest where several fit), or None where J is lost, or a large one has no full rank."""
    J = jacobian(form, q, motion)
    if not is_large(form):
        if not np.all(np.isfinite(J)):
            return None
        return np.asarray(np.linalg.lstsq(J, -phi, rcond=1e-12)[0])
    if J.shape[0] != J.shape[1]:
        return None
    factor = Factor(J)
    return factor.solve(-phi) if factor.regular else None


def damped_step(form: Absolute, q: Array, motion: Array, phi: Array, damping: float) -> Array | None:
    """Δq with (JᵀJ + μ W²) Δq = −JᵀΦ (Levenberg), W making lengths comparable with angles; None where J is lost, as
    that of a distance is where its points meet."""
    J = jacobian(form, q, motion)
    weight = np.sqrt(damping) * form.weight
    if not np.all(np.isfinite(J.data if is_large(form) else J)):
        return None
    if not is_large(form):  # as a least-squares problem, which has an answer however small the damping
        stacked = np.vstack([J, np.diag(weight)])
        return np.asarray(np.linalg.lstsq(stacked, np.concatenate([-phi, np.zeros(len(q))]), rcond=None)[0])
    from scipy.sparse import diags
    from scipy.sparse.linalg import splu

    floor = 1e-12 * float(np.max(np.abs((J.multiply(J)).sum(axis=0))))  # keeps the matrix regular
    return np.asarray(splu((J.T @ J + diags(np.maximum(weight**2, floor))).tocsc()).solve(-(J.T @ phi)))
