"""The strength of a mechanism in words: what governs each part, line by line, and what to know about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mubo.applications.strength.checks import StrengthCheck
from mubo.applications.strength.display_units import shown
from mubo.model import Units

if TYPE_CHECKING:
    from mubo.applications.strength.report import Strength

ASSUMED = (
    "Loads by inverse dynamics of rigid bodies; one run is one cycle. Links are slender beams of even mass,",
    "torques enter at the pin in the frame unless torque_at says else; bearings carry radial load, swinging ones too.",
)
Line = tuple[str, ...]


def text(found: Strength) -> str:
    """The table to sign, the lines behind it, and the notes."""
    run, units = found.run, found.run.units
    t = run["t"]
    span = f"{t[0]:g} to {t[-1]:g} {run.unit('t')}".strip() if len(t) else "no rows"
    head = [
        f"strength of {run.model.name}: {verdict(found)}",
        f"motion: {span}, {len(t)} rows, {run.summary['status']}",
    ]
    out = [*head, "", *aligned(governing_lines(found)), "", *aligned(detail_lines(found, units))]
    if room := room_lines(found):
        out += ["", *aligned(room)]
    events = [event.message for event in found.budget.events]
    notes = [*found.notes, *found.budget.notes]
    out += ["", *(f"event  {line}" for line in events), *(f"note   {line}" for line in notes), *ASSUMED]
    return "\n".join(out)


def verdict(found: Strength) -> str:
    """Whether all is as safe as asked for."""
    bad = [part for part, checks in found.parts.items() if any(check.ok is False for check in checks)]
    if bad:
        return f"NOT as safe as asked: {', '.join(bad)}"
    if not found.checks:
        return "nothing to judge: give pins and sections, [pin.JOINT] and [section.BODY]"
    if found.refused:
        return f"not told of {', '.join(found.refused)}"
    return "as safe as asked" if any(check.ok for check in found.checks) else "no limit is given to judge by"


def governing_lines(found: Strength) -> list[Line]:
    """The governing check of each part: its least safety against the required one."""
    out: list[Line] = [("part", "governed by", "safety", "asked", "")]
    for part, checks in found.parts.items():
        check = found.governs(part)
        if check is not None and check.safety is not None:
            out.append((part, check.what, f"{check.safety:.3g}", f"{check.asked:g}", mark(check)))
        else:
            fits = [check for check in checks if check.ok is not None]
            least = min(fits, key=lambda c: c.value, default=None)
            words = shown(found.run.units, "length", least.value) if least else "no limit given"
            out.append((part, f"{least.what}: {words}" if least else words, "", "", mark(least) if least else ""))
    out += [(part, "not told", "", "", "?") for part in found.refused]
    return out


def mark(check: StrengthCheck) -> str:
    return {True: "ok", False: "FAILS", None: ""}[check.ok]


def detail_lines(found: Strength, units: Units) -> list[Line]:
    """Every check: value, limit, safety, time and place."""
    out: list[Line] = [("part", "what", "value", "limit", "safety", "at t", "where and how")]
    for part, checks in found.parts.items():
        for k, check in enumerate(checks):
            limit = "" if check.limit is None else shown(units, check.holds, check.limit)
            safety = "" if check.safety is None else f"{check.safety:.3g}"
            when = "" if check.t is None else f"{check.t:.6g}"
            more = "; ".join(filter(None, (check.where, check.how)))
            value = shown(units, check.holds, check.value, 5)
            out.append((part if k == 0 else "", check.what, value, limit, safety, when, more))
    return out


def room_lines(found: Strength) -> list[Line]:
    """Lines on the area that every body sweeps."""
    envelopes, units = found.budget.envelopes, found.run.units
    if not envelopes:
        return []
    unit = f" {units.length or 'm'}²" if units.declared else ""
    out: list[Line] = [("sweeps", "area", "x", "y", "within")]
    for name, held in envelopes.items():
        (x, y), (u, w) = held.box
        sides = (f"{x:.5g} … {u:.5g}", f"{y:.5g} … {w:.5g}")
        out.append((name, f"{held.area:.5g}{unit}", *sides, shown(units, "length", held.within, 2)))
    return out


def aligned(lines: Sequence[Line]) -> list[str]:
    """Columns below each other; the last is as long as it likes."""
    width = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    return ["  ".join(cell.ljust(wide) for cell, wide in zip(line, width, strict=True)).rstrip() for line in lines]
