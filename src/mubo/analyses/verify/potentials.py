"""Checks of statics by energies alone: the potential of assembled positions, differentiated by differences.

Where drivers lock a mechanism, dV/df along a driver's value f is its holding effort; in an equilibrium V is level along
every free motion, and the sign of its bend is the stability (the theorem of Lagrange and Dirichlet). No force, no
reaction and no stiffness of the solver enters.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.analyses.statics.equilibria import static_problem
from mubo.analyses.verify.forces import solver_of
from mubo.analyses.verify.table import Check
from mubo.analyses.verify.target import Subject
from mubo.arrays import Array
from mubo.solvers.statics.equilibrium import NEUTRAL
from mubo.solvers.statics.static_problem import StaticProblem
from mubo.solvers.statics.static_state import StaticState

LOOKS, MAX_DOFS = 9, 12
STEP = 2e-3  # radians or sizes of the mechanism; differences of fourth order
LEVEL = 1e-6  # of the largest effort, or force
BEND = 1e-3  # of the largest stiffness: differences of a second derivative lose more digits
OFFSETS, SLOPE = np.array([1, -1, 2, -2]), np.array([8, -8, -1, 1]) / 12
NONE = "a load has no potential: a follower, a law of the motion, or friction"


def potential(subject: Subject) -> Iterator[Check]:
    """The check of holding efforts, or of equilibria, by the potential."""
    yield from _of_equilibria(subject) if subject.of_equilibria else _of_efforts(subject)


def _of_efforts(subject: Subject) -> Iterator[Check]:
    name, what = "potential", "holding efforts with differences of the potential of assembled positions"
    solver, run = solver_of(subject), subject.run
    factors, drivers = solver.effort_factors(), list(run.model.drivers)
    largest = max((float(np.nanmax(np.abs(run.columns.raw(f"{name}.effort")))) for name in drivers), default=0.0)
    found, worst, looks = 0.0, "", subject.looks(LOOKS)
    for row in looks:
        rest = StaticProblem(solver, subject.motion[row], float(subject.t[row]), run.record.tolerance)
        if not rest.has_potential:
            yield Check(name, what, note=NONE)
            return
        for k, driver in enumerate(drivers):
            slope = _derivative(rest, subject.states[row, 0], k, subject.form.mechanism.size)
            away = abs(slope * factors[k] - float(run.columns.raw(f"{driver}.effort")[row])) / (largest or 1.0)
            if not away <= found:
                found, worst = away, f"{driver}.effort at t = {subject.time_text(row)}"
    note = f"at {len(looks)} rows" + (f", largest of {worst}" if worst else "")
    yield Check(name, what, found, LEVEL, note)


def _derivative(rest: StaticProblem, q: Array, driver: int, size: float) -> float:
    """dV/df of a driver's row."""
    h = STEP * (size if _holds_length(rest, driver) else 1.0)
    values = []
    for offset in OFFSETS:
        motion = rest.motion.copy()
        motion[3 * driver] += offset * h
        values.append(_potential(StaticProblem(rest.solver, motion, rest.time, rest.tolerance), q))
    return float(SLOPE @ np.array(values)) / h


def _holds_length(rest: StaticProblem, driver: int) -> bool:
    rows = [k for k, equation in enumerate(rest.form.equations) if equation.kind == "driver"]
    return not bool(rest.form.equation_scales.turning[rows[driver]])


def _potential(rest: StaticProblem, near: Array) -> float:
    """The potential of the position nearest to one; NaN where none closes."""
    reached = rest.close(np.ascontiguousarray(near))
    return float(rest.potential(reached.q[None])[0]) if reached.gap <= rest.tolerance else float("nan")


def _of_equilibria(subject: Subject) -> Iterator[Check]:
    run = subject.run
    what = "zero with differences of the potential along the free motions"
    signs = "the sign of the stiffness with the bend of the potential along the free motions"
    assert run.record.forces is not None
    rest = static_problem(run.record.inspection, run.record.forces.length_scale)
    states = [StaticState(rest, np.ascontiguousarray(state[0])) for state in subject.states]
    if not rest.has_potential:
        left = max(float(np.max(np.abs(state.reduced), initial=0.0)) / (state.scale or 1.0) for state in states)
        yield Check("balance of loads", "loads along the free motions with zero", left, LEVEL)
        yield Check("potential", what, note=NONE)
        return
    if len(states[0].free) > MAX_DOFS:
        yield Check("potential", what, note=f"more than {MAX_DOFS} degrees of freedom")
        return
    bent = [_bent(state) for state in states]
    level = [
        float(np.max(np.abs(slope), initial=0.0)) / (state.scale or 1.0)
        for state, (slope, _) in zip(states, bent, strict=True)
    ]
    row = int(np.argmax(level))
    yield Check("potential", what, level[row], LEVEL, f"of {len(states)} equilibria, largest of number {row + 1}")
    yield _signs(subject, signs, states, [bend for _, bend in bent])


def _signs(subject: Subject, what: str, states: list[StaticState], bends: list[Array]) -> Check:
    """The figure found is the difference of the lowest stiffness and the bend, beside the largest stiffness."""
    stated = subject.run.columns.raw("stability")
    lowest = subject.run.columns.raw("stiffness")
    found, worst = 0.0, 0
    for k, (state, bend) in enumerate(zip(states, bends, strict=True)):
        values = np.linalg.eigvalsh(bend)
        largest = max(float(np.max(np.abs(values))), NEUTRAL * state.scale, 1e-300)
        away = abs(float(values[0]) - float(lowest[k])) / largest
        against = abs(float(values[0])) / largest if np.sign(values[0]) * stated[k] < 0 else 0.0
        if not max(away, against) <= found:
            found, worst = max(away, against), k
    return Check("stiffness", what, found, BEND, f"lowest of each, largest difference of number {worst + 1}")


def _bent(state: StaticState) -> tuple[Array, Array]:
    """Slope and bend of V over the free motions, by differences of V at closed positions."""
    free, count = state.free, len(state.free)
    here = _potential(state.problem, state.q)

    def at(along: Array) -> float:
        return _potential(state.problem, state.problem.displace(state.q, (along @ free) / state.problem.weight))

    units = STEP * np.eye(count)
    lines = np.array([[at(offset * unit) for offset in OFFSETS] for unit in units]).reshape(count, 4)
    slope = lines @ SLOPE / STEP
    bend = np.diag((16 * (lines[:, 0] + lines[:, 1]) - lines[:, 2] - lines[:, 3] - 30 * here) / (12 * STEP**2))
    for i in range(count):
        for j in range(i):
            corners = (
                at(units[i] + units[j]) + at(-units[i] - units[j]) - at(units[i] - units[j]) - at(units[j] - units[i])
            )
            bend[i, j] = bend[j, i] = corners / (4 * STEP**2)
    return slope, bend
