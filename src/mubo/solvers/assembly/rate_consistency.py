"""Consistency of redundant equations in velocity and acceleration, not only in position.

The independent equations give v from J v = ν and a from J a = γ; a dependent one must then hold as well. The gap
reported is the smallest |J_e v − ν_e| of its element e while all other elements agree, so that it does not depend on
how the mechanism is turned: of a driver, the rate that the others give it minus the rate it asks for.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.absolute import EquationScales
from mubo.mechanism.rows import join_words
from mubo.model import target_of
from mubo.solvers.assembly.mobility import MobilityAnalysis, RedundantEquation
from mubo.solvers.continuation.linear_algebra import (
    RANK_TOLERANCE,
    SparseLU,
    closure_gap,
    equations_owned_by,
    format_amount,
    is_large,
    jacobian,
)

AGREE = 1e-7  # of the largest rate, in sizes of the mechanism and radians
ORDERS = ((1, "velocity"), (2, "acceleration"))


@dataclass(frozen=True)
class RateContradiction:
    """A redundant equation that the others contradict in a rate."""

    dependence: RedundantEquation
    order: int
    gap: float
    text: str


def find_rate_contradiction(
    form: Absolute, q: Array, motion: Array, diagnosis: MobilityAnalysis
) -> RateContradiction | None:
    """The first contradiction in velocity, else in acceleration, at a determined position; None if all agree."""
    J, scales = jacobian(form, q, motion), form.equation_scales
    rates = np.zeros_like(q)
    for order, word in ORDERS:
        right = form.system.right_sides(q, rates, motion)[order - 1]
        rates = _solve_rates(form, J, right, diagnosis)
        lacking = np.asarray(J @ rates - right)  # zero but for dependent equations
        largest = max(np.max(np.abs(form.weight * rates)), np.max(np.abs(scales.weight * right)))
        for dependence in diagnosis.dependent:
            k = dependence.equation
            if abs(scales.weight[k] * lacking[k]) > AGREE * largest:
                gap = closure_gap(
                    form,
                    scales,
                    _smallest_violation(form, J, right, scales, dependence, lacking),
                    dependence.name,
                    order,
                )
                named = join_words([*dependence.others, dependence.name])
                text = f"{named} contradict each other by {gap.describe(form.model.units)} in {word}"
                text += _describe_driven_rates(form, motion, dependence, order, float(lacking[k]))
                return RateContradiction(dependence, order, gap.size, text)
    return None


def _solve_rates(form: Absolute, J: Array, right: Array, diagnosis: MobilityAnalysis) -> Array:
    """Rates that the independent equations give."""
    chosen = diagnosis.independent
    if is_large(form):
        return SparseLU(J[chosen]).solve(right[chosen])
    return np.asarray(np.linalg.solve(J[chosen] / form.weight, right[chosen]) / form.weight)


def _smallest_violation(
    form: Absolute, J: Array, right: Array, scales: EquationScales, dependence: RedundantEquation, lacking: Array
) -> Array:
    """Smallest violation of the element, all others satisfied; in a large mechanism that of its one equation."""
    own = equations_owned_by(form.equations, [dependence.name])
    if is_large(form):
        return np.where(np.arange(len(lacking)) == dependence.equation, lacking, 0.0)
    A, wanted = scales.weight[:, None] * J / form.weight, scales.weight * right
    left, values, lines = np.linalg.svd(A[~own])
    rank = int(np.sum(values > RANK_TOLERANCE * values[0]))
    rates = lines[:rank].T @ ((left[:, :rank].T @ wanted[~own]) / values[:rank])
    free = lines[rank:].T
    rates = rates + free @ np.linalg.lstsq(A[own] @ free, wanted[own] - A[own] @ rates, rcond=None)[0]
    return np.asarray((A @ rates - wanted) / scales.weight)


def _describe_driven_rates(
    form: Absolute, motion: Array, dependence: RedundantEquation, order: int, lacking: float
) -> str:
    """Text on the prescribed rates of the drivers of the set, and the rate of the last one that follows from the
    others."""
    model, numbers = form.model, {name: k for k, name in enumerate(form.model.drivers)}
    used = [form.equations[k] for k in (*dependence.with_equations, dependence.equation)]
    texts = []
    for name in (equation.name for equation in used if equation.kind == "driver"):
        k = numbers[name]
        factor = float(form.mechanism.motion_factors[k])
        turns = target_of(model, model.drivers[name].of).holds == "angle"
        unit = model.units.angle_factor() / factor if turns else 1.0 / factor
        holds = "angle" if turns else "length"
        asked = float(motion[3 * k + order])
        words = f"{name} asks for {format_amount(asked * unit, holds, model.units, order)}"
        if f"driver {name}" == dependence.name:
            words += f" where {format_amount((asked + lacking) * unit, holds, model.units, order)} follows"
        texts.append(words)
    return f": {', '.join(texts)}" if texts else ""
