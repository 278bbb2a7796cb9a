"""Figures that the page draws: curves over the cycle of a walk and along links, as plain data for its script."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.applications.gait.events import PERCENT
from mubo.applications.gait.joints import PAIRS
from mubo.applications.gait.legs import SIDES
from mubo.applications.gait.report import Gait
from mubo.applications.strength.beams import pieces_of
from mubo.applications.strength.links import Link
from mubo.applications.strength.report import Strength, allowed_columns
from mubo.applications.strength.stresses import SIDES as FACES
from mubo.applications.strength.stresses import normal_stress
from mubo.arrays import Array
from mubo.describe.gait import short_unit
from mubo.laws.number_text import unit_text
from mubo.model import GROUND
from mubo.results import Run
from mubo.results.rounding import clear_rounding
from mubo.view.gait import COLOUR, ROWS, ends_of
from mubo.view.report.numbers import pack_base64
from mubo.view.scene import Scene, place

STATIONS = 24  # parts of a link
MOST_LINKS = 4  # that are drawn beside each other
MOST_TIMES = 400  # of the curves along a link
LONG = 0.6  # of the height of the walker: the arrow of its weight
DIGITS = 6  # of a number of a figure
Data = dict[str, Any]


def numbers(values: Array) -> list[float | None]:
    """Numbers with as many digits as a figure can show; None where there is none."""
    return [float(f"{value:.{DIGITS}g}") if np.isfinite(value) else None for value in np.asarray(values, float)]


def study_data(run: Run, scene: Scene) -> Data | None:
    """The figures of the study that a run belongs to; None where it has none of its own."""
    if run.record.gait is not None and any(cycles.times for cycles in run.record.gait.cycles.values()):
        return _gait_figures(run.record.gait)
    if run.record.strength is not None and run.record.strength.links:
        return _link_figures(run.record.strength, run, scene)
    return None


def drawing_data(run: Run) -> Data:
    """Additions to the drawing: the ground and its forces under a walk, how much each part uses of what is allowed."""
    if run.record.gait is not None and run.model.dimension == 2:
        walk = _walk(run, run.record.gait)
        return {} if walk is None else {"walk": walk}
    return {"used": used} if run.record.strength is not None and (used := _used(run.record.strength)) else {}


def _gait_figures(found: Gait) -> Data:
    """Angles, moments and powers of three joints over the cycle: mean, standard deviation, both sides, toe-off."""
    figures = []
    legs = [leg for leg in found.legs if found.cycles[leg.side].times]
    for word, tail in ROWS:
        for joint in PAIRS:
            unit = short_unit(found.run.unit(legs[0].name(joint) + tail))
            figures.append(
                {
                    "name": f"{joint} {word}",
                    "title": f"{joint} {word}",
                    "x": {"label": "cycle", "unit": "%"},
                    "y": {"label": word, "unit": unit_text(unit)},
                    "curves": [_cycle(found, leg.side, leg.name(joint) + tail) for leg in legs],
                    "marks": [
                        {
                            "x": float(found.cycles[leg.side].stance_mean),
                            "label": f"toe-off {SIDES[leg.side]}",
                            "colour": COLOUR[leg.side],
                        }
                        for leg in legs
                        if np.isfinite(found.cycles[leg.side].stance_mean)
                    ],
                    "ends": ends_of(joint, word, found.flipped),
                    **_band(found, legs[0].name(joint) + tail),
                }
            )
    count = " and ".join(f"{len(cycles.times)} {SIDES[side]}" for side, cycles in found.cycles.items() if cycles.times)
    note = (
        f"{count} cycles from heel strike to heel strike: mean and standard deviation over the cycle in per cent; "
        "dotted lines are toe-off."
    )
    if found.normative is not None:
        note += f" Grey: mean ± standard deviation of {found.normative.source}."
    return {"title": "Cycle", "columns": len(PAIRS), "figures": figures, "note": note}


def _band(found: Gait, name: str) -> Data:
    """The band of a reference group behind the curves of a quantity; empty where there is none."""
    band = None if found.normative is None else found.normative.band(name, found.flipped)
    if band is None or found.normative is None:
        return {}
    low, high = band.mean - band.deviation, band.mean + band.deviation
    return {"band": {"low": numbers(low), "high": numbers(high), "source": found.normative.source}}


def _cycle(found: Gait, side: str, name: str) -> Data:
    cycles = found.cycles[side]
    mean, spread = cycles.mean(name), cycles.deviation(name)
    return {
        "label": SIDES[side],
        "colour": COLOUR[side],
        "dash": "" if side == "r" else "6 3",
        "x": PERCENT.tolist(),
        "y": numbers(mean),
        "low": numbers(mean - spread),
        "high": numbers(mean + spread),
        "cycles": [[float(start), float(end)] for start, end in cycles.times],
    }


def _walk(run: Run, found: Gait) -> Data | None:
    """The body that the view follows, and the columns of the ground's forces on the feet."""
    leg = found.legs[0]
    subject, gravity = run.model.subject, run.model.gravity
    if subject is None or gravity is None:
        return None
    weight = float(subject["mass"] * np.linalg.norm(gravity))
    bodies = [leg.trunk] if leg.trunk else [one.bodies["thigh"] for one in found.legs]
    tops = [_highest(run, body) for body in bodies]
    reactions = [
        {
            "at": f"ground_{one.side}_point_x",
            "force": [f"ground_{one.side}_force_{letter}" for letter in "xy"],
            "colour": COLOUR[one.side],
            "label": SIDES[one.side],
        }
        for one in found.legs
        if {f"ground_{one.side}_point_x", f"ground_{one.side}_force_x"} <= set(run.columns)
    ]
    high = max(tops)
    sizes = {GROUND: 0.0, "high": high, "weight": weight, "length": LONG * high}
    return {"body": leg.trunk or leg.bodies["thigh"], **sizes, "reactions": reactions}


def _highest(run: Run, body: str) -> float:
    pose = np.stack([run.columns.raw(f"{body}.{word}") for word in ("x", "y", "phi")], 1)
    points = run.model.bodies[body].points.values()
    return float(np.nanmax([place(pose, at)[:, 0, 1] for at in points] or [pose[:, 1]]))


def _used(found: Strength) -> list[Data]:
    """For links the stress over what it may be; for pins the force over that at which a check of theirs would fail."""
    names = ("kind", "name", "column", "limit")
    return [dict(zip(names, entry, strict=True)) for entry in allowed_columns(found)]


def _link_figures(found: Strength, run: Run, scene: Scene) -> Data:
    """N, V, M and both stresses along links, which follow the clock within what they reach over the motion."""
    t = run.columns.raw("t")
    times = t[np.unique(np.linspace(0, len(t) - 1, min(len(t), MOST_TIMES)).round().astype(int))]
    seen = found.clearance.history.at(times)
    margin = {owner: found.check(f"section {owner}", "largest stress").margin for owner in found.links}
    owners = sorted(margin, key=lambda owner: margin[owner])[:MOST_LINKS]
    columns = [_link(found, found.links[owner], seen, scene.colour(f"{owner}.x") or "#444444") for owner in owners]
    figures = [data for row in zip(*columns, strict=True) for data in row]
    others = len(found.links) - len(owners)
    left = f"; {others} less stressed links are left out" if others else ""
    note = (
        "At the time shown, within the range of the whole motion (pale); tension is positive. Stress σ of the left "
        f"side is a full line, of the right side dashed{left}."
    )
    return {"title": "Along links", "columns": len(owners), "figures": figures, "note": note}


def _link(found: Strength, link: Link, seen: Any, colour: str) -> list[Data]:
    units, owner, points = found.run.units, link.owner, link.beam.points
    pieces = pieces_of(link.beam, seen)
    s = pieces.sample_lengths(STATIONS)
    n, v, m = pieces.at(s)
    force = float(np.nanmax(np.abs([n, v]), initial=0.0))
    n, v, m = clear_rounding(n, force), clear_rounding(v, force), clear_rounding(m, force * link.beam.length)
    check = found.check(f"section {owner}", "largest stress")
    along = {"label": f"from {points[0]} to {points[-1]}", "unit": units.unit_of("length")}
    limits = [] if check.limit is None else [sign * check.limit / check.asked for sign in (1, -1)]

    def panel(letter: str, holds: str, curves: list[Data], allowed: list[float]) -> Data:
        return {
            "name": f"{owner} {letter}",
            "title": f"{owner} {letter}",
            "x": along,
            "y": {"label": letter, "unit": unit_text(units.unit_of(holds))},
            "curves": curves,
            "limits": [{"value": value, "label": "allowed" if value > 0 else ""} for value in allowed],
            "part": f"body:{owner}",
        }

    def curve(label: str, values: Array, dash: str = "") -> Data:
        rows = {"times": pack_base64(seen.t, "<f8"), "values": pack_base64(values, "<f4")}
        reach = {"low": numbers(np.nanmin(values, axis=0)), "high": numbers(np.nanmax(values, axis=0))}
        return {"label": label, "colour": colour, "dash": dash, "x": numbers(s), "rows": rows, **reach}

    section = link.beam.section
    stresses = [
        curve(face, normal_stress(section, n, m, side), "" if side > 0 else "5 3") for side, face in FACES.items()
    ]
    alone = [limit * section.modulus for limit in limits]  # of bending without N
    pull = [limit * section.area for limit in limits]
    return [
        panel("N", "force", [curve("N", n)], pull),
        panel("V", "force", [curve("V", v)], []),
        panel("M", "torque", [curve("M", m)], alone),
        panel("σ", "stress", stresses, limits),
    ]
