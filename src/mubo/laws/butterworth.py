"""The zero-lag Butterworth filter of movement analysis, and its cut-off by residual analysis.

The samples pass a Butterworth filter of half the order forwards and backwards: no lag, and the gain of both passes is

    1/(1 + (w/w₁)^order),    w = tan(π f / rate)  (bilinear transform).

The cut-off f_c is where this is −3 dB, 1/√2; each pass is therefore designed for w₁ = w_c/C with C =
(√2 − 1)^(1/order), which is 0.802 for order 4 (two second-order passes). Source: Winter, Biomechanics and Motor Control
of Human Movement, 4th ed. (2009), section 3.4.4, for the correction and the residual analysis.
"""

from __future__ import annotations

import math

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError

ORDERS = (2, 4, 6, 8)
_UNEVEN = 0.05  # of the step: times rounded by a recorder are even
_TRIALS = 120  # cut-offs of a residual analysis
_TAIL = (0.3, 0.6)  # of half the sampling rate: where the residual is taken for noise alone


def even_step(t: Array) -> float:
    """The distance of the samples; refused where they are not evenly spaced."""
    step = (t[-1] - t[0]) / (len(t) - 1)
    off = np.abs(t - t[0] - step * np.arange(len(t)))
    if np.max(off) > _UNEVEN * step:
        k = int(np.argmax(off))
        raise ModelError(
            f"a Butterworth filter needs samples at even times: sample {k + 1} (t = {t[k]:g}) is "
            f"{off[k] / step:.2g} steps of {step:.4g} away from its place",
            suggestion='Use a smoothing spline, such as smooth = { quintic = "gcv" }, which needs no even times.',
        )
    return float(step)


def zero_lag(y: Array, rate: float, cutoff: float, order: int) -> Array:
    """The samples filtered forwards and backwards; beyond both ends they go on as mirrored through the end point."""
    from scipy.signal import butter, sosfiltfilt

    if not 0 < cutoff < rate / 2:
        raise ModelError(
            f"the cut-off of a filter lies between 0 and half the sampling rate, {rate / 2:g}; found {cutoff:g}"
        )
    correction = (math.sqrt(2) - 1) ** (1 / order)
    once = math.atan(math.tan(math.pi * cutoff / rate) / correction) / math.pi  # of the sampling rate
    sections = butter(order // 2, 2 * once, output="sos")
    mirrored = min(len(y) - 1, math.ceil(3 * rate / cutoff))
    return np.asarray(sosfiltfilt(sections, y, padtype="odd", padlen=mirrored))


def residual(y: Array, smooth: Array) -> float:
    """Root mean square of the differences."""
    return float(np.sqrt(np.mean((y - smooth) ** 2)))


def residual_cutoff(y: Array, rate: float, order: int) -> float:
    """The cut-off at which the residual equals the noise (Winter's residual analysis).

    The residual over the cut-off falls along a line where only noise is left to remove, here between 0.3 and 0.6 of
    half the sampling rate. Where that line, drawn back, meets cut-off 0 is the residual of the noise.
    """
    half = rate / 2
    trials = half * np.linspace(_TAIL[1] / _TRIALS, _TAIL[1], _TRIALS)
    found = np.array([residual(y, zero_lag(y, rate, cutoff, order)) for cutoff in trials])
    tail = trials >= _TAIL[0] * half
    slope, noise = np.polyfit(trials[tail], found[tail], 1)
    above = np.flatnonzero(found > noise)
    if not len(above) or slope >= 0 or above[-1] + 1 == len(trials):
        raise ModelError(
            f"residual analysis sees no noise that differs from the signal: no cut-off from {trials[0]:.3g} to "
            f"{trials[-1]:.3g} leaves the residual {noise:.3g} of the noise",
            suggestion="State the cut-off, such as smooth = { butterworth = 6 }.",
        )
    k = int(above[-1])
    part = (found[k] - noise) / (found[k] - found[k + 1])
    return float(trials[k] + part * (trials[k + 1] - trials[k]))
