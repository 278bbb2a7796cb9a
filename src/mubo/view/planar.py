"""A planar scene on axes: all strokes of a position in one collection, which is what makes films fast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.view.glyphs import joint_strokes, spring_strokes
from mubo.view.labels import Label, place_labels
from mubo.view.scene import Scene
from mubo.view.scene.motion import STANDING, place
from mubo.view.strokes import CIRCLE, PINS, Drawn, Stretch, Stroke, body_strokes, link_width
from mubo.view.style import INK, tint

Pose = Mapping[str, Array]  # by body, at one time
Where = Callable[[str, tuple[float, ...]], Array]  # where a place on a body lies on the axes
DOT = 2.6  # radius of a point of interest


class PlanarPainter:
    """Draws one position after the other. `artists` are drawn anew for each."""

    def __init__(self, axes: Any, scene: Scene, labels: bool = True) -> None:
        from matplotlib.collections import PathCollection

        self.axes, self.scene = axes, scene
        self.unit = unit_of(axes)
        width = link_width(scene, self.unit)
        drawn: list[Drawn] = [s for body in scene.bodies for s in body_strokes(body, width)]
        drawn += [s for joint in scene.joints for s in joint_strokes(joint, scene, width, self.unit)]
        for spring in scene.springs:
            drawn += spring_strokes(spring.first, spring.second, 0.9 * width * self.unit)
        drawn += [_dot(dot.body, dot.at, self.unit) for dot in scene.points if dot.named]
        self.drawn = sorted(drawn, key=lambda stroke: stroke.layer)
        self.bodies = _by_body(self.drawn)
        self.collection = PathCollection([], zorder=3, capstyle="round", joinstyle="round")
        self.collection.set_facecolor([_rgba(s.face, s.alpha) for s in self.drawn])
        self.collection.set_edgecolor([_rgba(s.edge, s.alpha) for s in self.drawn])
        self.collection.set_linewidth([s.width for s in self.drawn])
        axes.add_collection(self.collection, autolim=False)
        self.link = width  # points
        self.names: list[tuple[Any, str, tuple[float, ...]]] = []
        self.want_labels = labels

    @property
    def artists(self) -> list[Any]:
        return [self.collection]

    def show(self, pose: Pose) -> None:
        """Moves everything to a position."""
        from matplotlib.path import Path

        self.collection.set_paths([Path(line) for line in self.lines(pose)])
        if self.want_labels and not self.names:
            self._name(pose)

    def lines(self, pose: Pose) -> list[Array]:
        """The strokes in ground axes."""
        out: list[Array] = [np.zeros((0, 2))] * len(self.drawn)
        for body, (points, parts) in self.bodies.items():
            placed = place(pose.get(body, STANDING[2]), points)
            for number, start, end in parts:
                out[number] = placed[start:end]
        for number, stroke in enumerate(self.drawn):
            if isinstance(stroke, Stretch):
                ends = (place(pose.get(e.body, STANDING[2]), e.at)[0] for e in (stroke.first, stroke.second))
                out[number] = stroke.form(*ends)
        return out

    def ghosts(self, poses: list[Pose]) -> Any:
        """Links of other positions, light, behind; the later the darker."""
        from matplotlib.collections import PathCollection
        from matplotlib.path import Path

        kept = [k for k, s in enumerate(self.drawn) if isinstance(s, Stroke) and s.width >= self.link and s.edge]
        kept += [k for k, s in enumerate(self.drawn) if isinstance(s, Stretch) and k not in kept]
        paths, colours = [], []
        for n, pose in enumerate(poses):
            lines = self.lines(pose)
            paths += [Path(lines[k]) for k in kept]
            fade = 0.78 - 0.38 * (n + 1) / len(poses)
            colours += [tint(self.drawn[k].edge or INK, fade) for k in kept]
        collection = PathCollection(
            paths, facecolor="none", edgecolor=colours, zorder=2, capstyle="round", joinstyle="round"
        )
        collection.set_linewidth(max(0.3 * self.link, 1.2))
        return self.axes.add_collection(collection, autolim=False)

    def _name(self, pose: Pose) -> None:
        """Names of bodies and points, placed for this position; later they move along."""
        wanted = [(dot.name, dot.body, [dot.at], INK, "bold") for dot in self.scene.points if dot.named]
        for body in self.scene.bodies:
            anchors = [] if body.fixed else _anchors(self.scene, body.name)
            if anchors:
                wanted.append((body.name, body.name, anchors, body.colour, "normal"))

        def where(body: str, at: tuple[float, ...]) -> Array:
            return np.asarray(place(pose.get(body, STANDING[2]), at)[0])

        self.names = name_things(self.axes, wanted, where, self._segments(pose), 0.5 * self.link)

    def _segments(self, pose: Pose) -> Array:
        to_pixels = self.axes.transData.transform
        lines = [to_pixels(line) for line in self.lines(pose) if len(line) > 1]
        for line in self.axes.lines:
            lines.append(to_pixels(line.get_xydata())[:: max(len(line.get_xydata()) // 300, 1)])
        parts = [np.stack([line[:-1], line[1:]], axis=1) for line in lines if len(line) > 1]
        return np.concatenate(parts) if parts else np.zeros((0, 2, 2))


def name_things(
    axes: Any, wanted: list[tuple[Any, ...]], where: Where, segments: Array, half: float
) -> list[tuple[Any, str, tuple[float, ...]]]:
    """Texts (name, body, anchors, colour, weight) at the best of their places; answers text, body, anchor.

    `half` is half the width of a link, in points.
    """
    from matplotlib.patheffects import withStroke
    from matplotlib.transforms import ScaledTranslation

    figure = axes.figure
    renderer = figure.canvas.get_renderer()
    to_pixels, dots = axes.transData.transform, figure.dpi / 72
    texts, labels = [], []
    for name, body, anchors, colour, weight in wanted:
        text = axes.text(0, 0, name, color=colour, weight=weight, ha="center", va="center", zorder=8)
        text.set_path_effects([withStroke(linewidth=2.5, foreground="white")])
        box = text.get_window_extent(renderer)
        places = [tuple(to_pixels(where(body, at))) for at in anchors]
        texts.append(text)
        labels.append(Label(places, box.width + half * dots, box.height + 0.5 * half * dots, (half + 2.0) * dots))
    frame = axes.get_window_extent(renderer)
    chosen = place_labels(labels, segments, (frame.x0, frame.y0, frame.x1, frame.y1))
    out = []
    for text, (_, body, anchors, *_), (number, dx, dy) in zip(texts, wanted, chosen, strict=True):
        shift = ScaledTranslation(dx / figure.dpi, dy / figure.dpi, figure.dpi_scale_trans)
        text.set_transform(axes.transData + shift)
        text.set_position(where(body, anchors[number]))
        out.append((text, body, anchors[number]))
    return out


def _anchors(scene: Scene, name: str) -> list[tuple[float, ...]]:
    """Where the name of a body may stand: along its links, at its axes, else at its joints."""
    out: list[tuple[float, ...]] = []
    for shape in scene.body(name).shapes:
        points = shape.numbers["points"]
        if shape.kind == "curve":
            out.append(tuple(points[0] if shape.numbers["filled"] else points[1]))
            continue
        ring = points if shape.kind == "bar" else np.vstack([points, points[:1]])
        middle = points.mean(axis=0)
        out += [tuple(middle)] if shape.kind == "plate" else []
        for part in (0.5, 0.35, 0.65, 0.2, 0.8):
            out += [tuple(a + part * (b - a)) for a, b in pairwise(ring)]
    if not out:
        for joint in scene.joints:
            if joint.glyph == "ram" and joint.first.body == name and joint.travel and joint.kind != "distance":
                out.append(tuple(np.array(joint.first.at) + 0.4 * joint.travel[0] * np.array(joint.axis)))
        out += [e.at for joint in scene.joints for e in (joint.first, joint.second) if e.body == name]
    return out


def _dot(body: str, at: tuple[float, ...], unit: float) -> Stroke:
    return Stroke(body, np.array(at) + DOT * unit * CIRCLE, PINS + 1, INK, INK, 0.5)


def _by_body(drawn: list[Drawn]) -> dict[str, tuple[Array, list[tuple[int, int, int]]]]:
    """All strokes of a body as one array of points, so that it is placed in one step."""
    out: dict[str, tuple[list[Array], list[tuple[int, int, int]]]] = {}
    for number, stroke in enumerate(drawn):
        if isinstance(stroke, Stroke):
            held, parts = out.setdefault(stroke.body, ([], []))
            start = sum(map(len, held))
            held.append(stroke.points)
            parts.append((number, start, start + len(stroke.points)))
    return {body: (np.concatenate(held), parts) for body, (held, parts) in out.items()}


def _rgba(colour: str | None, alpha: float) -> tuple[float, float, float, float]:
    from matplotlib.colors import to_rgba

    return (0.0, 0.0, 0.0, 0.0) if colour is None else to_rgba(colour, alpha)


def unit_of(axes: Any) -> float:
    """The length of one point of the paper in data."""
    (x0, _), (x1, _) = axes.transData.inverted().transform([(0, 0), (axes.figure.dpi / 72, 0)])
    return float(x1 - x0)
