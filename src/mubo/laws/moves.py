"""Moves from point to point in least time, with limits of speed, acceleration and jerk.

A move from rest to rest over a distance h has up to seven pieces of constant jerk: j, 0, −j, 0, −j, 0, j. With a top
speed w it accelerates for T_a = w/a + a/j where the limit of acceleration is reached (w ≥ a²/j), else for 2 √(w/j),
and covers w T_a while it speeds up and slows down. The top speed is the limit v where h ≥ v T_a, the rest at constant
speed; else it follows from w T_a = h, which is w²/a + w a/j = h, or 4 w³ = h² j:

    w = a/2 (√(a²/j² + 4 h/a) − a/j)    if that is at least a²/j,    else    w = (h² j/4)^(1/3).

Source: Biagiotti and Melchiorri, Trajectory Planning for Automatic Machines and Robots (2008), section 3.4.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.laws.dependent import written
from mubo.laws.file_form import Quantities, one, several
from mubo.laws.law import FileForm, Law
from mubo.laws.number_text import number
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property

LIMITS = ("speed", "acceleration", "jerk")
MOST_TURNS = 100_000  # of moves that repeat, in one run


def top_speed(distance: float, speed: float, acceleration: float, jerk: float) -> float:
    """The greatest speed of a move from rest to rest in least time."""
    if distance >= speed * acceleration_time(speed, acceleration, jerk):
        return speed
    lag = acceleration / jerk
    reached = acceleration / 2 * (math.sqrt(lag**2 + 4 * distance / acceleration) - lag)
    return reached if reached >= acceleration * lag else float(np.cbrt(distance**2 * jerk / 4))


def acceleration_time(speed: float, acceleration: float, jerk: float) -> float:
    """The least time from rest to a speed."""
    least = acceleration**2 / jerk
    return speed / acceleration + acceleration / jerk if speed >= least else 2 * math.sqrt(speed / jerk)


def move_pieces(distance: float, speed: float, acceleration: float, jerk: float) -> list[tuple[float, float]]:
    """Duration and jerk of the pieces of a move over a positive distance; those without duration are left out."""
    top = top_speed(distance, speed, acceleration, jerk)
    whole = acceleration_time(top, acceleration, jerk)
    ramp = min(acceleration / jerk, math.sqrt(top / jerk))
    cruise = max(distance / top - whole, 0.0) if top == speed else 0.0
    flat = max(whole - 2 * ramp, 0.0)
    pieces = [(ramp, jerk), (flat, 0.0), (ramp, -jerk), (cruise, 0.0), (ramp, -jerk), (flat, 0.0), (ramp, jerk)]
    return [piece for piece in pieces if piece[0] > 0]


@dataclass(frozen=True)
class Moves(Law):
    """Moves to one place after the other from t = start at f = value, each from rest to rest in the least time that the
    limits allow, with a `dwell` after each; `repeat` runs them again and again, from where they ended.

    motion = { moves = [2.5, 1.2, 1], speed = 2, acceleration = 10, jerk = 100, dwell = 0.2, start = 0.1, value = 1,
               repeat = true }
    """

    places: tuple[float, ...]
    speed: float
    acceleration: float
    jerk: float
    dwell: float = 0.0
    start: float = 0.0
    value: float = 0.0
    repeat: bool = False

    forms: ClassVar[Mapping[str, tuple[str, ...]]] = {"moves": ("moves", *LIMITS, "dwell", "start", "value", "repeat")}

    def __post_init__(self) -> None:
        for name in LIMITS:
            if not 0 < getattr(self, name) < math.inf:
                raise ModelError(f"the limit of {name} of a move must be positive; found {getattr(self, name):g}")
        if self.dwell < 0:
            raise ModelError(f"the dwell after a move cannot be negative; found {self.dwell:g}")
        before = (self.value, *self.places)
        if self.repeat and not self.dwell and all(a == b for a, b in zip(before, self.places, strict=False)):
            raise ModelError("moves that repeat take some time: give a dwell, or another place")

    @cached_property
    def _pieces(self) -> tuple[Array, Array]:
        """Times at the ends of the pieces from the start on; x, v, a, j at the beginning of each, the last at rest."""
        times, states, x = [0.0], [], float(self.value)
        for place in self.places:
            h = float(place) - x
            pieces = move_pieces(abs(h), *(float(getattr(self, name)) for name in LIMITS)) if h else []
            state = (x, 0.0, 0.0)
            for lasts, jerk in pieces:
                signed = math.copysign(1.0, h) * jerk
                states.append((*state, signed))
                times.append(times[-1] + lasts)
                state = _after(state, signed, lasts)
            x = float(place)  # rounding of the sums ends here
            if self.dwell:
                states.append((x, 0.0, 0.0, 0.0))
                times.append(times[-1] + self.dwell)
        return np.array(times), np.array([*states, (x, 0.0, 0.0, 0.0)])

    def __call__(self, t: Array) -> Array:
        return self.at(t, t)

    def at(self, t: Array, seen: Array) -> Array:
        times, states = self._pieces
        after = np.asarray(seen, float) - self.start
        turns = np.floor(after / times[-1]) if self.repeat else np.zeros(len(after))
        inside = np.clip(after - turns * times[-1], 0.0, np.nextafter(times[-1], 0.0)) if self.repeat else after
        k = np.searchsorted(times, inside, side="right") - 1
        first = np.maximum(k, 0)
        x, v, a, j = states[first].T
        w = np.where(k < 0, 0.0, np.asarray(t, float) - self.start - turns * times[-1] - times[first])
        moving = k >= 0
        out = np.column_stack([x + w * (v + w * (a / 2 + w * j / 6)), v + w * (a + w * j / 2), a + w * j])
        out[~moving] = [float(self.value), 0.0, 0.0]
        out[:, 0] += turns * (float(self.places[-1]) - float(self.value))
        return out

    def breaks(self, start: float, end: float) -> Array:
        times = self._pieces[0]
        if not self.repeat:
            return np.asarray(self.start + times)
        first, last = (int(np.floor((t - self.start) / times[-1])) for t in (start, end))
        if last - first > MOST_TURNS:
            raise ModelError(
                f"the moves repeat {last - first:.3g} times from {start:g} to {end:g}; {MOST_TURNS} are allowed",
                suggestion=f"They last {times[-1]:g} together: check the units of their limits.",
            )
        return np.concatenate([self.start + k * times[-1] + times[:-1] for k in range(first, last + 1)])

    @property
    def duration(self) -> float:
        """How long all moves and dwells last together."""
        return float(self._pieces[0][-1])

    @property
    def description(self) -> str:
        places = ", ".join(number(place) for place in self.places)
        limits = ", ".join(f"{name} {number(getattr(self, name))}" for name in LIMITS)
        rest = f", dwell {number(self.dwell)}" * bool(self.dwell) + ", repeated" * self.repeat
        return f"from {number(self.value)} at {number(self.start)} to {places} with at most {limits}{rest}"

    def to_file(self) -> FileForm:
        entry: dict[str, Any] = {"moves": [written(place) for place in self.places]}
        entry |= {key: written(getattr(self, key)) for key in (*LIMITS, "dwell", "start", "value")}
        return entry | {"repeat": bool(self.repeat)}

    @classmethod
    def from_file(cls, given: Mapping[str, Any], read: Quantities) -> Moves:
        missing = [key for key in LIMITS if key not in given]
        if missing:
            raise ModelError(f"moves need a limit of {' and of '.join(missing)}")
        limits = [
            one(given[key], key, lambda value, k=order: read.derivative(value, k))  # type: ignore[misc]
            for order, key in enumerate(LIMITS, 1)
        ]
        dwell, start = (one(given.get(key, 0.0), key, read.time) for key in ("dwell", "start"))
        value = one(given.get("value", 0.0), "value", read.value)
        places = several(given["moves"], "moves", read.value)
        speed, acceleration, jerk = limits
        return cls(places, speed, acceleration, jerk, dwell, start, value, bool(given.get("repeat", False)))


def _after(state: tuple[float, float, float], jerk: float, lasts: float) -> tuple[float, float, float]:
    x, v, a = state
    return (
        x + lasts * (v + lasts * (a / 2 + lasts * jerk / 6)),
        v + lasts * (a + lasts * jerk / 2),
        a + lasts * jerk,
    )
