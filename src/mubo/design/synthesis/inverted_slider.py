"""Inverted slider-cranks: the coupler slides through a block that turns about the fixed pin D.

D − B = (s + i e) e^{iθ}: the coupler's line passes D at the offset e, its foot C is s from B, P = B + P' e^{iθ}. The
output is the block, which turns as the coupler does: the crank and slotted lever, the swinging cylinder (R. L. Norton,
Design of Machinery, 6th ed., section 4.7).
"""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.chain import LENGTH, OFFSET, PLACE, VECTOR, Chain
from mubo.design.synthesis.family import Complex, degrees, xy
from mubo.design.synthesis.jets import PlaceJet, direction, slotted
from mubo.model import GROUND, Builder

OUTPUT = "output"


class InvertedSliders(Chain):
    """Inverted slider-cranks; the crank turns round unless the offset keeps the coupler from D."""

    name = "inverted slider-crank"
    layout: ClassVar[dict[str, str]] = {"A": PLACE, "crank": LENGTH, "D": PLACE, "offset": OFFSET, "P": VECTOR}
    bars: ClassVar[dict[str, str]] = {GROUND: "AD", "crank": "AB", "coupler": "BC"}
    dyads = 1
    traced = "coupler"

    @classmethod
    def close(
        cls, numbers: dict[str, PlaceJet], phi: PlaceJet, sides: Array
    ) -> tuple[dict[str, PlaceJet], PlaceJet, PlaceJet]:
        n = numbers
        B = n["A"] + n["crank"] * direction(phi)
        turn, travel = slotted(B, n["D"], n["offset"], sides[:, :1])
        return {"A": n["A"], "B": B, "C": B + travel * turn, "D": n["D"]}, B + n["P"] * turn, turn

    @classmethod
    def transmission_sine(cls, pins: dict[str, Complex]) -> Array:
        """The crank pushes the block with the lever s of its pin: s over the distance BD."""
        with np.errstate(all="ignore"):
            return np.abs(pins["C"] - pins["B"]) / np.abs(pins["D"] - pins["B"])

    @classmethod
    def draw_random(cls, count: int, random: np.random.Generator) -> Self:
        n, columns = count, cls.columns()
        x = np.zeros((n, cls.width()))
        a, d = np.exp(random.uniform(np.log(0.2), 0.0, (2, n)))
        x[:, columns["crank"]], x[:, columns["D"]] = a, d
        x[:, columns["offset"]] = random.uniform(-0.9, 0.9, n) * np.abs(a - d)
        point = (random.normal(0.5, 0.8, n) + 1j * random.normal(0.0, 0.8, n)) * (a + d)
        x[:, columns["P"]], x[:, columns["P"] + 1] = point.real, point.imag
        phi = np.broadcast_to(np.arange(24) * (np.pi / 12), (n, 24))
        return cls.from_numbers(x, random.choice([-1.0, 1.0], (n, 1)), phi)

    def lengths(self, k: int) -> dict[str, float]:
        out = super().lengths(k) | {"offset": float(self.x[k, self.columns()["offset"]])}
        del out["coupler"]  # the foot slides along it
        return out

    def _couple(self, model: Builder, k: int, places: dict[str, complex]) -> None:
        D, along = places["D"], places["C"] - places["B"]
        turn = degrees(float(np.angle(along)))
        foot = (places["C"] - D) * np.conj(along) / abs(along)
        model.body(OUTPUT, xy(D), turn, {"D": (0, 0), "S": xy(complex(foot))})
        model.revolute("D", "ground.D", f"{OUTPUT}.D")
        model.translational("slot", "coupler.C", f"{OUTPUT}.S", axis=(1, 0), angle=0)
