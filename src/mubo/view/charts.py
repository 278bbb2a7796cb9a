"""Time charts, paths, and the charts of Newton's method."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.errors import ResultError
from mubo.motion.law import Array
from mubo.results import Trajectory
from mubo.view.style import COLOURS, INK, QUIET

NAMES = {
    "x": "x",
    "y": "y",
    "z": "z",
    "phi": "φ",
    "vx": "ẋ",
    "vy": "ẏ",
    "vz": "ż",
    "omega": "φ̇",
    "ax": "ẍ",
    "ay": "ÿ",
    "az": "z̈",
    "alpha": "φ̈",
}
NAMES |= {f"w{c}": f"ω{c}" for c in "xyz"} | {f"alpha{c}": f"α{c}" for c in "xyz"}


VECTOR_NAMES = {"r": "r", "theta": "θ", "omega": "ω", "alpha": "α"}  # of a deck
DERIVATIVE = {"theta": "omega", "x": "vx", "y": "vy", "phi": "omega", "vx": "ax", "vy": "ay", "omega": "alpha"}
DERIVATIVE |= {"z": "vz", "vz": "az"} | {f"w{c}": f"alpha{c}" for c in "xyz"}
FINE = 8  # drawn pieces per output step


def between_rows(run: Trajectory, name: str) -> tuple[Array, Array]:
    """Times and values of a column for drawing: cubic between rows where the run knows the slope, else straight."""
    t, y = run["t"], run[name]
    head, _, tail = name.rpartition(".")
    slope_name = f"{head}.{DERIVATIVE.get(tail, '')}"
    if slope_name not in run.columns or len(t) < 2:
        return t, y
    slope, h = run[slope_name], np.diff(t)[:, None]
    u = np.arange(FINE) / FINE
    a, b, c, d = (2 * u**3 - 3 * u**2 + 1, 3 * u**2 - 2 * u**3, u**3 - 2 * u**2 + u, u**3 - u**2)
    inner = y[:-1, None] * a + y[1:, None] * b + h * (slope[:-1, None] * c + slope[1:, None] * d)
    return np.append((t[:-1, None] + h * u).ravel(), t[-1]), np.append(inner.ravel(), y[-1])


def draw_over_time(figure: Any, run: Trajectory, columns: list[str]) -> None:
    """One chart per column, stacked, with shared time."""
    stack = figure.subplots(len(columns), 1, sharex=True, squeeze=False)[:, 0]
    heads = [name.rpartition(".")[0] for name in columns]
    for k, (axes, name) in enumerate(zip(stack, columns, strict=True)):
        axes.plot(*between_rows(run, name), color=COLOURS[k % len(COLOURS)])
        tail = name.rpartition(".")[2]
        unit = run.unit(name)
        names = VECTOR_NAMES if f"{heads[k]}.theta" in run.columns else NAMES
        axes.set_ylabel(names.get(tail, tail) + (f" [{unit}]".replace("^2", "²") if unit else ""))
        if k == 0 or heads[k] != heads[k - 1]:
            axes.set_title(heads[k] or tail)
        axes.set_xlim(run["t"][0], run["t"][-1] if len(run) > 1 else None)
    unit = run.unit("t")
    stack[-1].set_xlabel(f"t [{unit}]" if unit else "t")
    figure.align_ylabels(stack)


def draw_path(axes: Any, run: Trajectory, name: str, right: str = "x", up: str = "y") -> None:
    """The path of a point or body, with its start marked; in space seen along the third axis."""
    x, y = run[f"{name}.{right}"], run[f"{name}.{up}"]
    axes.plot(between_rows(run, f"{name}.{right}")[1], between_rows(run, f"{name}.{up}")[1], color=COLOURS[0])
    axes.plot(x, y, "o", color=COLOURS[0], ms=3)
    axes.plot(x[:1], y[:1], "o", color=INK, ms=6)
    axes.annotate("start", (x[0], y[0]), (7, 5), textcoords="offset points")
    unit = run.unit(f"{name}.x")
    axes.set_aspect("equal")
    axes.margins(0.1)
    width, height = float(np.ptp(x)), float(np.ptp(y))
    if height < 1e-6 * width:  # a straight path: equal axes need some height, and some width
        axes.set_ylim(np.mean(y) - 0.1 * width, np.mean(y) + 0.1 * width)
    elif width < 1e-6 * height:
        axes.set_xlim(np.mean(x) - 0.1 * height, np.mean(x) + 0.1 * height)
    axes.set_title(f"path of {name}")
    axes.set_xlabel(f"{right} [{unit}]" if unit else right)
    axes.set_ylabel(f"{up} [{unit}]" if unit else up)


def draw_energy(figure: Any, run: Trajectory) -> None:
    """Kinetic, potential and total energy over time, and below the error of their balance."""
    if "energy.error" not in run.columns:
        raise ResultError("an energy picture needs a simulation: use `mubo simulate`, or `mubo run` on one")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(2.2, 1))
    t = run["t"]
    words = ["kinetic", "potential", "total"]
    words += [w for w in ("dissipated", "supplied") if np.any(run[f"energy.{w}"])]
    for k, word in enumerate(words):
        upper.plot(t, run[f"energy.{word}"], color=INK if word == "total" else COLOURS[k], label=word)
    unit = run.unit("energy.total")
    upper.set_ylabel(f"energy [{unit}]" if unit else "energy")
    upper.legend(frameon=False, ncols=len(words), loc="lower center", bbox_to_anchor=(0.5, 1.0))
    lower.plot(t, run["energy.error"], color=COLOURS[3])
    lower.set_ylabel("error of balance")
    lower.ticklabel_format(axis="y", style="sci", scilimits=(0, 0), useMathText=True)
    unit = run.unit("t")
    lower.set_xlabel(f"t [{unit}]" if unit else "t")
    lower.set_xlim(t[0], t[-1] if len(t) > 1 else None)
    figure.align_ylabels([upper, lower])


def draw_newton(axes: Any, run: Trajectory) -> None:
    """Newton corrections at each output time."""
    t = run["t"]
    steps = np.diff(t)[np.diff(t) > 0]  # a deck that turns back has its last position twice
    width = 0.8 * float(np.min(steps)) if len(steps) else 0.5
    axes.bar(t, run.corrections, width=width, color=COLOURS[0])
    unit = run.unit("t")
    axes.set_title(f"Newton corrections per step, tolerance {run.tolerance:g}, {int(run.corrections.sum())} in all")
    axes.set_xlabel(f"t [{unit}]" if unit else "t")
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
