"""Where to begin: random linkages whose coupler curves resemble the points, turned, scaled and moved onto them.

Of every random linkage some stretches of its curve, at as many places as there are points, are compared with them: the
share of the points' spread that a similarity transform explains is |Σ z̄ P|²/(Σ|z|² Σ|P|²), both about their means.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.design.synthesis.family import Complex
from mubo.design.synthesis.four_bar import third_pin
from mubo.design.synthesis.lifted import Numbers

PLACES = 48  # of a curve
SHORTEST = 0.2  # link, of the longest that is drawn
LEAST_SWING = 0.6  # radians of a crank that is tried


@dataclass(frozen=True)
class Atlas:
    """Random linkages: A at the origin. Curves and coupler angles at PLACES of their crank's range."""

    curve: Complex
    angle: Array
    full: Booleans
    A: Complex  # the guide of B: centre and radius
    a: Array
    pin_B: Complex  # in the coupler's axes, from P
    pin_C: Complex
    D: Complex  # centre of C's circle; or, of a slide, a place on its line
    c: Array  # radius of C's circle; or the direction of the line's square

    def take(self, chosen: Numbers) -> Atlas:
        return Atlas(*(value[chosen] for value in self.__dict__.values()))


def four_bar_atlas(count: int, random: np.random.Generator) -> Atlas:
    """Random four-bars of all kinds, on either branch."""
    a, b, c, d = np.exp(random.uniform(np.log(SHORTEST), 0.0, (4, 4 * count)))
    far, near = d + a > b + c, np.abs(d - a) < np.abs(b - c)
    high = np.where(far, np.arccos(np.clip((d**2 + a**2 - (b + c) ** 2) / (2 * a * d), -1, 1)), np.pi)
    low = np.where(near, np.arccos(np.clip((d**2 + a**2 - (b - c) ** 2) / (2 * a * d), -1, 1)), 0.0)
    wide = np.flatnonzero(high - low > LEAST_SWING)[:count]
    a, b, c, d, low, high, far, near = (v[wide] for v in (a, b, c, d, low, high, far, near))
    start = np.where(near, low, np.where(far, -high, 0.0))
    end = np.where(near & ~far, 2 * np.pi - low, np.where(far, high, 2 * np.pi))
    phi = start[:, None] + (np.arange(PLACES) + 0.5) / PLACES * (end - start)[:, None]
    B = a[:, None] * np.exp(1j * phi)
    side = random.choice([-1.0, 1.0], len(a))[:, None]
    C = third_pin(B, d[:, None].astype(complex), b[:, None], c[:, None], side)
    D, A = d.astype(complex), np.zeros(len(a), complex)
    return _with_point(B, C, ~far & ~near, A, a, b, D, c, random)


def slider_atlas(count: int, random: np.random.Generator) -> Atlas:
    """Random slider-cranks whose crank turns round, or nearly: the line is parallel to the x axis, D a place on it."""
    a, b = np.exp(random.uniform(np.log(SHORTEST), 0.0, (2, 2 * count)))
    e = random.uniform(-1, 1, len(a)) * b
    full = a + np.abs(e) <= b
    high = np.where(e + a > b, np.arcsin(np.clip((b - e) / a, -1, 1)), np.pi / 2)
    low = np.where(e - a < -b, np.arcsin(np.clip((-b - e) / a, -1, 1)), -np.pi / 2)
    wide = np.flatnonzero(full | (high - low > LEAST_SWING))[:count]
    a, b, e, full, low, high = (v[wide] for v in (a, b, e, full, low, high))
    part = (np.arange(PLACES) + 0.5) / PLACES
    phi = np.where(full[:, None], 2 * np.pi * part, low[:, None] + (high - low)[:, None] * part)
    B = a[:, None] * np.exp(1j * phi)
    height = B.imag + e[:, None]  # of B over the line
    side = random.choice([-1.0, 1.0], len(a))[:, None]
    C = B + side * np.sqrt(np.maximum(b[:, None] ** 2 - height**2, 0.0)) - 1j * height
    return _with_point(B, C, full, np.zeros(len(a), complex), a, b, -1j * e, np.full(len(a), np.pi / 2), random)


def _with_point(
    B: Complex,
    C: Complex,
    full: Booleans,
    A: Complex,
    a: Array,
    b: Array,
    D: Complex,
    c: Array,
    random: np.random.Generator,
) -> Atlas:
    """A random point of every coupler, and its curve."""
    angle = np.unwrap(np.angle(C - B), axis=1)
    along, across = random.normal(0.4, 0.8, len(a)), random.normal(0.0, 0.8, len(a))
    offset = np.asarray((along + 1j * across) * b, complex)
    return Atlas(B + offset[:, None] * np.exp(1j * angle), angle, full, A, a, -offset, b - offset, D, c)
