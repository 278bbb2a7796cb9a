"""Four-bar linkages: the end C of the coupler turns about D on a rocker."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.design.synthesis.family import Complex, Family, cross, degrees, xy
from mubo.lazy_dataclass import dataclass
from mubo.model import GROUND, Builder
from mubo.solvers.structure.groups import grashof_class

LINKS = ("crank", "coupler", "rocker", GROUND)


@dataclass(frozen=True, kw_only=True)
class FourBars(Family):
    """Four-bars A B C D with the rocker's pin D (one per linkage)."""

    places: ClassVar[tuple[str, ...]] = ("A", "B", "C", "D", "point")
    D: Complex

    @property
    def bars(self) -> Array:
        """Crank, coupler, rocker and ground: a line per linkage."""
        pairs = ((self.A, self.B[:, 0]), (self.B[:, 0], self.C[:, 0]), (self.C[:, 0], self.D), (self.D, self.A))
        with np.errstate(invalid="ignore"):  # of a pin at infinity
            return np.stack([np.abs(p - q) for p, q in pairs], -1)

    def links(self) -> Array:
        return self.bars

    def guide(self, C: Complex) -> Complex:
        return np.asarray(self.D[:, None] - C)

    def gaps(self) -> tuple[Array, Booleans, Booleans]:
        """B is farthest from D opposite to it: d + a ≤ b + c; and nearest towards it: |d − a| ≥ |b − c|."""
        a, b, c, d = self.bars.T
        return np.angle(self.A - self.D), d + a > b + c, np.abs(d - a) < np.abs(b - c)

    def circuit(self) -> Array:
        """The circuit of each linkage: joints away from the shortest Grashof link never fold (Chase and Mirth 1993)."""
        bars = self.bars
        shortest = np.argmin(bars, axis=1)
        grashof = 2 * (bars.min(axis=1) + bars.max(axis=1)) <= bars.sum(axis=1)
        at_A = np.sign(cross(self.B - self.A[:, None], (self.D - self.A)[:, None]))
        by_ends = np.isin(shortest, (0, 3))[:, None]
        return np.where(grashof[:, None], np.where(by_ends, self.side, at_A), 0.0)

    def sines(self, crank: Array) -> Array:
        """cos μ = (b² + c² − BD²)/(2bc)."""
        a, b, c, _ = (bar[:, None] for bar in self.bars.T)
        far = np.abs(self.A[:, None] + a * np.exp(1j * crank) - self.D[:, None])
        cosine = (b**2 + c**2 - far**2) / (2 * b * c)
        return np.sqrt(np.where(np.abs(cosine) <= 1, 1 - cosine**2, np.nan))

    def lengths(self, k: int) -> dict[str, float]:
        return dict(zip(LINKS, self.bars[k].tolist(), strict=True))

    def label(self, k: int) -> str:
        kind = grashof_class(list(LINKS[:3]), self.bars[k].tolist()).partition(":")[0]
        return "triple rocker" if kind.startswith("no Grashof") else kind

    def _close(self, model: Builder, k: int) -> None:
        C, D = complex(self.C[k, 0]), complex(self.D[k])
        model.ground.point("D", xy(D))
        model.body("rocker", xy(D), degrees(np.angle(C - D)), {"D": (0, 0), "C": (abs(C - D), 0)})
        model.revolute("C", "coupler.C", "rocker.C")
        model.revolute("D", "rocker.D", "ground.D")


def third_pin(B: Complex, D: Complex, b: Array, c: Array, side: Array) -> Complex:
    """C at distance b from B and c from D, so that B → C → D turns to `side` (+1 left); NaN where there is none.

    With u = D − B: C = B + u (s + i h), s = (b² − c² + u²)/(2u²), h² = b²/u² − s², h against the side.
    """
    u = D - B
    square = np.abs(u) ** 2
    with np.errstate(all="ignore"):
        s = (b**2 - c**2 + square) / (2 * square)
        h = np.sqrt(b**2 / square - s**2)
        return np.asarray(B + u * (s - 1j * side * h))
