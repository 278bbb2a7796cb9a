"""The assembly modes of a model as text: a line for each mode, the limits of its circuits, searches and notes."""

from __future__ import annotations

from mubo.analyses.modes import ModeReport
from mubo.describe.layout import NO_HEADER, Tables
from mubo.laws.number_text import number
from mubo.solvers.structure.circuits import Circuit


def describe_modes(report: ModeReport) -> str:
    """Modes with their circuits and the range of the driver in each."""
    count, circuits, driver = len(report.modes), len(report.circuits), report.driver
    lines = [
        f"modes of {report.subject.model.name} at t = {report.subject.model.units.time_text(report.subject.time)}: "
        f"{count} assembly mode{'s' * (count != 1)}"
        + (f", in {circuits} circuit{'s' * (circuits != 1)}" if driver else "")
    ]
    if driver:
        lines.append(f"  undriven {driver.name} ({driver.of}), now {number(report.value, 4)}{report.unit}")
    lines += [f"  locked   {name} at {value}" for name, value in report.locked.items()]
    ranges = [mode.describe_range(report.unit) if driver else "locked" for mode in report.modes]
    head = f"range of {driver.name}" if driver else "motion"
    width = max(map(len, (head, *ranges)))
    lines.append(f"  mode  circuit  {head:<{width}}  {'other than mode 1' if count > 1 else ''}".rstrip())
    for mode, span in zip(report.modes, ranges, strict=True):
        lines.append(f"  {mode.number:>4}  {mode.circuit:>7}  {span:<{width}}  {mode.other}".rstrip())
    limits = [(n, _limits(circuit, report.unit)) for n, circuit in enumerate(report.circuits, 1)]
    lines += [f"  circuit {n}  {text}" for n, text in limits if text]
    for search in report.searches:
        names = ", ".join(search.unknowns)
        found = f"{search.found} found from {search.starts} starts; a search may miss some"
        lines.append(f"  search   {names}: {found}")
    return "\n".join([*lines, *(f"  note     {note}" for note in report.notes)])


def mode_cells(report: ModeReport) -> Tables:
    """A line for each mode."""
    head = f"range of {report.driver.name}" if report.driver else "motion"
    rows = [
        (str(m.number), str(m.circuit), m.describe_range(report.unit) if report.driver else "locked", m.other)
        for m in report.modes
    ]
    return [[("mode", "circuit", head, "other than mode 1"), *rows], [NO_HEADER, *(("note", n) for n in report.notes)]]


def _limits(circuit: Circuit, unit: str) -> str:
    """The limit positions and change points along a circuit."""
    crossed = [round(value, 6) for value in circuit.change_points]  # located less sharply than limits
    parts = []
    for kind, values in (("limit position", circuit.limits), ("change point", crossed)):
        if values:
            listed = ", ".join(number(value + 0.0, 4) for value in values)
            parts.append(f"{kind}{'s' * (len(values) > 1)} at {listed}{unit}")
    return "; ".join(parts)
