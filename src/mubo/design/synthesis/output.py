"""The output of a linkage over its crank in closed form, with exact derivatives: least squares of many pairs.

Unknowns: crank a, coupler b, rocker c (or height e of the slide's line over A), the crank's start, the output's start.
From |C − B|² = b² follows, with q = C − B and dC = ∂C + C' dψ: dψ = (b db + Re(q̄ (dB − ∂C)))/Re(q̄ C').
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.design.synthesis.family import Complex, Family
from mubo.design.synthesis.four_bar import FourBars, third_pin
from mubo.design.synthesis.lifted import Look, Numbers
from mubo.design.synthesis.slider_crank import SliderCranks, slide_pin


@dataclass(frozen=True)
class Output:
    """Residuals output − asked for `least_squares`; A at the origin, D at `ground` on the x axis, slides along x."""

    pairs: Array  # crank and output, from the first on
    slides: bool
    ground: float
    side: Array  # of every start
    free: Booleans  # of the unknowns

    def pins(self, x: Array, side: Array) -> tuple[Complex, Complex]:
        """B and C at all pairs; NaN where the linkage cannot be assembled."""
        a, b, c, start = (x[:, k : k + 1] for k in range(4))
        B = a * np.exp(1j * (start + self.pairs[:, 0]))
        if self.slides:
            return B, slide_pin(B, b, B.imag - c, np.ones(B.shape, complex), side[:, None])
        return B, third_pin(B, np.full(B.shape, self.ground, complex), b, np.abs(c), side[:, None])

    def __call__(self, x: Array, theta: Array, active: Numbers, slopes: bool) -> Look:
        B, C = self.pins(x, self.side[active])
        wanted, c = x[:, 4:5] + self.pairs[:, 1], x[:, 2:3]
        arm = C - self.ground
        with np.errstate(all="ignore"):
            off = C.real - wanted if self.slides else np.angle(arm / c * np.exp(-1j * wanted))
            r = off[..., None]
            if not slopes:
                return Look(r, r, r)
            q = np.conj(C - B)
            along = np.real(q) if self.slides else np.real(q * 1j * arm)
            own = np.real(q * (1j if self.slides else arm / c))
            columns = [np.real(q * B / x[:, :1]), x[:, 1:2] * np.ones(B.shape), -own, np.real(q * 1j * B)]
            J = np.stack([*(column / along for column in columns), np.full(B.shape, -1.0)], -1)
        J = np.nan_to_num(J, posinf=0.0, neginf=0.0) * self.free
        return Look(r, J[:, :, None], np.zeros((*B.shape, 1)))

    def worst(self, x: Array) -> Array:
        """The largest error of every start; infinite where it cannot be assembled."""
        r = self(x, np.zeros((len(x), len(self.pairs))), np.arange(len(x)), False).r[..., 0]
        return np.asarray(np.nan_to_num(np.max(np.abs(r), axis=1), nan=np.inf))

    def family(self, x: Array) -> Family:
        """The linkages at all pairs."""
        B, C = self.pins(x, self.side)
        A, one = np.zeros(len(x), complex), np.ones(len(x), complex)
        if self.slides:
            return SliderCranks(A=A, B=B, C=C, along=one)
        return FourBars(A=A, B=B, C=C, D=np.full(len(x), self.ground, complex))
