"""Fatigue of a link over a mission: several kinds of runs, each so many times, one kind after the other.

A kind of run that is repeated n times adds n − 1 times the cycles of its endless repetition; those of one pass through
all kinds, joined end to end and repeated, count once. That is the rainflow count of the whole mission, because what a
material remembers after the first pass of a periodic history closes with every further one (memory of hysteresis:
Masing 1926; Clormann and Seeger, Stahlbau 55, 1986). The damage of all cycles adds up (Palmgren, Miner).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from mubo.applications.strength.beams import pieces_of
from mubo.applications.strength.fatigue_life import FatigueLife, refined_stress
from mubo.applications.strength.force_history import ForceHistory, ForceSample
from mubo.applications.strength.judged_items import item_extremes, item_table
from mubo.applications.strength.links import KIND, STATIONS, Link
from mubo.applications.strength.rainflow import StressCycle, WoehlerLine, repeated_rainflow
from mubo.applications.strength.stresses import SIDES
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.model.column_names import Column

Kind = tuple[Link, ForceHistory, ForceSample]  # of runs: the link, its motion, and the sample at the rows
Place = tuple[float, float]  # along a link, and its side


@dataclass(frozen=True)
class MissionLife:
    """The place of a link where a mission does the greatest damage, and the share of each kind of run in it."""

    life: FatigueLife
    shares: tuple[float, ...]  # what is left of 1 comes from the changes between kinds of runs


def mission_cycles(histories: Sequence[Array], runs: Sequence[int]) -> list[StressCycle]:
    """The cycles of a mission that is repeated: of histories, each so many times, one after the other.

    >>> [cycle.range for cycle in mission_cycles([np.array([0, 1, -1, 0]), np.array([0, 3, 0])], [1, 1])]
    [1.0, 4.0]
    >>> sum(cycle.occurrences for cycle in mission_cycles([np.array([0, 1, -1, 0])], [1000]))
    1000.0
    """
    out = repeated_rainflow(np.concatenate(histories))
    for history, count in zip(histories, runs, strict=True):
        if count > 1:
            out += [c._replace(occurrences=c.occurrences * (count - 1)) for c in repeated_rainflow(history)]
    return out


def mission_life(kinds: Sequence[Kind], runs: Sequence[int]) -> MissionLife | None:
    """The life of a link in missions; None where its material does not state how many cycles it endures."""
    line = kinds[0][0].endurance
    if line is None or any(len(sample.t) < 2 for _, _, sample in kinds):
        return None
    s, stresses = _stresses(kinds)
    damages = {
        (float(at), side): line.damage(mission_cycles([stress[:, k] for stress in stresses[side]], runs))
        for side in SIDES
        for k, at in enumerate(s)
    }
    at, side = max(damages, key=lambda place: damages[place])
    found = [refined_stress(history, link, sample, at, side) for link, history, sample in kinds]
    cycles = tuple(mission_cycles(found, runs))
    time = sum(n * float(sample.t[-1] - sample.t[0]) for n, (_, _, sample) in zip(runs, kinds, strict=True))
    life = FatigueLife(kinds[0][0], at, side, cycles, line.damage(cycles), time)
    return MissionLife(life, tuple(_shares(line, found, runs, life.damage)))


def _shares(line: WoehlerLine, found: Sequence[Array], runs: Sequence[int], whole: float) -> Iterator[float]:
    for stress, count in zip(found, runs, strict=True):
        yield count * line.damage(repeated_rainflow(stress)) / whole if 0 < whole < np.inf else 0.0


@dataclass(frozen=True)
class _StressAtPlace:
    """The stress of one place and side of a link as a column."""

    link: Link
    place: Place

    @property
    def owner(self) -> str:
        return self.link.owner

    def columns(self, sample: ForceSample) -> Iterator[tuple[Column, Array]]:
        stress = self.link.stress_at(pieces_of(self.link.beam, sample), np.array(self.place[:1]), self.place[1])
        yield Column(f"{self.owner}.place", KIND, self.owner, "place", 0, "stress"), stress[:, 0]


def mission_range(kinds: Sequence[Kind]) -> tuple[Place, tuple[float, float]] | None:
    """The place and side of a link of the worst fatigue over all kinds of runs by the range of its stress, with the
    least and greatest stress, searched between rows."""
    first = kinds[0][0]
    if first.fibre is None:
        return None
    s, stresses = _stresses(kinds)
    usage: Mapping[Place, float] = {
        (float(at), side): float(use)
        for side in SIDES
        for at, use in zip(s, first.range_usage(stresses[side]), strict=True)
    }
    place = max(usage, key=lambda one: usage[one])
    ends = [_extremes(_StressAtPlace(link, place), history, sample) for link, history, sample in kinds]
    return place, (min(low for low, _ in ends), max(high for _, high in ends))


def _stresses(kinds: Sequence[Kind]) -> tuple[Array, dict[float, list[Array]]]:
    """Places along the link, and of both sides the stress there at the rows of all kinds of runs."""
    link, _, sample = kinds[0]
    s = pieces_of(link.beam, sample).sample_lengths(STATIONS)
    return s, {side: [one.stress_at(pieces_of(one.beam, seen), s, side) for one, _, seen in kinds] for side in SIDES}


def _extremes(item: _StressAtPlace, history: ForceHistory, sample: ForceSample) -> tuple[float, float]:
    found = item_extremes(history, [item], item_table([item], sample))[f"{item.owner}.place"]
    return found["min"][0], found["max"][0]
