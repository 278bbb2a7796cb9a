"""Polynomials of time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, ClassVar

import numpy as np

from mubo.arrays import Array
from mubo.laws.dependent import written
from mubo.laws.file_form import Quantities, one, several
from mubo.laws.law import FileForm, Law, by_tangents
from mubo.laws.number_text import raised, signed_sum
from mubo.lazy_dataclass import dataclass


@dataclass(frozen=True)
class Polynomial(Law):
    """f = c0 + c1 t + c2 t² + …

    KABIOS drivers are c = (position, velocity, acceleration / 2). A constant speed may be written as a rate, which may
    carry its unit: "1500 rpm".

        motion = { polynomial = [1, -2, 0.5, 0.25] }
        motion = { rate = 6.28, start = 0.5 }
    """

    coefficients: tuple[float, ...]

    forms: ClassVar[Mapping[str, tuple[str, ...]]] = {"polynomial": ("polynomial",), "rate": ("rate", "start")}

    def __call__(self, t: Array) -> Array:
        c = self.coefficients
        n = len(c)
        slope = [k * c[k] for k in range(1, n)]
        bend = [k * (k - 1) * c[k] for k in range(2, n)]
        columns = []
        for terms in (c, slope, bend):
            column = np.zeros(len(t))
            for coefficient in reversed(terms):
                column = coefficient + t * column
            columns.append(column)
        return np.column_stack(columns)

    def derivatives(self, t: Array, names: Sequence[str]) -> Array:
        return by_tangents(self, t, names)

    @property
    def description(self) -> str:
        powers = ["", "t", *(f"t{raised(k)}" for k in range(2, len(self.coefficients)))]
        return signed_sum([(c, power) for c, power in zip(self.coefficients, powers, strict=False) if c or not power])

    @property
    def powers(self) -> tuple[float, ...]:
        return self.coefficients

    @property
    def is_constant(self) -> bool:
        return not any(self.coefficients[1:])

    def to_file(self) -> FileForm:
        return {"polynomial": [written(c) for c in self.coefficients]}

    @classmethod
    def from_file(cls, given: Mapping[str, Any], read: Quantities) -> Polynomial:
        if "polynomial" in given:
            order = count()
            return cls(several(given["polynomial"], "polynomial", lambda c: read.derivative(c, next(order))))
        rate = one(given["rate"], "rate", read.rate)
        return cls((one(given.get("start", 0.0), "start", read.value), rate))
