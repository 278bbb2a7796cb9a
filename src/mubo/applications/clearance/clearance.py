"""Clearance: the swept areas of bodies, the least distances between them, and keep-out regions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from mubo.applications.clearance.distances import (
    InterferenceInterval,
    clearance,
    interference_intervals,
    nearest,
)
from mubo.applications.clearance.envelope import Envelope, envelope, more_positions, swept_corners
from mubo.applications.clearance.outlines import Outline, keepout_of, outline_of
from mubo.applications.strength.checks import StrengthCheck
from mubo.applications.strength.force_history import ForceHistory, ForceSample
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.model import GROUND, ModelDefinition
from mubo.model.column_names import Column
from mubo.note import Note
from mubo.results import Event

KIND = "strength"  # of columns
MOST_PAIRS = 300
BESIDE = 1e-6  # of the time of a run: beside a singular position


@dataclass(frozen=True)
class ClearancePair:
    """Two outlines whose distance is evaluated: two bodies, or a body and a keep-out region."""

    one: Outline
    two: Outline
    least: float | None = None  # asked for, of a keep-out

    @property
    def owner(self) -> str:
        return f"{self.one.name}_to_{self.two.name}"

    def columns(self, sample: ForceSample) -> Iterator[tuple[Column, Array]]:
        """The gap between them over time."""
        gap = clearance(sample, self.one, self.two)
        yield Column(f"{self.owner}.clearance", KIND, self.owner, "clearance", 0, "length"), gap


@dataclass(frozen=True)
class Clearance:
    """The least gap between two outlines with its time and place; where they touch, from when to when."""

    watched: ClearancePair
    gap: float
    t: float
    at: tuple[float, float]
    touching: tuple[InterferenceInterval, ...]

    @property
    def names(self) -> str:
        """Both outlines: "coupler and housing"."""
        return f"{self.watched.one.name} and {self.watched.two.name}"


@dataclass(frozen=True, eq=False)
class ClearanceResult:
    """Outlines over the motion, clearances between them, and intervals of interference."""

    history: ForceHistory
    sample: ForceSample  # at the rows
    outlines: tuple[Outline, ...]
    clearances: tuple[Clearance, ...]
    notes: tuple[str, ...]

    @cached_property
    def envelopes(self) -> dict[str, Envelope]:
        """The swept area of every moving body, and under "all" everything together."""
        moving = [outline for outline in self.outlines if outline.body != GROUND]
        sample = self._closer(moving)
        swept = {outline.name: swept_corners(outline, sample.motion_of(outline.body)[:, 0]) for outline in moving}
        out = {name: envelope(name, parts) for name, parts in swept.items()}
        if len(out) > 1:
            out["all"] = envelope("all", [part for parts in swept.values() for part in parts])
        return out

    def _closer(self, moving: list[Outline]) -> ForceSample:
        """The motion at positions so close that corners stay near their chords, within reason."""
        parts = max((more_positions(o, self.sample.motion_of(o.body)[:, 0]) for o in moving), default=1)
        if parts == 1:
            return self.sample
        t = self.sample.t
        between = (t[:-1, None] + np.diff(t)[:, None] * np.arange(parts) / parts).ravel()
        return self.history.at(np.append(between, t[-1]))

    @property
    def keepouts(self) -> list[Outline]:
        """The keep-out regions."""
        kept = (found.watched for found in self.clearances if found.watched.least is not None)
        return list({watched.two.name: watched.two for watched in kept}.values())

    @property
    def checks(self) -> Iterator[StrengthCheck]:
        """A line for every distance."""
        for found in self.clearances:
            least, watched = found.watched.least, found.watched
            kept, limit = least is not None, least or 0.0
            fits = found.gap >= limit if kept and limit > 0 else found.gap > 0
            place = f"({', '.join(f'{round(x, 9) + 0.0:.5g}' for x in found.at)})"
            place += "; they meet" if found.gap <= 0 else ""
            table, name = ("keepout", watched.two.name) if kept else ("clearance", found.names)
            what = f"distance of {watched.one.name}" if kept else "least distance"
            stated_limit = least if kept and least else None
            yield StrengthCheck(table, name, what, found.gap, "length", stated_limit, t=found.t, where=place, fits=fits)

    @property
    def events(self) -> Iterator[Event]:
        """Interference: from when to when."""
        for found in self.clearances:
            for span in found.touching:
                bodies = (found.watched.one.name, found.watched.two.name)
                units = self.history.model.units
                fact = Note("events.interference", names=found.names, start=span.start, end=span.end, units=units)
                yield Event("interference", span.start, {}, bodies, fact)


@dataclass(frozen=True)
class ClearanceWatch:
    """The distances and regions to evaluate along a motion, before their extremes are known."""

    history: ForceHistory
    sample: ForceSample
    outlines: tuple[Outline, ...]
    watched: tuple[ClearancePair, ...]
    notes: tuple[str, ...]

    def evaluate(self, extremes: dict[str, Any]) -> ClearanceResult:
        """The clearances with the least distances that were found."""
        found = tuple(self._clearance(watched, extremes[f"{watched.owner}.clearance"]) for watched in self.watched)
        return ClearanceResult(self.history, self.sample, self.outlines, found, self.notes)

    def _clearance(self, watched: ClearancePair, entry: dict[str, Any]) -> Clearance:
        gap, t = entry["min"]
        at = nearest(self._position(t), watched.one, watched.two)
        spans = interference_intervals(self.history, self.sample, watched.one, watched.two, t if gap <= 0 else None)
        return Clearance(watched, gap, t, at, tuple(spans))

    def _position(self, t: float) -> ForceSample:
        """The position at a time or, where a singular position is too close to solve it alone, beside it."""
        beside = BESIDE * float(np.ptp(self.sample.t))
        found = (self.history.at(np.array([t + side * beside])) for side in (0, -1, 1))
        return next(sample for sample in found if len(sample.t))


def watch_clearances(history: ForceHistory, sample: ForceSample) -> ClearanceWatch:
    """The clearances to evaluate in a model: of bodies that are not joined and lie in one layer, and of keep-outs."""
    model = history.model
    named = [GROUND, *sample.solver.form.free] if GROUND in model.outlines else list(sample.solver.form.free)
    outlines = [outline for name in named if (outline := outline_of(model, name)) is not None]
    joined = _joined(model)
    pairs = [
        ClearancePair(one, two)
        for one, two in combinations(outlines, 2)
        if one.layer == two.layer and frozenset((one.body, two.body)) not in joined
    ]
    notes = []
    if len(pairs) > MOST_PAIRS:
        notes.append(f"{len(pairs)} pairs of bodies are not joined: clearances are computed for the first {MOST_PAIRS}")
    bare = [name for name in sample.solver.form.free if outline_of(model, name) is None]
    if bare:
        notes.append(f"{', '.join(bare)}: no points, no shape and no [outline.BODY] give its outline")
    pairs = pairs[:MOST_PAIRS]
    for detail in model.keepouts.values():
        region = keepout_of(detail)
        inside = [o for o in outlines if o.body != GROUND and (detail["bodies"] is None or o.body in detail["bodies"])]
        pairs += [ClearancePair(outline, region, detail["clearance"] or 0.0) for outline in inside]
    return ClearanceWatch(history, sample, tuple(outlines), tuple(pairs), tuple(notes))


def _joined(model: ModelDefinition) -> set[frozenset[str]]:
    """Pairs of bodies that a joint connects."""
    ends = [{end.partition(".")[0] for end in joint.between} for joint in model.joints.values()]
    return {frozenset(pair) for bodies in ends for pair in combinations(sorted(bodies), 2)}
