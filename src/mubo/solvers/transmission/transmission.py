"""Transmission along a motion: the transmission angle of every dyad, the smallest singular value of larger groups.

The smallest values are reported with their time. A group is near-singular where its transmission angle falls below
0.1 rad, the friction angle of an ordinary pin joint, without reaching a singular position.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import field
from functools import partial

import numpy as np

from mubo.arrays import Array, Integers
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.loops import Loops, NoLoops
from mubo.mechanism.rows import join_words
from mubo.numerics.singularity import NEAR_SINGULAR, smallest_singular_values
from mubo.solvers.assembly.mobility import scaled_jacobian
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.continuation.linear_algebra import is_large
from mubo.solvers.structure.groups import structural_groups
from mubo.solvers.transmission.group_measures import (
    DyadColumns,
    DyadMeasures,
    dyad_measures,
    equilibrate,
    group_jacobian,
    loop_unknowns,
    sampled_rows,
)

QUIET_KINDS = ("driver", "locked", "ratio", "gear train", "rack")  # their transmission does not change
SHORT = 4  # parts of a group that are put into the name of a column
FEWEST_SAMPLES, MOST_SAMPLES = 16, 2000  # rows at which a whole mechanism is measured
SAMPLE_TRAVEL = 0.2  # radians, or sizes, by which a driver moves between two of them
Names = tuple[str, str, tuple[str, ...]]  # as in Measured
Unknowns = Callable[[Array, Array], Array]  # positions and motion, a line per time → unknowns of the loops
Evaluate = Callable[[Array, Array], tuple[Array, Array]]  # unknowns and motion, a line per time → σ, angle


@dataclass(frozen=True)
class GroupTransmission:
    """Transmission of one group along the motion, at the rows `at`."""

    name: str  # "dyad RRR of coupler and rocker"
    short: str  # "coupler_rocker"
    parts: tuple[str, ...]
    loops: tuple[int, ...]
    at: Integers
    sigma: Array
    angle: Array | None  # radians; None where no transmission angle is defined
    evaluate: Evaluate  # at any positions, with the same scaling
    near: float = NEAR_SINGULAR  # σ below this is near-singular

    @property
    def measure(self) -> str:
        return "singular_value" if self.angle is None else "angle"


def transmission_grade(sigma: Array, angle: Array | None) -> Array:
    """Distance from singularity in radians: min(μ, π − μ); of other groups the μ of a dyad with the same σ."""
    if angle is not None:
        return np.asarray(np.minimum(angle, np.pi - angle))
    return np.asarray(2 * np.arcsin(np.minimum(sigma / math.sqrt(2), 1.0)))


@dataclass(frozen=True)
class TransmissionSample:
    """Transmission of a group at one time: σ, and its transmission angle where it has one."""

    group: GroupTransmission
    t: float
    sigma: float
    angle: float  # nan where none is defined
    x: Array  # the unknowns there; empty where they are of no use
    left: dict[str, float] = field(default_factory=dict)  # remaining travel of drivers that turn back there

    @property
    def grade(self) -> float:
        return float(
            transmission_grade(np.array(self.sigma), None if self.group.angle is None else np.array(self.angle))
        )


@dataclass(frozen=True)
class GroupBlock:
    """Groups measured together, at the rows `at`: arrays have a line per row and a column per group."""

    at: Integers
    sigma: Array
    sign: Array  # of det J
    angle: Array | None
    measured: Callable[[int], GroupTransmission]
    near: float = NEAR_SINGULAR

    @property
    def lowest(self) -> Array:
        """Smallest grade of every group."""
        return np.asarray(np.min(transmission_grade(self.sigma, self.angle), axis=0))

    def dips(self) -> list[tuple[int, int]]:
        """Group and line of each minimum that may be near-singular, judged by the descent on both sides."""
        s, sign = self.sigma, self.sign
        here, before, after = s[1:-1], s[:-2], s[2:]
        bound = here - 0.6 * (np.maximum(before, after) - here)  # of a valley with straight sides
        low = (here < before) & (here <= after) & (bound < self.near) & (sign[:-2] == sign[2:])
        return [(int(group), int(line) + 1) for line, group in np.argwhere(low)]


@dataclass(frozen=True)
class Transmission:
    """Transmission of all groups of a mechanism along a motion."""

    blocks: list[GroupBlock]
    loops: Loops | None = None
    unseen: str = ""  # why nothing is measured, or some group is not

    def worst(self, most: int) -> tuple[list[GroupTransmission], int]:
        """Groups of lowest grade, worst first, and the number of all groups."""
        every = [(float(low), b, k) for b, block in enumerate(self.blocks) for k, low in enumerate(block.lowest)]
        return [self.blocks[b].measured(k) for _, b, k in sorted(every)[:most]], len(every)


def measure_transmission(
    analysis: StartAnalysis, solved_by: Loops | None, states: Array, motion: Array, everywhere: bool = False
) -> Transmission:
    """Measure every group at the rows reached; `states` are those of the loops that were solved, else absolute.

    Dyads are measured at every row; costly groups at a part of them, unless `everywhere` is set.
    """
    form, loops = analysis.form, solved_by
    if loops is None:
        try:
            loops = analysis.loops
        except NoLoops:
            return _whole_mechanism(analysis, states, motion, everywhere)
    if solved_by is not None:
        return loop_transmission(loops, states[:, 0], motion, everywhere)
    return loop_transmission(loops, states[:, 0], motion, everywhere, partial(loop_unknowns, loops, form))


def loop_transmission(
    loops: Loops, lines: Array, motion: Array, everywhere: bool = False, unknowns: Unknowns = lambda x, laws: x
) -> Transmission:
    """Measure every group of a loop system; `unknowns` maps the formulation's own `lines` to those of the loops."""
    found, x = _LoopGroups(loops, unknowns), unknowns(lines, motion)
    blocks, unseen = found.dyads(x, motion), []
    for number, group in enumerate(found.groups):
        if group.kind.startswith("dyad"):
            continue
        at = sampled_rows(len(x), len(group.rows), len(x) if everywhere else 128)
        if len(at) < min(len(x), 9):
            unseen.append(f"{group.kind}: too large to be measured")
        else:
            blocks.append(found.larger(number, x, motion, at))
    return Transmission(blocks, loops, "; ".join(unseen))


class _LoopGroups:
    """Groups of a loop system whose transmission changes."""

    def __init__(self, loops: Loops, unknowns: Unknowns) -> None:
        self._loops, self.unknowns = loops, unknowns
        self.groups = [group for group in structural_groups(loops) if group.kind not in QUIET_KINDS]

    def dyads(self, x: Array, motion: Array) -> list[GroupBlock]:
        numbers = [k for k, group in enumerate(self.groups) if group.kind.startswith("dyad")]
        every, out = DyadColumns(self._loops, [self.groups[k] for k in numbers]), []
        for part in every.parts(len(x)) if numbers else ():
            pair = dyad_measures(every.columns(x, motion, part))
            out.append(self._block(every, part, numbers[part], pair))
        return out

    def _block(self, every: DyadColumns, part: slice, numbers: list[int], pair: DyadMeasures) -> GroupBlock:
        at = np.arange(len(pair.sigma), dtype=np.int32)

        def measured(k: int) -> GroupTransmission:
            one = slice(part.start + k, part.start + k + 1)

            def evaluate(lines: Array, laws: Array) -> tuple[Array, Array]:
                found = dyad_measures(every.columns(self.unknowns(lines, laws), laws, one), pair.largest[k : k + 1])
                return found.sigma[:, 0], found.angle[:, 0]

            own = self.groups[numbers[k]].loops(self._loops)
            return GroupTransmission(*self._names(numbers[k]), own, at, pair.sigma[:, k], pair.angle[:, k], evaluate)

        return GroupBlock(at, pair.sigma, pair.sign, pair.angle, measured)

    def larger(self, number: int, x: Array, motion: Array, at: Integers) -> GroupBlock:
        group = self.groups[number]
        J = group_jacobian(self._loops, group, x[at], motion[at])
        factors = equilibrate(J)

        def evaluate(lines: Array, laws: Array) -> tuple[Array, Array]:
            scaled = group_jacobian(self._loops, group, self.unknowns(lines, laws), laws) * factors
            return smallest_singular_values(scaled), np.full(len(lines), np.nan)

        sigma, sign = smallest_singular_values(J * factors), np.linalg.slogdet(J * factors)[0]
        near = NEAR_SINGULAR * 2 / len(group.rows)  # more equations have smaller singular values
        only = GroupTransmission(*self._names(number), group.loops(self._loops), at, sigma, None, evaluate, near)
        return GroupBlock(at, sigma[:, None], sign[:, None], None, lambda k: only, near)

    def _names(self, number: int) -> Names:
        group = self.groups[number]
        parts = group.parts(self._loops)
        short = "_".join(part.replace(".", "_") for part in parts) if len(parts) <= SHORT else f"group{number + 1}"
        return f"{group.kind} of {join_words(parts)}", short, parts


def _rows_by_travel(motion: Array, weight: Array, unknowns: int) -> Integers:
    """Rows between which the drivers move by SAMPLE_TRAVEL, so that no position between them is passed unseen; fewer
    where they would cost too much."""
    steps = np.max(np.abs(np.diff(motion[:, ::3], axis=0)) * weight, axis=1, initial=0.0)
    travel = np.append(0.0, np.cumsum(steps))
    wanted = sampled_rows(1 + int(travel[-1] / SAMPLE_TRAVEL), unknowns, MOST_SAMPLES)
    return np.searchsorted(travel, SAMPLE_TRAVEL * wanted).astype(np.int32)


def _whole_mechanism(analysis: StartAnalysis, states: Array, motion: Array, everywhere: bool) -> Transmission:
    """Transmission of a mechanism without loop form, such as one with a cam: the smallest singular value of all its
    equations, redundant ones included.

    It is divided by its largest value along the motion.
    """
    form = analysis.form
    at = sampled_rows(len(states), form.system.unknowns, len(states) if everywhere else FEWEST_SAMPLES)
    if not everywhere:
        at = np.union1d(at, _rows_by_travel(motion, form.mechanism.driver_weight, form.system.unknowns)).astype(
            np.int32
        )
    if is_large(form) or len(at) < min(len(states), 9):
        return Transmission([], None, "the mechanism is too large to be measured as a whole")

    def matrices(lines: Array, laws: Array) -> Array:
        return np.array([scaled_jacobian(form, q, law)[0] for q, law in zip(lines, laws, strict=True)])

    every = matrices(states[at, 0], motion[at])
    values = smallest_singular_values(every)
    largest = float(np.max(values)) or 1.0

    def evaluate(lines: Array, laws: Array) -> tuple[Array, Array]:
        return smallest_singular_values(matrices(lines, laws)) / largest, np.full(len(lines), np.nan)

    name = "the whole mechanism"
    only = GroupTransmission(name, "whole", form.free, (), at, values / largest, None, evaluate)
    # A determinant changes its sign at a change point; redundant equations have none.
    sign = np.ones(len(every)) if analysis.diagnosis.dependent else np.linalg.slogdet(every)[0]
    return Transmission([GroupBlock(at, only.sigma[:, None], sign[:, None], None, lambda k: only)])
