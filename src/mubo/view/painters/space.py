"""A scene in space on plain axes: parallel projection, faces sorted from far to near, shaded by light and distance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import matrix
from mubo.view.painters.camera import Camera
from mubo.view.painters.labels import Named, name_things
from mubo.view.scene import Scene, Stretch, place
from mubo.view.scene.ambient import SPACE
from mubo.view.scene.colours import INK
from mubo.view.scene.mesh import SolidMesh
from mubo.view.scene.motion import stretch_points
from mubo.view.scene.solids import SolidPart, parts_of
from mubo.view.scene.texts import link_lines

FOG, DARK = 0.42, 0.45  # how much the farthest part fades, how dark the shaded side is
SHADOW = "#e6e7e9"
PIECE, MOST_PIECES = 12.0, 10  # longest side of a face, of the half width of a link; pieces a side, at most
Pose = Mapping[str, Array]


class SpacePainter:
    """Draws one position after the other. `artists` are drawn anew for each."""

    def __init__(self, axes: Any, scene: Scene, camera: Camera, labels: bool = True) -> None:
        from matplotlib.collections import PolyCollection
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        self.axes, self.scene, self.camera, self.want_labels = axes, scene, camera, labels
        self.frames = _by_frame(parts_of(scene), scene)
        self.depth = camera.depth
        # one area of many pieces: they all have one sense, so that they join without seams
        self.shadow = PathPatch(Path(np.zeros((0, 2))), facecolor=SHADOW, linewidth=0.0, zorder=1.5)
        self.solid = PolyCollection([], edgecolor="face", linewidth=0.5, zorder=3)
        # arrows of forces, which nothing hides, and which cast no shadow; a white seam parts them from their body
        self.seam = PolyCollection([], edgecolor="white", linewidth=2.4, zorder=3.5)
        self.forces = PolyCollection([], edgecolor="face", linewidth=0.5, zorder=3.6)
        self.acting = {reach.name for reach in scene.reaches if reach.to_scale}
        self.dots = axes.plot([], [], "o", color=INK, ms=4.5, zorder=4)[0]
        self.names: list[Named] = []
        self.notes: list[str] = []
        self.paths: list[Array] = []  # on the paper, that names keep clear of
        axes.add_artist(self.shadow)
        for collection in (self.solid, self.seam, self.forces):
            axes.add_collection(collection, autolim=False)

    @property
    def artists(self) -> list[Any]:
        return [self.shadow, self.solid, self.seam, self.forces, self.dots]

    def show(self, pose: Pose) -> None:
        """Moves everything to a position."""
        corners, normals, _ = solid = self._placed(pose, False)
        self.shadow.set_path(_one_path(self.camera.project(self._on_floor(corners[normals @ self.camera.up > 0.05]))))
        self._paint(self.solid, *solid, FOG)
        acting = self._placed(pose, True)
        self._paint(self.forces, *acting)
        self._paint(self.seam, *acting)
        named = [place(pose.get(dot.body, SPACE.standing), dot.at)[0] for dot in self.scene.points if dot.named]
        self.dots.set_data(*self.camera.project(np.array(named).reshape(-1, 3)).T)
        if self.want_labels:
            self.want_labels = False
            self._name(pose)

    def _paint(self, collection: Any, corners: Array, normals: Array, colours: Array, fades: float = 0.0) -> None:
        """Faces that look towards the eye, from far to near, lit; the farthest fade by a part."""
        seen = normals @ self.camera.near > 0
        corners, normals, colours = corners[seen], normals[seen], colours[seen]
        near = corners.mean(axis=1) @ self.camera.near
        order = np.argsort(near)
        shade = DARK + (1 - DARK) * np.clip(normals @ self.camera.light, 0, 1)
        fog = fades * (1 - np.clip((near - self.depth[0]) / self.depth[1], 0, 1))
        lit = colours * shade[:, None]
        lit = lit + (1 - lit) * fog[:, None]
        collection.set_verts(self.camera.project(corners[order]))
        collection.set_facecolor(np.column_stack([lit, np.ones(len(lit))])[order])

    def _bars(self) -> list[tuple[str, Array]]:
        """Middle lines of the bars of bodies that move."""
        own = [shape for shape in self.scene.shapes if shape.name == shape.frame]
        return [(shape.frame, line) for shape in own for line in link_lines(shape)]

    def _placed(self, pose: Pose, forces: bool) -> tuple[Array, Array, Array]:
        """Corners (n, 4, 3), normals and colours of all faces in ground axes, those of forces or the others."""
        corners, normals, colours = [np.zeros((0, 4, 3))], [np.zeros((0, 3))], [np.zeros((0, 3))]
        for (frame, stretch), (inner, out, tones) in self.frames.items():
            at = pose.get(frame, SPACE.standing)
            if np.isnan(at).any() or (frame in self.acting) != forces:
                continue
            turn = matrix(at[3:7])
            if stretch != Stretch.NONE:
                inner = stretch_points(inner, at[7], 2, stretch == Stretch.ALL)
            corners.append(inner @ turn.T + at[:3])
            normals.append(out @ turn.T)
            colours.append(tones)
        return np.concatenate(corners), np.concatenate(normals), np.concatenate(colours)

    def _on_floor(self, corners: Array) -> Array:
        """Shadows straight down."""
        high = corners @ self.camera.up
        return np.asarray(corners - (high - self.camera.floor)[..., None] * self.camera.up)

    def _name(self, pose: Pose) -> None:
        def where(body: str, at: tuple[float, ...]) -> Array:
            return self.camera.project(place(pose.get(body, SPACE.standing), at)[0])

        lines = [self.camera.project(place(pose.get(frame, SPACE.standing), line)) for frame, line in self._bars()]
        flat = [self.axes.transData.transform(line) for line in (*lines, *self.paths) if len(line) > 1]
        segments = np.concatenate([np.zeros((0, 2, 2)), *(np.stack([line[:-1], line[1:]], axis=1) for line in flat)])
        points = self.axes.transData.transform(np.column_stack(self.dots.get_data()).reshape(-1, 2))
        self.names, self.notes = name_things(self.axes, self.scene, where, segments, points)


def _one_path(pieces: Array) -> Any:
    """Four-sided pieces (n, 4, 2) as one path."""
    from matplotlib.path import Path

    closed = np.concatenate([pieces, pieces[:, :1]], axis=1)
    codes = np.tile([Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY], len(pieces))
    return Path(closed.reshape(-1, 2), codes)


Faces = dict[tuple[str, Stretch], tuple[Array, Array, Array]]


def _by_frame(parts: list[SolidPart], scene: Scene) -> Faces:
    """Corners, normals and colours of all faces of a frame together, so that it is placed in one step."""
    from matplotlib.colors import to_rgb

    found: dict[tuple[str, Stretch], list[tuple[Array, Array, Array]]] = {}
    for part in parts:
        high = scene.size if part.stretch == Stretch.ALONG else 1.0
        corners, normals = cut_faces(part.mesh, PIECE * scene.thick, high)
        tones = np.tile(to_rgb(part.colour), (len(corners), 1))
        found.setdefault((part.frame, part.stretch), []).append((corners, normals, tones))
    return {key: tuple(map(np.concatenate, zip(*faces, strict=True))) for key, faces in found.items()}  # type: ignore[misc]


def cut_faces(mesh: SolidMesh, piece: float, high: float = 1.0) -> tuple[Array, Array]:
    """Corners (n, 4, 3) and normals of a mesh's faces; long ones are cut, so that far and near pieces sort rightly.

    `high` is how much the mesh will be stretched along z.
    """
    corners = mesh.places[mesh.faces]
    normals = mesh.normals[mesh.faces].mean(axis=1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    seen = corners * [1.0, 1.0, high]
    sides = [np.linalg.norm(seen[:, b] - seen[:, a], axis=1) for a, b in ((0, 1), (1, 2))]
    across, along = (np.clip(np.ceil(side / piece), 1, MOST_PIECES).astype(int) for side in sides)
    out: list[tuple[Array, Array]] = []
    for u, v in {(int(u), int(v)) for u, v in zip(across, along, strict=True)}:
        same = (across == u) & (along == v)
        quads = _divide_quads(corners[same], u, v)
        out.append((quads.reshape(-1, 4, 3), np.repeat(normals[same], u * v, axis=0)))
    return np.concatenate([c for c, _ in out]), np.concatenate([n for _, n in out])


def _divide_quads(quads: Array, u: int, v: int) -> Array:
    """Quads (n, 4, 3) cut into u × v pieces: (n, u v, 4, 3)."""
    s, t = np.arange(u + 1) / u, np.arange(v + 1) / v
    a, b, c, d = (quads[:, k, None, None] for k in range(4))
    s, t = s[None, :, None, None], t[None, None, :, None]
    grid = (1 - s) * (1 - t) * a + s * (1 - t) * b + s * t * c + (1 - s) * t * d
    cells = [grid[:, i : u + i, j : v + j] for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    return np.stack(cells, axis=3).reshape(len(quads), u * v, 4, 3)
