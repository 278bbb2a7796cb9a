"""What the page tells of a model beside its numbers: taken from the record of the run, nothing is solved again."""

from __future__ import annotations

from dataclasses import dataclass

from mubo.analyses.loops import LoopReport, loops_of
from mubo.applications.check.check import CheckReport, along_notes, check_report
from mubo.errors import ModelError
from mubo.mechanism.formulations.loops import Loops
from mubo.results import Run
from mubo.solvers.assembly.start_analysis import look_at


@dataclass(frozen=True)
class Findings:
    """The check of the first position, the loop table where the model has one, and the loops that were solved."""

    check: CheckReport
    table: LoopReport | None
    solved: Loops | None


def findings_of(run: Run) -> Findings:
    """From the inspection that the run began with; a simulation, which begins with none, is looked at once."""
    record = run.record
    look = record.inspection or look_at(record.form.mechanism, record.times[0])
    check = check_report(look, along_notes(run.summary.get("warnings", ())), ran=True)
    return Findings(check, None if record.model.dimension == 3 else _table(look), record.form)


def _table(look: object) -> LoopReport | None:
    try:
        return loops_of(look)  # type: ignore[arg-type]
    except ModelError:
        return None  # the model cannot be written as loops, or its motion is not determined
