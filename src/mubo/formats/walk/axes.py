"""Axes of a laboratory: which of them points forwards and which up, as users write them.

The plane of walking is that of `forward` and `up`: the model's x and y. The third axis does not matter to places and
forces, whatever the hand of the laboratory; only a moment across the plane needs to know it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.motion_data.data import MotionData
from mubo.lazy_dataclass import dataclass

Named = Mapping[str, Mapping[str, tuple[str, ...]]]  # markers by part ("right", "trunk", "pelvis") and joint

WORDS = tuple(f"{sign}{axis}" for axis in "xyz" for sign in ("", "-"))
HANDS = {"right": 1.0, "left": -1.0}
UPPER, LOWER = ("shoulder", "asis", "psis", "hip", "knee"), ("heel", "toe")  # of a person who stands or walks
ASIDE = 20.0  # deg between the feet and the axis forwards: beyond it the plane of that axis is another one


@dataclass(frozen=True)
class Axes:
    """Two of the axes x, y, z, each with its sense."""

    forward: str = "x"
    up: str = "y"
    hand: str = "right"

    def __post_init__(self) -> None:
        for key in ("forward", "up"):
            word = getattr(self, key)
            if word not in WORDS:
                raise ModelError(f'{key} is an axis of the laboratory, {", ".join(WORDS)}; found "{word}"')
        if self.forward[-1] == self.up[-1]:
            raise ModelError(f"forward and up are both along {self.up[-1]}: a plane has two axes")
        if self.hand not in HANDS:
            raise ModelError(f'the hand of a laboratory is right or left; found "{self.hand}"')

    @property
    def letters(self) -> tuple[str, str]:
        """The letters of both axes."""
        return self.forward[-1], self.up[-1]

    @property
    def signs(self) -> tuple[float, float]:
        """1, or −1 where an axis of the model points against that of the laboratory."""
        return tuple(-1.0 if word.startswith("-") else 1.0 for word in (self.forward, self.up))  # type: ignore[return-value]

    @property
    def across(self) -> tuple[str, float]:
        """The third axis, and the sign by which a moment about it turns counter-clockwise, forward towards up."""
        first, second = self.letters
        third = next(letter for letter in "xyz" if letter not in (first, second))
        cyclic = 1.0 if first + second in ("xy", "yz", "zx") else -1.0
        return third, cyclic * self.signs[0] * self.signs[1] * HANDS[self.hand]


@dataclass(frozen=True)
class Laboratory:
    """Axes of a laboratory, and where heels and toes are over time, in the model's axes and units."""

    axes: Axes
    time: Array | None = None
    feet: Mapping[str, Array] = field(default_factory=dict)  # foot_r → frames × heel and toe × axes
    bodies: Mapping[str, str] = field(default_factory=dict)  # of the feet: "right" → foot_r

    def heel_and_toe(self, foot: str, t: Array) -> Array | None:
        """Heel and toe of a foot at some times: times × 2 × axes; None of a foot that no markers show."""
        if foot not in self.feet or self.time is None:
            return None
        known = np.all(np.isfinite(self.feet[foot].reshape(len(self.time), -1)), axis=1)
        at = np.searchsorted(self.time[known], t).clip(0, int(known.sum()) - 1)
        return np.asarray(self.feet[foot][known][at])


def read_axes(given: Mapping[str, Any], other: Axes | None = None) -> Axes:
    """The axes given; what is left out is as in `other`."""
    other = other or Axes()
    return Axes(**{key: str(given.get(key, getattr(other, key))) for key in ("forward", "up", "hand")})


def in_model_axes(data: MotionData, axes: Axes) -> MotionData:
    """Markers in the axes of the model: x forwards, y up, z to the right."""
    third, sign = axes.across
    turned = dict(zip("xyz", zip((*axes.letters, third), (*axes.signs, sign), strict=True), strict=True))
    names = dict.fromkeys(column.rpartition(".")[0] for column in data.columns)
    columns = {
        f"{name}.{letter}": factor * data.columns[f"{name}.{axis}"]
        for name in names
        for letter, (axis, factor) in turned.items()
        if f"{name}.{axis}" in data.columns
    }
    return replace(data, columns=columns)


def find_axes(data: MotionData, given: Mapping[str, Any], named: Named) -> Axes:
    """The axes given; those left out are found from the markers: up from the feet to the body, forwards by the feet.

    A table without three axes a marker has x forwards and y up.
    """
    known = {key: str(given[key]) for key in ("forward", "up", "hand") if key in given}
    body, feet = (mean_place(data, named, joints) for joints in (UPPER, LOWER))
    if {"forward", "up"} <= known.keys() or data.kind != "markers" or body is None or feet is None:
        return read_axes(given)
    up = known.setdefault("up", _largest(body - feet, ""))
    if "forward" not in known and (ahead := _ahead(data, named)) is not None:
        known["forward"] = _largest(ahead, up[-1])
    return Axes(**known)


def axes_notes(data: MotionData, given: Mapping[str, Any], named: Named, axes: Axes) -> list[str]:
    """Notes on the axes: those that were found, and feet that point elsewhere."""
    notes = []
    if data.kind == "markers" and not {"forward", "up"} <= given.keys():
        notes.append(f'forward = "{axes.forward}" and up = "{axes.up}", found from the markers')
    ahead = _ahead(data, named)
    if ahead is not None:
        level = np.delete(ahead, "xyz".index(axes.up[-1]))
        along = abs(ahead["xyz".index(axes.forward[-1])])
        aside = float(np.degrees(np.arccos(min(along / np.linalg.norm(level), 1.0))))
        if aside > ASIDE:
            notes.append(
                f"the feet point {aside:.0f}° away from forward, {axes.forward}: the plane of walking is not theirs"
            )
    return notes


def _ahead(data: MotionData, named: Named) -> Array | None:
    """The mean direction from heels to toes."""
    heel, toe = (mean_place(data, named, (joint,)) for joint in LOWER)
    return None if heel is None or toe is None else toe - heel


def mean_place(data: MotionData, named: Named, joints: tuple[str, ...]) -> Array | None:
    """The mean place of the markers of some joints over the record, in the axes x, y, z; None where there are none."""
    places = [
        [np.nanmean(values) for axis in "xyz" if (values := data.columns[f"{name}.{axis}"]) is not None]
        for part in named.values()
        for joint, names in part.items()
        for name in names
        if joint in joints and all(np.isfinite(data.columns.get(f"{name}.{axis}", np.nan)).any() for axis in "xyz")
    ]
    return np.mean(places, axis=0) if places else None


def _largest(vector: Array, other: str) -> str:
    """The axis along which a vector is longest, with its sense, other than `other`."""
    sizes = [0.0 if axis == other else abs(part) for axis, part in zip("xyz", vector, strict=True)]
    k = int(np.argmax(sizes))
    return f"{'-' if vector[k] < 0 else ''}{'xyz'[k]}"
