"""One call for every picture: which one follows from the columns asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from mubo.errors import ResultError, nearest
from mubo.formats.atomic import replacing
from mubo.results import LinkageTrajectory, Trajectory
from mubo.view.charts import draw_energy, draw_newton, draw_newton_totals, draw_over_time, draw_path
from mubo.view.linkage import draw_linkage, linkage_extent
from mubo.view.mechanism import draw_mechanism, extent
from mubo.view.style import styled

KINDS = ("mechanism", "path", "time", "energy", "newton", "newton-totals")
ENDINGS = (".png", ".svg", ".pdf")
MOST_CHARTS = 9  # in one picture, where nobody said which
FEPS = tuple(10.0**-k for k in range(2, 13))


def plot(
    run: Trajectory,
    columns: list[str],
    path: str | Path | None = None,
    kind: str | None = None,
    rerun: Callable[[float, str], Trajectory] | None = None,
) -> Any:
    """Draws and, with `path`, writes a picture.

    Without columns: the mechanism. With "P.x", "P.y" (in space also z): the path of P. With other columns: charts over
    time. `rerun` computes the run again for another tolerance and predictor, which only "newton-totals" needs.
    """
    target = None if path is None else picture_target(path)
    if kind is not None and kind not in KINDS:
        raise ResultError(f'there is no picture "{kind}". {nearest(kind, KINDS)}')
    for name in columns:
        run[name]  # an unknown column is refused before anything is drawn
    kind = kind or _kind(columns)
    if kind == "mechanism" and not isinstance(run, LinkageTrajectory) and run.model.dimension == 3:
        raise ResultError(
            f"mechanisms in space are not drawn yet: {run.model.name} is one",
            suggestion='Name columns, such as P.x P.z, or ask for the kind "time".',
        )
    with styled() as figure_class:
        figure = _draw(figure_class, run, columns, kind, rerun)
        if target is not None:
            with replacing(target) as temporary:
                figure.savefig(temporary)
    return figure


def _kind(columns: list[str]) -> str:
    if not columns:
        return "mechanism"
    heads = {name.rpartition(".")[0] for name in columns}
    return "path" if len(heads) == 1 and _plane(columns) else "time"


def _plane(columns: list[str]) -> tuple[str, str] | None:
    """The two axes of a path: x and y, in space also z with one of them."""
    tails = tuple(name.rpartition(".")[2] for name in columns)
    return (tails[0], tails[1]) if tails in (("x", "y"), ("x", "z"), ("y", "z")) else None


def _draw(figure_class: Any, run: Trajectory, columns: list[str], kind: str, rerun: Any) -> Any:
    if kind == "time":
        columns = columns or _first_columns(run)
        figure = figure_class(figsize=(7.2, 1.2 + 1.6 * len(columns)))
        draw_over_time(figure, run, columns)
        return figure
    if kind == "energy":
        figure = figure_class(figsize=(7.2, 5.4))
        draw_energy(figure, run)
        return figure
    figure = figure_class(figsize=(7.2, _height(run, kind)))
    axes = figure.subplots()
    if kind == "mechanism":
        draw_linkage(axes, run) if isinstance(run, LinkageTrajectory) else draw_mechanism(axes, run)
        axes.set_title(run.model.name.replace("$", r"\$"))  # a name is no formula
    elif kind == "path":
        names = {name.rpartition(".")[0] for name in columns} or set(_points(run)[:1])
        if len(names) != 1:
            raise ResultError("a path needs one point or body: give its columns, such as P.x P.y")
        draw_path(axes, run, names.pop(), *(_plane(columns) or ("x", "y")))
    elif kind == "newton":
        draw_newton(axes, run)
    else:
        if rerun is None:
            raise ResultError("newton-totals needs the model: use `mubo plot MODEL --kind newton-totals`")
        draw_newton_totals(
            axes, {p: {f: int(rerun(f, p).corrections.sum()) for f in FEPS} for p in ("previous", "taylor")}
        )
    return figure


def _height(run: Trajectory, kind: str) -> float:
    """Inches for a picture 7.2 wide; equal axes need a frame of the drawing's own proportions."""
    if kind != "mechanism":
        return 3.6 if kind == "newton" else 5.4
    width, height = linkage_extent(run) if isinstance(run, LinkageTrajectory) else extent(run)
    return float(min(max(7.2 * (height + 0.2 * width) / (1.2 * width) if width else 9.0, 2.8), 9.0))


def _first_columns(run: Trajectory) -> list[str]:
    """The coordinate that moves more, with its derivatives, of the first point of interest or the last body.

    Of a simulation: the coordinates of its joints.
    """
    if "energy.total" in run.columns:
        joints = [
            c for c in run.columns if c.partition(".")[2].startswith("q") and c.partition(".")[0] in run.model.joints
        ]
        return joints[:MOST_CHARTS]
    if isinstance(run, LinkageTrajectory):  # the vector that turns most, without the driver
        most = max(run.model.vectors[1:], key=lambda n: float(np.ptp(run[f"z{n}.theta"])))
        return [f"z{most}.{c}" for c in ("theta", "omega", "alpha")]
    name = next(iter(run.model.points), None) or list(run.model.bodies)[-1]
    if run.model.dimension == 3:
        far = max("xyz", key=lambda c: float(np.ptp(run[f"{name}.{c}"])))
        return [f"{name}.{far}", f"{name}.v{far}", f"{name}.a{far}"]
    x, y = (float(np.ptp(run[f"{name}.{c}"])) for c in ("x", "y"))
    # Of comparable motions y is shown, as in the KABIOS manual.
    return [f"{name}.{c}" for c in (("y", "vy", "ay") if y > 0.03 * x else ("x", "vx", "ax"))]


def _points(run: Trajectory) -> list[str]:
    """Names of points of interest; the points of a deck are where its paths end."""
    if isinstance(run, LinkageTrajectory):
        return [f"path{k}" for k in range(1, len(run.model.paths) + 1)]
    return list(run.model.points)


def picture_target(path: str | Path) -> Path:
    """The file to draw to; another ending than that of a picture is refused."""
    target = Path(path)
    if target.suffix not in ENDINGS:
        raise ResultError(f'cannot draw "{target.name}": the ending must be {", ".join(ENDINGS)}')
    return target
