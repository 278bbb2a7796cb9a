"""Path generation as it is asked for: places in their order, with or without the crank's angles there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.asked import FOUR_BAR, SLIDER_CRANK, require_linkages, require_places, require_turned
from mubo.design.synthesis.choose import MOST, chosen
from mubo.design.synthesis.cognates import cognates, reversed_drive
from mubo.design.synthesis.family import Complex, Family
from mubo.design.synthesis.four_bar import FourBars
from mubo.design.synthesis.path import EXACT, ROUNDS, Found, through
from mubo.design.synthesis.result import Synthesis
from mubo.design.synthesis.task import PLACE, Task
from mubo.model import Units

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
        notes.append(_search_note(name, found, len(places), TIMED if turned is not None else FREE))
    return chosen(task, families, errors, most, notes)


def _driven(family: Family, timed: bool) -> list[Family]:
    """The linkages, their cognates, driven at either end; with given crank angles those alone whose crank turns so."""
    if not isinstance(family, FourBars):
        return [family]
    if timed:
        return [family, reversed_drive(cognates(family)[2])]
    return list(cognates(family))


def _search_note(name: str, found: Found, count: int, limits: dict[str, int]) -> str:
    exact = int(np.sum(found.errors < EXACT))
    rounds = f"{found.rounds} round{'s' * (found.rounds != 1)} of starts"
    if exact and count <= limits[name]:
        return f"{name}: {exact} linkages meet the points exactly after {rounds}; there are others"
    if exact:
        return f"{name}: the points lie on the curve of a linkage, found after {rounds}"
    return f"{name}: no linkage found that meets all points exactly; the nearest of {rounds} are told"
