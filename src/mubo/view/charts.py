"""Charts over time: any columns, energy, transmission angles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError, nearest
from mubo.laws.number_text import unit_text
from mubo.results import Event, Run
from mubo.view.beside import measured_samples, reference_curves
from mubo.view.curves import FLAT, column_curve, drawn_rows, lone_rows, table_curve
from mubo.view.painters.decimation import decimation_note
from mubo.view.scene import Scene
from mubo.view.scene.colours import COLOURS, INK, QUIET

DOTS = {"v": "\u0307", "a": "\u0308"}  # over the letter: first and second derivative
NAMES = {"phi": "φ", "omega": "ω", "alpha": "α", "t": "t"}
NAMES |= {"pressure_angle": "pressure angle", "rho": "ρ", "rho_pitch": "ρ of the pitch curve"}  # of a cam
NAMES |= {f"{order}{letter}": f"{letter}{dot}" for order, dot in DOTS.items() for letter in "xyz"}
NAMES |= {f"w{letter}": f"ω{mark}" for letter, mark in zip("xyz", ("ₓ", "ᵧ", "_z"), strict=True)}
VECTOR_NAMES = {"r": "r", "theta": "θ", "omega": "ω", "alpha": "α"}  # of a deck
KIND_NAMES = {"vector": VECTOR_NAMES, "reaction": {"f": "|F|"}, "shaking": {}}
DOT, SMALL_DOT, MANY_DOTS = 4.0, 2.0, 100  # points of the paper; from so many on dots are small
Panel = tuple[str, ...]  # columns in one chart
STOP = "#b3261e"  # where a motion ended


def axis_label(run: Run, name: str) -> str:
    """The label of an axis of a column: "ẏ [m/s]"."""
    column, unit = run.columns.column(name), run.unit(name)
    names = KIND_NAMES.get(column.kind, NAMES)
    word = column.quantity if column.kind == "transmission" else column.label
    return names.get(word, word) + (f" [{unit_text(unit)}]" if unit else "")


def over_column(run: Run, over: str) -> str:
    """The column that charts are drawn over: one by name, or the value of a driver."""
    if over in run.model.drivers:
        return f"{over}.value"
    if over not in run.columns:
        raise ResultError(f'there is no driver or column "{over}". {nearest(over, [*run.model.drivers, *run.columns])}')
    return over


def values_over(run: Run, over: str, t: Array) -> Array:
    """Values of the column that charts are drawn over at given times."""
    return t if over == "t" else np.interp(t, *column_curve(run, over))


def draw_over_time(stack: Any, run: Run, columns: Sequence[str | Panel], scene: Scene, over: str = "t") -> None:
    """Draws one chart per column or panel of columns, over time or another column such as the value of a driver."""
    panels = [(entry,) if isinstance(entry, str) else entry for entry in columns]
    heads = [run.columns.column(names[0]).owner for names in panels]
    for k, (axes, names) in enumerate(zip(stack, panels, strict=True)):
        _draw_panel(axes, run, names, column_colour(scene, names[0], k), over)
        mark_events(axes, run, over, named=k == 0)
        if k == 0 or heads[k] != heads[k - 1]:
            axes.set_title(heads[k] or names[0])
    stack[-1].set_xlabel(axis_label(run, "t") if over == "t" else run.header([over])[0].replace(".value", ""))
    stack[0].figure.align_ylabels(stack)


def _draw_panel(axes: Any, run: Run, names: Panel, colour: str, over: str) -> None:
    """Draws one column, or the coordinates of one joint in a colour each."""
    if len(names) == 1:
        draw_column(axes, run, names[0], colour, over)
        axes.set_ylabel(axis_label(run, names[0]))
        return
    for number, name in enumerate(names):
        plot_curve(axes, run, name, over, color=COLOURS[number % len(COLOURS)], label=run.columns.column(name).label)
    unit = axis_label(run, names[0]).partition(" ")[2]
    axes.set_ylabel(f"q {unit}".strip())
    axes.legend(frameon=False, fontsize=8, ncols=len(names), loc="best")


def joint_panels(run: Run, columns: Sequence[str]) -> list[Panel]:
    """The columns with the coordinates of one joint, where they have one unit, together in a panel."""
    panels: list[Panel] = []
    for name in columns:
        column = run.columns.column(name)
        before = run.columns.column(panels[-1][-1]) if panels else None
        joined = before is not None and before.kind == column.kind == "joint" and before.owner == column.owner
        if joined and before is not None and run.unit(before.name) == run.unit(name) and before.order == column.order:
            panels[-1] += (name,)
        else:
            panels.append((name,))
    return panels


def draw_reference(stack: Any, run: Run, columns: Sequence[str], path: str | Path) -> None:
    """Draws the columns of a reference table dashed into charts over time."""
    curves = reference_curves(run, columns, path)
    for axes, name in zip(stack, columns, strict=True):
        if name in curves:
            look: dict[str, Any] = {"color": INK, "lw": 1.2, "ls": (0, (4, 2)), "zorder": 2.5, "label": Path(path).stem}
            plot_rows(axes, *curves[name], **look)
            axes.legend(frameon=False, fontsize=8)


def mark_events(axes: Any, run: Run, over: str = "t", named: bool = True) -> None:
    """Marks events: a dotted line at each, a red one where the motion ended, with its time where `named`."""
    for event in run.events:
        look = {"lw": 0.9, "ls": (0, (1, 2)), "color": QUIET} if event.passed else {"lw": 1.6, "color": STOP}
        place = _place(run, over, event)
        axes.axvline(place, zorder=1, **look)
        if named and not event.passed:
            where = {"transform": axes.get_xaxis_transform(), "ha": "right", "va": "bottom", "fontsize": 8.5}
            text = f"stops at t = {event.t:.6g} {run.unit('t')}".rstrip()
            axes.text(place, 1.01, text, color=STOP, **where)
    set_limits_over(axes, run, over)


def _place(run: Run, over: str, event: Event) -> float:
    """The place of an event on the axis; one that stopped the motion lies behind the last row and knows its drivers."""
    if over == "t":
        return event.t
    driver = over.removesuffix(".value")
    return event.drivers.get(driver, float(values_over(run, over, np.array([event.t]))[0]))


def column_colour(scene: Scene, name: str, number: int) -> str:
    """The colour of the body that a column belongs to; of a column without a body one by its number."""
    return scene.colour(name) or COLOURS[number % len(COLOURS)]


def draw_column(axes: Any, run: Run, name: str, colour: str, over: str = "t") -> None:
    """The curve of a column, with the limits of its axis."""
    y = drawn_rows(run, name)[1]
    if not np.isfinite(y).any():
        axes.text(0.5, 0.5, "no value anywhere", transform=axes.transAxes, ha="center", va="center", color=QUIET)
    _draw_samples(axes, run, name, colour, over)
    plot_curve(axes, run, name, over, color=colour)
    known = y[np.isfinite(y)] if np.isfinite(y).any() else np.zeros(1)
    size = float(np.max(np.abs(known)))
    if size == 0:  # or rounding, which is shown as zero: no mountains from molehills
        axes.set_ylim(-1, 1)
    elif 0 < np.ptp(known) < FLAT * size:
        middle = float(np.mean(known))
        axes.set_ylim(middle - 0.05 * size, middle + 0.05 * size)
    set_limits_over(axes, run, over)


def _draw_samples(axes: Any, run: Run, name: str, colour: str, over: str) -> None:
    """Draws the measured samples of a guided column as dots behind its smoothed curve."""
    if (samples := measured_samples(run, name)) is not None:
        look = {"color": colour, "alpha": 0.35, "ms": 5, "mew": 0, "zorder": 1.5}
        axes.plot(values_over(run, over, samples[0]), samples[1], "o", label="measured", **look)
        axes.legend(frameon=False, fontsize=8)


def plot_curve(axes: Any, run: Run, name: str, over: str = "t", factor: float = 1.0, **look: Any) -> None:
    """A column as a line where its rows determine the curve; rows that no line touches are dots."""
    t, curve = column_curve(run, name)
    line = axes.plot(values_over(run, over, t), factor * curve, **look)[0]
    t, y, known = drawn_rows(run, name)
    alone = lone_rows(known, y)
    if alone.any():
        dots = {"color": line.get_color(), "ms": DOT if np.sum(alone) < MANY_DOTS else SMALL_DOT}
        axes.plot(values_over(run, over, t)[alone], factor * y[alone], "o", **dots)


def plot_rows(axes: Any, t: Array, y: Array, marked: bool = False, **look: Any) -> Any:
    """A column of a table as a line where its rows determine the curve; rows that no line touches are dots, and with
    `marked` all are. Returns the line."""
    times, values, alone = table_curve(t, y)
    line = axes.plot(times, values, **look)[0]
    shown = np.isfinite(y) if marked else alone
    if shown.any():
        dots = {"color": line.get_color(), "ms": SMALL_DOT if marked or np.sum(shown) >= MANY_DOTS else DOT}
        axes.plot(np.asarray(t)[shown], np.asarray(y)[shown], "o", zorder=line.get_zorder(), **dots)
    return line


def set_limits_over(axes: Any, run: Run, over: str = "t") -> None:
    """Sets the limits of time, or of the column in its place: from its least to its greatest value and to the end."""
    x = run[over]
    low, high = float(np.nanmin(x)), float(np.nanmax(x))
    places = [_place(run, over, event) for event in run.events]
    far = [min([low, *places]), max([high, *places])]
    room = 0.01 * (far[1] - far[0])
    if far[1] > far[0]:
        axes.set_xlim(far[0] - room * (far[0] < low), far[1] + room * (far[1] > high))


def write_corner_note(figure: Any, run: Run, notes: Sequence[str] = ()) -> None:
    """Writes in the corner that a long result is thinned for drawing, and what else is not shown."""
    text = "; ".join(filter(None, (decimation_note(len(run)), *notes)))
    if text:
        figure.text(0.995, 0.005, text, ha="right", va="bottom", fontsize=7.5, color=QUIET)
