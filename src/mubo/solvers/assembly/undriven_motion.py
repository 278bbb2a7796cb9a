"""Undriven degrees of freedom as motions: the bodies that move, and their rates per unit of one coordinate."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

import numpy as np

from mubo.arrays import Array
from mubo.elements import COORDINATES
from mubo.geometry.rotation import conjugate, product
from mubo.laws.number_text import number
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.mechanism.rows import MOST_NAMES, join_words
from mubo.model import Units
from mubo.solvers.assembly.block_rank import BlockDecomposition, block_null_motions

MOST_MOTIONS = 12  # that are listed of a large mechanism
STILL = 1e-7  # of the largest motion: a body that moves less is at rest
RATES = {2: COORDINATES, 3: ("x", "y", "z", "wx", "wy", "wz")}  # what a rate of a body is the rate of


@dataclass(frozen=True)
class UndrivenMotion:
    """A motion that satisfies all constraints: rates of the bodies' coordinates per unit of `per`."""

    per: str  # "rocker.phi"
    rates: dict[str, tuple[float, ...]]  # body → rates of x, y, phi; in space velocity and angular velocity
    among: int = 1  # DOFs in all: a large mechanism has more than are listed

    @property
    def bodies(self) -> tuple[str, ...]:
        return tuple(self.rates)

    def describe(self, units: Units) -> str:
        """Text such as "for 1 deg of crank.phi: coupler turns 0.04 deg and moves (0.1, -0.2) mm, …"."""
        turned = self.per.rpartition(".")[2] not in ("x", "y", "z")
        radians = units.angle_factor()
        factors = (radians, 1.0) if turned else (1.0, 1 / radians)  # of displacements, and of turns
        words = units.unit_of("length"), units.unit_of("angle") or "rad"
        some = islice(self.rates.items(), MOST_NAMES)
        texts = [_describe_body_motion(name, rate, factors, words) for name, rate in some]
        more = len(self.rates) - len(texts)
        per = f"1 {words[turned]}".rstrip()
        return f"for {per} of {self.per}: " + ", ".join(texts) + (f" and {more} more bodies" if more else "")


def _describe_body_motion(
    name: str, rate: tuple[float, ...], factors: tuple[float, float], words: tuple[str, str]
) -> str:
    count = 2 if len(rate) == 3 else 3  # components of a place
    moves, turns = (
        [float(f"{factor * value:.3g}") + 0.0 for value in part]
        for factor, part in zip(factors, (rate[:count], rate[count:]), strict=True)
    )
    texts = [f"turns {_format_vector(turns)} {words[1]}"] if any(turns) else []
    texts += [f"moves by {_format_vector(moves)} {words[0]}".rstrip()] if any(moves) else []
    return f"{name} {' and '.join(texts)}"


def _format_vector(values: list[float]) -> str:
    text = ", ".join(number(value) for value in values)
    return text if len(values) == 1 else f"({text})"


def undriven_motions(form: Absolute, basis: Array, q: Array) -> tuple[UndrivenMotion, ...]:
    """The null space of J at q, given an orthonormal basis of its rows, reduced so that motions separate."""
    weight = _rate_weight(form)
    null = null_space(basis, len(form.weight)) / form.weight
    lines = row_echelon(body_rates(form, q, null) * weight)
    return tuple(_scaled_motion(form, line, weight, len(lines)) for line in lines)


def undriven_motions_of_blocks(form: Absolute, apart: BlockDecomposition, q: Array) -> tuple[UndrivenMotion, ...]:
    """The null space of a decomposed mechanism, as many motions as are worth reading."""
    weight, out = _rate_weight(form), []
    for moved in islice(block_null_motions(apart), MOST_MOTIONS):
        rates = body_rates(form, q, expand_rates(form, moved).reshape(1, -1))[0] * weight
        out.append(_scaled_motion(form, rates, weight, apart.dofs))
    return tuple(out)


def expand_rates(form: Absolute, moved: Mapping[int, Array]) -> Array:
    """Expand the scaled rates of some bodies to the rates of all unknowns."""
    null = np.zeros((len(form.free), form.width))
    for body, line in moved.items():
        null[body] = line
    return null.ravel() / form.weight


def _rate_weight(form: Absolute) -> Array:
    """Weights that make lengths in the rates of the bodies comparable with angles."""
    width = len(RATES[form.model.dimension])
    turns = width // 2 if width == 6 else 1
    return np.tile([float(form.weight[0])] * (width - turns) + [1.0] * turns, len(form.free))


def _scaled_motion(form: Absolute, line: Array, weight: Array, among: int) -> UndrivenMotion:
    """A motion per unit of the coordinate that moves most."""
    names = RATES[form.model.dimension]
    scaled = np.where(np.abs(line) > STILL * np.max(np.abs(line)), line, 0.0)
    pivot = int(np.argmax(np.abs(scaled)))
    real = scaled / weight
    real /= real[pivot]
    bodies = real.reshape(-1, len(names))
    rates = {form.free[b]: tuple(float(x) for x in bodies[b]) for b in np.flatnonzero(bodies.any(axis=1))}
    return UndrivenMotion(f"{form.free[pivot // len(names)]}.{names[pivot % len(names)]}", rates, among)


def body_rates(form: Absolute, q: Array, v: Array) -> Array:
    """Rates of the bodies from rates of unknowns: in space velocity and angular velocity ω = 2 ṗ p*, ground axes."""
    if form.model.dimension == 2:
        return v
    p = q.reshape(-1, 7)[:, 3:]
    rate = v.reshape(len(v), len(p), 7)
    omega = 2 * product(rate[..., 3:], conjugate(p))[..., 1:]
    return np.concatenate([rate[..., :3], omega], -1).reshape(len(v), 6 * len(p))


def null_space(basis: Array, unknowns: int) -> Array:
    """Vectors orthogonal to all rows, in reduced row echelon form with the largest pivot first."""
    if unknowns <= len(basis):
        return np.zeros((0, unknowns))
    return row_echelon(np.linalg.svd(basis)[2][len(basis) :] if len(basis) else np.eye(unknowns))


def row_echelon(lines: Array) -> Array:
    """Independent lines in reduced row echelon form with the largest pivot first."""
    null, left = lines.copy(), len(lines)
    for k in range(left):
        pivot = int(np.argmax(np.max(np.abs(null[k:]), axis=0)))
        best = k + int(np.argmax(np.abs(null[k:, pivot])))
        null[[k, best]] = null[[best, k]]
        null[k] /= null[k, pivot]
        for other in range(left):
            if other != k:
                null[other] -= null[other, pivot] * null[k]
    return null


def describe_undriven(motions: tuple[UndrivenMotion, ...]) -> str:
    """ "1 degree of freedom is not driven; it moves coupler and rocker"."""
    if len(motions) == 1:
        return f"1 degree of freedom is not driven; it moves {join_words(motions[0].bodies)}"
    moves = "; ".join(f"one moves {join_words(motion.bodies)}" for motion in motions)
    more = motions[0].among - len(motions) if motions else 0
    return f"{len(motions) + more} degrees of freedom are not driven; {moves}" + (
        f"; {more} more are not listed" if more else ""
    )
