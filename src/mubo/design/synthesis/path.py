"""Path generation: a coupler point through given places, by least squares from many starts.

First the gaps of two dyads with the coupler's angles free (`dyads`), from random linkages laid onto the places
(`atlas`); then the distances themselves in closed form (`explicit`). A four-bar has nine numbers, so that nine places
can be met exactly (Alt 1923; Wampler, Morgan and Sommese 1992 count 1442 × 3 linkages over the complex numbers); more
are met where there is such a curve, else come near to. A slider-crank has eight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.atlas import four_bar_atlas, slider_atlas
from mubo.design.synthesis.coupler import FAR, Coupler
from mubo.design.synthesis.dyads import Circle, Crank, StraightGuide, place
from mubo.design.synthesis.explicit import CouplerPointResiduals, RockerGuide, SlideGuide
from mubo.design.synthesis.family import Complex, Family, cross, joined
from mubo.design.synthesis.laid import FittedLinkages, laid, stretches, turns
from mubo.design.synthesis.lifted import least_squares

DRAWN, LAID, KEPT = 6000, 400, 80  # random linkages, those laid onto the places, those followed further
SHORT, LONG, LAST = 60, 400, 120  # iterations
ROUNDS = 6
HANDY = 6.0  # sizes of the path: linkages that only come near the places are no larger
EXACT = 1e-10  # root of the sum of squares, in sizes of the path: places are met

Progress = Callable[[float, float], None]


@dataclass(frozen=True)
class Found:
    """Linkages at all places, and their largest distance from them in sizes of the path."""

    family: Family
    errors: Array
    rounds: int


def through(
    P: Complex,
    slider: bool = False,
    turned: Array | None = None,
    rounds: int = ROUNDS,
    seed: int = 0,
    progress: Progress = lambda done, total: None,
) -> Found:
    """Linkages through places; rounds of starts go on until some meet them exactly, or there are no more rounds."""
    middle, size = P.mean(), float(np.sqrt(np.mean(np.abs(P - P.mean()) ** 2)))
    Q = (P - middle) / size
    random = np.random.default_rng(seed)
    families, errors = [], []
    for number in range(1, rounds + 1):
        family, error = _round(Q, slider, turned, random)
        families.append(family)
        errors.append(error)
        progress(number, rounds)
        if np.any(error < EXACT):
            break
    every = joined(families)
    return Found(every.moved(size, complex(middle)), np.concatenate(errors), number)


def _round(Q: Complex, slider: bool, turned: Array | None, random: np.random.Generator) -> tuple[Family, Array]:
    """Linkages of one set of starts, and their largest distances. Where none meets the places, the starts themselves
    are led towards them as well: gaps of dyads say little where they cannot be closed."""
    atlas = (slider_atlas if slider else four_bar_atlas)(DRAWN, random)
    ways = stretches(len(Q)) if turned is None else turns(turned)
    start = laid(atlas, Q, ways, LAID, line=slider)
    first = Circle() if turned is None else Crank(turned)
    coupler = Coupler(Q, first, StraightGuide() if slider else Circle())
    begun = _unknowns(start, Q, slider, turned)
    x, theta, cost = least_squares(coupler, begun, start.theta, SHORT)
    best = np.argsort(cost)[:KEPT]
    x, theta, cost = least_squares(coupler, x[best], theta[best], LONG, 1e-4)
    family, errors = _nearest(coupler, x, theta, slider, turned, FAR)
    if not np.any(errors < EXACT):
        more, further = _nearest(coupler, begun[:KEPT], start.theta[:KEPT], slider, turned, HANDY)
        family, errors = joined([family, more]), np.concatenate([errors, further])
    return family, errors


def _unknowns(start: FittedLinkages, Q: Complex, slider: bool, turned: Array | None) -> Array:
    """Unknowns of the dyads for linkages laid onto the points."""
    A, beta, gamma, D = start.A, start.pin_B, start.pin_C, start.D
    first = [A.real, A.imag, beta.real, beta.imag]
    if turned is None:
        first.append(start.a)
    else:
        z = Q[0] + beta * np.exp(1j * start.theta[:, 0]) - A
        first += [z.real, z.imag]
    second = [D.real, D.imag, gamma.real, gamma.imag, start.c]
    if slider:
        second = [start.c, gamma.real, gamma.imag, np.real(D * np.exp(-1j * start.c))]
    return np.stack([*first, *second], -1)


def _nearest(
    coupler: Coupler, x: Array, theta: Array, slider: bool, turned: Array | None, reach: float
) -> tuple[Family, Array]:
    """The closed form from there on: each with its own branches, and once more with one branch for all places."""
    i, j = coupler.pins
    turn = np.exp(1j * theta)
    beta, gamma = place(x, i), place(x, j)
    A, B, C = place(x, 0), coupler.P + beta * turn, coupler.P + gamma * turn
    p = coupler.first.unknowns
    guide = SlideGuide() if slider else RockerGuide()
    own = x[:, p:][:, [0, 3]] if slider else x[:, p:][:, [0, 1, 4]]
    side = np.sign(cross(C - B, guide.push(C, own) * (1 if slider else -1)))
    bar = (gamma - beta)[:, 0]
    g = -beta[:, 0] * np.conj(bar) / np.abs(bar)
    crank = np.angle(B - A)
    a = np.mean(np.abs(B - A), axis=1)
    y = np.column_stack([A.real, A.imag, a, np.abs(bar), g.real, g.imag, own])
    if turned is not None:
        y = np.column_stack([y, crank[:, 0]])
    mixed = np.abs(side.sum(axis=1)) < side.shape[1]
    major = np.where(side.sum(axis=1, keepdims=True) >= 0, 1.0, -1.0) * np.ones(side.shape)
    y, crank = np.concatenate([y, y[mixed]]), np.concatenate([crank, crank[mixed]])
    point = CouplerPointResiduals(coupler.P, guide, np.concatenate([side, major[mixed]]), turned, reach)
    y, crank, cost = least_squares(point, y, crank, LAST, 1e-2)
    found = CouplerPointResiduals(coupler.P, guide, point.side[cost < np.inf], turned)
    family = found.family(y[cost < np.inf], crank[cost < np.inf])
    assert family.point is not None
    return family, np.max(np.abs(family.point - coupler.P), axis=1)
