"""Texts of a film: each is rendered once and put in its place in every frame, ten times faster than drawing text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.arrays import Array
from mubo.view.painters.names import BESIDE, unit_of
from mubo.view.scene import STANDING, Scene, place
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

    def put(self, renderer: Any, middle: Array) -> None:
        """Draws it with its middle at a pixel."""
        if np.isfinite(middle).all():
            x, y = np.round(middle - np.array(self.size) / 2)
            renderer.draw_image(renderer.new_gc(), float(x), float(y), self.pixels)


def sprite_of(text: str, dpi: float, **style: Any) -> Sprite:
    """Renders a text, cropped to what it covers."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(0.22 * len(text) + 0.5, 0.5), dpi=dpi)
    figure.patch.set_alpha(0.0)
    canvas: Any = FigureCanvasAgg(figure)
    figure.text(0.5, 0.5, text, ha="center", va="center", **style)
    canvas.draw()
    pixels = np.array(canvas.buffer_rgba())
    rows, columns = (np.flatnonzero(pixels[..., 3].any(axis=k)) for k in (1, 0))
    if len(rows) == 0:
        return Sprite(pixels[:1, :1].copy())
    return Sprite(np.ascontiguousarray(pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1][::-1]))


class Clock:
    """The time of the frame, from digits of equal width, right-aligned at a place of the picture."""

    def __init__(self, dpi: float, right: Array, unit: str) -> None:
        style = {"fontsize": 11, "color": "#222222"}
        self.glyphs = {letter: sprite_of(letter, dpi, **style) for letter in "0123456789.−"}
        self.wide = max(self.glyphs[digit].size[0] for digit in "0123456789") + 0.02 * dpi
        self.before, self.after = sprite_of("t =", dpi, **style), sprite_of(unit, dpi, **style) if unit else None
        self.right, self.gap = right, 0.06 * dpi

    def put(self, renderer: Any, text: str) -> None:
        """Draws a number such as "0.25" with "t =" before and the unit behind it."""
        x, y = self.right
        base = y - self.glyphs["0"].size[1] / 2
        if self.after is not None:
            x -= self.after.size[0]
            self.after.put(renderer, np.array([x + self.after.size[0] / 2, base + self.after.size[1] / 2]))
            x -= self.gap
        for letter in reversed(text.replace("-", "−")):
            glyph = self.glyphs[letter]
            wide = glyph.size[0] if letter == "." else self.wide
            low = base + glyph.size[1] / 2 if letter == "." else y
            self.glyphs[letter].put(renderer, np.array([x - wide / 2, low]))
            x -= wide + (2 if letter == "." else 0)
        self.before.put(renderer, np.array([x - self.gap - self.before.size[0] / 2, base + self.before.size[1] / 2]))


@dataclass(frozen=True)
class Follower:
    """A name that moves with its body and stays beside it.

    `vector` is fixed in the body: the link that the name stays beside (on its left where `side` is 1, on its right
    where it is −1), or, where `side` is 0, the direction in which it lies. A name without a vector keeps its `shift`.
    """

    sprite: Sprite
    body: str
    at: tuple[float, ...]
    clear: float  # pixels
    side: float
    vector: Array | None
    shift: Array  # pixels

    def put(self, renderer: Any, stage: Stage, pose: Mapping[str, Array]) -> None:
        held = pose.get(self.body, STANDING[stage.scene.dimension])
        if self.vector is None:
            self.sprite.put(renderer, stage.pixels(place(held, self.at))[0] + self.shift)
            return
        start, end = stage.pixels(place(held, np.array([self.at, np.array(self.at) + self.vector])))
        n = end - start
        if self.side:
            n = self.side * np.array([-n[1], n[0]])
        length = float(np.hypot(*n))
        n = n / length if length > 1e-6 else np.array([0.7, 0.7])
        half = np.array(self.sprite.size) / 2
        self.sprite.put(renderer, start + n * (self.clear + abs(n) @ half))


def followers_of(stage: Stage, pose: Mapping[str, Array]) -> list[Follower]:
    """The names that the painter has placed for a first position, from now on moving along."""
    scene, figure = stage.scene, stage.axes.figure
    dots = figure.dpi / 72
    points = {dot.name for dot in scene.points if dot.named}
    clear, out = scene.thick / unit_of(stage.axes) + BESIDE, []
    for text, body, at in stage.painter.names:
        held = pose.get(body, STANDING[scene.dimension])
        start = stage.pixels(place(held, at))[0]
        shift = text.get_transform().transform(stage.flat(place(held, at)))[0] - start
        style = {"color": text.get_color(), "weight": text.get_weight(), "path_effects": text.get_path_effects()}
        sprite = sprite_of(text.get_text(), figure.dpi, **style)
        vector, side = (_outward(scene, body, at), 0.0) if text.get_text() in points else (_link(scene, body, at), 1.0)
        if side and vector is not None:
            n = stage.pixels(place(held, np.array(at) + vector))[0] - start
            side = 1.0 if shift @ np.array([-n[1], n[0]]) >= 0 else -1.0
        out.append(Follower(sprite, body, at, clear * dots, side, vector, shift))
        text.set_visible(False)
    return out


def _link(scene: Scene, body: str, at: tuple[float, ...]) -> Array | None:
    """The direction of the bar or plate side on which a name is anchored; None for other things."""
    for a, b in (line for shape in scene.shapes if shape.name == body for line in link_lines(shape)):
        step = b - a
        part = (np.array(at) - a) @ step / (step @ step)
        if np.linalg.norm(a + part * step - at) < 1e-6 * np.linalg.norm(step) and -1e-6 <= part <= 1 + 1e-6:
            return np.asarray(step)
    return None


def _outward(scene: Scene, body: str, at: tuple[float, ...]) -> Array:
    """From the middle of a body to a place on it."""
    points = [s.numbers["points"] for s in scene.shapes if s.frame == body and "points" in s.numbers]
    middle = points[0].mean(axis=0) if points else np.zeros(scene.dimension)
    away = np.array(at) - middle
    return away if np.linalg.norm(away) > 1e-9 * scene.size else scene.size * np.eye(scene.dimension)[0]
