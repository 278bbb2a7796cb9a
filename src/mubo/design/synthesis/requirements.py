"""Checks of the input before anything is computed: pairs, poses and places that make no task."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.family import Complex
from mubo.errors import ModelError, nearest

SAME = 1e-9  # radians, or sizes of the task: what is closer is one
FEWEST, MOST_POSES, MOST_PLACES = 3, 5, 500
FEWEST_POSES = 2
FOUR_BAR, SLIDER_CRANK = "four-bar", "slider-crank"
INVERTED, WATT, STEPHENSON, GEARED = "inverted-slider", "watt", "stephenson", "geared-five-bar"
LINKAGES = (FOUR_BAR, SLIDER_CRANK)  # of motions
FUNCTION_LINKAGES = (*LINKAGES, INVERTED, WATT, STEPHENSON)
PATH_LINKAGES = (*FUNCTION_LINKAGES, GEARED)


def require_pairs(pairs: Array) -> Array:
    """Refuses pairs that no linkage could tell apart."""
    pairs = np.asarray(pairs, float)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.all(np.isfinite(pairs)):
        raise ModelError("pairs are a crank angle and an output each: [(0, 0), (30, 20), (60, 50)]")
    if len(pairs) < FEWEST:
        raise ModelError(f"a function needs at least {FEWEST} pairs; found {len(pairs)}")
    steps = np.diff(pairs[:, 0])
    if np.any(np.abs(steps) < SAME):
        k = int(np.argmin(np.abs(steps)))
        raise ModelError(f"pairs {k + 1} and {k + 2} have the same crank angle", suggestion="Leave one of them out.")
    if not (np.all(steps > 0) or np.all(steps < 0)):
        raise ModelError("the crank angles of the pairs must all increase or all decrease")
    if np.ptp(pairs[:, 0]) >= 2 * np.pi:
        raise ModelError(
            f"the crank angles span {np.degrees(np.ptp(pairs[:, 0])):.6g} deg: less than a turn is allowed"
        )
    if np.ptp(pairs[:, 1]) == 0:
        raise ModelError("the output is the same at all pairs: nothing moves")
    return pairs


def extent(P: Complex) -> float:
    """The extent of the places; of a body that only turns there is none, and one unit is taken."""
    return float(np.max(np.abs(P - P.mean()))) or 1.0


def require_poses(poses: Array) -> Array:
    """Refuses poses that no linkage could be made for."""
    poses = np.asarray(poses, float)
    if poses.ndim != 2 or poses.shape[1] != 3 or not np.all(np.isfinite(poses)):
        raise ModelError("poses are x, y and an angle each: [(0, 0, 0), (10, 5, 20), (20, 5, 45)]")
    if not FEWEST_POSES <= len(poses) <= MOST_POSES:
        raise ModelError(
            f"motion generation takes {FEWEST_POSES} to {MOST_POSES} poses; {len(poses)} given",
            suggestion="Add a pose: one pose is no motion."
            if len(poses) < FEWEST_POSES
            else "Leave some out: no four-bar goes exactly through more poses. A path through points may have more.",
        )
    for k in range(len(poses)):
        for m in range(k):
            turned = abs(np.angle(np.exp(1j * (poses[k, 2] - poses[m, 2]))))
            apart = np.hypot(*(poses[k, :2] - poses[m, :2]))
            if turned <= SAME and apart <= SAME * extent(poses[:, 0] + 1j * poses[:, 1]):
                raise ModelError(f"poses {m + 1} and {k + 1} coincide", suggestion="Leave one of them out.")
    if np.all(np.abs(np.angle(np.exp(1j * (poses[:, 2] - poses[0, 2])))) <= SAME):
        raise ModelError(
            "the poses do not turn: every point moves alike",
            suggestion="A parallel motion is a path: ask for `mubo synthesize path`.",
        )
    return poses


def require_places(places: Complex) -> Complex:
    """Refuses places that make no path."""
    places = np.asarray(places, complex)
    if places.ndim != 1 or not np.all(np.isfinite(places)):
        raise ModelError("a path needs finite places x, y: [(0, 0), (10, 5), (20, 0)]")
    if not FEWEST <= len(places) <= MOST_PLACES:
        raise ModelError(f"a path needs {FEWEST} to {MOST_PLACES} points; found {len(places)}")
    size = float(np.max(np.abs(places - places[0])))
    gaps = np.abs(places[:, None] - places[None]) + np.eye(len(places)) * (size or 1.0)
    if size == 0 or np.min(gaps) <= SAME * size:
        i, j = sorted(np.unravel_index(int(np.argmin(gaps)), gaps.shape))
        raise ModelError(
            f"points {i + 1} and {j + 1} coincide at ({places[i].real:.6g}, {places[i].imag:.6g})",
            suggestion="Leave one of them out: a path is closed by the crank's turn, not by repeating its first point.",
        )
    return places


def require_turned(crank: Array, count: int) -> Array:
    """Crank angles from the first on; refused where they are not monotonic within a turn."""
    crank = np.asarray(crank, float)
    if len(crank) != count:
        raise ModelError(f"there are {count} points and {len(crank)} crank angles: one for each is needed")
    steps = np.diff(crank)
    if not (np.all(steps > 0) or np.all(steps < 0)):
        raise ModelError("the crank angles must all increase or all decrease")
    if np.ptp(crank) >= 2 * np.pi:
        raise ModelError(f"the crank angles span {np.degrees(np.ptp(crank)):.6g} deg: less than a turn is allowed")
    return np.asarray(crank - crank[0])


def require_linkages(names: Sequence[str], allowed: Sequence[str] = LINKAGES) -> list[str]:
    """The kinds of linkages asked for, of those that a task can find."""
    for name in names:
        if name not in allowed:
            raise ModelError(f'there is no linkage "{name}" here. {nearest(name, allowed)}')
    return list(dict.fromkeys(names))
