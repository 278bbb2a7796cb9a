"""The figure of gait laboratories: angles, moments and powers of hip, knee and ankle over the cycle.

Angles are positive in flexion and dorsiflexion, and moments have the sign of their angle, as their columns and as in
OpenSim: flexor and dorsiflexor moments are up. Every panel names both senses.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.applications.gait.events import PERCENT
from mubo.applications.gait.joints import PAIRS
from mubo.applications.gait.legs import SIDES, Leg
from mubo.applications.gait.normative import Normative
from mubo.arrays import Array
from mubo.describe.gait import short_unit
from mubo.errors import ResultError
from mubo.formats.walk.skeleton import COORDINATES
from mubo.lazy_dataclass import dataclass
from mubo.results import Run
from mubo.solvers.forces.reaction import point_path
from mubo.view.painters.style import axis_text, figure_style, picture_target, save_figure, title
from mubo.view.scene.colours import COLOURS, INK, LOAD_COLOUR, QUIET

if TYPE_CHECKING:
    from mubo.applications.gait.trials import Trials

ROWS = (("angle", ""), ("moment", "_moment"), ("power", "_power"))
ENDS = {
    ("hip", "angle"): ("extension", "flexion"),
    ("knee", "angle"): ("extension", "flexion"),
    ("ankle", "angle"): ("plantar", "dorsi"),
    ("hip", "moment"): ("extensor", "flexor"),
    ("knee", "moment"): ("extensor", "flexor"),
    ("ankle", "moment"): ("plantar", "dorsi"),
}
ASIDE = {  # by the last word of a coordinate
    "adduction": ("abduction", "adduction"),
    "rotation": ("outer", "inner"),
    "inversion": ("eversion", "inversion"),
    "angle": ("eversion", "inversion"),  # subtalar_angle
}
SOURCE = 130  # letters of a line
SIZE, SPACE_SIZE = (10.0, 9.0), (10.0, 17.0)  # inches
COLOUR = {"r": COLOURS[0], "l": COLOURS[1]}


@dataclass(frozen=True, eq=False)
class Curves:
    """Mean cycles with their deviations, of the cycles of one recording or of many trials."""

    mean: Callable[[str], Array]
    deviation: Callable[[str], Array]
    unit: Callable[[str], str]
    sides: Sequence[str]
    stance: Mapping[str, float]
    coordinates: Mapping[str, Sequence[str]]  # of every joint, without their side
    heading: str
    normative: Normative | None = None  # drawn behind them
    flipped: Sequence[str] = ()  # columns, without their side, that have the other sign

    @property
    def most(self) -> int:
        """The largest number of coordinates of a joint: 1 in the plane."""
        return max(len(names) for names in self.coordinates.values())

    @property
    def rows(self) -> list[tuple[str, int, str]]:
        """Rows of panels: what, the number of the coordinate of a joint (−1: the joint), the tail of its column."""
        if self.most == 1:
            return [(word, 0, tail) for word, tail in ROWS]
        return [*((word, k, tail) for word, tail in ROWS[:2] for k in range(self.most)), ("power", -1, "_power")]

    def column(self, joint: str, side: str, number: int, tail: str) -> str:
        """The column of a coordinate of a joint, or of the joint; empty where it has none of that number."""
        names = self.coordinates[joint]
        if number >= len(names):
            return ""
        return f"{joint if number < 0 else names[number]}_{side}{tail}"


def require_gait(run: Run) -> Any:
    """The gait of a run; a run without one is refused."""
    if run.record.gait is None:
        raise ResultError("this run has no gait: use model.gait().run, or `mubo gait`")
    if not any(cycles.times for cycles in run.record.gait.cycles.values()):
        raise ResultError(
            "there is no whole cycle to draw: fewer than two heel strikes of each foot",
            suggestion="Save angles and moments over time: moments.sto.",
        )
    return run.record.gait


def draw_gait(figure: Any, run: Run) -> None:
    """Angles, moments and powers of three joints; both sides, mean and one standard deviation; toe-off as a line."""
    found = require_gait(run)
    whole = {side: cycles for side, cycles in found.cycles.items() if cycles.times}
    count = " and ".join(f"{len(cycles.times)} {SIDES[side]}" for side, cycles in whole.items())
    plural = "" if len(whole) == 1 and count.startswith("1 ") else "s"
    several = any(len(cycles.times) > 1 for cycles in whole.values())
    curves = Curves(
        found.mean,
        found.deviation,
        found.run.unit,
        list(whole),
        {side: cycles.stance_mean for side, cycles in whole.items()},
        found.legs[0].sideless,
        f"{title(run.model.name)}: {count} cycle{plural}, mean{' ± standard deviation' * several}, from heel strike",
        found.normative,
        found.flipped,
    )
    draw_curves(figure, curves)


def draw_curves(figure: Any, curves: Curves) -> None:
    """Rows of angle, moment and power, in space of all coordinates; three joints."""
    panels = figure.subplots(len(curves.rows), 3, sharex=True, sharey=False if curves.most > 1 else "row")
    for row, (word, number, tail) in zip(panels, curves.rows, strict=True):
        for axes, joint in zip(row, PAIRS, strict=True):
            _panel(axes, curves, joint, word, number, tail)
        row[0].set_ylabel(axis_text(word, short_unit(curves.unit(curves.column("hip", curves.sides[0], number, tail)))))
    for axes, joint in zip(panels[0], PAIRS, strict=True):
        axes.set_title(title(joint))
    for axes in panels[-1]:
        axes.set_xlabel("cycle [%]")
        axes.set_xlim(0, 100)
    panels[0][0].legend(fontsize=8, frameon=False, loc="best")
    figure.suptitle(curves.heading, fontsize=10.5)
    if curves.normative is not None:
        lines = textwrap.fill(f"grey: mean ± standard deviation of {curves.normative.source}", SOURCE)
        figure.supxlabel(lines, fontsize=8, color=INK)


def ends_of(joint: str, word: str, flipped: Sequence[str] = ()) -> tuple[str, str]:
    """The words at the lower and the upper end of a flexion, its moment or its power."""
    low, high = ENDS.get((joint, word), ("absorbed", "generated"))
    name = COORDINATES[joint][0][0] + {"moment": "_moment"}.get(word, "")
    return (high, low) if word != "power" and name in flipped else (low, high)


def _panel(axes: Any, curves: Curves, joint: str, word: str, number: int, tail: str) -> None:
    if not curves.column(joint, curves.sides[0], number, tail):
        axes.set_visible(False)  # a hinge has one coordinate
        return
    axes.axhline(0, color=QUIET, lw=0.8)
    first = curves.column(joint, curves.sides[0], number, tail)
    band = curves.normative and curves.normative.band(first, curves.flipped)
    if band:
        ends = band.mean - band.deviation, band.mean + band.deviation
        axes.fill_between(PERCENT, *ends, color=QUIET, alpha=0.3, lw=0, label="reference group")
    for side in curves.sides:
        name, colour = curves.column(joint, side, number, tail), COLOUR[side]
        mean, off = curves.mean(name), curves.deviation(name)
        axes.fill_between(PERCENT, mean - off, mean + off, color=colour, alpha=0.2, lw=0)
        axes.plot(PERCENT, mean, color=colour, label=SIDES[side], ls="-" if side == "r" else (0, (5, 1.5)))
        if np.isfinite(curves.stance.get(side, np.nan)):
            axes.axvline(curves.stance[side], color=colour, lw=0.8, ls=":")
    axes.margins(y=0.14)  # room for the words at both ends
    low, high = ends_of(joint, word, curves.flipped)
    if number > 0:
        low, high = ASIDE[curves.coordinates[joint][number].rpartition("_")[2]]
    at = {"xycoords": "axes fraction", "fontsize": 7.5, "color": INK, "ha": "right"}
    axes.annotate(f"{high} ↑", (0.99, 0.97), va="top", **at)
    axes.annotate(f"{low} ↓", (0.99, 0.03), va="bottom", **at)


def plot_trials(found: Trials, path: str | Path | None = None) -> Any:
    """Draws the mean over trials and the deviation between them."""
    sides = [side for side in SIDES if any(name.endswith(f"_{side}_moment") for name in found.columns)]
    if not sides:
        raise ResultError("no trial has a whole cycle to draw")
    units = {name: unit for trial in found.results for name, unit in trial.units.items()}
    stance = {side: found.stride_means(side).get("stance", float("nan")) for side in sides}
    first = found.results[0]
    count = len(found.results)
    several = " ± standard deviation between them" * (count > 1)
    heading = f"{count} trial{'s' * (count != 1)}: mean{several}, from heel strike"
    target = picture_target(path)
    with figure_style() as figure_class:
        shown = Curves(
            found.mean,
            found.deviation,
            units.__getitem__,
            sides,
            stance,
            first.coordinates,
            heading,
            found.normative,
            first.flipped,
        )
        figure = figure_class(figsize=SPACE_SIZE if shown.most > 1 else SIZE)
        draw_curves(figure, shown)
        save_figure(figure, target)
    return figure


FIGURES = 11  # of one cycle
APART = 0.04  # of the height of the hip: room that is left between figures
SCALE = 1.0  # heights of the hip that the body's weight is long


def draw_walk(axes: Any, run: Run) -> None:
    """Figures from heel strike to heel strike of one foot, spread so that they do not overlap."""
    found = require_gait(run)
    leg = next(leg for leg in found.legs if found.cycles[leg.side].times)
    start, end = found.cycles[leg.side].times[0]
    t = run.columns.raw("t")
    wanted = np.linspace(start, end, FIGURES)
    at, named = np.unique(np.argmin(np.abs(t - wanted[:, None]), axis=1), return_index=True)  # rows nearest to them
    hip = _place(run, leg.bodies["thigh"], "hip")
    height = float(np.mean(hip[:, 1]))
    pace = max(_pace(run, found.legs, at) + APART * height, 0.0)
    for count, row in enumerate(at):
        for one in reversed(found.legs):
            _leg(axes, run, one, row, count * pace, height)
        if leg.trunk and "shoulder" in run.model.bodies[leg.trunk].points:
            _line(axes, [_place(run, leg.trunk, point)[row] for point in ("hip", "shoulder")], count * pace, INK, 2.2)
        part = 100 * named[count] / (FIGURES - 1)
        axes.annotate(
            f"{part:.0f} %", (hip[row, 0] + count * pace, -0.08 * height), ha="center", va="top", fontsize=7.5
        )
    axes.axhline(0, color=QUIET, lw=1.0)
    for one in found.legs:
        axes.plot([], [], color=COLOUR[one.side], lw=2, label=SIDES[one.side])
    weight = f"the body's weight is {SCALE * height:.2f} {run.units.length}".rstrip()
    axes.plot([], [], color=LOAD_COLOUR, lw=1.6, label=f"ground reaction, {weight} long")
    axes.set_aspect("equal")
    axes.margins(x=0.01)
    axes.set_ylim(-0.2 * height, None)
    axes.grid(False)
    axes.set_xticks([])
    axes.set_yticks([tick for tick in axes.get_yticks() if tick >= 0 and tick <= axes.get_ylim()[1]])
    axes.set_ylabel(axis_text("height", run.units.length))
    axes.set_title(f"{title(run.model.name)}: one cycle of the {SIDES[leg.side]} foot, figures moved apart")
    axes.legend(fontsize=8, frameon=False, loc="lower right", ncols=3, bbox_to_anchor=(1.0, 1.0))


def _pace(run: Run, legs: Sequence[Leg], rows: Array) -> float:
    """How far every figure is moved on so that it stands clear of the one before; negative where they walk apart."""
    x = np.stack([place[rows, 0] for leg in legs for place in _leg_places(run, leg)])
    return float(np.max(np.max(x, axis=0)[:-1] - np.min(x, axis=0)[1:], initial=-np.inf))


def _leg_places(run: Run, leg: Leg) -> list[Array]:
    """Hip, knee and the corners of the foot over time; the third is the ankle."""
    foot = run.model.bodies[leg.foot].points
    ends = [(leg.foot, point) for point in ("ankle", "heel", "toe") if point in foot]
    return [_place(run, *end) for end in [(leg.bodies["thigh"], "hip"), (leg.bodies["shank"], "knee"), *ends]]


def _leg(axes: Any, run: Run, leg: Leg, row: int, shift: float, height: float) -> None:
    """Hip, knee, ankle and the triangle of the foot, and what the ground exerts on it."""
    model, places = run.model, _leg_places(run, leg)
    _line(axes, [place[row] for place in [*places, places[2]]], shift, COLOUR[leg.side], 1.8)
    force = np.array([run[f"ground_{leg.side}_force_{letter}"][row] for letter in "xy"])
    x = run[f"ground_{leg.side}_point_x"][row]
    subject, gravity = model.subject, model.gravity
    if not np.isfinite(x) or subject is None or gravity is None:
        return
    tip = force * SCALE * height / (subject["mass"] * float(np.linalg.norm(gravity)))
    style = {"arrowstyle": "-|>", "color": LOAD_COLOUR, "lw": 1.3, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 7}
    axes.annotate("", (x + shift + tip[0], tip[1]), (x + shift, 0.0), arrowprops=style)


def _line(axes: Any, places: list[Array], shift: float, colour: str, wide: float) -> None:
    x, y = np.array(places).T
    axes.plot(x + shift, y, color=colour, lw=wide, solid_capstyle="round", solid_joinstyle="round")


def _place(run: Run, body: str, point: str) -> Array:
    """A point of a body forwards and up: times × 2."""
    return point_path(run.model, run.columns, body, run.model.bodies[body].points[point])[:, :2]
