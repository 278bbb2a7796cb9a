"""Outputs of six-bars with a dwell: a rocker that a rod moves, or a slotted link; lengths in those of the ground."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.family import Complex, degrees, xy
from mubo.design.synthesis.four_bar import third_pin
from mubo.lazy_dataclass import dataclass
from mubo.model import Builder

DIRECTIONS, LENGTHS = 36, 40  # of the output link that are looked at
LEAST_SINE = 0.35  # of the transmission angle at the output
NEAREST = 0.2  # lengths: how near a slotted link's pin may come to the point


@dataclass(frozen=True)
class DwellOutput:
    """An output link that turns about `pivot`; `transmission` is the least sine of its angle to what moves it."""

    pivot: complex
    transmission: float

    def add(self, model: Builder, P: complex, size: float) -> None:
        """Adds the bodies and joints of the output at the drawn place of the coupler point."""
        raise NotImplementedError

    def lengths(self) -> dict[str, float]:
        """The dimensions by name."""
        raise NotImplementedError


@dataclass(frozen=True)
class ArcOutput(DwellOutput):
    """A rocker from G to E, which a rod from P moves; in the dwell E stands at the centre of the arc."""

    centre: complex
    rod: float

    def add(self, model: Builder, P: complex, size: float) -> None:
        E, G = self.centre, self.pivot
        E = _meeting(P, G, self.rod, abs(E - G), E)
        model.body("rod", xy(size * P), degrees(np.angle(E - P)), {"P": (0, 0), "E": (size * self.rod, 0)})
        long = abs(self.centre - G)
        model.body("output", xy(size * G), degrees(np.angle(E - G)), {"G": (0, 0), "E": (size * long, 0)})
        model.revolute("P", "coupler.P", "rod.P")
        model.revolute("E", "rod.E", "output.E")
        model.revolute("G", "output.G", "ground.G")

    def lengths(self) -> dict[str, float]:
        G = self.pivot
        return {"rod": self.rod, "output": abs(self.centre - G), "G.x": G.real, "G.y": G.imag}


@dataclass(frozen=True)
class LineOutput(DwellOutput):
    """A slotted link about G, in which a block at P slides."""

    def add(self, model: Builder, P: complex, size: float) -> None:
        turn = degrees(np.angle(P - self.pivot))
        model.body("block", xy(size * P), turn, {"P": (0, 0)})
        model.body("output", xy(size * self.pivot), turn, {"G": (0, 0)})
        model.revolute("P", "coupler.P", "block.P")
        model.translational("slot", "output.G", "block.P", axis=(1, 0), angle=0)
        model.revolute("G", "output.G", "ground.G")

    def lengths(self) -> dict[str, float]:
        return {"G.x": self.pivot.real, "G.y": self.pivot.imag}


def _meeting(P: complex, G: complex, rod: float, long: float, near: complex) -> complex:
    """The place at the rod's length from P and the link's from G, on the side of a place."""
    ends = [
        complex(third_pin(np.array([P]), np.array([G]), np.array([rod]), np.array([long]), np.array([side]))[0])
        for side in (1.0, -1.0)
    ]
    return min(ends, key=lambda end: abs(end - near))


def find_arc_outputs(P: Complex, centre: complex, radius: float, swing: float) -> Sequence[ArcOutput]:
    """Rockers that a rod moves by a swing over the whole turn, for many directions of the rocker."""
    out = []
    size = float(np.ptp(P.real) + np.ptp(P.imag))
    lengths = np.geomspace(0.15 * size, 4 * size, LENGTHS)
    for direction in np.exp(1j * np.arange(DIRECTIONS) * (2 * np.pi / DIRECTIONS)):
        swings, sines = _rockers(P, centre, radius, centre + lengths * direction)
        with np.errstate(invalid="ignore"):
            crossed = (swings[:-1] - swing) * (swings[1:] - swing) <= 0
        for k in np.flatnonzero(crossed & (np.minimum(sines[:-1], sines[1:]) > LEAST_SINE)).tolist():

            def swing_of(f: float, direction: complex = direction) -> float:
                return float(_rockers(P, centre, radius, np.array([centre + f * direction]))[0][0])

            pivot = complex(centre + _solved(swing_of, lengths[k : k + 2], swing) * direction)
            sine = float(_rockers(P, centre, radius, np.array([pivot]))[1][0])
            out.append(ArcOutput(pivot, sine, centre, radius))
    return sorted(out, key=lambda one: -one.transmission)


def _rockers(P: Complex, centre: complex, radius: float, pivots: Complex) -> tuple[Array, Array]:
    """Swings of rockers over the turn, and least sines between rod and rocker; NaN and 0 where they do not close.

    P is the curve from the middle of the dwell on, where the rod's other end stands at the centre.
    """
    G, P = np.asarray(pivots, complex)[:, None], np.broadcast_to(P, (len(pivots), len(P)))
    long, one = np.abs(centre - G) * np.ones(P.shape), np.ones(P.shape)
    E = np.array([third_pin(P, np.asarray(G * one, complex), radius * one, long, side * one) for side in (1.0, -1.0)])
    side = np.argmin(np.nan_to_num(np.abs(E[:, :, 0] - centre), nan=np.inf), axis=0)
    end = E[side, np.arange(len(pivots))]
    rod, link = end - P, end - G
    closed = np.all(np.isfinite(end), axis=1)
    sine = np.abs(np.imag(np.conj(rod) * link)) / (np.abs(rod) * np.abs(link))
    swings = np.ptp(np.unwrap(np.angle(np.where(np.isfinite(link), link, 1.0)), axis=1), axis=1)
    return np.where(closed, swings, np.nan), np.where(closed, np.nan_to_num(sine).min(axis=1), 0.0)


def find_line_outputs(P: Complex, middle: complex, along: complex, swing: float) -> Sequence[LineOutput]:
    """Slotted links of a swing, whose pins stand on the line of the dwell."""
    out = []
    size = float(np.ptp(P.real) + np.ptp(P.imag))
    places = np.concatenate([-np.geomspace(4 * size, 0.3 * size, LENGTHS), np.geomspace(0.3 * size, 4 * size, LENGTHS)])
    swings = np.array([_swing(P - (middle + place * along)) for place in places])
    clear = np.array([np.min(np.abs(P - (middle + place * along))) > NEAREST * size for place in places])
    for k in np.flatnonzero((swings[:-1] - swing) * (swings[1:] - swing) <= 0).tolist():
        if clear[k] and clear[k + 1] and places[k] * places[k + 1] > 0:
            place = _solved(lambda place: _swing(P - (middle + place * along)), places[k : k + 2], swing)
            near = np.abs(P - (middle + place * along))
            out.append(LineOutput(complex(middle + place * along), float(near.min() / near.max())))
    return out


def _swing(link: Complex) -> float:
    angle = np.unwrap(np.angle(link))
    return float(np.ptp(angle))


def _solved(function: object, ends: Array, wanted: float) -> float:
    """Where a function has a value, by bisection between two places that enclose it."""
    assert callable(function)
    low, high = (float(end) for end in ends)
    below = function(low) < wanted
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (function(middle) < wanted) == below else (low, middle)
    return (low + high) / 2
