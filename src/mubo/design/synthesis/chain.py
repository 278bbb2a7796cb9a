"""Linkages of dyads: six-bars, geared five-bars, inverted slider-cranks. Numbers place every pin at a crank angle.

A kind of linkage states its numbers (`layout`), how they place its pins (`close`, which gives derivatives too) and
which pins each of its links has (`bars`): models, dimensions and defects follow. Whether it can be assembled is
sampled round the turn of its crank; the run has the last word.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.design.synthesis.family import STEPS, Complex, Family, degrees, xy
from mubo.design.synthesis.jets import PlaceJet
from mubo.lazy_dataclass import dataclass
from mubo.model import GROUND, Builder, ModelDefinition, Units
from mubo.model.parts import Analysis

PLACE, VECTOR = "place", "vector"  # of the frame; of a link's own axes
LENGTH, OFFSET, RATIO = "length", "offset", "ratio"  # above zero; of either sign; no length
WIDTH = {PLACE: 2, VECTOR: 2, LENGTH: 1, OFFSET: 1, RATIO: 1}
ROUND = 180  # crank angles of a turn at which the closure of many is looked at
TURN = 2 * np.pi


@dataclass(frozen=True, kw_only=True)
class Chain(Family):
    """Linkages by their numbers x (a line each), the sides of their dyads, and the crank's angles at the positions."""

    name: ClassVar[str]  # "Watt I six-bar"
    layout: ClassVar[dict[str, str]]  # numbers and their kinds, in the order of x
    bars: ClassVar[dict[str, str]]  # links and their pins; the first two are the link's axis
    dyads: ClassVar[int]
    traced: ClassVar[str]  # the link with the point
    x: Array
    sides: Array
    phi: Array

    @classmethod
    def close(
        cls, numbers: dict[str, PlaceJet], phi: PlaceJet, sides: Array
    ) -> tuple[dict[str, PlaceJet], PlaceJet, PlaceJet]:
        """Pins by name, the coupler point, and the direction of the output link."""
        raise NotImplementedError

    @classmethod
    def draw_random(cls, count: int, random: np.random.Generator) -> Self:
        """Random linkages whose crank turns round."""
        raise NotImplementedError

    @classmethod
    def from_numbers(cls, x: Array, sides: Array, phi: Array, pointed: bool = True) -> Self:
        """The linkages of numbers at crank angles."""
        pins, point, _ = cls.placed_pins(x, sides, phi)
        places: dict[str, Any] = {"A": pins["A"].z[:, 0], "B": pins["B"].z, "C": pins["C"].z}
        return cls(**places, point=point.z if pointed else None, x=x, sides=sides, phi=phi)

    @classmethod
    def placed_pins(
        cls, x: Array, sides: Array, phi: Array, by: Array | None = None
    ) -> tuple[dict[str, PlaceJet], PlaceJet, PlaceJet]:
        """Pins, point and output at crank angles; `by` are the derivatives of φ by all unknowns, those of x first."""
        numbers, k = {}, 0
        for name, kind in cls.layout.items():
            z = np.asarray(x[:, k : k + 1] + (1j * x[:, k + 1 : k + 2] if WIDTH[kind] == 2 else 0j), complex)
            d = None
            if by is not None:
                d = np.zeros((1, 1, by.shape[-1]), complex)
                d[..., k : k + WIDTH[kind]] = [1, 1j][: WIDTH[kind]]
            numbers[name] = PlaceJet(z, d)
            k += WIDTH[kind]
        angle = PlaceJet(phi.astype(complex), None if by is None else by.astype(complex))
        return cls.close(numbers, angle, sides)

    @classmethod
    def width(cls) -> int:
        """How many numbers a linkage has."""
        return sum(WIDTH[kind] for kind in cls.layout.values())

    @classmethod
    def columns(cls) -> dict[str, int]:
        """Where each number of the layout begins in x."""
        starts = np.cumsum([0, *(WIDTH[kind] for kind in cls.layout.values())])
        return dict(zip(cls.layout, starts.tolist(), strict=False))

    def rotate_and_scale(self, factor: Complex, shift: Complex) -> Self:
        """The linkages rotated, scaled and shifted: every place z becomes factor · z + shift."""
        x = self.x.copy()
        for name, k in self.columns().items():
            kind = self.layout[name]
            if kind == PLACE:
                z = factor * (x[:, k] + 1j * x[:, k + 1]) + shift
                x[:, k], x[:, k + 1] = z.real, z.imag
            elif kind != RATIO:
                x[:, k : k + WIDTH[kind]] *= np.abs(factor)[:, None]
        return type(self).from_numbers(x, self.sides, self.phi + np.angle(factor)[:, None], self.point is not None)

    def transformed(self, size: float, by: complex) -> Self:
        n = len(self)
        return self.rotate_and_scale(np.full(n, size, complex), np.full(n, by, complex)) if n else self

    def shape(self) -> Complex:
        """The numbers in sizes of the linkage, places from the crank's pin, and where the crank begins and ends."""
        size = np.ones(len(self))
        parts = []
        for name, k in self.columns().items():
            kind = self.layout[name]
            z = self.x[:, k] + (1j * self.x[:, k + 1] if WIDTH[kind] == 2 else 0j)
            z = z - self.A if kind == PLACE else z
            parts.append(z)
            size = np.maximum(size, np.abs(z)) if len(parts) > 1 else np.abs(self.B[:, 0] - self.A)
        turn = np.exp(1j * self.phi[:, [0, -1]])
        return np.concatenate([np.stack(parts, -1) / size[:, None], turn], axis=1)

    def links(self) -> Array:
        """Lengths, which must not vanish beside another; own vectors count where they are long."""
        columns = self.columns()
        bars = [self.x[:, columns[name]] for name, kind in self.layout.items() if kind == LENGTH]
        bars.append(np.abs(self._number("D") - self.A))
        least = np.min(bars, axis=0)
        own = [np.maximum(np.abs(self._number(n)), least) for n, kind in self.layout.items() if kind == VECTOR]
        return np.stack([*bars, *own], -1)

    def _number(self, name: str) -> Complex:
        k = self.columns()[name]
        return np.asarray(self.x[:, k] + 1j * self.x[:, k + 1])

    def sines(self, crank: Array) -> Array:
        """Least sine of the angles at which the dyads close."""
        pins, _, _ = self.placed_pins(self.x, self.sides, crank)
        return self.transmission_sine({name: pin.z for name, pin in pins.items()})

    @classmethod
    def transmission_sine(cls, pins: dict[str, Complex]) -> Array:
        """Least sine of the transmission angles with the pins at their places; NaN where it cannot be assembled."""
        raise NotImplementedError

    def _round(self) -> tuple[Array, Booleans]:
        """Angles of a turn, and whether each linkage can be assembled there."""
        crank = np.arange(ROUND) * (TURN / ROUND)
        closed = np.isfinite(self.sines(np.broadcast_to(crank, (len(self), ROUND))))
        return np.asarray(crank, float), np.asarray(closed)

    def gaps(self) -> tuple[Array, Booleans, Booleans]:
        """An angle where it cannot be assembled, from which the crank is counted, and whether there is one."""
        crank, closed = self._round()
        gap = np.asarray(~closed.all(axis=1))
        return np.asarray(crank[np.argmin(closed, axis=1)]), gap, np.zeros(len(self), bool)

    @property
    def side(self) -> Array:
        """Which of the sectors without a gap the crank is in: dyads keep their sides, so a gap is a toggle position."""
        crank, closed = self._round()
        first = np.argmin(closed, axis=1)
        order = (first[:, None] + np.arange(ROUND)) % ROUND
        gaps = np.cumsum(~np.take_along_axis(closed, order, 1), axis=1)
        place = np.remainder(self.crank - crank[first][:, None], TURN) / (TURN / ROUND)
        return np.asarray(np.take_along_axis(gaps, np.minimum(place.astype(int), ROUND - 1), 1) + 1.0)

    def circuit(self) -> Array:
        return np.zeros(self.B.shape)

    def label(self, k: int) -> str:
        return self.name

    def _places(self, k: int) -> dict[str, complex]:
        pins, _, _ = self.placed_pins(self.x[k : k + 1], self.sides[k : k + 1], self.phi[k : k + 1, :1])
        return {name: complex(pin.z[0, 0]) for name, pin in pins.items()}

    def witness(self, k: int) -> tuple[str, Complex]:
        """A link that moves otherwise on another branch, and its directions at the positions."""
        pins, _, _ = self.placed_pins(self.x[k : k + 1], self.sides[k : k + 1], self.phi[k : k + 1])
        first, second = self.bars[self.traced][0], self.bars[self.traced][1]
        return self.traced, (pins[second].z - pins[first].z)[0]

    def lengths(self, k: int) -> dict[str, float]:
        """Links by the distance of their first two pins, others of their pins and the point along and across it."""
        places = self._places(k) | ({} if self.point is None else {"P": complex(self.point[k, 0])})
        out = {}
        for link, pins in self.bars.items():
            first, second = places[pins[0]], places[pins[1]]
            out[link] = abs(second - first)
            for pin in pins[2:] + "P" * (self.point is not None and link == self.traced):
                own = (places[pin] - first) * np.conj(second - first) / abs(second - first)
                out |= {f"{pin} along": float(own.real), f"{pin} across": float(own.imag)}
        return out

    def model(
        self, k: int, name: str, units: Units, swing: tuple[float, float], driven: str = "crank"
    ) -> ModelDefinition:
        """One linkage drawn at its first position, its bodies pinned where two links share a pin."""
        model = Builder(name, Units(length=units.length, angle="deg", time="s"))
        places = self._places(k)
        owners: dict[str, list[str]] = {}
        for link, pins in self.bars.items():
            origin, turn = places[pins[0]], float(np.angle(places[pins[1]] - places[pins[0]]))
            if link == GROUND:
                for pin in pins:
                    model.ground.point(pin, xy(places[pin]))
            else:
                own = {pin: xy((places[pin] - origin) * np.exp(-1j * turn)) for pin in pins}
                model.body(link, xy(origin), degrees(turn), own)
            for pin in pins:
                owners.setdefault(pin, []).append(link)
            if self.point is not None and link == self.traced:
                tracer = xy((complex(self.point[k, 0]) - origin) * np.exp(-1j * turn))
        for pin, pair in owners.items():
            if len(pair) == 2:
                model.revolute(pin, *(f"{link}.{pin}" for link in pair))
        self._couple(model, k, places)
        start, end = (degrees(angle) for angle in swing)
        model.driver("motor", f"{driven}.phi", f"{start!r} + {end - start!r}*t")
        if self.point is not None:
            model.point("P", self.traced, tracer)
        model.analysis = Analysis("kinematics", {"start": 0.0, "end": 1.0, "step": 1 / STEPS})
        return model.build()

    def _couple(self, model: Builder, k: int, places: dict[str, complex]) -> None:
        """Adds what is no pin."""
