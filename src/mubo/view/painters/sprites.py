"""Texts of a film: each is rendered once and put in its place in every frame, ten times faster than drawing text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo.arrays import Array


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
