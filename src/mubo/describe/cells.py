"""Results as the cells of tables, for notebooks: runs, models and design studies."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.describe.design import change_text, front_rows, is_rounding
from mubo.describe.layout import NO_HEADER, Row, Tables
from mubo.design.batch import Batch
from mubo.design.optimize.optimum import Optimum
from mubo.design.pareto.result import ParetoFront
from mubo.design.sensitivity import Sensitivity
from mubo.design.sweep_result import Sweep
from mubo.design.synthesis.result import Synthesis
from mubo.design.tolerance_result import Tolerances
from mubo.laws.number_text import number, signed_number
from mubo.model import GROUND
from mubo.results import Run

MOST_ROWS = 20  # of variants in one table
MOST_NAMES = 12  # of parts of one kind


def run_cells(run: Run) -> Tables:
    """The labelled lines of a run."""
    return [[NO_HEADER, *run.lines()]]


def model_cells(model: Any) -> Tables:
    """The names of the parts of a model, a line for each kind."""
    built = model.build()
    rows: list[Row] = [("model", repr(built))]
    for part in ("bodies", "joints", "drivers", "forces", "parameters", "measures", "events"):
        names = [name for name in getattr(built, part) if name != GROUND]
        more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        if names:
            rows.append((part, ", ".join(names[:MOST_NAMES]) + more))
    return [[NO_HEADER, *rows]]


def sweep_cells(sweep: Sweep) -> Tables:
    """The first variants of a sweep."""
    rows = [
        (*(number(sweep[name][k]) for name in sweep.names), sweep.status[k]) for k in range(min(len(sweep), MOST_ROWS))
    ]
    return [_caption(sweep), [(*sweep.header(), "status"), *rows, *_left_out(len(sweep), len(sweep.names) + 1)]]


def batch_cells(batch: Batch) -> Tables:
    """The first variants of a batch, with the time that each reached."""
    unit, shown = batch.model.units.time, range(min(len(batch), MOST_ROWS))
    head = ("variant", *(dimension.name for dimension in batch.dimensions), f"reached t [{unit}]", "status")
    rows = [
        (
            str(k),
            *(", ".join(number(x) for x in np.ravel(one.values[k])) for one in batch.dimensions),
            f"{batch.t[batch.reached[k]]:.6g}" if batch.reached[k] >= 0 else "–",
            batch.messages.get(k, "ok"),
        )
        for k in shown
    ]
    return [_caption(batch), [head, *rows, *_left_out(len(batch), len(head))]]


def _caption(result: Any) -> list[Row]:
    return [NO_HEADER, ("variants", str(result).partition("\n")[0])]


def _left_out(count: int, wide: int) -> list[Row]:
    """The last line of a table that has more lines than are shown."""
    return [(f"… {count - MOST_ROWS} more", *[""] * (wide - 1))] if count > MOST_ROWS else []


def sensitivity_cells(found: Sensitivity) -> Tables:
    """A line for each measure and parameter."""
    rows = []
    for line in found.lines:
        nothing = is_rounding(line, [one for one in found.lines if one.measure == line.measure])
        derivative = "0" if nothing else f"{signed_number(line.derivative)} {line.unit_of_derivative}".rstrip()
        measure = f"{line.measure} = {number(line.value, 4)} {line.unit}".rstrip()
        rows.append((measure, line.parameter, derivative, "" if nothing else change_text(line)))
    return [[("measure", "parameter", "derivative", "change"), *rows]]


def tolerance_cells(found: Tolerances) -> Tables:
    """A line for each measure: its limits, and the share of each source."""
    kinds = list(found[found.measures[0]]) if found.measures else []
    head = ("measure", *kinds, *(f"{source} [%]" for source in found.sources))
    rows = [
        (
            f"{name} {unit}".rstrip(),
            *(number(found[name][kind]) for kind in kinds),
            *(f"{100 * share:.3g}" for share in found.shares[k]),
        )
        for k, name in enumerate(found.measures)
        for unit in [found.stack.sensitivity.units[name]]
    ]
    return [[head, *rows]]


def optimum_cells(found: Optimum) -> Tables:
    """Goal, limits and parameters before and after, the starts and the proof."""
    units = found.asked.units
    rows = [
        (name, number(before), number(after), units.get(name, ""))
        for name, (before, after) in {**found.numbers, **found.parameters}.items()
    ]
    ends = [
        ("reached", ", ".join(found.active) or "no limit and no bound"),
        ("starts", f"{found.ended_there} of {len(found.ends)} ended here"),
        ("proof", found.proof.verdict),
    ]
    return [[("", "before", "after", "unit"), *rows], [NO_HEADER, *ends]]


def front_cells(found: ParetoFront) -> Tables:
    """A line for each design of a front."""
    return [[tuple(found.header), *front_rows(found)]]


def synthesis_cells(found: Synthesis) -> Tables:
    """A line for each design, and the notes."""
    rows = [
        [number(x, 5) if isinstance(x, float) else str(x) for x in row] for row in found.rows()[: len(found.designs)]
    ]
    first = str(found).partition("\n")[0]
    notes = [("note", note) for note in found.notes]
    return [[NO_HEADER, ("task", first)], [found.header, *rows], [NO_HEADER, *notes]]
