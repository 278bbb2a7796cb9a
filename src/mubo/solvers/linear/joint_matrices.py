"""M, C and K of a tree in its joint coordinates, by the exact derivatives of its inverse dynamics.

Along the motion of a tree the efforts τ(y, ẏ, ÿ) = M ÿ + h(y, ẏ) of its joints vanish, so that M = ∂τ/∂ÿ, C = ∂τ/∂ẏ
and K = ∂τ/∂y at the reference, with its accelerations kept (Singh, Russell and Wensing 2022, doi
10.1109/LRA.2022.3141194, for the derivatives). What closes loops or is driven, and rotations that no coordinate counts,
are linearised in absolute coordinates (`matrices.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array, Integers
from mubo.errors import ModelError
from mubo.model import ModelDefinition
from mubo.model.column_laws import ColumnLaw
from mubo.solvers.dynamics.equations import EquationsOfMotion

ROUNDING = 1e-9  # of the largest entry: what differences leave where there is nothing


@dataclass(frozen=True, eq=False)
class JointEquations:
    """Equations of motion of a tree without drivers, and the place of every degree of freedom among its rates."""

    equations: EquationsOfMotion
    order: Integers

    def matrices(
        self, values: Array, time: float, sizes: Array, accelerating: bool
    ) -> tuple[Array, Array, Array, Array, float]:
        """ÿ, M, C, K and a typical rate, at rest at y = `values`; ÿ is zero unless the tree is `accelerating` under its
        loads."""
        q, rest = np.empty(len(values)), np.zeros(len(values))
        q[self.order] = values
        change = self.equations.forward_dynamics(q, rest, rest, time) if accelerating else rest
        by_q, by_v, by_a = self.equations.inverse_dynamics_derivatives(q, rest, change, time)
        at = self.order[:, None], self.order
        M, C, K = by_a[at], by_v[at], by_q[at]
        scale = sizes * sizes[:, None]
        stiff, heavy = _largest(K, scale), _largest(M, scale)
        rate = float((stiff / heavy) ** 0.5) if heavy > 0 and stiff > 0 else 1.0
        return change[self.order], (M + M.T) / 2, *_without_rounding(C, K, scale, stiff, rate), rate


def vibration_rate(M: Array, K: Array, sizes: Array) -> float:
    """Radians per unit of time of a vibration, by the largest entries; zero where nothing is stiff."""
    scale = sizes * sizes[:, None]
    stiff, heavy = _largest(K, scale), _largest(M, scale)
    return float((stiff / heavy) ** 0.5) if heavy > 0 else 0.0


def without_rounding(C: Array, K: Array, sizes: Array, rate: float) -> tuple[Array, Array]:
    """C and K without entries that are only rounding beside the largest force."""
    scale = sizes * sizes[:, None]
    return _without_rounding(C, K, scale, _largest(K, scale), rate)


def _without_rounding(C: Array, K: Array, scale: Array, stiff: float, rate: float) -> tuple[Array, Array]:
    C = _cleared(C, scale, max(_largest(C, scale), stiff / rate)) if C.any() else C
    return C, _cleared(K, scale, stiff)


def _largest(matrix: Array, scale: Array) -> float:
    """The largest entry, lengths in sizes of the mechanism."""
    return float(np.abs(matrix * scale).max(initial=0.0))


def _cleared(matrix: Array, scale: Array, largest: float) -> Array:
    """Set to zero columns that are only rounding, as those of a coordinate on which nothing depends, and an asymmetry
    that is only rounding."""
    even = _largest(matrix - matrix.T, scale) <= 2 * ROUNDING * largest
    out = (matrix + matrix.T) / 2 if even else matrix.copy()  # a sum commutes: symmetric to the last bit
    nothing = np.abs(out * scale).max(axis=0, initial=0.0) <= ROUNDING * largest
    if nothing.any():
        out[:, nothing] = 0.0
        if even:
            out[nothing] = 0.0
    return out


def joint_equations(model: ModelDefinition, dofs: Sequence[str]) -> JointEquations | None:
    """The equations of a tree whose joint coordinates are the degrees of freedom; none of any other mechanism."""
    kept: dict[tuple[str, ...], JointEquations | None] = model.derived_values.setdefault("joint equations", {})
    key = tuple(dofs)
    if key not in kept:
        kept[key] = _compile(model, dofs)
    return kept[key]


def _compile(model: ModelDefinition, dofs: Sequence[str]) -> JointEquations | None:
    options = [option for force in model.forces.values() for option in force.options.values()]
    if model.drivers or any(isinstance(option, ColumnLaw) for option in options):
        return None
    try:
        equations = EquationsOfMotion(model)
    except ModelError:  # what is no tree of bodies with inertia is linearised in absolute coordinates
        return None
    names = equations.names.q
    if equations.loops or len(names) != len(equations.names.v) or set(names) != set(dofs):
        return None
    return JointEquations(equations, np.array([names.index(name) for name in dofs]))
