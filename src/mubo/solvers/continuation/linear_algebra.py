"""Linear algebra on J outside the hot loop: dense for small systems, SuperLU of SciPy for large ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from mubo import _core
from mubo.arrays import Array, Booleans
from mubo.laws.number_text import number, unit_text
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.absolute import EquationScales
from mubo.mechanism.rows import Equation
from mubo.model import Units


@dataclass(frozen=True)
class ClosureGap:
    """Gap of an element that does not close: a length and an angle (in radians), or their rates."""

    length: float
    angle: float
    order: int = 0  # 1 and 2 for velocity and acceleration

    def describe(self, units: Units) -> str:
        """Text such as "0.3 m and 12 deg"; a part that is negligible beside the other is left out."""
        parts = [("length", self.length), ("angle", self.angle)]
        texts = [
            format_amount(value, holds, units, self.order)
            for holds, value in parts
            if value > 1e-9 * max(self.size, 1.0)
        ]
        return " and ".join(texts) or format_amount(self.size, "length", units, self.order)

    @property
    def size(self) -> float:
        """The length of the gap, or its angle where there is no length."""
        return self.length or self.angle


def closure_gap(form: Absolute, scales: EquationScales, phi: Array, owner: str, order: int = 0) -> ClosureGap:
    """Gap of one element: the distance between its points, and the largest of its angles."""
    length, angle, first = 0.0, 0.0, 0
    for row in form.mechanism.rows:
        last = first + len(row.words)
        if row.owner.owner == owner:
            turning = scales.turning[first:last]
            angles = np.abs(phi[first:last] / scales.radians[first:last])
            angle = max(angle, float(np.max(angles[turning], initial=0.0)))
            length = max(length, float(np.linalg.norm(phi[first:last][~turning])))
        first = last
    return ClosureGap(length, angle, order)


def format_amount(value: float, holds: str, units: Units, order: int = 0, digits: int = 4) -> str:
    """Text such as "0.3 m", "12 deg", "0.1 rad/s"; a length has no unit where the model declares none."""
    factor, unit, _ = units.unit(holds, order)
    unit = unit or ("rad" + ("", "/s", "/s^2")[order] if holds == "angle" else "")
    return f"{number(value / factor + 0.0, digits)} {unit_text(unit)}".rstrip()


def equations_owned_by(equations: Iterable[Equation], owners: Iterable[str]) -> Booleans:
    """Flags of the equations that belong to the named elements."""
    wanted = set(owners)
    return np.array([equation.owner in wanted for equation in equations], bool)


# Measured on a scissor lift: above about this many unknowns SuperLU from Python beats the dense core.
DENSE_LIMIT = 120

RANK_TOLERANCE = 1e-9  # length below which a scaled equation depends on others


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


class SparseLU:
    """LU factors of a square sparse matrix, and whether it has full rank."""

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


@dataclass(frozen=True)
class EquationSubset:
    """Equations that an assembly closes and unknowns that it moves: a factor for every equation (0: it may stay open)
    that makes lengths comparable with angles, and a flag for every unknown."""

    rows: Array
    columns: Booleans

    @staticmethod
    def whole(form: Absolute) -> EquationSubset:
        return EquationSubset(form.equation_scales.weight, np.ones(len(form.weight), bool))

    @property
    def is_whole(self) -> bool:
        return bool(np.all(self.rows > 0) and np.all(self.columns))

    def scaled(self, form: Absolute, q: Array, motion: Array, phi: Array) -> tuple[Any, Array]:
        """Dimensionless J and Φ of the subset, rows by their factors and columns by the weights of the unknowns; J is
        sparse where the subset is large."""
        rows, columns = np.flatnonzero(self.rows), np.flatnonzero(self.columns)
        right = self.rows[rows] * phi[rows]
        if not is_large(form):
            return self.rows[rows, None] * jacobian(form, q, motion)[np.ix_(rows, columns)] / form.weight[
                columns
            ], right
        entries = form.system.jacobian_entries(q, motion)
        row, column = entries[:, 0].astype(int), entries[:, 1].astype(int)
        meant = (self.rows[row] > 0) & self.columns[column]
        row, column = row[meant], column[meant]
        value = self.rows[row] * entries[meant, 2] / form.weight[column]
        row, column = np.searchsorted(rows, row), np.searchsorted(columns, column)
        if len(columns) <= DENSE_LIMIT:
            out = np.zeros((len(rows), len(columns)))
            np.add.at(out, (row, column), value)
            return out, right
        from scipy.sparse import csc_matrix

        return csc_matrix((value, (row, column)), (len(rows), len(columns))), right

    def dense(self, form: Absolute, q: Array, motion: Array, phi: Array) -> tuple[Array, Array]:
        """Dimensionless J and Φ of the subset, J as an array also where the subset is large."""
        J, right = self.scaled(form, q, motion, phi)
        return (J if isinstance(J, np.ndarray) else J.toarray()), right

    def step(self, form: Absolute, change: Array) -> Array:
        """Expand a change of the scaled unknowns to all unknowns."""
        out = np.zeros(len(form.weight))
        out[self.columns] = change / form.weight[self.columns]
        return out


def newton_step(form: Absolute, q: Array, motion: Array, phi: Array, part: EquationSubset) -> Array | None:
    """Newton step Δq with J Δq = −Φ (of least norm where several exist); None where J is not finite, or a large J has
    no full rank."""
    A, right = part.scaled(form, q, motion, -phi)
    if isinstance(A, np.ndarray):
        if not np.all(np.isfinite(A)):
            return None
        return part.step(form, np.asarray(np.linalg.lstsq(A, right, rcond=1e-12)[0], float))
    if A.shape[0] != A.shape[1] or not np.all(np.isfinite(A.data)):
        return None
    factor = SparseLU(A)
    return part.step(form, factor.solve(right)) if factor.regular else None


def damped_step(
    form: Absolute, q: Array, motion: Array, phi: Array, damping: float, part: EquationSubset
) -> Array | None:
    """Levenberg step Δq with (JᵀJ + μ) Δq = −JᵀΦ in scaled unknowns; None where J is not finite, as for a distance
    whose points coincide."""
    A, right = part.scaled(form, q, motion, -phi)
    if not np.all(np.isfinite(A if isinstance(A, np.ndarray) else A.data)):
        return None
    if isinstance(A, np.ndarray):  # as a least-squares problem, which has an answer however small the damping
        stacked = np.vstack([A, np.sqrt(damping) * np.eye(A.shape[1])])
        wanted = np.concatenate([right, np.zeros(A.shape[1])])
        return part.step(form, np.linalg.lstsq(stacked, wanted, rcond=None)[0])
    from scipy.sparse import identity
    from scipy.sparse.linalg import splu

    floor = 1e-12 * float(np.max(np.abs((A.multiply(A)).sum(axis=0))))  # keeps the matrix regular
    matrix = A.T @ A + max(damping, floor) * identity(A.shape[1])
    return part.step(form, splu(matrix.tocsc()).solve(A.T @ right))
