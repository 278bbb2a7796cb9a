"""Space budget: what a mechanism sweeps, how close its bodies come to each other, and what must be kept free."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from mubo.applications.clearance.distances import clearance, nearest
from mubo.applications.clearance.envelope import Envelope, envelope, more_positions, swept_corners
from mubo.applications.clearance.interference import InterferenceInterval, touching
from mubo.applications.clearance.outlines import Outline, keepout_of, outline_of
from mubo.applications.strength.checks import StrengthCheck
from mubo.applications.strength.force_history import Course, Seen
from mubo.arrays import Array
from mubo.model import GROUND, ModelDefinition
from mubo.model.column_names import Column
from mubo.results import Event

KIND = "strength"  # of columns
MOST_PAIRS = 300


@dataclass(frozen=True)
class ClearancePair:
    """Two outlines whose distance is watched: two bodies, or a body and a keep-out."""

    one: Outline
    two: Outline
    least: float | None = None  # asked for, of a keep-out

    @property
    def owner(self) -> str:
        return f"{self.one.name}_to_{self.two.name}"

    def columns(self, seen: Seen) -> Iterator[tuple[Column, Array]]:
        """The gap between them over time."""
        gap = clearance(seen, self.one, self.two)
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
    def words(self) -> str:
        return f"{self.watched.one.name} and {self.watched.two.name}"


@dataclass(frozen=True, eq=False)
class SpaceBudget:
    """Outlines over the motion, clearances, and what happened between them."""

    course: Course
    seen: Seen  # at the rows
    outlines: tuple[Outline, ...]
    clearances: tuple[Clearance, ...]
    notes: tuple[str, ...]

    @cached_property
    def envelopes(self) -> dict[str, Envelope]:
        """The swept area of every moving body, and under "all" everything together."""
        moving = [outline for outline in self.outlines if outline.body != GROUND]
        seen = self._closer(moving)
        swept = {outline.name: swept_corners(outline, seen.of(outline.body)[:, 0]) for outline in moving}
        out = {name: envelope(name, parts) for name, parts in swept.items()}
        if len(out) > 1:
            out["all"] = envelope("all", [part for parts in swept.values() for part in parts])
        return out

    def _closer(self, moving: list[Outline]) -> Seen:
        """The motion at positions so close that corners stay near their chords, within reason."""
        parts = max((more_positions(o, self.seen.of(o.body)[:, 0]) for o in moving), default=1)
        if parts == 1:
            return self.seen
        t = self.seen.t
        between = (t[:-1, None] + np.diff(t)[:, None] * np.arange(parts) / parts).ravel()
        return self.course.at(np.append(between, t[-1]))

    @property
    def keepouts(self) -> list[Outline]:
        """The regions where nothing may come."""
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
            table, name = ("keepout", watched.two.name) if kept else ("clearance", found.words)
            what = f"distance of {watched.one.name}" if kept else "least distance"
            limit_told = least if kept and least else None
            yield StrengthCheck(table, name, what, found.gap, "length", limit_told, t=found.t, where=place, fits=fits)

    @property
    def events(self) -> Iterator[Event]:
        """Interference: from when to when."""
        for found in self.clearances:
            for span in found.touching:
                bodies = (found.watched.one.name, found.watched.two.name)
                text = f"{found.words} interfere from t = {span.start:.9g} to {span.end:.9g}"
                yield Event("interference", span.start, {}, bodies, text)


@dataclass(frozen=True)
class Budgeting:
    """The distances and regions watched along a course, before its extremes are known."""

    course: Course
    seen: Seen
    outlines: tuple[Outline, ...]
    watched: tuple[ClearancePair, ...]
    notes: tuple[str, ...]

    def judged(self, told: dict[str, Any]) -> SpaceBudget:
        """With the least distances that were found."""
        found = tuple(self._clearance(watched, told[f"{watched.owner}.clearance"]) for watched in self.watched)
        return SpaceBudget(self.course, self.seen, self.outlines, found, self.notes)

    def _clearance(self, watched: ClearancePair, entry: dict[str, Any]) -> Clearance:
        gap, t = entry["min"]
        at = nearest(self.course.at(np.array([t])), watched.one, watched.two)
        spans = touching(self.course, self.seen, watched.one, watched.two, t if gap <= 0 else None)
        return Clearance(watched, gap, t, at, tuple(spans))


def space_budget(course: Course, seen: Seen) -> Budgeting:
    """The clearances to watch in a model: bodies that are not joined and lie in one layer, and keep-outs."""
    model = course.model
    named = [GROUND, *seen.solver.form.free] if GROUND in model.outlines else list(seen.solver.form.free)
    outlines = [outline for name in named if (outline := outline_of(model, name)) is not None]
    joined = _joined(model)
    pairs = [
        ClearancePair(one, two)
        for one, two in combinations(outlines, 2)
        if one.layer == two.layer and frozenset((one.body, two.body)) not in joined
    ]
    notes = []
    if len(pairs) > MOST_PAIRS:
        notes.append(f"{len(pairs)} pairs of bodies are not joined: clearances are told of the first {MOST_PAIRS}")
    bare = [name for name in seen.solver.form.free if outline_of(model, name) is None]
    if bare:
        notes.append(f"{', '.join(bare)}: neither points, a shape nor [outline.BODY] say what room it takes")
    pairs = pairs[:MOST_PAIRS]
    for detail in model.keepouts.values():
        region = keepout_of(detail)
        inside = [o for o in outlines if o.body != GROUND and (detail["bodies"] is None or o.body in detail["bodies"])]
        pairs += [ClearancePair(outline, region, detail["clearance"] or 0.0) for outline in inside]
    return Budgeting(course, seen, tuple(outlines), tuple(pairs), tuple(notes))


def _joined(model: ModelDefinition) -> set[frozenset[str]]:
    """Pairs of bodies that a joint holds together."""
    ends = [{end.partition(".")[0] for end in joint.between} for joint in model.joints.values()]
    return {frozenset(pair) for bodies in ends for pair in combinations(sorted(bodies), 2)}
