"""Stiff trees: LSODA, Radau or BDF of SciPy on the core's right side and slopes, between corners of the laws.

A fault within a trial step (a number beyond all bounds, two points that meet) only says that the step went too far:
the method begins anew at the last good state with a shorter step. Where the step falls to rounding, the fault is the
answer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.integrate import BDF, LSODA, Radau
from scipy.optimize import brentq

from mubo import _core
from mubo._core import Status
from mubo.arrays import Array
from mubo.mechanism.formulations.tree import Tree
from mubo.solvers.dynamics.integrate import LOOKED_AT, Integrated, Look, Watched, absolute_tolerances
from mubo.solvers.dynamics.settings import SimulationSettings

LEAST_RTOL = 1e-13  # below it these methods do not converge
SHORTER = 0.1  # of a step in which a fault occurred
SOLVERS = {"LSODA": LSODA, "Radau": Radau, "BDF": BDF}


class _Fault(Exception):
    """The core could not evaluate the right side or its slopes."""


def integrate_stiff(
    tree: Tree,
    grid: Array,
    y: Array,
    corners: Array,
    settings: SimulationSettings,
    watched: list[Watched],
    look: Look | None,
) -> Integrated:
    """States at the output times reached, by the method that the settings name."""
    run = _StiffRun(tree, grid, y, settings, watched, look)
    inner = corners[(corners > grid[0]) & (corners < grid[-1])]
    for last in np.unique([*inner, grid[-1]]):
        run.advance(float(last))
        if run.out.status != Status.done:
            break
    run.out.states = np.array(run.rows)
    run.out.ends = np.array(run.ends)
    return run.out


class _StiffRun:
    """A run in pieces; `out` is what it has come to, `rows` the states at the output times."""

    def __init__(
        self,
        tree: Tree,
        grid: Array,
        y: Array,
        settings: SimulationSettings,
        watched: list[Watched],
        look: Look | None,
    ) -> None:
        self._look = look
        self._tree, self._grid, self._settings, self._watched = tree, grid, settings, watched
        self._start, self._end = float(grid[0]), float(grid[-1])
        self._atol = absolute_tolerances(tree, grid, y, settings, np.inf)
        # Crossings are seen between ends of steps only.
        self._longest = float(grid[1] - grid[0]) if watched else np.inf
        self._t, self._state = self._start, np.asarray(y, float)
        self._fault = (Status.done, -1)
        self._tried = 0.0  # the farthest time that the current trial step has asked for
        self.rows, self.ends = [self._state], [self._start]
        self.out = Integrated(self._state[None], self._start)

    def advance(self, last: float) -> None:
        """To the next corner of a law, or to where the run must stop."""
        step = None
        while self._t < last and self.out.status == Status.done:
            begun = self._t
            if self._exhausted():
                return
            try:
                with np.errstate(over="ignore", invalid="ignore"):  # what overflows is a fault, seen below
                    self._follow(last, step)
            except _Fault:
                self.out.rejected += 1
                failed = step if step is not None and self._t == begun else np.inf
                step = SHORTER * min(self._tried - self._t, failed)
                if step <= 10 * np.spacing(abs(self._t)):
                    self.out.status, self.out.where = self._fault

    def _follow(self, last: float, step: float | None) -> None:
        """Good steps from the last good state to a corner; a fault is raised with what was reached kept."""
        solver = self._solver(last, step)
        while self._t < last and self.out.status == Status.done:
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
                self.out.status = Status.collapsed
                return
            self._accept(solver)

    def _exhausted(self) -> bool:
        """Whether the steps allowed are taken; that ends the run."""
        if self.out.steps + self.out.rejected >= self._settings.most_steps(len(self._grid), self._look is not None):
            self.out.status = Status.step_limit
        return self.out.status == Status.step_limit

    def _solver(self, last: float, step: float | None) -> Any:
        kind: Any = SOLVERS[self._settings.method]
        shortened = {} if step is None else {"first_step": min(step, last - self._t)}
        self._tried = self._t + (step or last - self._t)
        return kind(
            self._right_side,
            self._t,
            self._state,
            last,
            max_step=self._longest,
            rtol=max(self._settings.rtol, LEAST_RTOL),
            atol=self._atol,
            jac=self._slopes,
            **shortened,
        )

    def _accept(self, solver: Any) -> None:
        """Takes over a good step: its events, and the rows on it."""
        self.out.steps += 1
        before, end, dense = self._t, float(solver.t), solver.dense_output()
        for number, t in sorted(self._crossings(dense, before, end), key=lambda met: met[1]):
            self.out.met.append((number, t))
            if self._watched[number][3]:
                self.out.status, end = Status.event_stop, t
                break
        first = len(self.rows)
        due = self._grid[first:][self._grid[first:] <= end]
        self.rows += [solver.y.copy() if t == solver.t else dense(t) for t in due]
        self._t, self._state = end, solver.y.copy() if end == solver.t else dense(end)
        self.out.reached = end
        self.ends.append(end)
        self._settings.progress(end - self._start, self._end - self._start)

    def _crossings(self, dense: Any, before: float, end: float) -> list[tuple[int, float]]:
        """Events of a step. One that begins on the value of an event does not cross it there."""
        met = []
        for number, (entry, value, direction, _) in enumerate(self._watched):

            def gap(t: float, number: int = number, entry: int = entry, value: float = value) -> float:
                return self._seen(dense(t), t, number, entry) - value

            one, two = gap(before), gap(end)
            way = (one < 0 <= two) - (one > 0 >= two)
            if way and direction in (0, way):
                met.append((number, end if two == 0 else float(brentq(gap, before, end, xtol=4e-16, rtol=1e-15))))
        return met

    def _seen(self, state: Array, t: float, number: int, entry: int) -> float:
        """An entry of the positions, of a driven one the law's value; or the value of a program or of the columns."""
        if entry == LOOKED_AT:
            assert self._look is not None
            return float(self._look(number, np.array([t]), state[None])[0])
        if entry >= len(state):
            return _core.event_value_at(self._tree.system, entry - len(state), t, np.ascontiguousarray(state))
        nq, nv = self._tree.links.positions, self._tree.links.velocities
        q, _, _ = self._tree.system.drive(np.array([t]), state[None, :nq].copy(), state[None, nq : nq + nv].copy())
        return float(q[0, entry])

    def _right_side(self, t: float, state: Array) -> Array:
        self.out.evaluations += 1
        return self._evaluated(t, self._tree.system.rhs(t, np.ascontiguousarray(state), self._settings.user))

    def _slopes(self, t: float, state: Array) -> Array:
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
