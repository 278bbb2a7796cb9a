"""Path generation: a coupler point through given points in their order, by least squares from many starts.

Six-bars, geared five-bars and inverted slider-cranks: `chain_search`. Of four-bars and slider-cranks first the gaps of
two dyads with the coupler's angles free, from random linkages fitted to the points (`atlas`); then
the distances themselves in closed form (`coupler`). A four-bar has nine numbers, so that nine points can be met
exactly (Alt 1923; Wampler, Morgan and Sommese 1992 count 1442 × 3 linkages over the complex numbers); of more points
the nearest curve is found. A slider-crank has eight.

Roberts' cognates are three four-bars with one coupler curve, each of which can be driven at either fixed pin. With
crank vector a, coupler b, rocker c = C − D, and P = B + g b, the fixed pins are A, D and E = A + g (D − A), a triangle
similar to that of the coupler (S. Roberts 1875). The links of the others are g b, g a, g c and (g − 1) b, (1 − g) c,
(1 − g) a, which turn as those of the first do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.atlas import FittedLinkages, fit_to_points, four_bar_atlas, slider_atlas, stretches, turns
from mubo.design.synthesis.chain_search import PATHS, path_chains
from mubo.design.synthesis.choose import MOST, chosen
from mubo.design.synthesis.coupler import (
    FAR,
    Circle,
    Coupler,
    CouplerPointResiduals,
    Crank,
    RockerGuide,
    SlideGuide,
    StraightGuide,
    place,
)
from mubo.design.synthesis.family import Complex, Family, cross, joined
from mubo.design.synthesis.four_bar import FourBars
from mubo.design.synthesis.geared_five_bar import PLAIN
from mubo.design.synthesis.least_squares import least_squares
from mubo.design.synthesis.requirements import (
    FOUR_BAR,
    GEARED,
    INVERTED,
    PATH_LINKAGES,
    SLIDER_CRANK,
    STEPHENSON,
    WATT,
    require_linkages,
    require_places,
    require_turned,
)
from mubo.design.synthesis.result import Synthesis
from mubo.design.synthesis.task import PLACE, Task
from mubo.lazy_dataclass import dataclass
from mubo.model import Units

DRAWN, LAID, KEPT = 6000, 400, 80  # random linkages, those laid onto the places, those followed further
SHORT, LONG, LAST = 60, 400, 120  # iterations
ROUNDS = 6
HANDY = 6.0  # sizes of the path: linkages that only come near the places are no larger
EXACT = 1e-10  # root of the sum of squares, in sizes of the path: places are met

Progress = Callable[[float, float], None]


@dataclass(frozen=True)
class PathSolutions:
    """Linkages at all places by kind, and their largest distances from them in sizes of the path."""

    families: list[Family]
    errors: list[Array]
    rounds: int

    @property
    def exact(self) -> int:
        """How many meet the places."""
        return sum(int(np.sum(errors < EXACT)) for errors in self.errors)


def through(
    P: Complex,
    linkage: str = FOUR_BAR,
    turned: Array | None = None,
    rounds: int = ROUNDS,
    seed: int = 0,
    progress: Progress = lambda done, total: None,
) -> PathSolutions:
    """Linkages through places; rounds of starts go on until some meet them exactly, or there are no more rounds."""
    middle, size = P.mean(), float(np.sqrt(np.mean(np.abs(P - P.mean()) ** 2)))
    Q = (P - middle) / size
    random = np.random.default_rng(seed)
    found: list[tuple[Family, Array]] = []
    for number in range(1, rounds + 1):
        if linkage in PATHS:
            found += [path_chains(kind, Q, turned, random) for kind in PATHS[linkage]]
        else:
            found.append(_round(Q, linkage == SLIDER_CRANK, turned, random))
        progress(number, rounds)
        if any(np.any(errors < EXACT) for _, errors in found):
            break
    moved = [family.transformed(size, complex(middle)) for family, _ in found]
    return PathSolutions(moved, [errors for _, errors in found], number)


def _round(Q: Complex, slider: bool, turned: Array | None, random: np.random.Generator) -> tuple[Family, Array]:
    """Linkages of one set of starts, and their largest distances. Where none meets the places, the starts themselves
    are led towards them as well: gaps of dyads say little where they cannot be closed."""
    atlas = (slider_atlas if slider else four_bar_atlas)(DRAWN, random)
    parts = stretches(len(Q)) if turned is None else turns(turned)
    start = fit_to_points(atlas, Q, parts, LAID, line=slider)
    first = Circle() if turned is None else Crank(turned)
    coupler = Coupler(Q, first, StraightGuide() if slider else Circle())
    begun = _unknowns(start, Q, slider, turned)
    x, theta, cost = least_squares(coupler, begun, start.theta, SHORT)
    best = np.argsort(cost)[:KEPT]
    x, theta, cost = least_squares(coupler, x[best], theta[best], LONG, 1e-4)
    family, errors = _nearest(coupler, x, theta, slider, turned, FAR)
    if not np.any(errors < EXACT):
        more, further = _nearest(coupler, begun[:KEPT], start.theta[:KEPT], slider, turned, HANDY)
        family, errors = joined([family, more]), np.concatenate([errors, further])
    return family, errors


def _unknowns(start: FittedLinkages, Q: Complex, slider: bool, turned: Array | None) -> Array:
    """Unknowns of the dyads for linkages laid onto the points."""
    A, beta, gamma, D = start.A, start.pin_B, start.pin_C, start.D
    first = [A.real, A.imag, beta.real, beta.imag]
    if turned is None:
        first.append(start.a)
    else:
        z = Q[0] + beta * np.exp(1j * start.theta[:, 0]) - A
        first += [z.real, z.imag]
    second = [D.real, D.imag, gamma.real, gamma.imag, start.c]
    if slider:
        second = [start.c, gamma.real, gamma.imag, np.real(D * np.exp(-1j * start.c))]
    return np.stack([*first, *second], -1)


def _nearest(
    coupler: Coupler, x: Array, theta: Array, slider: bool, turned: Array | None, reach: float
) -> tuple[Family, Array]:
    """The closed form from there on: each with its own branches, and once more with one branch for all places."""
    i, j = coupler.pins
    turn = np.exp(1j * theta)
    beta, gamma = place(x, i), place(x, j)
    A, B, C = place(x, 0), coupler.P + beta * turn, coupler.P + gamma * turn
    p = coupler.first.unknowns
    guide = SlideGuide() if slider else RockerGuide()
    own = x[:, p:][:, [0, 3]] if slider else x[:, p:][:, [0, 1, 4]]
    side = np.sign(cross(C - B, guide.push(C, own) * (1 if slider else -1)))
    bar = (gamma - beta)[:, 0]
    g = -beta[:, 0] * np.conj(bar) / np.abs(bar)
    crank = np.angle(B - A)
    a = np.mean(np.abs(B - A), axis=1)
    y = np.column_stack([A.real, A.imag, a, np.abs(bar), g.real, g.imag, own])
    if turned is not None:
        y = np.column_stack([y, crank[:, 0]])
    mixed = np.abs(side.sum(axis=1)) < side.shape[1]
    major = np.where(side.sum(axis=1, keepdims=True) >= 0, 1.0, -1.0) * np.ones(side.shape)
    y, crank = np.concatenate([y, y[mixed]]), np.concatenate([crank, crank[mixed]])
    point = CouplerPointResiduals(coupler.P, guide, np.concatenate([side, major[mixed]]), turned, reach)
    y, crank, cost = least_squares(point, y, crank, LAST, 1e-2)
    found = CouplerPointResiduals(coupler.P, guide, point.side[cost < np.inf], turned)
    family = found.family(y[cost < np.inf], crank[cost < np.inf])
    assert family.point is not None
    return family, np.max(np.abs(family.point - coupler.P), axis=1)


def cognates(family: FourBars) -> list[FourBars]:
    """The linkages themselves and their two cognates, each driven at one end and at the other: six families."""
    P = family.point
    assert P is not None
    A, D, B, C = family.A[:, None], family.D[:, None], family.B, family.C
    a, b, c = B - A, C - B, C - D
    g = ((P - B) / b).mean(axis=1, keepdims=True)
    E = A + g * (D - A)
    out = [family]
    out.append(FourBars(A=family.A, B=A + g * b, C=E + g * c, D=E[:, 0], point=P))
    out.append(FourBars(A=family.D, B=D + (g - 1) * b, C=E + (1 - g) * a, D=E[:, 0], point=P))
    return [*out, *(reversed_drive(one) for one in out)]


def reversed_drive(family: FourBars) -> FourBars:
    """The given linkages driven at the other fixed pin."""
    return FourBars(A=family.D, B=family.C, C=family.B, D=family.A, point=family.point, angle=family.angle)


FREE = {FOUR_BAR: 9, SLIDER_CRANK: 8, INVERTED: 8, WATT: 15, STEPHENSON: 15, GEARED: 11}  # places met exactly
TIMED = {FOUR_BAR: 5, SLIDER_CRANK: 4, INVERTED: 4, WATT: 8, STEPHENSON: 8, GEARED: 6}  # with given crank angles


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
    label = f"path through {len(places)} points" + ("" if crank is None else " at given crank angles")
    columns = {"P.x": places.real, "P.y": places.imag}
    kinds = dict.fromkeys(columns, PLACE)
    task = Task(label, columns, kinds, units=units or Units(), whole_turn=True, marks=places, plain=PLAIN)
    families: list[Family] = []
    errors: list[Array] = []
    notes: list[str] = []
    for name in require_linkages(linkages, PATH_LINKAGES):
        found = through(places, name, turned, rounds, seed, progress)
        for family, far in zip(found.families, found.errors, strict=True):
            every = _driven(family, timed=turned is not None)
            families += every
            errors += [far] * len(every)
        notes.append(_search_note(name, found, len(places), TIMED if turned is not None else FREE))
    return chosen(task, families, errors, most, notes)


def _driven(family: Family, timed: bool) -> list[Family]:
    """The linkages, their cognates, driven at either end; with given crank angles those alone whose crank turns so."""
    if not isinstance(family, FourBars):
        return [family]
    if timed:
        return [family, reversed_drive(cognates(family)[2])]
    return list(cognates(family))


def _search_note(name: str, found: PathSolutions, count: int, limits: dict[str, int]) -> str:
    exact = found.exact
    rounds = f"{found.rounds} round{'s' * (found.rounds != 1)} of starts"
    if exact and count <= limits[name]:
        return f"{name}: {exact} linkages meet the points exactly after {rounds}; there are others"
    if exact:
        return f"{name}: the points lie on the curve of a linkage, found after {rounds}"
    return f"{name}: no linkage found that meets all points exactly; the nearest of {rounds} are reported"
