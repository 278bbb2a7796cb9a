"""How far the path of a point is from the points of a file: each from the nearest place of the path, or at its time.

Gaps e = P(t) − Q. The nearest place of a path, (P − Q)·Ṗ = 0, is found between rows by Newton's method; there a change
of design moves the gap by the part of ∂P/∂p that is perpendicular to the path (the time follows along it).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mubo.arrays import Array, distinct
from mubo.errors import ModelError, ResultError
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.model.objectives import TIMED, Objective
from mubo.results import Columns
from mubo.solvers.kinematics.sensitivity import MotionSensitivity, column_derivatives
from mubo.solvers.search.interpolation import interpolate_columns

FINE = 8  # places of the path looked at in every step
ROUNDS = 8  # of Newton's method


@dataclass(frozen=True)
class Gaps:
    """Gaps of all points of a file (points × 2 or 3), the time of each, and along which direction each may slide: a
    unit vector along the path, or zero where it is fixed to its time or to an end of the path."""

    times: Array
    apart: Array
    along: Array

    @property
    def rms(self) -> float:
        """√(mean of the squared distances)."""
        return float(np.sqrt(np.mean(np.sum(self.apart**2, axis=1))))

    def across(self, moved: Array) -> Array:
        """The part of a motion of the path's points (points × axes × any) that is perpendicular to the path."""
        slide = np.einsum("ia,iak->ik", self.along, moved)
        return np.asarray(moved - self.along[:, :, None] * slide[:, None, :])


def gaps_of(objective: Objective, model: ModelDefinition, columns: Columns) -> Gaps:
    """The gaps of a "path error" or a "timed path error" over the rows of a motion."""
    axes = [f"{objective.of}.{letter}" for letter in "xyz"[: model.dimension]]
    for name in axes:
        if name not in columns:
            raise ModelError(f'"{objective.text}": there is no point "{objective.of}" among the columns')
    times, points = curve_of(objective, model)
    if times is None:
        return _nearest(columns, axes, points)
    t = columns["t"]
    outside = times[(times < t[0]) | (times > t[-1])]
    if len(outside):
        raise ModelError(
            f'"{objective.text}": t = {model.units.time_text(outside[0])} of the file is outside of the run, '
            f"{t[0]:g} to {model.units.time_text(t[-1])}"
        )
    return Gaps(times, _at(columns, axes, times) - points, np.zeros_like(points))


def moved_by(objective: Objective, gaps: Gaps, motion: MotionSensitivity) -> Array:
    """∂P/∂p of the point at the time of every gap: points × axes × parameters."""
    axes = [f"{objective.of}.{letter}" for letter in "xyz"[: gaps.apart.shape[1]]]
    found = motion.columns_at(gaps.times)
    if len(found["t"]) < len(distinct(gaps.times)):
        raise ResultError(f'"{objective.text}": a position of its path cannot be solved again')
    rows = np.searchsorted(found["t"], gaps.times)
    return np.stack([column_derivatives(found, name, motion.names)[:, rows].T for name in axes], 1)


def curve_of(objective: Objective, model: ModelDefinition) -> tuple[Array | None, Array]:
    """Times, where the path is timed, and points of the file."""
    file = Path(objective.curve)
    source = Path(model.source).parent if model.source else Path()
    try:
        text = (file if file.is_absolute() else source / file).read_text(encoding="utf-8")
        lines = [line.split("#")[0].replace(",", " ").split() for line in text.splitlines()]
        numbers = np.array([[float(word) for word in line] for line in lines if line])
    except (OSError, ValueError) as error:
        raise ModelError(f'"{objective.text}": cannot read the points of {file}: {error}') from None
    timed = objective.how == TIMED
    width = model.dimension + timed
    if numbers.ndim != 2 or numbers.shape[1] != width or not np.all(np.isfinite(numbers)):
        what = "t and " * timed + f"{model.dimension} coordinates"
        raise ModelError(f'"{objective.text}": {file} needs {what} a line, one line a point')
    return (numbers[:, 0], numbers[:, 1:]) if timed else (None, numbers)


def _at(path: Columns, names: list[str], times: Array) -> Array:
    found = interpolate_columns(path, times, names)
    return np.stack([found[name] for name in names], -1)


def _nearest(path: Columns, axes: list[str], points: Array) -> Gaps:
    t = path["t"]
    fine = np.linspace(t[0], t[-1], FINE * max(len(t) - 1, 1) + 1)
    places = _at(path, axes, fine)
    first = np.argmin(np.sum((places[None] - points[:, None]) ** 2, axis=-1), axis=1)
    reach = fine[1] - fine[0] if len(t) > 1 else 0.0
    low, high = np.maximum(fine[first] - reach, t[0]), np.minimum(fine[first] + reach, t[-1])
    rates, bends = ([f"{axes[0][:-1]}{letter}{name[-1]}" for name in axes] for letter in "va")
    times = fine[first]
    for _ in range(ROUNDS):
        apart, speed = _at(path, axes, times) - points, _at(path, rates, times)
        slope = np.sum(speed**2 + apart * _at(path, bends, times), axis=1)
        move = np.sum(apart * speed, axis=1) / np.where(slope > 0, slope, np.inf)
        times = np.clip(times - move, low, high)
    apart, speed = _at(path, axes, times) - points, _at(path, rates, times)
    size = np.linalg.norm(speed, axis=1, keepdims=True)
    free = (times > t[0]) & (times < t[-1]) & (size[:, 0] > 0)
    along = np.where(free[:, None], speed / np.where(size > 0, size, 1.0), 0.0)
    return Gaps(times, apart, along)
