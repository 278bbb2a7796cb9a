"""Checks of forces: balance of every body, power, virtual work, and efforts by joint coordinates.

Efforts and reactions are those of the table; loads and inertia are worked out again from the table's motion.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mubo.analyses.simulate import simulate
from mubo.analyses.statics.equilibria import static_problem
from mubo.analyses.verify.motions import compare_runs, first_line, from_first_row, tight_settings
from mubo.analyses.verify.table import Check
from mubo.analyses.verify.target import Subject
from mubo.arrays import Array
from mubo.errors import MuboError
from mubo.results import Columns
from mubo.solvers.columns.columns import motion_columns
from mubo.solvers.forces.energy import motion_energy
from mubo.solvers.forces.force_check import force_residuals
from mubo.solvers.forces.force_solution import ForceSolution, ForceSolver

BALANCED = 1e-9  # of the largest force, power or work
EFFORTS = 1e-7  # of the largest effort, where the other motion is integrated


def balance(subject: Subject) -> Iterator[Check]:
    """Newton and Euler of every body, power, and virtual work, with the efforts and reactions of the table."""
    solver = solver_of(subject)
    found = tabulated_forces(subject, solver)
    proof = force_residuals(solver, found, motion_energy(solver, found))
    if not proof:
        yield Check("balance of bodies", "Newton and Euler of every body", note="no row has bounded forces")
        return
    bodies = dict(proof["newton_euler"])
    largest = bodies.pop("largest")
    worst = max(bodies, key=lambda name: bodies[name], default="")
    what = "Newton and Euler of every body about its centre, with the table's reactions and accelerations"
    note = f"largest of {worst}" if worst else ""
    yield Check("balance of bodies", what, largest, BALANCED, note)
    if not subject.is_static:
        what = "power of drivers and loads with the rate of the bodies' energy"
        yield Check("power", what, proof["power_residual"], BALANCED)
    what = "efforts with the work of inertia and loads along motions of unit rate"
    if "virtual_work" in proof:
        yield Check("virtual work", what, proof["virtual_work"], BALANCED)
    elif solver.form.model.drivers:
        yield Check("virtual work", what, note="the mechanism is too large for dense matrices")


def efforts_by_joints(subject: Subject) -> Iterator[Check]:
    """Articulated bodies and multipliers of the cut joints, in joint coordinates, against absolute coordinates."""
    name, run = "efforts", subject.run
    what = "efforts of drivers with those of a simulation in joint coordinates, led by the same drivers"
    try:
        model = from_first_row(subject)
        again = simulate(model, run.record.times, tight_settings(model))
    except MuboError as reason:
        yield Check(name, what, note=first_line(reason))
        return
    size = subject.form.mechanism.size
    yield compare_runs(name, what, run, again, EFFORTS, size, ("driver",), ("effort",))


def solver_of(subject: Subject) -> ForceSolver:
    """The solver of the forces of the table."""
    record = subject.run.record
    assert record.forces is not None
    if subject.of_equilibria:
        return static_problem(record.inspection, record.forces.length_scale).solver
    return ForceSolver(subject.form, record.forces.length_scale)


def tabulated_forces(subject: Subject, solver: ForceSolver) -> ForceSolution:
    """Loads and inertial wrenches of the table's motion, with the table's own efforts and reactions."""
    form, columns = subject.form, subject.run.columns
    states = subject.states.copy()
    if subject.is_static:
        states[:, 1:] = 0.0
    found = solver.solve(states, subject.motion, _of_motion(subject, states))
    wrenches, lam = found.wrenches.copy(), found.lam.copy()
    components = form.mechanism.ambient.wrench
    for k, place in enumerate(solver.reaction_map.places[: solver.reaction_map.shown]):
        wrenches[:, k] = np.stack([columns.raw(f"{place.owner}.{word}") for word in components], axis=1)
    drivers = [k for k, equation in enumerate(form.equations) if equation.kind == "driver"]
    for k, name, factor in zip(drivers, form.model.drivers, solver.effort_factors(), strict=True):
        lam[:, k] = -columns.raw(f"{name}.effort") / factor
    return replace(found, wrenches=wrenches, lam=lam)


def _of_motion(subject: Subject, states: Array) -> Columns:
    columns = motion_columns(subject.form, subject.t, states)
    if not subject.is_static:
        return columns
    rates = [f"{name}.rate" for name in subject.run.model.drivers]
    return columns.replaced({name: np.zeros(len(subject.t)) for name in rates})
