"""Adaptive quadrature over a motion: panels of five nodes, halved where two rules disagree.

A panel is integrated by Boole's rule and by Simpson's on its halves (Davis and Rabinowitz, Methods of Numerical
Integration, 1984, chapter 6). |F|³ is nearly singular where a force passes close to zero, and |ω| has a corner where a
pin reverses: there panels become short, elsewhere the rows of the run are enough.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass

BOOLE, SIMPSON = np.array([7.0, 32, 12, 32, 7]) / 90, np.array([1.0, 4, 2, 4, 1]) / 12
EXACT = 1e-7  # of each integral
ROUNDS = 30
MOST = 20_000  # places


@dataclass(frozen=True)
class Integrals:
    """Integrals of several quantities over a motion, their error bounds, and the number of nodes."""

    values: Array
    errors: Array
    places: int


def integrate_samples(rows: Array, seen: Callable[[Array], Array]) -> Integrals:
    """Integral ∫ f dt from the first to the last row; `seen(times)` returns quantities × times, NaN where there is
    none."""
    nodes, f = _initial_panels(rows, seen)
    if not len(nodes):
        return Integrals(np.zeros(len(f)), np.zeros(len(f)), len(rows))
    places = nodes.size
    for _ in range(ROUNDS):
        wide = nodes[:, 4] - nodes[:, 0]
        sums = wide * (f @ BOOLE)
        apart = np.abs(sums - wide * (f @ SIMPSON))
        total = np.abs(sums).sum(axis=1, keepdims=True)
        rough = np.any(apart > EXACT * total / len(nodes), axis=0)
        done = np.all(apart.sum(axis=1, keepdims=True) <= EXACT * total)
        if done or not rough.any() or places > MOST or np.isnan(sums).any():
            break
        new, values = _halve_panels(nodes[rough], f[:, rough], seen)
        places += 4 * int(rough.sum())
        nodes = np.concatenate([nodes[~rough], new])
        f = np.concatenate([f[:, ~rough], values], axis=1)
    return Integrals(sums.sum(axis=1), apart.sum(axis=1), places)


def _initial_panels(rows: Array, seen: Callable[[Array], Array]) -> tuple[Array, Array]:
    """Panels of four steps each; steps left over become panels with nodes of their own."""
    whole = (len(rows) - 1) // 4 * 4
    groups = np.arange(0, whole, 4)[:, None] + np.arange(5)
    at_rows = seen(rows)
    nodes, f = rows[groups], at_rows[:, groups]
    rest = np.arange(whole, len(rows) - 1)
    if not len(rest):
        return nodes, f
    steps = rows[rest][:, None] + np.diff(rows)[rest][:, None] * np.linspace(0, 1, 5)
    steps[:, 4] = rows[rest + 1]
    more = np.empty((len(f), len(rest), 5))
    more[:, :, 0], more[:, :, 4] = at_rows[:, rest], at_rows[:, rest + 1]
    more[:, :, 1:4] = seen(steps[:, 1:4].ravel()).reshape(len(f), len(rest), 3)
    return np.concatenate([nodes, steps]), np.concatenate([f, more], axis=1)


def _halve_panels(nodes: Array, f: Array, seen: Callable[[Array], Array]) -> tuple[Array, Array]:
    """Both halves of panels, with four new nodes each."""
    middles = (nodes[:, 1:] + nodes[:, :-1]) / 2
    order = np.argsort(middles.ravel(), kind="stable")
    values = np.empty((len(f), middles.size))
    values[:, order] = seen(middles.ravel()[order])
    values = values.reshape(len(f), *middles.shape)
    every, at = np.empty((len(nodes), 9)), np.empty((*f.shape[:2], 9))
    every[:, ::2], every[:, 1::2] = nodes, middles
    at[..., ::2], at[..., 1::2] = f, values
    return np.concatenate([every[:, :5], every[:, 4:]]), np.concatenate([at[..., :5], at[..., 4:]], axis=1)
