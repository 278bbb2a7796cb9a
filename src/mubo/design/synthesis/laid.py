"""Random linkages laid onto the places of a path: turned, scaled and moved so that stretches of their curves fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.atlas import PLACES, Atlas
from mubo.design.synthesis.family import Complex
from mubo.design.synthesis.lifted import Numbers


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


def laid(
    atlas: Atlas, P: Complex, ways: Iterator[tuple[Numbers, bool]], keep: int, line: bool = False
) -> FittedLinkages:
    """The linkages that resemble the points best, laid onto them; with `line` their second guide is a line."""
    centred = P - P.mean()
    best, chosen = np.full(len(atlas.a), -1.0), np.zeros((len(atlas.a), len(P)), int)
    for places, over in ways:
        z = atlas.curve[:, places]
        z = z - z.mean(axis=1, keepdims=True)
        share = np.abs(z @ np.conj(centred)) / np.sqrt(np.sum(np.abs(z) ** 2, axis=1) + 1e-300)
        share = np.where(atlas.full, share, -1.0) if over else share
        better = share > best
        best[better], chosen[better] = share[better], places
    order = np.argsort(-best)[:keep]
    held, places = atlas.take(order), chosen[order]
    z = np.take_along_axis(held.curve, places, 1)
    middle = z.mean(axis=1)
    z = z - middle[:, None]
    factor = (np.conj(z) @ centred) / np.sum(np.abs(z) ** 2, axis=1)
    shift = P.mean() - factor * middle
    scale, turn = np.abs(factor), np.angle(factor)
    theta = np.take_along_axis(held.angle, places, 1) + turn[:, None]
    c = held.c + turn if line else held.c * scale
    pins = (scale * held.pin_B, scale * held.pin_C)
    return FittedLinkages(factor * held.A + shift, scale * held.a, pins[0], factor * held.D + shift, c, pins[1], theta)
