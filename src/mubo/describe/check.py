"""The findings of the model checker as text: mobility, closure, notes and the verdict."""

from __future__ import annotations

from mubo.applications.check import CheckReport
from mubo.describe.layout import NO_HEADER, Tables, label_lines


def describe_check(report: CheckReport) -> str:
    """Coordinates, equations, mobility, closure, notes and the verdict or problem of a model."""
    return "\n".join([report.model, *label_lines(_findings(report), 13, "  ")])


def check_cells(report: CheckReport) -> Tables:
    """The findings as a table of labels."""
    return [[NO_HEADER, *_findings(report)]]


def _findings(report: CheckReport) -> list[tuple[str, str]]:
    d = report.diagnosis
    joints, where = d.constraints - d.drivers, "closest" if report.open_by else "assembled"
    closure = f"gap {report.gap:.1e} after {report.corrections} Newton iteration{'s' * (report.corrections != 1)}"
    return [
        ("coordinates", f"N = {d.coordinates}"),
        ("equations", f"M = {d.constraints}: {joints} of joints, {d.drivers} of drivers; rank {d.rank}"),
        ("mobility", f"{d.gruebler} by Grübler's count, {d.mobility} at the {where} position"),
        *velocity_findings(report),
        ("loops", f"{d.loops}"),
        ("closure", f"open by {report.open_by} at {report.largest_gap_at}" if report.open_by else closure),
        *(("note", note) for note in report.all_notes),
        ("verdict", report.verdict) if report.ok else ("problem", str(report.error)),
    ]


def velocity_findings(report: CheckReport) -> list[tuple[str, str]]:
    """The mobility of velocities, where equations constrain velocities and not positions."""
    if report.velocities is None:
        return []
    more = report.velocities.constraints - report.diagnosis.constraints
    equations = f"{more} more equation{'s' * (more != 1)}, of rolling and knife edges"
    return [("of velocities", f"{report.velocities.mobility}: {equations}; rank {report.velocities.rank} in all")]
