"""The first position as a still drawing: what the page shows before its script runs, and where no script may run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import matrix
from mubo.view.painters.camera import Camera
from mubo.view.painters.labels import Label, Obstacles, place_labels
from mubo.view.painters.stage import extent, fine_times, path_of
from mubo.view.report.markup import Markup, html
from mubo.view.scene import Scene, Stretch, place, pose_at, poses_at
from mubo.view.scene.ambient import PLANE, SPACE
from mubo.view.scene.colours import GRID, INK, tone
from mubo.view.scene.data import Text
from mubo.view.scene.legend import scale_bars, scale_notes
from mubo.view.scene.motion import stretch_points
from mubo.view.scene.solids import SolidPart, parts_of
from mubo.view.scene.strokes import LINKS, Stroke, strokes_of

WIDE = 900.0  # units of the drawing along its longer side
DARK, TONES = 0.45, 12  # how dark a side without light is; so many steps from there to full light
MOST_SHAPES = {2: 6_000, 3: 2_000}  # by dimension
COARSE = 0.4  # of the corners that round solids have where they move
LETTER, LETTERS_HIGH = 11.0, 20.0  # of names: width of a letter, height of a line
POINT = 1.6  # units of the drawing to a point of the paper
Pose = Mapping[str, Array]
Face = tuple[float, Array, str]  # how near it is, its corners on the paper, its colour


def still_drawing(scene: Scene) -> Markup:
    """An SVG of the scene at its first time, with the paths of its points and its names."""
    camera = Camera(scene) if scene.ambient.solid else None
    sheet = _Sheet(scene, camera)
    pose = pose_at(scene, float(scene.times[0]))
    if camera is None:
        drawn = [(stroke.layer, sheet.stroke(stroke, pose)) for stroke in strokes_of(_reduce_shapes(scene))]
        below, above = ([text for layer, text in drawn if (layer > LINKS) == over] for over in (False, True))
        parts = [*below, *sheet.paths(), *above]
    else:
        floor = [sheet.line(ends, GRID, 0.9) for ends in camera.floor_lines()[0]]
        parts = [*floor, *sheet.solids(camera, pose), *sheet.paths()]
    wide, high = (f"{size:.0f}" for size in sheet.size)
    name = html(f"{scene.name} at its first position")
    return Markup(
        f'<svg class="still" viewBox="0 0 {wide} {high}" role="img" aria-label="{name}" fill="none" '
        f'stroke-linejoin="round" stroke-linecap="round">{"".join([*parts, *sheet.names(pose), *sheet.legend()])}</svg>'
    )


def _reduce_shapes(scene: Scene) -> Scene:
    """The scene with as many shapes as the still drawing has."""
    return replace(scene, shapes=scene.shapes[: MOST_SHAPES[scene.dimension]])


def still_notes(scene: Scene) -> list[str]:
    """Notes on the parts of a large mechanism that the still drawing leaves out."""
    shapes, most = len(scene.shapes), MOST_SHAPES[scene.dimension]
    return [f"before it moves, {most:,} of {shapes:,} shapes are drawn"] if shapes > most else []


class _Sheet:
    """Places of the scene on the paper: x to the right, y down."""

    def __init__(self, scene: Scene, camera: Camera | None) -> None:
        self.scene, self.camera = scene, camera
        low, high = extent(scene, camera)
        self.scale = WIDE / float(np.max(high - low))
        self.corner = np.array([low[0], high[1]])
        self.size = (high - low) * self.scale

    def flat(self, points: Array) -> Array:
        seen = points if self.camera is None else self.camera.project(points)
        return np.asarray((seen - self.corner) * [self.scale, -self.scale])

    def stroke(self, stroke: Stroke, pose: Pose) -> str:
        at = pose.get(stroke.frame, PLANE.standing)
        inner = stroke.points
        if stroke.stretch != Stretch.NONE:
            inner = stretch_points(inner, at[3], 0, stroke.stretch == Stretch.ALL)
        colour = self.scene.frame_colour(stroke.frame)
        face = "" if stroke.face is None else f' fill="{tone(stroke.face, colour)}"'
        edge = "" if stroke.edge is None else f' stroke="{tone(stroke.edge, colour)}"'
        path = _path_text(self.flat(place(at, inner)))
        return f'<path d="{path}"{face}{edge} stroke-width="{stroke.line * POINT:.1f}"/>'

    def line(self, points: Array, colour: str, wide: float, more: str = "") -> str:
        return f'<path d="{_path_text(self.flat(points))}" stroke="{colour}" stroke-width="{wide * POINT:.1f}"{more}/>'

    def paths(self) -> list[str]:
        """The whole path of every point in the colour of its body."""
        times = fine_times(self.scene)
        poses = poses_at(self.scene, times)
        faint = ' stroke-opacity="0.55"' if len(self.scene.points) > 3 else ""
        return [
            self.line(path_of(self.scene, dot, poses, len(times)), self.scene.frame_colour(dot.body), 1.1, faint)
            for dot in self.scene.points
        ]

    def solids(self, camera: Camera, pose: Pose) -> list[str]:
        """Faces that are seen, from far to near, shaded by the light."""
        faces: list[Face] = []
        for part in parts_of(_reduce_shapes(self.scene), COARSE):
            faces += self.visible_faces(part, pose, camera)
        faces.sort(key=lambda face: face[0])
        runs = groupby(faces, key=lambda face: face[2])  # neighbours of one colour are one path
        drawn = [(colour, "".join(_face_text(face[1]) for face in run)) for colour, run in runs]
        paths = [f'<path d="{text}" color="{colour}"/>' for colour, text in drawn if text]
        return ['<g fill="currentColor" stroke="currentColor" stroke-width="0.6">', *paths, "</g>"]

    def visible_faces(self, part: SolidPart, pose: Pose, camera: Camera) -> list[Face]:
        """The faces of a part that look towards the eye."""
        near, corners, colours = _faces(part, pose, camera)
        flat = self.flat(corners.reshape(-1, 3)).reshape(*corners.shape[:2], 2)
        return list(zip(near.tolist(), flat, colours, strict=True))

    def names(self, pose: Pose) -> list[str]:
        """Names of bodies and points, beside what they name, clear of points and of each other."""
        texts = [text for text in self.scene.texts if text.of != "joint"]
        seen = [(text, at) for text in texts if np.isfinite(at := self._anchors(text, pose)).all()]
        labels = [
            Label([(x, y) for x, y in at], LETTER * len(text.text), LETTERS_HIGH, 8 + text.clear * self.scale)
            for text, at in seen
        ]
        points = np.vstack([np.empty((0, 2)), *(at[:1] for _, at in seen)])
        obstacles = Obstacles(np.empty((0, 2, 2)), points, (0.0, 0.0, float(self.size[0]), float(self.size[1])))
        out = []
        for (text, at), label, where in zip(seen, labels, place_labels(labels, obstacles), strict=True):
            if where is not None:
                x, y = at[where[0]] + where[1:] + np.array([-label.width, 0.6 * LETTERS_HIGH]) / 2
                weight = ' font-weight="700"' if text.of == "point" else ""
                out.append(
                    f'<text x="{x:.0f}" y="{y:.0f}" font-size="19" fill="{INK}" stroke="#f6f7f8" stroke-width="3" '
                    f'paint-order="stroke"{weight}>{html(text.text)}</text>'
                )
        return out

    def legend(self) -> list[str]:
        """The scale of the arrows of forces, and what their colours mean."""
        out, y = [], 24.0
        for bar in scale_bars(self.scene, 0.2 * WIDE / self.scale):
            end = 10 + bar.length * self.scale
            tick = f"M10 {y - 6:.0f}v12m0 -6H{end:.1f}m0 -6v12"
            out.append(f'<path d="{tick}" stroke="{INK}" stroke-width="1.6"/>')
            out.append(_text_element(end + 10, y + 6, bar.text))
            y += 26
        words = scale_notes(self.scene)
        return [*out, *(_text_element(10, y + 6 + 24 * k, text) for k, text in enumerate(words))]

    def _anchors(self, text: Text, pose: Pose) -> Array:
        return self.flat(place(pose.get(text.body, self.scene.ambient.standing), np.array(text.anchors)))


def _text_element(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="17" fill="{INK}">{html(text)}</text>'


def _faces(part: SolidPart, pose: Pose, camera: Camera) -> tuple[Array, Array, list[str]]:
    """Nearness, corners in ground axes and colour of the faces that look towards the eye."""
    at = pose.get(part.frame, SPACE.standing)
    places, turn = part.mesh.places, matrix(at[3:7])
    if np.isnan(at).any():
        return np.zeros(0), np.zeros((0, 3, 3)), []
    if part.stretch != Stretch.NONE:
        places = stretch_points(places, at[7], 2, part.stretch == Stretch.ALL)
    corners = (places @ turn.T + at[:3])[part.mesh.faces]
    normals = part.mesh.normals[part.mesh.faces].mean(axis=1) @ turn.T
    light = np.round(TONES * np.clip(normals @ camera.light, 0, 1)) / TONES
    near = corners.mean(axis=1) @ camera.near
    seen = np.flatnonzero(normals @ camera.near > 0)
    lit = {value: _lit_colour(part.colour, value) for value in set(light[seen].tolist())}
    return near[seen], corners[seen], [lit[value] for value in light[seen].tolist()]


def _lit_colour(colour: str, light: float) -> str:
    parts = [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(part * (DARK + (1 - DARK) * light)):02x}" for part in parts)


def _face_text(corners: Array) -> str:
    """A closed path in tenths, each place as a step from the one before; nothing where all fall together."""
    at = np.round(10 * corners)
    steps = np.diff(at, axis=0)
    places = [f"{x:g} {y:g}" for x, y in (steps[np.any(steps != 0, axis=1)] / 10).tolist()]
    start = "M{:g} {:g}l".format(*(at[0] / 10).tolist())
    return f"{start}{' '.join(places)}z".replace(" -", "-") if len(places) > 1 else ""


def _path_text(points: Array) -> str:
    """ "M x y L x y …"; NaN begins a new piece, a place that is that of the last one is left out."""
    out: list[str] = []
    last = ""
    for x, y in points.tolist():
        here = "" if x != x or y != y else f"{x:.1f} {y:.1f}"
        if here and here != last:
            out.append(f"{'L' if last else 'M'}{here}")
        last = here
    return "".join(out)
