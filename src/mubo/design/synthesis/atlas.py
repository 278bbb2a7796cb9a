"""An atlas of random linkages whose coupler curves resemble the points, rotated, scaled and translated onto them.

Some stretches of the curve of each linkage, at as many places as there are points, are compared with the points: the
share of the points' spread that a similarity transform explains is |Σ z̄ P|²/(Σ|z|² Σ|P|²), both about their means.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.design.synthesis.family import Complex
from mubo.design.synthesis.four_bar import third_pin
from mubo.design.synthesis.least_squares import Numbers
from mubo.lazy_dataclass import dataclass

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


def stretches(count: int) -> Iterator[tuple[Numbers, bool]]:
    """Places along a curve for so many points, forward and backward, and whether they go over its end."""
    for shift in range(0, PLACES, 2):
        places = np.round(shift + np.arange(count) * (PLACES / count)).astype(int) % PLACES
        over = bool(np.any(np.diff(places) < 0))
        yield places, over
        yield places[::-1], over
    for part in (0.3, 0.5, 0.75, 1.0):
        for begin in np.arange(0.0, 1.01 - part, 0.12):
            places = np.round((begin + part * np.arange(count) / (count - 1)) * (PLACES - 1)).astype(int)
            yield places, False
            yield places[::-1], False


def turns(turned: Array) -> Iterator[tuple[Numbers, bool]]:
    """Places along the curve of a crank that turns round, for given angles of it from any first one."""
    for shift in range(PLACES):
        yield np.round(shift + turned * (PLACES / (2 * np.pi))).astype(int) % PLACES, True


@dataclass(frozen=True)
class FittedLinkages:
    """Linkages laid onto the points: guides of both pins, pins from P in the coupler's axes, coupler angles."""

    A: Complex
    a: Array
    pin_B: Complex
    D: Complex
    c: Array  # or the direction of a line's square, turned along
    pin_C: Complex
    theta: Array


def find_resembling_curves(
    curve: Complex, full: Booleans, P: Complex, stretches_of_curve: Iterator[tuple[Numbers, bool]], keep: int
) -> tuple[Numbers, Numbers, Complex, Complex]:
    """The curves that resemble the points best: their numbers, the places along them, and the factor and shift that
    lay them onto the points."""
    centred = P - P.mean()
    best, chosen = np.full(len(curve), -1.0), np.zeros((len(curve), len(P)), int)
    for places, over in stretches_of_curve:
        z = curve[:, places]
        z = z - z.mean(axis=1, keepdims=True)
        share = np.abs(z @ np.conj(centred)) / np.sqrt(np.sum(np.abs(z) ** 2, axis=1) + 1e-300)
        share = np.where(full, share, -1.0) if over else share
        better = share > best
        best[better], chosen[better] = share[better], places
    order = np.argsort(-best)[:keep]
    places = chosen[order]
    z = np.take_along_axis(curve[order], places, 1)
    middle = z.mean(axis=1)
    z = z - middle[:, None]
    factor = (np.conj(z) @ centred) / np.sum(np.abs(z) ** 2, axis=1)
    return order, places, factor, P.mean() - factor * middle


def fit_to_points(
    atlas: Atlas, P: Complex, stretches_of_curve: Iterator[tuple[Numbers, bool]], keep: int, line: bool = False
) -> FittedLinkages:
    """The linkages that resemble the points best, laid onto them; with `line` their second guide is a line."""
    order, places, factor, shift = find_resembling_curves(atlas.curve, atlas.full, P, stretches_of_curve, keep)
    kept = atlas.take(order)
    scale, turn = np.abs(factor), np.angle(factor)
    theta = np.take_along_axis(kept.angle, places, 1) + turn[:, None]
    c = kept.c + turn if line else kept.c * scale
    pins = (scale * kept.pin_B, scale * kept.pin_C)
    return FittedLinkages(factor * kept.A + shift, scale * kept.a, pins[0], factor * kept.D + shift, c, pins[1], theta)
