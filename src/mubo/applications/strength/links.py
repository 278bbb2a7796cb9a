"""Links as beams in the course of a run: columns of their stresses, and whether they stand them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from mubo.applications.strength.beams import Beam, InternalForces, pieces_of
from mubo.applications.strength.buckling import euler
from mubo.applications.strength.checks import StrengthCheck, against
from mubo.applications.strength.display_units import shown
from mubo.applications.strength.fatigue import goodman
from mubo.applications.strength.force_history import Seen
from mubo.applications.strength.pins import KIND, SHEAR_YIELD
from mubo.applications.strength.stresses import SIDES, largest_compression, largest_shear, largest_stress, normal_stress
from mubo.arrays import Array
from mubo.model import ModelDefinition
from mubo.model.column_names import Column
from mubo.model.parts import Detail

STATIONS = 40  # parts of a beam at whose ends fatigue is judged
Peaks = dict[str, tuple[float, float]]  # by word: value and time


@dataclass(frozen=True)
class Link:
    """A beam and the material that it is made of; `fibre` is the place and side where fatigue is judged."""

    beam: Beam
    material: Detail
    fibre: tuple[float, float] | None = None

    @property
    def owner(self) -> str:
        return self.beam.body

    def columns(self, seen: Seen) -> Iterator[tuple[Column, Array]]:
        """The largest stresses along the beam at every time, and how much it is compressed."""
        pieces, section = pieces_of(self.beam, seen), self.beam.section
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

    def unique(self, seen: Seen) -> bool:
        """Whether equilibrium alone determines everything that enters it."""
        exerted = seen.solver.exerted
        mine = [k for k, place in enumerate(exerted.places) if place.body == self.owner]
        return bool(seen.found.unique[:, mine].all())

    def weakest(self, seen: Seen) -> tuple[float, float] | None:
        """Place and side of the worst fatigue, of the rows seen and the stations of the beam."""
        if self.material["fatigue"] is None or self.material["ultimate"] is None:
            return None
        pieces = pieces_of(self.beam, seen)
        s = np.linspace(0, self.beam.length, STATIONS + 1)
        told = {}
        for side in SIDES:
            stress = self.stress_at(pieces, s, side)
            use = self._use(np.nanmax(stress, axis=0), np.nanmin(stress, axis=0))
            k = int(np.argmax(use))
            told[float(s[k]), side] = float(use[k])
        return max(told, key=lambda place: told[place])

    def _use(self, high: Array, low: Array) -> Array:
        notch = self.beam.detail["notch"] or 1.0
        return goodman(high, low, self.material["fatigue"], self.material["ultimate"], notch)

    def endures(self, low: float, high: float) -> float:
        """The safety factor of a stress that goes between two values."""
        use = float(self._use(np.array(high), np.array(low)))
        return 1 / use if use > 0 else float("inf")


@dataclass(frozen=True)
class Worst:
    """A beam at its worst instant: N, V, M and both stresses along it."""

    t: float
    s: Array
    n: Array
    v: Array
    m: Array
    at: float  # length along the beam of the largest stress
    side: str


def worst_of(link: Link, seen: Seen, count: int = 81) -> Worst:
    """The diagrams at the one time seen."""
    pieces = pieces_of(link.beam, seen)
    peak = largest_stress(link.beam.section, pieces)
    s = np.linspace(0, link.beam.length, count)
    n, v, m = (part[0] for part in pieces.at(s))
    return Worst(float(seen.t[0]), s, n, v, m, float(peak.at[0]), SIDES[float(peak.side[0])])


def link_checks(
    model: ModelDefinition, link: Link, peaks: Peaks, worst: Worst | None, span: tuple[float, float] | None
) -> Iterator[StrengthCheck]:
    """Every line of a link; `span` is the least and greatest stress of its weakest fibre."""
    detail, units = link.beam.detail, model.units
    asked, yields = detail["safety"] or 1.0, link.material["yield"]

    def check(what: str, value: float, holds: str, limit: float | None = None, **more: object) -> StrengthCheck:
        safety = more.pop("safety", against(limit, value))
        return StrengthCheck("section", link.owner, what, value, holds, limit, safety, asked, **more)  # type: ignore[arg-type]

    stress, t = peaks["stress"]
    where = _place(model, link, worst.at, worst.side) if worst is not None else ""
    yield check("largest stress", stress, "stress", yields, t=t, where=where, how="|N|/A + |M|/W against yield")
    if "shear" in peaks:
        shear, when = peaks["shear"]
        yield check("shear stress", shear, "stress", SHEAR_YIELD * yields, t=when, how="V S/(I b), allowed yield/√3")
    if span is not None and link.fibre is not None:
        ends = " to ".join(shown(units, "stress", end) for end in span)
        more = {"safety": link.endures(*span), "where": _place(model, link, link.fibre[0], SIDES[link.fibre[1]])}
        how = f"Goodman, {ends}, notch factor {detail['notch'] or 1:g}"
        half = (span[1] - span[0]) / 2
        yield check("fatigue: amplitude", half, "stress", link.material["fatigue"], how=how, **more)
    yield from _buckling(link, peaks, check)


def _place(model: ModelDefinition, link: Link, at: float, side: str) -> str:
    return f"{shown(model.units, 'length', at)} from {link.beam.points[0]}, {side} side"


def _buckling(link: Link, peaks: Peaks, check: Callable[..., StrengthCheck]) -> Iterator[StrengthCheck]:
    force, t = peaks["compression"]
    moment, modulus, beam = link.beam.section.least_second_moment, link.material["E"], link.beam
    if not force > 0 or moment is None or modulus is None or not beam.straight:
        return
    factor = beam.detail["length_factor"] or 1.0
    strut = euler(beam.length, beam.section.area, moment, modulus, link.material["yield"], factor)
    slow = f"slenderness {strut.slenderness:.4g}"
    if strut.slender:
        yield check("buckling: compression", force, "force", strut.load, t=t, how=f"Euler, {slow}")
    else:
        yield check(
            "compression", force, "force", t=t, how=f"{slow}, below {strut.least:.4g}: yields before it buckles"
        )
