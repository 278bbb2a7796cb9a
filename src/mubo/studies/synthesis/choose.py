"""From many solutions to the designs that are shown: judged by closed forms, ranked, the best of them run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.studies.synthesis.design import SHARP, Design, proved
from mubo.studies.synthesis.family import Family
from mubo.studies.synthesis.result import Synthesis
from mubo.studies.synthesis.screen import built, screened
from mubo.studies.synthesis.task import ANGLE, PLACE, Task

MOST = 12  # designs that are run and shown
MOST_REJECTED = 12
ALIKE = 1e-3  # in sizes of the linkage: pins that are closer make the same linkage


def chosen(
    task: Task,
    families: Sequence[Family],
    errors: Sequence[Array] | None = None,
    most: int = MOST,
    notes: Sequence[str] = (),
    spread: float = ALIKE,
) -> Synthesis:
    """Ranks the solutions: those without a defect by their error (in sizes of the task, or degrees), then by
    transmission; runs the best `most`, no two of them alike, and as many of the others as are to be told."""
    good: list[Design] = []
    bad: list[Design] = []
    found = sound = 0
    for number, family in enumerate(families):
        given = errors[number] if errors is not None else np.zeros(len(family))
        there = built(family)
        family, given = family.take(there), given[there]
        found += len(family)
        if not len(family):
            continue
        seen = screened(family, task.whole_turn)
        sound += int(np.sum(seen.sound))
        rank = np.lexsort((-seen.sine, np.where(given < SHARP, 0.0, given), ~seen.sound))
        shown = _apart(family, [int(k) for k in rank if seen.sound[k]], most, spread)
        told = [int(k) for k in rank if not seen.sound[k]][:MOST_REJECTED]
        designs = [proved(task, family, seen, k, "design") for k in [*shown, *told]]
        good += [design for design in designs if design.sound]
        bad += [design for design in designs if not design.sound]
    good.sort(key=lambda design: _merit(task, design))
    kept = [_named(design, f"design_{n}") for n, design in enumerate(good[:most], 1)]
    rejected = [_named(design, f"rejected_{n}") for n, design in enumerate(bad[:MOST_REJECTED], 1)]
    return Synthesis(task, kept, rejected, found, sound, list(notes))


def _apart(family: Family, ranked: list[int], most: int, spread: float) -> list[int]:
    """The best ones, leaving out those that are nearly one of the better ones."""
    if not ranked:
        return []
    first = family.take(slice(None))
    pins = np.stack([first.A, first.B[:, 0], first.C[:, 0], first.B[:, -1], first.C[:, -1]], -1)
    shape = (pins - pins[:, :1]) / np.abs(pins - pins[:, :1]).max(axis=1)[:, None]
    kept: list[int] = []
    for k in ranked:
        if len(kept) == most:
            break
        if all(np.abs(shape[k] - shape[other]).max() > spread for other in kept):
            kept.append(k)
    return kept


def _merit(task: Task, design: Design) -> tuple[float, ...]:
    """Less is better: errors that are none do not count, then transmission decides."""
    place, angle = design.errors.get(PLACE, 0.0) / task.size, design.errors.get(ANGLE, 0.0)
    return (place if place > SHARP else 0.0, angle if angle > SHARP else 0.0, -design.transmission)


def _named(design: Design, name: str) -> Design:
    return replace(design, name=name, model=replace(design.model, name=name.replace("_", " ")))
