"""Derivatives of the loads at a reference, by the core's own jets: W K Wᵀ and W C Wᵀ, K = −∂F/∂x, C = −∂F/∂v.

x are displacements and v twists of the bodies, F what a load exerts about their origins, all in ground axes. The sizes
of loads that depend on the motion through its columns are no part of a formula: what they change is left to
differences.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import SimulationError, status_text
from mubo.model.column_laws import ColumnLaw
from mubo.solvers.forces.applied_loads import AppliedLoads, applied_loads, wrench_per_load_size
from mubo.solvers.linear.reduced_coordinates import Vicinity


@dataclass(frozen=True, eq=False)
class LoadDerivatives:
    """The loads of a reference state (1 × (q, q̇, q̈) × unknowns) and their derivatives."""

    near: Vicinity
    reference: Array

    @cached_property
    def _applied(self) -> AppliedLoads:
        return applied_loads(self.near.rest.form, self.reference, self.near.columns(self.reference))

    @cached_property
    def _effects(self) -> Array:
        """The wrench of a unit of each load with a law: laws × bodies × components; empty where no size
        depends on the motion."""
        form = self.near.rest.form
        if not any(isinstance(load.law, ColumnLaw) for load in form.loads.loads):
            return np.zeros((0, *self._applied.on.shape[1:]))
        found = wrench_per_load_size(form, self.reference, self.near.columns(self.reference))
        return np.array([found[load.name] for load in form.loads.with_law])

    def frozen(self, states: Array) -> Array:
        """The loads of the reference at other states, with the sizes that these give them."""
        on = np.repeat(self._applied.on, len(states), axis=0)
        if len(self._effects):
            states = np.ascontiguousarray(states)
            sizes = applied_loads(self.near.rest.form, states, self.near.columns(states)).sizes - self._applied.sizes
            on = on + np.einsum("sl,lbc->sbc", sizes, self._effects)
        return np.ascontiguousarray(on)

    @property
    def stiffness(self) -> Array:
        """W K Wᵀ of all loads."""
        return self._stiffness_by_displacements @ self.near.basis.T

    @property
    def damping(self) -> Array:
        """W C Wᵀ of all loads."""
        return self.damping_by_twists @ self.near.basis.T

    @cached_property
    def _stiffness_by_displacements(self) -> Array:
        return self._gathered("stiffness")

    @cached_property
    def damping_by_twists(self) -> Array:
        """W C: degrees of freedom × twists of the moving bodies."""
        return self._gathered("damping")

    def _gathered(self, which: str) -> Array:
        """W times the matrix of every load, added up over the bodies that move."""
        form, made, W = self.near.rest.form, self.near.rest.form.loads, self.near.basis
        wide, count = form.width, len(form.free)
        if not made.loads or not count:
            return np.zeros_like(W)
        n = W.shape[1] // count
        poses = np.vstack([self.near.q.reshape(count, wide), made.fixed.reshape(-1, wide)])
        twists = np.zeros((len(poses), n))
        twists[:count] = self.near.twist.reshape(count, n)
        loads = self._applied
        turns = None if loads.near is None else np.ascontiguousarray(loads.near[0])
        of_core = getattr(made.core, which)
        status, where, each = of_core(poses, twists, np.ascontiguousarray(loads.sizes[0]), turns)
        if status != Status.done:
            name = made.loads[where].name
            raise SimulationError(f"force {name}: its derivative does not exist ({status_text(status)})", names=[name])
        out = np.zeros((len(W), len(poses), n))
        sides = np.concatenate([W.reshape(len(W), count, n), np.zeros((len(W), len(poses) - count, n))], axis=1)
        for bodies, matrix in zip(made.bodies, each, strict=True):
            line = np.concatenate([sides[:, body] for body in bodies], axis=1) @ matrix
            for k, body in enumerate(bodies):
                out[:, body] += line[:, k * n : (k + 1) * n]
        return np.asarray(out[:, :count].reshape(len(W), -1))
