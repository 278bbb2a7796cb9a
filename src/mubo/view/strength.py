"""Pictures of strength: N, V, M and stresses along links at their worst instants, and swept areas of bodies."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.applications.strength.checks import scaled
from mubo.applications.strength.links import Link, WorstInstant
from mubo.applications.strength.stresses import SIDES, normal_stress
from mubo.errors import ResultError
from mubo.laws.number_text import number, with_prefix
from mubo.results import Run
from mubo.results.rounding import clear_rounding
from mubo.view.painters.style import axis_text, label_plane, title
from mubo.view.scene import Scene
from mubo.view.scene.colours import INK, LOAD_COLOUR, QUIET

ROWS = (("N", "n", "force"), ("V", "v", "force"), ("M", "m", "torque"))
MOST_STRESSES, MOST_PRESSURES = 4, 2  # of charts that are seen first
MOST = 5  # links side by side
DASHES = {-1.0: "-", 1.0: (0, (4, 2))}  # of the sides: as on the page
NEAR = 2.0  # times the largest stress: what is allowed is drawn up to there, else it is written


def require_strength(run: Run) -> Any:
    """The strength of a run; a run without one is refused."""
    if run.record.strength is None:
        raise ResultError("this run has no strength: use model.strength().run, or `mubo strength`")
    return run.record.strength


def first_stresses(run: Run) -> list[str] | None:
    """Stresses of links and pressures of pins, the first of each; None for a run without strength."""
    if run.record.strength is None:
        return None
    of = {
        word: [c.name for c in run.columns.of_kind("strength") if c.quantity == word] for word in ("stress", "pressure")
    }
    return [*of["stress"][:MOST_STRESSES], *of["pressure"][:MOST_PRESSURES]]


def beams_of(run: Run) -> list[tuple[Link, WorstInstant]]:
    """The links with their worst instants, those of the least safety first."""
    found = require_strength(run)
    beams = [(found.links[name], worst) for name, worst in found.worst.items() if worst is not None]
    if not beams:
        raise ResultError("no link is a beam: give it a section, [section.BODY]")
    margin = {link.owner: found.check(f"section {link.owner}", "largest stress").margin for link, _ in beams}
    return sorted(beams, key=lambda pair: margin[pair[0].owner])[:MOST]


def draw_beams(figure: Any, run: Run, scene: Scene) -> None:
    """N, V, M and σ of both sides along every link, when its stress is largest."""
    beams = beams_of(run)
    scales = _section_scales(beams)
    stack = figure.subplots(len(ROWS) + 1, len(beams), squeeze=False, sharex="col")
    for column, (link, worst) in zip(stack.T, beams, strict=True):
        colour = scene.colour(f"{link.owner}.x") or INK
        points, unit = link.beam.points, run.units.length
        column[0].set_title(f"{title(link.owner)}, t = {run.units.time_text(worst.t, 4)}", fontsize=10)
        for axes, (letter, word, holds) in zip(column, ROWS, strict=False):
            factor, label, _ = run.units.unit(holds)
            values = clear_rounding(getattr(worst, word), scales[holds]) / factor
            prefix, label = with_prefix(float(np.max(np.abs(values))), label)
            _draw_filled(axes, worst.s, values / prefix, colour)
            axes.set_ylabel(axis_text(letter, label))
        _stresses(column[-1], run, link, worst, colour)
        column[-1].set_xlabel(axis_text(f"from {points[0]} to {points[-1]}", unit))
    heading = (
        "section forces when the stress is largest: tension positive, M positive where it stretches the right side"
    )
    figure.suptitle(heading, fontsize=9.5)


def _section_scales(beams: list[tuple[Link, WorstInstant]]) -> dict[str, float]:
    """The largest section force of all beams, and that force at the length of the longest: measures of rounding."""
    force = max(float(np.max(np.abs([worst.n, worst.v]))) for _, worst in beams)
    return {"force": force, "torque": force * max(float(np.ptp(worst.s)) for _, worst in beams)}


def _draw_filled(axes: Any, s: Any, values: Any, colour: str) -> None:
    axes.fill_between(s, values, color=colour, alpha=0.18, lw=0)
    axes.plot(s, values, color=colour)
    axes.axhline(0, color=QUIET, lw=0.8)
    k = int(np.argmax(np.abs(values)))
    _draw_value(axes, s[k], values[k], colour, s[k] > (s[0] + s[-1]) / 2)
    axes.margins(y=0.22)
    if not np.any(values):
        axes.set_ylim(-1, 1)


def _draw_value(axes: Any, x: float, y: float, colour: str, late: bool) -> None:
    """A dot with its value, on the side away from zero."""
    axes.plot([x], [y], "o", color=colour, ms=4)
    place, up = (-6 if late else 6), 1 if y >= 0 else -1
    axes.annotate(number(float(y), 4), (x, y), (place, 5 * up), textcoords="offset points", fontsize=8.5,
                  ha="right" if late else "left", va="bottom" if up > 0 else "top")  # fmt: skip


def _stresses(axes: Any, run: Run, link: Link, worst: WorstInstant, colour: str) -> None:
    largest = 0.0
    for side, word in SIDES.items():
        sigma = normal_stress(link.beam.section, worst.n, worst.m, side)
        shown = np.array([scaled(run.units, "stress", float(x))[0] for x in sigma])
        axes.plot(worst.s, shown, color=colour, ls=DASHES[side], label=word)
        if word == worst.side:
            k = int(np.argmax(np.abs(shown)))
            _draw_value(axes, worst.s[k], shown[k], colour, worst.s[k] > (worst.s[0] + worst.s[-1]) / 2)
            largest = abs(float(shown[k]))
    axes.axhline(0, color=QUIET, lw=0.8)
    axes.margins(y=0.22)
    unit = scaled(run.units, "stress", 1.0)[1]
    axes.set_ylabel(axis_text("σ", unit))
    check = require_strength(run).check(f"section {link.owner}", "largest stress")
    if check.limit is not None:
        allowed = scaled(run.units, "stress", check.limit / check.asked)[0]
        if allowed <= NEAR * largest:
            for sign in (-1, 1):
                axes.axhline(sign * allowed, color=LOAD_COLOUR, lw=1.0, ls=(0, (4, 3)))
        axes.set_title(
            f"allowed ±{number(allowed, 4)} {unit}".rstrip(),
            fontsize=8.5,
            fontweight="normal",
            color=LOAD_COLOUR,
            pad=5,
        )
    axes.legend(fontsize=7.5, frameon=False, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, borderaxespad=0,
                columnspacing=1.0, handlelength=1.6)  # fmt: skip


def draw_envelopes(axes: Any, run: Run, scene: Scene) -> None:
    """The swept area of every body, the outline of all of them, and keep-outs."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    found = require_strength(run)
    area = f" {run.units.length}²" if run.units.length else ""
    for name, swept in found.clearance.envelopes.items():
        whole = name == "all"
        colour = INK if whole else scene.colour(f"{name}.x") or QUIET
        parts = [Path(np.vstack([ring, ring[:1]]), closed=True) for ring in swept.rings]
        if parts:
            face, wide = ("none", 1.8) if whole else (f"{colour}22", 0.9)
            axes.add_patch(PathPatch(Path.make_compound_path(*parts), fc=face, ec=colour, lw=wide))
            axes.plot([], [], color=colour, lw=wide, label=f"{name}, {swept.area:.4g}{area}")
    for region in found.clearance.keepouts:
        ring = Path(np.vstack([region.corners, region.corners[:1]]), closed=True)
        axes.add_patch(PathPatch(ring, fc=f"{LOAD_COLOUR}18", ec=LOAD_COLOUR, ls="--", lw=1.2))
        axes.plot([], [], color=LOAD_COLOUR, ls="--", label=f"keep-out {region.name}")
    axes.set_aspect("equal")
    axes.autoscale_view()
    label_plane(axes, run.units.length)
    axes.set_title(f"{title(run.model.name)}: swept envelopes")
    axes.legend(fontsize=8, frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1.0))
