"""Markers that are frozen, and frames that are repeated: what a recorder writes when it has lost the camera.

A measured place has noise in its last decimals, so that a marker that keeps all its coordinates to the last decimal for
some frames was not measured there. Where the file has coarser decimals than FINE nothing can be seen of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.motion_data.data import MotionData
from mubo.formats.motion_data.read import read_motion_data
from mubo.quantities.unit_algebra import FACTORS

FROZEN = 4  # frames of a marker with the same coordinates
FINE = 1e-4  # m: the last decimal of a file by which stillness is judged
STANDS = 0.2  # m by which the markers of a person who stands move at most
MOVES = 5e-4  # m in a frame, the median of the fastest marker: a person who stands is no walk


def still_notes(path: object, time: Array, places: Mapping[str, Array], metre: float) -> list[str]:
    """Notes on repeated frames and on frozen markers of a walk; `metre` is one metre in the unit of the places."""
    steps = {name: np.diff(place, axis=0) for name, place in places.items() if len(place) > FROZEN}
    fastest = max((float(np.nanmedian(np.linalg.norm(step, axis=1))) for step in steps.values()), default=0.0)
    if not fastest > MOVES * metre:
        return []
    stays = {name: np.all(step == 0, axis=1) for name, step in steps.items() if _is_fine(step, metre)}
    notes = []
    repeated = np.all(list(stays.values()), axis=0) if len(stays) > 1 else np.zeros(len(time) - 1, bool)
    if runs := _runs(repeated, 1):
        notes.append(f"{path}: all markers keep their places {_when(time, runs)}: frames are repeated")
    for name, still in stays.items():
        if runs := _runs(still & ~repeated, FROZEN - 1):
            notes.append(
                f"{path}: marker {name} is frozen {_when(time, runs)}, to the last decimal: it was not measured there"
            )
    return notes


def read_standing(path: Path) -> MotionData:
    """The static trial of a file; refuses one in which somebody walks."""
    data = read_motion_data(path)
    names = dict.fromkeys(column[:-2] for column in data.columns if f"{column[:-2]}.x" in data.columns)
    places = [np.column_stack([data.columns.get(f"{name}.{axis}", data.time * 0) for axis in "xyz"]) for name in names]
    moved = [np.ptp(seen, axis=0).max() for place in places if len(seen := place[np.all(np.isfinite(place), axis=1)])]
    far = float(np.median(moved)) * FACTORS["length"][data.length_unit or "m"] if moved else 0.0
    if far > STANDS:
        raise ModelError(
            f"{path}: half of the markers move by {far:.2g} m and more: this is no static trial",
            suggestion="Name a trial of a person who stands as static.",
        )
    return data


def _is_fine(step: Array, metre: float) -> bool:
    """Whether the decimals of a marker are fine enough to show noise."""
    sizes = np.abs(step[np.isfinite(step) & (step != 0)])
    return bool(len(sizes) == 0 or sizes.min() < FINE * metre)


def _runs(still: NDArray[np.bool_], least: int) -> list[tuple[int, int]]:
    """First and last frame of every run of at least so many steps."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], still, [False]]).astype(int)))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2) if b - a >= least]


def _when(time: Array, runs: list[tuple[int, int]]) -> str:
    """The times of the first run, and how many more there are."""
    first, last = runs[0]
    more = f" and {len(runs) - 1} more time{'s' * (len(runs) > 2)}" if len(runs) > 1 else ""
    return f"from t = {time[first]:g} to {time[last]:g}{more}"
