"""Diagnostic charts of a run: Newton iterations, residuals of every joint and driver, energy, transmission angles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mubo.applications.strength.report import allowed_columns
from mubo.errors import ResultError
from mubo.numerics.singularity import NEAR_SINGULAR
from mubo.results import Column, Run
from mubo.solvers.transmission.transmission import transmission_grade
from mubo.view.charts import STOP, axis_label, mark_events, plot_curve
from mubo.view.painters.style import axis_text
from mubo.view.scene.colours import COLOURS, INK, QUIET

GOOD = (math.radians(40), math.radians(140))  # in which linkages run well (Alt 1932)
# Radians from 0 or 180°: below it a position is near-singular.
CLOSE = float(transmission_grade(np.array(NEAR_SINGULAR), None))


def has_limits(column: Column) -> bool:
    """Whether a column has limits: the transmission angles of dyads."""
    return column.kind == "transmission" and column.holds == "angle"


def column_limits(run: Run, name: str) -> dict[str, Any] | None:
    """The limits of a column: those of a transmission angle, end stops of a joint, the stress or pin force that is
    allowed, or the values at which events of the model are watched.

    Events NAME_lower and NAME_upper, as those of a robot's joint, bound a band; an open end of a band is None."""
    column = run.columns.column(name)
    if has_limits(column):
        return angle_limits(run, name)
    if (allowed := allowed_values(run).get(name)) is not None:
        return {"band": [None, allowed], "lines": [allowed], "note": "the largest value that is allowed"}
    factor = run.units.factor(column.holds)
    if (stop := _end_stop(run, name)) is not None:
        ends = [value / factor if math.isfinite(value) else None for value in stop[1]]
        lines = [end for end in ends if end is not None]
        return {"band": ends, "lines": lines, "note": f"between the ends of the stop {stop[0]}"}
    watched = {
        key: event.value / factor for key, event in run.model.events.items() if name in (event.of, f"{event.of}.q")
    }
    if not watched:
        return None
    ends = [
        next((value for key, value in watched.items() if key.endswith(word)), None) for word in ("_lower", "_upper")
    ]
    band = {"band": ends} if None not in ends else {}
    return {**band, "lines": sorted(watched.values()), "note": f"watched by the event {', '.join(watched)}"}


def _end_stop(run: Run, name: str) -> tuple[str, tuple[float, float]] | None:
    """The first load that pushes a joint's coordinate back at its ends: its name, and the ends (radians, lengths)."""
    for force in run.model.forces.values():
        if {"lower", "upper"} <= set(force.options) and name in (f"{force.on[0]}.q", f"{force.on[0]}.q1"):
            return force.name, (float(force.options["lower"]), float(force.options["upper"]))
    return None


def allowed_values(run: Run) -> dict[str, float]:
    """Limits of columns of a strength analysis: stresses of links, and forces at which a check of a pin fails."""
    found = run.record.strength
    return {} if found is None else {column: limit for _, _, column, limit in allowed_columns(found)}


def angle_limits(run: Run, name: str) -> dict[str, Any]:
    """The band of good angles and the lines of near-singular positions, in the unit of the column."""
    unit = run.units.angle_factor() if run.columns.column(name).holds == "angle" else 1.0
    text = "40° to 140°: good transmission; beyond the dashed lines the mechanism is near a singular position"
    return {
        "band": [limit / unit for limit in GOOD],
        "lines": [CLOSE / unit, (math.pi - CLOSE) / unit],
        "note": text,
    }


MOST_ELEMENTS = 24  # bars in one picture, those with the largest residuals
FLOOR = 1e-17  # where a residual of zero is drawn on a logarithmic axis


def draw_newton(axes: Any, run: Run) -> None:
    """Newton iterations at each output time."""
    if len(run.record.corrections) == 0:
        raise ResultError("this result counts no Newton iterations: only kinematics solves by Newton's method")
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
    axes.set_title(f"Newton iterations per step, tolerance {run.record.tolerance:g}, {int(count.sum())} in all")
    axes.set_xlabel(axis_label(run, "t"))
    axes.set_ylabel("iterations")
    axes.yaxis.get_major_locator().set_params(integer=True)


def draw_newton_violation(axes: Any, run: Run) -> None:
    """Constraint violation after every Newton iteration at some output times, against the tolerance (FEPS)."""
    from mubo.solvers.kinematics.newton_history import newton_histories

    histories, unit = newton_histories(run), run.unit("t")
    for k, history in enumerate(histories):
        start = ", from the estimates" if history.t == run["t"][0] else ""
        label = f"t = {history.t:.4g} {unit}".rstrip() + start
        sizes = np.maximum(history.violations, FLOOR)
        axes.plot(range(len(sizes)), sizes, "o-", color=COLOURS[k % len(COLOURS)], ms=4.5, label=label)
    axes.axhline(run.record.tolerance, color=INK, lw=1.0, ls=(0, (4, 3)))
    axes.text(
        1.0,
        run.record.tolerance,
        f"tolerance (FEPS) {run.record.tolerance:g}",
        transform=axes.get_yaxis_transform(),
        ha="right",
        va="bottom",
        fontsize=8.5,
    )
    axes.set_yscale("log")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_title("constraint violation per Newton iteration")
    axes.set_xlabel("iteration")
    axes.set_ylabel("largest violation")
    axes.legend(frameon=False, fontsize=8.5)


def draw_newton_totals(axes: Any, totals: dict[str, dict[float, int]]) -> None:
    """Total iterations of a run against the tolerance (FEPS), one line per predictor."""
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
    axes.set_title("Newton iterations of the whole run")
    axes.set_xlabel("tolerance (FEPS)")
    axes.set_ylabel("iterations")
    axes.legend(frameon=False)


def draw_residuals(axes: Any, run: Run) -> None:
    """The largest residual of every joint and driver over the run, on a logarithmic axis, with the tolerance."""
    residuals: dict[str, dict[str, float]] = run.summary.get("residual_per_element", {})
    if not residuals:
        raise ResultError(
            "this result has no residuals per joint: a tree of joint coordinates has no constraint equations"
        )
    order = sorted(residuals, key=lambda name: -max(residuals[name].values()))[:MOST_ELEMENTS]
    places = np.arange(len(order))[::-1]
    for k, word in enumerate(("position", "velocity", "acceleration")):
        values = np.maximum([residuals[name][word] for name in order], FLOOR)
        axes.hlines(places + 0.22 * (1 - k), FLOOR, values, color=COLOURS[k], lw=1.4)
        axes.plot(values, places + 0.22 * (1 - k), "o", color=COLOURS[k], ms=4.5, label=word)
    axes.axvline(run.record.tolerance, color=INK, lw=1.0, ls=(0, (4, 3)))
    axes.set_xscale("log")
    axes.set_xlim(FLOOR, 20 * max(run.record.tolerance, *(max(line.values()) for line in residuals.values())))
    axes.text(run.record.tolerance, 1.0, " tolerance", transform=axes.get_xaxis_transform(), va="top", fontsize=8.5)
    axes.set_yticks(places, order)
    axes.set_ylim(-0.7, len(order) - 0.3)
    left = len(residuals) - len(order)
    axes.set_title("largest residuals" + (f" (and {left} smaller ones)" if left else ""))
    axes.set_xlabel("largest violation over the run")
    axes.figure.legend(frameon=False, loc="outside lower center", ncols=3)
    axes.grid(axis="y", visible=False)


def draw_energy(figure: Any, run: Run) -> None:
    """Kinetic, potential and total energy over time, and below the error of their balance."""
    if "energy.total" not in run.columns:
        raise ResultError("an energy picture needs a simulation: use `mubo simulate`, or `mubo run` on one")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(2.2, 1))
    words = ["kinetic", "potential", "total"]
    words += [w for w in ("dissipated", "supplied") if np.any(run[f"energy.{w}"])]
    for k, word in enumerate(words):
        colour = INK if word == "total" else COLOURS[k]
        plot_curve(upper, run, f"energy.{word}", color=colour, label=word)
    upper.set_ylabel(axis_text("energy", run.unit("energy.total")))
    upper.legend(frameon=False, ncols=len(words), loc="lower center", bbox_to_anchor=(0.5, 1.0))
    plot_curve(lower, run, "energy.error", color=COLOURS[3])
    lower.set_ylabel("balance error")
    lower.ticklabel_format(axis="y", style="sci", scilimits=(0, 0), useMathText=True)
    lower.set_xlabel(axis_label(run, "t"))
    mark_events(upper, run)
    mark_events(lower, run, named=False)
    figure.align_ylabels([upper, lower])


def draw_transmission(axes: Any, run: Run) -> None:
    """Transmission angles over time: the band of good angles, the lines of near-singular positions, the least value."""
    names = [column.name for column in run.columns.schema if has_limits(column)]
    if not names:
        raise ResultError("this result has no transmission angles: compute it with transmission=True")
    factor = run.units.angle_factor() * 180 / np.pi
    axes.axhspan(*np.degrees(GOOD), color="#eef4ea", zorder=0)
    edge = axes.get_yaxis_transform()
    early = run.summary.get("transmission", {}).get("t", 0.0) < np.mean(run["t"][[0, -1]])
    side = {"ha": "right" if early else "left", "fontsize": 8, "transform": edge}  # the one without the worst place
    axes.text(0.995 if early else 0.005, 138, "good: 40° to 140°", va="top", color=QUIET, **side)
    for k, line in enumerate((np.degrees(CLOSE), 180 - np.degrees(CLOSE))):
        axes.axhline(line, color=STOP, lw=1.0, ls=(0, (4, 3)), zorder=1)
        text = f"near singular: {'below' if k == 0 else 'above'} {line:.1f}°"
        place = {"va": "top" if k else "bottom", **side}
        axes.text(0.995 if early else 0.005, line + (-1.5 if k else 1.5), text, color=STOP, **place)
    for k, name in enumerate(names):
        label = name.removeprefix("transmission.").removesuffix(".angle").replace("_", " and ")
        plot_curve(axes, run, name, factor=factor, color=COLOURS[k % len(COLOURS)], label=label)
    _mark_worst(axes, run)
    axes.set_ylim(0, 180)
    axes.set_yticks([0, 40, 90, 140, 180])
    axes.set_ylabel("transmission angle [deg]")
    axes.set_xlabel(axis_label(run, "t"))
    axes.set_title("transmission angle")
    if len(names) > 1:
        axes.legend(frameon=False)
    mark_events(axes, run)


def _mark_worst(axes: Any, run: Run) -> None:
    """Marks the worst angle, found between the rows: on the curve, nearest to 0° or to 180°."""
    found = run.summary.get("transmission") or {}
    if found.get("measure") != "angle" or "t" not in found:
        return
    low, high = (end * run.units.angle_factor() * 180 / np.pi for end in found["range"])
    worst = high if 180 - high < low else low
    axes.plot([found["t"]], [worst], "o", color=INK, ms=5, zorder=4)
    left = found["t"] > np.mean(run["t"][[0, -1]])
    text = f"worst: {worst:.4g}° at t = {found['t']:.4g} {run.unit('t')}".rstrip()
    clear = (
        worst < 90
    )  # the curve bends away from its end: on that side, a leader away from it, the text crosses nothing
    where = {"ha": "right" if left else "left", "va": "center", "textcoords": "axes fraction"}
    axes.annotate(text, (found["t"], worst), (0.985 if left else 0.015, 0.5 + (0.4 if clear else -0.4)), fontsize=8.5,
                  arrowprops={"arrowstyle": "-", "color": INK, "lw": 0.7, "shrinkB": 3}, **where)  # fmt: skip
