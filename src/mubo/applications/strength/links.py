"""Links as beams along a run: stresses, fatigue, buckling, and whether the diagrams of N, V, M close.

Fatigue by the range of stress (Goodman):

    σ_a = (σ_max − σ_min)/2,   σ_m = (σ_max + σ_min)/2 at one place of one side,   1/n = K σ_a/S_f + σ_m/S_u

with S_f the amplitude of full reversal that the material endures, S_u its tensile strength, K the notch factor. A mean
stress that presses is not counted as help: 1/n = K σ_a/S_f. One run is one cycle from its least to its greatest stress.
(Goodman, Mechanics Applied to Engineering, 1899; Shigley, Mechanical Engineering Design, chapter 6.)

Where the material states how many cycles it endures, all cycles of a run count, by rainflow (`fatigue_life.py`). A
compressed link buckles by Euler's or Johnson's formula (`buckling.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from mubo.applications.strength.beams import Beam, InternalForces, pieces_of
from mubo.applications.strength.buckling import CompressedMember
from mubo.applications.strength.checks import StrengthCheck, against, format_value
from mubo.applications.strength.force_history import ForceSample
from mubo.applications.strength.pins import KIND, SHEAR_YIELD
from mubo.applications.strength.rainflow import WoehlerLine
from mubo.applications.strength.stresses import SIDES, largest_compression, largest_shear, largest_stress, normal_stress
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition, Units
from mubo.model.column_names import Column
from mubo.model.parts import Detail
from mubo.results.rounding import clear_number

NONE = 1e-9  # of the largest force times the length: a moment that is rounding
CLOSED = 1e-6  # of the largest force and moment along the beam: a smaller gap is none
STATIONS = 40  # parts of a beam at whose ends fatigue is judged
Peaks = dict[str, tuple[float, float]]  # by word: value and time


@dataclass(frozen=True)
class Link:
    """A beam and its material; `fibre` is the place and side where fatigue is judged."""

    beam: Beam
    material: Detail
    fibre: tuple[float, float] | None = None

    @property
    def owner(self) -> str:
        return self.beam.body

    def columns(self, sample: ForceSample) -> Iterator[tuple[Column, Array]]:
        """The largest stresses along the beam at every time, and how much it is compressed."""
        pieces, section = pieces_of(self.beam, sample), self.beam.section
        yield self._column("stress", "stress"), np.abs(largest_stress(section, pieces).size)
        if section.shear is not None:
            yield self._column("shear", "stress"), np.abs(largest_shear(pieces).size) * section.shear
        yield self._column("compression", "force"), largest_compression(pieces).size
        if self.fibre is not None:
            at, side = self.fibre
            yield self._column("fibre", "stress"), self.stress_at(pieces, np.array([at]), side)[:, 0]

    def _column(self, word: str, holds: str) -> Column:
        return Column(f"{self.owner}.{word}", KIND, self.owner, word, 0, holds)

    def stress_at(self, pieces: InternalForces, s: Array, side: float) -> Array:
        """σ of a side at lengths along the beam: times × lengths."""
        n, _, m = pieces.at(s)
        return normal_stress(self.beam.section, n, m, side)

    def unique(self, sample: ForceSample) -> bool:
        """Whether equilibrium alone determines everything that enters it."""
        exerted = sample.solver.reaction_map
        mine = [k for k, place in enumerate(exerted.places) if place.body == self.owner]
        return bool(sample.forces.unique[:, mine].all())

    def critical_fibre(self, sample: ForceSample) -> tuple[float, float] | None:
        """Place and side of the worst fatigue, among the rows of the sample and the stations of the beam."""
        if self.material["fatigue"] is None or self.material["ultimate"] is None:
            return None
        pieces = pieces_of(self.beam, sample)
        s = pieces.sample_lengths(STATIONS)
        usage = {
            (float(at), side): float(use)
            for side in SIDES
            for at, use in zip(s, self.range_usage([self.stress_at(pieces, s, side)]), strict=True)
        }
        return max(usage, key=lambda place: usage[place])

    def range_usage(self, stresses: Sequence[Array]) -> Array:
        """1/n of the ranges of the stress at places: over tables of times × places."""
        high = np.max([np.nanmax(stress, axis=0) for stress in stresses], axis=0)
        low = np.min([np.nanmin(stress, axis=0) for stress in stresses], axis=0)
        return self._usage(high, low)

    @property
    def endurance(self) -> WoehlerLine | None:
        """The cycles that its material endures; None where they are not stated."""
        names = ("fatigue", "ultimate", "fatigue_cycles", "fatigue_slope")
        numbers = [self.material[name] for name in names]
        if None in numbers:
            return None
        fatigue, ultimate, cycles, slope = numbers
        return WoehlerLine(fatigue, ultimate, cycles, slope, self.beam.detail["notch"] or 1.0)

    def chart_columns(self, sample: ForceSample) -> Iterator[tuple[Column, Array]]:
        """Its utilisation: the largest stress, times the safety asked for, over the yield stress."""
        stress = np.abs(largest_stress(self.beam.section, pieces_of(self.beam, sample)).size)
        asked = self.beam.detail["safety"] or 1.0
        yield self._column("utilisation", "number"), stress * asked / self.material["yield"]

    def _usage(self, high: Array, low: Array) -> Array:
        notch = self.beam.detail["notch"] or 1.0
        return goodman(high, low, self.material["fatigue"], self.material["ultimate"], notch)

    def fatigue_safety(self, low: float, high: float) -> float:
        """The safety factor of a stress that goes between two values."""
        use = float(self._usage(np.array(high), np.array(low)))
        return 1 / use if use > 0 else float("inf")


@dataclass(frozen=True)
class WorstInstant:
    """A beam at its worst instant: N, V, M and both stresses along it."""

    t: float
    s: Array
    n: Array
    v: Array
    m: Array
    at: float  # length along the beam of the largest stress
    side: str


def worst_instant(link: Link, sample: ForceSample, parts: int = 80) -> WorstInstant:
    """The diagrams of a beam at the one time of the sample."""
    pieces = pieces_of(link.beam, sample)
    peak = largest_stress(link.beam.section, pieces)
    s = pieces.sample_lengths(parts)
    n, v, m = (part[0] for part in pieces.at(s))
    return WorstInstant(float(sample.t[0]), s, n, v, m, float(peak.at[0]), SIDES[float(peak.side[0])])


def link_checks(
    model: ModelDefinition, link: Link, peaks: Peaks, worst: WorstInstant | None, span: tuple[float, float] | None
) -> Iterator[StrengthCheck]:
    """Every line of a link; `span` is the least and greatest stress of its weakest fibre."""
    detail, units = link.beam.detail, model.units
    asked, yields = detail["safety"] or 1.0, link.material["yield"]

    def check(what: str, value: float, holds: str, limit: float | None = None, **more: object) -> StrengthCheck:
        safety = more.pop("safety", against(limit, value))
        return StrengthCheck("section", link.owner, what, value, holds, limit, safety, asked, **more)  # type: ignore[arg-type]

    stress, t = peaks["stress"]
    where = format_place(model.units, link, worst.at, worst.side) if worst is not None else ""
    yield check("largest stress", stress, "stress", yields, t=t, where=where, how="|N|/A + |M|/W against yield")
    if "shear" in peaks:
        shear, when = peaks["shear"]
        yield check("shear stress", shear, "stress", SHEAR_YIELD * yields, t=when, how="V S/(I b), allowed yield/√3")
    if span is not None and link.fibre is not None:
        yield range_check(units, link, link.fibre, span)
    yield from _buckling(link, peaks, check)


def range_check(units: Units, link: Link, place: tuple[float, float], span: tuple[float, float]) -> StrengthCheck:
    """Fatigue by the range of the stress at a place, between its least and its greatest value."""
    ends = " to ".join(format_value(units, "stress", end) for end in span)
    detail = link.beam.detail
    return StrengthCheck(
        "section",
        link.owner,
        "fatigue: amplitude",
        (span[1] - span[0]) / 2,
        "stress",
        link.material["fatigue"],
        link.fatigue_safety(*span),
        detail["safety"] or 1.0,
        where=format_place(units, link, place[0], SIDES[place[1]]),
        how=f"Goodman, {ends}, notch factor {detail['notch'] or 1:g}",
    )


def format_place(units: Units, link: Link, at: float, side: str) -> str:
    """A place on a side of a link in words."""
    return f"{format_value(units, 'length', at)} from {link.beam.points[0]}, {side} side"


def _buckling(link: Link, peaks: Peaks, check: Callable[..., StrengthCheck]) -> Iterator[StrengthCheck]:
    force, t = peaks["compression"]
    section, modulus, beam = link.beam.section, link.material["E"], link.beam
    moment = section.least_second_moment
    if not force > 0 or moment is None or modulus is None or not beam.straight:
        return
    factor = beam.detail["length_factor"] or 1.0
    member = CompressedMember(section.area, moment, modulus, link.material["yield"], factor)
    limit = float(member.critical_load(beam.length))
    yield check("buckling: compression", force, "force", limit, t=t, how=member.law(beam.length))


def goodman(high: Array, low: Array, fatigue: float, ultimate: float, notch: float = 1.0) -> Array:
    """1/n of stresses that go between two values.

    >>> float(goodman(np.array(100.0), np.array(-100.0), 200.0, 400.0))
    0.5
    >>> float(goodman(np.array(200.0), np.array(0.0), 200.0, 400.0))
    0.75
    """
    amplitude, mean = (high - low) / 2, (high + low) / 2
    return np.asarray(notch * amplitude / fatigue + np.maximum(mean, 0.0) / ultimate)


def closing_note(model: ModelDefinition, link: Link, sample: ForceSample) -> str:
    """A note on the residual at the end of the beam, and why; empty where its diagrams close."""
    pieces = pieces_of(link.beam, sample)
    force, moment = float(np.nanmax(pieces.gap_force)), float(np.nanmax(pieces.gap_moment))
    along = pieces.at(pieces.sample_lengths(2 * STATIONS))
    pull, cut, bend = (float(np.nanmax(np.abs(part), initial=0.0)) for part in along)
    size = max(pull, cut)
    if force <= CLOSED * size and moment <= CLOSED * max(bend, NONE * size * link.beam.length):
        return ""
    left = " and ".join(
        f"{format_value(model.units, holds, gap)} ({gap / most:.2g} of its largest {word})"
        for holds, word, gap, most in (("force", "force", force, size), ("torque", "moment", moment, bend))
        if clear_number(gap, most)
    )
    gaps = f"{left} at {link.beam.points[-1]}"
    return f"section {link.owner}: its diagrams do not close by {gaps}: {_open_because(model, link.beam)}"


def _open_because(model: ModelDefinition, beam: Beam) -> str:
    """The difference between the body and a bar along its line."""
    body = model.bodies[beam.body].own
    lengths = np.diff(beam.starts)
    middles = (beam.corners[1:] + beam.corners[:-1]) / 2
    centre = lengths @ middles / beam.length
    about = float(np.sum(lengths**3 / 12 + lengths * np.sum((middles - centre) ** 2, axis=1)))
    even = beam.mass * about / beam.length
    given = np.array(body.center or (0.0, 0.0))
    out = []
    if math.dist(given, centre) > 1e-9 * beam.length:
        out.append(f"its centre of mass is {math.dist(given, centre):.4g} away from that of an even line")
    inertia = (body.inertia or (0.0,))[0]
    if not math.isclose(inertia, even, rel_tol=1e-9):
        out.append(f"its inertia is {inertia:.5g} and that of an even line {even:.5g}")
    return " and ".join(out) or "forces act on it that do not enter the beam"
