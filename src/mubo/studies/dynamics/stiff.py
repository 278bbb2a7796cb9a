"""Stiff trees: LSODA, Radau or BDF of SciPy on the core's right side, piece by piece between corners of the laws."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from mubo._core import Status
from mubo.arrays import Array
from mubo.mechanism.forms.tree import Tree
from mubo.studies.dynamics.integrate import Integrated, absolute_tolerances, watch_list
from mubo.studies.dynamics.settings import SimulationSettings

LEAST_RTOL = 1e-13  # below it these methods do not converge


class _Fault(Exception):
    """The core could not evaluate the right side."""


def integrate_stiff(tree: Tree, grid: Array, y: Array, corners: Array, settings: SimulationSettings) -> Integrated:
    """States at the output times reached, by the method that the settings name."""
    run = _StiffRun(tree, grid, y, settings)
    inner = corners[(corners > grid[0]) & (corners < grid[-1])]
    for first, last in itertools.pairwise(np.unique([grid[0], *inner, grid[-1]])):
        run.advance(float(first), float(last))
        if run.out.status != Status.done:
            break
    return run.out


class _StiffRun:
    """A run in pieces; `out` is what it has come to."""

    def __init__(self, tree: Tree, grid: Array, y: Array, settings: SimulationSettings) -> None:
        self._tree, self._grid, self._settings = tree, grid, settings
        self._start, self._end = float(grid[0]), float(grid[-1])
        self._watched = watch_list(tree)
        self._atol = absolute_tolerances(tree, len(y), settings.atol, np.inf)
        # Crossings are seen between ends of steps only.
        self._longest = float(grid[1] - grid[0]) if self._watched else np.inf
        self._state = y
        self._accepted = self._start  # the end of the last good step
        self.out = Integrated(y[None], self._start)

    def advance(self, first: float, last: float) -> None:
        """One piece between corners; where the core fails, up to the last good step."""
        self._accepted, fault = first, None
        try:
            piece = self._piece(first, last)
        except _Fault:
            fault = self.out.status, self.out.where
        except ValueError as error:
            if "infs or NaNs" not in str(error):
                raise
            fault = Status.not_finite, -1  # the Jacobian overflowed
        if fault is not None:
            last = self._accepted
            if last > first:
                self._keep(self._piece(first, last), last)  # once more, for the rows on the way
            self.out.status, self.out.where = fault
        else:
            self._keep(piece, last)

    def _piece(self, first: float, last: float) -> Any:
        between = self._grid[(self._grid > first) & (self._grid < last)]
        return solve_ivp(
            self._right_side,
            (first, last),
            self._state,
            self._settings.method,
            np.append(between, last),
            events=[*(_crossing(self._tree, *watch) for watch in self._watched), self._follow],
            rtol=max(self._settings.rtol, LEAST_RTOL),
            atol=self._atol,
            max_step=self._longest,
        )

    def _keep(self, piece: Any, last: float) -> None:
        """Takes over the rows and events of a piece; one that ends at an event or collapses says so."""
        out = self.out
        arrived = np.reshape(piece.y, (len(self._state), -1)).T
        met = [(k, float(t)) for k, own in enumerate(piece.t_events[:-1]) for t in own]
        out.met += sorted(met, key=lambda event: event[1])
        out.reached = last
        if piece.status == 1:
            out.reached, out.status = max(t for k, t in met if self._watched[k][3]), Status.event_stop
        elif piece.status == -1:
            out.reached, out.status = self._accepted, Status.collapsed
        kept = len(arrived) - (piece.status == 0 and last not in self._grid)
        out.states = np.concatenate([out.states, arrived[:kept]])
        if piece.status == 0:
            self._state = arrived[-1]

    def _right_side(self, t: float, state: Array) -> Array:
        self.out.evaluations += 1
        self.out.status, self.out.where, rates = self._tree.system.rhs(
            t, np.ascontiguousarray(state), self._settings.user
        )
        if self.out.status != Status.done:
            raise _Fault
        self._settings.progress(t - self._start, self._end - self._start)
        return rates

    def _follow(self, t: float, state: Array) -> float:
        """An event that never happens: SciPy asks for it at the end of every good step."""
        self._accepted = t
        return 1.0


def _crossing(tree: Tree, entry: int, value: float, direction: int, ends: bool) -> Any:
    nq, nv = tree.links.positions, tree.links.velocities
    begun: list[float] = []

    def crosses(t: float, state: Array) -> float:
        q, _, _ = tree.system.drive(np.array([t]), state[None, :nq].copy(), state[None, nq : nq + nv].copy())
        gap = float(q[0, entry] - value)  # of a driven coordinate the law's value
        if not begun:
            begun.append(t)
        return np.nan if gap == 0 and t == begun[0] else gap  # a piece that begins on it does not cross it

    crosses.direction, crosses.terminal = direction, ends  # type: ignore[attr-defined]
    return crosses
