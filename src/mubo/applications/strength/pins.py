"""Pins: what they carry while they turn, and whether pin and bearing stand it.

shear       τ = F / (n π d²/4), n = 1 or 2 planes of shear; allowed up to yield/√3 (von Mises)
pressure    p = F / (d w) on the projected area
sliding     v = |ω| d/2,  sliding distance ∫ v dt
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from mubo.applications.strength.bearings import EXPONENT, load_factor, mean_effective_load, rating_life
from mubo.applications.strength.checks import StrengthCheck, against
from mubo.applications.strength.force_history import Seen
from mubo.arrays import Array
from mubo.elements.details import ROLLING
from mubo.model import ModelDefinition
from mubo.model.column_names import Column
from mubo.model.details import material_of
from mubo.model.parts import Detail
from mubo.results.forces import Place

KIND = "strength"  # of columns
PLANES = {"single": 1, "double": 2}
SHEAR_YIELD = 1 / math.sqrt(3)  # of the yield stress


@dataclass(frozen=True)
class Pin:
    """A pin where it carries a body: the reaction that is reported for it, and the body that it turns against."""

    detail: Detail
    place: Place
    number: int  # of the place
    first: str

    @property
    def owner(self) -> str:
        return self.place.owner

    def name(self, model: ModelDefinition) -> str:
        """The joint; of more than two bodies with the one that it carries."""
        joint, body = self.place.joint, self.place.body
        return joint if len(model.joints[joint].between) == 2 else f"{joint} on {body}"

    def loads(self, seen: Seen) -> tuple[Array, Array]:
        """|F| and |ω| at the times seen."""
        force = np.linalg.norm(seen.found.wrenches[:, self.number, :2], axis=1)
        rate = seen.of(self.place.body)[:, 1, 2] - seen.of(self.first)[:, 1, 2]
        return np.asarray(force), np.abs(rate)

    def unique(self, seen: Seen) -> bool:
        """Whether equilibrium alone determines what it carries."""
        return bool(seen.found.unique[:, self.number, :2].all())

    def columns(self, seen: Seen) -> Iterator[tuple[Column, Array]]:
        """Its load, and of a plain bearing speed and p v."""
        force, rate = self.loads(seen)
        d, w = self.detail["diameter"], self.detail["width"]
        yield self._column("f", "force"), force
        if self.detail["bearing"] not in ROLLING:
            yield self._column("sliding", "length", 1), rate * d / 2
            yield self._column("pv", "mass^1 time^-3"), force * rate / (2 * w)

    def shown(self, seen: Seen) -> Iterator[tuple[Column, Array]]:
        """Quantities that follow from its load, for charts."""
        area = self.detail["diameter"] * self.detail["width"]
        yield self._column("pressure", "stress"), self.loads(seen)[0] / area

    def _column(self, word: str, holds: str, order: int = 0) -> Column:
        return Column(f"{self.owner}.{word}", KIND, self.owner, word, order, holds)

    def integrands(self, seen: Seen) -> list[Array]:
        """|ω|, |F| |ω| and |F|^p |ω|, p of its bearing."""
        force, rate = self.loads(seen)
        power = EXPONENT.get(self.detail["bearing"], 1.0)
        return [rate, force * rate, force**power * rate]


@dataclass(frozen=True)
class Worked:
    """The duty of a pin over a run: its integrals over time, and the largest values with their times."""

    turned: float  # ∫ |ω| dt, radians
    rubbed: float  # ∫ |F| |ω| dt
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


def pin_checks(model: ModelDefinition, pin: Pin, did: Worked) -> Iterator[StrengthCheck]:
    """Every line of a pin, those without a limit too."""
    detail, asked = pin.detail, pin.detail["safety"] or 1.0
    force, t = did.peaks["f"]
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
        yield from _rolling(detail, did, check)
    else:
        yield from _plain(detail, did, check)


def _rolling(detail: Detail, did: Worked, check: Callable[..., StrengthCheck]) -> Iterator[StrengthCheck]:
    bearing = detail["bearing"]
    load = mean_effective_load(did.weighted, did.turned, bearing)
    if load is not None:
        power = "3" if bearing == "ball" else "(10/3)"
        yield check("mean effective load", load, "force", how=f"revolutions weigh |F|^{power}")
        life = rating_life(detail["rating"], load, bearing)
        yield check("life L10 in revolutions", life, "number", how=f"(C/P)^{power} million revolutions, ISO 281:2007")
        yield check("life L10 in cycles", life / did.revolutions, "number", how="one run is a cycle")
        lasting = life / did.revolutions * did.time
        asked = detail["life"]
        safety = None if asked is None else load_factor(lasting, asked, bearing)
        yield check("life L10 in time", lasting, "time", asked, safety=safety, how="safety is a factor on the load")
    if detail["static_rating"] is not None:
        force, t = did.peaks["f"]
        yield check("static load", force, "force", detail["static_rating"], t=t, how="C0/F, ISO 76:2006")


def _plain(detail: Detail, did: Worked, check: Callable[..., StrengthCheck]) -> Iterator[StrengthCheck]:
    speed, t = did.peaks["sliding"]
    yield check("sliding speed", speed, "length/time", detail["speed"], t=t, how="|ω| d/2")
    most, when = did.peaks["pv"]
    yield check("pressure × speed", most, "stress*length/time", detail["pv"], t=when, how="F |ω|/(2 w)")
    mean = did.rubbed / (2 * detail["width"] * did.time) if did.time > 0 else 0.0
    yield check("mean pressure × speed", mean, "stress*length/time")
    yield check("sliding way of a cycle", did.turned * detail["diameter"] / 2, "length", how="∫ |ω| d/2 dt")
