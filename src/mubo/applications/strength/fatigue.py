"""Fatigue of beams by the range of stress (Goodman).

    σ_a = (σ_max − σ_min)/2,   σ_m = (σ_max + σ_min)/2 at one place of one side,   1/n = K σ_a/S_f + σ_m/S_u

with S_f the amplitude of full reversal that the material endures, S_u its tensile strength, K the notch factor. A mean
stress that presses is not counted as help: 1/n = K σ_a/S_f. One run is one cycle from its least to its greatest stress;
smaller cycles within it are not counted. (Goodman, Mechanics Applied to Engineering, 1899; Shigley, Mechanical
Engineering Design, chapter 6.)
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array


def goodman(high: Array, low: Array, fatigue: float, ultimate: float, notch: float = 1.0) -> Array:
    """1/n of stresses that go between two values.

    >>> float(goodman(np.array(100.0), np.array(-100.0), 200.0, 400.0))
    0.5
    >>> float(goodman(np.array(200.0), np.array(0.0), 200.0, 400.0))
    0.75
    """
    amplitude, mean = (high - low) / 2, (high + low) / 2
    return np.asarray(notch * amplitude / fatigue + np.maximum(mean, 0.0) / ultimate)
