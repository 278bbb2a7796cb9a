"""The mechanism at one time or at several, planar or in space, with the paths of its points: axes, frame and traces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.geometry.polygons import hull
from mubo.view.painters.camera import VIEW, Camera
from mubo.view.painters.decimation import decimate_path
from mubo.view.painters.legend import draw_legend, legend_height
from mubo.view.painters.plane import PATHS, PlanePainter
from mubo.view.painters.space import SpacePainter
from mubo.view.painters.style import label_plane
from mubo.view.scene import Dot, Kind, Paint, Scene, SceneShape, Stretch, place, pose_at, poses_at
from mubo.view.scene.colours import GRID, INK, QUIET, tint
from mubo.view.scene.motion import is_closed, stretch_points
from mubo.view.scene.outlines import circle
from mubo.view.scene.solids import solid_shape
from mubo.view.scene.strokes import STROKES
from mubo.view.scene.texts import link_lines

PAD = 0.09  # of the drawing's larger side, left free around it
GHOST, EARLY, LATE = 0.8, 0.8, 0.25  # width of a ghost in points; how much white is in the first and in the last
FILLED = 0.16  # opacity of the plate or bar of a ghost
THROUGH = 0.3  # opacity of a path in space where it passes a body
FINE, MOST = 8, 4000  # drawn pieces of a path per step, and from how many on only the rows are drawn
Painter = PlanePainter | SpacePainter
BEHIND = 2.5  # paths in space, behind what is solid


class Stage:
    """Axes that frame the whole motion of a scene, with its traces, and the painter on them."""

    def __init__(self, axes: Any, scene: Scene, view: tuple[float, float] = VIEW, labels: bool = True) -> None:
        self.axes, self.scene = axes, scene
        self.camera = camera_of(scene, view)
        low, high = extent(scene, self.camera)
        axes.set_xlim(low[0], high[0])
        axes.set_ylim(low[1], high[1])
        if self.camera is None:
            label_plane(axes, scene.units["length"])
        else:
            axes.set_axis_off()
        if scene.scale is not None:
            axes.set_title(axes.get_title(loc="left"), pad=legend_height(scene) + 6)
        fix_limits(axes, low, high)
        draw_legend(axes, scene)
        if self.camera is None:
            self.painter: Painter = PlanePainter(axes, scene, labels)
        else:
            self.painter = SpacePainter(axes, scene, self.camera, labels)
            _floor(axes, self.camera)
            _triad(axes, self.camera)

    @property
    def width(self) -> int:
        """The number of coordinates of a pose."""
        return len(self.scene.ambient.standing)

    def flat(self, points: Array) -> Array:
        """Places in ground axes as the coordinates of these axes."""
        return points if self.camera is None else self.camera.project(points)

    def pixels(self, points: Array) -> Array:
        """Places in ground axes as pixels of the picture, from its lower left corner."""
        return np.asarray(self.axes.transData.transform(self.flat(points)))

    def paths(self, times: Array) -> dict[str, Array]:
        """Paths of the points on the axes, by name."""
        poses = poses_at(self.scene, times)
        return {dot.name: self.flat(path_of(self.scene, dot, poses, len(times))) for dot in self.scene.points}

    def trace(self, **look: Any) -> None:
        """The whole path of every point as a thin line in the colour of its body, over bars and plates; in space it
        passes behind them, and shows through."""
        from matplotlib.collections import LineCollection

        style = {"linewidths": 1.2, "alpha": 1.0, "capstyle": "round", "joinstyle": "round", **look}
        through = {**style, "alpha": THROUGH * style["alpha"], "zorder": PATHS}
        paths = self.paths(fine_times(self.scene))
        lines = [decimate_path(path) for path in paths.values()]
        colours = [self.scene.frame_colour(dot.body) for dot in self.scene.points]
        for given in ({**style, "zorder": PATHS},) if self.camera is None else ({**style, "zorder": BEHIND}, through):
            self.axes.add_collection(LineCollection(lines, colors=colours, **given), autolim=False).set_in_layout(False)
        self.painter.paths = lines

    def ghosts(self, times: Array) -> Any:
        """The positions at other times, pale and behind; the later the darker."""
        return self.draw_ghosts([self.pose(float(time)) for time in times])

    def draw_ghosts(self, positions: Sequence[Mapping[str, Array]]) -> Any:
        """Positions with pale areas in thin outlines, behind; the later the darker."""
        from matplotlib.collections import LineCollection, PolyCollection
        from matplotlib.colors import to_rgb

        lines, colours, areas, fills = [], [], [], []
        for n, poses in enumerate(positions):
            part = (n + 1) / len(positions)
            for frame, line in ghost_lines(self.scene, poses, self.flat):
                colour = self.scene.frame_colour(frame)
                lines.append(line)
                colours.append(tint(colour, EARLY + (LATE - EARLY) * part))
                if len(line) > 3 and np.array_equal(line[0], line[-1]):
                    areas.append(line)
                    fills.append((*to_rgb(colour), FILLED * part))
        if areas:
            shades = PolyCollection(areas, facecolors=fills, edgecolors="none", zorder=1.9)
            self.axes.add_collection(shades, autolim=False)
        ghosts = LineCollection(lines, colors=colours, linewidths=GHOST, capstyle="round", zorder=2)
        return self.axes.add_collection(ghosts, autolim=False)

    def show(self, time: float) -> None:
        self.painter.show(self.pose(time))

    def pose(self, time: float) -> Mapping[str, Array]:
        return pose_at(self.scene, time)


def draw_mechanism(
    axes: Any,
    scene: Scene,
    at: float | None = None,
    strobe: int | None = None,
    view: tuple[float, float] | None = None,
) -> Stage:
    """Bodies, joints, names and the whole path of every point; with `strobe` so many positions over the motion."""
    stage = Stage(axes, scene, view or VIEW)
    many = len(scene.points) > 3
    stage.trace(**({"linewidths": 0.8, "alpha": 0.55} if many else {}))
    start = scene.times[0]
    if strobe:
        others = strobe_times(scene, strobe)
        stage.ghosts(others[1:] if at is None else others)
    stage.show(float(start) if at is None else at)
    return stage


def strobe_times(scene: Scene, count: int) -> Array:
    """Evenly spaced times over the motion; where it ends as it began, its end is not shown twice."""
    times = np.linspace(scene.times[0], scene.times[-1], count + is_closed(scene))
    return times[:count]


def camera_of(scene: Scene, view: tuple[float, float]) -> Camera | None:
    """The eye on a scene in space; a plane needs none."""
    return Camera(scene, view) if scene.ambient.solid else None


def extent(scene: Scene, camera: Camera | None = None) -> tuple[Array, Array]:
    """The corners of the drawing, with room around it."""
    low, high = scene.framed if camera is None else camera.framed()
    side = float(np.max(high - low)) or scene.size
    return low - PAD * side, high + PAD * side


def proportion(scene: Scene, view: tuple[float, float] | None = None) -> float:
    """Height of the drawing over its width."""
    low, high = extent(scene, camera_of(scene, view or VIEW))
    return float((high - low)[1] / (high - low)[0])


def fine_times(scene: Scene) -> Array:
    """Times at which a path is drawn: rows, and places between them where there are few rows."""
    t = scene.times
    if len(t) < 2 or FINE * len(t) > MOST:
        return t
    parts = np.arange(FINE) / FINE
    return np.append((t[:-1, None] + np.diff(t)[:, None] * parts).ravel(), t[-1])


def path_of(scene: Scene, dot: Dot, poses: Mapping[str, Array], rows: int) -> Array:
    """Places of a point over poses: (rows, 2 or 3)."""
    standing = np.tile(scene.ambient.standing, (rows, 1))
    return place(poses.get(dot.body, standing), dot.at)[:, 0]


def fix_limits(axes: Any, low: Array, high: Array) -> None:
    """Equal axes that fill their place in the layout: the shorter side shows more. Then sizes on paper are known."""
    for _ in range(2):  # tick labels change with the limits, and the layout with them
        axes.figure.draw_without_rendering()
        box = axes.get_window_extent()
        pixel = max((high[0] - low[0]) / box.width, (high[1] - low[1]) / box.height)
        middle = (low + high) / 2
        axes.set_xlim(middle[0] - pixel * box.width / 2, middle[0] + pixel * box.width / 2)
        axes.set_ylim(middle[1] - pixel * box.height / 2, middle[1] + pixel * box.height / 2)
    axes.figure.set_layout_engine("none")
    axes.set_aspect("equal", adjustable="box")
    axes.apply_aspect()


def _floor(axes: Any, camera: Camera) -> None:
    """A grid under the mechanism, with its spacing beside it."""
    from matplotlib.collections import LineCollection

    lines, step = camera.floor_lines()
    axes.add_collection(
        LineCollection(list(camera.project(lines)), colors=GRID, linewidths=0.9, zorder=1), autolim=False
    )
    label = f"grid {step:g} {camera.scene.units['length']}".rstrip()
    axes.text(0.995, 0.01, label, transform=axes.transAxes, ha="right", va="bottom", color=QUIET)


def _triad(axes: Any, camera: Camera) -> None:
    """Directions of the ground axes in the lower left corner."""
    from matplotlib.transforms import ScaledTranslation

    figure = axes.figure
    corner = axes.transAxes + ScaledTranslation(34 / 72, 30 / 72, figure.dpi_scale_trans)
    pixels = corner.transform([(0.0, 0.0)])[0]
    length = 24 * figure.dpi / 72
    for k, letter in enumerate("xyz"):
        tip = pixels + length * camera.project(np.eye(3)[k])
        ends = axes.transAxes.inverted().transform([pixels, tip, pixels + 1.35 * (tip - pixels)])
        axes.annotate(
            "",
            ends[1],
            ends[0],
            xycoords=axes.transAxes,
            textcoords=axes.transAxes,
            arrowprops={"arrowstyle": "-|>", "color": INK, "lw": 1.2, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 8},
        )
        axes.text(*ends[2], letter, transform=axes.transAxes, ha="center", va="center", color=INK)


Project = Callable[[Array], Array]  # from places in ground axes to the paper


def ghost_lines(scene: Scene, poses: Mapping[str, Array], project: Project) -> list[tuple[str, Array]]:
    """Lines on the paper at one position, each with its frame. What is gone there has none."""
    out = []
    for shape in scene.shapes:
        pose = poses.get(shape.frame, scene.ambient.standing)
        if not _moves(scene, shape) or not np.isfinite(pose).all():
            continue
        for line, convex in _lines(scene, shape):
            if shape.stretch == Stretch.ALONG:
                line = stretch_points(line, pose[-1], scene.ambient.main, False)
            flat = project(place(pose, line))
            out.append((shape.frame, _closed(hull(flat)) if convex else flat))
    return out


def _moves(scene: Scene, shape: SceneShape) -> bool:
    return (shape.paint == Paint.OWN and shape.frame in scene.poses) or shape.kind == Kind.ROD


def _lines(scene: Scene, shape: SceneShape) -> list[tuple[Array, bool]]:
    """Lines in the axes of the frame, and whether it is their convex outline on the paper that shows."""
    if shape.kind == Kind.ROD:
        along = scene.ambient.along
        return [(np.array([0 * along, along]), False)]
    if shape.kind == Kind.BAR:
        return [(line, False) for line in link_lines(shape)]
    if scene.ambient.solid:
        return [(solid_shape(shape, scene.size).places, True)]
    if shape.kind == Kind.PLATE:
        return [(shape.numbers["points"], True)]
    if shape.kind == Kind.GEAR:
        return [(circle(np.array(shape.numbers["at"]), shape.numbers["pitch"], 90), False)]
    return [(stroke.points, False) for stroke in STROKES[shape.kind](shape) if len(stroke.points)]


def _closed(ring: Array) -> Array:
    return np.vstack([ring, ring[:1]])
