"""Designs side by side, each where it begins, with the path of its point and the places asked for."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.errors import ResultError
from mubo.formats.atomic import replacing
from mubo.view.painters.plane import PATHS, PlanePainter
from mubo.view.painters.stage import path_of
from mubo.view.panels import WIDTH, body_legend, body_lines, columns_of, square_frame
from mubo.view.plot import picture_target
from mubo.view.scene import Scene, pose_at, scene_of
from mubo.view.style import INK, LOAD_COLOUR, styled, title

if TYPE_CHECKING:
    from mubo.design.synthesis.design import Design
    from mubo.design.synthesis.result import Synthesis

MOST_PANELS = 12


def draw_designs(found: Synthesis, path: str | Path | None = None, rejected: bool = False) -> Any:
    """One panel per design, each in its own frame; with `path` the picture is written there."""
    target = None if path is None else picture_target(path)
    shown = [d for d in (found.rejected if rejected else found.designs) if d.run is not None and len(d.run)]
    shown = shown[:MOST_PANELS]
    if not shown:
        raise ResultError("there is nothing to draw: no design is without a defect", suggestion="Its table says why.")
    columns = columns_of(len(shown))
    rows = math.ceil(len(shown) / columns)
    scenes = [scene_of(design.run) for design in shown]  # type: ignore[arg-type]
    with styled() as figure_class:
        figure = figure_class(figsize=(WIDTH * columns + 0.6, rows * (WIDTH + 0.75) + 1.1))
        panels = figure.subplots(rows, columns, squeeze=False)
        for axes, design, scene in zip(panels.flat, shown, scenes, strict=False):
            low, high = square_frame(scene)
            axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
            axes.set_aspect("equal")
            axes.tick_params(labelsize=8)
            _title(axes, design)
        for axes in panels.flat[len(shown) :]:
            axes.set_visible(False)
        unit = found.task.units.length
        figure.suptitle(title(found.task.words) + (f", lengths in {unit}" if unit else ""))
        alike = len({tuple(body.name for body in scene.bodies) for scene in scenes}) == 1
        if alike:
            body_legend(figure, scenes[0], columns)
        figure.draw_without_rendering()  # then sizes on paper are known
        for axes, scene in zip(panels.flat, scenes, strict=False):
            _draw_panel(axes, found, scene)
            if not alike:
                axes.legend(handles=body_lines(scene), fontsize=7.5, frameon=False, loc="lower left", handlelength=1.2)
        if target is not None:
            with replacing(target) as temporary:
                figure.savefig(temporary)
    return figure


def _title(axes: Any, design: Design) -> None:
    axes.set_title(design.name.replace("_", " "), pad=20)
    told = (
        f"{design.words} · transmission ≥ {design.transmission:.3g}°"
        if design.sound
        else design.told().partition(":")[0]
    )
    axes.text(0, 1.02, told, transform=axes.transAxes, va="bottom", size=8.5)


def _draw_panel(axes: Any, found: Synthesis, scene: Scene) -> None:
    for dot in scene.points:
        if dot.named:
            line = path_of(scene, dot, scene.poses, len(scene.times))
            axes.plot(*line.T, color=scene.frame_colour(dot.body), lw=1.2, zorder=PATHS)
    row = 0 if found.task.columns else len(scene.times) // 8  # at its dead position a crank would be hidden
    PlanePainter(axes, scene, labels=False).show(pose_at(scene, float(scene.times[row])))
    if found.task.marks is not None:
        _marks(axes, np.asarray(found.task.marks), found.task.axes)


def _marks(axes: Any, places: Any, angles: Any) -> None:
    """The places asked for: crosses, or of poses the two axes of the body; the first has its number."""
    low, high = axes.get_xlim()
    if angles is None:
        axes.plot(places.real, places.imag, "x", color=LOAD_COLOUR, mew=1.6, ms=5, zorder=PATHS + 1)
    else:
        for place, angle in zip(places, angles, strict=True):
            arm = 0.07 * (high - low) * np.exp(1j * angle)
            corner = np.array([place + arm, place, place + 0.6j * arm])
            axes.plot(corner.real, corner.imag, color=LOAD_COLOUR, lw=1.6, zorder=PATHS + 1)
    for number in (1, 2, len(places)) if len(places) > 2 else ():
        at = places[number - 1]
        axes.annotate(str(number), (at.real, at.imag), (4, 4), textcoords="offset points", color=INK, size=8,
                      zorder=PATHS + 2)  # fmt: skip
