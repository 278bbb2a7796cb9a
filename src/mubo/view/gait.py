"""The figure of gait laboratories: angles, moments and powers of hip, knee and ankle over the cycle.

Angles are positive in flexion and dorsiflexion. Moments are drawn as the body makes them, extension and plantarflexion
positive, so that support is up (Winter); columns have the sign of their angle, as in OpenSim.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.applications.gait.cycles import PERCENT
from mubo.applications.gait.describe_gait import shorter
from mubo.applications.gait.joints import PAIRS
from mubo.applications.gait.legs import SIDES
from mubo.errors import ResultError
from mubo.results import Run
from mubo.view.style import COLOURS, INK, QUIET, title

ROWS = (("angle", ""), ("moment", "_moment"), ("power", "_power"))
ENDS = {
    ("hip", "angle"): ("extension", "flexion"),
    ("knee", "angle"): ("extension", "flexion"),
    ("ankle", "angle"): ("plantar", "dorsi"),
    ("hip", "moment"): ("flexor", "extensor"),
    ("knee", "moment"): ("flexor", "extensor"),
    ("ankle", "moment"): ("dorsi", "plantar"),
}
SIZE = (10.0, 9.0)  # inches
COLOUR = {"r": COLOURS[0], "l": COLOURS[1]}
SIGNS = {"angle": dict.fromkeys(PAIRS, 1.0), "moment": dict.fromkeys(PAIRS, -1.0), "power": dict.fromkeys(PAIRS, 1.0)}


def require_gait(run: Run) -> Any:
    """The gait of a run; refused where it was not asked for."""
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
        unit = shorter(found.run.unit(found.legs[0].name("hip") + tail))
        row[0].set_ylabel(f"{word} [{unit}]" if unit else word)
    for axes, joint in zip(panels[0], PAIRS, strict=True):
        axes.set_title(title(joint))
    for axes in panels[-1]:
        axes.set_xlabel("cycle [%]")
        axes.set_xlim(0, 100)
    count = " and ".join(f"{len(c.times)} {SIDES[side]}" for side, c in found.cycles.items() if c.times)
    panels[0][0].legend(fontsize=8, frameon=False, loc="best")
    told = f"{title(run.model.name)}: {count} cycle{'s' * (not count.startswith('1 ') or 'and' in count)}"
    figure.suptitle(f"{told}, mean ± standard deviation, from heel strike", fontsize=10.5)


def _panel(axes: Any, found: Any, joint: str, word: str, tail: str) -> None:
    axes.axhline(0, color=QUIET, lw=0.8)
    for leg in found.legs:
        cycles = found.cycles[leg.side]
        if not cycles.times:
            continue
        name, sign, colour = leg.name(joint) + tail, SIGNS[word][joint], COLOUR[leg.side]
        mean, off = sign * cycles.mean(name), cycles.deviation(name)
        axes.fill_between(PERCENT, mean - off, mean + off, color=colour, alpha=0.2, lw=0)
        axes.plot(PERCENT, mean, color=colour, label=SIDES[leg.side], ls="-" if leg.side == "r" else (0, (5, 1.5)))
        if np.isfinite(cycles.stance_mean):
            axes.axvline(cycles.stance_mean, color=colour, lw=0.8, ls=":")
    low, high = ENDS.get((joint, word), ("absorbed", "generated"))
    at = {"xycoords": "axes fraction", "fontsize": 7.5, "color": INK, "ha": "right"}
    axes.annotate(f"{high} ↑", (0.99, 0.97), va="top", **at)
    axes.annotate(f"{low} ↓", (0.99, 0.03), va="bottom", **at)
