"""Slider-cranks: the end C of the coupler slides along a line."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.design.synthesis.family import Complex, Family, cross, degrees, xy
from mubo.lazy_dataclass import dataclass
from mubo.model import Builder


@dataclass(frozen=True, kw_only=True)
class SliderCranks(Family):
    """Slider-cranks A B C; `along` is the direction of the slide, of length one (one per linkage)."""

    along: Complex

    @property
    def bars(self) -> Array:
        """Crank, coupler, and the height of A over the line of C: a line per linkage."""
        a, b = np.abs(self.B[:, 0] - self.A), np.abs(self.C[:, 0] - self.B[:, 0])
        return np.stack([a, b, cross(self.along, self.A - self.C[:, 0])], -1)

    def links(self) -> Array:
        return self.bars[:, :2]

    def guide(self, C: Complex) -> Complex:
        return np.broadcast_to(1j * self.along[:, None], C.shape)

    def gaps(self) -> tuple[Array, Booleans, Booleans]:
        """The height of B over the line is within the coupler's length: |e ± a| ≤ b."""
        a, b, e = self.bars.T
        return np.angle(1j * self.along), np.abs(e + a) > b, np.abs(e - a) > b

    def circuit(self) -> Array:
        """Where crank or coupler turns round, the other never stands square to the line."""
        a, b, e = (bar[:, None] for bar in self.bars.T)
        crank_side = np.sign(np.real((self.B - self.A[:, None]) * np.conj(self.along[:, None])))
        return np.where(a + np.abs(e) <= b, self.side, np.where(b + np.abs(e) <= a, crank_side, 0.0))

    def sines(self, crank: Array) -> Array:
        """The transmission angle is between the coupler and the square to the line: cos μ = height of B / b."""
        a, b, e = (bar[:, None] for bar in self.bars.T)
        cosine = (e + a * np.sin(crank - np.angle(self.along)[:, None])) / b
        return np.sqrt(np.where(np.abs(cosine) <= 1, 1 - cosine**2, np.nan))

    def lengths(self, k: int) -> dict[str, float]:
        a, b, e = self.bars[k].tolist()
        return {"crank": a, "coupler": b, "offset": abs(e)}

    def label(self, k: int) -> str:
        return "slider-crank" if self.full[k] else "slider-rocker"

    def _close(self, model: Builder, k: int) -> None:
        C, along = complex(self.C[k, 0]), complex(self.along[k])
        turn = degrees(np.angle(along))
        model.ground.point("S", xy(C))
        model.body("slider", xy(C), turn, {"C": (0, 0)})
        model.revolute("C", "coupler.C", "slider.C")
        model.translational("slide", "ground.S", "slider.C", axis=xy(along), angle=turn)


def slide_pin(B: Complex, b: Array, height: Array, along: Complex, side: Array) -> Complex:
    """C on a line at distance b from B, which is at a height over it (to the left of `along`); NaN where there is none.

    `side` is that of `Family.side`: the coupler points along the line (−1 of it against it).
    """
    with np.errstate(invalid="ignore"):
        return np.asarray(B + along * (side * np.sqrt(b**2 - height**2) - 1j * height))
