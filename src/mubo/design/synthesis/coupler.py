"""A coupler guided by two dyads, as residuals of its places."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.dyads import Circle, Crank, StraightGuide
from mubo.design.synthesis.family import Complex
from mubo.design.synthesis.lifted import Look, Numbers

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

    def __call__(self, x: Array, theta: Array, active: Numbers, slopes: bool) -> Look:
        turn = np.exp(1j * theta)
        p = self.first.unknowns
        one, two = self.first.look(self.P, x[:, :p], turn), self.second.look(self.P, x[:, p:], turn)
        weight, by_x = self._weight(x)
        r = np.concatenate([one.r, two.r], 2)
        r[np.max(np.abs(x), axis=1) > FAR] = np.nan  # no step goes there
        if not slopes:
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
