"""Types of arrays, and their distinct values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]
    Complexes = NDArray[np.complex128]
    Integers = NDArray[np.int32]
    Booleans = NDArray[np.bool_]
else:  # what types of numbers arrays have is for type checkers, and loading `numpy.typing` takes its time
    Array = Complexes = Integers = Booleans = np.ndarray
Vector = tuple[float, ...]  # two numbers in the plane, three in space


def distinct(values: ArrayLike) -> NDArray[Any]:
    """Return the sorted values of an array, each once; `np.unique` would load the masked arrays of NumPy for it."""
    found = np.sort(np.asarray(values), axis=None)
    return np.asarray(found[np.concatenate([np.ones(min(1, len(found)), bool), found[1:] != found[:-1]])])


def is_among(values: ArrayLike, others: ArrayLike) -> Booleans:
    """Return for each value whether it is among the others."""
    one, known = np.asarray(values), distinct(others)
    if not len(known):
        return np.zeros(one.shape, bool)
    return np.asarray(known[np.minimum(np.searchsorted(known, one), len(known) - 1)] == one)
