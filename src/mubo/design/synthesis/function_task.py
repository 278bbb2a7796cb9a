"""Function generation as it is asked for: pairs of a crank angle and an output.

With nothing but the pairs, an output link moves against the crank as a body through poses: its pin that stays at a
distance from one of the crank's is one of Burmester's points, for three, four and five pairs. With given starts, or
more pairs, Freudenstein's equation gives first values, and least squares of the output itself the rest.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.asked import FEWEST, SAME, require_pairs
from mubo.design.synthesis.burmester import Dyads, five, four, three
from mubo.design.synthesis.choose import MOST, chosen
from mubo.design.synthesis.family import Family
from mubo.design.synthesis.four_bar import FourBars
from mubo.design.synthesis.function import freudenstein, grid_of_starts, links
from mubo.design.synthesis.lifted import least_squares
from mubo.design.synthesis.output import Output
from mubo.design.synthesis.result import Synthesis
from mubo.design.synthesis.screen import built, screened
from mubo.design.synthesis.slider_crank import SliderCranks
from mubo.design.synthesis.task import ANGLE, PLACE, Task
from mubo.errors import ModelError
from mubo.model import Units

MOST_EXACT = 5  # pairs
KEPT, ITERATIONS = 60, 100  # starts that are followed, and how long
LEVELS, CENTRES = 17, 25  # lines and centres at which pins are sampled, in each direction
ROOM, FARTHEST = 2.0, 10.0  # lengths of the ground, or strokes
SPREAD = 0.12  # in sizes of a linkage: how far sampled designs differ


def function(
    pairs: Array,
    *,
    slides: bool = False,
    ground: float = 1.0,
    crank_start: float | None = None,
    rocker_start: float | None = None,
    units: Units | None = None,
    most: int = MOST,
) -> Synthesis:
    """Linkages through pairs of crank angle and rocker angle (radians), or slide travel, counted from the first."""
    pairs = require_pairs(pairs)
    if not ground > 0:
        raise ModelError(f"the ground must be longer than zero; found {ground:g}")
    if slides and rocker_start is not None:
        raise ModelError("a slider-crank has no rocker: its slide starts where the linkage says")
    size = float(np.ptp(pairs[:, 1])) if slides else ground
    turned = (pairs - pairs[0]) / [1.0, size if slides else 1.0]
    free = [crank_start is None, rocker_start is None]
    column = {"slide.q": pairs[:, 1]} if slides else {"rocker.phi": np.degrees(pairs[:, 1])}
    kinds = dict.fromkeys(column, PLACE if slides else ANGLE)
    words = f"function at {len(pairs)} points"
    task = Task(words, column, kinds, units=units or Units(), relative=True)
    if all(free) and len(pairs) <= MOST_EXACT:
        family, notes = _by_poses(turned, slides)
        sampled = len(pairs) < MOST_EXACT
        return chosen(task, [family.moved(size, 0j)], None, most, notes, sampled=sampled, spread=SPREAD * sampled)
    family, errors = _by_starts(turned, slides, crank_start, rocker_start)
    sampled = len(pairs) < FEWEST + sum(free)
    notes = [] if np.any(errors < SAME) else ["no linkage meets all pairs exactly; the nearest are told"]
    return chosen(task, [family.moved(size, 0j)], [errors], most, notes, sampled=sampled, spread=SPREAD * sampled)


def _by_poses(turned: Array, slides: bool) -> tuple[Family, list[str]]:
    """Pins of the output link that stay at a distance from a pin of the crank, seen from the crank."""
    phi, way = turned.T
    back = np.exp(-1j * phi[1:])
    e = back if slides else np.exp(1j * (way - phi)[1:])
    d = way[1:] * back if slides else back - e  # the ground has length 1
    if len(phi) == MOST_EXACT:
        found, notes = five(d, e), []
    elif len(phi) == MOST_EXACT - 1:
        found = _near(four(d, e, np.linspace(-ROOM, ROOM, LEVELS)))
        notes = [f"{len(found)} of infinitely many solutions were looked at"]
    else:
        grid = np.linspace(-ROOM, ROOM, CENTRES)
        found = _near(three(d, e, (grid[:, None] + 1j * grid).ravel()))
        notes = [f"{len(found)} of infinitely many solutions were looked at"]
    A, B = np.zeros(len(found), complex), found.M[:, None] * np.exp(1j * phi)
    if slides:
        return SliderCranks(A=A, B=B, C=found.Z[:, None] + way, along=A + 1), notes
    return FourBars(A=A, B=B, C=1 + (found.Z[:, None] - 1) * np.exp(1j * way), D=A + 1), notes


def _near(found: Dyads) -> Dyads:
    near = (np.abs(found.M) < FARTHEST) & (np.abs(found.Z) < FARTHEST)
    return Dyads(found.M[near], found.Z[near])


def _by_starts(turned: Array, slides: bool, crank: float | None, rocker: float | None) -> tuple[Family, Array]:
    """From Freudenstein's lengths at all starts to the least errors of the output, on either side of the linkages."""
    first, second = grid_of_starts(crank, rocker, slides)
    K = freudenstein(first[:, None] + turned[:, 0], second[:, None] + turned[:, 1], slides)
    x = np.column_stack([links(K, slides), first, second])
    x = x[np.all(np.isfinite(x), axis=1)]
    if len(turned) == FEWEST:
        return _asked(x, turned, slides), np.zeros(len(x))  # the lengths meet all pairs at every start
    x, side = np.concatenate([x, x]), np.repeat([1.0, -1.0], len(x))
    if crank is None and rocker is None:
        more, sides = _of_three(turned, slides)
        x, side = np.concatenate([x, more]), np.concatenate([side, sides])
    free = np.array([True, True, True, crank is None, rocker is None])
    begun = Output(turned, slides, 1.0, side, free)
    gaps = begun.worst(x)
    sound = screened(begun.family(x)).sound & np.isfinite(gaps)
    order = np.concatenate([np.argsort(gaps)[:KEPT], np.argsort(np.where(sound, gaps, np.inf))[:KEPT]])
    order = np.unique(order[np.isfinite(gaps[order])])
    output = Output(turned, slides, 1.0, side[order], free)
    better, _, _ = least_squares(output, x[order], np.zeros((len(order), len(turned))), ITERATIONS, 1e-3)
    better = np.concatenate([better, x[order]])  # a start may be sound where what it leads to is not
    output = Output(turned, slides, 1.0, np.tile(side[order], 2), free)
    return output.family(better), output.worst(better)


def _of_three(turned: Array, slides: bool) -> tuple[Array, Array]:
    """Unknowns and sides of linkages without a defect that meet the first pair, the last, and one between."""
    family, _ = _by_poses(turned[[0, len(turned) // 2, -1]], slides)
    family = family.take(built(family))
    family = family.take(screened(family).sound)
    B, C = family.B[:, 0], family.C[:, 0]
    arm = C if slides else C - 1
    third, start = (arm.imag, arm.real) if slides else (np.abs(arm), np.angle(arm))
    return np.column_stack([np.abs(B), np.abs(C - B), third, np.angle(B), start]), family.side[:, 0]


def _asked(x: Array, turned: Array, slides: bool) -> Family:
    """Linkages that meet the pairs, whatever their branch there."""
    a, _, c, first, second = (x[:, k : k + 1] for k in range(5))
    A, B = np.zeros(len(x), complex), a * np.exp(1j * (first + turned[:, 0]))
    out = second + turned[:, 1]
    if slides:
        return SliderCranks(A=A, B=B, C=out + 1j * c, along=A + 1)
    return FourBars(A=A, B=B, C=1 + c * np.exp(1j * out), D=A + 1)
