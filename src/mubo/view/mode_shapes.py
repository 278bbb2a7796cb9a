"""The vibration modes side by side, each at its largest deflection over the rest position, with its numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mubo.analyses.linearize.linearization import Linearization
from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.view.film import filmed_scene, rest_pose
from mubo.view.painters.stage import Stage, proportion
from mubo.view.painters.style import figure_style, picture_target, save_figure, title
from mubo.view.panels import WIDTH, columns_of
from mubo.view.scene import Scene

MOST = 12  # modes in one picture
LOW, TALL = 0.4, 1.4  # of its width, the height of a panel
HEAD = 0.8  # inches over a panel


def draw_mode_shapes(found: Linearization, path: str | Path | None = None) -> Any:
    """Draws every mode at its largest deflection over the rest position, with its numbers."""
    if not found.modes:
        raise ResultError("there is no mode to draw: the mechanism has no degree of freedom")
    target = picture_target(path)
    runs = [found.motion(k + 1, cycles=1) for k in range(min(len(found.modes), MOST))]
    scenes, count = [filmed_scene(run, False) for run in runs], len(runs)
    columns = columns_of(count)
    wide = 2 * WIDTH if count == 1 else 1.3 * WIDTH
    high = float(np.clip(proportion(scenes[0]), LOW, TALL)) * wide + HEAD
    with figure_style() as figure_class:
        figure = figure_class(figsize=(columns * wide, math.ceil(count / columns) * high))
        panels = list(figure.subplots(math.ceil(count / columns), columns, squeeze=False).flat)
        for axes in panels[count:]:
            axes.set_visible(False)
        for axes, run in zip(panels, runs, strict=False):
            axes.set_title(run.record.mode.label, fontsize=10)  # type: ignore[union-attr]
        left_out = len(found.modes) - count
        more = f"; {left_out} more modes are not drawn" if left_out else ""
        figure.suptitle(f"{title(runs[0].model.name)} about {found.about}{more}")
        for axes, run, scene in zip(panels, runs, scenes, strict=False):
            stage, rest = Stage(axes, scene, labels=count == 1), rest_pose(run)
            stage.draw_ghosts([rest])
            stage.show(_largest_deflection(scene, rest))
        save_figure(figure, target)
    return figure


def _largest_deflection(scene: Scene, rest: Mapping[str, Array]) -> float:
    """The time at which a swing is farthest from rest."""
    away = np.zeros(len(scene.times))
    for body in scene.bodies:
        if body.name in scene.poses:
            away += np.linalg.norm(scene.poses[body.name] - rest[body.name], axis=-1)
    return float(scene.times[int(np.argmax(away))])
