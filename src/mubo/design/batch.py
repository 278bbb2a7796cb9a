"""Many variants of one mechanism in one call: the same loops with other dimensions, on all cores."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mubo._core import Status, lane_widths
from mubo.analyses.run_notes import law_corner_notes
from mubo.arrays import Array, Integers
from mubo.design.dimensions import Dimension, NumberMap, number_map, read_dimensions, with_dimensions
from mubo.docstrings import documented
from mubo.errors import ModelError, ResultError, nearest, status_text
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.mechanism.formulations.loops import NoLoops
from mubo.model import ModelDefinition, Units
from mubo.model.column_names import body_columns, point_columns
from mubo.model.coordinates import CENTER
from mubo.quantities.output_times import OutputTimes
from mubo.results import Column
from mubo.results.presentation import Presented, presented_by
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_start
from mubo.solvers.continuation.continuation import CORRECTION_RATIO
from mubo.solvers.continuation.steppers import LoopStepper, Settings
from mubo.solvers.kinematics.formulations import undetermined_motion_error
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


@dataclass(frozen=True)
class BatchTask:
    """A model compiled for a batch: its nominal start, how its loops follow the dimensions, and what is asked for."""

    look: StartAnalysis
    dimensions: list[Dimension]
    numbers: NumberMap
    nominal: Array  # numbers of the loops
    grid: Array
    times: Array  # to solve at: the output times, and those between them that the laws need
    motion: Array
    picked: dict[Column, int]
    settings: Settings

    @property
    def units(self) -> dict[str, str]:
        """Units of the columns."""
        units = self.look.form.model.units
        return {column.name: units.unit_of(column.holds, column.order) for column in self.picked}

    @cached_property
    def _factors(self) -> list[tuple[int, float]]:
        """Columns whose unit is not the one in which they are solved, and how much larger it is."""
        units = self.look.form.model.units
        found = [(k, units.factor(column.holds, column.order)) for k, column in enumerate(self.picked)]
        return [(k, factor) for k, factor in found if factor != 1.0]

    def solve(self, values: Array, out: Array, workers: int) -> Array:
        """Solve the variants of some lines of dimensions into `out` (variants × times × columns), angles in radians;
        returns status, row reached and place of each end."""
        settings = self.settings
        ends: Array = self.numbers.loops.system.batch(
            self.numbers(values),
            self.nominal,
            self.look.loops.start,
            self.times,
            self.motion,
            self.numbers.loops.weight,
            settings.tolerance,
            settings.max_iterations,
            CORRECTION_RATIO,
            settings.scale,
            list(self.picked.values()),
            MOST_LANES if len(values) > 1 else 1,  # a variant alone would fill one lane and wait for all
            workers,
            out,
        )
        return ends

    def in_rows(self, out: Array, ends: Array) -> Array:
        """Numbers in the model's units, and the output times alone; `ends` then count these."""
        for k, factor in self._factors:
            out[:, :, k] /= factor
        if len(self.times) == len(self.grid):
            return out
        rows = np.searchsorted(self.times, self.grid)
        ends[1] = np.searchsorted(rows, ends[1], side="right") - 1
        return out[:, rows]


def batch_task(
    model: ModelDefinition,
    given: Mapping[str, Array],
    times: OutputTimes,
    columns: Sequence[str] | None,
    settings: Settings,
) -> BatchTask:
    """Compile a model for a batch; raises where the model itself cannot be moved or has no vector loops."""
    grid = times.grid()
    law_corner_notes(model, grid)
    look = analyse_start(model, float(grid[0]), settings.tolerance, settings.max_iterations)
    laws = [driver.motion for driver in model.drivers.values()]
    refined = refine_time_grid(laws, look.form.motion, look.form.mechanism.driver_weight, grid)
    dimensions = read_dimensions(look.form.mechanism, given)
    if not look.sound:
        raise undetermined_motion_error(look, float(grid[0]))
    settings = replace(settings, tolerance=look.tolerance, scale=look.form.scale)
    numbers = _numbers(look, dimensions)
    nominal = numbers(np.concatenate([dimension.nominal for dimension in dimensions])[None])[0]
    picked = _picked(look, columns)
    return BatchTask(look, dimensions, numbers, nominal, grid, refined, look.form.motion(refined), picked, settings)


def batch(
    model: ModelDefinition,
    given: Mapping[str, Array],
    times: OutputTimes,
    columns: Sequence[str] | None = None,
    threads: int | None = None,
    settings: Settings | None = None,
) -> Batch:
    """Positions, velocities and accelerations of every variant at the output times.

    The model itself is assembled and proved; every variant is led from its dimensions to its own, on the same branch.
    """
    if threads is not None and threads < 1:
        raise ModelError(f"threads must be at least 1; found {threads}")
    task = batch_task(model, given, times, columns, settings or Settings())
    times.grid(len(task.dimensions[0].values) * len(task.picked))  # refuses what outgrows memory
    out, ends = _led(task, cores() if threads is None else threads)
    out = task.in_rows(out, ends)
    reached = ends[1].astype(int)
    messages = {
        int(k): f"variant {k}: {end_message(model.units, *ends[:, k])}"
        for k in np.flatnonzero(reached < len(task.grid) - 1)
    }
    return Batch(model, task.dimensions, task.grid, tuple(task.units), out, reached, messages, task.units)


def _numbers(look: StartAnalysis, dimensions: list[Dimension]) -> NumberMap:
    try:
        _ = look.loops
        return number_map(look.form.mechanism, look.assembly.q, dimensions)
    except NoLoops as reason:
        raise ModelError(
            f"a batch needs vector loops, which this model does not have: {reason}",
            suggestion="Run the variants one by one: model.replace(...).kinematics(...).",
        ) from None


def _led(task: BatchTask, workers: int) -> tuple[Array, Array]:
    """Columns of all variants (variants × times × columns), and status, row reached and place of each end."""
    values = np.concatenate([dimension.values for dimension in task.dimensions], axis=1)
    variants = len(values)
    out, ends = np.empty((variants, len(task.times), len(task.picked))), np.empty((3, variants))
    lanes = lane_widths()[0]
    steps = lanes * LoopStepper(task.numbers.loops, task.settings).chunk  # about a tenth of a second
    share = workers * lanes * max(1, steps // (lanes * len(task.times)))
    for first in range(0, variants, share):
        chunk = slice(first, min(first + share, variants))
        ends[:, chunk] = task.solve(values[chunk], out[chunk], workers)
        task.settings.progress(chunk.stop, variants)
    return out, ends


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def end_message(units: Units, status: float, reached: float, where: float) -> str:
    """Why a variant has no more rows."""
    why = status_text(Status(int(status)))
    if reached < 0:
        return (
            f"not assembled; the homotopy from the model to its dimensions comes "
            f"{100 * where:.3g} % of the distance: {why}"
        )
    return f"stops at t = {units.time_text(where)}, a singular position: {why}"


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
