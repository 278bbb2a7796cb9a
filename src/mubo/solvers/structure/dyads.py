"""Every solution of a small group of loop equations, in closed form: dyads, projections, ratios.

With z = e^{iθ} a closed polygon is a trigonometric polynomial in its unknown angles. One angle alone, two angles (dyad
RRR: two circles meet) or an angle and a slide (RRP, PRP and their like) are brought to one trigonometric polynomial of
degree one or two in one angle. Its zeros are those roots of an ordinary polynomial in z that lie on the unit circle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from mubo.arrays import Array
from mubo.mechanism.formulations.loops import Loops
from mubo.mechanism.formulations.vectors import NONE
from mubo.topology import Block

NEGLIGIBLE = 1e-12  # of the largest coefficient: those that cancel by geometry are this small by rounding
ON_CIRCLE = 1e-5  # how far from the unit circle rounding may move a double root; Newton decides afterwards


class UndeterminedGroup(Exception):
    """Raised where the equations leave an unknown free: the group has infinitely many positions."""


def has_closed_form(loops: Loops, block: Block) -> bool:
    """Whether `group_solutions` finds all solutions of the group."""
    rows = block[0]
    if _is_linear(loops, block):
        return True
    left = [row for row in rows if row not in _rigid_rows(loops, block)]
    return len(left) <= 2 and all(row < 2 * len(loops.polygons) for row in left)


def group_solutions(loops: Loops, block: Block, x: Array, motion: Array) -> list[Array]:
    """All values of the group's unknowns, in their order; `x` holds the unknowns of the groups before it."""
    rows, unknowns = block
    if _is_linear(loops, block):
        return [_solve_linear(loops, block, x, motion)]
    follows = _dependent_angles(loops, block, motion, x)
    rows = [row for row in rows if row not in _rigid_rows(loops, block)]
    angles = [u for u in unknowns if u < _angles(loops) and u not in follows]
    slides = [u for u in unknowns if u >= _angles(loops)]
    reduced = [_reduced_loop_equation(loops, row, x, motion, set(unknowns), follows) for row in rows]
    if len(rows) == 1:
        answers = [{angles[0]: zero} for zero in fourier_zeros(_fourier(reduced[0], angles[0], NONE))]
    elif slides:
        answers = [{angles[0]: t, slides[0]: s} for t, s in _solve_angle_and_slide(reduced, angles[0], slides[0])]
    else:
        answers = [{angles[0]: a, angles[1]: b} for a, b in _solve_two_angles(reduced, angles[0], angles[1])]
    for values in answers:
        values |= {u: values[leader] + offset for u, (leader, offset) in follows.items()}
    return [np.array([values[u] for u in unknowns]) for values in answers]


def _is_linear(loops: Loops, block: Block) -> bool:
    rows, unknowns = block
    return all(row >= 2 * len(loops.polygons) for row in rows) or all(u >= _angles(loops) for u in unknowns)


def _rigid_rows(loops: Loops, block: Block) -> dict[int, tuple[int, int]]:
    """Linear equations of the group that fix the relative angle of two of its bodies, as a driven pin does."""
    rows, unknowns = block
    out: dict[int, tuple[int, int]] = {}
    for row in rows:
        if row >= 2 * len(loops.polygons):
            used, factors, _, _ = loops.linear[row - 2 * len(loops.polygons)]
            own = [(u, f) for u, f in zip(used, factors, strict=True) if u in unknowns]
            if len(own) == 2 and own[0][1] == -own[1][1] and all(u < _angles(loops) for u, _ in own):
                first, second = own[0][0], own[1][0]
                if not {first, second} & {u for pair in out.values() for u in pair}:
                    out[row] = (first, second)
    return out


def _dependent_angles(loops: Loops, block: Block, motion: Array, x: Array) -> dict[int, tuple[int, float]]:
    """Angles that follow another one of the group: leader and offset."""
    out: dict[int, tuple[int, float]] = {}
    for row, (leader, follower) in _rigid_rows(loops, block).items():
        used, factors, constant, driver = loops.linear[row - 2 * len(loops.polygons)]
        value = constant + (float(motion[3 * driver]) if driver >= 0 else 0.0)
        known = dict(zip(used, factors, strict=True))
        value -= sum(f * float(x[u]) for u, f in known.items() if u not in (leader, follower))
        out[follower] = (leader, value / known[follower])
    return out


Key = tuple[int, int]  # angle, slide: the unknowns that a vector depends on
# Factors of cos and sin of the angle; without angle the first is the value.
TrigonometricRow = dict[Key, tuple[float, float]]


def _angles(loops: Loops) -> int:
    return sum(name.startswith("angle") for name in loops.unknown_names)


def _reduced_loop_equation(
    loops: Loops, row: int, x: Array, motion: Array, unknowns: set[int], follows: dict[int, tuple[int, float]]
) -> TrigonometricRow:
    """The x or y equation of a loop with everything known inserted: Σ s (p cos θ + q sin θ)."""
    out: TrigonometricRow = {(NONE, NONE): (0.0, 0.0)}
    for angle, slide, driver, u, w in loops.polygons[row // 2]:
        scale = float(motion[3 * driver]) if driver >= 0 else 1.0
        if slide >= 0 and slide not in unknowns:
            scale, slide = scale * float(x[slide]), NONE
        p, q = (scale * w, scale * u) if row % 2 else (scale * u, -scale * w)
        if angle in follows:
            angle, offset = follows[angle]
            c, s = math.cos(offset), math.sin(offset)
            p, q = p * c + q * s, q * c - p * s
        elif angle >= 0 and angle not in unknowns:
            p, q, angle = p * math.cos(x[angle]) + q * math.sin(x[angle]), 0.0, NONE
        before = out.get((angle, slide), (0.0, 0.0))
        out[angle, slide] = (before[0] + p, before[1] + q)
    return out


def _fourier(row: TrigonometricRow, angle: int, slide: int) -> Array:
    """c₋₁, c₀, c₁ with Σ cₖ e^{ikθ} = constant + p cos θ + q sin θ, for the vectors that the slide scales."""
    p, q = row.get((angle, slide), (0.0, 0.0))
    constant = row.get((NONE, slide), (0.0, 0.0))[0]
    return np.array([(p + 1j * q) / 2, constant, (p - 1j * q) / 2])


def _evaluate_fourier(coefficients: Array, theta: float) -> float:
    return float(np.real(coefficients[1] + 2 * coefficients[2] * np.exp(1j * theta)))


def fourier_zeros(coefficients: Array, size: float = 0.0) -> list[float]:
    """Real zeros of Σ cₖ e^{ikθ}, k = −n … n; raises UndeterminedGroup where it vanishes identically, relative to
    `size`.

    Degree one in closed form: c₀ + 2|c₁| cos(θ + arg c₁) = 0. Above, the roots z of the polynomial zⁿ Σ cₖ zᵏ.
    """
    c = np.asarray(coefficients)
    largest = float(np.max(np.abs(c)))
    if largest <= NEGLIGIBLE * size:
        raise UndeterminedGroup
    while len(c) > 1 and abs(c[-1]) <= NEGLIGIBLE * max(size, largest):
        c = c[1:-1]
    if len(c) == 1:
        return []
    if len(c) == 3:
        amplitude, phase = 2 * abs(c[2]), float(np.angle(c[2]))
        ratio = -float(np.real(c[1])) / amplitude
        if abs(ratio) > 1 + NEGLIGIBLE:
            return []
        half = math.acos(max(-1.0, min(1.0, ratio)))
        return [half - phase, -half - phase]
    roots = np.roots(c[::-1])
    return [float(np.angle(z)) for z in roots if abs(abs(z) - 1) < ON_CIRCLE]


def _solve_two_angles(rows: list[TrigonometricRow], alpha: int, beta: int) -> Iterator[tuple[float, float]]:
    """Solution of M (cos β, sin β) = −r(α): for a regular M the squares sum to one, else a combination of the rows is
    free of β."""
    r = [_fourier(row, alpha, NONE) for row in rows]
    M = np.array([row.get((beta, NONE), (0.0, 0.0)) for row in rows])
    left, values, right = np.linalg.svd(M)
    if values[1] > 1e-9 * values[0]:
        cosine, sine = -np.linalg.solve(M, np.array(r))
        for a in fourier_zeros(np.convolve(cosine, cosine) + np.convolve(sine, sine) - np.array([0, 0, 1, 0, 0]), 1.0):
            yield a, math.atan2(_evaluate_fourier(sine, a), _evaluate_fourier(cosine, a))
        return
    strong, weak = left.T @ np.array(r)
    direction = values[0] * right[0]
    for a in fourier_zeros(weak):
        constant = _evaluate_fourier(strong, a)
        half = (direction[0] + 1j * direction[1]) / 2
        for b in fourier_zeros(np.array([half, constant, np.conj(half)])):
            yield a, b


def _solve_angle_and_slide(rows: list[TrigonometricRow], angle: int, slide: int) -> Iterator[tuple[float, float]]:
    """Solution of Nᵢ(θ) + s Dᵢ(θ) = 0, i = 1, 2: N₁ D₂ − N₂ D₁ = 0, then s from the larger D."""
    N = [_fourier(row, angle, NONE) for row in rows]
    D = [_fourier(row, angle, slide) for row in rows]
    scale, size = (max(float(np.max(np.abs(c))) for c in both) for both in (N, D))
    for theta in fourier_zeros(np.convolve(N[0], D[1]) - np.convolve(N[1], D[0]), scale * size):
        above, below = max(
            ((_evaluate_fourier(n, theta), _evaluate_fourier(d, theta)) for n, d in zip(N, D, strict=True)),
            key=_is_negligible,
        )
        if abs(below) > 1e-9 * size:
            yield theta, -above / below


def _is_negligible(fraction: tuple[float, float]) -> float:
    return abs(fraction[1])


def _solve_linear(loops: Loops, block: Block, x: Array, motion: Array) -> Array:
    """Solution of groups that are linear in their unknowns: drivers, ratios, slides in known directions."""
    rows, unknowns = block
    first_line = 2 * len(loops.polygons)
    A, b = np.zeros((len(rows), len(rows))), np.zeros(len(rows))
    for k, row in enumerate(rows):
        if row < first_line:
            reduced = _reduced_loop_equation(loops, row, x, motion, set(unknowns), {})
            b[k] = -reduced[NONE, NONE][0]
            A[k] = [reduced.get((NONE, u), (0.0, 0.0))[0] for u in unknowns]
            continue
        used, factors, constant, driver = loops.linear[row - first_line]
        b[k] = constant + (float(motion[3 * driver]) if driver >= 0 else 0.0)
        for u, factor in zip(used, factors, strict=True):
            if u in unknowns:
                A[k, unknowns.index(u)] += factor
            else:
                b[k] -= factor * float(x[u])
    values = np.linalg.svd(A, compute_uv=False)
    if values[-1] <= NEGLIGIBLE * values[0]:
        raise UndeterminedGroup
    return np.asarray(np.linalg.solve(A, b))
