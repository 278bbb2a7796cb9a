"""Stiff trees: LSODA, Radau or BDF of SciPy on the core's right side, piece by piece between corners of the laws."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.integrate import solve_ivp

from mubo._core import Status
from mubo.arrays import Array
from mubo.mechanism.forms.tree import Tree
from mubo.studies.dynamics.integrate import Integrated, absolute_tolerances, watch_list

if TYPE_CHECKING:
    from mubo.studies.dynamics.simulate import SimulationSettings

LEAST_RTOL = 1e-13  # below it these methods do not converge


class _Fault(Exception):
    """The core could not evaluate the right side."""


def integrate_stiff(tree: Tree, grid: Array, y: Array, corners: Array, settings: SimulationSettings) -> Integrated:
    """States at the output times reached, by the method that the settings name."""
    start, end = float(grid[0]), float(grid[-1])
    out = Integrated(y[None], start)
    watched = watch_list(tree)
    atol = absolute_tolerances(tree, len(y), settings.atol, np.inf)
    longest = float(grid[1] - grid[0]) if watched else np.inf  # crossings are seen between ends of steps only
    accepted = [start]  # the end of the last good step

    def follow(t: float, state: Array) -> float:
        accepted[0] = t
        return 1.0

    def right_side(t: float, state: Array) -> Array:
        out.evaluations += 1
        out.status, out.where, rates = tree.system.rhs(t, np.ascontiguousarray(state), settings.user)
        if out.status != Status.done:
            raise _Fault
        settings.progress(t - start, end - start)
        return rates

    def piece(first: float, last: float, state: Array) -> Any:
        wanted = np.append(grid[(grid > first) & (grid < last)], last)
        return solve_ivp(
            right_side,
            (first, last),
            state,
            settings.method,
            wanted,
            events=[*(_crossing(tree, *watch) for watch in watched), follow],
            rtol=max(settings.rtol, LEAST_RTOL),
            atol=atol,
            max_step=longest,
        )

    inner = corners[(corners > start) & (corners < end)]
    edges = np.unique(np.concatenate([[start], inner, [end]]))
    state = y
    for first, last in itertools.pairwise(edges):
        fault = None
        accepted[0] = first
        try:
            found = piece(first, last, state)
        except _Fault:
            fault = out.status, out.where
        except ValueError as error:
            if "infs or NaNs" not in str(error):
                raise
            fault = Status.not_finite, -1  # the Jacobian overflowed
        if fault is not None:
            last = accepted[0]
            out.status, out.where = fault
            if last == first:
                return out
            found = piece(first, last, state)  # once more, up to the last good step, for the rows on the way
        arrived = np.reshape(found.y, (len(y), -1)).T
        times = found.t_events[:-1]
        met = [(k, float(t)) for k, own in enumerate(times) for t in own]
        out.met += sorted(met, key=lambda event: event[1])
        out.reached = float(last)
        if found.status == 1:
            out.reached, out.status = max(t for k, t in met if watched[k][3]), Status.event_stop
        elif found.status == -1:
            out.reached, out.status = accepted[0], Status.collapsed
        elif fault is not None:
            out.status, out.where = fault
        kept = len(arrived) - (found.status == 0 and last not in grid)
        out.states = np.concatenate([out.states, arrived[:kept]])
        if out.status != Status.done:
            return out
        state = arrived[-1]
    return out


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
