"""Names of a film: each moves with its body, and changes to another place beside it before it hits something.

A name has a few *modes*: beside its link on the left or on the right at several places along it, or around its point.
Its mode is chosen for the whole film, at moments a part of a second apart: the cheapest path through all modes, where
a change costs something too (Viterbi 1967). Between two modes it glides. Where all its modes hit other names it fades
away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.view.painters.labels import BESIDE, Obstacles, costs, overlaps, unit_of
from mubo.view.scene import Scene, Text, place
from mubo.view.scene.texts import link_lines

if TYPE_CHECKING:
    from mubo.view.painters.stage import Stage


@dataclass(frozen=True)
class Sprite:
    """Pixels of a text, rows from the bottom, on a transparent ground."""

    pixels: Any

    @property
    def size(self) -> tuple[int, int]:
        return self.pixels.shape[1], self.pixels.shape[0]

    def put(self, renderer: Any, middle: Array, opacity: float = 1.0) -> None:
        """Draws it with its middle at a pixel."""
        if np.isfinite(middle).all():
            x, y = np.round(middle - np.array(self.size) / 2)
            context = renderer.new_gc()
            context.set_alpha(opacity)
            renderer.draw_image(context, float(x), float(y), self.pixels)


def sprite_of(text: str, dpi: float, **style: Any) -> Sprite:
    """Renders a text, cropped to what it covers."""
    return sprites_of([text], dpi, **style)[0]


def sprites_of(texts: Sequence[str], dpi: float, **style: Any) -> list[Sprite]:
    """Renders texts, cropped to what they cover: all to the same rows, so that they stand on one line."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    drawn = []
    for text in texts:
        figure = Figure(figsize=(0.22 * len(text) + 0.5, 0.5), dpi=dpi)
        figure.patch.set_alpha(0.0)
        canvas: Any = FigureCanvasAgg(figure)
        figure.text(0.5, 0.3, text, ha="center", va="baseline", **style)
        canvas.draw()
        drawn.append(np.array(canvas.buffer_rgba()))
    rows = np.flatnonzero(np.any([pixels[..., 3].any(axis=1) for pixels in drawn], axis=0))
    out = []
    for pixels in drawn:
        columns = np.flatnonzero(pixels[..., 3].any(axis=0))
        whole = len(rows) and len(columns)
        kept = pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] if whole else pixels[:1, :1]
        out.append(Sprite(np.ascontiguousarray(kept[::-1])))
    return out


class Clock:
    """The time of the frame, from digits of equal width and height, right-aligned at a place of the picture.

    Everything keeps its place: there is room for the longest number, such as "−10.25".
    """

    LETTERS = "0123456789.−"

    def __init__(self, dpi: float, right: Array, unit: str, longest: int) -> None:
        *letters, before, after = sprites_of([*self.LETTERS, "t =", unit or "."], dpi, fontsize=11, color="#222222")
        self.glyphs = dict(zip(self.LETTERS, letters, strict=True))
        self.wide = float(np.ceil(max(self.glyphs[digit].size[0] for digit in self.LETTERS[:10]) + 0.02 * dpi))
        self.before, self.after = before, after if unit else None
        self.right, self.gap, self.longest = np.round(right), round(0.06 * dpi), longest

    def put(self, renderer: Any, text: str) -> None:
        """Draws a number such as "0.25" with "t =" before and the unit behind it."""
        x, y = self.right
        if self.after is not None:
            x -= self.after.size[0]
            self.after.put(renderer, np.array([x + self.after.size[0] / 2, y]))
            x -= self.gap
        start = x
        for letter in reversed(text.replace("-", "−")):
            wide = self.wide if letter != "." else self.glyphs["."].size[0] + self.gap
            self.glyphs[letter].put(renderer, np.array([x - wide / 2, y]))
            x -= wide
        room = start - self.longest * self.wide - self.gap
        self.before.put(renderer, np.array([room - self.before.size[0] / 2, y]))


MOMENT, MOST_MOMENTS = 0.25, 400  # seconds of film between two choices; choices at most
CHANGE, OTHER = 40.0, 400.0  # what a change of mode costs, and another name at its place; 1 per pixel of a line
AROUND = np.radians([0.0, 45.0, -45.0, 90.0, -90.0, 180.0])  # modes of a point, from the direction out of its body
Poses = Mapping[str, Array]


@dataclass(frozen=True)
class LabelMode:
    """A place beside a body: an anchor and a direction, both fixed in it; in the picture the direction is turned."""

    at: tuple[float, ...]
    along: Array
    turned: float


@dataclass(frozen=True)
class Follower:
    """A name with its modes, the mode that it has at every moment, and whether it is seen there (1 or 0)."""

    sprite: Sprite
    body: str
    modes: tuple[LabelMode, ...]
    clear: float  # pixels
    chosen: Array
    seen: Array

    def middles(self, stage: Stage, poses: Array, mode: LabelMode) -> Array:
        """The middle of the name in pixels, for poses (n, 3 or 7)."""
        ends = place(poses, np.array([mode.at, np.array(mode.at) + mode.along]))
        start, end = np.moveaxis(stage.pixels(ends.reshape(-1, ends.shape[-1])).reshape(-1, 2, 2), 1, 0)
        n = end - start
        length = np.hypot(*n.T)[:, None]
        n = np.where(length > 1e-6, n / np.maximum(length, 1e-6), np.sqrt(0.5))
        c, s = np.cos(mode.turned), np.sin(mode.turned)
        n = n @ np.array([[c, s], [-s, c]])
        half = np.array(self.sprite.size) / 2
        # as far along n as its box needs to keep clear of the line through the anchor across n
        return np.asarray(start + n * (self.clear + np.abs(n) @ half[:, None]))

    def at(self, stage: Stage, pose: Mapping[str, Array], moment: float) -> tuple[Array, float]:
        """Its middle in pixels and its opacity at a moment; between two choices, which are whole numbers, it glides."""
        k = int(np.clip(moment, 0, len(self.chosen) - 1))
        ahead = min(k + 1, len(self.chosen) - 1)
        part = float(np.clip(moment - k, 0, 1))
        rows = pose.get(self.body, stage.scene.ambient.standing)[None]
        here, there = (self.middles(stage, rows, self.modes[int(self.chosen[n])])[0] for n in (k, ahead))
        smooth = part * part * (3 - 2 * part)
        seen = (1 - smooth) * self.seen[k] + smooth * self.seen[ahead]
        return (1 - smooth) * here + smooth * there, float(seen)


def put_names(renderer: Any, stage: Stage, names: list[Follower], pose: Mapping[str, Array], moment: float) -> None:
    """Draws names; one that would cover another while it glides waits."""
    taken = np.zeros((0, 4))
    for name in names:
        middle, opacity = name.at(stage, pose, moment)
        half = np.array(name.sprite.size) / 2
        box = np.concatenate([middle - half, middle + half])[None]
        if opacity > 0 and np.isfinite(box).all() and not overlaps(box, taken)[0]:
            name.sprite.put(renderer, middle, opacity)
            taken = np.vstack([taken, box])


def moments_of(frames: int, fps: float) -> tuple[Array, float]:
    """The frames at which places are chosen, and how many frames apart they are."""
    apart = max(MOMENT * fps, (frames - 1) / MOST_MOMENTS, 1.0)
    count = int(np.ceil((frames - 1) / apart))
    return np.minimum(np.round(apart * np.arange(count + 1)), frames - 1).astype(int), apart


def followers_of(stage: Stage, poses: Poses) -> list[Follower]:
    """The names that the painter has placed, from now on moving along; `poses` are those of the moments."""
    figure, scene = stage.axes.figure, stage.scene
    rows = len(next(iter(poses.values()))) if poses else 1
    clear = (scene.thick / unit_of(stage.axes) + BESIDE) * figure.dpi / 72
    names = []
    for text, entry, at in stage.painter.names:
        style = {"color": text.get_color(), "weight": text.get_weight(), "path_effects": text.get_path_effects()}
        sprite = sprite_of(text.get_text(), figure.dpi, **style)
        text.set_visible(False)
        modes = _modes(scene, entry, at)
        names.append(Follower(sprite, entry.body, modes, clear, np.zeros(rows, int), np.ones(rows)))
    boxes = [_boxes(stage, name, poses, rows) for name in names]
    taken, out = np.zeros((rows, 0, 4)), []
    for name, places, cost in zip(names, boxes, _costs(stage, poses, rows, boxes), strict=True):
        met = np.array([overlaps(places[k], taken[k]) for k in range(rows)])
        chosen = cheapest_path(cost + OTHER * met, CHANGE)
        each = np.arange(rows)
        seen = (met[each, chosen] == 0).astype(float)
        here = np.where(seen[:, None] > 0, places[each, chosen], np.nan)
        taken = np.concatenate([taken, here[:, None]], axis=1)
        out.append(replace(name, chosen=chosen, seen=seen))
    return out


def _boxes(stage: Stage, name: Follower, poses: Poses, rows: int) -> Array:
    """The box of a name in each of its modes: (moments, modes, 4)."""
    rows_of_body = np.broadcast_to(poses.get(name.body, stage.scene.ambient.standing[None]), (rows, stage.width))
    middles = np.stack([name.middles(stage, rows_of_body, mode) for mode in name.modes], axis=1)
    half = np.array(name.sprite.size) / 2 + 1.0
    return np.concatenate([middles - half, middles + half], axis=-1)


def _costs(stage: Stage, poses: Poses, rows: int, boxes: list[Array]) -> list[Array]:
    """The cost of every mode of every name at every moment, without the other names; the first modes cost least."""
    out = [0.5 * np.arange(places.shape[1]) + np.zeros((rows, 1)) for places in boxes]
    for k, obstacles in enumerate(_obstacles(stage, poses, rows)):
        for cost, places in zip(out, boxes, strict=True):
            if np.isfinite(places[k]).all():
                cost[k] += costs(places[k], obstacles)
    return out


def cheapest_path(cost: Array, change: float) -> Array:
    """The column at every row for which the costs, and those of changing columns, are least together."""
    total = cost[0].copy()
    came = np.zeros(cost.shape, int)
    for k in range(1, len(cost)):
        best = int(np.argmin(total))
        stays = total <= total[best] + change
        came[k] = np.where(stays, np.arange(len(total)), best)
        total = np.where(stays, total, total[best] + change) + cost[k]
    out = np.empty(len(cost), int)
    out[-1] = int(np.argmin(total))
    for k in range(len(cost) - 1, 0, -1):
        out[k - 1] = came[k, out[k]]
    return out


def _modes(scene: Scene, entry: Text, at: tuple[float, ...]) -> tuple[LabelMode, ...]:
    """Left and right of a link at all its anchors, the one that was chosen first; else around the anchor."""
    if entry.of == "body":
        anchors = [at, *(other for other in entry.anchors if other != at)]
        links = [(anchor, _link(scene, entry.body, anchor)) for anchor in anchors]
        sides = [LabelMode(a, link, turn) for a, link in links if link is not None for turn in (np.pi / 2, -np.pi / 2)]
        if sides:
            return tuple(sides)
    return tuple(LabelMode(at, _outward(scene, entry.body, at), turn) for turn in AROUND)


def _link(scene: Scene, body: str, at: tuple[float, ...]) -> Array | None:
    """The direction of the bar or plate side on which a name is anchored; None for other shapes."""
    for a, b in (line for shape in scene.own(body) if shape.name == body for line in link_lines(shape)):
        step = b - a
        part = (np.array(at) - a) @ step / (step @ step)
        if np.linalg.norm(a + part * step - at) < 1e-6 * np.linalg.norm(step) and -1e-6 <= part <= 1 + 1e-6:
            return np.asarray(step)
    return None


def _outward(scene: Scene, body: str, at: tuple[float, ...]) -> Array:
    """The direction from the middle of a body to a place on it."""
    points = [s.numbers["points"] for s in scene.own(body) if "points" in s.numbers]
    middle = points[0].mean(axis=0) if points else np.zeros(scene.dimension)
    away = np.array(at) - middle
    return away if np.linalg.norm(away) > 1e-9 * scene.size else scene.size * np.eye(scene.dimension)[0]


def _obstacles(stage: Stage, poses: Poses, rows: int) -> Iterator[Obstacles]:
    """Middle lines of links, and points and joints, in pixels at one moment after the other."""
    scene = stage.scene
    frame = stage.axes.get_window_extent().extents

    def pixels(body: str, at: Any) -> Array:
        placed = place(poses.get(body, scene.ambient.standing[None]), np.atleast_2d(at))
        placed = np.broadcast_to(placed, (rows, *placed.shape[1:]))
        flat = stage.pixels(placed.reshape(-1, scene.dimension))
        return flat.reshape(rows, -1, 2)

    lines = [pixels(shape.frame, line) for shape in scene.shapes for line in link_lines(shape)]
    ends = [(end.body, end.at) for joint in scene.joints for end in (joint.first, joint.second)]
    spots = [pixels(body, at) for body, at in (*ends, *((dot.body, dot.at) for dot in scene.points if dot.named))]
    links = np.stack(lines, axis=1) if lines else np.zeros((rows, 0, 2, 2))
    points = np.concatenate(spots, axis=1) if spots else np.zeros((rows, 0, 2))
    for k in range(rows):
        yield Obstacles(links[k], points[k], tuple(frame))
