"""From many solutions to the designs that are shown: judged by closed forms, ranked, the best of them run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.design.synthesis.design import SHARP, Design, proved
from mubo.design.synthesis.family import Family, joined
from mubo.design.synthesis.result import Synthesis
from mubo.design.synthesis.screen import built, screened
from mubo.design.synthesis.task import ANGLE, PLACE, Task

MOST = 12  # designs that are run and shown
MOST_REJECTED, FEW_REJECTED = 12, 3  # that are run and reported one by one; of sampled families
NEAR = 4.0  # times the least error of all: what is farther off is not shown
ALIKE = 1e-3  # in sizes of the linkage: pins that are closer make the same linkage


def chosen(
    task: Task,
    families: Sequence[Family],
    errors: Sequence[Array] | None = None,
    most: int = MOST,
    notes: Sequence[str] = (),
    sampled: bool = False,
    spread: float = 0.0,
) -> Synthesis:
    """Ranks the solutions: those without a defect by their error (in sizes of the task, or degrees), then by
    transmission; runs the best `most`, no two of them alike, and as many of the others as are to be reported.

    Designs of a `sampled` family are shown that differ by the `spread` at least, in sizes of the linkage."""
    good: list[Design] = []
    bad: list[Design] = []
    found, defects = 0, Counter[str]()
    for family, given in _by_kind(families, errors):
        there = built(family)
        if not sampled:
            there[there] = _once(family.take(there), given[there])
        family, given = family.take(there), given[there]
        found += len(family)
        if not len(family):
            continue
        seen = screened(family, task.whole_turn)
        defects.update(seen.tally())
        rank = np.lexsort((-seen.sine, np.where(given < SHARP, 0.0, given), ~seen.sound))
        least = np.min(given[seen.sound], initial=np.inf)
        near = seen.sound & (given <= max(NEAR * least, SHARP))
        shown = _apart(family, [int(k) for k in rank if near[k]], most, spread)
        reported = [int(k) for k in rank if not seen.sound[k]][: FEW_REJECTED if sampled else MOST_REJECTED]
        designs = [proved(task, family, seen, k, "design") for k in [*shown, *reported]]
        good += [design for design in designs if design.sound]
        bad += [design for design in designs if not design.sound]
    kept = ranked(task, good)[:most]
    rejected = [_named(design, f"rejected_{n}") for n, design in enumerate(bad[:MOST_REJECTED], 1)]
    defects.update(_run_only(bad))
    return Synthesis(task, kept, rejected, found, defects, list(notes))


def _run_only(bad: list[Design]) -> Counter[str]:
    """Designs that closed forms find sound and a run does not: they count as such."""
    return Counter("run" for design in bad if design.verdict().startswith("does not"))


def _apart(family: Family, ranked: list[int], most: int, spread: float) -> list[int]:
    """The best ones, leaving out those that are nearly one of the better ones."""
    shape = family.shape()
    kept: list[int] = []
    for k in ranked:
        if len(kept) == most:
            break
        if not kept or np.min(np.abs(shape[kept] - shape[k]).max(axis=1)) > spread:
            kept.append(k)
    return kept


def _once(family: Family, errors: Array) -> Booleans:
    """Each linkage once, the one of the least error: those whose places agree to ALIKE are the same."""
    shape, out = family.shape(), np.zeros(len(family), bool)
    for k in np.argsort(errors, kind="stable"):
        kept = shape[out]
        out[k] = not len(kept) or np.min(np.abs(kept - shape[k]).max(axis=1)) > ALIKE
    return out


def _by_kind(families: Sequence[Family], errors: Sequence[Array] | None) -> list[tuple[Family, Array]]:
    """Families of the same kind as one, with their errors."""
    given = errors if errors is not None else [np.zeros(len(family)) for family in families]
    kinds = dict.fromkeys(type(family) for family in families)
    out = []
    for kind in kinds:
        own = [k for k, family in enumerate(families) if type(family) is kind]
        out.append((joined([families[k] for k in own]), np.concatenate([given[k] for k in own])))
    return out


def ranked(task: Task, designs: Sequence[Design]) -> list[Design]:
    """The best first, named by their rank."""
    order = sorted(designs, key=lambda design: _merit(task, design))
    return [_named(design, f"design_{n}") for n, design in enumerate(order, 1)]


def _merit(task: Task, design: Design) -> tuple[float, ...]:
    """Less is better: errors that are none do not count, then transmission decides."""
    place, angle = design.errors.get(PLACE, 0.0) / task.size, design.errors.get(ANGLE, 0.0)
    off = max((abs(design.errors[text]) / value for text, value in task.numbers.items()), default=0.0)
    return (*(error if error > SHARP else 0.0 for error in (place, angle, off)), -design.transmission)


def _named(design: Design, name: str) -> Design:
    return replace(design, name=name, model=replace(design.model, name=name.replace("_", " ")))
