"""Names on axes of matplotlib, placed for one position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.view.painters.labels import Label, Obstacles, place_labels
from mubo.view.scene import Scene, Text
from mubo.view.style import INK, readable

Where = Callable[[str, tuple[float, ...]], Array]  # where a place on a body lies on the axes
Named = tuple[Any, Text, tuple[float, ...]]  # text of the picture, what it is, anchor
BESIDE = 2.0  # points between a thing and its name
DOT = 2.6  # radius of a point of interest, in points
MOST_NAMES = 40  # of a sort; more cannot be read, and are left out
FEW = 6  # names that a note lists
SORTS = {"point": "points", "body": "bodies"}


def shown_texts(scene: Scene) -> tuple[list[Text], list[str]]:
    """The names to draw, and notes of those left out because there are too many of their sort."""
    sorts = {of: [text for text in scene.texts if text.of == of] for of in SORTS}
    notes = [f"the names of {len(t):,} {SORTS[of]} are left out" for of, t in sorts.items() if len(t) > MOST_NAMES]
    return [text for texts in sorts.values() if len(texts) <= MOST_NAMES for text in texts], notes


def name_things(axes: Any, scene: Scene, where: Where, lines: Array, points: Array) -> tuple[list[Named], list[str]]:
    """Names of points and bodies, each at the best of its places, clear of lines and points (in pixels); and notes."""
    from matplotlib.transforms import ScaledTranslation

    figure = axes.figure
    renderer = figure.canvas.get_renderer()
    shown, notes = shown_texts(scene)
    texts = [_text(axes, scene, entry) for entry in shown]
    labels = [_label(axes, *pair, where, renderer) for pair in zip(texts, shown, strict=True)]
    frame = axes.get_window_extent(renderer)
    chosen = place_labels(labels, Obstacles(lines, points, (frame.x0, frame.y0, frame.x1, frame.y1)))
    out, crowded = [], []
    for text, entry, choice in zip(texts, shown, chosen, strict=True):
        if choice is None:
            text.remove()
            crowded.append(entry.text)
            continue
        number, dx, dy = choice
        shift = ScaledTranslation(dx / figure.dpi, dy / figure.dpi, figure.dpi_scale_trans)
        text.set_transform(axes.transData + shift)
        text.set_position(where(entry.body, entry.anchors[number]))
        out.append((text, entry, entry.anchors[number]))
    if crowded:
        notes.append(
            f"no room for {'the names ' + ', '.join(crowded) if len(crowded) <= FEW else f'{len(crowded)} names'}"
        )
    return out, notes


def _text(axes: Any, scene: Scene, entry: Text) -> Any:
    from matplotlib.patheffects import withStroke

    point = entry.of == "point"
    colour, weight = (INK, "bold") if point else (readable(scene.body(entry.body).colour), "normal")
    words = entry.text.replace("$", r"\$")
    text = axes.text(0, 0, words, color=colour, weight=weight, ha="center", va="center", zorder=8)
    text.set_path_effects([withStroke(linewidth=2.5, foreground="white")])
    text.set_in_layout(False)
    return text


def _label(axes: Any, text: Any, entry: Text, where: Where, renderer: Any) -> Label:
    box, dots = text.get_window_extent(renderer), axes.figure.dpi / 72
    places = axes.transData.transform(np.array([where(entry.body, at) for at in entry.anchors]))
    clear = max(entry.clear / unit_of(axes), DOT)  # points
    wide, high = box.width + clear * dots, box.height + 0.5 * clear * dots
    return Label([tuple(at) for at in places], wide, high, (clear + BESIDE) * dots)


def unit_of(axes: Any) -> float:
    """The length of one point of the paper in data."""
    (x0, _), (x1, _) = axes.transData.inverted().transform([(0, 0), (axes.figure.dpi / 72, 0)])
    return float(x1 - x0)
