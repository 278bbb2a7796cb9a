"""Settings of a simulation: formulation, method, tolerances and limits of the work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.lazy_dataclass import dataclass

RTOL, ATOL = 1e-11, 1e-11
LEAST_ATOL = 1e-100  # squares of errors relative to it do not overflow
AUTO = "auto"
FORMULATIONS = (AUTO, "tree", "absolute", "wittenburg")
STIFF = ("LSODA", "Radau", "BDF")
EXPLICIT = "DOP853"
METHODS = (AUTO, EXPLICIT, *STIFF)
# Steps, rejected ones included, after which a run stops and reports it: some seconds of work. A longer run is nearly
# always a wrong unit; more rows allow more steps.
MOST_STEPS, MOST_STIFF_STEPS, MOST_SENSED, STEPS_A_ROW = 100_000, 20_000, 2_000, 20


Forces = Callable[[float, Array, Array], Any]


def generalised_force(force: Forces | None) -> Forces | None:
    """Wrap a user's function that adds generalised forces: its return value, a list or array, is checked."""
    if force is None:
        return None

    def checked(t: float, q: Array, v: Array) -> Array:
        given = force(t, q, v)
        if given is None:
            raise ModelError("force(t, q, v) returns nothing: it needs a return statement")
        try:
            numbers = np.ascontiguousarray(given, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ModelError(f"force(t, q, v) does not return numbers: {error}") from error
        if numbers.shape != v.shape:
            found = f"{numbers.size} numbers" if numbers.ndim == 1 else f"an array of shape {numbers.shape}"
            raise ModelError(
                f"force(t, q, v) must return {len(v)} number{'s' * (len(v) != 1)}, one per rate; found {found}",
                suggestion="model.state_names.v has their names in order.",
            )
        return numbers

    return checked


@dataclass(frozen=True)
class SimulationSettings:
    """Tolerances and method of an integration; `user(t, q, v)` returns generalised forces of the core's velocities."""

    rtol: float = RTOL
    atol: float = ATOL
    method: str = AUTO  # the method that fits the formulation
    formulation: str = AUTO  # the tree, unless the model is stiff; "wittenburg" and "absolute" check it
    progress: Callable[[float, float], None] = lambda done, total: None
    user: Callable[[float, Array, Array], Array] | None = None
    events: bool = True  # whether to look for the events of the model
    reactions: bool = False  # columns of reactions, loads and the shaking force
    length_scale: float | None = None  # weighs moments against forces where reactions are not unique
    leave_if_stiff: Callable[[Any], bool] | None = (
        None  # whether to leave an explicit method where it finds the model stiff
    )

    def most_steps(self, rows: int, sensed: bool = False) -> int:
        """Number of steps after which a run stops; fewer where Python evaluates events at each of them."""
        by_scipy = self.method in STIFF and self.formulation != "absolute"
        least = MOST_SENSED if sensed else MOST_STIFF_STEPS if by_scipy else MOST_STEPS
        return max(least, STEPS_A_ROW * rows)

    def require_sense(self) -> None:
        """Refuse settings that have no meaning, before any work."""
        if self.formulation not in FORMULATIONS:
            known = nearest(self.formulation, FORMULATIONS)
            raise ModelError(f'a simulation has no formulation "{self.formulation}". {known}')
        if self.method not in METHODS:
            raise ModelError(f'there is no method "{self.method}". {nearest(self.method, METHODS)}')
        for name in ("rtol", "atol"):
            if not 0 < getattr(self, name) < 1:
                raise ModelError(f"{name} must be positive and below 1; found {getattr(self, name):g}")
        if self.rtol < 1e-15:
            raise ModelError(f"rtol {self.rtol:g} is below what double precision can hold; take 1e-14 or more")
        if self.atol < LEAST_ATOL:
            raise ModelError(f"atol {self.atol:g} is out of reach where a motion begins at rest; take 1e-14 or more")
