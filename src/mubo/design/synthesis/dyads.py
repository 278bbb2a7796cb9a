"""Guides of a coupler as residuals: its pin on a circle, on a line, or on a crank of given angles.

The coupler's point P_k and its angle θ_k place a pin β of the coupler at P_k + β e^{iθ_k}. A linkage is two such dyads;
its unknowns are theirs, one after the other, and the angles θ_k. Lengths, not their squares, make the residuals: they
are then as large as gaps between links. A guide knows its residual e(x, θ), and the derivatives of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.family import Complex
from mubo.design.synthesis.lifted import Look

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
