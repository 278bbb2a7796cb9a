"""Kinematic analysis: positions, velocities and accelerations over a time grid, with their proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache

from mubo.analyses.run_notes import law_corner_notes
from mubo.analyses.solved_motion import SolvedMotion
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats import added, extension_of
from mubo.mechanism.lengths import typical_length
from mubo.model import ModelDefinition
from mubo.model.column_names import has_kept_contacts
from mubo.note import Note
from mubo.quantities.output_times import OutputTimes
from mubo.results import Columns, Run
from mubo.results.columns import require_finite, undefined_notes
from mubo.solvers.continuation import of_same_laws
from mubo.solvers.continuation.steppers import Settings
from mubo.solvers.kinematics.formulations import FORMULATIONS, kinematic_problem
from mubo.solvers.kinematics.problem import KinematicProblem
from mubo.solvers.kinematics.time_grid_refinement import check_reversibility
from mubo.studies.declare import Solved
from mubo.studies.motion import KinematicsOptions

PREDICTORS = ("taylor", "previous")
DRAWN = 1e-6  # of the size of the mechanism: a larger gap of a contact that is kept is stated
COLUMNS_OF_A_BODY = {2: 9, 3: 19}


def kinematics(model: ModelDefinition, times: OutputTimes, settings: Settings | None = None) -> Run:
    """Positions by Newton, velocities and accelerations by linear equations, at the output times.

    Raises if the model is wrong or cannot be assembled. A motion that ends at a singular position answers the rows
    reached, with status "stopped" and the event. A run that does not come back to its start is repeated with shorter
    steps between the rows, and is not called ok if that does not help.
    """
    settings = settings or Settings()
    require_settings(model, settings)
    grid = times.grid(COLUMNS_OF_A_BODY[model.dimension] * len(model.bodies))
    corners = of_same_laws(model, "corners of laws", (grid,), lambda: law_corner_notes(model, grid))
    problem = kinematic_problem(model, grid, settings)
    return solve_motion(problem, grid, times, corners)


def solve_motion(problem: KinematicProblem, grid: Array, times: OutputTimes, corners: list[Note]) -> Run:
    """Solves a motion over a time grid and back, and answers its table; all else is found when asked for."""
    trip = check_reversibility(problem, grid)
    rows = problem.rows(grid, trip)
    columns = problem.columns(rows)
    require_finite(columns)
    notes = [
        *corners,
        *_contact_notes(problem.model),
        *_derived_columns(problem.model, columns),
        *undefined_notes(columns),
    ]
    motion = SolvedMotion(problem, grid, trip, rows, columns, notes)
    if problem.settings.transmission:
        from mubo.solvers.search.transmission_extremes import transmission_columns

        columns.extend(transmission_columns(motion.transmission, len(rows.t)))
    if problem.settings.advantage:
        motion.add_advantage()
    return Run(columns=columns, find_events=motion.events, summary=motion.summary(), record=motion.record(times))


def _contact_notes(model: ModelDefinition) -> Iterator[Note]:
    """Notes on contacts that are kept, and on those that a prescribed motion does not feel."""
    if has_kept_contacts(model):
        yield from _kept_contact_notes(model)
    if model.contacts:
        yield Note("runs.contacts_unused", contacts=list(model.contacts))


def _kept_contact_notes(model: ModelDefinition) -> Iterator[Note]:
    """Notes on contacts that are kept: their state, and the gap with which they are drawn."""
    from mubo.mechanism.kept_contacts import kept_contacts

    size, kept = typical_length(model), kept_contacts(model)
    for name in dict.fromkeys(one.contact for one in kept):
        own = [one for one in kept if one.contact == name]
        gap = max((one.gap for one in own), key=abs)
        gap = gap if abs(gap) > DRAWN * size else 0.0
        joints = [one.joint for one in own]
        yield Note("runs.contact_kept", contact=name, joints=joints, sticks=own[0].sticks, gap=gap, units=model.units)


def _derived_columns(model: ModelDefinition, columns: Columns) -> list[Note]:
    """Add the columns of measures, where the model has some; returns notes on measures and on slots that end."""
    notes: list[Note] = []
    if model.measures:
        from mubo.solvers.columns.measures import add_measures

        notes += add_measures(model, columns)
    if any(model.kinds[joint.kind].curved for joint in model.joints.values()):
        from mubo.solvers.columns.slot_ends import slot_notes

        notes += slot_notes(model, columns)
    return notes


def require_settings(model: ModelDefinition, settings: Settings) -> None:
    """Refuses settings that have no meaning, before any work."""
    if not 0 <= settings.tolerance <= 1:
        raise ModelError(f"the tolerance must be positive and at most 1; found {settings.tolerance:g}")
    if settings.max_iterations < 1:
        raise ModelError(f"max_iterations must be at least 1; found {settings.max_iterations}")
    if settings.predictor not in PREDICTORS:
        raise ModelError(f'the predictor is "taylor" or "previous"; found "{settings.predictor}"')
    if settings.branch not in ("smooth", "other"):
        raise ModelError(f'the branch is "smooth" or "other"; found "{settings.branch}"')
    if settings.formulation not in FORMULATIONS:
        raise ModelError(f'the formulation is {", ".join(FORMULATIONS)}; found "{settings.formulation}"')
    if settings.advantage:
        from mubo.solvers.search.mechanical_advantage import require_output

        require_output(model, settings.advantage)


def answer_kinematics(definition: ModelDefinition, asked: KinematicsOptions) -> Run:
    """Answers the study `kinematics`, by the scheme asked for: those of a format are registered with it."""
    settings = settings_of(asked)
    extension = extension_of(definition)
    found = kinematics if asked.scheme == "exact" else added(extension.schemes.get(asked.scheme, ""))
    if found is None:
        raise ModelError(f"the scheme of {asked.scheme} is for card decks of O'Kins' programs")
    if (asked.key or asked.arrays) and not extension.listing_key:
        raise ModelError("key and arrays of the listing are for card decks; the listing of other models has headings")
    run: Run = found(definition, asked.times, settings)
    if asked.key:
        run = _with_key(run, extension.listing_key, asked.scheme)
    return _with_arrays(run, extension.listing_arrays) if asked.arrays else run


def _with_key(run: Run, place: str, scheme: str) -> Run:
    """The run with a listing that begins with the key of its cards."""
    key, cards = added(place), run.record.listing
    assert key is not None
    assert cards is not None
    text = key(run.model, scheme)
    return replace(run, record=replace(run.record, listing=lambda columns: text + cards(columns)))


def _with_arrays(run: Run, place: str) -> Run:
    """The run with a listing that ends with the arrays of its equations."""
    arrays, cards, model = added(place), run.record.listing, run.model
    assert arrays is not None
    assert cards is not None
    return replace(run, record=replace(run.record, listing=lambda columns: cards(columns) + arrays(model, columns)))


def settings_of(asked: Solved) -> Settings:
    """The settings of a motion from the options of a study; a tolerance that is left out follows from the size."""
    if asked.tolerance is not None and not asked.tolerance > 0:
        raise ModelError(f"the tolerance must be positive; found {asked.tolerance:g}")
    names = _settings_in(type(asked))  # type: ignore[arg-type]  # a class has a hash, which mypy looks for in its objects
    given = {name: getattr(asked, name) for name in names}
    return Settings(asked.tolerance or 0.0, **{name: value for name, value in given.items() if value is not None})


@cache
def _settings_in(kind: type[Solved]) -> tuple[str, ...]:
    """The names of the settings of a motion, but for the tolerance, among the options of a study."""
    names = {field.name for field in fields(kind)} - {"tolerance"}
    return tuple(field.name for field in fields(Settings) if field.name in names)
