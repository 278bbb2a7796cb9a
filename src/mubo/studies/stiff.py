"""Stiff trees: LSODA, Radau or BDF of SciPy on the core's right side, piece by piece between corners of the laws."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.integrate import solve_ivp

from mubo.compile.tree import Tree
from mubo.motion.law import Array
from mubo.studies.integrate import COLLAPSED, DONE, EVENT_STOP, Integrated, watch_list

if TYPE_CHECKING:
    from mubo.studies.simulate import SimulationSettings

LEAST_RTOL = 1e-13  # below it these methods do not converge


class _Fault(Exception):
    """The core could not evaluate the right side."""


def integrate_stiff(tree: Tree, grid: Array, y: Array, corners: Array, settings: SimulationSettings) -> Integrated:
    """States at the output times reached, by the method that the settings name."""
    start, end = float(grid[0]), float(grid[-1])
    out = Integrated(y[None], start)
    watched = watch_list(tree)
    crossings = [_crossing(entry, value, direction, ends) for entry, value, direction, ends in watched]
    atol = np.full(len(y), settings.atol)
    atol[-2:] = np.inf  # as in integrate.py: energies do not steer the step

    def right_side(t: float, state: Array) -> Array:
        out.evaluations += 1
        out.status, out.where, rates = tree.system.rhs(t, np.ascontiguousarray(state), settings.user)
        if out.status != DONE:
            raise _Fault
        settings.progress(t - start, end - start)
        return rates

    inner = corners[(corners > start) & (corners < end)]
    edges = np.unique(np.concatenate([[start], inner, [end]]))
    state = y
    for first, last in itertools.pairwise(edges):
        wanted = grid[(grid > first) & (grid < last)]
        rows = [out.states]
        try:
            found = solve_ivp(
                right_side,
                (first, last),
                state,
                settings.method,
                np.append(wanted, last),
                events=crossings or None,
                rtol=max(settings.rtol, LEAST_RTOL),
                atol=atol,
            )
        except _Fault:
            return out
        rows.append(found.y.T[: len(wanted)])
        times = found.t_events if crossings else []
        met = [(k, float(t)) for k, own in enumerate(times) for t in own]
        out.met += sorted(met, key=lambda event: event[1])
        out.reached = float(last)
        if found.status == 1:
            out.reached, out.status = max(t for k, t in met if watched[k][3]), EVENT_STOP
        elif found.status == -1:
            out.reached, out.status = float(found.t[-1]) if len(found.t) else float(first), COLLAPSED
        elif last in grid:
            rows.append(found.y.T[-1:])
        out.states = np.concatenate(rows)
        if out.status != DONE:
            return out
        state = found.y.T[-1]
    return out


def _crossing(entry: int, value: float, direction: int, ends: bool) -> Any:
    def crosses(t: float, state: Array) -> float:
        return float(state[entry] - value)

    crosses.direction, crosses.terminal = direction, ends  # type: ignore[attr-defined]
    return crosses
