"""A coupler guided by two dyads, as residuals: its pins on circles, on a line, or on a crank of given angles.

The coupler's point P_k and its angle θ_k place a pin β of the coupler at P_k + β e^{iθ_k}. A linkage is two such dyads;
its unknowns are theirs, one after the other, and the angles θ_k. Lengths, not their squares, make the residuals: they
are then as large as gaps between links. A guide knows its residual e(x, θ), and the derivatives of it.

The coupler point in closed form has exact derivatives of its distances from the given points.

B = A + a e^{iφ}; C on its guide at distance b; θ the direction of BC; P = B + g e^{iθ}. The guide F(C) = 0 gives

dθ = −(Re(v̄ (dB + e^{iθ} db)) + ∂F)/Re(v̄ i b e^{iθ}), v = C − D of a rocker, e^{iν} (the line's square) of a slide

with ∂F the guide's own derivatives. Unknowns: A (2), a, b, g (2), then the guide's: D (2), c or ν, h; then, where the
crank's angles are given but for the first, that one. Otherwise every point has its own φ_k.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.family import Complex, Family
from mubo.design.synthesis.four_bar import FourBars, third_pin
from mubo.design.synthesis.least_squares import Look, Numbers
from mubo.design.synthesis.slider_crank import SliderCranks, slide_pin
from mubo.lazy_dataclass import dataclass

TINY = 1e-300


def place(x: Array, first: int) -> Complex:
    """Two real unknowns as complex numbers, with an axis for points."""
    return np.asarray(x[:, first, None] + 1j * x[:, first + 1, None])


class Circle:
    """Unknowns: centre A (2), pin β (2), radius a.  |P − A + β e^{iθ}| − a = 0."""

    unknowns, rows = 5, 1

    def look(self, P: Complex, x: Array, turn: Complex) -> Look:
        arm = P - place(x, 0) + place(x, 2) * turn
        length = np.abs(arm) + TINY
        with np.errstate(invalid="ignore"):  # beyond all bounds: such a step is not taken
            u = arm / length
        v = np.conj(u) * turn
        by_x = np.stack([-u.real, -u.imag, v.real, -v.imag, np.full(u.shape, -1.0)], -1)
        by_angle = np.real(1j * v * place(x, 2))
        return Look((length - x[:, 4:5])[..., None], by_x[:, :, None], by_angle[..., None])


class StraightGuide:
    """Unknowns: direction ν of its square, pin β (2), distance h.  Re(e^{−iν}(P + β e^{iθ})) − h = 0."""

    unknowns, rows = 4, 1

    def look(self, P: Complex, x: Array, turn: Complex) -> Look:
        square = np.exp(-1j * x[:, :1])
        pin = P + place(x, 1) * turn
        v = square * turn
        by_x = np.stack([np.imag(square * pin), v.real, -v.imag, np.full(pin.shape, -1.0)], -1)
        by_angle = np.real(1j * v * place(x, 1))
        return Look((np.real(square * pin) - x[:, 3:4])[..., None], by_x[:, :, None], by_angle[..., None])


@dataclass(frozen=True)
class Crank:
    """A circle whose crank has turned by given angles δ_k.  Unknowns: A (2), pin β (2), crank z (2) at the first point.

    P + β e^{iθ} − A − z e^{iδ} = 0, two equations.
    """

    turned: Array
    unknowns, rows = 6, 2

    def look(self, P: Complex, x: Array, turn: Complex) -> Look:
        crank = np.broadcast_to(np.exp(1j * self.turned), turn.shape)
        gap = P + place(x, 2) * turn - place(x, 0) - place(x, 4) * crank
        one = np.ones(turn.shape)
        columns = [-one, -1j * one, turn, 1j * turn, -crank, -1j * crank]
        by_x = np.stack([np.stack([c.real, c.imag], -1) for c in columns], -1)
        along = 1j * place(x, 2) * turn
        return Look(np.stack([gap.real, gap.imag], -1), by_x, np.stack([along.real, along.imag], -1))


APART = 0.5  # weight of 1/b²: two dyads that are one would fulfil everything
FAR = 60.0  # sizes of the path: linkages beyond are none to build, though their gaps are small
Guide = Circle | StraightGuide | Crank
PIN = {Circle: 2, Crank: 2, StraightGuide: 1}  # where among its unknowns a guide has its pin


@dataclass(frozen=True)
class Coupler:
    """A coupler point that goes through places P, guided by two dyads: residuals for `least_squares`.

    They are weighted by √(1 + APART/b²) with the coupler's length b: two dyads that fall into one would fulfil
    everything and say nothing.
    """

    P: Complex
    first: Guide
    second: Guide

    def __call__(self, x: Array, theta: Array, active: Numbers, derivatives: bool) -> Look:
        turn = np.exp(1j * theta)
        p = self.first.unknowns
        one, two = self.first.look(self.P, x[:, :p], turn), self.second.look(self.P, x[:, p:], turn)
        weight, by_x = self._weight(x)
        r = np.concatenate([one.r, two.r], 2)
        r[np.max(np.abs(x), axis=1) > FAR] = np.nan  # no step goes there
        if not derivatives:
            return Look(r * weight[:, None, None], r, r)
        J = np.zeros((*r.shape, x.shape[1]))
        J[:, :, : self.first.rows, :p] = one.by_x
        J[:, :, self.first.rows :, p:] = two.by_x
        J = J * weight[:, None, None, None] + r[..., None] * by_x[:, None, None]
        along = np.concatenate([one.by_angle, two.by_angle], 2) * weight[:, None, None]
        return Look(r * weight[:, None, None], J, along)

    @property
    def pins(self) -> tuple[int, int]:
        """Where x has the pins of the two dyads."""
        return PIN[type(self.first)], self.first.unknowns + PIN[type(self.second)]

    def _weight(self, x: Array) -> tuple[Array, Array]:
        """The weight and its derivatives by x."""
        i, j = self.pins
        bar = x[:, j : j + 2] - x[:, i : i + 2]
        b = np.sqrt(np.sum(bar**2, axis=1)) + 1e-12
        weight = np.sqrt(1 + APART / b**2)
        slope = bar * (-APART / (b**4 * weight))[:, None]
        out = np.zeros(x.shape)
        out[:, i : i + 2], out[:, j : j + 2] = -slope, slope
        return weight, out


OWN = 6  # unknowns before the guide's


class RockerGuide:
    """C turns about D: unknowns D (2) and c."""

    unknowns = 3

    def close(self, B: Complex, b: Array, x: Array, side: Array) -> Complex:
        return third_pin(B, place(x, 0), b, x[:, 2:3], side)

    def push(self, C: Complex, x: Array) -> Complex:
        return C - place(x, 0)

    def derivatives(self, C: Complex, x: Array) -> list[Array]:
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

    def derivatives(self, C: Complex, x: Array) -> list[Array]:
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

    def __call__(self, x: Array, phi: Array, active: Numbers, derivatives: bool) -> Look:
        B, C, turn, P = self.pins(x, phi, self.side[active])
        gap = np.where((np.max(np.abs(x), axis=1) > self.reach)[:, None], np.nan, P - self.P)
        r = np.stack([gap.real, gap.imag], -1)
        if not derivatives:
            return Look(r, r, r)
        own, spin = x[:, OWN:], 1j * (B - place(x, 0))
        v = np.conj(self.guide.push(C, own))
        with np.errstate(invalid="ignore", divide="ignore"):
            lever = 1j * place(x, 4) * turn / np.real(1j * v * (C - B))  # dP/dθ over the guide's hold of θ
            columns = [
                dB - lever * np.real(v * dB) for dB in (*np.array([1, 1j])[:, None, None], -1j * spin / x[:, 2:3])
            ]
            columns += [-lever * np.real(v * turn), turn, 1j * turn]
            columns += [-lever * slope for slope in self.guide.derivatives(C, own)]
            turning = spin - lever * np.real(v * spin)
        own_angle = turning if self.turned is None else np.zeros(B.shape, complex)
        columns += [] if self.turned is None else [turning]
        J = np.stack([np.stack([c.real, c.imag], -1) for c in columns], -1)
        return Look(r, np.nan_to_num(J), np.nan_to_num(np.stack([own_angle.real, own_angle.imag], -1)))

    def family(self, x: Array, phi: Array) -> Family:
        """The linkages at all points."""
        B, C, _, P = self.pins(x, phi, self.side)
        return self.guide.family(place(x, 0)[:, 0], B, C, P, x[:, OWN:])
