"""A gait analysis: subject, strides, peaks of the joints, residual; as text, entries for JSON, and files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.applications.gait.events import PERCENT
from mubo.applications.gait.joints import PAIRS
from mubo.applications.gait.legs import SIDES, Leg
from mubo.applications.gait.report import Gait
from mubo.arrays import Array
from mubo.describe.layout import NO_HEADER, Tables, align_columns
from mubo.describe.strength import Line, describe_motion
from mubo.elements.details import ANTHROPOMETRIES
from mubo.formats.files import write_text
from mubo.laws.number_text import number
from mubo.model.segments import DEFAULT
from mubo.results.table import Writers, data_frame, save_by_ending, write_entries
from mubo.results.table_files import COLUMNS, write_columns

if TYPE_CHECKING:
    import pandas

# Best practice for residuals: J. L. Hicks et al., Journal of Biomechanical Engineering 137 (2015) 020905.
GOOD = (0.05, 0.01)  # of the largest ground reaction, and of that times the height of the centre


def describe_gait(found: Gait) -> str:
    """The summary of a gait analysis."""
    out = [f"gait of {found.run.model.name}: {describe_subject(found)}", describe_motion(found.run)]
    tables = [segment_lines(found), stride_lines(found)]
    if any(cycles.times for cycles in found.cycles.values()):
        tables.append(peak_lines(found))
        tables += [normative_lines(found)] if found.normative is not None else []
    for lines in tables:
        out += ["", *align_columns(lines)]
    return "\n".join([*out, "", *residual_lines(found), *(f"note   {line}" for line in found.notes)])


def gait_cells(found: Gait) -> Tables:
    """Subject, segments, strides, peaks, residuals and notes."""
    whole = any(cycles.times for cycles in found.cycles.values())
    notes = [("note", line) for line in found.notes]
    ends = [("residual", "\n".join(residual_lines(found))), *notes]
    tables = [segment_lines(found), stride_lines(found), *([peak_lines(found)] if whole else [])]
    tables += [normative_lines(found)] if whole and found.normative is not None else []
    return [[NO_HEADER, ("subject", describe_subject(found))], *tables, [NO_HEADER, *ends]]


def describe_subject(found: Gait) -> str:
    """Mass and height of the subject, and the table that its segments follow."""
    model = found.run.model
    subject = model.subject
    assert subject is not None
    kilograms = subject["mass"] * model.units.size("mass")
    tall = "" if subject["height"] is None else f", {subject['height'] * model.units.size('length'):g} m"
    if not any(body.segment for body in model.bodies.values()):
        return f"{kilograms:g} kg{tall}; segments are those of the skeleton"
    table = subject["table"] or DEFAULT
    return f"{kilograms:g} kg{tall}; segments by {table} ({ANTHROPOMETRIES[table].source})"


def segment_lines(found: Gait) -> list[Line]:
    """Length, mass and centre of every segment."""
    model = found.run.model
    length, mass = model.units.size("length"), model.units.size("mass")
    out: list[Line] = [("segment", "length [m]", "spread [mm]", "mass [kg]", "centre from", "inertia [kg m²]")]
    for body in model.bodies.values():
        if body.segment is None:
            if body.mass and not any(one.segment for one in model.bodies.values()):
                center = ", ".join(f"{length * x:.3f}" for x in body.center)
                around = f"{body.inertia[2] * mass * length**2:.4g}" if body.inertia else "–"
                out.append((body.name, "–", "–", f"{body.mass * mass:.3f}", center, around))
            continue
        own, ends = body.own, [np.array(body.points[end]) for end in body.segment.ends]
        far = float(np.linalg.norm(ends[1] - ends[0]))
        at = float(np.linalg.norm(np.array(own.center) - ends[0])) / far
        spread = f"{1e3 * length * body.segment.spread:.1f}" if body.segment.spread else "–"
        weight = f"{(own.mass or 0) * mass:.3f}{_given(body.mass)}"
        center = f"{at:.3f} from the {body.segment.ends[0]}{_given(body.center or None)}"
        across = (own.inertia or (0.0,))[min(2, len(own.inertia or (0.0,)) - 1)]  # about z
        inertia = f"{across * mass * length**2:.4g}{_given(body.inertia)}"
        out.append((body.name, f"{far * length:.4f}", spread, weight, center, inertia))
    return out


def _given(value: object) -> str:
    """Marks a value that the body gives itself, beside those of the anthropometric table."""
    return "" if value is None else " (given)"


def stride_lines(found: Gait) -> list[Line]:
    """Strikes, cycles, stance, cadence and speed of both feet."""
    out: list[Line] = [
        ("foot", "events by", "heel strikes", "cycles", "stride", "stance", "cadence", "length", "speed")
    ]
    for leg in found.legs:
        strikes, means = found.strikes[leg.side], stride_means(found, leg)
        rule = f"force > {found.threshold:g} {found.run.units.unit_of('force')}".rstrip()
        rule = {"force": rule, "file": "events of the file"}.get(strikes.rule, "heel and toe from the hip")
        numbers = ("–",) * 5
        if means:
            numbers = (
                f"{means['stride_time']:.3f} s",
                f"{means['stance']:.1f} %",
                f"{means['cadence']:.0f} steps/min",
                f"{means['stride_length']:.3f} m",
                f"{means['speed']:.3f} m/s",
            )
        count = len(found.cycles[leg.side].times)
        out.append((SIDES[leg.side], rule, f"{len(strikes.heel)}", f"{count}", *numbers))
    return out


def stride_means(found: Gait, leg: Leg) -> dict[str, float]:
    """Means over the cycles of a foot, in s, m and per cent; empty without a cycle."""
    cycles, run = found.cycles[leg.side], found.run
    if not cycles.times:
        return {}
    units = run.units
    time = float(np.mean([b - a for a, b in cycles.times])) * units.size("time")
    lengths = [np.diff(np.interp([a, b], run.columns.raw("t"), run[f"{leg.foot}.x"]))[0] for a, b in cycles.times]
    moved = found.belt * float(np.mean([b - a for a, b in cycles.times]))  # of a treadmill's belt
    length = abs(float(np.mean(lengths)) + moved) * units.size("length")
    named = ("stride_time", "stance", "cadence", "stride_length", "speed")
    return dict(zip(named, (time, cycles.stance_mean, 120 / time, length, length / time), strict=True))


def peak_lines(found: Gait) -> list[Line]:
    """Least and largest of the mean cycles of every joint."""
    out: list[Line] = [
        (
            "joint",
            "angle",
            "moment",
            "power",
            f"(least … largest of the mean cycle; moments that flex or dorsiflex are positive{_but_reversed(found)})",
        )
    ]
    for leg in found.legs:
        if not found.cycles[leg.side].times:
            continue
        for label in (name for joint in PAIRS for name in leg.names(joint)):
            cells = []
            for tail in ("", "_moment", "_power"):
                name = label + tail
                mean, unit = found.mean(name), found.run.unit(name)
                known = np.isfinite(mean).all()
                cells.append(
                    f"{number(mean.min(), 3)} … {number(mean.max(), 3)} {short_unit(unit)}".rstrip() if known else "–"
                )
            out.append((label, *cells, ""))
    return out


def _but_reversed(found: Gait) -> str:
    """The coordinates of a skeleton whose flexion is negative."""
    names = [leg.name(joint) for leg in found.legs for joint in leg.reversed]
    return f"; of {', '.join(names)} they are negative, as the skeleton has them" if names else ""


def normative_lines(found: Gait) -> list[Line]:
    """How far every mean cycle is from the reference group, and where it lies within its deviation."""
    assert found.normative is not None
    out: list[Line] = [(f"against {found.normative.source}", "rms difference", "within mean ± sd")]
    names = [name for leg in found.legs if found.cycles[leg.side].times for name in found.cycles[leg.side].of]
    for name in names:
        band, mean = found.normative.band(name, found.flipped), found.mean(name)
        if band is None or not np.isfinite(mean).all():
            continue
        far = f"{band.distance(mean):.3g} {short_unit(found.run.unit(name))}".rstrip()
        out.append((name, far, f"{band.share(mean):.0f} % of the cycle"))
    return out


def short_unit(unit: str) -> str:
    """The usual name of the unit of a moment, power or force per mass, or the unit itself."""
    return {"m^2/s^2": "N m/kg", "m^2/s^3": "W/kg", "m/s^2": "N/kg"}.get(unit, unit)


def residual_lines(found: Gait) -> list[str]:
    """The root residual, against best practice."""
    residual = found.residual
    if residual is None:
        return ["residual  not computed: it needs a trunk, both legs, and rows at which plates bear all that stands"]
    force, moment = residual.parts
    rms = residual.rms
    newton_metre, unit, _ = found.run.units.unit("torque")
    judged = "good" if force <= GOOD[0] and moment <= GOOD[1] else "NOT good: motion, masses and forces disagree"
    return [
        f"residual  force rms {rms[0]:.3g} {found.run.units.unit_of('force')}, largest {100 * force:.2g} % of the "
        f"ground reaction (best practice: below {100 * GOOD[0]:g} %)",
        f"          moment rms {rms[1] / newton_metre:.3g} {unit}, largest {100 * moment:.2g} % of that at hip "
        f"height (below {100 * GOOD[1]:g} %): {judged}",
        f"          judged at {np.sum(residual.counts)} of {len(residual.counts)} rows: whole cycles, every foot that "
        "stands on a plate",
    ]


def cycle_columns(found: Gait) -> dict[str, Array]:
    """Mean and deviation of every column over the cycle, with units in the names."""
    out: dict[str, Array] = {"percent": PERCENT}
    for cycles in found.cycles.values():
        for name in cycles.of if cycles.times else ():
            unit = short_unit(found.run.unit(name))
            label = f" [{unit}]" if unit else ""
            out[f"{name}{label}"], out[f"{name}.sd{label}"] = cycles.mean(name), cycles.deviation(name)
    return out


def gait_entries(found: Gait) -> dict[str, Any]:
    """The entries that --json prints."""
    run = found.run
    residual = None
    if found.residual is not None:
        force, moment = found.residual.parts
        residual = {"force": force, "moment": moment, "of": "largest ground reaction, and that times hip height"}
    return {
        "status": run.summary["status"],
        "model": run.model.name,
        "ok": found.ok,
        "events": {
            side: {"rule": one.rule, "heel_strikes": list(one.heel), "toe_offs": list(one.toe)}
            for side, one in found.strikes.items()
        },
        "strides": {leg.side: stride_means(found, leg) for leg in found.legs},
        "cycles": {
            side: {"times": [list(pair) for pair in one.times], "stance": list(one.stance)}
            for side, one in found.cycles.items()
        },
        "mean": {name: values.tolist() for name, values in cycle_columns(found).items()},
        "residual": residual,
        "normative": normative_entries(found),
        "motion": run.summary.get("motion", {}),
        "warnings": [*found.notes, *run.summary.get("warnings", ())],
    }


def normative_entries(found: Gait) -> dict[str, Any] | None:
    """The source of the reference group, and the distances of the mean cycles from it; None where there is none."""
    if found.normative is None:
        return None
    bands = {
        name: (found.normative.band(name, found.flipped), cycles)
        for cycles in found.cycles.values()
        for name in cycles.of
    }
    means = {name: (band, cycles.mean(name)) for name, (band, cycles) in bands.items() if band and cycles.times}
    return {
        "source": found.normative.source,
        "rms_difference": {name: band.distance(mean) for name, (band, mean) in means.items()},
        "within_deviation": {name: band.share(mean) for name, (band, mean) in means.items()},
    }


def cycle_table(found: Gait) -> pandas.DataFrame:
    """The mean cycles as a pandas table."""
    return data_frame(cycle_columns(found))


def opensim_storage(found: Gait) -> str:
    """Angles (degrees) and moments (N m) over time, as OpenSim stores them."""
    run = found.run
    length, mass, time = (run.units.size(kind) for kind in ("length", "mass", "time"))
    names = [name for leg in found.legs for joint in PAIRS for name in leg.names(joint)]
    subject = run.model.subject
    assert subject is not None
    newtons = subject["mass"] * mass * length**2 / time**2
    values = [run.columns.raw("t") * time]
    values += [np.degrees(run.columns.raw(name)) for name in names]
    values += [newtons * run.columns.raw(f"{name}_moment") for name in names]
    header = ["time", *names, *(f"{name}_moment" for name in names)]
    head = [run.model.name, "version=1", f"nRows={len(run)}", f"nColumns={len(header)}", "inDegrees=yes", "endheader"]
    rows = ("\t".join(repr(float(x)) for x in row) for row in np.column_stack(values))
    return "\n".join([*head, "\t".join(header), *rows]) + "\n"


def save_gait(found: Gait, path: str | Path) -> None:
    """Writes the mean cycles, the text, or angles and moments over time, as the ending says."""
    writers: Writers = {
        **dict.fromkeys(COLUMNS, lambda to: write_columns(to, cycle_columns(found), "gait cycle")),
        ".json": lambda to: write_entries(to, gait_entries(found)),
        ".sto": lambda to: write_text(to, opensim_storage(found)),
    }
    save_by_ending("Gait", found, path, writers, found.run.model.source)
