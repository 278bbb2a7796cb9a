"""Torque over speed of a duty at the shafts of motors, against their continuous and peak curves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.applications.drives.catalogue import KINDS, Motor
from mubo.arrays import Array
from mubo.view.painters.style import axis_text, figure_style, picture_target, save_figure, title
from mubo.view.scene.colours import COLOURS, INK, QUIET

if TYPE_CHECKING:
    from mubo.applications.drives.result import MotorSizing
    from mubo.applications.drives.sizing import MotorCheck

MOST = 4  # motors that are drawn
ACROSS = 2


def plot_motor(found: MotorSizing, path: str | Path | None) -> Any:
    """The figure, written to `path` where one is given: a panel for each of the first motors."""
    target = picture_target(path)
    shown = found.checks[:MOST]
    across = min(len(shown), ACROSS)
    down = -(-len(shown) // across)
    with figure_style() as figure_class:
        figure = figure_class(figsize=(1.0 + 4.4 * across, 1.2 + 3.2 * down))
        panels = figure.subplots(down, across, squeeze=False).ravel()
        for axes, one in zip(panels, shown, strict=False):
            _panel(axes, found, one)
        for axes in panels[len(shown) :]:
            axes.set_axis_off()
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
        figure.suptitle(f"{title(found.run.model.name)}: motor for driver {title(found.driver)}")
        save_figure(figure, target)
    return figure


def curve_points(motor: Motor, curve: str) -> Array:
    """The corners of a limit of a motor, to the axis at its greatest speed: speeds and torques."""
    points = getattr(motor, curve)
    inside = points[points[:, 0] < motor.speed]
    last = float(motor.limit(curve, motor.speed))
    first = [[0.0, float(motor.limit(curve, 0.0))]] if inside[0, 0] > 0 else []
    return np.array([*first, *inside, [motor.speed, last], [motor.speed, 0.0]])


def _panel(axes: Any, found: MotorSizing, one: MotorCheck) -> None:
    kinds = KINDS[found.holds]
    torque, speed = (found.run.units.unit(kinds[key]) for key in ("torque", "speed"))
    for curve, colour in (("peak", COLOURS[1]), ("continuous", COLOURS[2])):
        n, m = curve_points(one.motor, curve).T
        axes.plot(n / speed.factor, m / torque.factor, color=colour, lw=1.6, label=curve)
        axes.fill_between(n / speed.factor, m / torque.factor, color=colour, alpha=0.06, lw=0)
    axes.plot(
        np.abs(one.speed) / speed.factor, np.abs(one.torque) / torque.factor, color=COLOURS[0], lw=1.2, label="duty"
    )
    axes.plot(
        [one.mean_speed / speed.factor], [one.rms / torque.factor], "o", color=INK, ms=5, label="rms at the mean speed"
    )
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.axhline(0, color=QUIET, lw=0.8)
    word = "can" if one.ok else "cannot"
    axes.set_title(
        f"{title(one.motor.name)}, ratio {one.ratio:.4g}: {word}, {one.governs} {100 * one.utilisation:.3g} %"
    )
    names = ("speed", "torque") if found.holds == "angle" else ("speed", "force")
    axes.set_xlabel(axis_text(f"|{names[0]}| of the motor", speed.label))
    axes.set_ylabel(axis_text(f"|{names[1]}|", torque.label))
