"""Six-bars of Watt and Stephenson: a four-bar A B C D, and a dyad E H F between two of its four links.

Which links carry E and F makes the kind. In Watt's chain the two links with three pins are joined (I: neither is the
ground; II: one is), in Stephenson's they are not (I: both turn about the ground; III: one is the ground). Stephenson's
II cannot be driven at the ground so that dyads close it. With unit vectors along the links, their own axes,

    E = origin + E' e,   |H − E| = rod,   |H − F| = output,   P = E + P' (H − E)/rod

(K. Hain, Applied Kinematics, 1967; a path has 15 free numbers: M. Plecnik and J. M. McCarthy, Kinematic synthesis of
Stephenson III six-bar function generators, Mech. Mach. Theory 97, 2016, for a function 11).
"""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.chain import LENGTH, PLACE, VECTOR, Chain
from mubo.design.synthesis.family import Complex, cross
from mubo.design.synthesis.jets import PlaceJet, direction, dyad
from mubo.lazy_dataclass import dataclass
from mubo.model import GROUND

SHORTEST = 0.2  # link, of the longest that is drawn
OUTPUT = "output"


@dataclass(frozen=True, kw_only=True)
class SixBars(Chain):
    """Six-bars; `carriers` have E and F."""

    carriers: ClassVar[tuple[str, str]]
    dyads: ClassVar[int] = 2
    traced: ClassVar[str] = "rod"

    def __init_subclass__(cls, carriers: tuple[str, str] | None = None, name: str = "") -> None:
        if carriers is None:
            return
        cls.carriers, cls.name = carriers, name
        own = {link: VECTOR if link != GROUND else PLACE for link in carriers}
        cls.layout = {"A": PLACE, "crank": LENGTH, "D": PLACE, "coupler": LENGTH, "rocker": LENGTH}
        cls.layout |= {"E": own[carriers[0]], "F": own[carriers[1]], "rod": LENGTH, OUTPUT: LENGTH, "P": VECTOR}
        bars = {GROUND: "AD", "crank": "AB", "coupler": "BC", "rocker": "DC", "rod": "EH"}
        bars[OUTPUT if carriers[1] == GROUND else "link"] = "FH"
        cls.bars = {link: pins + "".join(p for p, c in zip("EF", carriers, strict=True) if c == link)
                    for link, pins in bars.items()}  # fmt: skip

    @classmethod
    def close(
        cls, numbers: dict[str, PlaceJet], phi: PlaceJet, sides: Array
    ) -> tuple[dict[str, PlaceJet], PlaceJet, PlaceJet]:
        n = numbers
        turn = direction(phi)
        B = n["A"] + n["crank"] * turn
        C = dyad(B, n["D"], n["coupler"], n["rocker"], sides[:, :1])
        axes = {"crank": (n["A"], turn), "coupler": (B, (C - B) / n["coupler"])}
        axes["rocker"] = n["D"], (C - n["D"]) / n["rocker"]

        def carried(pin: str, link: str) -> PlaceJet:
            return n[pin] if link == GROUND else axes[link][0] + n[pin] * axes[link][1]

        E, F = carried("E", cls.carriers[0]), carried("F", cls.carriers[1])
        H = dyad(E, F, n["rod"], n[OUTPUT], sides[:, 1:2])
        P = E + n["P"] * ((H - E) / n["rod"])
        return {"A": n["A"], "B": B, "C": C, "D": n["D"], "E": E, "F": F, "H": H}, P, (H - F) / n[OUTPUT]

    @classmethod
    def transmission_sine(cls, pins: dict[str, Complex]) -> Array:
        out = []
        for middle, one, other in (("C", "B", "D"), ("H", "E", "F")):
            u, v = pins[middle] - pins[one], pins[middle] - pins[other]
            with np.errstate(all="ignore"):
                out.append(np.abs(cross(u, v)) / np.abs(u * v))
        return np.minimum(*out)

    @classmethod
    def draw_random(cls, count: int, random: np.random.Generator) -> Self:
        """Crank-rockers and double cranks, with a dyad that closes all round the turn."""
        a, b, c, d = np.exp(random.uniform(np.log(SHORTEST), 0.0, (4, 12 * count)))
        round_ = np.flatnonzero((d + a < b + c) & (np.abs(d - a) > np.abs(b - c)))[:count]
        a, b, c, d = (bar[round_] for bar in (a, b, c, d))
        n = len(a)
        sides = random.choice([-1.0, 1.0], (n, 2))
        columns, x = cls.columns(), np.zeros((n, cls.width()))
        for name, values in (("crank", a), ("D", d), ("coupler", b), ("rocker", c)):
            x[:, columns[name]] = values
        bar = {"crank": a, "coupler": b, "rocker": c, GROUND: d}
        for pin, link in zip("EF", cls.carriers, strict=True):
            own = (random.normal(0.5, 0.8, n) + 1j * random.normal(0.0, 0.8, n)) * bar[link]
            x[:, columns[pin]], x[:, columns[pin] + 1] = own.real, own.imag
        x[:, columns["rod"]] = x[:, columns[OUTPUT]] = 1e3  # long enough to close, whatever E and F do
        phi = np.broadcast_to(np.arange(24) * (np.pi / 12), (n, 24))
        pins, _, _ = cls.placed_pins(x, sides, phi)
        apart = np.abs(pins["E"].z - pins["F"].z)
        total = apart.max(axis=1) * random.uniform(1.05, 2.0, n)
        differ = apart.min(axis=1) * random.uniform(-0.9, 0.9, n)
        rod, output = (total + differ) / 2, (total - differ) / 2
        x[:, columns["rod"]], x[:, columns[OUTPUT]] = rod, output
        point = (random.normal(0.5, 0.8, n) + 1j * random.normal(0.0, 0.8, n)) * rod
        x[:, columns["P"]], x[:, columns["P"] + 1] = point.real, point.imag
        return cls.from_numbers(x, sides, phi)


class WattAtCoupler(SixBars, carriers=("coupler", "rocker"), name="Watt I six-bar"):
    """E on the coupler, F on the rocker."""


class WattAtRocker(SixBars, carriers=("rocker", "coupler"), name="Watt I six-bar"):
    """E on the rocker, F on the coupler."""


class WattAtCrank(SixBars, carriers=("crank", "coupler"), name="Watt I six-bar"):
    """E on the crank, F on the coupler."""


class WattAtCoupledCrank(SixBars, carriers=("coupler", "crank"), name="Watt I six-bar"):
    """E on the coupler, F on the crank."""


class WattSecond(SixBars, carriers=("rocker", GROUND), name="Watt II six-bar"):
    """Two four-bars in series: E on the rocker, F on the ground."""


class StephensonFirst(SixBars, carriers=("crank", "rocker"), name="Stephenson I six-bar"):
    """E on the crank, F on the rocker."""


class StephensonFirstAtRocker(SixBars, carriers=("rocker", "crank"), name="Stephenson I six-bar"):
    """E on the rocker, F on the crank."""


class StephensonThird(SixBars, carriers=("coupler", GROUND), name="Stephenson III six-bar"):
    """E on the coupler, F on the ground."""


WATT_PATHS = (WattAtCoupler, WattAtRocker, WattAtCrank, WattAtCoupledCrank)
STEPHENSON_PATHS = (StephensonThird, StephensonFirst, StephensonFirstAtRocker)
