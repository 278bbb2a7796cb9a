"""The charts that a page begins with: what an engineer looks at first, and which columns share a chart."""

from __future__ import annotations

import math

import numpy as np

from mubo.results import Run
from mubo.results.rounding import ENERGIES
from mubo.view.plot import first_columns

MOST_TOGETHER = 6  # lines of one chart
FLAT = 1e-9  # of the largest number of its kind: a column that changes by less is constant
CONSTANT = 1e-6  # of the rate of a driver that turns evenly


def first_axis(run: Run) -> str | None:
    """The driver that charts are drawn over: the only one, where its rate is constant."""
    drivers = [f"{name}.value" for name in run.model.drivers if f"{name}.value" in run.columns]
    if len(drivers) != 1 or run.record.study not in ("kinematics", "inverse", "strength") or len(run) < 3:
        return None
    steps, times = np.diff(run[drivers[0]]), np.diff(run["t"])
    rates = steps / np.where(times > 0, times, np.nan)
    spread = np.nanmax(rates) - np.nanmin(rates) if np.isfinite(rates).any() else np.inf
    constant = spread <= CONSTANT * np.nanmax(np.abs(rates), initial=0.0)
    return drivers[0] if constant and not np.allclose(steps, 0) else None


def first_charts(run: Run) -> list[str]:
    """The columns to begin with: the output, all components of a point, several drivers, transmission; of a simulation
    coordinates and energies, of forces efforts, powers and the largest reactions."""
    if run.record.gait is not None:
        return [column.name for column in run.columns.of_kind("joint") if column.order == 0]
    first = first_columns(run)
    if run.record.study == "simulate":
        return [*_whole_group(run, first), *_known(run, [f"energy.{word}" for word in ENERGIES[0]])]
    angles = [column.name for column in run.columns.of_kind("transmission") if _moves(run, column.name)]
    quality = sorted(angles, key=lambda name: _poorest_transmission(run, name))[:1]
    outputs = [name for name in run.summary.get("outputs", {}) if name in run.columns][:1]
    if run.record.study != "kinematics":
        return list(dict.fromkeys([*first, *outputs, *quality]))
    components = [name for column in first for name in _components(run, column)]
    drivers = [f"{name}.value" for name in run.model.drivers if f"{name}.value" in run.columns]
    several = drivers[:MOST_TOGETHER] if len(drivers) > 1 else []
    return list(dict.fromkeys([*outputs, *components, *several, *quality]))


def chart_groups(run: Run, shown: list[str]) -> dict[str, dict[str, str]]:
    """The chart that each of the first columns shares: sizes of reactions, efforts, powers and values of drivers, and
    coordinates of a simulation, of one unit each; other columns keep the chart of what they belong to."""
    out = {}
    counts: dict[str, int] = {}
    for name in shown:
        column = run.columns.column(name)
        simulated = run.record.study == "simulate" and column.kind == "joint"
        size = column.kind == "reaction" and column.quantity == "f"
        if not (simulated or size or column.kind == "driver"):
            continue
        key = f"{column.kind} {'' if simulated else column.label} {column.order} {run.unit(name)}"
        counts[key] = counts.get(key, 0) + 1
        out[name] = {"group": f"{key} {(counts[key] - 1) // MOST_TOGETHER}"}
    return out


def _known(run: Run, names: list[str]) -> list[str]:
    return [name for name in names if name in run.columns]


def _whole_group(run: Run, first: list[str]) -> list[str]:
    """With the coordinate of a joint those of all joints, as far as a few charts hold them."""
    joints = [column.name for column in run.columns.of_kind("joint") if column.order == 0]
    if not set(first) & set(joints):
        return first
    measures = [name for name in first if name not in joints]
    return [*measures, *joints[: 2 * MOST_TOGETHER]]


def _components(run: Run, name: str) -> list[str]:
    """With one component of a place, velocity or acceleration all of them that change."""
    column = run.columns.column(name)
    if column.kind not in ("point", "body") or name[-1] not in "xyz":
        return [name]
    found = _known(run, [f"{name[:-1]}{letter}" for letter in "xyz"[: run.model.dimension]])
    return [one for one in found if one == name or _moves(run, one)]


def _poorest_transmission(run: Run, name: str) -> float:
    """The least angle between two links along the motion, 0 where they are in line, in the unit of the run."""
    half_turn = math.pi / run.units.angle_factor()
    folded = np.abs(run[name]) % half_turn
    return float(np.nanmin(np.minimum(folded, half_turn - folded)))


def _moves(run: Run, name: str) -> bool:
    values = run[name][np.isfinite(run[name])]
    return bool(len(values)) and float(np.ptp(values)) > FLAT * run.columns.scale(name)
