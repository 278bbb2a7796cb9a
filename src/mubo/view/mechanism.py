"""The mechanism drawn at one time, with the paths of its points."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.model import GROUND
from mubo.motion.law import Array
from mubo.results import Trajectory
from mubo.view.charts import between_rows
from mubo.view.scene import Glyph, Outline, Scene, scene_at
from mubo.view.style import INK, QUIET, colour_of


def draw_mechanism(axes: Any, run: Trajectory, row: int = 0) -> None:
    """Bodies, joints, labels and the whole path of every point of interest (of the bodies, where there is none)."""
    scene = scene_at(run, row)
    names = [name for name in run.model.bodies if name != GROUND]
    traces = traced(run)
    look = {"lw": 1.1, "alpha": 1.0} if len(traces) <= 3 else {"lw": 0.7, "alpha": 0.45}
    for name in traces:
        axes.plot(*_path(run, name), color=INK, zorder=1, **look)
    size = float(np.max(extent(run)))
    for outline in scene.outlines:
        if not outline.grounded:
            _draw_body(axes, outline, colour_of(outline.name, names), size)
    for curve in scene.curves:
        colour = colour_of(curve.body, names) if curve.body in names else QUIET
        if curve.filled:
            axes.fill(*curve.points.T, facecolor=colour, alpha=0.10, zorder=1.5)
        axes.plot(*curve.points.T, color=colour, lw=1.4, zorder=2)
    for glyph in scene.glyphs:
        _draw_joint(axes, glyph, size)
    for name, at in scene.points.items():
        axes.plot(*at, "o", color=INK, ms=5, zorder=6)
        _label(axes, name, np.array(at), _outward(scene, run.model.points[name].body, np.array(at)), INK, weight="bold")
    unit = run.unit(f"{names[0]}.x") if names else ""
    axes.set_aspect("equal")
    axes.margins(0.1)
    axes.set_xlabel(f"x [{unit}]" if unit else "x")
    axes.set_ylabel(f"y [{unit}]" if unit else "y")


def _outward(scene: Scene, body: str, at: Array) -> Array:
    """Away from the middle of the body, so that a point's name does not fall on it."""
    corners = next(o.corners for o in scene.outlines if o.name == body)
    away = at - corners.mean(axis=0) if len(corners) else np.zeros(2)
    length = float(np.hypot(*away))
    return np.asarray(away / length if length > 0 else np.array([0.6, 0.8]))


def traced(run: Trajectory) -> list[str]:
    """What leaves a path: the points of interest, or the bodies that have no points to draw."""
    return list(run.model.points) or [n for n, b in run.model.bodies.items() if n != GROUND and not b.points]


def extent(run: Trajectory) -> Array:
    """Width and height of everything drawn."""
    scene: Scene = scene_at(run, 0)
    corners = [o.corners for o in scene.outlines if len(o.corners)] + [c.points for c in scene.curves]
    corners += [np.column_stack([run[f"{name}.x"], run[f"{name}.y"]]) for name in traced(run)]
    everything = np.concatenate(corners) if corners else np.zeros((1, 2))
    size = np.ptp(everything, axis=0)
    return np.asarray(np.where(size > 0, size, np.max(size) or 1.0) if np.all(size == 0) else size)


def _path(run: Trajectory, name: str) -> tuple[Array, Array]:
    return between_rows(run, f"{name}.x")[1], between_rows(run, f"{name}.y")[1]


def _draw_body(axes: Any, outline: Outline, colour: str, size: float) -> None:
    if len(outline.corners) == 0:
        _draw_frame(axes, outline, colour, 0.1 * size)
        return
    x, y = outline.corners.T
    middle, away = outline.corners.mean(axis=0), np.array([0.0, -1.0])
    if len(outline.corners) > 2 and not outline.bar:
        axes.fill(x, y, facecolor=colour, alpha=0.14, zorder=2)
        x, y = np.append(x, x[0]), np.append(y, y[0])
        away = np.zeros(2)
    elif outline.bar:
        along = outline.corners[-1] - outline.corners[0]
        middle = (outline.corners[-1] + outline.corners[0]) / 2
        length = float(np.hypot(*along))
        if length:
            away = np.array([along[1], -along[0]]) / length
            away = away if away[0] > 0 or (away[0] == 0 and away[1] > 0) else -away
    axes.plot(x, y, color=colour, lw=3.2, solid_capstyle="round", solid_joinstyle="round", zorder=3)
    _label(axes, outline.name, middle, away, colour)


def _draw_frame(axes: Any, outline: Outline, colour: str, length: float) -> None:
    """A body without points: its origin and axes."""
    x, y, phi = outline.pose
    for turn, width in ((0.0, 3.0), (np.pi / 2, 1.2)):
        tip = (x + length * np.cos(phi + turn), y + length * np.sin(phi + turn))
        axes.plot([x, tip[0]], [y, tip[1]], color=colour, lw=width, solid_capstyle="round", zorder=5)
    axes.plot([x], [y], "o", color=colour, ms=6, zorder=6)
    _label(axes, outline.name, np.array([x, y]), np.array([1.0, 0.4]), colour)


def _label(axes: Any, text: str, at: Array, away: Array, colour: str, weight: str = "normal") -> None:
    """Text beside a place, with a white edge that keeps it readable over lines."""
    from matplotlib.patheffects import withStroke

    horizontal = "left" if away[0] > 0.3 else "right" if away[0] < -0.3 else "center"
    vertical = "bottom" if away[1] > 0.3 else "top" if away[1] < -0.3 else "center"
    axes.annotate(
        text,
        at,
        9 * away,
        textcoords="offset points",
        color=colour,
        ha=horizontal,
        va=vertical,
        weight=weight,
        zorder=8,
        path_effects=[withStroke(linewidth=3, foreground="white")],
    )


def _draw_joint(axes: Any, glyph: Glyph, size: float) -> None:
    if glyph.kind == "translational" and glyph.driven:
        _draw_ram(axes, glyph)
    elif glyph.kind in ("translational", "slot"):
        _draw_slider(axes, glyph, size)
    elif glyph.kind == "distance":
        axes.plot(*zip(glyph.start, glyph.at, strict=True), color=QUIET, lw=2.2, zorder=2.5)
        draw_pin(axes, glyph.start)
        draw_pin(axes, glyph.at)
    else:
        if glyph.grounded and glyph.kind == "revolute":
            _draw_support(axes, glyph.at, 0.04 * size)
        draw_pin(axes, glyph.at)


def draw_pin(axes: Any, at: tuple[float, ...]) -> None:
    axes.plot(*at, "o", ms=6, mfc="white", mec=INK, mew=1.3, zorder=6)


def _draw_ram(axes: Any, glyph: Glyph) -> None:
    """A hydraulic cylinder with its rod."""
    start, end = np.array(glyph.start), np.array(glyph.at)
    head = start + 0.6 * (end - start)
    axes.plot(*zip(start, end, strict=True), color=INK, lw=2.0, zorder=3)
    axes.plot(*zip(start, head, strict=True), color=QUIET, lw=7.0, solid_capstyle="butt", zorder=3.5)


def _draw_slider(axes: Any, glyph: Glyph, size: float) -> None:
    """A block between rails; a pin in a slot has no block."""
    x, y = glyph.at
    turn = np.array([[np.cos(glyph.angle), np.sin(glyph.angle)], [-np.sin(glyph.angle), np.cos(glyph.angle)]])
    half, high = 0.055 * size, 0.03 * size
    if glyph.kind == "translational":
        box = np.array([[-half, -high], [half, -high], [half, high], [-half, high]]) @ turn + [x, y]
        axes.fill(*box.T, facecolor="white", edgecolor=INK, lw=1.3, zorder=4)
    else:
        high *= 0.6
        draw_pin(axes, glyph.at)
    for side in (-1, 1):
        rail = np.array([[-2.5 * half, side * high], [2.5 * half, side * high]]) @ turn + [x, y]
        axes.plot(*rail.T, color=QUIET, lw=1.1, zorder=3)


def _draw_support(axes: Any, at: tuple[float, ...], size: float) -> None:
    x, y = at
    axes.plot([x, x - size, x + size, x], [y, y - 1.6 * size, y - 1.6 * size, y], color=QUIET, lw=1.2, zorder=4)
    for k in range(-2, 3):
        foot = x + 0.5 * k * size
        axes.plot([foot, foot - 0.4 * size], [y - 1.6 * size, y - 2.2 * size], color=QUIET, lw=0.9, zorder=4)
