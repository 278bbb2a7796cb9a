"""One column against another: paths of points, phase plots, hodographs of velocities."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from mubo.arrays import Array, Booleans, Integers
from mubo.errors import ResultError, nearest
from mubo.results import Run
from mubo.view.charts import axis_label
from mubo.view.curves import column_curve, known_steps, lone_rows
from mubo.view.painters.decimation import MOST_ROWS, decimate_path
from mubo.view.painters.stage import Stage
from mubo.view.scene import Scene
from mubo.view.scene.colours import COLOURS, GRID, INK

ROW_DOTS = 150  # rows up to which each is marked
PAIRS = (("q1", "v1"), ("phi", "omega"), ("x", "vx"))


def owner_of(run: Run, columns: list[str], words: tuple[str, ...], what: str) -> str:
    """The one point, body or joint that columns name, "P" or "P.x P.y"; without any the first point of interest."""
    ends = ("x", "y", "z", *words)
    known_columns = {column.name: column for column in run.columns.schema if column.label in ends}
    heads = {known_columns[n].owner if n in known_columns else n for n in columns}
    heads = heads or set(list(run.model.points)[:1])
    if len(heads) != 1:
        raise ResultError(f"{what} needs one point or body: give its name, such as P")
    name = heads.pop()
    known = {column.owner for column in run.columns.schema if column.label == words[0]}
    if name not in known:
        raise ResultError(f'there is no column "{name}.{words[0]}". {nearest(name, known)}')
    return name


def draw_path(axes: Any, run: Run, columns: list[str], scene: Scene, rows: Integers) -> None:
    """The path of a point or body in the plane, with its start and its rows marked."""
    name = owner_of(run, columns, ("x", "y"), "a path")
    _curve(axes, run, f"{name}.x", f"{name}.y", scene.colour(name) or COLOURS[0], rows)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_title(f"path of {name}")


def draw_phase(axes: Any, run: Run, columns: list[str], scene: Scene, rows: Integers) -> None:
    """A coordinate against its rate."""
    pair = columns or _first_pair(run)
    if len(pair) != 2:
        raise ResultError(f"a phase plot needs two columns, a coordinate and its rate; found {len(pair)}")
    _curve(axes, run, pair[0], pair[1], scene.colour(pair[0]) or COLOURS[0], rows)
    heads = dict.fromkeys(run.columns.column(name).owner for name in pair)
    axes.set_title("phase plot of " + " and ".join(heads))


def draw_hodograph(axes: Any, run: Run, columns: list[str], scene: Scene, rows: Integers) -> None:
    """The end points of the velocity of a point, all drawn from one origin (Hamilton 1847)."""
    name = owner_of(run, columns, ("vx", "vy"), "a hodograph")
    draw_from_origin(axes, run, f"{name}.vx", f"{name}.vy", scene.colour(name) or COLOURS[0], rows)
    axes.set_title(f"hodograph of {name}: end points of its velocity")


def draw_from_origin(axes: Any, run: Run, across: str, upward: str, colour: str, rows: Integers) -> None:
    """The end points of a vector, with rays to them where they are few."""
    x, y = run[across][rows], run[upward][rows]
    if len(x) <= ROW_DOTS:
        gaps = np.full(len(x), np.nan)
        rays = np.column_stack([0 * x, x, gaps]).ravel(), np.column_stack([0 * y, y, gaps]).ravel()
        axes.plot(*rays, color=colour, lw=0.6, alpha=0.35)
    axes.plot([0], [0], "+", color=INK, ms=9)
    _curve(axes, run, across, upward, colour, rows)
    axes.set_aspect("equal", adjustable="datalim")


def _curve(axes: Any, run: Run, across: str, upward: str, colour: str, rows: Integers) -> None:
    """A curve with its rows, not those added for drawing, marked where they are few; its start, and an arrow in the
    sense of time."""
    from matplotlib.patheffects import withStroke

    x, y = run[across], run[upward]
    line, alone = column_path(run, (across, upward))
    axes.plot(*line.T, color=colour)
    marked = np.union1d(rows if len(rows) <= ROW_DOTS else rows[:0], np.flatnonzero(alone))
    axes.plot(x[marked], y[marked], "o", color=colour, ms=2.6)
    known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    if len(known):
        start = known[0]
        axes.plot([x[start]], [y[start]], "o", color=INK, ms=5.5, zorder=4)
        halo = [withStroke(linewidth=2.5, foreground="white")]
        where = {"xytext": (8, 7), "textcoords": "offset points", "zorder": 5}
        axes.annotate("start", (x[start], y[start]), path_effects=halo, **where)
        _sense(axes, line, colour)
    axes.margins(0.1)
    axes.set_xlabel(axis_label(run, across))
    axes.set_ylabel(axis_label(run, upward))


def column_path(run: Run, names: tuple[str, ...]) -> tuple[Array, Booleans]:
    """The curve through rows of some columns, NaN where one of them has none, and the rows that it does not touch."""
    known = np.all([known_steps(run, name) for name in names], axis=0)
    values = np.column_stack([run[name] for name in names])
    alone = lone_rows(known, np.sum(values, axis=1))
    if len(run) > MOST_ROWS:
        return decimate_path(np.where(alone[:, None], np.nan, values)), alone
    return decimate_path(np.column_stack([column_curve(run, name)[1] for name in names])), alone


def _sense(axes: Any, line: Array, colour: str) -> None:
    """A small arrow head at a tenth of the length."""
    length = np.concatenate([[0.0], np.cumsum(np.nan_to_num(np.hypot(*np.diff(line, axis=0).T)))])
    if not length[-1] > 0:
        return
    k, ahead = (min(int(np.searchsorted(length, part * length[-1])), len(line) - 1) for part in (0.1, 0.12))
    style = {"arrowstyle": "-|>", "color": colour, "lw": 1.0, "mutation_scale": 15, "shrinkA": 0, "shrinkB": 0}
    if ahead > k and np.isfinite(line[[k, ahead]]).all():
        axes.annotate("", line[ahead], line[k], arrowprops=style)


def _first_pair(run: Run) -> list[str]:
    """The first joint coordinate that moves with a rate that changes, else the first body coordinate."""
    pairs = [(f"{c[:-1]}q", f"{c[:-1]}v") for c in run.columns if c.endswith(".q")]
    for a, b in PAIRS:
        heads = [name.removesuffix(f".{a}") for name in run.columns if name.endswith(f".{a}")]
        pairs += [(f"{head}.{a}", f"{head}.{b}") for head in heads]
    for pair in pairs:
        if all(name in run.columns and _changes(run[name]) for name in pair):
            return list(pair)
    raise ResultError("a phase plot needs two columns: nothing here moves with a changing rate")


def _changes(values: Array) -> bool:
    known = values[np.isfinite(values)]
    return len(known) > 1 and float(np.std(known)) > 1e-9 * (1 + float(np.max(np.abs(known))))


def draw_space_path(axes: Any, run: Run, columns: list[str], scene: Scene) -> None:
    """The path with its start, and its shadow on the floor."""
    name = owner_of(run, columns, ("x", "y", "z"), "a path")
    axes.set_title(f"path of {name}")
    rows = np.column_stack([run[f"{name}.{letter}"] for letter in "xyz"])
    stage = Stage(axes, _around(scene, rows), labels=False)
    assert stage.camera is not None
    path, alone = column_path(run, tuple(f"{name}.{letter}" for letter in "xyz"))
    up = stage.camera.up
    floor = path - (path @ up - stage.camera.floor)[:, None] * up
    axes.plot(*stage.flat(floor).T, color="#c9ccd0", lw=1.0, zorder=2)
    axes.plot(*stage.flat(path).T, color=scene.colour(name) or COLOURS[0], zorder=3)
    axes.plot(*stage.flat(rows[alone]).T, "o", color=scene.colour(name) or COLOURS[0], ms=2.6, zorder=3)
    start = stage.flat(rows[np.isfinite(rows).all(axis=1)][:1])
    axes.plot(*start.T, "o", color=INK, ms=5.5, zorder=4)
    axes.annotate("start", start[0], (8, 7), textcoords="offset points", zorder=5)


def _around(scene: Scene, rows: Array) -> Scene:
    """The scene without its mechanism, framed for a path through rows of places; as it was where nothing moves."""
    known = rows[np.isfinite(rows).all(axis=1)]
    size = float(np.max(np.ptp(known, axis=0), initial=0.0)) if len(known) else 0.0
    if size <= 1e-9 * scene.size:
        return scene
    low, high = (tuple(map(float, corner)) for corner in (known.min(axis=0), known.max(axis=0)))
    tips = tuple(tuple(map(float, place)) for place in known)
    return replace(scene, box=(low, high), shapes=(), tips=tips, size=size, thick=0.1 * size)


MOST_DRIVERS, MOST_PINS = 3, 3  # whose charts are seen first
RINGS = 6  # circles of a polar plot, about
TURNED = 1e-3  # radians that a body turns at least for its axes to be worth a picture


def first_forces(run: Run) -> list[str]:
    """Effort and power of the drivers, and the largest pin loads."""
    drivers = [name for name in run.model.drivers if f"{name}.effort" in run.columns][:MOST_DRIVERS]
    efforts = [f"{name}.{word}" for name in drivers for word in ("effort", "power")]
    return [*efforts, *largest_pins(run)[:MOST_PINS]]


def largest_pins(run: Run) -> list[str]:
    """The sizes of reactions, the largest first."""
    sizes = [column.name for column in run.columns.of_kind("reaction") if column.quantity == "f"]
    return sorted(sizes, key=lambda name: -_peak(run[name]))


def _peak(values: Array) -> float:
    return float(np.max(values, where=np.isfinite(values), initial=0.0))


def draw_polar(figure: Any, run: Run, columns: list[str], scene: Scene, rows: Integers) -> None:
    """The end points of a force, all drawn from one origin: in ground axes and in those of the body, in space in the
    three planes of the ground. Without columns that of the largest pin load."""
    forces = [column.owner for column in run.columns.schema if column.label == "fx"]
    if not forces:
        raise ResultError("this result has no forces: there are no columns such as A.on_crank.fx")
    pins = [run.columns.column(name).owner for name in largest_pins(run)[:1]]
    name = owner_of(run, columns or pins or forces[:1], ("fx", "fy"), "a polar plot of forces")
    place = next((place for place in _places(run) if place.owner == name), None)
    joint, _, body = name.partition(".on_")
    planes = list(combinations("xyz"[: run.model.dimension], 2))
    turned = next((name for name in (body, *(place.others if place else ())) if _turns(run, name)), None)
    stack = figure.subplots(1, len(planes) + (turned is not None), squeeze=False)[0]
    colour = scene.colour(body) or COLOURS[1]
    for axes, (x, y) in zip(stack, planes, strict=False):
        names = f"{name}.f{x}", f"{name}.f{y}"
        draw_from_origin(axes, run, *names, colour, rows)
        _rings(axes)
        axes.set_title("ground axes" if turned else f"{x}, {y}")
    if turned:
        _in_body_axes(stack[-1], run, name, turned, colour, rows)
    by = f" by {' and '.join(place.others)}" if place else ""
    label = f"; {determinacy(run, name)}".replace("; unique", "")
    figure.suptitle(f"force of {joint} on {body}{by}{label}" if body else f"force {name}", fontsize=11)


def _turns(run: Run, body: str) -> bool:
    """Whether a planar body turns, so that the force has another direction in its axes."""
    angle = run.columns.raw(f"{body}.phi") if f"{body}.phi" in run.columns else np.zeros(1)
    return bool(np.nanmax(angle) - np.nanmin(angle) > TURNED)


def _places(run: Run) -> tuple[Any, ...]:
    return () if run.record.forces is None else run.record.forces.places


def determinacy(run: Run, owner: str) -> str:
    """Whether equilibrium determines a reaction: "unique", or "indeterminate: " and the components it leaves open."""
    columns = run.columns.of_kind("reaction", owner)
    names = [column.label for column in columns if not column.unique and column.label != "f"]
    return f"indeterminate: {', '.join(names)}" if names else "unique"


def _in_body_axes(axes: Any, run: Run, name: str, body: str, colour: str, rows: Integers) -> None:
    """Draws the force in the axes of the body, as a bearing in it sees it: R(−φ) F."""
    angle = run.columns.raw(f"{body}.phi")
    x, y = (run.columns.raw(f"{name}.f{letter}") for letter in "xy")
    along, across = np.cos(angle) * x + np.sin(angle) * y, np.cos(angle) * y - np.sin(angle) * x
    seen = replace(run, columns=run.columns.replaced({f"{name}.fx": along, f"{name}.fy": across}))
    draw_from_origin(axes, seen, f"{name}.fx", f"{name}.fy", colour, rows)
    _rings(axes)
    axes.set_title(f"axes of {body}")
    for set_label, letter in ((axes.set_xlabel, "x"), (axes.set_ylabel, "y")):
        set_label(axis_label(run, f"{name}.f{letter}").replace("f" + letter, f"f{letter}′", 1))


def _rings(axes: Any) -> None:
    """Circles of equal size of the force, of round values, with their numbers."""
    from matplotlib.patches import Circle
    from matplotlib.ticker import MaxNLocator

    low_x, high_x = axes.get_xlim()
    low_y, high_y = axes.get_ylim()
    far = max(abs(low_x), abs(high_x), abs(low_y), abs(high_y))
    axes.grid(visible=False)
    for radius in MaxNLocator(RINGS, steps=[1, 2, 5, 10]).tick_values(0.0, far):
        if radius > 0:
            axes.add_patch(Circle((0, 0), radius, fill=False, color=GRID, lw=0.9, zorder=0.5))
    axes.axhline(0, color=GRID, lw=0.9, zorder=0.5)
    axes.axvline(0, color=GRID, lw=0.9, zorder=0.5)
