"""Charts of forces: what to see first, and polar plots of pin loads."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from mubo.arrays import Array, Integers
from mubo.errors import ResultError
from mubo.results import Run
from mubo.view.charts import labelled
from mubo.view.scene import Scene
from mubo.view.style import COLOURS, GRID
from mubo.view.vectors import draw_from_origin, owner_of

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
    sizes = [column.name for column in run.columns.of("reaction") if column.quantity == "f"]
    return sorted(sizes, key=lambda name: -_peak(run[name]))


def _peak(values: Array) -> float:
    return float(np.max(values, where=np.isfinite(values), initial=0.0))


def draw_polar(figure: Any, run: Run, columns: list[str], scene: Scene, rows: Integers) -> None:
    """The end points of a force, all drawn from one origin: in ground axes and in those of the body, in space in the
    three planes of the ground. Without columns that of the largest pin load."""
    forces = [column.owner for column in run.columns.schema if column.word == "fx"]
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
    figure.suptitle(f"force of {joint} on {body}{by}{_label(run, name)}" if body else f"force {name}", fontsize=11)


def _turns(run: Run, body: str) -> bool:
    """Whether a body of the plane turns, so that a bearing in it sees the force otherwise."""
    angle = run.columns.solved(f"{body}.phi") if f"{body}.phi" in run.columns else np.zeros(1)
    return bool(np.nanmax(angle) - np.nanmin(angle) > TURNED)


def _places(run: Run) -> tuple[Any, ...]:
    return () if run.record.forces is None else run.record.forces.places


def _label(run: Run, owner: str) -> str:
    """What of a reaction equilibrium does not determine, in words."""
    open_ = [column.word for column in run.columns.of("reaction", owner) if not column.unique and column.word != "f"]
    return f"; indeterminate: {', '.join(open_)}" if open_ else ""


def _in_body_axes(axes: Any, run: Run, name: str, body: str, colour: str, rows: Integers) -> None:
    """What a bearing in the body sees: R(−φ) F."""
    angle = run.columns.solved(f"{body}.phi")
    x, y = (run[f"{name}.f{letter}"] for letter in "xy")
    along, across = np.cos(angle) * x + np.sin(angle) * y, np.cos(angle) * y - np.sin(angle) * x
    turned = run.columns.replaced(
        {key: value * run.units.factor("force") for key, value in ((f"{name}.fx", along), (f"{name}.fy", across))}
    )
    seen = Run(turned, run.events, run.summary, run.record)
    draw_from_origin(axes, seen, f"{name}.fx", f"{name}.fy", colour, rows)
    _rings(axes)
    axes.set_title(f"axes of {body}")
    for told, letter in ((axes.set_xlabel, "x"), (axes.set_ylabel, "y")):
        told(labelled(run, f"{name}.f{letter}").replace("f" + letter, f"f{letter}′", 1))


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
