"""Statistics of random samples of a design: mean, deviation, and the limits between which 99.73 % of them lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.design.variants import RAN

OUTSIDE = 0.00135  # part of a normal spread beyond three sigma, to each side


@dataclass(frozen=True)
class Spread:
    """Measures of all samples (samples × measures), how each went, and its parameters."""

    values: Array
    status: tuple[str, ...]
    points: Array

    @property
    def ran(self) -> int:
        """How many samples ran to their end."""
        return sum(status.startswith(RAN) for status in self.status)

    @property
    def mean(self) -> Array:
        """Mean of the samples that ran."""
        return np.asarray(np.nanmean(self.values, axis=0))

    @property
    def sigma(self) -> Array:
        """Standard deviation of the samples that ran."""
        return np.asarray(np.nanstd(self.values, axis=0, ddof=1))

    @property
    def limits(self) -> Array:
        """Quantiles 0.135 % and 99.865 %: measures × 2."""
        return np.nanquantile(self.values, [OUTSIDE, 1 - OUTSIDE], axis=0).T
