"""Equations of a model as numbers at one time of its motion, by name: constraint equations and equations of motion.

In absolute coordinates Φ(q, t) = 0, J v = ν, J a = γ with J = Φ_q; and for bodies with mass M a + Jᵀ λ = Q. In space
the equations of motion are in twists (velocity of the origin and angular velocity, ground axes), with J in twists too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from mubo.analyses.acting_wrenches import ActingWrench, acting_wrenches
from mubo.analyses.kinematics import kinematics
from mubo.analyses.simulate import simulate
from mubo.arrays import Array
from mubo.errors import MuboError, SingularityError
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.model import ModelDefinition
from mubo.model.column_names import BODY
from mubo.note import Note
from mubo.quantities.output_times import OutputTimes
from mubo.results import Run
from mubo.results.presentation import presented_by
from mubo.solvers.columns.columns import motion_columns
from mubo.solvers.dynamics.constraint_equations import ConstraintEquations, ConstraintNames
from mubo.solvers.dynamics.reactions import states_from_columns
from mubo.solvers.dynamics.settings import SimulationSettings
from mubo.solvers.forces.applied_loads import applied_loads, wrenches_by_load
from mubo.solvers.forces.force_solution import with_measures
from mubo.solvers.forces.masses import body_masses, require_inertia
from mubo.solvers.forces.multipliers import states_from_twists
from mubo.studies.motion import EquationsOptions

STEPS = 100  # from the start to the time asked for, where the model has no step


@dataclass(frozen=True)
class MotionEquations:
    """M a + Jᵀ λ = Q at a state. `coordinates` name the columns of M and J; `parts` sum up to Q."""

    coordinates: tuple[str, ...]
    mass_matrix: Array
    jacobian: Array
    a: Array
    forces: Array
    parts: Mapping[str, Array]  # gravity, velocity products, and every load by its name
    acting: tuple[ActingWrench, ...] = ()  # what acts on every body, for its equations in symbols


@dataclass(frozen=True)
class EquationReport:
    """The equations of a model at one state; printing it gives the tables, `save` writes .txt, .csv, .json or .tex."""

    model: ModelDefinition
    time: float
    names: ConstraintNames
    q: Array
    v: Array
    a: Array
    phi: Array
    jacobian: Array
    nu: Array
    gamma: Array
    rank: int
    motion: MotionEquations | None  # where bodies have mass
    notes: tuple[str, ...]

    @property
    def phi_t(self) -> Array:
        """Φ_t = −ν, the derivative of the constraint equations by time."""
        return -self.nu

    def as_dict(self) -> dict[str, Any]:
        """Every number under its name."""
        entries: dict[str, Any] = presented_by("EquationReport.as_dict")(self)
        return entries

    def save(self, path: Any) -> None:
        """Writes the equations, as the ending says."""
        presented_by("EquationReport.save")(self, path)

    def __str__(self) -> str:
        return str(presented_by("EquationReport.text")(self))

    __repr__ = __str__


def equations_at(model: ModelDefinition, time: float | None = None, analysis: str | None = None) -> EquationReport:
    """The equations at a time of the motion that `analysis` gives, at the start if no time is given."""
    run, time = _motion_until(model, time, analysis)
    equations = ConstraintEquations(model)
    form = equations.form
    states = states_from_columns(form, run.columns)[-1:]
    q, v, a = states[0]
    J = equations.jacobian(q, time)
    notes, motion = [Note("runs.equations_without_masses")], None
    if any(model.bodies[name].whole.mass for name in form.free):
        try:
            motion, notes = _motion_equations(form, time, states)
        except MuboError as reason:
            notes = [Note("runs.equations_without_forces", reason=str(reason))]
    return EquationReport(
        model=model,
        time=time,
        names=equations.names,
        q=q,
        v=v,
        a=a,
        phi=equations.phi(q, time),
        jacobian=J,
        nu=equations.nu(q, time),
        gamma=equations.gamma(q, v, time),
        rank=int(np.linalg.matrix_rank(J / form.weight)),
        motion=motion,
        notes=tuple(map(str, notes)),
    )


def _motion_until(model: ModelDefinition, time: float | None, analysis: str | None) -> tuple[Run, float]:
    """The run that leads from the start to the time, and that time."""
    asked = model.analysis
    time = model.start_time if time is None else time
    start = min(model.start_time, time)
    step = model.output_times(without_end="start").step if asked is not None else (time - start) / STEPS
    count = max(1, math.ceil((time - start) / (step or 1.0)))
    times = OutputTimes(start, time, (time - start) / count or 1.0)
    if (analysis or (asked.type if asked is not None else "")) == "simulate":
        run = simulate(model, times, SimulationSettings())
    else:
        run = kinematics(model, times)
    if run.status != "ok":
        raise SingularityError(f"the motion does not reach t = {run.units.time_text(time)}: {run.events[-1].message}")
    return run, time


def _motion_equations(form: Absolute, time: float, states: Array) -> tuple[MotionEquations, list[Note]]:
    """M, Q and J in twists, with the parts of Q, and notes on what is not stated."""
    require_inertia(form, states)
    model, masses, q = form.model, body_masses(form), np.ascontiguousarray(states[0, 0])
    stated = model.gravity is not None
    gravity = np.array(model.gravity if model.gravity is not None else (0.0,) * model.dimension, float)
    none = np.zeros_like(gravity)
    words = [word for word, _, order, _ in BODY[model.dimension] if order == 2]
    names = tuple(f"{body}.{word}" for body in form.free for word in words)
    unit, rest = np.eye(len(names)), np.zeros((1, len(names)))
    bodies = len(form.free) + len(form.fixed)

    def right(at: Array, pull: Array, on: Array | None = None) -> Array:
        """Q − M a of states under gravity and loads."""
        acting = np.zeros((len(at), bodies, len(words))) if on is None else on
        return np.asarray(
            form.unbalanced_wrenches(masses, pull, np.ascontiguousarray(at), np.ascontiguousarray(acting))
        )

    M = -right(states_from_twists(form, q, np.zeros_like(unit), unit), none).T
    still = states_from_twists(form, q, rest)
    table = motion_columns(form, np.array([time]), states)
    loads = applied_loads(form, states, with_measures(model, table))
    twist = _twists(form, states)
    moving = states_from_twists(form, q, twist[:, 0])
    parts = {"gravity": right(still, gravity)[0], "velocities": right(moving, none)[0]}
    parts |= {name: right(still, none, on)[0] for name, on in wrenches_by_load(form, states, loads).items()}
    J = np.asarray(form.system.twist_jacobian(q, form.motion(np.array([time]))[0]))
    Q = right(moving, gravity, loads.on)[0]
    notes = [] if stated else [Note("runs.gravity_unstated")]
    if any(load.reaction_friction is not None for load in form.mechanism.loads):
        notes.append(Note("runs.reaction_friction_left_out"))
    return MotionEquations(names, (M + M.T) / 2, J, twist[0, 1], Q, parts, acting_wrenches(form)), notes


def _twists(form: Absolute, states: Array) -> Array:
    """Twists of the moving bodies and their derivatives: rows × 2 × components; in space ω = 2 ṗ p̄, α = 2 p̈ p̄ (its
    vector part)."""
    if form.mechanism.dimension == 2:
        return states[:, 1:]
    from mubo.geometry.rotation import product

    parts = states.reshape(len(states), 3, -1, 7)
    back = parts[:, 0, :, 3:] * np.array([1.0, -1.0, -1.0, -1.0])
    turns = [2 * product(parts[:, k, :, 3:], back)[..., 1:] for k in (1, 2)]
    joined = [np.concatenate([parts[:, k, :, :3], turn], -1) for k, turn in zip((1, 2), turns, strict=True)]
    return np.stack([one.reshape(len(states), -1) for one in joined], 1)


def answer_equations(definition: ModelDefinition, asked: EquationsOptions) -> EquationReport:
    """Answers the study `equations`."""
    return equations_at(definition, None if asked.at is None else float(asked.at), asked.analysis)
