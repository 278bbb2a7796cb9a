"""Extremes of a run as tables: least and greatest of each quantity, dead positions, four-bars."""

from __future__ import annotations

import math
from typing import Any

from mubo.results import Run
from mubo.view.curves import scales
from mubo.view.report.forces import told_here
from mubo.view.report.markup import Markup, facts, heading, number, section, settled, table
from mubo.view.report.units import bracketed, pretty, with_unit


def extremes_section(run: Run) -> Markup:
    """What the summary tells of extremes; empty where it tells nothing."""
    summary = run.summary
    told = summary.get("extremes", {})
    if not told:
        return Markup("")
    scale = scales(run)
    shown = {name: entry for name, entry in told.items() if not told_here(run, name)}
    rows = [(name, *_ends(entry, scale.get(name, 0.0)), pretty(entry.get("unit", ""))) for name, entry in shown.items()]
    left = summary.get("extremes_left_out", 0)
    at = f"at t{bracketed(run.units, 'time')}"
    head = ("quantity", "least", at, "greatest", at, "range", "unit")
    said = [("not sought", f"{left} more quantities")] if left else []
    return section(
        "extremes",
        "Extremes",
        facts([*_outputs(summary), *_transmission(summary), *_four_bars(summary), *said]),
        table(head, rows, numeric=(1, 2, 3, 4, 5)),
        heading("Dead positions", _dead(run)),
    )


def _ends(entry: dict[str, Any], scale: float) -> tuple[str, str, str, str, str]:
    """Least and greatest with their times, and the range; what is rounding against the motion's sizes is zero."""
    low, high = entry.get("min"), entry["max"]
    least = (_size(low[0], scale), number(low[1])) if low else ("", "")
    return (*least, _size(high[0], scale), number(high[1]), _size(entry["range"], scale) if low else "")


def _size(value: float, scale: float) -> str:
    return number(settled([value], scale)[0]) if math.isfinite(value) else ("infinite" if value > 0 else "−infinite")


def _outputs(summary: dict[str, Any]) -> list[tuple[str, str]]:
    outputs = summary.get("outputs", {})
    return [(f"time ratio of {name}", number(o["time_ratio"])) for name, o in outputs.items() if "time_ratio" in o]


def _transmission(summary: dict[str, Any]) -> list[tuple[str, str]]:
    told = summary.get("transmission") or {}
    rows = []
    if "range" in told:
        low, high = (f"{number(end)} {told['unit']}" for end in told["range"])
        rows.append(("transmission angle", f"{low} to {high}, {told['group']}"))
    ratio = told.get("mechanical_advantage", {})
    if "minimum" in ratio:
        unit = f" {ratio['unit']}" if ratio["unit"] else ""
        places = ", ".join(f"t = {number(place['t'])}" for place in ratio.get("infinite_at", ()))
        most = f"infinite at {places}" if places else f"{number(ratio['maximum']['value'])}{unit}"
        least = f"{number(ratio['minimum']['value'])}{unit} at t = {number(ratio['minimum']['t'])}"
        rows.append((f"mechanical advantage, {ratio['driver']} to {ratio['output']}", f"{least} to {most}"))
    return rows


def _four_bars(summary: dict[str, Any]) -> list[tuple[str, str]]:
    return [(f"four-bar {', '.join(entry['joints'])}", entry["class"]) for entry in summary.get("four_bars", ())]


def _dead(run: Run) -> Markup:
    rows = []
    for name, output in run.summary.get("outputs", {}).items():
        for place in output["dead_positions"]:
            drivers = ", ".join(
                with_unit(f"{driver} = {number(value)}", pretty(run.unit(f"{driver}.value")))
                for driver, value in place["drivers"].items()
            )
            rows.append((name, number(place["t"]), f"{number(place['value'])} {run.unit(name)}".strip(), drivers))
        if "dead_positions_left_out" in output:
            rows.append((name, "", f"{output['dead_positions_left_out']} more", ""))
    return table(("output", f"t{bracketed(run.units, 'time')}", "stands at", "drivers"), rows, numeric=(1,))
