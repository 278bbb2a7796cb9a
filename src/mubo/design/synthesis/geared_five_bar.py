"""Geared five-bars: two cranks that a gear pair couples, and a dyad between them whose one bar has the coupler point.

The second crank turns by `ratio` times the first, B = A + a e^{iφ}, G = D + g e^{i(ratio φ)}, |C − B| = b, |C − G| = c,
P = B + P' (C − B)/b (G. N. Sandor and A. G. Erdman, Advanced Mechanism Design 2, 1984, section 2.10). The phase between
the cranks is the direction of the number g.
"""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.chain import LENGTH, PLACE, RATIO, VECTOR, Chain
from mubo.design.synthesis.family import Complex, cross
from mubo.design.synthesis.jets import PlaceJet, direction, dyad
from mubo.model import GROUND, Builder

RATIOS = (-2.0, -1.0, 1.0, 2.0)  # tried: speed of the second crank over that of the first

PLAIN = ("gear ratio", "phase [deg]")  # dimensions that are no lengths


class GearedFiveBars(Chain):
    """Geared five-bars whose first crank has turned once when their curve closes."""

    name = "geared five-bar"
    layout: ClassVar[dict[str, str]] = {"A": PLACE, "crank": LENGTH, "D": PLACE, "second": VECTOR, "coupler": LENGTH,
                                        "link": LENGTH, "P": VECTOR, "ratio": RATIO}  # fmt: skip
    bars: ClassVar[dict[str, str]] = {GROUND: "AD", "crank": "AB", "second": "DG", "coupler": "BC", "link": "GC"}
    dyads = 1
    traced = "coupler"

    @classmethod
    def close(
        cls, numbers: dict[str, PlaceJet], phi: PlaceJet, sides: Array
    ) -> tuple[dict[str, PlaceJet], PlaceJet, PlaceJet]:
        n = numbers
        B = n["A"] + n["crank"] * direction(phi)
        G = n["D"] + n["second"] * direction(n["ratio"] * phi)
        C = dyad(B, G, n["coupler"], n["link"], sides[:, :1])
        bar = (C - B) / n["coupler"]
        return {"A": n["A"], "B": B, "C": C, "D": n["D"], "G": G}, B + n["P"] * bar, bar

    @classmethod
    def transmission_sine(cls, pins: dict[str, Complex]) -> Array:
        u, v = pins["C"] - pins["B"], pins["C"] - pins["G"]
        with np.errstate(all="ignore"):
            return np.abs(cross(u, v)) / np.abs(u * v)

    def rotate_and_scale(self, factor: Complex, shift: Complex) -> Self:
        """The second crank turns with the frame, but its angle by the ratio of the first one's: their phase changes."""
        turned = super().rotate_and_scale(factor, shift)
        k, x = self.columns()["second"], turned.x
        by = np.exp(1j * np.angle(factor) * (1 - x[:, self.columns()["ratio"]]))
        second = (x[:, k] + 1j * x[:, k + 1]) * by
        x[:, k], x[:, k + 1] = second.real, second.imag
        return type(self).from_numbers(x, turned.sides, turned.phi, self.point is not None)

    @classmethod
    def draw_random(cls, count: int, random: np.random.Generator) -> Self:
        """Two cranks, and a dyad that closes all round the turn."""
        n, columns = count, cls.columns()
        x = np.zeros((n, cls.width()))
        a, g, d = np.exp(random.uniform(np.log(0.2), 0.0, (3, n)))
        second = g * np.exp(2j * np.pi * random.uniform(0.0, 1.0, n))
        x[:, columns["crank"]], x[:, columns["D"]] = a, d
        x[:, columns["second"]], x[:, columns["second"] + 1] = second.real, second.imag
        x[:, columns["ratio"]] = random.choice(RATIOS, n)
        x[:, columns["coupler"]] = x[:, columns["link"]] = 1e3  # long enough to close, wherever the cranks stand
        phi = np.broadcast_to(np.arange(24) * (np.pi / 12), (n, 24))
        sides = random.choice([-1.0, 1.0], (n, 1))
        pins, _, _ = cls.placed_pins(x, sides, phi)
        apart = np.abs(pins["B"].z - pins["G"].z)
        total = apart.max(axis=1) * random.uniform(1.05, 2.0, n)
        differ = apart.min(axis=1) * random.uniform(-0.9, 0.9, n)
        b = (total + differ) / 2
        point = (random.normal(0.5, 0.8, n) + 1j * random.normal(0.0, 0.8, n)) * b
        x[:, columns["coupler"]], x[:, columns["link"]] = b, (total - differ) / 2
        x[:, columns["P"]], x[:, columns["P"] + 1] = point.real, point.imag
        return cls.from_numbers(x, sides, phi)

    def lengths(self, k: int) -> dict[str, float]:
        ratio = float(self.x[k, self.columns()["ratio"]])
        G = self._number("second")[k] * np.exp(1j * ratio * self.phi[k, 0])
        phase = np.angle(G) - ratio * np.angle(self.B[k, 0] - self.A[k])
        return super().lengths(k) | dict(
            zip(PLAIN, (ratio, float(np.degrees(np.angle(np.exp(1j * phase))))), strict=True)
        )

    def _couple(self, model: Builder, k: int, places: dict[str, complex]) -> None:
        """Gears where the cranks turn in opposite senses, a belt where they turn alike."""
        ratio, far = float(self.x[k, self.columns()["ratio"]]), abs(places["D"] - places["A"])
        first = far * abs(ratio) / (1 + abs(ratio))
        if ratio < 0:
            model.joint("mesh", "gears", "crank", "second", radii=(first, far - first))
        else:
            model.joint("belt", "belt", "crank", "second", radii=(first / 2, (far - first) / 2))
