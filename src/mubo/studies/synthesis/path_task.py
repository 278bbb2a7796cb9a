"""Path generation as it is asked for: places in their order, with or without the crank's angles there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.model import Units
from mubo.studies.synthesis.choose import MOST, chosen
from mubo.studies.synthesis.cognates import cognates, reversed_drive
from mubo.studies.synthesis.family import Complex, Family
from mubo.studies.synthesis.four_bar import FourBars
from mubo.studies.synthesis.path import EXACT, ROUNDS, Found, through
from mubo.studies.synthesis.result import Synthesis
from mubo.studies.synthesis.task import PLACE, Task

FEWEST, MOST_PLACES = 3, 500
SAME = 1e-9  # of the path's size: places that are closer are one
FOUR_BAR, SLIDER_CRANK = "four-bar", "slider-crank"
LINKAGES = (FOUR_BAR, SLIDER_CRANK)
FREE = {FOUR_BAR: 9, SLIDER_CRANK: 8}  # places that can be met exactly
TIMED = {FOUR_BAR: 5, SLIDER_CRANK: 4}  # the same with given angles of the crank


def path(
    places: Complex,
    *,
    crank: Array | None = None,
    linkages: Sequence[str] = (FOUR_BAR,),
    rounds: int = ROUNDS,
    seed: int = 0,
    units: Units | None = None,
    most: int = MOST,
    progress: Callable[[float, float], None] = lambda done, total: None,
) -> Synthesis:
    """Linkages whose coupler point goes through `places` one after the other; `crank` are its angles there, radians."""
    places = require_places(places)
    turned = None if crank is None else require_turned(crank, len(places))
    words = f"path through {len(places)} points" + ("" if crank is None else " at given crank angles")
    columns = {"P.x": places.real, "P.y": places.imag}
    kinds = dict.fromkeys(columns, PLACE)
    task = Task(words, columns, kinds, units=units or Units(), whole_turn=True, marks=places)
    families: list[Family] = []
    errors: list[Array] = []
    notes: list[str] = []
    for name in require_linkages(linkages):
        found = through(places, name == SLIDER_CRANK, turned, rounds, seed, progress)
        every = _driven(found.family, timed=turned is not None)
        families += every
        errors += [found.errors] * len(every)
        notes.append(_told(name, found, len(places), TIMED if turned is not None else FREE))
    return chosen(task, families, errors, most, notes)


def _driven(family: Family, timed: bool) -> list[Family]:
    """The linkages, their cognates, driven at either end; with given crank angles those alone whose crank turns so."""
    if not isinstance(family, FourBars):
        return [family]
    if timed:
        return [family, reversed_drive(cognates(family)[2])]
    return list(cognates(family))


def _told(name: str, found: Found, count: int, limits: dict[str, int]) -> str:
    exact = int(np.sum(found.errors < EXACT))
    rounds = f"{found.rounds} round{'s' * (found.rounds != 1)} of starts"
    if exact and count <= limits[name]:
        return f"{name}: {exact} linkages meet the points exactly after {rounds}; there are others"
    if exact:
        return f"{name}: the points lie on the curve of a linkage, found after {rounds}"
    return f"{name}: no linkage found that meets all points exactly; the nearest of {rounds} are told"


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
    """Crank angles from the first on; refused where they do not go one way within a turn."""
    crank = np.asarray(crank, float)
    if len(crank) != count:
        raise ModelError(f"there are {count} points and {len(crank)} crank angles: one for each is needed")
    steps = np.diff(crank)
    if not (np.all(steps > 0) or np.all(steps < 0)):
        raise ModelError("the crank angles must go one way, one after the other")
    if np.ptp(crank) >= 2 * np.pi:
        raise ModelError(f"the crank angles span {np.degrees(np.ptp(crank)):.6g} deg: less than a turn is allowed")
    return np.asarray(crank - crank[0])


def require_linkages(names: Sequence[str]) -> list[str]:
    """The kinds of linkages asked for."""
    for name in names:
        if name not in LINKAGES:
            raise ModelError(f'there is no linkage "{name}" here. {nearest(name, LINKAGES)}')
    return list(dict.fromkeys(names))
