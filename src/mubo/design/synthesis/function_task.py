"""Function generation: linkages through pairs of a crank angle and an output.

With nothing but the pairs, an output link moves against the crank as a body through poses: its pin that stays at a
distance from one of the crank's is one of Burmester's points, for three, four and five pairs. With given starts, or
more pairs, Freudenstein's equation gives first values, and least squares of the output itself the rest.

The output over the crank in closed form has exact derivatives. Unknowns: crank a, coupler b, rocker c (or height e of
the slide's line over A), the crank's start, the output's start. From |C − B|² = b² follows, with q = C − B and dC = ∂C
+ C' dψ: dψ = (b db + Re(q̄ (dB − ∂C)))/Re(q̄ C').

Freudenstein's equation of a four-bar with crank a at φ, rocker c at ψ, coupler b, ground d

    K₁ cos ψ − K₂ cos φ + K₃ = cos(φ − ψ),   K₁ = d/a, K₂ = d/c, K₃ = (a² − b² + c² + d²)/(2ac),

of a slider-crank whose slide is at s, at the height e over the crank's pin,

    K₁ s cos φ + K₂ sin φ − K₃ = s²,   K₁ = 2a, K₂ = 2ae, K₃ = a² + e² − b²

(F. Freudenstein, Approximate synthesis of four-bar linkages, Trans. ASME 77 (1955) 853–861). Three pairs give K₁, K₂
and K₃, more by least squares. A negative length is a link that stands opposite to its pointer. Six-bars and inverted
slider-cranks: `chain_search`.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array, Booleans, distinct
from mubo.design.synthesis.burmester import Dyads, five, four, three
from mubo.design.synthesis.chain_search import FUNCTIONS, function_chains
from mubo.design.synthesis.choose import MOST, chosen
from mubo.design.synthesis.family import Complex, Family
from mubo.design.synthesis.four_bar import FourBars, third_pin
from mubo.design.synthesis.least_squares import Look, Numbers, least_squares
from mubo.design.synthesis.requirements import (
    FEWEST,
    FOUR_BAR,
    FUNCTION_LINKAGES,
    INVERTED,
    SAME,
    SLIDER_CRANK,
    STEPHENSON,
    WATT,
    require_linkages,
    require_pairs,
)
from mubo.design.synthesis.result import Synthesis
from mubo.design.synthesis.screen import built, screened
from mubo.design.synthesis.slider_crank import SliderCranks, slide_pin
from mubo.design.synthesis.task import ANGLE, PLACE, Task
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.model import Units


@dataclass(frozen=True)
class Output:
    """Residuals output − asked for `least_squares`; A at the origin, D at `ground` on the x axis, slides along x."""

    pairs: Array  # crank and output, from the first on
    slides: bool
    ground: float
    side: Array  # of every start
    free: Booleans  # of the unknowns

    def pins(self, x: Array, side: Array) -> tuple[Complex, Complex]:
        """B and C at all pairs; NaN where the linkage cannot be assembled."""
        a, b, c, start = (x[:, k : k + 1] for k in range(4))
        B = a * np.exp(1j * (start + self.pairs[:, 0]))
        if self.slides:
            return B, slide_pin(B, b, B.imag - c, np.ones(B.shape, complex), side[:, None])
        return B, third_pin(B, np.full(B.shape, self.ground, complex), b, np.abs(c), side[:, None])

    def __call__(self, x: Array, theta: Array, active: Numbers, derivatives: bool) -> Look:
        B, C = self.pins(x, self.side[active])
        wanted, c = x[:, 4:5] + self.pairs[:, 1], x[:, 2:3]
        arm = C - self.ground
        with np.errstate(all="ignore"):
            off = C.real - wanted if self.slides else np.angle(arm / c * np.exp(-1j * wanted))
            r = off[..., None]
            if not derivatives:
                return Look(r, r, r)
            q = np.conj(C - B)
            along = np.real(q) if self.slides else np.real(q * 1j * arm)
            own = np.real(q * (1j if self.slides else arm / c))
            columns = [np.real(q * B / x[:, :1]), x[:, 1:2] * np.ones(B.shape), -own, np.real(q * 1j * B)]
            J = np.stack([*(column / along for column in columns), np.full(B.shape, -1.0)], -1)
        J = np.nan_to_num(J, posinf=0.0, neginf=0.0) * self.free
        return Look(r, J[:, :, None], np.zeros((*B.shape, 1)))

    def worst(self, x: Array) -> Array:
        """The largest error of every start; infinite where it cannot be assembled."""
        r = self(x, np.zeros((len(x), len(self.pairs))), np.arange(len(x)), False).r[..., 0]
        return np.asarray(np.nan_to_num(np.max(np.abs(r), axis=1), nan=np.inf))

    def family(self, x: Array) -> Family:
        """The linkages at all pairs."""
        B, C = self.pins(x, self.side)
        A, one = np.zeros(len(x), complex), np.ones(len(x), complex)
        if self.slides:
            return SliderCranks(A=A, B=B, C=C, along=one)
        return FourBars(A=A, B=B, C=C, D=np.full(len(x), self.ground, complex))


STARTS = 24  # starts tried of each link, where they are free
REACH = 3.0  # strokes: how far from the crank's pin a slide may start


def freudenstein(phi: Array, output: Array, slides: bool = False) -> Array:
    """K of pairs, lines × pairs: exact for three, of least squares for more; NaN where there is none."""
    one = np.ones_like(phi)
    columns = [output * np.cos(phi), np.sin(phi), -one] if slides else [np.cos(output), -np.cos(phi), one]
    matrix = np.stack(columns, -1)
    right = output**2 if slides else np.cos(phi - output)
    out = np.full((len(phi), 3), np.nan)
    sound = np.linalg.cond(matrix) < 1e12
    out[sound] = np.einsum("sij,sj->si", np.linalg.pinv(matrix[sound]), right[sound])
    return out


def links(K: Array, slides: bool) -> Array:
    """Crank, coupler, and rocker (of a ground of length 1) or height of the slide, of K: a line each."""
    first, second, third = K.T
    with np.errstate(all="ignore"):
        if slides:
            a, e = first / 2, second / first
            return np.stack([a, np.sqrt(a**2 + e**2 - third), e], -1)
        a, c = 1 / first, 1 / second
        return np.stack([a, np.sqrt(a**2 + c**2 + 1 - 2 * a * c * third), c], -1)


def grid_of_starts(crank: float | None, output: float | None, slides: bool) -> tuple[Array, Array]:
    """Starts of crank and output: those given, and a half turn of angles that are free: opposite to them the lengths
    change their sign, and the linkages are the same. A slide starts within REACH strokes."""
    around = (0.5 + np.arange(STARTS)) * (np.pi / STARTS)
    starts = np.linspace(-REACH, REACH, STARTS) if slides else around
    first = around if crank is None else np.array([crank])
    second = starts if output is None else np.array([output])
    pairs = np.stack(np.meshgrid(first, second, indexing="ij"), -1).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


MOST_EXACT = 5  # pairs
KEPT, ITERATIONS = 60, 100  # starts that are followed, and how long
LEVELS, CENTRES = 17, 25  # lines and centres at which pins are sampled, in each direction
ROOM, FARTHEST = 2.0, 10.0  # lengths of the ground, or strokes
SPREAD = 0.12  # in sizes of a linkage: how far sampled designs differ
MET = {INVERTED: 4, WATT: 9, STEPHENSON: 11}  # pairs that can be met exactly with free starts
ROUNDS = 4  # of random six-bars, until some meet the pairs
OUTPUTS = {FOUR_BAR: "rocker.phi", SLIDER_CRANK: "slide.q"} | dict.fromkeys(MET, "output.phi")


def function(
    pairs: Array,
    *,
    linkage: str = FOUR_BAR,
    ground: float = 1.0,
    crank_start: float | None = None,
    rocker_start: float | None = None,
    units: Units | None = None,
    seed: int = 0,
    most: int = MOST,
) -> Synthesis:
    """Linkages through pairs of crank angle and output angle (radians), or slide travel, counted from the first."""
    require_linkages([linkage], FUNCTION_LINKAGES)
    slides = linkage == SLIDER_CRANK
    pairs = require_pairs(pairs)
    if not ground > 0:
        raise ModelError(f"the ground must be longer than zero; found {ground:g}")
    if slides and rocker_start is not None:
        raise ModelError("a slider-crank has no rocker: its slide starts where the linkage says")
    size = float(np.ptp(pairs[:, 1])) if slides else ground
    turned = (pairs - pairs[0]) / [1.0, size if slides else 1.0]
    free = [crank_start is None, rocker_start is None]
    column = {OUTPUTS[linkage]: pairs[:, 1] if slides else np.degrees(pairs[:, 1])}
    kinds = dict.fromkeys(column, PLACE if slides else ANGLE)
    label = f"function at {len(pairs)} points"
    task = Task(label, column, kinds, units=units or Units(), relative=True)
    if linkage in FUNCTIONS:
        families, far = _by_chains(linkage, turned, (crank_start, rocker_start), seed)
        sampled, notes = len(pairs) < MET[linkage] - 2 + sum(free), _near_note(far)
        moved = [family.transformed(size, 0j) for family in families]
        return chosen(task, moved, far, most, notes, sampled=sampled, spread=SPREAD * sampled)
    if all(free) and len(pairs) <= MOST_EXACT:
        family, notes = _by_poses(turned, slides)
        sampled = len(pairs) < MOST_EXACT
        return chosen(task, [family.transformed(size, 0j)], None, most, notes, sampled=sampled, spread=SPREAD * sampled)
    family, errors = _by_starts(turned, slides, crank_start, rocker_start)
    sampled = len(pairs) < FEWEST + sum(free)
    notes = _near_note([errors])
    return chosen(task, [family.transformed(size, 0j)], [errors], most, notes, sampled=sampled, spread=SPREAD * sampled)


def _near_note(errors: list[Array]) -> list[str]:
    exact = any(np.any(far < SAME) for far in errors)
    return [] if exact else ["no linkage found that meets all pairs exactly; the nearest are reported"]


def _by_chains(
    linkage: str, turned: Array, starts: tuple[float | None, float | None], seed: int
) -> tuple[list[Family], list[Array]]:
    """Rounds of random linkages, until one without a defect meets all pairs."""
    random = np.random.default_rng(seed)
    found: list[tuple[Family, Array]] = []
    for _ in range(ROUNDS):
        family, errors = function_chains(FUNCTIONS[linkage], turned, starts, random)
        found.append((family, errors))
        exact = family.take(errors < SAME)
        if np.any(screened(exact.take(built(exact))).sound):
            break
    return [family for family, _ in found], [errors for _, errors in found]


def _by_poses(turned: Array, slides: bool) -> tuple[Family, list[str]]:
    """Pins of the output link that stay at a distance from a pin of the crank, seen from the crank."""
    phi, output_change = turned.T
    back = np.exp(-1j * phi[1:])
    e = back if slides else np.exp(1j * (output_change - phi)[1:])
    d = output_change[1:] * back if slides else back - e  # the ground has length 1
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
        return SliderCranks(A=A, B=B, C=found.Z[:, None] + output_change, along=A + 1), notes
    return FourBars(A=A, B=B, C=1 + (found.Z[:, None] - 1) * np.exp(1j * output_change), D=A + 1), notes


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
    order = distinct(order[np.isfinite(gaps[order])])
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
