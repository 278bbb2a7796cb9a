"""Inverse dynamics: efforts of the drivers and reactions of the joints along a prescribed motion, with checks."""

from __future__ import annotations

from dataclasses import field, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mubo.analyses.kinematics import require_settings, settings_of, solve_motion
from mubo.analyses.run_notes import law_corner_notes
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.loads import load_notes
from mubo.model import ModelDefinition
from mubo.model.column_names import has_kept_contacts
from mubo.note import Note
from mubo.numerics.singularity import CHANGE_POINT
from mubo.quantities.output_times import OutputTimes
from mubo.results import Columns, Event, Run
from mubo.results.record import ForceRecord
from mubo.solvers.continuation.steppers import Settings
from mubo.solvers.forces.energy import motion_energy
from mubo.solvers.forces.force_check import force_residuals
from mubo.solvers.forces.force_columns import force_columns, force_record, uniqueness_labels, uniqueness_notes
from mubo.solvers.forces.force_solution import ForceSolution, ForceSolver
from mubo.solvers.forces.masses import mass_notes
from mubo.solvers.forces.meshes import mesh_notes
from mubo.solvers.forces.reaction_friction import rest_notes
from mubo.solvers.forces.redundant_reactions import length_scale_in_units
from mubo.solvers.kinematics.bifurcation import ChangePoint
from mubo.solvers.kinematics.formulations import kinematic_problem
from mubo.solvers.kinematics.problem import DenseMotion, KinematicProblem, MotionRows
from mubo.solvers.search.reported_quantities import sample_beside
from mubo.studies.declare import WithForces

if TYPE_CHECKING:
    from mubo.solvers.forces.contact_limits import ContactLimit

COLUMNS_OF_A_BODY = {2: 20, 3: 40}
AWAY = 0.01  # radians, or sizes of the mechanism, that bodies move between a change point and the nearest look at loads
PUSHED = 1e-5  # of the loads: a part along the idle motion that is none


def inverse(
    model: ModelDefinition,
    times: OutputTimes,
    settings: Settings | None = None,
    length_scale: float | None = None,
) -> Run:
    """Motion, efforts of all drivers and reactions of all joints at the output times.

    `length_scale` weighs moments against forces where reactions are not unique, in the model's unit of length; one
    metre if left out, or one unit where the model declares none.
    """
    return solve_with_forces(model, times, settings, length_scale)[1]


def solve_with_forces(
    model: ModelDefinition,
    times: OutputTimes,
    settings: Settings | None = None,
    length_scale: float | None = None,
) -> tuple[ForceProblem, Run]:
    """The problem of a prescribed motion with its forces, and the run that solves it."""
    settings = settings or Settings()
    require_settings(model, settings)
    grid = times.grid(COLUMNS_OF_A_BODY[model.dimension] * len(model.bodies))
    corners = law_corner_notes(model, grid)
    problem = force_problem(model, grid, settings, length_scale)
    return problem, solve_motion(problem, grid, times, corners)


@dataclass(frozen=True)
class ForceProblem(KinematicProblem):
    """A kinematic problem whose columns have its forces."""

    solver: ForceSolver = None  # type: ignore[assignment]  # given by force_problem
    study: ClassVar[str] = "inverse"
    last: list[tuple[MotionRows, ForceSolution]] = field(default_factory=list, repr=False)  # of the rows asked last

    def columns(self, rows: MotionRows) -> Columns:
        found = self.solved_forces(rows)
        columns = found.columns.replaced({})
        columns.extend(force_columns(self.solver, found, motion_energy(self.solver, found)))
        return columns

    def solved_forces(self, rows: MotionRows) -> ForceSolution:
        """The forces at the rows; those of the rows asked for last are kept."""
        if not self.last or self.last[0][0] is not rows:
            self.last[:] = [(rows, self.forces(rows))]
        return self.last[0][1]

    def forces(self, rows: MotionRows) -> ForceSolution:
        """Solves the forces at any rows."""
        columns = super().columns(rows)

        def solve(contacts: tuple[Array, Array] | None) -> ForceSolution:
            return self.solver.solve(rows.absolute, rows.motion, columns, contacts=contacts)

        if not has_kept_contacts(self.model):
            return solve(None)
        from mubo.solvers.forces.kept_contacts import with_sliding_friction

        return with_sliding_friction(self.solver, rows.absolute, columns, solve)

    def more(self, rows: MotionRows) -> dict[str, Any]:
        found = self.solved_forces(rows)
        proof = force_residuals(self.solver, found, motion_energy(self.solver, found))
        return {**super().more(rows), **proof, "reactions": uniqueness_labels(self.solver, found)}

    def more_notes(self, rows: MotionRows, columns: Columns) -> list[Note]:
        form = self.solver.form
        return [
            *mass_notes(form),
            *load_notes(self.model),
            *rest_notes(form, columns),
            *mesh_notes(form),
            *uniqueness_notes(self.solver, self.solved_forces(rows)),
        ]

    def further_events(self, rows: MotionRows, between: DenseMotion) -> list[Event]:
        """Singular positions, at which reactions are not determined or grow without bound, and limits of contacts."""
        found = self.solved_forces(rows)
        return [
            *singular_reaction_events(self, rows, found, between),
            *contact_limit_events(self, rows, found, between),
        ]

    def record_of_forces(self, rows: MotionRows) -> ForceRecord:
        return force_record(self.solver, self.solved_forces(rows))


def force_problem(
    model: ModelDefinition, grid: Array, settings: Settings, length_scale: float | None = None
) -> ForceProblem:
    """The kinematic problem of a model with a solver for its forces; raises where its motion is not determined."""
    problem = kinematic_problem(model, grid, settings)
    solver = ForceSolver(problem.analysis.form, length_scale_in_units(model, length_scale))
    return ForceProblem(**{f.name: getattr(problem, f.name) for f in fields(problem)}, solver=solver)


def contact_limit_events(
    problem: ForceProblem, rows: MotionRows, found: ForceSolution, between: DenseMotion
) -> list[Event]:
    """Instants at which a contact that is modelled as kept would have to pull, or to slip, and from which it holds."""
    kinds = [problem.model.kinds[joint.kind] for joint in problem.model.joints.values()]
    if not (any(kind.contact or kind.profiled for kind in kinds) or has_kept_contacts(problem.model)):
        return []
    from mubo.solvers.forces.contact_limits import contact_limits, ends_of_margin

    out = []
    for limit in contact_limits(problem.solver, found):

        def margins(times: Array, limit: ContactLimit = limit) -> tuple[Array, Array]:
            reached = between.rows(times)
            every = contact_limits(problem.solver, problem.forces(reached)) if len(reached.t) else ()
            same = [one.margin for one in every if (one.name, one.kind) == (limit.name, limit.kind)]
            return reached.t, same[0] if same else reached.t[:0]

        for t, ends in ends_of_margin(rows.t, limit, margins):
            drivers = problem.drivers_at(t)
            fact = Note(
                "events.kept_contact",
                kind=limit.kind,
                ends=ends,
                contact=limit.owner,
                t=t,
                drivers=drivers,
                units=problem.model.units,
            )
            kind = limit.kind if ends else BACK[limit.kind]
            out.append(Event(kind, t, drivers, (), fact, joints=(limit.name,), went_on=True))
    return sorted(out, key=lambda event: event.t)


BACK = {"part": "touch", "slip": "stick"}


@dataclass(frozen=True)
class SingularPosition:
    """A singular position: its time, what its forces belong to, and whether loads push along the motion it allows."""

    t: float
    owners: tuple[str, ...]  # joints and drivers
    pushed: bool
    on_row: bool


def singular_reaction_events(
    problem: ForceProblem, rows: MotionRows, found: ForceSolution, between: DenseMotion
) -> list[Event]:
    """Singular positions on rows, where no number stands, and those between them where forces grow without bound.

    At a change point J loses rank: a motion w with J w = 0 is possible while the drivers stand. Balance needs
    M a + Jᵀλ = Q, so that w·(Q − M a) = 0 must hold; where the loads push along w, λ grows like one over the distance
    from the position, else reactions stay finite beside it. Close to it accelerations are lost to rounding, so that
    Q − M a is taken from four positions farther away, through which a cubic goes.
    """
    solver = problem.solver
    places = [_on_row(solver, rows, found, row) for row in found.singular]
    for crossing in between.crossings:
        if not np.any(np.abs(rows.t[found.singular] - crossing.t) <= 1e-9 * max(between.step, 1e-300)):
            place = _between(problem, crossing, between)
            places += [place] if place is not None and place.pushed else []
    return [_event(problem, place) for place in sorted(places, key=lambda place: place.t)]


def _event(problem: ForceProblem, place: SingularPosition) -> Event:
    drivers = problem.drivers_at(place.t)
    fact = Note(
        "events.unbounded_forces",
        t=place.t,
        drivers=drivers,
        owners=place.owners,
        pushed=place.pushed,
        on_row=place.on_row,
        units=problem.solver.form.model.units,
    )
    return Event("unbounded" if place.pushed else "undetermined", place.t, drivers, (), fact, joints=place.owners)


def _on_row(solver: ForceSolver, rows: MotionRows, found: ForceSolution, row: int) -> SingularPosition:
    shared = solver.minimum_norm.solve(found.states[row, None], found.motion[row, None], found.right[row, None])
    owners = _owners(solver, found.lost[row], np.isnan(found.lam[row]))
    return SingularPosition(float(rows.t[row]), owners, bool(shared.pushed[0] > PUSHED), on_row=True)


def _between(problem: ForceProblem, crossing: ChangePoint, between: DenseMotion) -> SingularPosition | None:
    solver = problem.solver
    speed = float(np.max(np.abs(crossing.smooth) * problem.weight))
    if not speed > 0:
        return None
    sides = sample_beside(crossing.t, AWAY / speed, between.rows, lambda rows: len(rows.t))
    if sides is None:
        return None
    right = sides[1] @ problem.forces(sides[0]).right
    motion = problem.motion(np.array([crossing.t]))
    state = np.stack([crossing.x, crossing.smooth, np.zeros_like(crossing.x)])[None]
    shared = solver.minimum_norm.solve(
        np.ascontiguousarray(problem.absolute(state, motion)), motion, right[None], CHANGE_POINT
    )
    owners = _owners(solver, shared.lost[0], shared.lost_lam[0])
    return SingularPosition(crossing.t, owners, bool(shared.pushed[0] > PUSHED) and bool(owners), on_row=False)


def _owners(solver: ForceSolver, lost: Array, lost_lam: Array) -> tuple[str, ...]:
    """Joints and drivers of the components that are lost."""
    shown = solver.reaction_map.places[: solver.reaction_map.shown]
    joints = [place.joint for place, parts in zip(shown, lost, strict=False) if parts.any()]
    equations = solver.form.equations
    drivers = [
        e.owner.split(" ", 1)[1] for e, gone in zip(equations, lost_lam, strict=True) if gone and e.kind == "driver"
    ]
    return tuple(dict.fromkeys([*joints, *drivers]))


def answer_inverse(definition: ModelDefinition, asked: WithForces) -> Run:
    """Answers the study `inverse`."""
    return inverse(definition, asked.times, settings_of(asked), asked.scale)
