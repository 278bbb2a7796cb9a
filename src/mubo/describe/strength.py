"""The strength of a mechanism: what governs each part, every check, the notes; as text, entries for JSON, and files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo.applications.clearance.drawings import dxf, svg
from mubo.applications.strength.checks import StrengthCheck, format_value
from mubo.applications.strength.report import Strength
from mubo.describe.layout import NO_HEADER, Tables, align_columns
from mubo.describe.mission import damage_lines, describe_mission, mission_lines
from mubo.formats.files import write_text
from mubo.laws.number_text import number
from mubo.model import Units
from mubo.results import Run
from mubo.results.table import Writers, data_frame, save_by_ending, write_entries
from mubo.results.table_files import LINES, write_lines

if TYPE_CHECKING:
    import pandas

ASSUMED = (
    "Loads by inverse dynamics of rigid bodies; one run is one cycle. Links are slender beams of even mass,",
    "torques enter at the pin in the frame unless torque_at says else; bearings carry radial load, swinging ones too.",
)
COLUMNS = ("part", "what", "value", "unit", "limit", "safety", "asked", "ok", "t", "where", "how")
Line = tuple[str, ...]


def describe_strength(found: Strength) -> str:
    """The table to sign, the lines behind it, and the notes."""
    run = found.run
    motion = describe_motion(run) if found.mission is None else describe_mission(found)
    out = [f"strength of {run.model.name}: {verdict(found)}", motion]
    for lines in (mission_lines(found), damage_lines(found), *_lines(found)):
        out += ["", *align_columns(lines)] if lines else []
    events = [event.message for event in found.clearance.events]
    notes = [*found.notes, *found.clearance.notes]
    out += ["", *(f"event  {line}" for line in events), *(f"note   {line}" for line in notes), *ASSUMED]
    return "\n".join(out)


def strength_cells(found: Strength) -> Tables:
    """The verdict with the notes, what governs each part, every check and the swept areas."""
    notes = [("note", line) for line in (*found.notes, *found.clearance.notes)]
    motion = describe_motion(found.run) if found.mission is None else describe_mission(found)
    label, _, text = motion.partition(": ")
    first = [NO_HEADER, ("verdict", verdict(found)), (label, text), *notes]
    return [first, mission_lines(found), damage_lines(found), *_lines(found)]


def _lines(found: Strength) -> tuple[list[Line], ...]:
    return governing_lines(found), detail_lines(found, found.run.units), swept_lines(found)


def describe_motion(run: Run) -> str:
    """The time, the rows and the status of the motion behind a result."""
    t = run["t"]
    span = f"{t[0]:g} to {t[-1]:g} {run.unit('t')}".strip() if len(t) else "no rows"
    return f"motion: {span}, {len(t)} rows, {run.summary['status']}"


def verdict(found: Strength) -> str:
    """Whether every part is as safe as required."""
    bad = [part for part, checks in found.parts.items() if any(check.ok is False for check in checks)]
    if bad:
        return f"NOT as safe as required: {', '.join(bad)}"
    if not found.checks:
        return "nothing to judge: give pins and sections, [pin.JOINT] and [section.BODY]"
    if found.refused:
        return f"not assessed: {', '.join(found.refused)}"
    return "as safe as required" if any(check.ok for check in found.checks) else "no limit is given to judge by"


def governing_lines(found: Strength) -> list[Line]:
    """The governing check of each part: its least safety against the required one."""
    out: list[Line] = [("part", "governed by", "safety", "required", "")]
    for part, checks in found.parts.items():
        check = found.governs(part)
        if check is not None and check.safety is not None:
            out.append((part, check.what, f"{check.safety:.3g}", f"{check.asked:g}", mark(check)))
        else:
            fits = [check for check in checks if check.ok is not None]
            least = min(fits, key=lambda c: c.value, default=None)
            text = format_value(found.run.units, "length", least.value) if least else "no limit given"
            out.append((part, f"{least.what}: {text}" if least else text, "", "", mark(least) if least else ""))
    out += [(part, "not assessed", "", "", "?") for part in found.refused]
    return out


def mark(check: StrengthCheck) -> str:
    """The verdict of a check in one word; empty where nothing limits it."""
    return {True: "ok", False: "FAILS", None: ""}[check.ok]


def detail_lines(found: Strength, units: Units) -> list[Line]:
    """Every check: value, limit, safety, time and place."""
    bracket = f" [{units.unit_of('time')}]" if units.unit_of("time") else ""
    out: list[Line] = [("part", "what", "value", "limit", "safety", f"at t{bracket}", "where and how")]
    for part, checks in found.parts.items():
        for k, check in enumerate(checks):
            limit = "" if check.limit is None else format_value(units, check.holds, check.limit)
            safety = "" if check.safety is None else f"{check.safety:.3g}"
            when = "" if check.t is None else number(check.t, 4)
            more = "; ".join(filter(None, (check.where, check.how)))
            value = format_value(units, check.holds, check.value)
            out.append((part if k == 0 else "", check.what, value, limit, safety, when, more))
    return out


def swept_lines(found: Strength) -> list[Line]:
    """Lines on the area that every body sweeps."""
    envelopes, units = found.clearance.envelopes, found.run.units
    if not envelopes:
        return []
    unit = f" {units.length or 'm'}²" if units.declared else ""
    out: list[Line] = [("sweeps", "area", "x", "y", "within")]
    for name, swept in envelopes.items():
        (x, y), (u, w) = swept.box
        sides = (f"{number(x, 4)} … {number(u, 4)}", f"{number(y, 4)} … {number(w, 4)}")
        out.append((name, f"{number(swept.area, 4)}{unit}", *sides, format_value(units, "length", swept.within, 2)))
    return out


def check_rows(found: Strength) -> list[dict[str, Any]]:
    """A dictionary for every check, in the model's units."""
    return [_check_row(check, *found.run.units.unit(check.holds)[:2]) for check in found.checks]


def _check_row(check: StrengthCheck, factor: float, unit: str) -> dict[str, Any]:
    entries = {key: value for key, value in check.as_dict().items() if key in COLUMNS}
    shown = {key: entries[key] / factor for key in ("value", "limit") if entries.get(key) is not None}
    return {**entries, **shown, "part": f"{check.table} {check.name}", "unit": unit}


def strength_entries(found: Strength) -> dict[str, Any]:
    """The entries that --json prints."""
    return {
        "status": found.run.summary["status"],
        "model": found.run.model.name,
        "ok": found.ok,
        "governs": {
            part: {"what": check.what, "safety": check.safety, "asked": check.asked, "ok": check.ok}
            for part in found.parts
            if (check := found.governs(part)) is not None
        },
        "checks": [{key: row[key] for key in COLUMNS} for row in check_rows(found)],
        **_mission_entries(found),
        "beams": {name: _beam(found, name) for name in found.links},
        "envelopes": {
            name: {"area": e.area, "box": [list(corner) for corner in e.box], "within": e.within}
            for name, e in found.clearance.envelopes.items()
        },
        "events": [event.as_dict() for event in found.clearance.events],
        "refused": dict(found.refused),
        "warnings": [*found.notes, *found.clearance.notes],
    }


def _mission_entries(found: Strength) -> dict[str, Any]:
    """The mission, where there is one."""
    mission = found.mission
    if mission is None:
        return {}
    cases = [{"runs": case.runs, "parameters": dict(case.values)} for case in mission.cases]
    shares = {part: list(each) for part, each in mission.shares.items()}
    return {"mission": {"time": mission.time, "cases": cases, "shares": shares}}


def _beam(found: Strength, name: str) -> dict[str, Any] | None:
    """N, V, M along a beam at its worst instant."""
    worst = found.worst[name]
    if worst is None:
        return None
    arrays = {
        key: getattr(worst, attribute).tolist() for key, attribute in zip("sNVM", ("s", "n", "v", "m"), strict=True)
    }
    return {"t": worst.t, "at": worst.at, "side": worst.side, "points": list(found.links[name].beam.points), **arrays}


def strength_table(found: Strength) -> pandas.DataFrame:
    """The checks as a pandas table."""
    return data_frame(check_rows(found), COLUMNS)


def save_strength(found: Strength, path: str | Path) -> None:
    """Writes the table, the text or the envelopes, as the ending says."""

    def write_checks(to: Path) -> None:
        write_lines(to, COLUMNS, ([row[key] for key in COLUMNS] for row in check_rows(found)), "strength")

    def write_drawing(to: Path) -> None:
        drawing = svg if to.suffix == ".svg" else dxf
        write_text(to, drawing(found.clearance.envelopes, found.clearance.keepouts, found.run.units.length))

    writers: Writers = {
        ".json": lambda to: write_entries(to, strength_entries(found)),
        **dict.fromkeys(LINES, write_checks),
        ".svg": write_drawing,
        ".dxf": write_drawing,
    }
    save_by_ending("Strength", found, path, writers, found.run.model.source)
