"""A planar scene on axes: the strokes of a position in two collections, which is what makes films fast.

Paths lie between them: over links, under pins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.view.painters.labels import DOT, Named, name_things, unit_of
from mubo.view.scene import Scene, Stretch, place
from mubo.view.scene.ambient import PLANE
from mubo.view.scene.colours import tone
from mubo.view.scene.motion import stretch_points
from mubo.view.scene.outlines import circle
from mubo.view.scene.strokes import LINKS, PINS, Stroke, strokes_of

BELOW, PATHS, ABOVE = 3.0, 3.2, 3.4  # what is drawn over what
Pose = Mapping[str, Array]  # by frame, at one time


class PlanePainter:
    """Draws one position after the other. `artists` are drawn anew for each."""

    def __init__(self, axes: Any, scene: Scene, labels: bool = True) -> None:
        from matplotlib.collections import PathCollection

        self.axes, self.scene = axes, scene
        dot = DOT * unit_of(axes)
        dots = [
            Stroke(circle(np.array(d.at), dot), PINS, "ink", "ink", 0.5, d.name, d.body)
            for d in scene.points
            if d.named
        ]
        self.drawn = [*strokes_of(scene), *dots]
        self.frames = _by_frame(self.drawn)
        self.split = sum(stroke.layer <= LINKS for stroke in self.drawn)
        self.collections = []
        for zorder, part in ((BELOW, self.drawn[: self.split]), (ABOVE, self.drawn[self.split :])):
            collection = PathCollection([], zorder=zorder, capstyle="round", joinstyle="round")
            collection.set_facecolor([_rgba(s.face, scene.frame_colour(s.frame)) for s in part])
            collection.set_edgecolor([_rgba(s.edge, scene.frame_colour(s.frame)) for s in part])
            collection.set_linewidth([s.line for s in part])
            axes.add_collection(collection, autolim=False)
            self.collections.append(collection)
        self.names: list[Named] = []
        self.notes: list[str] = []
        self.paths: list[Array] = []  # that names keep clear of
        self.want_labels = labels

    @property
    def artists(self) -> list[Any]:
        return self.collections

    def show(self, pose: Pose) -> None:
        """Moves everything to a position."""
        from matplotlib.path import Path

        paths = [Path(line) for line in self.lines(pose)]
        self.collections[0].set_paths(paths[: self.split])
        self.collections[1].set_paths(paths[self.split :])
        if self.want_labels:
            self.want_labels = False
            self._name(pose)

    def lines(self, pose: Pose) -> list[Array]:
        """The strokes in ground axes."""
        out: list[Array] = [np.zeros((0, 2))] * len(self.drawn)
        for (frame, stretch), (points, parts) in self.frames.items():
            at = pose.get(frame, PLANE.standing)
            inner = points if stretch == Stretch.NONE else stretch_points(points, at[3], 0, stretch == Stretch.ALL)
            placed = place(at, inner)
            for number, start, end in parts:
                out[number] = placed[start:end]
        return out

    def _name(self, pose: Pose) -> None:
        """Names of bodies and points, placed for this position; later they move along."""

        def where(body: str, at: tuple[float, ...]) -> Array:
            return np.asarray(place(pose.get(body, PLANE.standing), at)[0])

        lines, points = self._obstacles(pose)
        self.names, self.notes = name_things(self.axes, self.scene, where, lines, points)

    def _obstacles(self, pose: Pose) -> tuple[Array, Array]:
        """Lines, those of paths among them, and middles of pins and points, in pixels."""
        to_pixels = self.axes.transData.transform
        drawn = self.lines(pose)
        lines = [to_pixels(line) for line in drawn if len(line) > 1]
        lines += [to_pixels(line) for line in self.paths]
        parts = [np.stack([line[:-1], line[1:]], axis=1) for line in lines if len(line) > 1]
        pins = [line[:-1].mean(axis=0) for line, s in zip(drawn, self.drawn, strict=True) if s.layer == PINS]
        points = to_pixels(np.array(pins).reshape(-1, 2))
        return np.concatenate(parts) if parts else np.zeros((0, 2, 2)), points


def _by_frame(drawn: list[Stroke]) -> dict[tuple[str, Stretch], tuple[Array, list[tuple[int, int, int]]]]:
    """All strokes of a frame as one array of points, so that it is placed in one step."""
    out: dict[tuple[str, Stretch], tuple[list[Array], list[tuple[int, int, int]]]] = {}
    for number, stroke in enumerate(drawn):
        lines, parts = out.setdefault((stroke.frame, stroke.stretch), ([], []))
        start = parts[-1][2] if parts else 0
        lines.append(stroke.points)
        parts.append((number, start, start + len(stroke.points)))
    return {frame: (np.concatenate(lines), parts) for frame, (lines, parts) in out.items()}


def _rgba(name: str | None, colour: str) -> tuple[float, float, float, float]:
    from matplotlib.colors import to_rgba

    return (0.0, 0.0, 0.0, 0.0) if name is None else to_rgba(tone(name, colour))
