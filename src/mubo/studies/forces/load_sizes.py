"""The sizes of loads along a motion: values of their laws at the rows of its columns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mechanism.loads import NamedLoad
from mubo.motion import Law
from mubo.results import Columns


def load_sizes(loads: Sequence[NamedLoad], columns: Columns, rubbing: Mapping[str, Array]) -> Array:
    """Values of the laws of these loads, rows × loads, in the model's units."""
    t = columns["t"]
    sizes = np.zeros((len(t), len(loads)))
    for k, load in enumerate(loads):
        assert load.law is not None
        sizes[:, k] = _over_time(load, load.law, t)
    return sizes


def _over_time(load: NamedLoad, law: Law, t: Array) -> Array:
    first, last = law.domain
    slack = 1e-9 * (last - first) if math.isfinite(last - first) else 0.0
    outside = (t < first - slack) | (t > last + slack)
    if np.any(outside):
        at = float(t[np.argmax(outside)])
        raise ModelError(
            f"force {load.name}: its data covers t = {first:g} to {last:g}; t = {at:g} is asked for",
            names=[load.name],
            numbers={"t": at},
            suggestion="Shorten the analysis, or give data for the whole of it.",
        )
    return _finite(load, law(t)[:, 0], t)


def _finite(load: NamedLoad, values: Array, t: Array) -> Array:
    """Refuses a law that has no value somewhere."""
    bad = ~np.isfinite(values)
    if np.any(bad):
        row = int(np.argmax(bad))
        raise ModelError(
            f"force {load.name}: its size at t = {t[row]:g} is {values[row]}",
            names=[load.name],
            numbers={"t": float(t[row])},
            suggestion="Look at its law at that time.",
        )
    return values
