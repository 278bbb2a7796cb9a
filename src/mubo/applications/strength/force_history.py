"""A motion with its forces at any time, from which pins, beams, clearances and gait are computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any, TypeVar

import numpy as np

from mubo.analyses.inverse import ForceProblem
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.model import ModelDefinition
from mubo.results import Run
from mubo.solvers.forces.applied_loads import wrenches_by_load
from mubo.solvers.forces.force_solution import ForceSolution, ForceSolver
from mubo.solvers.kinematics.problem import MotionRows

_T = TypeVar("_T")


@dataclass(frozen=True)
class ForceSample:
    """Positions, rates, accelerations and forces at some times of a planar motion."""

    rows: MotionRows
    problem: ForceProblem
    known: dict[Any, Any] = field(default_factory=dict, repr=False)  # quantities computed from it already

    @property
    def t(self) -> Array:
        return self.rows.t

    @property
    def solver(self) -> ForceSolver:
        return self.problem.solver

    @cached_property
    def forces(self) -> ForceSolution:
        """The forces, solved when they are asked for."""
        return self.problem.solved_forces(self.rows)

    def once(self, key: tuple[str, ...], make: Callable[[], _T]) -> _T:
        """The result of `make`, computed once."""
        if key not in self.known:
            self.known[key] = make()
        known: _T = self.known[key]
        return known

    def motion_of(self, body: str) -> Array:
        """x, y, φ of a body with rates and accelerations: times × 3 × 3."""
        form = self.solver.form
        if body in form.numbers:
            k = form.free.index(body)
            return np.asarray(self.rows.absolute[:, :, 3 * k : 3 * k + 3])
        out = np.zeros((len(self.t), 3, 3))
        out[:, 0] = form.mechanism.poses[body]
        return out

    def axes(self, body: str) -> Array:
        """Axes of a body in ground axes: times × 2 × 2, its x and y as columns."""
        return self.once(("axes", body), lambda: self._axes(body))

    def _axes(self, body: str) -> Array:
        angle = self.motion_of(body)[:, 0, 2]
        c, s = np.cos(angle), np.sin(angle)
        return np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)

    def place(self, body: str, at: tuple[float, ...] | Array) -> Array:
        """A point of a body in ground axes: times × 2."""
        return np.asarray(self.motion_of(body)[:, 0, :2] + self.axes(body) @ np.asarray(at, float))

    @cached_property
    def loads(self) -> dict[str, Array]:
        """The wrench of every load by itself: times × bodies × components, about the origins of the bodies."""
        return wrenches_by_load(self.solver.form, self.rows.absolute, self.forces.loads)


@dataclass(frozen=True)
class ForceHistory:
    """A run with the problem that it solved, from which samples at and between its rows are taken."""

    problem: ForceProblem
    run: Run

    @property
    def model(self) -> ModelDefinition:
        return self.problem.model

    def at(self, times: Array) -> ForceSample:
        """The motion at times; those that it cannot reach are left out."""
        assert self.run.record.rows is not None
        rows: MotionRows = self.run.record.rows(times)
        return ForceSample(rows, self.problem)
