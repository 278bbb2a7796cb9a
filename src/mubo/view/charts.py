"""Charts over time: any columns, energy, transmission angles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError, nearest
from mubo.results import Run
from mubo.view.decimate import MOST, note, thinned
from mubo.view.scene import Scene
from mubo.view.style import COLOURS, INK, QUIET

DOTS = {"v": "\u0307", "a": "\u0308"}  # over the letter: first and second derivative
NAMES = {"phi": "φ", "omega": "φ̇", "alpha": "φ̈", "t": "t"}
NAMES |= {"pressure_angle": "pressure angle", "rho": "ρ", "rho_pitch": "ρ of the pitch curve"}  # of a cam
NAMES |= {f"{order}{letter}": f"{letter}{dot}" for order, dot in DOTS.items() for letter in "xyz"}
NAMES |= {f"w{letter}": f"ω{mark}" for letter, mark in zip("xyz", ("ₓ", "ᵧ", "_z"), strict=True)}
VECTOR_NAMES = {"r": "r", "theta": "θ", "omega": "ω", "alpha": "α"}  # of a deck
FINE = 8  # drawn pieces per output step
FLAT = 1e-6  # a column that changes by less than this part of its size is drawn as a constant


def between_rows(run: Run, name: str) -> tuple[Array, Array]:
    """Times and values of a column for drawing: cubic between rows where the run knows the slope, else straight.

    Long runs are thinned to what a picture can show.
    """
    t, y = run["t"], run[name]
    slope_name = run.columns.derivative(name)
    if slope_name is None or len(t) < 2 or FINE * len(t) > MOST:
        return thinned(t, y)
    slope, h = run[slope_name], np.diff(t)[:, None]
    u = np.arange(FINE) / FINE
    a, b, c, d = (2 * u**3 - 3 * u**2 + 1, 3 * u**2 - 2 * u**3, u**3 - 2 * u**2 + u, u**3 - u**2)
    inner = y[:-1, None] * a + y[1:, None] * b + h * (slope[:-1, None] * c + slope[1:, None] * d)
    return np.append((t[:-1, None] + h * u).ravel(), t[-1]), np.append(inner.ravel(), y[-1])


def labelled(run: Run, name: str) -> str:
    """What an axis of a column is called: "ẏ [m/s]"."""
    column, unit = run.columns.column(name), run.unit(name)
    names = VECTOR_NAMES if column.kind == "vector" else NAMES
    word = column.quantity if column.kind == "transmission" else column.word
    return names.get(word, word) + (f" [{unit}]".replace("^2", "²") if unit else "")


def over_column(run: Run, over: str) -> str:
    """The column that charts are drawn over: one by name, or the value of a driver."""
    if over in run.model.drivers:
        return f"{over}.value"
    if over not in run.columns:
        raise ResultError(f'there is no driver or column "{over}". {nearest(over, [*run.model.drivers, *run.columns])}')
    return over


def along(run: Run, over: str, t: Array) -> Array:
    """Values of the column that charts are drawn over at given times."""
    return t if over == "t" else np.interp(t, *between_rows(run, over))


def draw_over_time(stack: Any, run: Run, columns: list[str], scene: Scene, over: str = "t") -> None:
    """One chart per column on the given axes, with shared time, or over another column such as a driver's value."""
    heads = [run.columns.column(name).owner for name in columns]
    for k, (axes, name) in enumerate(zip(stack, columns, strict=True)):
        draw_column(axes, run, name, column_colour(scene, name, k), over)
        axes.set_ylabel(labelled(run, name))
        for event in run.events:
            axes.axvline(float(along(run, over, np.array([event.t]))[0]), color=QUIET, lw=0.9, ls=(0, (1, 2)), zorder=1)
        if k == 0 or heads[k] != heads[k - 1]:
            axes.set_title(heads[k] or name)
    stack[-1].set_xlabel(labelled(run, "t") if over == "t" else run.header([over])[0].replace(".value", ""))
    stack[0].figure.align_ylabels(stack)


def column_colour(scene: Scene, name: str, number: int) -> str:
    """The colour of the body that a column belongs to; of a column without a body one by its number."""
    return scene.colour(name) or COLOURS[number % len(COLOURS)]


def draw_column(axes: Any, run: Run, name: str, colour: str, over: str = "t") -> None:
    """A line with gaps where values are missing; rows between two gaps, and a single row, as dots."""
    y = run[name]
    if not np.isfinite(y).any():
        axes.text(0.5, 0.5, "no value anywhere", transform=axes.transAxes, ha="center", va="center", color=QUIET)
    t, drawn = between_rows(run, name)
    axes.plot(along(run, over, t), drawn, color=colour)
    gap = np.concatenate([[True], ~np.isfinite(y), [True]])
    alone = ~gap[1:-1] & gap[:-2] & gap[2:]
    axes.plot(run[over][alone], y[alone], "o", color=colour, ms=4)
    known = y[np.isfinite(y)] if np.isfinite(y).any() else np.zeros(1)
    size = float(np.max(np.abs(known)))
    if 0 < np.ptp(known) < FLAT * size:  # a constant with rounding: no mountains from molehills
        middle = float(np.mean(known))
        axes.set_ylim(middle - 0.05 * size, middle + 0.05 * size)
    span(axes, run, over)


def span(axes: Any, run: Run, over: str = "t") -> None:
    """Time (or what stands for it) from its least to its greatest; a moment to both sides of a single one."""
    x = run[over]
    low, high = float(np.nanmin(x)), float(np.nanmax(x))
    if high > low:
        axes.set_xlim(low, high)


def corner_note(figure: Any, run: Run, notes: Sequence[str] = ()) -> None:
    """Says in the corner that a long result is thinned for drawing, and what else is not shown."""
    text = "; ".join(filter(None, (note(len(run)), *notes)))
    if text:
        figure.text(0.995, 0.005, text, ha="right", va="bottom", fontsize=7.5, color=QUIET)


def draw_energy(figure: Any, run: Run) -> None:
    """Kinetic, potential and total energy over time, and below the error of their balance."""
    if "energy.total" not in run.columns:
        raise ResultError("an energy picture needs a simulation: use `mubo simulate`, or `mubo run` on one")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(2.2, 1))
    words = ["kinetic", "potential", "total"]
    words += [w for w in ("dissipated", "supplied") if np.any(run[f"energy.{w}"])]
    for k, word in enumerate(words):
        colour = INK if word == "total" else COLOURS[k]
        upper.plot(*between_rows(run, f"energy.{word}"), color=colour, label=word)
    unit = run.unit("energy.total")
    upper.set_ylabel(f"energy [{unit}]" if unit else "energy")
    upper.legend(frameon=False, ncols=len(words), loc="lower center", bbox_to_anchor=(0.5, 1.0))
    lower.plot(*between_rows(run, "energy.error"), color=COLOURS[3])
    lower.set_ylabel("error of balance")
    lower.ticklabel_format(axis="y", style="sci", scilimits=(0, 0), useMathText=True)
    lower.set_xlabel(labelled(run, "t"))
    span(lower, run)
    figure.align_ylabels([upper, lower])


def draw_transmission(axes: Any, run: Run) -> None:
    """Transmission angles over time, with the band 40° to 140° in which linkages run well (Alt 1932)."""
    names = [name for name in run.columns if "transmission" in name]
    if not names:
        raise ResultError(
            "this result has no transmission angles: there is no column with that word in its name",
        )
    degrees = run.unit(names[0]) == "deg"
    factor = 1.0 if degrees else 180 / np.pi
    axes.axhspan(40, 140, color="#eef4ea", zorder=0)
    axes.text(0.995, 0.5, "40° to 140°", transform=axes.get_yaxis_transform(), ha="right", color=QUIET, fontsize=8)
    for k, name in enumerate(names):
        t, y = between_rows(run, name)
        axes.plot(t, factor * y, color=COLOURS[k % len(COLOURS)], label=name.replace(".transmission", ""))
    axes.set_ylim(0, 180)
    axes.set_yticks([0, 40, 90, 140, 180])
    axes.set_ylabel("transmission angle [deg]")
    axes.set_xlabel(labelled(run, "t"))
    axes.set_title("transmission angle")
    if len(names) > 1:
        axes.legend(frameon=False)
    span(axes, run)
