"""How good the answer is: residuals, energy, transmission; and what happened on the way."""

from __future__ import annotations

import math
from typing import Any

from mubo.results import Run
from mubo.studies.position.check import CheckReport
from mubo.studies.structure.loop_report import LoopReport
from mubo.view.report.markup import Markup, facts, heading, html, number, paragraph, section, table

FORMULATIONS = {
    "absolute": "absolute coordinates",
    "loops": "vector loops",
    "tree": "a tree of joint coordinates",
    "wittenburg": "Wittenburg's equations",
    "1964": "the scheme of 1964",
}


def proof_section(run: Run) -> Markup:
    """What shows that the numbers are right."""
    summary = run.summary
    rows = _energy(summary) if "energy" in summary else _residual(summary)
    per_element = [
        (name, *(number(value[k], 2) for k in ("position", "velocity", "acceleration")))
        for name, value in summary.get("residual_per_element", {}).items()
    ]
    head = ("largest residual of", "position", "velocity", "acceleration")
    return section("proof", "Proof", facts(rows), table(head, per_element, numeric=(1, 2, 3)))


def _residual(summary: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [(f"largest {name} residual", number(value, 2)) for name, value in summary.get("residual", {}).items()]
    if "there_and_back" in summary:
        rows.append(("there and back", f"{number(summary['there_and_back'], 2)} from the start"))
    if "newton_iterations" in summary:
        rows.append(
            ("Newton corrections", f"{summary['newton_iterations']}, to a gap below {number(summary['tolerance'])}")
        )
    told = summary.get("transmission") or {}
    if "group" in told:
        least = number(told["minimum"], 4)
        if told["measure"] == "angle":
            least = f"{number(told['minimum'] * (180 / math.pi if told['unit'] == 'rad' else 1), 4)}"
            least += "°" if told["unit"] in ("rad", "deg") else f" {told['unit']}"
        rows.append(("poorest transmission", f"{least} at t = {number(told['t'])}, {told['group']}"))
    rows += [(f"cam {name}", entry["message"]) for name, entry in summary.get("cams", {}).items()]
    return rows


def _energy(summary: dict[str, Any]) -> list[tuple[str, str]]:
    energy, steps, tolerance = summary["energy"], summary["steps"], summary["tolerance"]
    balance = "not known: forces or drivers exchange energy, which this formulation does not count"
    if energy["error"] is not None:
        balance = f"open by {number(energy['error'], 2)}, {number(energy['relative'], 2)} of the largest exchanged"
    counted = f"{steps['taken']} taken, {steps['rejected']} rejected"
    if not steps["taken"]:
        counted = f"{steps['evaluations']} evaluations" if steps["evaluations"] else "not counted"
    rows = [
        ("energy balance", balance),
        ("integration", f"{summary['method']}, rtol {number(tolerance['rtol'])}, atol {number(tolerance['atol'])}"),
        ("steps", counted),
    ]
    for name in ("linear_momentum", "angular_momentum"):
        if name in energy:
            rows.append((name.replace("_", " "), f"drifts by {number(energy[name], 2)}"))
    return rows


def happenings_section(run: Run, notes: tuple[str, ...]) -> Markup:
    """Events and warnings."""
    events = [(number(event.t), event.kind.replace("_", " "), event.message) for event in run.events]
    warnings = [*run.summary.get("warnings", ()), *notes]
    told = table(("t", "event", "what happened"), events) or paragraph("No events: nothing locked, stopped or crossed.")
    listed = "".join(f"<li>{html(text)}</li>" for text in warnings)
    return section(
        "events", "Events and warnings", told, Markup(f"<ul>{listed}</ul>") if listed else paragraph("No warnings.")
    )


def mobility_section(check: CheckReport, loops: LoopReport | None) -> Markup:
    """Freedoms counted, and the loop table."""
    d = check.diagnosis
    rows = [
        ("coordinates", str(d.coordinates)),
        ("equations", f"{d.constraints}: {d.constraints - d.drivers} of joints, {d.drivers} of drivers; rank {d.rank}"),
        ("mobility", f"{d.gruebler} by Grübler's count, {d.mobility} at the assembled position"),
        ("loops", str(d.loops)),
        ("closure", f"gap {number(check.gap, 2)} after {check.corrections} correction{'s' * (check.corrections != 1)}"),
    ]
    if loops is None:
        return section("mobility", "Mobility and loops", facts(rows))
    unit = f" [{loops.unit}]" if loops.unit else ""
    vectors = [
        (
            v.name,
            f"slide of {v.link}" if v.kind == "slide" else v.link,
            f"{v.tail} → {v.head}",
            v.length,
            math.degrees(v.angle),
        )
        for v in loops.vectors
    ]
    head = ("vector", "link", "from → to", f"length{unit}", "angle at the start [°]")
    return section(
        "mobility",
        "Mobility and loops",
        facts(rows),
        heading("Loop table", _signs(loops)),
        heading("Vectors", table(head, vectors, numeric=(3, 4))),
    )


def _signs(loops: LoopReport) -> Markup:
    names = [vector.name for vector in loops.vectors]
    sign = {1: "+1", -1: "−1", 0: "·"}
    rows = [
        (f"{loop.name}, closed by {loop.joint}", *(sign[loop.signs.get(n, 0)] for n in names)) for loop in loops.loops
    ]
    return table(("loop", *names), rows, numeric=range(1, len(names) + 1))
