"""The strength report of a run in space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mubo.applications.clearance.clearance import ClearanceResult
from mubo.applications.strength.force_history import ForceHistory
from mubo.applications.strength.judged_items import (
    JudgedItem,
    Refusals,
    add_item_columns,
    between_with_items,
    item_extremes,
    item_table,
    peaks_of,
)
from mubo.applications.strength.report import Strength
from mubo.applications.strength.space import (
    spatial_link_checks,
    spatial_links,
    spatial_pin_checks,
    spatial_pins,
)
from mubo.errors import ModelError


def strength_in_space(history: ForceHistory, deflected: Sequence[str]) -> Strength:
    """The strength report of a run in space: pins and straight beams."""
    model, run = history.model, history.run
    if deflected:
        raise ModelError("deflection is computed for planar mechanisms only; this one is spatial")
    sample = history.at(run.columns.raw("t"))
    refused = Refusals(sample)
    pins = [pin for pin in spatial_pins(model, run.record.forces.places) if refused.admit(pin, pin.place.joint, "pin")]  # type: ignore[union-attr]
    links = [link for link in spatial_links(model) if refused.admit(link, link.owner, "section")]
    items: list[JudgedItem] = [*pins, *links]
    extremes = item_extremes(history, items, item_table(items, sample))
    checks = [check for pin in pins for check in spatial_pin_checks(model, pin, peaks_of(extremes, pin.owner))]
    for link in links:
        peaks = peaks_of(extremes, link.owner)
        at = link.where(history.at(np.array([peaks["stress"][1]])))
        checks += spatial_link_checks(model, link, peaks, at)
    notes = [*refused.notes, *(note for link in links if (note := link.closing_note(model, sample)))]
    record = replace(run.record, between=between_with_items(history, items))
    run = replace(run, summary=run.summary, record=record)
    add_item_columns(run.columns, items, sample)
    nothing = ClearanceResult(history, sample, (), (), ())
    return Strength(run, tuple(checks), {}, {}, {}, nothing, tuple(notes), dict(refused.why))
