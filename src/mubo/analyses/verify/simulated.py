"""Checks of a simulation: the equations of motion in absolute coordinates, energy, tighter tolerances, a second form.

Absolute coordinates know nothing of the tree that was integrated: with J Z = 0 the motions Z that joints and drivers
leave free carry no force, Zᵀ (Q − M a) = 0 at every row; and what is left of Q − M a, Jᵀ λ, is what joints and
drivers exert (Nikravesh 1988, chapter 11).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mubo.analyses.simulate import simulate
from mubo.analyses.verify.contacts import contact_wrenches, contacts_without_wrench
from mubo.analyses.verify.max_difference import TableDifference, max_difference
from mubo.analyses.verify.motions import first_line
from mubo.analyses.verify.table import Check
from mubo.analyses.verify.target import Subject
from mubo.arrays import Array
from mubo.elements import loads_of
from mubo.errors import MuboError
from mubo.mappings import load_place
from mubo.model import Force
from mubo.results import Run
from mubo.solvers.columns.columns import motion_columns
from mubo.solvers.dynamics.settings import AUTO, SimulationSettings
from mubo.solvers.forces.applied_loads import applied_loads
from mubo.solvers.forces.energy import body_momentum
from mubo.solvers.forces.force_solution import ForceSolver, with_measures
from mubo.solvers.forces.multipliers import working_equations

BALANCED = 1e-8  # of the largest force
ENERGY = 1e-8  # of the largest energy exchanged
SAME = 1e-6  # of the size, a radian, the largest rate or acceleration
WORK, RANK = 2e9, 1e-9
TIGHTER = 10.0  # what tolerances are divided by
FORMS = {
    "tree": ("joint coordinates", "recursions over the tree, its loops closed"),
    "absolute": ("absolute coordinates", "absolute coordinates, every joint an equation"),
    "wittenburg": ("Wittenburg", "Wittenburg's equations"),
}
SLOW_STEPS = 40  # of Wittenburg's equations, which are integrated in Python
MOST_LOOKS = 200  # rows at which these equations are evaluated
WITTENBURG = "mubo.legacy.wittenburg.system:table_residuals"
MARGIN = 10.0  # errors of all steps of a run, over the growth that two runs show
LEAST_HORIZON = 0.1  # of the time: a motion that is sensitive must be followed that far
KINDS = ("body", "point")


def energy(subject: Subject) -> Iterator[Check]:
    """The balance of the table's energies, and its kinetic energy from its bodies."""
    run, columns = subject.run, subject.run.columns
    kinetic = columns.raw("energy.kinetic")
    total, what = columns.raw("energy.total"), "E(t) − E(0) with what was supplied and dissipated"
    scale = max(float(np.max(kinetic, initial=0.0)), float(np.ptp(columns.raw("energy.potential")))) or 1.0
    if "energy.supplied" in columns:
        error = total - total[0] - columns.raw("energy.supplied") + columns.raw("energy.dissipated")
        yield Check("energy", what, float(np.max(np.abs(error))) / scale, _by_tolerance(run, ENERGY))
    else:
        yield Check("energy", what, note="this formulation does not count what forces and drivers exchange")
    bodies = [body_momentum(run.model.bodies[name].whole, columns) for name in subject.form.free]
    reflected = subject.form.reflected
    again = np.zeros(len(kinetic)) if reflected is None else reflected.energy(subject.states)[0]
    again = sum((body.kinetic for body in bodies), again)
    what = "the table's kinetic energy with that of its bodies' velocities"
    yield Check("kinetic energy", what, float(np.max(np.abs(again - kinetic), initial=0.0)) / scale, ENERGY)


def equations_of_motion(subject: Subject) -> Iterator[Check]:
    """Newton and Euler of all bodies in absolute coordinates, with the table's accelerations and efforts."""
    name = "equations of motion"
    what = "Q − M a of all bodies with what joints and drivers can exert, in absolute coordinates"
    if subject.run.record.settings.user is not None:
        yield Check(name, what, note="a Python function gives forces, which only the joint coordinates know")
        return
    friction = [name for name, force in subject.run.model.forces.items() if _has_friction(subject, force)]
    if friction:
        why = "smoothed in a simulation, and sharp where a motion is known"
        yield Check(name, what, note=f"the friction of {', '.join(friction)} is {why}")
        return
    if unknown := contacts_without_wrench(subject):
        yield Check(name, what, note=f"of contact {', '.join(unknown)} the table has no force with its place")
        return
    try:
        right = _inertial_forces(subject) + contact_wrenches(subject)
    except MuboError as reason:
        yield Check(name, what, note=first_line(reason))
        return
    looks = subject.looks(max(3, int(WORK / max(right.shape[1], 1) ** 3)))
    found, efforts = zip(*(_left(subject, right[row], row) for row in looks), strict=True)
    row = int(np.argmax(found))
    note = f"{len(looks)} of {len(subject.t)} rows, largest at t = {subject.time_text(looks[row])}"
    yield Check(name, what, found[row], BALANCED, note)
    if subject.run.model.drivers:
        what = "efforts of drivers with the multipliers of their equations"
        yield Check("efforts", what, max(efforts), BALANCED, f"{len(looks)} of {len(subject.t)} rows")


def _has_friction(subject: Subject, force: Force) -> bool:
    """Whether a load jumps where the motion reverses."""
    formula = loads_of(subject.run.model.dimension)[force.kind].formula
    return formula is not None and bool(formula.smooths)


def _inertial_forces(subject: Subject) -> Array:
    """Q − M a of the table's motion: times × degrees of freedom of the bodies."""
    form = subject.form
    solver = ForceSolver(form, 1.0)
    columns = motion_columns(form, subject.t, subject.states)
    loads = applied_loads(form, subject.states, with_measures(form.model, columns))
    on = np.ascontiguousarray(loads.on)
    return np.asarray(form.unbalanced_wrenches(solver.masses, solver.gravity, subject.states, on))


def _left(subject: Subject, right: Array, row: int) -> tuple[float, float]:
    """The wrench that no joint and no driver can exert, and how far efforts are off, of the largest force."""
    form, active = subject.form, working_equations(subject.form)
    arm = np.tile(np.where(form.mechanism.ambient.is_rotation, 1 / form.mechanism.size, 1.0), len(form.free))
    q = np.ascontiguousarray(subject.states[row, 0])
    J = np.asarray(form.system.twist_jacobian(q, subject.motion[row]))[active] * arm
    lam, *_ = np.linalg.lstsq(J.T, right * arm, rcond=RANK)
    size = max(float(np.max(np.abs(right * arm), initial=0.0)), _weight(subject)) or 1.0
    left = float(np.max(np.abs(right * arm - J.T @ lam), initial=0.0)) / size
    drivers = [k for k, number in enumerate(active) if form.equations[number].kind == "driver"]
    factors = ForceSolver(form, 1.0).effort_factors() if drivers else np.zeros(0)
    columns = subject.run.columns
    stated = [float(columns.raw(f"{name}.effort")[row]) for name in form.model.drivers]
    off = [abs(value + lam[k] * factor) for value, k, factor in zip(stated, drivers, factors, strict=True)]
    largest = max([abs(value) for value in stated] + [size], default=1.0)
    return left, max(off, default=0.0) / largest


def _weight(subject: Subject) -> float:
    """The largest m a of a body along the run: a fall without forces has a size too."""
    columns = subject.run.columns
    bodies = [body_momentum(subject.run.model.bodies[name].whole, columns) for name in subject.form.free]
    return max((float(np.max(np.abs(body.mass * body.center[:, 2]), initial=0.0)) for body in bodies), default=0.0)


def tighter_tolerances(subject: Subject) -> Iterator[Check]:
    """The integration at a tenth of the tolerances; a sensitive motion is compared over a horizon."""
    what = "the table with the same motion at a tenth of the tolerances"
    yield _against(
        subject,
        "tighter tolerances",
        what,
        _tightened(subject.run.record.settings, TIGHTER),
        subject.run.record.times.end,
    )


def other_forms(subject: Subject) -> Iterator[Check]:
    """Absolute coordinates by Radau IIA against joint coordinates; of trees in space Wittenburg's equations too. Those
    are slow: of long runs their motion is compared at the beginning, and A q̈ = B at rows over the whole time."""
    run = subject.run
    times = run.record.times
    taken = max(run.summary["steps"]["taken"], 1)
    tree_in_space = run.model.dimension == 3 and not run.record.form.closing.rows
    for form, words in FORMS.items():
        if form == run.record.formulation or (form == "wittenburg" and not tree_in_space):
            continue
        settings = replace(_tightened(run.record.settings, 1.0), formulation=form, method=AUTO)
        short = form == "wittenburg" and taken > SLOW_STEPS
        last = times.start + max(2 * times.step, (times.end - times.start) * SLOW_STEPS / taken) if short else times.end
        yield _against(subject, words[0], f"the table with the motion by {words[1]}", settings, last)
    if tree_in_space and run.record.formulation != "wittenburg":
        yield _wittenburg_rows(subject)


def _wittenburg_rows(subject: Subject) -> Check:
    """A q̈ − B of Wittenburg's equations at rows over the whole time, with the table's q, q̇ and q̈."""
    name, what = "Wittenburg, A q̈ = B", "the table's joint accelerations in Wittenburg's equations, over the whole time"
    looks = subject.looks(MOST_LOOKS)
    try:
        left = load_place(WITTENBURG)(subject.run.model, subject.run.columns, looks)
    except MuboError as reason:
        return Check(name, what, note=first_line(reason))
    worst = np.max(left, axis=1)
    at = f"largest at t = {subject.time_text(looks[int(np.argmax(worst))])}"
    return Check(name, what, float(np.max(worst)), BALANCED, f"{len(looks)} of {len(subject.t)} rows, {at}")


def _tightened(settings: SimulationSettings, factor: float) -> SimulationSettings:
    """The motion with tighter tolerances, as far as doubles can hold them."""
    rtol, atol = (max(value / factor, 1e-14) for value in (settings.rtol, settings.atol))
    return replace(settings, rtol=rtol, atol=atol, progress=lambda done, total: None)


def _against(subject: Subject, name: str, what: str, settings: SimulationSettings, end: float) -> Check:
    """The table against another run. Where they part, the motion is sensitive if still better runs part too, later."""
    run, size = subject.run, subject.form.mechanism.size
    times = run.record.times if end == run.record.times.end else run.record.times.until(end)
    try:
        again = simulate(run.model, times, settings)
        mine, allowed = max_difference(run.columns, again.columns, size, KINDS), _by_tolerance(run, SAME)
        if not len(mine.times):
            return Check(name, what, note="the two have no row in common")
        short = (
            f"; to t = {run.units.time_text(mine.times[-1], 6)}, since it is slow" if len(mine.times) < len(run) else ""
        )
        if again.summary["status"] != "ok":
            short += f", where the other ends: {again.events[-1].message}"
        parted = np.flatnonzero(mine.rows > allowed)
        if not len(parted):
            return Check(name, what, mine.largest, allowed, mine.where + short)
        better = simulate(run.model, times, _tightened(settings, TIGHTER))
    except MuboError as reason:
        return Check(name, what, note=first_line(reason))
    theirs, mine = (max_difference(table.columns, better.columns, size, KINDS) for table in (again, run))
    growth = _growth(subject, np.maximum.accumulate(theirs.rows) / max(settings.rtol, settings.atol))
    horizon = _horizon(mine, growth * _loosest(run), allowed)
    if horizon is None:
        return Check(name, what, mine.largest, allowed, mine.where)
    note = f"over a horizon, to t = {run.units.time_text(mine.times[horizon - 1], 6)}: beyond it the motion depends on "
    note += f"the last digits, since an error of the integration has grown {growth[horizon]:.1g} times"
    return Check(name, what, float(np.max(mine.rows[:horizon])), allowed, note)


def _growth(subject: Subject, measured: Array) -> Array:
    """The largest growth of errors that pairs of runs have measured so far: one pair may agree by chance."""
    subject.error_growth.append(measured)
    largest = measured.copy()
    for other in subject.error_growth:
        count = min(len(other), len(largest))
        largest[:count] = np.maximum(largest[:count], other[:count])
    return largest


def _horizon(mine: TableDifference, explained: Array, allowed: float) -> int | None:
    """Rows over which a sensitive motion agrees; None where it agrees all over, or parts for another reason.

    `mine` is the table against the best run. Its tolerance explains that tolerance times the growth of errors, which
    two runs of the other solution at different tolerances measure: they know nothing of the table, so that an error of
    the table does not explain itself."""
    parted = np.flatnonzero(mine.rows > allowed)
    if not len(parted) or parted[0] >= len(explained):
        return None
    first = int(parted[0])
    reach = (mine.times[first] - mine.times[0]) / ((mine.times[-1] - mine.times[0]) or 1.0)
    return first if MARGIN * explained[first] > allowed and reach >= LEAST_HORIZON else None


def _loosest(run: Run) -> float:
    settings: SimulationSettings = run.record.settings
    return max(settings.rtol, settings.atol)


def _by_tolerance(run: Run, least: float) -> float:
    """The allowed difference: more where the integration was asked to be rough."""
    return max(least, 1e4 * _loosest(run))
