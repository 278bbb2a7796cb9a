"""Motion programs: dwells and rises by the classical cam laws, one after the other.

A segment of length T and rise H by the law s(u) moves by H s(t/T).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.laws.dependent import slope_of, written
from mubo.laws.file_form import Quantities, one, require_keys
from mubo.laws.law import FileForm, Law
from mubo.laws.number_text import number
from mubo.laws.rises import RISES, SEAMS
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property

MOST_TURNS = 100_000  # of a program that repeats, in one run: each end of a segment is a corner to step to


@dataclass(frozen=True)
class Segment:
    """One part of a program: a law, how long it lasts, and by how much it rises."""

    law: str
    lasts: float
    rise: float = 0.0

    def __post_init__(self) -> None:
        if self.law not in RISES:
            raise ModelError(f'there is no motion law "{self.law}". {nearest(self.law, RISES)}')
        if not self.lasts > 0:
            raise ModelError(f"a segment must last longer than 0; found {self.lasts:g}")
        if not 1e-100 < self.lasts < 1e100:  # its square divides the acceleration
            raise ModelError(f"a segment that lasts {self.lasts:g} has no acceleration that a number can hold")
        if self.law == "dwell" and self.rise:
            raise ModelError(f"a dwell does not rise; found {self.rise:g}")


@dataclass(frozen=True)
class Program(Law):
    """Segments in sequence from t = start at f = value, then standing still; `repeat` runs them again and again.

    motion = { program = [{ law = "cycloidal", lasts = 0.8, rise = 2 }, { law = "dwell", lasts = 0.3 },
               { law = "modified sine", lasts = 0.9, rise = -2 }], start = 0.1, value = 1, repeat = true }
    """

    segments: tuple[Segment, ...]
    start: float = 0.0
    value: float = 0.0
    repeat: bool = False

    forms: ClassVar[Mapping[str, tuple[str, ...]]] = {"program": ("program", "start", "value", "repeat")}

    def __post_init__(self) -> None:
        if not self.segments:
            raise ModelError("a program needs at least one segment")

    @cached_property
    def _ends(self) -> tuple[Array, Array]:
        """Times and values at the ends of the segments, the start first."""
        times = np.concatenate([[0.0], np.cumsum([s.lasts for s in self.segments])])
        return times, np.concatenate([[0.0], np.cumsum([s.rise for s in self.segments])])

    def __call__(self, t: Array) -> Array:
        return self.at(t, t)

    def at(self, t: Array, seen: Array) -> Array:
        times, values = self._ends
        turns, number = self._place(np.asarray(seen, float) - self.start)
        local = np.asarray(t, float) - self.start - turns * times[-1]
        out = np.zeros((len(local), 3))
        out[:, 0] = self.value + turns * values[-1] + np.where(number == len(self.segments), values[-1], 0.0)
        moving = (number >= 0) & (number < len(self.segments))
        laws, lasts, rises = self._shapes
        for law in {*laws[number[moving]].tolist()}:  # all segments of a law in one call: there may be thousands
            here = np.flatnonzero(moving)[laws[number[moving]] == law]
            k = number[here]
            shape = RISES[law]((local[here] - times[k]) / lasts[k])
            out[here, 0] += values[k] + rises[k] * shape[:, 0]
            out[here, 1] = rises[k] / lasts[k] * shape[:, 1]
            out[here, 2] = rises[k] / lasts[k] ** 2 * shape[:, 2]
        return out

    @cached_property
    def _shapes(self) -> tuple[NDArray[np.str_], Array, Array]:
        """Laws, durations and rises of the segments."""
        parts = self.segments
        return np.array([s.law for s in parts]), np.array([s.lasts for s in parts]), np.array([s.rise for s in parts])

    def derivatives(self, t: Array, names: Sequence[str]) -> Array:
        """f is linear in its value and its rises, so that its derivatives are programs of theirs."""
        timed = (self.start, *(part.lasts for part in self.segments))
        if any(slope_of(time, name) for time in timed for name in names):
            raise ModelError(f"{self.description}: derivatives by a parameter that its times depend on are not known")
        out = np.zeros((len(names), len(t), 3))
        for k, name in enumerate(names):
            parts = (Segment(part.law, float(part.lasts), slope_of(part.rise, name)) for part in self.segments)
            out[k] = Program(tuple(parts), float(self.start), slope_of(self.value, name), self.repeat)(t)
        return out

    def _place(self, local: Array) -> tuple[Array, NDArray[np.intp]]:
        """How often the program was run through before a time after its start, and the segment that holds then.

        Before the first segment this is −1, after the last one their number.
        """
        times = self._ends[0]
        if not self.repeat:
            return np.zeros(len(local)), np.searchsorted(times, local, side="right") - 1
        turns = np.floor(local / times[-1])
        # Rounding may leave a time just outside its period.
        inside = np.clip(local - turns * times[-1], 0.0, np.nextafter(times[-1], 0.0))
        return turns, np.searchsorted(times, inside, side="right") - 1

    def breaks(self, start: float, end: float) -> Array:
        times = self._ends[0]
        inner = [
            times[k] + part.lasts * seam for k, part in enumerate(self.segments) for seam in SEAMS.get(part.law, ())
        ]
        corners = np.union1d(times, inner)
        if not self.repeat:
            return np.asarray(self.start + corners)
        first, last = (int(np.floor((t - self.start) / times[-1])) for t in (start, end))
        if last - first > MOST_TURNS:
            raise ModelError(
                f"the program repeats {last - first:.3g} times from {start:g} to {end:g}; {MOST_TURNS} are allowed",
                suggestion=f"Its segments last {times[-1]:g} together: check their unit.",
            )
        return np.concatenate([self.start + k * times[-1] + corners[:-1] for k in range(first, last + 1)])

    @property
    def description(self) -> str:
        parts = [f"{part.law} for {number(part.lasts)}, rise {number(part.rise)}" for part in self.segments]
        again = ", repeated" if self.repeat else ""
        return f"from {number(self.value)} at {number(self.start)}: {'; '.join(parts)}{again}"

    def to_file(self) -> FileForm:
        parts = [{"law": s.law, "lasts": written(s.lasts), "rise": written(s.rise)} for s in self.segments]
        return {
            "program": parts,
            "start": written(self.start),
            "value": written(self.value),
            "repeat": bool(self.repeat),
        }

    @classmethod
    def from_file(cls, given: Mapping[str, Any], read: Quantities) -> Program:
        parts = given["program"]
        if not isinstance(parts, list) or not all(isinstance(part, Mapping) for part in parts):
            raise ModelError('a program is a list of segments such as { law = "cycloidal", lasts = 1, rise = 2 }')
        segments = tuple(_segment(number, part, read) for number, part in enumerate(parts, 1))
        start = one(given.get("start", 0.0), "start", read.time)
        value = one(given.get("value", 0.0), "value", read.value)
        return cls(segments, start, value, bool(given.get("repeat", False)))


def _segment(number: int, given: Mapping[str, Any], read: Quantities) -> Segment:
    require_keys(given, f"segment {number}", ("law", "lasts", "rise"))
    if not {"law", "lasts"} <= given.keys():
        raise ModelError(f"segment {number} needs law and lasts")
    lasts = one(given["lasts"], f"segment {number}: lasts", read.time)
    rise = one(given.get("rise", 0.0), f"segment {number}: rise", read.value)
    return Segment(str(given["law"]), lasts, rise)
