"""Harmonics of time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, ClassVar

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.laws.dependent import written
from mubo.laws.file_form import Quantities, one, require_keys
from mubo.laws.law import FileForm, Law, by_tangents
from mubo.laws.number_text import signed_sum
from mubo.lazy_dataclass import dataclass


@dataclass(frozen=True)
class Harmonic(Law):
    """f = mean + amplitude · sin(rate · t + phase), with rate in radians per unit of time.

    motion = { harmonic = { amplitude = 0.3, rate = 5, mean = 1.3, phase = 0.2 } }
    """

    amplitude: float
    rate: float
    mean: float = 0.0
    phase: float = 0.0

    forms: ClassVar[Mapping[str, tuple[str, ...]]] = {"harmonic": ("harmonic",)}

    def __call__(self, t: Array) -> Array:
        angle = self.rate * t + self.phase
        s, c = np.sin(angle), np.cos(angle)
        a, w = self.amplitude, self.rate
        return np.column_stack([self.mean + a * s, a * w * c, -a * w * w * s])

    def derivatives(self, t: Array, names: Sequence[str]) -> Array:
        return by_tangents(self, t, names)

    @property
    def description(self) -> str:
        angle = signed_sum([(self.rate, "t"), *([(self.phase, "")] if self.phase else [])])
        mean = [(self.mean, "")] if self.mean else []
        return signed_sum([*mean, (self.amplitude, f"sin({angle})")])

    def to_file(self) -> FileForm:
        return {"harmonic": {field.name: written(getattr(self, field.name)) for field in fields(self)}}

    @classmethod
    def from_file(cls, given: Mapping[str, Any], read: Quantities) -> Harmonic:
        """Amplitude and mean are of the kind driven; rate and phase are in radians if plain numbers."""
        terms = given["harmonic"]
        if not isinstance(terms, Mapping) or not {"amplitude", "rate"} <= terms.keys():
            raise ModelError("harmonic needs amplitude and rate, and may have mean and phase (radians)")
        readers = {"amplitude": read.value, "rate": read.frequency, "mean": read.value, "phase": read.radians}
        require_keys(terms, "a harmonic", readers)
        return cls(**{key: one(value, key, readers[key]) for key, value in terms.items()})
