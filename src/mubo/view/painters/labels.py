"""Names beside what they name: each at the first of its places where it hits neither lines, points nor other names.

Everything here is in pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.view.scene import Scene, Text
from mubo.view.scene.colours import INK, readable

DIRECTIONS = np.array([(np.cos(a), np.sin(a)) for a in np.radians([45, 135, 315, 225, 0, 90, 180, 270])])
STEPS = np.array([1.0, 1.8, 2.8])  # distances from the anchor that are tried, of the asked one
CELL = 2.0  # pixels
# what a bad place costs, against 1 per pixel of a line covered
OTHER_NAME, OUTSIDE, POINT, FAR, NEXT, TURN = 2000.0, 300.0, 60.0, 3.0, 0.4, 0.15


@dataclass(frozen=True)
class Label:
    """A text of a width and height that belongs to one of several anchors; `clear` is its distance from them."""

    anchors: Sequence[tuple[float, float]]
    width: float
    height: float
    clear: float

    @property
    def half(self) -> Array:
        return np.array([self.width, self.height]) / 2


class Obstacles:
    """The obstacles of names: lines (n, 2, 2), points (n, 2), and the border x0, y0, x1, y1 of the picture.

    Lengths of lines are summed up in cells, so that a box costs the same however many lines there are (summed-area
    table, Crow 1984).
    """

    def __init__(self, lines: Array, points: Array, frame: tuple[float, float, float, float]) -> None:
        self.points, self.frame = points[np.isfinite(points).all(axis=1)], frame
        self.origin = np.array(frame[:2])
        self.cells = np.ceil((np.array(frame[2:]) - self.origin) / CELL).astype(int) + 1
        lines = lines[np.isfinite(lines).all(axis=(1, 2))]
        length = np.hypot(*(lines[:, 1] - lines[:, 0]).T)
        count = np.maximum(np.ceil(2 * length / CELL).astype(int), 1)
        owner = np.repeat(np.arange(len(lines)), count)
        part = (np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count) + 0.5) / count[owner]
        at = lines[owner, 0] + part[:, None] * (lines[owner, 1] - lines[owner, 0])
        cell = np.floor((at - self.origin) / CELL).astype(int)
        seen = np.all((cell >= 0) & (cell < self.cells), axis=1)
        flat = np.ravel_multi_index(tuple(cell[seen].T), tuple(self.cells))
        density = np.bincount(flat, (length / count)[owner][seen], int(np.prod(self.cells))).reshape(self.cells)
        self.table = np.pad(density.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))

    def covered(self, boxes: Array) -> Array:
        """Pixels of lines in the cells of boxes (n, 4)."""
        low = np.clip(np.round((boxes[:, :2] - self.origin) / CELL).astype(int), 0, self.cells)
        high = np.clip(np.round((boxes[:, 2:] - self.origin) / CELL).astype(int), low, self.cells)
        (x0, y0), (x1, y1) = low.T, high.T
        table = self.table
        return np.asarray(table[x1, y1] - table[x0, y1] - table[x1, y0] + table[x0, y0])


def place_labels(labels: Sequence[Label], obstacles: Obstacles) -> list[tuple[int, float, float] | None]:
    """For each label the number of its anchor and the shift of its middle from it; None where there is no room.

    Labels with fewer places choose first.
    """
    out: list[tuple[int, float, float] | None] = [None] * len(labels)
    taken: list[Array] = []
    for k in sorted(range(len(labels)), key=lambda k: len(labels[k].anchors)):
        label = labels[k]
        cost, anchors, shifts = _places(label)
        middles = np.array(label.anchors)[anchors] + shifts
        boxes = np.hstack([middles - label.half, middles + label.half])
        cost = cost + costs(boxes, obstacles) + OTHER_NAME * overlaps(boxes, np.array(taken).reshape(-1, 4))
        best = int(np.argmin(cost))
        if cost[best] < OTHER_NAME:
            taken.append(boxes[best])
            out[k] = (int(anchors[best]), float(shifts[best, 0]), float(shifts[best, 1]))
    return out


def costs(boxes: Array, obstacles: Obstacles) -> Array:
    """The costs of boxes (n, 4): the lines and points that they cover, and where they leave the picture."""
    x, y = obstacles.points.T
    inside = (boxes[:, 0, None] < x) & (x < boxes[:, 2, None]) & (boxes[:, 1, None] < y) & (y < boxes[:, 3, None])
    x0, y0, x1, y1 = obstacles.frame
    out = (boxes[:, 0] < x0) | (boxes[:, 1] < y0) | (boxes[:, 2] > x1) | (boxes[:, 3] > y1)
    return np.asarray(obstacles.covered(boxes) + POINT * inside.sum(axis=1) + OUTSIDE * out)


def overlaps(boxes: Array, others: Array) -> Array:
    """The number of other boxes (m, 4) that each box (n, 4) overlaps; boxes of NaN do not count."""
    a, b = boxes[:, None], others[None]
    hit = (a[..., 0] < b[..., 2]) & (b[..., 0] < a[..., 2]) & (a[..., 1] < b[..., 3]) & (b[..., 1] < a[..., 3])
    return np.asarray(hit.sum(axis=1))


def _places(label: Label) -> tuple[Array, Array, Array]:
    """Costs, anchors and shifts of the places of a label: the cheapest is near, to the upper right, at the first."""
    count = len(label.anchors)
    anchor, far, turn = (np.ravel(x) for x in np.indices((count, len(STEPS), len(DIRECTIONS))))
    direction = DIRECTIONS[turn]
    shifts = direction * (STEPS[far] * label.clear)[:, None] + np.sign(np.round(direction, 6)) * label.half
    return FAR * far + NEXT * anchor + TURN * turn, anchor, shifts


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
