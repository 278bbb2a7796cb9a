"""The solution of forward dynamics, which every formulation returns and a simulation reports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Mechanism
from mubo.model import target_of
from mubo.results import Columns
from mubo.solvers.dynamics.energy_balance import EnergyBalance
from mubo.solvers.dynamics.integrate import Integrated


@dataclass(frozen=True)
class DynamicSolution:
    """The table of a motion, its energy balance, and how it was found."""

    formulation: str
    method: str
    columns: Columns  # time, bodies, points, joints, drivers with efforts, energies
    balance: EnergyBalance
    done: Integrated
    loops: dict[str, Any]  # of the summary: which rows were closed, and how well; empty where there are none
    notes: list[str]
    chosen: str = ""  # why this form, where it was not the one that is tried first
    lost: dict[str, float] = field(default_factory=dict)  # joints whose Euler angles met their singular position: when
    friction: dict[str, Array] = field(default_factory=dict)  # sizes of friction by reactions, at the rows
    # At every row how far the loops are from a change point: the root of their weakest pivot over its size
    clear: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def t(self) -> Array:
        return self.columns["t"]


def loops_summary(joints: list[str], equations: list[str], left_out: list[int], gaps: Array) -> dict[str, Any]:
    """How many rows were closed, the largest gaps and rates of gaps (times × 2 × rows), and what was left out."""
    largest = np.max(np.abs(gaps), axis=0, initial=0.0)
    return {
        "joints": joints,
        "equations": len(equations),
        "left_out": [equations[k] for k in left_out],
        "gap": float(np.max(largest[0], initial=0.0)),
        "gap_rate": float(np.max(largest[1], initial=0.0)),
    }


def row_efforts(
    mechanism: Mechanism, t: Array, equation_of: dict[str, int], multipliers: Array
) -> Iterator[tuple[str, tuple[Array, Array, Array]]]:
    """Value, rate and effort of drivers that are rows: the effort is −λ, per unit of what the driver holds."""
    if not equation_of:
        return
    model, names = mechanism.model, list(mechanism.model.drivers)
    laws, factors = mechanism.motion(t), mechanism.motion_factors
    for name, equation in equation_of.items():
        k = names.index(name)
        turn = model.units.angle_factor() if target_of(model, model.drivers[name].of).holds == "angle" else 1.0
        held = turn / factors[k]  # a screw is driven by its turn, and its row holds the slide
        value, rate = laws[:, 3 * k] * held, laws[:, 3 * k + 1] * held
        yield name, (value, rate, -multipliers[:, equation] / held)


def redundant_notes(names: list[str]) -> Iterator[str]:
    """A note on the redundant equations that were left out, by name."""
    if names:
        count = len(names)
        yield (
            f"{count} redundant equation{'s' * (count > 1)} left out ({', '.join(dict.fromkeys(names))}): the others "
            f"impose {'them' if count > 1 else 'it'}, and {'they are' if count > 1 else 'it is'} watched along the "
            "motion"
        )
