"""Motion generation: a coupler through two to five poses, place and angle (Burmester)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.burmester import Dyads, five, four, relative, shifting, sliding, three, two
from mubo.design.synthesis.choose import MOST, chosen
from mubo.design.synthesis.family import Complex, Family
from mubo.design.synthesis.four_bar import FourBars
from mubo.design.synthesis.requirements import FEWEST, FOUR_BAR, MOST_POSES, extent, require_linkages, require_poses
from mubo.design.synthesis.result import Synthesis
from mubo.design.synthesis.slider_crank import SliderCranks
from mubo.design.synthesis.task import ANGLE, PLACE, Task
from mubo.errors import ModelError
from mubo.model import Units

LEVELS = 13  # lines that take points of the curves of four poses, in each direction
CENTRES = 11  # centres tried for three poses, in each direction
FEW = 5  # centres, and lines of pins, tried for two poses, in each direction
SHARES = np.array(
    [-2.0, -1.4, -1, -0.7, -0.4, -0.2, 0.2, 0.4, 0.7, 1, 1.4, 2]
)  # of two poses: how far pins are off the middle
ROOM = 2.5  # sizes of the motion round its middle in which pins are sampled
FARTHEST = 8.0  # sizes: a pin beyond is none to build
SPREAD = 0.12  # in sizes of a linkage: how far sampled designs differ


def motion(
    poses: Array,
    *,
    pivots: Complex | None = None,
    linkages: Sequence[str] = (FOUR_BAR,),
    units: Units | None = None,
    most: int = MOST,
) -> Synthesis:
    """Linkages whose coupler goes through poses x, y, angle (radians), a line each. `pivots` are the fixed pins of a
    four-bar for two or three poses."""
    poses = require_poses(poses)
    P, theta = poses[:, 0] + 1j * poses[:, 1], poses[:, 2]
    middle, size = P.mean(), extent(P)
    Q = (P - middle) / size
    d, e = relative(Q, theta)
    notes: list[str] = []
    fixed = None if pivots is None else (_pivots(pivots, len(poses)) - middle) / size
    pins = _circles(d, e, fixed, notes)
    families: list[Family] = []
    for name in require_linkages(linkages):
        if name == FOUR_BAR:
            families.append(_four_bars(pins, d, e, Q, theta))
        else:
            families.append(_slider_cranks(pins, _slides(d, e, notes), d, e, Q, theta))
    columns = {"coupler.x": poses[:, 0], "coupler.y": poses[:, 1], "coupler.phi": np.degrees(theta)}
    kinds = {"coupler.x": PLACE, "coupler.y": PLACE, "coupler.phi": ANGLE}
    task = Task(f"motion through {len(poses)} poses", columns, kinds, units=units or Units(), marks=P, axes=theta)
    sampled = len(poses) < MOST_POSES and (fixed is None or len(poses) == 2)
    moved = [family.transformed(size, complex(middle)) for family in families]
    return chosen(task, moved, None, most, notes, sampled=sampled, spread=SPREAD if sampled else 0.0)


def _circles(d: Complex, e: Complex, fixed: Complex | None, notes: list[str]) -> Dyads:
    """Pins that stay on circles, near the motion."""
    levels = np.linspace(-ROOM, ROOM, LEVELS)
    if len(d) == 4:
        found = five(d, e)
        notes.append(f"{len(found)} pins of the coupler stay on a circle (up to four do)")
        return found
    grid = np.linspace(-ROOM, ROOM, CENTRES if len(d) > 1 else FEW)
    if len(d) == 3:
        found = four(d, e, levels)
    elif fixed is not None:
        return three(d, e, fixed) if len(d) == 2 else two(d, e, fixed, SHARES)
    elif len(d) == 1:
        found = two(d, e, (grid[:, None] + 1j * grid).ravel(), SHARES[2:-2])
    else:
        found = three(d, e, (grid[:, None] + 1j * grid).ravel())
    near = (np.abs(found.M) < FARTHEST) & (np.abs(found.Z) < FARTHEST)
    notes.append(f"{int(near.sum())} pins of infinitely many were taken, within {ROOM:g} sizes of the motion")
    return Dyads(found.M[near], found.Z[near])


def _slides(d: Complex, e: Complex, notes: list[str]) -> Dyads:
    """Pins that stay on lines: none for five poses in general."""
    if len(d) > 3:
        notes.append("slider-crank: no pin stays on a line through five poses in general")
        return Dyads(np.zeros(0, complex), np.zeros(0, complex))
    grid = np.linspace(-ROOM, ROOM, FEW)
    found = shifting(d, e, (grid[:, None] + 1j * grid).ravel()) if len(d) == 1 else sliding(d, e, 24)
    near = np.abs(found.Z) < FARTHEST
    return Dyads(found.M[near], found.Z[near])


def _placed(Z: Complex, d: Complex, e: Complex) -> Complex:
    """Pins at all poses."""
    return np.concatenate([Z[:, None], d + e * Z[:, None]], axis=1)


def _four_bars(pins: Dyads, d: Complex, e: Complex, Q: Complex, theta: Array) -> FourBars:
    """Every pair of pins, driven at one and at the other."""
    i, j = np.nonzero(~np.eye(len(pins), dtype=bool))
    point, angle = np.tile(Q, (len(i), 1)), np.tile(theta, (len(i), 1))
    B, C = _placed(pins.Z[i], d, e), _placed(pins.Z[j], d, e)
    return FourBars(A=pins.M[i], B=B, C=C, D=pins.M[j], point=point, angle=angle)


def _slider_cranks(pins: Dyads, slides: Dyads, d: Complex, e: Complex, Q: Complex, theta: Array) -> SliderCranks:
    i, j = (index.ravel() for index in np.indices((len(pins), len(slides))))
    point, angle = np.tile(Q, (len(i), 1)), np.tile(theta, (len(i), 1))
    B, C = _placed(pins.Z[i], d, e), _placed(slides.Z[j], d, e)
    return SliderCranks(A=pins.M[i], B=B, C=C, along=-1j * slides.M[j], point=point, angle=angle)


def _pivots(pivots: Complex, count: int) -> Complex:
    pivots = np.asarray(pivots, complex)
    if count > FEWEST:
        raise ModelError(f"fixed pins may be given for two or three poses; {count} poses determine them")
    if len(pivots) != 2 or pivots[0] == pivots[1]:
        raise ModelError("two different fixed pins are needed")
    return pivots
