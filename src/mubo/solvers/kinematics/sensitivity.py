"""Sensitivities of a motion: exact derivatives of positions, velocities, accelerations and every column by parameters.

Direct differentiation of the equations: J q_p = −Φ_p, and likewise the velocity and acceleration equations; the core
does it row by row. Columns follow from the states by the formulas of a run, over numbers that carry their derivatives.
Times are fixed: a derivative is that of a column at its time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mubo.arrays import Array, Integers
from mubo.errors import ModelError, RedundancyError, ResultError, nearest
from mubo.laws.tangent import all_derivatives, promote
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.mechanism import Absolute
from mubo.mechanism.parameter_derivatives import EquationDerivatives, equation_derivatives
from mubo.model.column_names import TIME
from mubo.results import Columns, Run
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.columns.columns import PlaneSchema, motion_columns, motion_of_drivers, owner_columns
from mubo.solvers.columns.measures import add_measures
from mubo.solvers.kinematics.redundant_rows import most_independent_rows

OPEN = 1e-7  # of the largest derivative of a position: a larger residual of a redundant equation is no rounding


@dataclass(frozen=True)
class SensitiveStates:
    """States of the bodies at some times (times × 3 × unknowns) and their derivatives (parameters before these)."""

    t: Array
    states: Array
    derivatives: Array


@dataclass(frozen=True)
class MotionSensitivity:
    """Derivatives of a run by parameters. `sensitivity["P.x"]` is parameters × times, in the model's units; NaN at a
    change point, where a motion has none."""

    run: Run
    names: tuple[str, ...]

    def __getitem__(self, name: str) -> Array:
        if name not in self.columns:
            raise ResultError(f'there are no derivatives of "{name}". {nearest(name, self.columns)}', names=[name])
        return column_derivatives(self.columns, name, self.names)

    @cached_property
    def columns(self) -> Columns:
        """Columns of the run, each with its derivatives."""
        return self.columns_at(self.run.columns.raw("t"))

    @cached_property
    def equations(self) -> EquationDerivatives:
        """Derivatives of the numbers of the equations."""
        return equation_derivatives(self._form.mechanism, self.names)

    def __contains__(self, name: object) -> bool:
        """Whether a column has derivatives; those of bodies, points and joints of the plane have them always."""
        return name in self._places or name in self._driven or name in self.columns

    @property
    def _places(self) -> Mapping[str, Any]:
        """Columns of bodies, points and joints that can be had without the others: those of the plane."""
        return PlaneSchema.of_model(self.run.model).places if self.run.model.dimension == 2 else {}

    @cached_property
    def _driven(self) -> frozenset[str]:
        """Columns of the drivers."""
        return frozenset(column.name for column in self.run.columns.of_kind("driver") if column.quantity == "value")

    def columns_at(self, times: Array, names: Sequence[str] = ()) -> Columns:
        """Columns at any times of the run, each with its derivatives; times that cannot be reached are left out.

        With `names` the columns of their owners alone, where these are bodies, points or joints of the plane.
        """
        return self.columns_of(self.states_at(times), names)

    def states_at(self, times: Array) -> SensitiveStates:
        """States at any times of the run with their derivatives; times that cannot be reached are left out."""
        run = self.run
        if run.record.rows is None:
            raise ModelError(f"derivatives of a run by {run.record.study} are not known")
        rows = run.record.rows(np.asarray(times, float))
        found = self._states(rows.t, np.ascontiguousarray(rows.absolute), rows.motion)
        return SensitiveStates(rows.t, rows.absolute, found.transpose(1, 0, 2, 3))

    def columns_of(self, at: SensitiveStates, names: Sequence[str] = ()) -> Columns:
        """Columns of some states, each with its derivatives; with `names` those of their owners, if they can stand
        alone."""
        run, form = self.run, self._form
        states = promote(at.states, at.derivatives, self.names)
        own = [name for name in names if name in self._places]
        driven = [name for name in names if name in self._driven]
        if names and len(own) + len(driven) == len(names):
            columns = Columns(form.model.units, [(TIME, at.t), *owner_columns(form, states, own)])
            if driven:
                by = self.equations
                columns.extend(motion_of_drivers(form.model, by.dual_motion(at.t), by.dual_factors))
            return columns
        columns = motion_columns(form, at.t, states, self.equations)
        self.add_forces(columns)
        add_measures(run.model, columns, None if np.array_equal(at.t, run.columns.raw("t")) else run.columns)
        return columns

    def add_forces(self, columns: Columns) -> None:
        """Add columns of forces with their derivatives, as far as they follow from the motion: here none."""

    @property
    def _form(self) -> Absolute:
        analysis = self.run.record.inspection
        if not isinstance(analysis, StartAnalysis):
            raise ModelError("derivatives need a run whose first position was analysed")
        return analysis.form

    def _states(self, t: Array, states: Array, motion: Array) -> Array:
        """Derivatives of states: times × parameters × 3 × unknowns."""
        form, by = self._form, self.equations
        system = form.system
        active = self._active(states, motion)
        _, derivatives, left = system.sensitivities(
            active, states, motion, by.parameters, by.fixed, np.ascontiguousarray(by.motion(t)), by.profiles
        )
        if self.run.record.inspection.diagnosis.dependent:
            self._require_closed(derivatives, left)
        return derivatives

    def _active(self, states: Array, motion: Array) -> Integers:
        """Equations solved at each time: of redundant ones the most independent."""
        analysis, form = self.run.record.inspection, self._form
        if not analysis.diagnosis.dependent:
            return np.tile(np.asarray(analysis.diagnosis.independent, np.int32), (len(states), 1))
        return np.array(
            [most_independent_rows(form, state[0], line) for state, line in zip(states, motion, strict=True)], np.int32
        )

    def _require_closed(self, derivatives: Array, left: Array) -> None:
        """Refuse a parameter whose change would make redundant equations disagree."""
        form, scales = self._form, self._form.equation_scales.weight
        sizes = np.nanmax(np.abs(derivatives[:, :, 0] * form.weight), axis=(0, 2), initial=0.0)
        for name, opened, size in zip(self.names, left * scales, sizes, strict=True):
            worst = int(np.argmax(opened))
            if opened[worst] > OPEN * size:
                equation = form.equations[worst]
                raise RedundancyError(
                    f"{equation} is redundant, and would no longer close if {name} alone changed: the mechanism has no "
                    f"derivative by {name}",
                    names=[equation.name, name],
                    suggestion="Make what must change together depend on the same parameter, or remove the redundancy.",
                )


def column_derivatives(columns: Columns, name: str, names: Sequence[str]) -> Array:
    """Derivatives of a column by parameters, zero where it does not depend on any."""
    return all_derivatives(columns[name], names)
