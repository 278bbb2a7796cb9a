"""Transmission measures of structural groups: the columns of their Jacobians, made dimensionless.

The loop equations of a dyad have one column of J per unknown: for an angle the link vector turned by 90 degrees, for a
slide its axis. The angle between the two columns is the transmission angle μ: of a dyad RRR the angle between its
links, of RRP the angle between rod and the normal of the guide. With every column divided by its largest length along
the motion, the smallest singular value is σ = |sin μ| / σ_max, and √2 sin(μ/2) where both columns have full length.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array, Integers, distinct
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.loops import Loops
from mubo.solvers.structure.groups import StructuralGroup

MOST_ENTRIES = 4_000_000  # numbers in memory at once


class DyadColumns:
    """The two columns of J of many dyads at many positions, as complex numbers."""

    def __init__(self, loops: Loops, groups: list[StructuralGroup]) -> None:
        self.count = len(groups)
        entries: list[tuple[int, int, int, complex]] = []  # angle, slide and driver that scale it, vector
        starts = []
        for group in groups:
            for unknown in group.unknowns:
                starts.append(len(entries))
                entries += _loop_derivative(loops, group.rows[0] // 2, unknown)
        self._starts = np.array([*starts, len(entries)])
        self._angle, self._slide, self._driver = (np.array([e[k] for e in entries], int) for k in range(3))
        self._vector = np.array([e[3] for e in entries], complex)
        self._all = _numbered(self._angle)

    def parts(self, rows: int) -> list[slice]:
        """Slices of the dyads that fit into memory."""
        step = max(1, int(MOST_ENTRIES * self.count / (max(rows, 1) * max(len(self._vector), 1))))
        return [slice(k, min(k + step, self.count)) for k in range(0, self.count, step)]

    def columns(self, x: Array, motion: Array, part: slice) -> Array:
        """Complex columns, rows × dyads × 2, at unknowns x (one line per position)."""
        first, last = self._starts[2 * part.start], self._starts[2 * part.stop]
        at = slice(first, last)
        angle, slide, driver = self._angle[at], self._slide[at], self._driver[at]
        used, which = self._all if last - first == len(self._vector) else _numbered(angle)
        theta = x[:, used]
        turn = np.cos(theta) + 1j * np.sin(theta)
        turn[:, used < 0] = 1.0
        out = turn[:, which] * self._vector[at]
        if np.any(slide >= 0):
            out *= np.where(slide >= 0, x[:, slide], 1.0)
        if np.any(driver >= 0):
            out *= np.where(driver >= 0, motion[:, 3 * driver], 1.0)
        sums = np.add.reduceat(out, self._starts[2 * part.start : 2 * part.stop] - first, axis=1)
        return np.asarray(sums).reshape(len(x), part.stop - part.start, 2)


def _loop_derivative(loops: Loops, number: int, unknown: int) -> list[tuple[int, int, int, complex]]:
    """Derivative ∂(loop)/∂(unknown), term by term."""
    out = []
    for angle, slide, driver, x, y in loops.polygons[number]:
        if angle == unknown:
            out.append((angle, slide, driver, complex(-y, x)))
        if slide == unknown:
            out.append((angle, -1, driver, complex(x, y)))
    return out


@dataclass(frozen=True)
class DyadMeasures:
    """Measures of dyads, rows × dyads: the transmission angle in radians, the sign of det J, and σ."""

    angle: Array
    sign: Array
    sigma: Array
    largest: Array  # squares of the largest lengths of the columns, dyads × 2


def dyad_measures(columns: Array, largest: Array | None = None) -> DyadMeasures:
    """Measures from the columns of J; `largest` is their norm along the whole motion where it is known."""
    one, two = columns[..., 0], columns[..., 1]
    squares = columns.real**2 + columns.imag**2
    if largest is None:
        largest = np.max(squares, axis=0)
    size = np.where(largest > 0, largest, 1.0)
    half = 0.5 / size * squares
    both = 1 / np.sqrt(size[:, 0] * size[:, 1])
    cosine = both * (one.real * two.real + one.imag * two.imag)  # times both lengths
    sine = both * (one.real * two.imag - one.imag * two.real)
    positive = np.abs(sine)
    top = np.sqrt(half[..., 0] + half[..., 1] + np.sqrt((half[..., 0] - half[..., 1]) ** 2 + cosine**2))
    sigma = positive / np.where(top > 0, top, 1.0)
    # The columns follow the walk around the loop: at the joint between the links the angle is the one inside.
    return DyadMeasures(np.arctan2(positive, -cosine), np.sign(sine), sigma, largest)


def group_jacobian(loops: Loops, group: StructuralGroup, x: Array, motion: Array) -> Array:
    """Jacobian of any group at many positions: rows × n × n."""
    vectors = 2 * len(loops.polygons)
    out = np.zeros((len(x), len(group.rows), len(group.unknowns)))
    for r, row in enumerate(group.rows):
        for c, unknown in enumerate(group.unknowns):
            if row >= vectors:
                line = loops.linear[row - vectors]
                out[:, r, c] = dict(zip(line[0], line[1], strict=True)).get(unknown, 0.0)
                continue
            for angle, slide, driver, vector in _loop_derivative(loops, row // 2, unknown):
                value = vector * _phasor(angle, x)
                value = value * (x[:, slide] if slide >= 0 else 1.0) * (motion[:, 3 * driver] if driver >= 0 else 1.0)
                out[:, r, c] += value.imag if row % 2 else value.real
    return out


def equilibrate(J: Array) -> Array:
    """Scale factors of rows and columns that remove units: the geometric mean of each row and column becomes one.

    Of each entry its largest size along the motion counts. This scaling is the least-squares one in logarithms (Curtis
    and Reid 1972), which multiplying an equation or an unknown by a unit does not change. At last every column gets the
    largest length one, as those of dyads have.
    """
    size = np.max(np.abs(J), axis=0)
    nonzero = size > 1e-12 * np.max(size)
    logs = np.where(nonzero, np.log(np.where(nonzero, size, 1.0)), 0.0)
    shift = np.zeros_like(size)
    for _ in range(50):
        for axis in (1, 0):
            counts = np.maximum(np.sum(nonzero, axis=axis, keepdims=True), 1)
            shift -= np.sum(np.where(nonzero, logs + shift, 0.0), axis=axis, keepdims=True) / counts
    factors = np.exp(shift)
    lengths = np.max(np.linalg.norm(J * factors, axis=1), axis=0)
    return np.asarray(factors / np.where(lengths > 0, lengths, 1.0))


def loop_unknowns(loops: Loops, form: Absolute, q: Array, motion: Array) -> Array:
    """Angles and slides of the loop system at absolute positions q, one line per position."""
    bodies = form.model.bodies
    poses = {name: np.tile([*bodies[name].position, bodies[name].angle], (len(q), 1)) for name in form.fixed}
    poses |= {name: q[:, 3 * k : 3 * k + 3] for k, name in enumerate(form.free)}
    x = np.zeros((len(q), len(loops.unknown_names)))
    for k, name in enumerate(loops.leaders):
        x[:, k] = poses[name][:, 2]
    for edge in loops.edges:
        known = [t for t in edge.terms if t[1] < 0 and t[2] < 0 and t[0] < len(loops.leaders)]
        rest = (poses[edge.second] - poses[edge.first])[:, :2] @ [1, 1j]
        for term in known:
            rest = rest - _phasor(term[0], x) * complex(*term[3:])
        for angle, slide, driver, u, w in edge.terms:
            if slide >= 0:
                x[:, slide] = np.real(rest * np.conj(_phasor(angle, x) * complex(u, w))) / (u * u + w * w)
            elif angle >= len(
                loops.leaders
            ):  # a rod: its own direction, turned round where its driven length is negative
                scale = motion[:, 3 * driver] if driver >= 0 else 1.0
                x[:, angle] = np.unwrap(np.angle(rest * scale * np.conj(complex(u, w))))
    return x


def _phasor(angle: int, x: Array) -> Array:
    """Complex unit vector e^{iθ} of an unknown angle; 1 for a fixed direction."""
    return np.asarray(np.exp(1j * x[:, angle])) if angle >= 0 else np.ones(len(x))


def sampled_rows(rows: int, unknowns: int, most: int = 128) -> Integers:
    """Rows at which a group of many unknowns is measured: all of them if that is cheap."""
    count = min(rows, most, int(2e6 / unknowns**3))
    return distinct(np.linspace(0, rows - 1, count).astype(np.int32)) if rows else np.zeros(0, np.int32)


def _numbered(values: Integers) -> tuple[Integers, Integers]:
    """The distinct values of an array, and for each of its values the number of the one it is."""
    used = distinct(values)
    return used, np.searchsorted(used, values).astype(np.int32)
