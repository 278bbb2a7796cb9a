"""Any motion law as Chebyshev pieces, so that it runs in the core at full speed.

The law is sampled at the Chebyshev points of a piece and checked halfway between them; a piece that misses by more
than rounding is halved. Pieces never reach over a corner (`breaks`) of the law.
Source: Trefethen, Approximation Theory and Approximation Practice (2013), chapters 3, 4 and 8.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mubo.arrays import Array, distinct
from mubo.errors import ModelError
from mubo.laws.law import ORDERS, Law, breaks_of
from mubo.lazy_dataclass import dataclass

_TERMS = 17
_FINE = 2e-14  # of the law's size: resolved
_ROUGH = (
    1e-10  # of the law's size: good enough where halving a piece no longer helps, because the law itself is rounded
)
_GAIN = 8.0  # by which halving a smooth piece improves at least
_HALVINGS = 40
_PIECES = 200_000
_NODES = np.cos(np.pi * (np.arange(_TERMS)[::-1] + 0.5) / _TERMS)
_CHECKS = np.concatenate([[-1 + 1e-6], (_NODES[1:] + _NODES[:-1]) / 2, [1 - 1e-6]])
_TO_COEFFICIENTS = np.linalg.inv(np.polynomial.chebyshev.chebvander(_NODES, _TERMS - 1))
_AT_CHECKS = np.polynomial.chebyshev.chebvander(_CHECKS, _TERMS - 1)


class Followed(NamedTuple):
    """Whose law it is, and how messages give a time."""

    name: str
    time_text: Callable[[float], str]

    def refuse(self, what: str, t: float, suggestion: str = "") -> ModelError:
        """The error that names the law, the time and what is wrong there; `what` has a place for the time."""
        words = f"{self.name}: the law {what.format(self.time_text(t))}"
        return ModelError(words, names=[self.name], numbers={"t": t}, suggestion=suggestion)


@dataclass(frozen=True)
class ChebyshevPieces:
    """Edges (pieces + 1), coefficients (pieces, 3, terms) of f, f', f'' over each piece mapped to [-1, 1].

    `corners` are the times between the ends where the law changes its formula: an integrator must not step over them.
    """

    edges: Array
    coefficients: Array
    corners: Array

    def __call__(self, t: Array) -> Array:
        """f, f', f'' as the core will evaluate them."""
        k = np.clip(np.searchsorted(self.edges, t, side="right") - 1, 0, len(self.edges) - 2)
        a, b = self.edges[k], self.edges[k + 1]
        basis = np.polynomial.chebyshev.chebvander(((t - a) + (t - b)) / (b - a), self.coefficients.shape[2] - 1)
        return np.asarray(np.einsum("tj,tcj->tc", basis, self.coefficients[k]))


def pieces_of(
    law: Law,
    start: float,
    end: float,
    name: str,
    time_text: Callable[[float], str] = "{:.9g}".format,
    *,
    values_only: bool = False,
) -> ChebyshevPieces:
    """The law between start and end; refused, with its name, where it has jumps or is not defined.

    Messages give times in the words of `time_text`. With `values_only`, as for the size of a force, f' and f'' are
    neither looked at nor given (zero).
    """
    owner = Followed(name, time_text)
    law.require_domain(name, np.array([start, end]), time_text)
    asked = start, end
    start, end = (float(t) for t in np.clip([start, end], *law.domain))
    if start == end:
        return _instant(law, start, owner)
    if not start < end:
        raise ModelError(f"{name}: a law needs a time span: start = {start:.9g}, end = {end:.9g}", names=[name])
    corners = distinct(breaks_of(law, start, end))
    if law.samples is not None:  # the polynomials of its spline meet there
        knots = law.samples.knots
        corners = np.union1d(corners, knots[(knots > start) & (knots < end)])
    edges = np.concatenate([[start], corners, [end]])
    left, right, resolved = _resolved(law, edges, 1 if values_only or not law.knows_derivatives else 3, owner)
    order = np.argsort(left)
    left, right, coefficients = left[order], right[order], np.zeros((len(left), 3, _TERMS))
    coefficients[:, : resolved.shape[1]] = resolved[order]
    if not (law.knows_derivatives or values_only):
        _differentiate(left, right, coefficients, corners, owner)
    largest = np.abs(coefficients).max(axis=(0, 2), keepdims=True, initial=1e-300)
    used = np.flatnonzero((np.abs(coefficients) > 1e-17 * largest).any(axis=(0, 1)))
    terms = int(used[-1]) + 1 if len(used) else 1
    ends = np.append(left, right[-1])
    ends[[0, -1]] = asked  # the domain of data may end a rounding before
    return ChebyshevPieces(ends, np.ascontiguousarray(coefficients[:, :, :terms]), corners)


def _instant(law: Law, t: float, owner: Followed) -> ChebyshevPieces:
    """A law at one time alone, as a constant: what a run of one row asks for."""
    at = np.array([t])
    values = _samples(law, at, at, np.zeros(1), owner)
    return ChebyshevPieces(np.array([t, t + max(abs(t), 1.0) * 1e-9]), values.reshape(1, 3, 1), np.zeros(0))


def _resolved(law: Law, edges: Array, columns: int, owner: Followed) -> tuple[Array, Array, Array]:
    """Left and right edges and coefficients of pieces that are good enough, in any order."""
    a, b = edges[:-1], edges[1:]
    before = np.full((len(a), columns), np.inf)
    size = np.full(columns, 1e-300)
    resolved: list[tuple[Array, Array, Array]] = []
    count = 0
    for _ in range(_HALVINGS):
        values = _samples(law, a, b, _NODES, owner)[:, :, :columns]
        checks = _samples(law, a, b, _CHECKS, owner)[:, :, :columns]
        size = np.maximum(size, np.maximum(np.abs(values).max(axis=(0, 1)), np.abs(checks).max(axis=(0, 1))))
        coefficients = np.einsum("jn,pnc->pcj", _TO_COEFFICIENTS, values)
        miss = np.abs(np.einsum("nj,pcj->pnc", _AT_CHECKS, coefficients) - checks).max(axis=1)
        good = (miss <= _FINE * size) | ((miss <= _ROUGH * size) & (miss > before / _GAIN))
        keep = good.all(axis=1)
        resolved.append((a[keep], b[keep], coefficients[keep]))
        count += int(keep.sum())
        a, b, before = a[~keep], b[~keep], miss[~keep]
        if not len(a):
            left, right, terms = (np.concatenate(parts) for parts in zip(*resolved, strict=True))
            return left, right, terms
        if count + 2 * len(a) > _PIECES:
            break
        middle = (a + b) / 2
        a, b, before = np.concatenate([a, middle]), np.concatenate([middle, b]), np.concatenate([before, before])
    worst = int(np.argmax((before / size).max(axis=1)))
    raise _not_smooth(owner, float(a[worst]), int(np.argmax(before[worst] / size)))


def _not_smooth(owner: Followed, t: float, order: int) -> ModelError:
    return owner.refuse(
        f"cannot be followed near t = {{}}: its {ORDERS[order]} jumps or is not smooth there",
        t,
        "Give the law as pieces that meet there, or smooth it.",
    )


def _samples(law: Law, a: Array, b: Array, nodes: Array, owner: Followed) -> Array:
    """Values (pieces, nodes, 3) of the law inside the pieces."""
    t = (a[:, None] + b[:, None]) / 2 + (b - a)[:, None] / 2 * nodes
    try:
        values = np.asarray(law(t.ravel()), float)
    except ModelError as error:
        raise ModelError(f"{owner.name}: {error}", names=[owner.name]) from error
    if not np.isfinite(values).all():
        where = t.ravel()[~np.isfinite(values).all(axis=1)][0]
        raise owner.refuse("is not a number at t = {}", float(where))
    return values.reshape(len(a), len(nodes), 3)


def _differentiate(left: Array, right: Array, coefficients: Array, corners: Array, owner: Followed) -> None:
    """f' and f'' of a law that only knows f, from its pieces: far closer than differences of samples.

    At a kink of f the pieces shrink until f is met, but their derivatives do not meet: refused.
    """
    scale = (2 / (right - left))[:, None]
    signs = (-1.0) ** np.arange(_TERMS)
    for order in (1, 2):
        coefficients[:, order, :-1] = np.polynomial.chebyshev.chebder(coefficients[:, order - 1], axis=1) * scale
        ends, starts = coefficients[:, order].sum(axis=1), coefficients[:, order] @ signs
        gap = np.where(np.isin(left[1:], corners), 0.0, np.abs(starts[1:] - ends[:-1]))
        if (gap > 1e-6 * max(np.abs(ends).max(), np.abs(starts).max())).any():
            raise _not_smooth(owner, float(left[1:][np.argmax(gap)]), order)
