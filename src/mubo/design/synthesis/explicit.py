"""The coupler point in closed form with exact derivatives: distances from the points asked for, to be made least.

B = A + a e^{iφ}; C on its guide at distance b; θ the direction of BC; P = B + g e^{iθ}. The guide F(C) = 0 gives

dθ = −(Re(v̄ (dB + e^{iθ} db)) + ∂F)/Re(v̄ i b e^{iθ}), v = C − D of a rocker, e^{iν} (the line's square) of a slide

with ∂F the guide's own derivatives. Unknowns: A (2), a, b, g (2), then the guide's: D (2), c or ν, h; then, where the
crank's angles are given but for the first, that one. Otherwise every point has its own φ_k.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.coupler import FAR
from mubo.design.synthesis.dyads import place
from mubo.design.synthesis.family import Complex, Family
from mubo.design.synthesis.four_bar import FourBars, third_pin
from mubo.design.synthesis.lifted import Look, Numbers
from mubo.design.synthesis.slider_crank import SliderCranks, slide_pin

OWN = 6  # unknowns before the guide's


class RockerGuide:
    """C turns about D: unknowns D (2) and c."""

    unknowns = 3

    def close(self, B: Complex, b: Array, x: Array, side: Array) -> Complex:
        return third_pin(B, place(x, 0), b, x[:, 2:3], side)

    def push(self, C: Complex, x: Array) -> Complex:
        return C - place(x, 0)

    def slopes(self, C: Complex, x: Array) -> list[Array]:
        v = C - place(x, 0)
        return [-v.real, -v.imag, np.broadcast_to(-x[:, 2:3], C.shape)]

    def family(self, A: Complex, B: Complex, C: Complex, P: Complex, x: Array) -> Family:
        return FourBars(A=A, B=B, C=C, D=place(x, 0)[:, 0], point=P)


class SlideGuide:
    """C slides on a line: unknowns ν, the direction of its square, and its distance h from the origin along it."""

    unknowns = 2

    def close(self, B: Complex, b: Array, x: Array, side: Array) -> Complex:
        square = np.exp(1j * x[:, :1])
        return slide_pin(B, b, np.real(B * np.conj(square)) - x[:, 1:2], -1j * square, side)

    def push(self, C: Complex, x: Array) -> Complex:
        return np.broadcast_to(np.exp(1j * x[:, :1]), C.shape)

    def slopes(self, C: Complex, x: Array) -> list[Array]:
        return [np.imag(np.exp(-1j * x[:, :1]) * C), np.full(C.shape, -1.0)]

    def family(self, A: Complex, B: Complex, C: Complex, P: Complex, x: Array) -> Family:
        return SliderCranks(A=A, B=B, C=C, along=-1j * np.exp(1j * x[:, 0]), point=P)


@dataclass(frozen=True)
class CouplerPointResiduals:
    """Residuals P(φ_k) − P_k for `least_squares`; `turned` are given crank angles from the first on."""

    P: Complex
    guide: RockerGuide | SlideGuide
    side: Array  # of every start at every point
    turned: Array | None = None
    reach: float = FAR  # sizes of the path: no step goes beyond

    def pins(self, x: Array, phi: Array, side: Array) -> tuple[Complex, Complex, Complex, Complex]:
        """B, C, e^{iθ} and P; NaN where the linkage cannot be assembled."""
        crank = phi if self.turned is None else x[:, -1:] + self.turned
        B = place(x, 0) + x[:, 2:3] * np.exp(1j * crank)
        C = self.guide.close(B, x[:, 3:4], x[:, OWN:], side)
        with np.errstate(invalid="ignore", divide="ignore"):
            turn = (C - B) / x[:, 3:4]
        return B, C, turn, B + place(x, 4) * turn

    def __call__(self, x: Array, phi: Array, active: Numbers, slopes: bool) -> Look:
        B, C, turn, P = self.pins(x, phi, self.side[active])
        gap = np.where((np.max(np.abs(x), axis=1) > self.reach)[:, None], np.nan, P - self.P)
        r = np.stack([gap.real, gap.imag], -1)
        if not slopes:
            return Look(r, r, r)
        own, spin = x[:, OWN:], 1j * (B - place(x, 0))
        v = np.conj(self.guide.push(C, own))
        with np.errstate(invalid="ignore", divide="ignore"):
            lever = 1j * place(x, 4) * turn / np.real(1j * v * (C - B))  # dP/dθ over the guide's hold of θ
            columns = [
                dB - lever * np.real(v * dB) for dB in (*np.array([1, 1j])[:, None, None], -1j * spin / x[:, 2:3])
            ]
            columns += [-lever * np.real(v * turn), turn, 1j * turn]
            columns += [-lever * slope for slope in self.guide.slopes(C, own)]
            turning = spin - lever * np.real(v * spin)
        own_angle = turning if self.turned is None else np.zeros(B.shape, complex)
        columns += [] if self.turned is None else [turning]
        J = np.stack([np.stack([c.real, c.imag], -1) for c in columns], -1)
        return Look(r, np.nan_to_num(J), np.nan_to_num(np.stack([own_angle.real, own_angle.imag], -1)))

    def family(self, x: Array, phi: Array) -> Family:
        """The linkages at all points."""
        B, C, _, P = self.pins(x, phi, self.side)
        return self.guide.family(place(x, 0)[:, 0], B, C, P, x[:, OWN:])
