"""Linkages of dyads for a path or a function: least squares of their numbers from many random linkages.

The curves of random linkages are laid onto the points, or their outputs are compared with those asked for from many
first angles of the crank; the nearest are improved with exact derivatives. The sides of their dyads stay: what is found
moves on one branch, or its crank meets a toggle position between.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.design.synthesis.atlas import PLACES, find_resembling_curves, stretches, turns
from mubo.design.synthesis.chain import LENGTH, VECTOR, WIDTH, Chain
from mubo.design.synthesis.family import Complex
from mubo.design.synthesis.geared_five_bar import GearedFiveBars
from mubo.design.synthesis.inverted_slider import InvertedSliders
from mubo.design.synthesis.least_squares import Look, Numbers, least_squares
from mubo.design.synthesis.requirements import GEARED, INVERTED, STEPHENSON, WATT
from mubo.design.synthesis.six_bar import STEPHENSON_PATHS, WATT_PATHS, StephensonThird, WattSecond
from mubo.lazy_dataclass import dataclass

DRAWN, LAID = 3000, 90  # random linkages, and those improved
ITERATIONS = 120
FIRST_ANGLES = 36  # of the crank, at which outputs are compared
REACH = 12.0  # sizes of the path, or lengths of the ground: no link is longer
DAMPING = 1e-2

PATHS: dict[str, tuple[type[Chain], ...]] = {
    WATT: WATT_PATHS,
    STEPHENSON: STEPHENSON_PATHS,
    INVERTED: (InvertedSliders,),
    GEARED: (GearedFiveBars,),
}
FUNCTIONS: dict[str, type[Chain]] = {WATT: WattSecond, STEPHENSON: StephensonThird, INVERTED: InvertedSliders}


@dataclass(frozen=True)
class ChainResiduals:
    """Residuals for `least_squares`: P − place, or the output's angle − the one asked for.

    Unknowns: the numbers of the linkage; with given crank angles `turned` that at the first position; with `outputs`,
    angles from the first on, that of the output there.
    """

    kind: type[Chain]
    sides: Array  # of every start
    places: Complex | None
    turned: Array | None
    outputs: Array | None
    free: Booleans  # of the unknowns

    def __call__(self, x: Array, theta: Array, active: Numbers, derivatives: bool) -> Look:
        w, m = self.kind.width(), x.shape[1]
        by = np.zeros((1, 1, m + 1))
        by[..., m if self.turned is None else w] = 1.0
        phi = theta if self.turned is None else x[:, w : w + 1] + self.turned
        _, point, output = self.kind.placed_pins(x[:, :w], self.sides[active], phi, by if derivatives else None)
        if self.places is not None:
            gap = self._within(x, point.z - self.places)
            r, d = np.stack([gap.real, gap.imag], -1), point.d
            J = None if d is None else np.stack([d.real, d.imag], 2)
        else:
            assert self.outputs is not None
            with np.errstate(all="ignore"):
                off = np.angle(output.z * np.exp(-1j * (x[:, w + 1 :] + self.outputs)))
                r = self._within(x, off)[..., None]
                J = None if output.d is None else np.imag(output.d / output.z[..., None])[:, :, None]
            if J is not None:
                J[..., w + 1] = -1.0
        if J is None:
            return Look(r, r, r)
        J = np.nan_to_num(J, posinf=0.0, neginf=0.0)
        return Look(r, J[..., :m] * self.free, J[..., m])

    def _within(self, x: Array, gap: Any) -> Any:
        """No step goes where a link is longer than REACH."""
        long = np.zeros(len(x), bool)
        for name, k in self.kind.columns().items():
            if self.kind.layout[name] in (LENGTH, VECTOR):
                long |= np.max(np.abs(x[:, k : k + WIDTH[self.kind.layout[name]]]), axis=1) > REACH
        return np.where(long[:, None], np.nan, gap)

    def worst(self, x: Array, theta: Array) -> Array:
        """The largest residual of every start: a distance or an angle; infinite where it cannot be assembled."""
        r = self(x, theta, np.arange(len(x)), False).r
        return np.asarray(np.nan_to_num(np.max(np.linalg.norm(r, axis=2), axis=1), nan=np.inf))


def path_chains(
    kind: type[Chain], Q: Complex, turned: Array | None, random: np.random.Generator, count: int = DRAWN
) -> tuple[Chain, Array]:
    """Linkages whose point goes near places, and their largest distances; sizes are those of the places."""
    crank = np.arange(PLACES) * (2 * np.pi / PLACES)
    drawn = kind.draw_random(count, random)
    every = kind.from_numbers(drawn.x, drawn.sides, np.broadcast_to(crank, (len(drawn), PLACES)))
    assert every.point is not None
    every = every.take(np.isfinite(every.point).all(axis=1))
    parts = stretches(len(Q)) if turned is None else turns(turned)
    assert every.point is not None
    order, places, factor, shift = find_resembling_curves(every.point, np.ones(len(every), bool), Q, parts, LAID)
    laid = every.take(order).rotate_and_scale(factor, shift)
    theta = np.take_along_axis(laid.phi, places, 1)
    x = laid.x if turned is None else np.column_stack([laid.x, theta[:, 0]])
    residuals = ChainResiduals(kind, laid.sides, Q, turned, None, _free(kind, x.shape[1], ()))
    x, theta, cost = least_squares(residuals, x, theta, ITERATIONS, DAMPING)
    there = np.isfinite(cost)
    phi = theta if turned is None else x[:, -1:] + turned
    found = kind.from_numbers(x[there, : kind.width()], laid.sides[there], phi[there])
    return found, residuals.worst(x, theta)[there]


def function_chains(
    kind: type[Chain],
    pairs: Array,
    starts: tuple[float | None, float | None],
    random: np.random.Generator,
    count: int = DRAWN,
) -> tuple[Chain, Array]:
    """Linkages whose output goes near pairs of angles from the first on, ground of length 1; and the largest errors."""
    drawn = kind.draw_random(count, random)
    d = drawn.x[:, drawn.columns()["D"]]
    drawn = drawn.rotate_and_scale(np.asarray(1 / d, complex), np.zeros(len(d), complex))
    best, first, output = _nearest_first(drawn, pairs, starts)
    order = np.argsort(best)[:LAID]
    x = np.column_stack([drawn.x[order], first[order], output[order]])
    k = drawn.columns()["P"]
    x[:, k : k + 2] = 0.0  # there is no point
    fixed = ("A", "D", "P")
    free = _free(kind, x.shape[1], fixed)
    free[-2:] = [start is None for start in starts]
    residuals = ChainResiduals(kind, drawn.sides[order], None, pairs[:, 0], pairs[:, 1], free)
    x, theta, cost = least_squares(residuals, x, np.zeros((len(x), len(pairs))), ITERATIONS, DAMPING)
    there = np.isfinite(cost)
    phi = x[there, -2:-1] + pairs[:, 0]
    found = kind.from_numbers(x[there, : kind.width()], drawn.sides[order][there], phi, pointed=False)
    return found, residuals.worst(x, theta)[there]


def _nearest_first(drawn: Chain, pairs: Array, starts: tuple[float | None, float | None]) -> tuple[Array, Array, Array]:
    """Least of the largest errors of every linkage over first angles of its crank, that angle and the output's."""
    best, first, output = np.full(len(drawn), np.inf), np.zeros(len(drawn)), np.zeros(len(drawn))
    angles = np.arange(FIRST_ANGLES) * (2 * np.pi / FIRST_ANGLES) if starts[0] is None else np.array([starts[0]])
    for angle in angles.tolist():
        phi = np.broadcast_to(angle + pairs[:, 0], (len(drawn), len(pairs)))
        _, _, turned = drawn.placed_pins(drawn.x, drawn.sides, phi)
        off = turned.z * np.exp(-1j * pairs[:, 1])
        middle = np.angle(off.sum(axis=1)) if starts[1] is None else np.full(len(drawn), starts[1])
        worst = np.max(np.abs(np.angle(off * np.exp(-1j * middle)[:, None])), axis=1)
        better = worst < best
        best[better], first[better], output[better] = worst[better], angle, middle[better]
    return best, first, output


def _free(kind: type[Chain], count: int, fixed: tuple[str, ...]) -> Booleans:
    """Which unknowns the search may change: no ratio of gears, and none that are fixed by name."""
    free = np.ones(count, bool)
    for name, k in kind.columns().items():
        if name in fixed or name == "ratio":
            free[k : k + WIDTH[kind.layout[name]]] = False
    return free
