"""How measured samples are smoothed: what users say, and what the smoothing amounts to as a filter.

A smoothing spline of order m of samples T apart answers a sine of the frequency ω with the amplitude
1/(1 + (ω/ω_c)^(2m)), ω_c = (λT)^(−1/2m): a zero-lag Butterworth filter (Woltring, in Three-Dimensional Analysis of
Human Movement, 1995; Craven and Wahba 1979). At ω_c, Woltring's cut-off, half the amplitude is left; 1/√2 of it (−3 dB,
the cut-off of a Butterworth filter) is left at ω_c (√2 − 1)^(1/2m).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.laws import butterworth, spline
from mubo.laws.cross_validation import best_smoothing
from mubo.laws.number_text import number
from mubo.lazy_dataclass import dataclass

SPLINES = {"cubic": spline.CUBIC, "quintic": spline.QUINTIC}
FILTER = "butterworth"
ALLOWED = 'smooth must be "none", "gcv", a number, { quintic = "gcv" } or { butterworth = "residual" }'


@dataclass(frozen=True)
class Smoothing:
    """A spline ("cubic", "quintic") `by` "none", "gcv" or λ; or "butterworth" `by` "residual" or its cut-off in cycles
    per unit of time, with the `order` of both passes together."""

    kind: str = "cubic"
    by: str | float = "none"
    order: int = 4

    def __post_init__(self) -> None:
        if self.kind not in (*SPLINES, FILTER):
            raise ModelError(f'there is no smoothing "{self.kind}". {nearest(self.kind, (*SPLINES, FILTER))}')
        words = ("residual",) if self.kind == FILTER else ("none", "gcv")
        size = "a cut-off" if self.kind == FILTER else "λ"
        if isinstance(self.by, str | bool):
            if self.by not in words:
                listed = " or ".join(f'"{word}"' for word in words)
                raise ModelError(f"{self.kind} smoothing goes by {listed} or a number, {size}; found {self.by!r}")
        elif not self.by >= 0:
            raise ModelError(f"the smoothing parameter must not be negative; found {self.by}")
        if self.kind == FILTER and (isinstance(self.order, bool) or self.order not in butterworth.ORDERS):
            raise ModelError(f"the order of a zero-lag filter is that of both passes: 2, 4, 6 or 8; found {self.order}")

    @property
    def filters(self) -> bool:
        """Whether it is a filter, which not all samples can pass."""
        return self.kind == FILTER

    @property
    def description(self) -> str:
        if self.kind == FILTER:
            how = "cut-off by residual analysis" if self.by == "residual" else f"cut-off {number(float(self.by))}"
            return (
                f"zero-lag Butterworth filter of order {self.order}, {how}, and the quintic spline through its answer"
            )
        if self.by == "none":
            return f"interpolating {self.kind} spline"
        how = "λ by cross-validation" if self.by == "gcv" else f"λ = {number(float(self.by))}"
        return f"{self.kind} smoothing spline, {how}"

    def to_file(self) -> dict[str, Any]:
        """The table of a model file."""
        form: dict[str, Any] = {self.kind: self.by if isinstance(self.by, str) else float(self.by)}
        return {**form, "order": self.order} if self.kind == FILTER else form

    def answer(self, t: Array, y: Array) -> Smoothed:
        """The samples smoothed."""
        if self.kind == FILTER:
            return self._filtered(t, y)
        order = SPLINES[self.kind]
        by = best_smoothing(t, y, order) if self.by == "gcv" else self.by
        lam = 0.0 if by == "none" else float(by)
        pieces = spline.fit(t, y, lam, order)
        notes = {"smoothing": lam, **_equivalent(lam, order, (t[-1] - t[0]) / (len(t) - 1))}
        return Smoothed(pieces, notes | self._about(t, y, pieces, lam))

    def _filtered(self, t: Array, y: Array) -> Smoothed:
        rate = 1 / butterworth.even_step(t)
        size = float(np.max(np.abs(y))) or 1.0
        cutoff = butterworth.residual_cutoff(y / size, rate, self.order) if self.by == "residual" else float(self.by)
        smooth = size * butterworth.zero_lag(y / size, rate, cutoff, self.order)
        pieces = spline.fit(np.linspace(t[0], t[-1], len(t)), smooth, 0.0, spline.QUINTIC)
        return Smoothed(pieces, {"cutoff": cutoff, "order": self.order} | self._about(t, y, pieces))

    def _about(self, t: Array, y: Array, pieces: spline.Pieces, lam: float = math.nan) -> dict[str, Any]:
        size = float(np.max(np.abs(y))) or 1.0
        left = 0.0 if lam == 0 else size * butterworth.residual(y / size, pieces(pieces.t)[:, 0] / size)
        notes: dict[str, Any] = {"residual": left}
        if self.kind == "cubic" and len(t) > spline.CUBIC:
            notes["ends"] = "acceleration 0 at both ends, as natural cubic splines have it"
        return {"method": self.description.partition(",")[0], **notes}


@dataclass(frozen=True, eq=False)
class Smoothed:
    """The law that the samples became, and what to know about it."""

    pieces: spline.Pieces
    notes: dict[str, Any]


def _equivalent(lam: float, order: int, step: float) -> dict[str, float]:
    """The cut-offs of a spline, in cycles per unit of time; none where it interpolates."""
    if lam == 0:
        return {}
    half = (lam * step) ** (-1 / (2 * order)) / (2 * math.pi)
    return {"cutoff": half * (math.sqrt(2) - 1) ** (1 / (2 * order)), "half_amplitude": half}


def smoothing_of(given: Any, frequency: Callable[[Any], Any] = lambda cutoff: cutoff) -> Smoothing:
    """From what users write: "none", "gcv", λ of a cubic spline, or a table such as { butterworth = 6, order = 4 }.

    `frequency` reads the cut-off, which in a file may be "6 Hz".
    """
    if isinstance(given, Smoothing):
        return given
    if isinstance(given, Mapping):
        kind = next((key for key in given if key != "order"), "")
        for key in given:
            if key not in (kind, "order") or (key == "order" and kind != FILTER):
                raise ModelError(f'{kind or "smooth"} smoothing has no "{key}"')
        by = frequency(given[kind]) if kind == FILTER and given[kind] != "residual" else given.get(kind)
        if not isinstance(by, str | int | float):
            raise ModelError(f"{ALLOWED}; found {dict(given)!r}")
        return Smoothing(kind, by, given.get("order", 4))
    if isinstance(given, bool) or (not isinstance(given, int | float) and given not in ("none", "gcv")):
        raise ModelError(f"{ALLOWED}; found {given!r}")
    return Smoothing("cubic", given)
