"""The scale of the arrows of forces above a picture: bars of round values, and what colours mean."""

from __future__ import annotations

from typing import Any

from mubo.view.scene import Scene
from mubo.view.scene.colours import INK, QUIET
from mubo.view.scene.legend import scale_bars, scale_notes

LINE, SIZE = 12.5, 8.5  # height of a line and of its letters, in points
LONGEST = 0.16  # of the width of the axes: a bar
LONGEST_LINE = 84  # letters
TICK, GAP = 3.0, 5.0  # points


def lines_of(scene: Scene) -> list[list[str]]:
    """The texts of each line above the picture: bars first, then words."""
    if scene.scale is None:
        return []
    lines: list[list[str]] = [[]]
    for words in scale_notes(scene):
        if not lines[-1] or len(" · ".join([*lines[-1], words])) > LONGEST_LINE or len(lines) == 1:
            lines.append([])
        lines[-1].append(words)
    return lines


def legend_height(scene: Scene) -> float:
    """Points above the axes that the legend takes."""
    return LINE * len(lines_of(scene))


def draw_legend(axes: Any, scene: Scene) -> None:
    """Bars and words in the room above the axes, whose limits are settled."""
    dots = axes.figure.dpi / 72
    box = axes.get_window_extent()
    pixel = box.width / (axes.get_xlim()[1] - axes.get_xlim()[0])  # per length
    x, high = box.x0, box.y1 + (legend_height(scene) - LINE + 5) * dots
    for bar in scale_bars(scene, LONGEST * box.width / pixel):
        end = x + bar.length * pixel
        ticks = [(x, high - TICK * dots), (x, high + TICK * dots), (x, high), (end, high)]
        ticks += [(end, high - TICK * dots), (end, high + TICK * dots)]
        _line(axes, ticks)
        text = _text(axes, end + GAP * dots, high, bar.text, INK)
        x = text.get_window_extent(axes.figure.canvas.get_renderer()).x1 + 4 * GAP * dots
    for words in lines_of(scene)[1:]:
        high -= LINE * dots
        _text(axes, box.x0, high, " · ".join(words), QUIET)


def _line(axes: Any, pixels: list[tuple[float, float]]) -> None:
    from matplotlib.lines import Line2D

    whole = axes.figure.transFigure.inverted().transform(pixels)
    line = Line2D(*whole.T, transform=axes.figure.transFigure, color=INK, lw=1.2, clip_on=False)
    axes.figure.add_artist(line)


def _text(axes: Any, x: float, y: float, words: str, colour: str) -> Any:
    at = axes.figure.transFigure.inverted().transform([(x, y)])[0]
    return axes.figure.text(*at, words, fontsize=SIZE, color=colour, va="center", ha="left")
