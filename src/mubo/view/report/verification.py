"""The quality of the answer: residuals, energy, transmission, events, mobility; and the table of a verification."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from mubo.analyses.loops import LoopReport, loops_of
from mubo.analyses.verify.table import Verification
from mubo.analyses.verify.target import start_of_run
from mubo.applications.check import CheckReport, along_notes, check_report
from mubo.describe.run_summary import POOR_TRANSMISSION
from mubo.describe.verification import HEAD, check_cells
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.loops import Loops
from mubo.model import Units
from mubo.results import Run
from mubo.view.report.markup import (
    Markup,
    facts,
    heading,
    html,
    momentum_unit,
    number,
    paragraph,
    residual_text,
    residual_unit,
    section,
    table,
    unit_of,
    with_unit,
)


@dataclass(frozen=True)
class Findings:
    """The check of the first position, the loop table where the model has one, and the loops that were solved."""

    check: CheckReport
    table: LoopReport | None
    solved: Loops | None


def findings_of(run: Run) -> Findings:
    """The findings of the start analysis of the run; the start of a simulation, which has none, is analysed here."""
    record = run.record
    look = start_of_run(run)
    check = check_report(look, along_notes(run.summary.get("warnings", ())), ran=True)
    return Findings(check, None if record.model.dimension == 3 else _table(look), record.form)


def _table(look: object) -> LoopReport | None:
    try:
        return loops_of(look)  # type: ignore[arg-type]
    except ModelError:
        return None  # the model cannot be written as loops, or its motion is not determined


MOST_VECTORS = 60  # columns of the loop table; a wider one cannot be read


def proof_section(run: Run, checks: Verification | None) -> Markup:
    """The section of the run's own checks, residuals, iterations, energy and transmission."""
    summary = run.summary
    rows = _energy(run) if "energy" in summary else _residual(run)
    per_element = [
        (name, *(number(value[k], 2) for k in ("position", "velocity", "acceleration")))
        for name, value in summary.get("residual_per_element", {}).items()
    ]
    units = [residual_unit(run.units, order) for order in range(3)]
    names = zip(("position", "velocity", "acceleration"), units, strict=True)
    head = ("largest residual of", *(f"{name} [{unit}]" if unit else name for name, unit in names))
    judged = _check_table(checks) if checks is not None else Markup("")
    return section("proof", "Proof", judged, facts(rows), table(head, per_element, numeric=(1, 2, 3)))


def _residual(run: Run) -> list[tuple[str, str]]:
    summary, units = run.summary, run.units
    rows = [
        (f"largest {name} residual", residual_text(units, value, order))
        for order, (name, value) in enumerate(summary.get("residual", {}).items())
    ]
    if (reversal := summary.get("there_and_back")) is not None:
        rows.append(("reversibility check", f"{residual_text(units, reversal)} from the start"))
    if "newton_iterations" in summary:
        least = residual_text(units, summary["tolerance"])
        rows.append(("Newton iterations", f"{summary['newton_iterations']}, to a gap below {least}"))
    found = summary.get("transmission") or {}
    if "group" in found:
        least = number(found["minimum"], 4)
        if found["measure"] == "angle":
            least = f"{number(found['minimum'] * (180 / math.pi if found['unit'] == 'rad' else 1), 4)}"
            least += "°" if found["unit"] in ("rad", "deg") else f" {found['unit']}"
        when = with_unit(number(found["t"], 4), unit_of(units, "time"))
        rows.append(("worst transmission", _marked(f"{least} at t = {when}, {found['group']}", found)))
    rows += [(f"cam {name}", entry["message"]) for name, entry in summary.get("cams", {}).items()]
    return rows


def _marked(text: str, found: Mapping[str, Any]) -> str:
    """The text in the colour of what a designer should look at, where the transmission angle is poor."""
    if found["measure"] != "angle":
        return text
    if math.degrees(found["minimum"] * Units(angle=found["unit"]).angle_factor()) >= POOR_TRANSMISSION:
        return text
    return Markup(f'<span class="alert">{html(text)}; below {POOR_TRANSMISSION:g}°</span>')


def _energy(run: Run) -> list[tuple[str, str]]:
    summary, units = run.summary, run.units
    energy, steps, tolerance = summary["energy"], summary["steps"], summary["tolerance"]
    balance = "not known: forces or drivers exchange energy, which this formulation does not count"
    if energy["error"] is not None:
        gap = with_unit(number(energy["error"], 2), unit_of(units, "energy"))
        balance = f"open by {gap}, {number(energy['relative'], 2)} of the largest exchanged"
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
            drift = with_unit(number(energy[name], 2), momentum_unit(units, name))
            rows.append((name.replace("_", " "), f"drifts by {drift}"))
    return rows


def events_section(run: Run, notes: tuple[str, ...]) -> Markup:
    """Events and warnings."""
    second = unit_of(run.units, "time")
    events = [(with_unit(number(e.t), second), e.kind.replace("_", " "), e.message) for e in run.events]
    warnings = [*run.summary.get("warnings", ()), *notes]
    found = table(("t", "event", "what happened"), events) or paragraph(
        "No events: nothing locked, stopped or crossed."
    )
    listed = "".join(f"<li>{html(text)}</li>" for text in warnings)
    return section(
        "events", "Events and warnings", found, Markup(f"<ul>{listed}</ul>") if listed else paragraph("No warnings.")
    )


def mobility_section(check: CheckReport, loops: LoopReport | None, units: Units) -> Markup:
    """The section of mobility with the loop table."""
    d, count = check.diagnosis, check.corrections
    gap = residual_text(units, check.gap)
    rows = [
        ("coordinates", str(d.coordinates)),
        ("equations", f"{d.constraints}: {d.constraints - d.drivers} of joints, {d.drivers} of drivers; rank {d.rank}"),
        ("mobility", f"{d.gruebler} by Grübler's count, {d.mobility} at the assembled position"),
        ("loops", str(d.loops)),
        ("closure", f"gap {gap} after {count} Newton iteration{'s' * (count != 1)}"),
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
    """The table of O'Kins: a line a loop, a column a vector; of many vectors each loop as its sum, which is as long as
    the loop and not as the machine."""
    names = [vector.name for vector in loops.vectors]
    closed = [f"{loop.name}, {loop.source}" for loop in loops.loops]
    if len(names) > MOST_VECTORS:
        return table(("loop", "sum of its vectors"), zip(closed, (loop.equation for loop in loops.loops), strict=True))
    sign = {1: "+1", -1: "−1", 0: "·"}
    signs = [loop.signs for loop in loops.loops]
    rows = [(loop, *(sign[own.get(name, 0)] for name in names)) for loop, own in zip(closed, signs, strict=True)]
    return table(("loop", *names), rows, numeric=range(1, len(names) + 1))


def verification_section(verification: Verification | None) -> Markup:
    """The table of a verification; empty where none was asked for."""
    if verification is None:
        return Markup("")
    lead = facts([("verdict", verification.verdict)])
    return section("verification", "Verification", lead, _check_table(verification))


def _check_table(verification: Verification) -> Markup:
    """Every check with what was found and allowed, as the page writes numbers."""
    rows = []
    for check in verification.checks:
        name, *_, verdict, compared = check_cells(check)
        found, allowed = ("–" if value is None else number(value + 0.0, 2) for value in (check.found, check.allowed))
        rows.append((name, found, allowed, verdict, compared))
    return table(HEAD, rows, numeric=(1, 2))
