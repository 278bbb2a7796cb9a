"""Names on axes of matplotlib, placed for one position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mubo.arrays import Array
from mubo.view.painters.labels import Label, place_labels
from mubo.view.scene import Scene
from mubo.view.style import INK

Where = Callable[[str, tuple[float, ...]], Array]  # where a place on a body lies on the axes
Named = tuple[Any, str, tuple[float, ...]]  # text, body, anchor
BESIDE = 2.0  # points between a thing and its name
DOT = 2.6  # radius of a point of interest, in points


def name_things(axes: Any, scene: Scene, where: Where, segments: Array) -> list[Named]:
    """Names of points and bodies, each at the best of its places, clear of lines (in pixels)."""
    from matplotlib.patheffects import withStroke
    from matplotlib.transforms import ScaledTranslation

    figure = axes.figure
    renderer = figure.canvas.get_renderer()
    to_pixels, dots = axes.transData.transform, figure.dpi / 72
    shown, texts, labels = [text for text in scene.texts if text.of != "joint"], [], []
    for entry in shown:
        point = entry.of == "point"
        colour = INK if point else scene.body(entry.body).colour
        weight = "bold" if point else "normal"
        text = axes.text(0, 0, entry.text, color=colour, weight=weight, ha="center", va="center", zorder=8)
        text.set_path_effects([withStroke(linewidth=2.5, foreground="white")])
        box = text.get_window_extent(renderer)
        places = [tuple(to_pixels(where(entry.body, at))) for at in entry.anchors]
        clear = max(entry.clear / unit_of(axes), DOT)  # points
        texts.append(text)
        labels.append(Label(places, box.width + clear * dots, box.height + 0.5 * clear * dots, (clear + BESIDE) * dots))
    frame = axes.get_window_extent(renderer)
    chosen = place_labels(labels, segments, (frame.x0, frame.y0, frame.x1, frame.y1))
    out = []
    for text, entry, (number, dx, dy) in zip(texts, shown, chosen, strict=True):
        shift = ScaledTranslation(dx / figure.dpi, dy / figure.dpi, figure.dpi_scale_trans)
        text.set_transform(axes.transData + shift)
        text.set_position(where(entry.body, entry.anchors[number]))
        out.append((text, entry.body, entry.anchors[number]))
    return out


def unit_of(axes: Any) -> float:
    """The length of one point of the paper in data."""
    (x0, _), (x1, _) = axes.transData.inverted().transform([(0, 0), (axes.figure.dpi / 72, 0)])
    return float(x1 - x0)
