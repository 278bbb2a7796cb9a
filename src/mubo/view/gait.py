"""The figure of gait laboratories: angles, moments and powers of hip, knee and ankle over the cycle.

Angles are positive in flexion and dorsiflexion, and moments have the sign of their angle, as in OpenSim: what flexes or
dorsiflexes is up, in the figure as in the columns and tables.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.applications.gait.events import PERCENT
from mubo.applications.gait.joints import PAIRS
from mubo.applications.gait.legs import SIDES, Leg
from mubo.arrays import Array
from mubo.describe.gait import short_unit
from mubo.errors import ResultError
from mubo.results import Run
from mubo.view.painters.style import axis_text, title
from mubo.view.scene import place
from mubo.view.scene.colours import COLOURS, INK, LOAD_COLOUR, QUIET

ROWS = (("angle", ""), ("moment", "_moment"), ("power", "_power"))
ENDS = {
    ("hip", "angle"): ("extension", "flexion"),
    ("knee", "angle"): ("extension", "flexion"),
    ("ankle", "angle"): ("plantar", "dorsi"),
    ("hip", "moment"): ("extensor", "flexor"),
    ("knee", "moment"): ("extensor", "flexor"),
    ("ankle", "moment"): ("plantar", "dorsi"),
}
SIZE = (10.0, 9.0)  # inches
COLOUR = {"r": COLOURS[0], "l": COLOURS[1]}


def require_gait(run: Run) -> Any:
    """The gait of a run; a run without one is refused."""
    if run.record.gait is None:
        raise ResultError("this run has no gait: use model.gait().run, or `mubo gait`")
    if not any(cycles.times for cycles in run.record.gait.cycles.values()):
        raise ResultError("there is no whole cycle to draw: fewer than two heel strikes of each foot")
    return run.record.gait


def draw_gait(figure: Any, run: Run) -> None:
    """Three rows, three joints; both sides, mean and one standard deviation; toe-off as a line."""
    found = require_gait(run)
    panels = figure.subplots(3, 3, sharex=True, sharey="row")
    for row, (word, tail) in zip(panels, ROWS, strict=True):
        for axes, joint in zip(row, PAIRS, strict=True):
            _panel(axes, found, joint, word, tail)
        unit = short_unit(found.run.unit(found.legs[0].name("hip") + tail))
        row[0].set_ylabel(axis_text(word, unit))
    for axes, joint in zip(panels[0], PAIRS, strict=True):
        axes.set_title(title(joint))
    for axes in panels[-1]:
        axes.set_xlabel("cycle [%]")
        axes.set_xlim(0, 100)
    count = " and ".join(f"{len(c.times)} {SIDES[side]}" for side, c in found.cycles.items() if c.times)
    panels[0][0].legend(fontsize=8, frameon=False, loc="best")
    heading = f"{title(run.model.name)}: {count} cycle{'s' * (not count.startswith('1 ') or 'and' in count)}"
    figure.suptitle(f"{heading}, mean ± standard deviation, from heel strike", fontsize=10.5)


def _panel(axes: Any, found: Any, joint: str, word: str, tail: str) -> None:
    axes.axhline(0, color=QUIET, lw=0.8)
    for leg in found.legs:
        cycles = found.cycles[leg.side]
        if not cycles.times:
            continue
        name, colour = leg.name(joint) + tail, COLOUR[leg.side]
        mean, off = cycles.mean(name), cycles.deviation(name)
        axes.fill_between(PERCENT, mean - off, mean + off, color=colour, alpha=0.2, lw=0)
        axes.plot(PERCENT, mean, color=colour, label=SIDES[leg.side], ls="-" if leg.side == "r" else (0, (5, 1.5)))
        if np.isfinite(cycles.stance_mean):
            axes.axvline(cycles.stance_mean, color=colour, lw=0.8, ls=":")
    low, high = ENDS.get((joint, word), ("absorbed", "generated"))
    at = {"xycoords": "axes fraction", "fontsize": 7.5, "color": INK, "ha": "right"}
    axes.annotate(f"{high} ↑", (0.99, 0.97), va="top", **at)
    axes.annotate(f"{low} ↓", (0.99, 0.03), va="bottom", **at)


FIGURES = 11  # of one cycle
PACE = 0.62  # of the height of the hip: how far figures stand from each other at least
SCALE = 1.0  # heights of the hip that the body's weight is long


def draw_walk(axes: Any, run: Run) -> None:
    """Figures from heel strike to heel strike of one foot, spread so that they do not overlap."""
    found = require_gait(run)
    leg = next(leg for leg in found.legs if found.cycles[leg.side].times)
    start, end = found.cycles[leg.side].times[0]
    t = run.columns.raw("t")
    first, last = int(np.searchsorted(t, start)), int(np.searchsorted(t, end, side="right")) - 1
    at = np.unique(np.linspace(first, last, FIGURES).round().astype(int))
    hip = _place(run, leg.bodies["thigh"], "hip")
    height = float(np.mean(hip[:, 1]))
    pace = max(PACE * height - abs(float(np.mean(np.diff(hip[at, 0])))), 0.0)
    for count, row in enumerate(at):
        for one in reversed(found.legs):
            _leg(axes, run, one, row, count * pace, height)
        if leg.trunk:
            _line(axes, [_place(run, leg.trunk, point)[row] for point in ("hip", "shoulder")], count * pace, INK, 2.2)
        part = 100 * (t[row] - start) / (end - start)
        axes.annotate(
            f"{part:.0f} %", (hip[row, 0] + count * pace, -0.08 * height), ha="center", va="top", fontsize=7.5
        )
    axes.axhline(0, color=QUIET, lw=1.0)
    for one in found.legs:
        axes.plot([], [], color=COLOUR[one.side], lw=2, label=SIDES[one.side])
    axes.plot([], [], color=LOAD_COLOUR, lw=1.6, label="ground reaction")
    axes.set_aspect("equal")
    axes.set_ylim(-0.25 * height, None)
    axes.grid(False)
    axes.set_xticks([])
    axes.set_ylabel(axis_text("height", run.units.length))
    axes.set_title(f"{title(run.model.name)}: one cycle of the {SIDES[leg.side]} foot, figures moved apart")
    axes.legend(fontsize=8, frameon=False, loc="lower right", ncols=3, bbox_to_anchor=(1.0, 1.0))


def _leg(axes: Any, run: Run, leg: Leg, row: int, shift: float, height: float) -> None:
    """Hip, knee, ankle and the triangle of the foot, and what the ground exerts on it."""
    model, colour = run.model, COLOUR[leg.side]
    chain = [_place(run, leg.bodies["thigh"], "hip"), _place(run, leg.bodies["shank"], "knee")]
    foot = model.bodies[leg.foot].points
    corners = [_place(run, leg.foot, point)[row] for point in ("ankle", "heel", "toe") if point in foot]
    _line(axes, [*(place[row] for place in chain), *corners, corners[0]], shift, colour, 1.8)
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
    """A point of a body in ground axes: times × 2."""
    pose = np.stack([run.columns.raw(f"{body}.{word}") for word in ("x", "y", "phi")], 1)
    return place(pose, run.model.bodies[body].points[point])[:, 0]
