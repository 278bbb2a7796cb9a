"""Pins and their bearings: loads, shear, pressure, sliding speed and life.

shear       τ = F / (n π d²/4), n = 1 or 2 planes of shear; allowed up to yield/√3 (von Mises)
pressure    p = F / (d w) on the projected area
sliding     v = |ω| d/2,  sliding distance ∫ v dt

Rolling bearings:

    P_m = (∫ |F|^p |ω| dt / ∫ |ω| dt)^(1/p),   L10 = (C / P_m)^p million revolutions,   p = 3 (ball), 10/3 (roller)

L10 is the basic rating life of ISO 281:2007; the mean effective load weighs by revolutions as in bearing makers'
handbooks (for example NSK Rolling Bearings, average of fluctuating load), written as an integral. ω is the speed of the
second body against the first. Nothing is taken off for a bearing that only swings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from mubo.applications.strength.checks import StrengthCheck, against
from mubo.applications.strength.force_history import ForceSample
from mubo.arrays import Array
from mubo.elements.details import ROLLING
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.model.column_names import Column
from mubo.model.details import material_of
from mubo.model.parts import Detail
from mubo.results.record import Place

KIND = "strength"  # of columns
PLANES = {"single": 1, "double": 2}
EXPONENT = {"ball": 3.0, "roller": 10.0 / 3.0}  # of the load in the life of a bearing
MILLION = 1e6
FAINT = 0.1  # of the largest load: the direction of a smaller one does not wear a ring
SHEAR_YIELD = 1 / math.sqrt(3)  # of the yield stress


@dataclass(frozen=True)
class Pin:
    """A pin where it carries a body: the place of its reaction, and the body that it turns against."""

    detail: Detail
    place: Place
    number: int  # of the place
    first: str

    @property
    def owner(self) -> str:
        return self.place.owner

    @property
    def rolling(self) -> bool:
        """Whether it turns in a rolling bearing."""
        return self.detail["bearing"] in ROLLING

    def name(self, model: ModelDefinition) -> str:
        """The joint; of more than two bodies with the one that it carries."""
        joint, body = self.place.joint, self.place.body
        return joint if len(model.joints[joint].between) == 2 else f"{joint} on {body}"

    def loads(self, sample: ForceSample) -> tuple[Array, Array]:
        """|F| and |ω| at the times of the sample."""
        force = np.linalg.norm(sample.forces.wrenches[:, self.number, :2], axis=1)
        rate = sample.motion_of(self.place.body)[:, 1, 2] - sample.motion_of(self.first)[:, 1, 2]
        return np.asarray(force), np.abs(rate)

    def ring_loads(self, sample: ForceSample) -> Iterator[tuple[str, float]]:
        """How far the load turns against each of the bodies that the pin joins: the ranges of its direction, in
        radians, over the rows with more than a tenth of the largest load."""
        force = sample.forces.wrenches[:, self.number, :2]
        size = np.linalg.norm(force, axis=1)
        counts = size > FAINT * np.nanmax(size, initial=0.0)
        direction = np.arctan2(force[counts, 1], force[counts, 0])
        for body in (self.first, self.place.body):
            seen = np.unwrap(direction - sample.motion_of(body)[counts, 0, 2])
            yield body, float(np.ptp(seen)) if len(seen) else 0.0

    def unique(self, sample: ForceSample) -> bool:
        """Whether equilibrium alone determines its load."""
        return bool(sample.forces.unique[:, self.number, :2].all())

    def columns(self, sample: ForceSample) -> Iterator[tuple[Column, Array]]:
        """Its load, and of a plain bearing speed and p v."""
        force, rate = self.loads(sample)
        d, w = self.detail["diameter"], self.detail["width"]
        yield self._column("f", "force"), force
        if self.detail["bearing"] not in ROLLING:
            yield self._column("sliding", "length", 1), rate * d / 2
            yield self._column("pv", "mass^1 time^-3"), force * rate / (2 * w)

    def chart_columns(self, sample: ForceSample) -> Iterator[tuple[Column, Array]]:
        """Quantities that follow from its load, for charts."""
        area = self.detail["diameter"] * self.detail["width"]
        yield self._column("pressure", "stress"), self.loads(sample)[0] / area

    def _column(self, word: str, holds: str, order: int = 0) -> Column:
        return Column(f"{self.owner}.{word}", KIND, self.owner, word, order, holds)

    def integrands(self, sample: ForceSample) -> list[Array]:
        """|ω|, |F| |ω| and |F|^p |ω|, p of its bearing."""
        force, rate = self.loads(sample)
        power = EXPONENT.get(self.detail["bearing"], 1.0)
        return [rate, force * rate, force**power * rate]


def ring_checks(model: ModelDefinition, pin: Pin, sample: ForceSample) -> Iterator[StrengthCheck]:
    """The seats of a bearing: a ring against which the load turns needs an interference fit, one at which it stands
    may slide (SKF Rolling Bearings, selecting fits: rotating and stationary loads)."""
    for body, turned in pin.ring_loads(sample):
        kind = "turns round: rotating load" if turned >= 2 * math.pi * (1 - 1e-6) else "stays within: stationary load"
        what = f"load direction on {body}"
        yield StrengthCheck("pin", pin.name(model), what, turned, "angle", how=f"{kind} on the ring in {body}")


@dataclass(frozen=True)
class PinDuty:
    """The duty of a pin over a run: its integrals over time, and the largest values with their times."""

    turned: float  # ∫ |ω| dt, radians
    friction_work: float  # ∫ |F| |ω| dt
    weighted: float  # ∫ |F|^p |ω| dt
    time: float  # of the run
    peaks: dict[str, tuple[float, float]]  # by word: value and time
    loose: float = 0.0  # what its integrals may be wrong by, of themselves

    @property
    def revolutions(self) -> float:
        return self.turned / (2 * math.pi)


def pins_of(model: ModelDefinition, places: tuple[Place, ...]) -> list[Pin]:
    """The pins with details, each where it carries its second body; of more bodies every one after the first."""
    out = []
    for detail in model.pins.values():
        first = model.joints[detail.name].between[0].partition(".")[0]
        mine = [k for k, place in enumerate(places) if place.joint == detail.name and place.body != first]
        out += [Pin(detail, places[k], k, first) for k in mine]
    return out


def pin_checks(model: ModelDefinition, pin: Pin, duty: PinDuty, cycle: str = "cycle") -> Iterator[StrengthCheck]:
    """Every line of a pin, those without a limit too; `cycle` is the word for what repeats."""
    detail, asked = pin.detail, pin.detail["safety"] or 1.0
    force, t = duty.peaks["f"]
    name = pin.name(model)

    def check(what: str, value: float, holds: str, limit: float | None = None, **more: object) -> StrengthCheck:
        safety = more.pop("safety", against(limit, value))
        return StrengthCheck("pin", name, what, value, holds, limit, safety, asked, **more)  # type: ignore[arg-type]

    yield check("largest load", force, "force", t=t)
    material = material_of(model, detail)
    planes = PLANES[detail["shear"] or "single"]
    shear = force / (planes * math.pi * detail["diameter"] ** 2 / 4)
    limit = None if material is None else material["yield"] * SHEAR_YIELD
    yield check("shear of the pin", shear, "stress", limit, t=t, how=f"F/({planes} π d²/4), allowed yield/√3")
    pressure = force / (detail["diameter"] * detail["width"])
    yield check("bearing pressure", pressure, "stress", detail["pressure"], t=t, how="F/(d w)")
    if detail["bearing"] in ROLLING:
        yield from _rolling(detail, duty, check, cycle)
    else:
        yield from _plain(detail, duty, check, cycle)


def _rolling(detail: Detail, duty: PinDuty, check: Callable[..., StrengthCheck], cycle: str) -> Iterator[StrengthCheck]:
    bearing = detail["bearing"]
    load = mean_effective_load(duty.weighted, duty.turned, bearing)
    if load is not None:
        power = "3" if bearing == "ball" else "(10/3)"
        yield check("mean effective load", load, "force", how=f"revolutions weigh |F|^{power}")
        life = rating_life(detail["rating"], load, bearing)
        yield check("life L10 in revolutions", life, "number", how=f"(C/P)^{power} million revolutions, ISO 281:2007")
        how = "one run is a cycle" if cycle == "cycle" else "revolutions of all runs"
        yield check(f"life L10 in {cycle}s", life / duty.revolutions, "number", how=how)
        lasting = life / duty.revolutions * duty.time
        asked = detail["life"]
        safety = None if asked is None else load_factor(lasting, asked, bearing)
        yield check("life L10 in time", lasting, "time", asked, safety=safety, how="safety is a factor on the load")
    if detail["static_rating"] is not None:
        force, t = duty.peaks["f"]
        yield check("static load", force, "force", detail["static_rating"], t=t, how="C0/F, ISO 76:2006")


def _plain(detail: Detail, duty: PinDuty, check: Callable[..., StrengthCheck], cycle: str) -> Iterator[StrengthCheck]:
    speed, t = duty.peaks["sliding"]
    yield check("sliding speed", speed, "length/time", detail["speed"], t=t, how="|ω| d/2")
    most, when = duty.peaks["pv"]
    yield check("pressure × speed", most, "stress*length/time", detail["pv"], t=when, how="F |ω|/(2 w)")
    mean = duty.friction_work / (2 * detail["width"] * duty.time) if duty.time > 0 else 0.0
    yield check("mean pressure × speed", mean, "stress*length/time")
    yield check(f"sliding distance of a {cycle}", duty.turned * detail["diameter"] / 2, "length", how="∫ |ω| d/2 dt")


def mean_effective_load(weighted: float, turned: float, bearing: str) -> float | None:
    """P_m from ∫ |F|^p |ω| dt and ∫ |ω| dt; None of a pin that does not turn.

    >>> round(mean_effective_load(2 * 8.0 * 3.0, 6.0, "ball"), 6)
    2.0
    """
    return (weighted / turned) ** (1 / EXPONENT[bearing]) if turned > 0 else None


def rating_life(rating: float, load: float, bearing: str) -> float:
    """L10 in revolutions.

    >>> rating_life(150e3, 15e3, "ball")
    1000000000.0
    """
    return MILLION * (rating / load) ** EXPONENT[bearing] if load > 0 else math.inf


def load_factor(life: float, asked: float, bearing: str) -> float:
    """The factor by which the load may grow until the life is as short as asked: (L/L_asked)^(1/p)."""
    return float((life / asked) ** (1 / EXPONENT[bearing]))
