"""Fatigue of a link over all cycles of a run: rainflow counting at the place where the damage is greatest.

Turning points of the stress are searched between the rows: around each one it is solved on a finer grid, whose highest
values are those of parabolas through three of its points. One run is repeated until the link breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from mubo.applications.strength.beams import pieces_of
from mubo.applications.strength.checks import StrengthCheck
from mubo.applications.strength.force_history import ForceHistory, ForceSample
from mubo.applications.strength.links import STATIONS, Link, format_place
from mubo.applications.strength.rainflow import StressCycle, WoehlerLine, repeated_rainflow
from mubo.applications.strength.stresses import SIDES
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.model import Units

FINER = 8  # parts of a step around a turning point


@dataclass(frozen=True)
class FatigueLife:
    """The place and side of a link where its cycles do the greatest damage, and these cycles of one run."""

    link: Link
    at: float
    side: float
    cycles: tuple[StressCycle, ...]
    damage: float  # of one run
    time: float  # of one run

    @property
    def runs(self) -> float:
        """Runs until the link breaks."""
        return 1 / self.damage if self.damage > 0 else float("inf")


def fatigue_life(history: ForceHistory, link: Link, sample: ForceSample) -> FatigueLife | None:
    """The life of a link; None where its material does not state how many cycles it endures."""
    line = link.endurance
    if line is None or len(sample.t) < 2:
        return None
    pieces = pieces_of(link.beam, sample)
    s = pieces.sample_lengths(STATIONS)
    damages = {
        (place, side): line.damage(repeated_rainflow(stress))
        for side in SIDES
        for place, stress in zip(s.tolist(), link.stress_at(pieces, s, side).T, strict=True)
    }
    at, side = max(damages, key=lambda key: damages[key])

    cycles = tuple(repeated_rainflow(refined_stress(history, link, sample, at, side)))
    return FatigueLife(link, at, side, cycles, line.damage(cycles), float(sample.t[-1] - sample.t[0]))


def refined_stress(history: ForceHistory, link: Link, sample: ForceSample, at: float, side: float) -> Array:
    """The stress at a place at all rows, its turning points searched between them."""

    def solve(times: Array) -> Array:
        return link.stress_at(pieces_of(link.beam, history.at(times)), np.array([at]), side)[:, 0]

    return _refined(sample.t, solve(sample.t), solve)


def _refined(t: Array, values: Array, solve: Callable[[Array], Array]) -> Array:
    """The values with those of turning points between the rows in place of the nearest rows."""
    inner = np.diff(values[:-1]) * np.diff(values[1:]) <= 0
    out = values.copy()
    for k in np.flatnonzero(inner) + 1:
        if values[k - 1] == values[k] == values[k + 1]:
            continue
        fine = np.linspace(t[k - 1], t[k + 1], 2 * FINER + 1)
        found = solve(fine)
        sign = 1.0 if values[k] > min(values[k - 1], values[k + 1]) else -1.0
        j = int(np.clip(np.argmax(sign * found), 1, len(found) - 2))
        a, b, c = found[j - 1 : j + 2]
        bend = a - 2 * b + c
        out[k] = b - (c - a) ** 2 / (8 * bend) if bend * sign < 0 else b
    return out


def life_checks(found: FatigueLife, units: Units, line: WoehlerLine, cycle: str = "run") -> Iterator[StrengthCheck]:
    """Cycles, life in runs (or missions: what repeats is the `cycle`) and in time; the safety is a factor on the
    stress."""
    detail = found.link.beam.detail
    asked, life = detail["safety"] or 1.0, detail["life"]
    owner, where = found.link.owner, format_place(units, found.link, found.at, SIDES[found.side])
    count = sum(cycle.occurrences for cycle in found.cycles)
    yield StrengthCheck("section", owner, f"fatigue: cycles of a {cycle}", count, "number", where=where, how="rainflow")
    how = f"Miner, Goodman, N = {line.cycles:.3g} (S_f/σ)^{line.slope:g}"
    yield StrengthCheck("section", owner, f"fatigue: life in {cycle}s", found.runs, "number", where=where, how=how)
    lasting = found.runs * found.time
    safety = None if life is None else (lasting / life) ** (1 / line.slope)
    more = "safety is a factor on the stress"
    yield StrengthCheck("section", owner, "fatigue: life", lasting, "time", life, safety, asked, how=more)
