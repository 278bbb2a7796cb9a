"""The frames of films. Fixed parts are drawn once; each frame adds the mechanism, its traces and cursors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.lazy_dataclass import dataclass
from mubo.quantities.unit_algebra import FACTORS
from mubo.results import Run
from mubo.view.charts import column_colour, draw_over_time, draw_reference
from mubo.view.curves import column_curve
from mubo.view.painters.camera import VIEW
from mubo.view.painters.followers import Clock, followers_of, moments_of, put_names
from mubo.view.painters.legend import legend_height
from mubo.view.painters.plane import PATHS
from mubo.view.painters.stage import BEHIND, Stage, proportion
from mubo.view.painters.style import figure_style, title
from mubo.view.refinement import pose_columns, refine_rows
from mubo.view.scene import Scene, pose_at, poses_at, scene_of
from mubo.view.scene.arrows import with_forces
from mubo.view.scene.colours import INK, QUIET
from mubo.view.scene.frames import with_frames

MOST_FRAMES = 200_000
SUB = 4  # pieces of a trace per frame
FEW = 3  # traces that are drawn thicker
FULL = 1280 * 720  # pixels at which text has its usual size
LEGIBLE = 80.0  # pixels of an inch at which 10 points are 11 pixels
SMALLEST, LARGEST = 64, 4096  # pixels a side
SHARE = (0.34, 0.6)  # of the width, for a mechanism beside charts
AXES, LEAST = (76, 96), 0.45  # pixels beside and over a drawing, for axes and title; of the largest size, the smallest
FLAT = 0.5  # height over width of a mechanism below which charts stand under it, not beside it


@dataclass(frozen=True)
class FilmSettings:
    """The settings of a film: frames per second, seconds of motion per second of film, pixels, and charts beside it."""

    fps: float = 30.0
    speed: float = 1.0
    size: tuple[int, int] = (1280, 720)
    trace: bool = True
    charts: tuple[str, ...] = ()
    reference: str | Path | None = None  # table whose columns are drawn dashed into the charts
    view: tuple[float, float] | None = None
    forces: bool | None = None  # with the arrows of its forces; None: where it has any
    frames: bool = False  # with origin and axes of every body

    def check(self) -> None:
        """Refuses what cannot be filmed."""
        if not 0 < self.fps <= 240:
            raise ResultError(f"a film has up to 240 frames per second; found {self.fps:g}")
        if self.reference is not None and not self.charts:
            raise ResultError("a reference table is drawn into charts: name their columns, such as charts = P.y")
        if not self.speed > 0 or not np.isfinite(self.speed):
            raise ResultError(f"the speed must be positive; found {self.speed:g}")
        if not all(SMALLEST <= side <= LARGEST for side in self.size):
            raise ResultError(f"a film is {SMALLEST} to {LARGEST} pixels a side; found {self.size[0]}x{self.size[1]}")


class Film:
    """Frames by number: `film.frame(k)` is the picture at `film.times[k]`, rows of RGBA pixels from the top."""

    def __init__(self, run: Run, settings: FilmSettings) -> None:
        settings.check()
        for name in settings.charts:
            run[name]  # an unknown column is refused before anything is drawn
        run = refine_rows(run, [*pose_columns(run), *settings.charts])
        self.settings, self.mode = settings, run.record.mode
        self.scene = with_frames(filmed_scene(run, settings.forces), settings.frames)
        self.times = frame_times(self.scene, settings)
        self.poses = poses_at(self.scene, self.times)
        dpi = dots_per_inch(settings.size)
        with figure_style() as figure_class:
            self.figure = figure_class(figsize=(settings.size[0] / dpi, settings.size[1] / dpi), dpi=dpi)
            self._lay_out(run)
            self.canvas = self.figure.canvas
            self._show(0)
            moments, self.apart = moments_of(len(self.times), settings.fps)
            self.names = followers_of(self.stage, {name: rows[moments] for name, rows in self.poses.items()})
            left_out = "; ".join(self.stage.painter.notes)
            self.figure.text(0.995, 0.005, left_out, ha="right", va="bottom", color=QUIET).set_in_layout(False)
            for artist in (*self.stage.painter.artists, *self.moving):
                artist.set_animated(True)
            self.canvas.draw()
            self.still = self.canvas.copy_from_bbox(self.figure.bbox)

    def __len__(self) -> int:
        return len(self.times)

    @property
    def size(self) -> tuple[int, int]:
        """Pixels of a frame, as the canvas has them."""
        width, height = self.canvas.get_width_height()
        return int(width), int(height)

    def frame(self, number: int) -> Any:
        """The picture of a frame: (height, width, 4) bytes, valid until the next is drawn."""
        self.canvas.restore_region(self.still)
        self._show(number)
        renderer = self.canvas.get_renderer()
        for artist in sorted((*self.stage.painter.artists, *self.moving), key=lambda artist: artist.get_zorder()):
            artist.draw(renderer)
        put_names(renderer, self.stage, self.names, self._pose(number), number / self.apart)
        if self.mode is None:
            self.clock.put(renderer, self._clock_text(self.times[number]))
        return self.canvas.buffer_rgba()

    def _lay_out(self, run: Run) -> None:
        charts = list(self.settings.charts)
        wide, high = self.settings.size
        axes, stack = _places(self.figure, len(charts), proportion(self.scene, self.settings.view), wide / high)
        axes.set_title(title(run.model.name) + (f", {self.mode.label}" if self.mode else ""))
        if charts:
            draw_over_time(stack, run, charts, self.scene)
            if self.settings.reference is not None:
                draw_reference(stack, run, charts, self.settings.reference)
            for chart in stack[:-1]:
                chart.tick_params(labelbottom=False)
        self.stage = Stage(axes, self.scene, self.settings.view or VIEW)
        if self.mode is not None:
            self.stage.draw_ghosts([rest_pose(run)])
        self.traces = _Traces(self.stage, self.times) if self.settings.trace else None
        colours = [column_colour(self.scene, name, k) for k, name in enumerate(charts)]
        self.cursors = [_Cursor(*which) for which in zip(stack, [run] * len(charts), charts, colours, strict=True)]
        over = 0.13 + legend_height(self.scene) / 72  # beside the title, over the scale of arrows
        corner = axes.transAxes.transform([(1.0, 1.0)])[0] + [0.0, over * self.figure.dpi]
        self.digits = _digits(self.times)
        longest = max(len(self._clock_text(time)) for time in (self.times[0], self.times[-1]))
        self.clock = Clock(self.figure.dpi, corner, self.scene.units["time"], longest)
        self.moving = [self.traces.lines] if self.traces else []
        self.moving += [artist for cursor in self.cursors for artist in cursor.artists]

    def _clock_text(self, time: float) -> str:
        return f"{time:.{self.digits}f}"

    def _pose(self, number: int) -> dict[str, Array]:
        return {name: rows[number] for name, rows in self.poses.items()}

    def _show(self, number: int) -> None:
        if self.traces:
            self.traces.show(number)
        self.stage.painter.show(self._pose(number))
        for cursor in self.cursors:
            cursor.show(float(self.times[number]))


def _places(figure: Any, charts: int, high: float, shape: float) -> tuple[Any, list[Any]]:
    """Axes of the mechanism and of its charts: beside it, or below one that is wide and low.

    `high` is the mechanism's height over its width, `shape` the width of the film over its height: beside charts the
    mechanism gets the width that it needs, and they get the rest.
    """
    if not charts:
        return figure.add_subplot(), []
    if high < FLAT:
        grid = figure.add_gridspec(1 + charts, 1, height_ratios=(1.5, *[1] * charts))
        return figure.add_subplot(grid[0]), [figure.add_subplot(grid[1 + k]) for k in range(charts)]
    own = float(np.clip(1.0 / high / shape, *SHARE))
    grid = figure.add_gridspec(charts, 2, width_ratios=(own, 1 - own))
    return figure.add_subplot(grid[:, 0]), [figure.add_subplot(grid[k, 1]) for k in range(charts)]


def filmed_scene(run: Run, forces: bool | None) -> Scene:
    """The scene of a run with the arrows of its forces, where it has any or they are wanted; a mode has none."""
    return with_forces(scene_of(run), bool(forces) if run.record.mode is not None else forces)


def rest_pose(run: Run) -> Mapping[str, Array]:
    """The position about which the vibration mode swings that a run shows."""
    assert run.record.mode is not None
    still = scene_of(replace(run, columns=run.record.mode.rest))
    return pose_at(still, float(still.times[0]))


def fitted_size(scene: Scene, most: tuple[int, int], view: tuple[float, float] | None) -> tuple[int, int]:
    """Pixels of a film without charts: no wider and no higher than its mechanism needs, within the largest size."""
    high = proportion(scene, view)
    wide, tall = most[0] - AXES[0], most[1] - AXES[1]
    fitted = (tall / high, tall) if high * wide > tall else (wide, wide * high)
    sizes = (side + room for side, room in zip(fitted, AXES, strict=True))
    return tuple(2 * round(max(side, LEAST * full) / 2) for side, full in zip(sizes, most, strict=True))  # type: ignore[return-value]


class _Traces:
    """Paths that grow; the whole path stands behind them, faint."""

    def __init__(self, stage: Stage, times: Array) -> None:
        from matplotlib.collections import LineCollection

        fine = np.append((times[:-1, None] + np.diff(times)[:, None] * np.arange(SUB) / SUB).ravel(), times[-1])
        stage.trace(alpha=0.22, linewidths=1.0)
        pixel = abs(float(stage.axes.transData.inverted().transform([(1, 0), (0, 0)])[:, 0] @ [1, -1]))
        self.paths, self.count = [], []
        for path in stage.paths(fine).values():
            keep = _spaced_points(path, 0.7 * pixel)
            self.paths.append(path[keep])
            self.count.append(np.cumsum(keep)[::SUB])
        look: dict[str, Any] = {
            "colors": [stage.scene.frame_colour(dot.body) for dot in stage.scene.points],
            "linewidths": 1.0 if len(stage.scene.points) > FEW else 1.6,
            "zorder": PATHS if stage.camera is None else BEHIND,
        }
        self.lines = LineCollection([], capstyle="round", joinstyle="round", **look)
        stage.axes.add_collection(self.lines, autolim=False)

    def show(self, number: int) -> None:
        self.lines.set_segments([path[: count[number]] for path, count in zip(self.paths, self.count, strict=True)])


def _spaced_points(path: Array, step: float) -> Any:
    """A mask of the points of a path that are about a step apart; ends of gaps are among them."""
    moved = np.nan_to_num(np.hypot(*np.diff(path, axis=0).T))
    piece = np.floor(np.concatenate([[0.0], np.cumsum(moved)]) / max(step, 1e-300))
    gap = np.isnan(path).any(axis=1)
    keep = np.concatenate([[True], (np.diff(piece) > 0) | (np.diff(gap.astype(int)) != 0)])
    return keep


class _Cursor:
    """A line through a chart at the time of the frame, with a dot on the curve."""

    def __init__(self, axes: Any, run: Run, name: str, colour: str) -> None:
        self.t, self.y = column_curve(run, name)
        self.line = axes.axvline(run["t"][0], color=INK, lw=0.9)
        self.dot = axes.plot([], [], "o", color=colour, ms=5.5, zorder=5)[0]
        self.artists = [self.line, self.dot]

    def show(self, time: float) -> None:
        self.line.set_xdata([time, time])
        self.dot.set_data([time], [np.interp(time, self.t, self.y)])


def dots_per_inch(size: tuple[int, int]) -> float:
    """Text grows with the film; from 400 × 240 pixels on its 10 points are 11 pixels or more."""
    width, height = size
    least = LEGIBLE * min(1.0, width / 400, height / 240)
    return float(np.clip(100 * np.sqrt(width * height / FULL), max(least, 45), 220))


def frame_times(scene: Scene, settings: FilmSettings) -> Array:
    """The times of the frames: evenly from the first row to the last, at the speed asked for."""
    if len(scene.times) < 2:
        raise ResultError("a film needs two rows or more: this result has one", suggestion="Use `mubo plot` for it.")
    start, end = float(scene.times[0]), float(scene.times[-1])
    seconds = FACTORS["time"][scene.units["time"] or "s"]  # per unit of time of the model
    count = (end - start) * seconds / settings.speed * settings.fps
    if count > MOST_FRAMES:
        raise ResultError(
            f"the film would have {count:,.0f} frames; at most {MOST_FRAMES:,} are drawn",
            suggestion="Take a larger speed or fewer frames per second.",
        )
    return np.linspace(start, end, max(round(count), 1) + 1)


def _digits(times: Array) -> int:
    """Decimals of the clock: enough to distinguish frames, at most six."""
    step = float(times[1] - times[0])
    return int(np.clip(np.ceil(-np.log10(step)), 0, 6)) if step > 0 else 0
