"""How well a run was solved: Newton's corrections, and the residuals of every joint and driver."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.errors import ResultError
from mubo.results import Run
from mubo.view.charts import labelled, mark_events
from mubo.view.style import COLOURS, INK, QUIET

MOST_ELEMENTS = 24  # bars in one picture, those with the largest residuals
FLOOR = 1e-17  # where a residual of zero is drawn on a logarithmic axis


def draw_newton(axes: Any, run: Run) -> None:
    """Newton corrections at each output time."""
    if len(run.record.corrections) == 0:
        raise ResultError("this result counts no Newton corrections: only kinematics solves by Newton's method")
    t, count = run["t"], run.record.corrections
    if len(t) > 400:
        axes.step(t, count, where="mid", color=COLOURS[0], lw=1.0)
    else:  # lines of a width on the paper: rows of a deck may lie as close as one pleases
        axes.vlines(t, 0, count, color=COLOURS[0], lw=float(np.clip(240 / len(t), 1.5, 6)))
        axes.plot(t, count, "o", color=COLOURS[0], ms=3.5)
    axes.set_ylim(0, 1.1 * float(max(count.max(), 1)))
    mark_events(axes, run)
    room = 0.02 * (axes.get_xlim()[1] - axes.get_xlim()[0])
    axes.set_xlim(axes.get_xlim()[0] - room, axes.get_xlim()[1] + room)
    axes.set_title(f"Newton corrections per step, tolerance {run.record.tolerance:g}, {int(count.sum())} in all")
    axes.set_xlabel(labelled(run, "t"))
    axes.set_ylabel("corrections")
    axes.yaxis.get_major_locator().set_params(integer=True)


def draw_newton_totals(axes: Any, totals: dict[str, dict[float, int]]) -> None:
    """Total corrections of a run against the tolerance (FEPS), one line per predictor."""
    words = {"taylor": "from the second-order prediction", "previous": "from the previous position"}
    for k, (predictor, line) in enumerate(totals.items()):
        axes.plot(list(line), list(line.values()), "o-", color=COLOURS[k], label=words[predictor])
        for tolerance, total in line.items():
            axes.annotate(
                str(total),
                (tolerance, total),
                (0, 6),
                textcoords="offset points",
                ha="center",
                fontsize=8,
                color=QUIET,
            )
    axes.set_xscale("log")
    axes.invert_xaxis()
    axes.set_ylim(bottom=0)
    axes.set_title("Newton corrections of the whole run")
    axes.set_xlabel("tolerance (FEPS)")
    axes.set_ylabel("corrections")
    axes.legend(frameon=False)


def draw_residuals(axes: Any, run: Run) -> None:
    """The largest residual of every joint and driver over the run, on a logarithmic axis, with the tolerance."""
    held: dict[str, dict[str, float]] = run.summary.get("residual_per_element", {})
    if not held:
        raise ResultError("this result has no residuals per joint: a tree of joint coordinates has none to close")
    order = sorted(held, key=lambda name: -max(held[name].values()))[:MOST_ELEMENTS]
    places = np.arange(len(order))[::-1]
    for k, word in enumerate(("position", "velocity", "acceleration")):
        values = np.maximum([held[name][word] for name in order], FLOOR)
        axes.hlines(places + 0.22 * (1 - k), FLOOR, values, color=COLOURS[k], lw=1.4)
        axes.plot(values, places + 0.22 * (1 - k), "o", color=COLOURS[k], ms=4.5, label=word)
    axes.axvline(run.record.tolerance, color=INK, lw=1.0, ls=(0, (4, 3)))
    axes.set_xscale("log")
    axes.set_xlim(FLOOR, 20 * max(run.record.tolerance, *(max(line.values()) for line in held.values())))
    axes.text(run.record.tolerance, 1.0, " tolerance", transform=axes.get_xaxis_transform(), va="top", fontsize=8.5)
    axes.set_yticks(places, order)
    axes.set_ylim(-0.7, len(order) - 0.3)
    left = len(held) - len(order)
    axes.set_title("largest residuals" + (f" (and {left} smaller ones)" if left else ""))
    axes.set_xlabel("largest violation over the run")
    axes.figure.legend(frameon=False, loc="outside lower center", ncols=3)
    axes.grid(axis="y", visible=False)
