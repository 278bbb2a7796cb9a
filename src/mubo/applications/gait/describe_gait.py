"""Somebody's gait in words: who, how it was measured, strides, peaks of the joints, and the proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mubo.applications.gait.joints import PAIRS
from mubo.applications.gait.legs import SIDES, Leg
from mubo.applications.strength.describe_strength import Line, aligned
from mubo.elements.anthropometry import ANTHROPOMETRIES
from mubo.model.segments import DEFAULT

if TYPE_CHECKING:
    from mubo.applications.gait.report import Gait

# Best practice for residuals: J. L. Hicks et al., Journal of Biomechanical Engineering 137 (2015) 020905.
GOOD = (0.05, 0.01)  # of the largest ground reaction, and of that times the height of the centre


def text(found: Gait) -> str:
    """The summary."""
    run = found.run
    t = run["t"]
    span = f"{t[0]:g} to {t[-1]:g} {run.unit('t')}".strip() if len(t) else "no rows"
    out = [f"gait of {run.model.name}: {who(found)}", f"motion: {span}, {len(t)} rows, {run.summary['status']}"]
    out += ["", *aligned(segment_lines(found)), "", *aligned(stride_lines(found))]
    if any(cycles.times for cycles in found.cycles.values()):
        out += ["", *aligned(peak_lines(found))]
    out += ["", *residual_words(found), *(f"note   {line}" for line in found.notes)]
    return "\n".join(out)


def who(found: Gait) -> str:
    """Mass and height, and what the segments follow."""
    model = found.run.model
    subject = model.subject
    assert subject is not None
    kilograms = subject["mass"] * model.units.size("mass")
    tall = "" if subject["height"] is None else f", {subject['height'] * model.units.size('length'):g} m"
    table = subject["table"] or DEFAULT
    return f"{kilograms:g} kg{tall}; segments by {table} ({ANTHROPOMETRIES[table].source})"


def segment_lines(found: Gait) -> list[Line]:
    """Length, mass and centre of every segment."""
    model = found.run.model
    length, mass = model.units.size("length"), model.units.size("mass")
    out: list[Line] = [("segment", "length [m]", "spread [mm]", "mass [kg]", "centre from", "inertia [kg m²]")]
    for body in model.bodies.values():
        if body.segment is None:
            continue
        own, ends = body.own, [np.array(body.points[end]) for end in body.segment.ends]
        far = float(np.linalg.norm(ends[1] - ends[0]))
        at = float(np.linalg.norm(np.array(own.center) - ends[0])) / far
        spread = f"{1e3 * length * body.segment.spread:.1f}" if body.segment.spread else "–"
        sizes = (f"{far * length:.4f}", spread, f"{(own.mass or 0) * mass:.3f}")
        inertia = (own.inertia or (0.0,))[0] * mass * length**2
        out.append((body.name, *sizes, f"{at:.3f} from the {body.segment.ends[0]}", f"{inertia:.4g}"))
    return out


def stride_lines(found: Gait) -> list[Line]:
    """Strikes, cycles, stance, cadence and speed of both feet."""
    out: list[Line] = [
        ("foot", "events by", "heel strikes", "cycles", "stride", "stance", "cadence", "length", "speed")
    ]
    for leg in found.legs:
        strikes, told = found.strikes[leg.side], strides(found, leg)
        rule = f"force > {found.threshold:g} {found.run.units.of('force')}".rstrip()
        rule = rule if strikes.rule == "force" else "heel and toe from the hip"
        numbers = ("–",) * 5
        if told:
            numbers = (
                f"{told['stride_time']:.3f} s",
                f"{told['stance']:.1f} %",
                f"{told['cadence']:.0f} steps/min",
                f"{told['stride_length']:.3f} m",
                f"{told['speed']:.3f} m/s",
            )
        count = len(found.cycles[leg.side].times)
        out.append((SIDES[leg.side], rule, f"{len(strikes.heel)}", f"{count}", *numbers))
    return out


def strides(found: Gait, leg: Leg) -> dict[str, float]:
    """Means over the cycles of a foot, in s, m and per cent; empty without a cycle."""
    cycles, run = found.cycles[leg.side], found.run
    if not cycles.times:
        return {}
    units = run.units
    time = float(np.mean([b - a for a, b in cycles.times])) * units.size("time")
    ways = [np.diff(np.interp([a, b], run.columns.raw("t"), run[f"{leg.foot}.x"]))[0] for a, b in cycles.times]
    way = abs(float(np.mean(ways))) * units.size("length")
    named = ("stride_time", "stance", "cadence", "stride_length", "speed")
    return dict(zip(named, (time, cycles.stance_mean, 120 / time, way, way / time), strict=True))


def peak_lines(found: Gait) -> list[Line]:
    """Least and largest of the mean cycles of every joint."""
    out: list[Line] = [("joint", "angle", "moment", "power", "(least … largest of the mean cycle)")]
    for leg in found.legs:
        if not found.cycles[leg.side].times:
            continue
        for joint in PAIRS:
            cells = []
            for tail in ("", "_moment", "_power"):
                name = leg.name(joint) + tail
                mean, unit = found.mean(name), found.run.unit(name)
                cells.append(f"{mean.min():.3g} … {mean.max():.3g} {shorter(unit)}".rstrip())
            out.append((leg.name(joint), *cells, ""))
    return out


def shorter(unit: str) -> str:
    """Unit of a moment or power per mass by its name where there is one."""
    return {"m^2/s^2": "N m/kg", "m^2/s^3": "W/kg", "m/s^2": "N/kg"}.get(unit, unit)


def residual_words(found: Gait) -> list[str]:
    """The root residual, against best practice."""
    held = found.residual
    if held is None:
        return ["residual  not told: it needs a trunk, both legs and the ground under both feet"]
    force, moment = held.parts
    rms = held.rms
    units = found.run.units
    judged = "good" if force <= GOOD[0] and moment <= GOOD[1] else "NOT good: motion, masses and forces disagree"
    return [
        f"residual  force rms {rms[0]:.3g} {units.of('force')}, largest {100 * force:.2g} % of the ground reaction "
        f"(best practice: below {100 * GOOD[0]:g} %)",
        f"          moment rms {rms[1]:.3g} {units.of('torque')}, largest {100 * moment:.2g} % of that at hip height "
        f"(below {100 * GOOD[1]:g} %): {judged}",
    ]
