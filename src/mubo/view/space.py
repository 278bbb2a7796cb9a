"""A scene in space on plain axes: parallel projection, facets sorted from far to near, shaded by light and distance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.model.rotation import matrix
from mubo.view.facets import Facets, facets_of
from mubo.view.planar import name_things, unit_of
from mubo.view.scene import Scene, poses_at
from mubo.view.scene.motion import STANDING, place
from mubo.view.scene.solid import THICK, corners_of
from mubo.view.space_glyphs import Part, coil, joint_parts
from mubo.view.style import INK, tint

VIEW = (-55.0, 18.0)  # azimuth and elevation of the eye, degrees
SAMPLES = 400  # rows that the camera looks at to frame the motion
FOG, DARK = 0.42, 0.45  # how much the farthest part fades, how dark the shaded side is
SHADOW = "#e6e7e9"


class Camera:
    """A parallel view: `flat` are right and up on the paper, `near` grows towards the eye."""

    def __init__(self, scene: Scene, view: tuple[float, float] = VIEW) -> None:
        azimuth, elevation = np.radians(view)
        k = int(np.argmax(np.abs(scene.up)))
        up = np.array(scene.up)
        x, y = np.eye(3)[(k + 1) % 3], np.eye(3)[(k + 2) % 3]
        if up[k] < 0:
            x, y = y, x
        around = np.cos(azimuth) * x + np.sin(azimuth) * y
        self.up = up
        self.sides = x, y
        self.near = np.cos(elevation) * around + np.sin(elevation) * up
        right = -np.sin(azimuth) * x + np.cos(azimuth) * y
        self.flat = np.column_stack([right, np.cross(self.near, right)])
        light = 0.35 * right + 0.45 * self.near + 0.85 * up
        self.light = light / np.linalg.norm(light)

    def project(self, points: Array) -> Array:
        return np.asarray(points @ self.flat)


class SpacePainter:
    """Draws one position after the other. `artists` are drawn anew for each."""

    def __init__(self, axes: Any, scene: Scene, camera: Camera, labels: bool = True) -> None:
        from matplotlib.collections import PolyCollection
        from matplotlib.colors import to_rgb

        self.axes, self.scene, self.camera, self.want_labels = axes, scene, camera, labels
        self.thick = THICK * scene.size
        self.link = 2.6 * self.thick / unit_of(axes)  # width of a rod in points
        parts: list[Part] = [(b.name, b.colour, facets_of(s, scene.size)) for b in scene.bodies for s in b.shapes]
        parts += [part for joint in scene.joints for part in joint_parts(scene, joint, self.thick)]
        self.links = [j for j in scene.joints if j.glyph == "rod" or (j.glyph == "ram" and j.kind == "distance")]
        self.parts = _by_body(parts)
        self.colours = {key: np.array([to_rgb(c) for c in colours]) for key, (_, colours) in self.parts.items()}
        depth = _corners(scene) @ camera.near
        self.depth = float(depth.min()), float(np.ptp(depth)) or 1.0
        self.floor = floor_height(scene, camera)
        self.shadow = PolyCollection([], facecolor=SHADOW, edgecolor=SHADOW, linewidth=0.5, zorder=1.5)
        self.solid = PolyCollection([], zorder=3, linewidth=0.5)
        self.dots = axes.plot([], [], "o", color=INK, ms=4.5, zorder=4)[0]
        self.names: list[tuple[Any, str, tuple[float, ...]]] = []
        for collection in (self.shadow, self.solid):
            axes.add_collection(collection, autolim=False)

    @property
    def artists(self) -> list[Any]:
        return [self.shadow, self.solid, self.dots]

    def show(self, pose: Mapping[str, Array]) -> None:
        """Moves everything to a position."""
        corners, normals, colours, hollow = self._placed(pose)
        facing = normals @ self.camera.near
        normals = np.where((hollow & (facing < 0))[:, None], -normals, normals)
        above = (normals @ self.camera.up > 0.05) | hollow
        self.shadow.set_verts(self.camera.project(self._on_floor(corners[above])))  # type: ignore[arg-type]
        seen = (facing > 0) | hollow
        corners, normals, colours = corners[seen], normals[seen], colours[seen]
        near = corners.mean(axis=1) @ self.camera.near
        order = np.argsort(near)
        shade = DARK + (1 - DARK) * np.clip(normals @ self.camera.light, 0, 1)
        fog = FOG * (1 - np.clip((near - self.depth[0]) / self.depth[1], 0, 1))
        lit = colours * shade[:, None]
        lit = lit + (1 - lit) * fog[:, None]
        self.solid.set_verts(self.camera.project(corners[order]))  # type: ignore[arg-type]
        self.solid.set_facecolor(lit[order])
        self.solid.set_edgecolor(lit[order])
        named = [place(pose.get(dot.body, STANDING[3]), dot.at)[0] for dot in self.scene.points if dot.named]
        self.dots.set_data(*self.camera.project(np.array(named).reshape(-1, 3)).T)
        if self.want_labels and not self.names:
            self._name(pose)

    def ghosts(self, poses: list[Mapping[str, Array]]) -> Any:
        """Axes of rods of other positions, light, behind."""
        from matplotlib.collections import LineCollection

        lines, colours = [], []
        for n, pose in enumerate(poses):
            for body in self.scene.bodies:
                for shape in body.shapes:
                    if shape.kind == "rod":
                        ends = np.array([shape.numbers["from"], shape.numbers["to"]])
                        lines.append(self.camera.project(place(pose.get(body.name, STANDING[3]), ends)))
                        colours.append(tint(body.colour, 0.78 - 0.4 * (n + 1) / len(poses)))
        return self.axes.add_collection(
            LineCollection(lines, colors=colours, linewidths=2.0, capstyle="round", zorder=2), autolim=False
        )

    def _placed(self, pose: Mapping[str, Array]) -> tuple[Array, Array, Array, Any]:
        corners, normals, colours, hollow = [], [], [], []
        for key, (facets, _) in self.parts.items():
            at = pose.get(key[0], STANDING[3])
            if np.isnan(at).any():
                continue
            turn = matrix(at[3:])
            corners.append(facets.corners @ turn.T + at[:3])
            normals.append(facets.normals @ turn.T)
            colours.append(self.colours[key])
            hollow.append(np.full(len(facets.corners), facets.hollow))
        for strip in self._strips(pose):
            corners.append(strip)
            normals.append(np.tile(self.camera.near, (len(strip), 1)))
            colours.append(np.full((len(strip), 3), 0.45))
            hollow.append(np.zeros(len(strip), bool))
        if not corners:
            return np.zeros((0, 4, 3)), np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0, bool)
        return np.concatenate(corners), np.concatenate(normals), np.concatenate(colours), np.concatenate(hollow)

    def _strips(self, pose: Mapping[str, Array]) -> list[Array]:
        """Springs and massless links: ribbons that face the eye."""
        out = []
        springs = [(spring.first, spring.second, True) for spring in self.scene.springs]
        for first, second, spring in (*springs, *((link.first, link.second, False) for link in self.links)):
            start, end = (place(pose.get(e.body, STANDING[3]), e.at)[0] for e in (first, second))
            if np.isnan([start, end]).any():
                continue
            line = coil(start, end, 2.2 * self.thick) if spring else np.linspace(start, end, 12)
            side = np.cross(np.diff(line, axis=0), self.camera.near)
            length = np.linalg.norm(side, axis=1, keepdims=True)
            side *= (0.35 if spring else 0.8) * self.thick / np.where(length > 0, length, 1.0)
            out.append(np.stack([line[:-1] - side, line[:-1] + side, line[1:] + side, line[1:] - side], axis=1))
        return out

    def _on_floor(self, corners: Array) -> Array:
        """Shadows straight down."""
        high = corners @ self.camera.up
        return np.asarray(corners - (high - self.floor)[..., None] * self.camera.up)

    def _name(self, pose: Mapping[str, Array]) -> None:
        wanted = [(dot.name, dot.body, [dot.at], INK, "bold") for dot in self.scene.points if dot.named]
        segments = []
        for body in self.scene.bodies:
            if body.fixed:
                continue
            rods = [np.array([s.numbers["from"], s.numbers["to"]]) for s in body.shapes if s.kind == "rod"]
            lines = [self.camera.project(place(pose.get(body.name, STANDING[3]), r)) for r in rods]
            segments += [self.axes.transData.transform(line) for line in lines]
            parts = [tuple(r[0] + part * (r[1] - r[0])) for part in (0.3, 0.5, 0.7) for r in rods]
            wanted.append((body.name, body.name, parts or [(0.0, 0.0, 0.0)], body.colour, "normal"))

        def where(body: str, at: tuple[float, ...]) -> Array:
            return self.camera.project(place(pose.get(body, STANDING[3]), at)[0])

        half = 0.5 * self.link
        self.names = name_things(self.axes, wanted, where, np.array(segments).reshape(-1, 2, 2), half)


def framed(scene: Scene, camera: Camera) -> tuple[Array, Array]:
    """The least and greatest coordinates on the paper of the whole motion and its floor."""
    flat = camera.project(np.vstack([_corners(scene), floor_lines(scene, camera)[0].reshape(-1, 3)]))
    return flat.min(axis=0), flat.max(axis=0)


def floor_height(scene: Scene, camera: Camera) -> float:
    """Just below everything that moves."""
    return float(np.min(np.array(scene.box) @ camera.up)) - 2.5 * THICK * scene.size


def floor_lines(scene: Scene, camera: Camera) -> tuple[Array, float]:
    """Lines (n, 2, 3) of a grid under the mechanism, and their spacing, a round number."""
    spans = [sorted(np.array(scene.box) @ side) for side in camera.sides]
    step = nice(max(high - low for low, high in spans) or scene.size)
    ticks = [step * np.arange(np.floor(low / step), np.ceil(high / step) + 0.5) for low, high in spans]
    ticks = [line if len(line) > 1 else line[0] + step * np.array([-0.5, 0.5]) for line in ticks]
    base = floor_height(scene, camera) * camera.up
    lines = []
    for k in (0, 1):
        along, across = camera.sides[k], camera.sides[1 - k]
        lines += [[base + at * across + end * along for end in ticks[k][[0, -1]]] for at in ticks[1 - k]]
    return np.array(lines), step


def nice(span: float, parts: int = 9) -> float:
    """A round step, 1, 2 or 5 times a power of ten, that divides a span into about so many parts."""
    raw = span / parts
    power = 10.0 ** np.floor(np.log10(raw))
    return float(next(k * power for k in (1, 2, 5, 10) if k * power >= 0.999 * raw))


def _corners(scene: Scene) -> Array:
    """Corners of all shapes over a sample of the motion."""
    times = scene.times[np.unique(np.linspace(0, len(scene.times) - 1, SAMPLES).astype(int))]
    poses = poses_at(scene, times)
    out = [np.array([scene.box[0]])]
    for body in scene.bodies:
        for shape in body.shapes:
            rows = poses.get(body.name, STANDING[3][None])
            out.append(place(rows[~np.isnan(rows).any(axis=1)], corners_of(shape)).reshape(-1, 3))
    ends = [
        e for joint in scene.joints if joint.grounded for e in (joint.first, joint.second) if scene.body(e.body).fixed
    ]
    out += [np.array([end.at]) for end in ends]
    return np.concatenate(out[1:] or out)


def _by_body(parts: list[Part]) -> dict[tuple[str, bool], tuple[Facets, list[str]]]:
    """All facets of a body together, the hollow ones apart, so that it is placed in one step."""
    out: dict[tuple[str, bool], list[tuple[Facets, str]]] = {}
    for body, colour, facets in parts:
        out.setdefault((body, facets.hollow), []).append((facets, colour))
    return {
        key: (
            Facets(np.concatenate([f.corners for f, _ in held]), np.concatenate([f.normals for f, _ in held]), key[1]),
            [colour for f, colour in held for _ in f.corners],
        )
        for key, held in out.items()
    }
