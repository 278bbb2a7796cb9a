"""Integration of stiff trees: LSODA, Radau or BDF of SciPy on the core's right side and Jacobian.

A fault within a trial step (an overflow, two points that meet) means only that the step was too long: the method
restarts at the last good state with a shorter step. Where the step falls to rounding, the fault ends the run. The
method also restarts at every corner of a law.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo import _core
from mubo._core import Status
from mubo.arrays import Array, distinct
from mubo.mechanism.formulations.tree import Tree
from mubo.solvers.dynamics.integration import BY_COLUMNS, EventSensor, IntegrationResult, Watched, absolute_tolerances
from mubo.solvers.dynamics.settings import SimulationSettings

LEAST_RTOL = 1e-13  # below it these methods do not converge
SHORTER = 0.1  # factor of a step in which a fault occurred


class _Fault(Exception):
    """The core could not evaluate the right side or its Jacobian."""


class StiffIntegrator:
    """Integration by the stiff method of the settings, from corner to corner of the laws."""

    def __init__(
        self,
        tree: Tree,
        grid: Array,
        y: Array,
        settings: SimulationSettings,
        watched: list[Watched],
        sensor: EventSensor | None,
    ) -> None:
        self._sensor = sensor
        self._tree, self._grid, self._settings, self._watched = tree, grid, settings, watched
        self._start, self._end = float(grid[0]), float(grid[-1])
        self._atol = absolute_tolerances(tree, grid, y, settings, np.inf)
        # Crossings are detected between ends of steps only.
        self._longest = float(grid[1] - grid[0]) if watched else np.inf
        self._t, self._state = self._start, np.asarray(y, float)
        self._fault = (Status.done, -1)
        self._tried = 0.0  # the farthest time that the current trial step has evaluated
        self._rows, self._ends = [self._state], [self._start]
        self._out = IntegrationResult(self._state[None], self._start)

    def run(self, corners: Array) -> IntegrationResult:
        """Integrate to the end of the grid, or to where the run must stop."""
        inner = corners[(corners > self._start) & (corners < self._end)]
        for last in distinct([*inner, self._end]):
            self._advance(float(last))
            if self._out.status != Status.done:
                break
        self._out.states, self._out.ends = np.array(self._rows), np.array(self._ends)
        return self._out

    def _advance(self, last: float) -> None:
        """Advance to the next corner of a law, or to where the run must stop."""
        step = None
        while self._t < last and self._out.status == Status.done:
            before = self._t
            if self._exhausted():
                return
            try:
                with np.errstate(over="ignore", invalid="ignore"):  # an overflow is a fault, raised below
                    self._follow(last, step)
            except _Fault:
                self._out.rejected += 1
                failed = step if step is not None and self._t == before else np.inf
                step = SHORTER * min(self._tried - self._t, failed)
                if step <= 10 * np.spacing(abs(self._t)):
                    self._out.status, self._out.where = self._fault

    def _follow(self, last: float, step: float | None) -> None:
        """Step from the last good state to a corner; a fault is raised, and the good steps are kept."""
        solver = self._solver(last, step)
        while self._t < last and self._out.status == Status.done:
            self._tried = self._t
            if self._exhausted():
                return
            try:
                solver.step()
            except ValueError as error:
                if "infs or NaNs" not in str(error):
                    raise
                self._fault = Status.not_finite, -1
                raise _Fault from None
            if solver.status == "failed":
                self._out.status = Status.collapsed
                return
            self._accept(solver)

    def _exhausted(self) -> bool:
        """Whether all allowed steps are used up; that ends the run."""
        if self._out.steps + self._out.rejected >= self._settings.most_steps(len(self._grid), self._sensor is not None):
            self._out.status = Status.step_limit
        return self._out.status == Status.step_limit

    def _solver(self, last: float, step: float | None) -> Any:
        from scipy import integrate

        method: Any = getattr(integrate, self._settings.method)
        shortened = {} if step is None else {"first_step": min(step, last - self._t)}
        self._tried = self._t + (step or last - self._t)
        return method(
            self._right_side,
            self._t,
            self._state,
            last,
            max_step=self._longest,
            rtol=max(self._settings.rtol, LEAST_RTOL),
            atol=self._atol,
            jac=self._jacobian,
            **shortened,
        )

    def _accept(self, solver: Any) -> None:
        """Accept a good step with its events and output rows."""
        self._out.steps += 1
        before, end, dense = self._t, float(solver.t), solver.dense_output()
        for number, t in sorted(self._crossings(dense, before, end), key=lambda event: event[1]):
            self._out.events.append((number, t))
            if self._watched[number][3]:
                self._out.status, end = Status.event_stop, t
                break
        first = len(self._rows)
        due = self._grid[first:][self._grid[first:] <= end]
        self._rows += [solver.y.copy() if t == solver.t else dense(t) for t in due]
        self._t, self._state = end, solver.y.copy() if end == solver.t else dense(end)
        self._out.reached = end
        self._ends.append(end)
        self._settings.progress(end - self._start, self._end - self._start)

    def _crossings(self, dense: Any, before: float, end: float) -> list[tuple[int, float]]:
        """Events within a step; a step that begins on the value of an event does not cross it there."""
        from scipy.optimize import brentq

        events = []
        for number, (entry, value, direction, _) in enumerate(self._watched):

            def gap(t: float, number: int = number, entry: int = entry, value: float = value) -> float:
                return self._event_value(dense(t), t, number, entry) - value

            one, two = gap(before), gap(end)
            sign = (one < 0 <= two) - (one > 0 >= two)
            if sign and direction in (0, sign):
                events.append((number, end if two == 0 else float(brentq(gap, before, end, xtol=4e-16, rtol=1e-15))))
        return events

    def _event_value(self, state: Array, t: float, number: int, entry: int) -> float:
        """Value of an event: a position, driven ones by their laws, a program of the core, or a column."""
        if entry == BY_COLUMNS:
            assert self._sensor is not None
            return float(self._sensor(number, np.array([t]), state[None])[0])
        if entry >= len(state):
            return _core.event_value_at(self._tree.system, entry - len(state), t, np.ascontiguousarray(state))
        nq, nv = self._tree.links.positions, self._tree.links.velocities
        q, _, _ = self._tree.system.drive(np.array([t]), state[None, :nq].copy(), state[None, nq : nq + nv].copy())
        return float(q[0, entry])

    def _right_side(self, t: float, state: Array) -> Array:
        self._out.evaluations += 1
        return self._evaluated(t, self._tree.system.rhs(t, np.ascontiguousarray(state), self._settings.user))

    def _jacobian(self, t: float, state: Array) -> Array:
        size, user = self._tree.mechanism.size, self._settings.user
        return self._evaluated(t, self._tree.system.jacobian(t, np.ascontiguousarray(state), size, user))

    def _evaluated(self, t: float, answer: tuple[Status, int, Array]) -> Array:
        status, where, values = answer
        self._tried = max(self._tried, t)
        if status == Status.done and not np.all(np.isfinite(values)):
            status, where = Status.not_finite, -1
        if status != Status.done:
            self._fault = status, where
            raise _Fault
        return values
