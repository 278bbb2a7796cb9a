"""Many variants of one mechanism in one call: the same loops with other dimensions, on all cores."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from mubo._core import Status, lane_widths
from mubo.analyses.kinematics import time_grid
from mubo.arrays import Array, Integers
from mubo.design.dimensions import Dimension, NumberMap, number_map, read_dimensions, with_dimensions
from mubo.docstrings import documented
from mubo.errors import ModelError, ResultError, nearest, status_text
from mubo.mechanism.formulations.loops import NoLoops
from mubo.model import ModelDefinition
from mubo.model.column_names import body_columns, point_columns
from mubo.model.coordinates import CENTER
from mubo.results import Column
from mubo.results.presentation import Presented, presented_by
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_start
from mubo.solvers.continuation.continuation import CORRECTION_RATIO
from mubo.solvers.continuation.steppers import LoopStepper, Settings
from mubo.solvers.kinematics.formulations import undetermined_motion_error
from mubo.solvers.kinematics.run_notes import law_corner_notes
from mubo.solvers.kinematics.time_grid_refinement import refine_time_grid

MOST_LANES = 0  # as many variants side by side as the processor can


@dataclass(frozen=True, repr=False)
class Batch(Presented):
    """The motions of all variants. `batch["P.x"]` is variants × times; rows that were not reached are NaN.

    Examples
    --------
    >>> batch = mubo.load("four_bar.toml").batch({"coupler.B": [(-2.1, 0), (-1.9, 0)]}, 0, 1, 0.1)
    >>> batch
    2 variants of "four bar", 11 times: 2 ok
    """

    model: ModelDefinition  # the nominal one
    dimensions: list[Dimension]
    t: Array
    names: tuple[str, ...]
    values: Array  # variants × times × names
    reached: Integers  # index of the last time reached, −1 where the variant could not be assembled
    messages: dict[int, str]  # why, by variant, where the last time was not reached
    units: dict[str, str]  # of the columns

    def __getitem__(self, name: str) -> Array:
        if name not in self.names:
            raise ResultError(
                f'the batch has no column "{name}". {_instead(self.model, name, self.names)}', names=[name]
            )
        return np.asarray(self.values[:, :, self.names.index(name)])

    def __len__(self) -> int:
        return len(self.reached)

    def __str__(self) -> str:
        missing, whole = int(np.sum(self.reached < 0)), int(np.sum(self.ok))
        text = f'{len(self)} variants of "{self.model.name}", {len(self.t)} times: {whole} ok'
        stopped = len(self) - whole - missing
        text += f", {stopped} stopped early" if stopped else ""
        return text + (f", {missing} not assembled" if missing else "")

    @property
    def ok(self) -> Array:
        """Which variants reached the last time.

        Examples
        --------
        >>> batch = mubo.load("four_bar.toml").batch({"coupler.B": [(-2.1, 0), (-1.9, 0)]}, 0, 1, 0.1)
        >>> batch.ok
        array([ True,  True])
        """
        return np.asarray(self.reached == len(self.t) - 1)

    @documented(number="Number of the variant, counted from 0.", returns="The model of the variant.")
    def variant(self, number: int) -> Any:
        """The model of one variant, to ask it anything.

        >>> batch = mubo.load("four_bar.toml").batch({"coupler.B": [(-2.1, 0), (-1.9, 0)]}, 0, 1, 0.1)
        >>> batch.variant(0).kinematics(0, 1, 0.1).summary["status"]
        'ok'
        """
        numbers = np.concatenate([dimension.values[number] for dimension in self.dimensions])
        return presented_by("Model.of")(with_dimensions(self.model, self.dimensions, numbers))

    @documented(name="Column.", returns="The unit.")
    def unit(self, name: str) -> str:
        """Unit of a column, or "" where the model declares none.

        >>> batch = mubo.load("four_bar.toml").batch({"coupler.B": [(-2.1, 0), (-1.9, 0)]}, 0, 1, 0.1)
        >>> batch.unit("P.vx")
        'm/s'
        """
        return self.units[name]

    @documented(
        columns="Columns to draw, a line for each variant; the first few by default.",
        path="Picture to write, .png, .svg or .pdf; none is written without it.",
        returns="The matplotlib figure.",
    )
    def plot(self, *columns: str, path: str | Path | None = None) -> Any:
        """Draw columns of all variants over time.

        >>> batch = mubo.load("four_bar.toml").batch({"coupler.B": [(-2.1, 0), (-1.9, 0)]}, 0, 1, 0.1)
        >>> figure = batch.plot("P.x", path="batch.png")
        """
        return presented_by("Batch.plot")(self, list(columns), path)


def batch(
    model: ModelDefinition,
    given: Mapping[str, Array],
    start: float,
    end: float,
    step: float,
    columns: Sequence[str] | None = None,
    threads: int | None = None,
    settings: Settings | None = None,
) -> Batch:
    """Positions, velocities and accelerations of every variant at start, start + step, … end.

    The model itself is assembled and proved; every variant is led from its dimensions to its own, on the same branch.
    """
    settings = settings or Settings()
    if threads is not None and threads < 1:
        raise ModelError(f"threads must be at least 1; found {threads}")
    grid = time_grid(start, end, step)
    law_corner_notes(model, grid)
    look = analyse_start(model, float(grid[0]), settings.tolerance, settings.max_iterations)
    laws = [driver.motion for driver in model.drivers.values()]
    times = refine_time_grid(laws, look.form.motion, look.form.mechanism.driver_weight, grid)
    rows = np.searchsorted(times, grid)
    motion = look.form.motion(times)
    dimensions = read_dimensions(look.form.mechanism, given)
    if not look.sound:
        raise undetermined_motion_error(look, float(grid[0]))
    settings = replace(settings, tolerance=look.tolerance, scale=look.form.scale)
    numbers = _numbers(look, dimensions)
    picked = _picked(look, columns)
    time_grid(start, end, step, len(dimensions[0].values) * len(picked))  # refuses what does not fit into memory
    workers = cores() if threads is None else threads
    out, ends = _led(look, numbers, dimensions, times, motion, settings, list(picked.values()), workers)
    turning = [k for k, column in enumerate(picked) if column.holds == "angle"]
    if model.units.angle_factor() != 1.0:
        out[:, :, turning] /= model.units.angle_factor()
    if len(times) > len(grid):  # the rows alone
        out, ends[1] = out[:, rows], np.searchsorted(rows, ends[1], side="right") - 1
    reached = ends[1].astype(int)
    messages = {int(k): _message(int(k), *ends[:, k]) for k in np.flatnonzero(reached < len(grid) - 1)}
    units = {column.name: model.units.unit_of(column.holds, column.order) for column in picked}
    return Batch(model, dimensions, grid, tuple(units), out, reached, messages, units)


def _numbers(look: StartAnalysis, dimensions: list[Dimension]) -> NumberMap:
    try:
        _ = look.loops
        return number_map(look.form.mechanism, look.assembly.q, dimensions)
    except NoLoops as reason:
        raise ModelError(
            f"a batch needs vector loops, which this model does not have: {reason}",
            suggestion="Run the variants one by one: model.replace(...).kinematics(...).",
        ) from None


def _led(
    look: StartAnalysis,
    numbers: NumberMap,
    dimensions: list[Dimension],
    grid: Array,
    motion: Array,
    settings: Settings,
    picked: list[int],
    workers: int,
) -> tuple[Array, Array]:
    """Columns of all variants (variants × times × columns), and status, row reached and place of each end."""
    nominal = numbers(np.concatenate([dimension.nominal for dimension in dimensions])[None])[0]
    values = np.concatenate([dimension.values for dimension in dimensions], axis=1)
    variants = len(values)
    out, ends = np.empty((variants, len(grid), len(picked))), np.empty((3, variants))
    lanes = lane_widths()[0]
    steps = lanes * LoopStepper(numbers.loops, settings).chunk  # about a tenth of a second
    share = workers * lanes * max(1, steps // (lanes * len(grid)))
    for first in range(0, variants, share):
        chunk = slice(first, min(first + share, variants))
        ends[:, chunk] = numbers.loops.system.batch(
            numbers(values[chunk]),
            nominal,
            look.loops.start,
            grid,
            motion,
            numbers.loops.weight,
            settings.tolerance,
            settings.max_iterations,
            CORRECTION_RATIO,
            settings.scale,
            picked,
            MOST_LANES,
            workers,
            out[chunk],
        )
        settings.progress(chunk.stop, variants)
    return out, ends


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _message(number: int, status: float, reached: float, where: float) -> str:
    """Why a variant has no more rows."""
    why = status_text(Status(int(status)))
    if reached < 0:
        return (
            f"variant {number}: not assembled; the homotopy from the model to its dimensions comes "
            f"{100 * where:.3g} % of the distance: {why}"
        )
    return f"variant {number}: stops at t = {where:.9g}, a singular position: {why}"


def _instead(model: ModelDefinition, name: str, known: Iterable[str]) -> str:
    if name.partition(".")[0] in model.measures:
        return "It is a measure, which batches do not have: Run the variant instead: batch.variant(k).kinematics()."
    if f".{CENTER}." in name or name.partition(".")[0] in model.points:
        return "Batches do not follow centres of mass. Run the variant instead: batch.variant(k).kinematics()."
    return nearest(name, known)


def _picked(look: StartAnalysis, columns: Sequence[str] | None) -> dict[Column, int]:
    """The columns asked for (all, if none are), and where the core has them among the placed bodies and points."""
    placed = [body_columns(name, 2) for name in look.form.free]
    placed += [point_columns(name, 2) for name in look.form.model.tracked_points]
    number = {}
    for k, group in enumerate(placed):
        width = len(group) // 3
        for i, column in enumerate(group):
            number[column] = ((i // width) * len(placed) + k) * 3 + i % width
    # Where a batch varies a point, the centre of mass of a shape moves too, which the core does not follow.
    points = look.form.model.tracked_points
    number = {c: k for c, k in number.items() if not (c.owner in points and points[c.owner].centered)}
    if columns is None:
        return number
    by_name = {column.name: column for column in number}
    for name in columns:
        if name not in by_name:
            instead = _instead(look.form.model, name, by_name)
            raise ModelError(f'a batch has no column "{name}". {instead}', names=[name])
    return {by_name[name]: number[by_name[name]] for name in columns}
