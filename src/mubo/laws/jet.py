"""A quantity with its first two time derivatives, on arrays: arithmetic by the product and chain rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.laws.tangent import Tangent, value_of
from mubo.lazy_dataclass import dataclass

ZERO = np.zeros(())


@dataclass(frozen=True)
class Jet:
    """value, d/dt, d²/dt² at many times at once."""

    v: Array
    d: Array
    dd: Array

    def chain(self, value: Array, slope: Array, bend: Array) -> Jet:
        """g(x) with g, g', g'' known at x (Faà di Bruno to second order)."""
        return Jet(value, slope * self.d, slope * self.dd + bend * self.d**2)

    def __add__(self, o: Jet) -> Jet:
        if isinstance(o, Constant):
            return Jet(self.v + o.v, self.d, self.dd)
        return Jet(self.v + o.v, self.d + o.d, self.dd + o.dd)

    def __sub__(self, o: Jet) -> Jet:
        if isinstance(o, Constant):
            return Jet(self.v - o.v, self.d, self.dd)
        return Jet(self.v - o.v, self.d - o.d, self.dd - o.dd)

    def __neg__(self) -> Jet:
        return Jet(-self.v, -self.d, -self.dd)

    def __mul__(self, o: Jet) -> Jet:
        if isinstance(o, Constant):
            return Jet(self.v * o.v, self.d * o.v, self.dd * o.v)
        return Jet(
            self.v * o.v,
            self.d * o.v + self.v * o.d,
            self.dd * o.v + 2 * self.d * o.d + self.v * o.dd,
        )

    def __truediv__(self, o: Jet) -> Jet:
        if isinstance(o, Constant):
            return Jet(self.v / o.v, self.d / o.v, self.dd / o.v)
        # From a = q b by the product rule: no powers of b, which would vanish where b is small.
        value = self.v / o.v
        rate = (self.d - value * o.d) / o.v
        return Jet(value, rate, (self.dd - 2 * rate * o.d - value * o.dd) / o.v)

    def power(self, o: Jet) -> Jet:
        """x**n for a constant n, or exp(n log x) for x > 0."""
        if not _changes(o):
            n = float(value_of(o.v).flat[0])
            # n = 0 and n = 1 have no term 0 · x^(negative), which is NaN at x = 0.
            slope = n * self.v ** (n - 1) if n else np.zeros_like(self.v)
            bend = n * (n - 1) * self.v ** (n - 2) if n not in (0, 1) else np.zeros_like(self.v)
            return self.chain(self.v**n, slope, bend)
        log = self.chain(np.log(self.v), 1 / self.v, -1 / self.v**2)
        return FUNCTIONS["exp"](log * o)


class Constant(Jet):
    """A number, the same at all times: what is done with it costs no more than its value does."""

    def __init__(self, value: Array | float) -> None:
        super().__init__(value if isinstance(value, Tangent) else np.asarray(value, float), ZERO, ZERO)

    def chain(self, value: Array, slope: Array, bend: Array) -> Jet:
        return Constant(value)

    def __add__(self, o: Jet) -> Jet:
        return Constant(self.v + o.v) if isinstance(o, Constant) else o + self

    def __sub__(self, o: Jet) -> Jet:
        return Constant(self.v - o.v) if isinstance(o, Constant) else Jet(self.v - o.v, self.d - o.d, self.dd - o.dd)

    def __neg__(self) -> Jet:
        return Constant(-self.v)

    def __mul__(self, o: Jet) -> Jet:
        return Constant(self.v * o.v) if isinstance(o, Constant) else o * self

    def __truediv__(self, o: Jet) -> Jet:
        return Constant(self.v / o.v) if isinstance(o, Constant) else super().__truediv__(o)


def _changes(jet: Jet) -> bool:
    """Whether it is not the same number at all times and for all parameters."""
    parts: tuple[Any, ...] = (jet.v, jet.d, jet.dd)
    slopes = (np.any(part.d) for part in parts if isinstance(part, Tangent))
    still = isinstance(jet, Constant) or (not np.any(jet.d) and not np.any(jet.dd) and np.all(jet.v == jet.v[0]))
    return any(slopes) or not still


_watchers: list[list[Array]] = []
_preset: list[Iterator[Array]] = []


@contextmanager
def watched() -> Iterator[list[Array]]:
    """Collects the conditions of every `select` in the block: where a law may have corners."""
    _watchers.append([])
    try:
        yield _watchers[-1]
    finally:
        _watchers.pop()


@contextmanager
def preset_conditions(conditions: Array) -> Iterator[None]:
    """Gives every `select` in the block its condition, in their order, instead of the one at the time itself."""
    _preset.append(iter(conditions))
    try:
        yield
    finally:
        _preset.pop()


def select(condition: Array, yes: Jet, no: Jet) -> Jet:
    """yes where the condition holds, no elsewhere, derivatives included."""
    if _preset:
        condition = next(_preset[-1])
    for seen in _watchers:
        seen.append(np.asarray(condition))
    if np.ndim(condition) == 0:  # of numbers
        return yes if condition else no
    return Jet(*(np.where(condition, a, b) for a, b in ((yes.v, no.v), (yes.d, no.d), (yes.dd, no.dd))))


def _tan(x: Jet) -> Jet:
    t = np.tan(x.v)
    return x.chain(t, 1 + t**2, 2 * t * (1 + t**2))


def _sqrt(x: Jet) -> Jet:
    r = np.sqrt(x.v)
    return x.chain(r, 0.5 / r, -0.25 / (r * x.v))


def _exp(x: Jet) -> Jet:
    e = np.exp(x.v)
    return x.chain(e, e, e)


def _atan(x: Jet) -> Jet:
    r = 1 / (1 + x.v**2)
    return x.chain(np.arctan(x.v), r, -2 * x.v * r**2)


FUNCTIONS: dict[str, Callable[..., Jet]] = {
    "sin": lambda x: x.chain(np.sin(x.v), np.cos(x.v), -np.sin(x.v)),
    "cos": lambda x: x.chain(np.cos(x.v), -np.sin(x.v), -np.cos(x.v)),
    "tan": _tan,
    "atan": _atan,
    "exp": _exp,
    "log": lambda x: x.chain(np.log(x.v), 1 / x.v, -1 / x.v**2),
    "sqrt": _sqrt,
    "abs": lambda x: select(x.v >= 0, x, -x),
    "min": lambda x, y: select(x.v <= y.v, x, y),
    "max": lambda x, y: select(x.v >= y.v, x, y),
}
