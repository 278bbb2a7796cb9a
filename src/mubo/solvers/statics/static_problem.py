"""A mechanism at rest under its loads: forces at any position, with the drivers fixed at one time.

A load that is constant in ground axes or along one coordinate has a potential: its work does not depend on the path.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np

from mubo._core import Along
from mubo.arrays import Array, Integers
from mubo.elements import loads_of
from mubo.errors import SimulationError
from mubo.geometry.rotation import conjugate, product
from mubo.laws import Law
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.mechanism import Absolute, Mechanism
from mubo.mechanism.formulations.absolute_loads import absolute_loads
from mubo.mechanism.loads import KINDS, PLAIN, NamedLoad
from mubo.model.column_laws import ColumnLaw
from mubo.model.column_names import TIME
from mubo.model.coordinates import coordinate_names
from mubo.results import Columns
from mubo.solvers.assembly.assemble import Assembly, assemble
from mubo.solvers.columns.columns import motion_columns
from mubo.solvers.columns.space_columns import space_joint_columns
from mubo.solvers.forces.applied_loads import AppliedLoads, applied_loads
from mubo.solvers.forces.energy import body_momentum, body_motion, point_along
from mubo.solvers.forces.force_solution import ForceSolver, with_measures
from mubo.solvers.forces.multipliers import body_dofs, working_equations
from mubo.solvers.forces.redundant_reactions import MinimumNormSolver, ReactionWeight
from mubo.solvers.statics.null_space import MANY, ConstraintProjection

SAMPLES = np.array([0.0, 1e-3, 0.01, 0.1, 0.5, 1.0, 2.7, 10.0, 100.0])


@dataclass(frozen=True, eq=False)
class StaticProblem:
    """The mechanism, the time at which its drivers are fixed, and the tolerance of its closure.

    Displacements and forces are those of the moving bodies, as twists are: translation, then rotation about ground
    axes. Lever arms are measured in sizes of the mechanism, so that forces and moments are comparable.
    """

    solver: ForceSolver  # of its forces
    motion: Array  # of the drivers: value, no rate, no acceleration
    time: float
    tolerance: float
    weight: Array = field(init=False)  # per displacement: makes lengths comparable with angles

    def __post_init__(self) -> None:
        line = np.where(self.form.mechanism.ambient.is_rotation, 1.0, self.form.weight[0])
        object.__setattr__(self, "weight", np.tile(line, len(self.form.free)))

    @property
    def form(self) -> Absolute:
        return self.solver.form

    def close(self, q: Array) -> Assembly:
        """Return the assembly nearest to q; its gap states whether it closes."""
        return assemble(self.form, self.motion, self.tolerance, 20, q)

    def displace(self, q: Array, displacement: Array) -> Array:
        """Return the position after each displacement: origins are shifted, bodies rotated about ground axes."""
        if self.form.mechanism.dimension == 2:
            return q + displacement
        poses, steps = q.reshape(-1, 7), displacement.reshape(-1, 6)
        poses = np.tile(poses, (len(steps) // len(poses), 1))
        angle = np.linalg.norm(steps[:, 3:], axis=1, keepdims=True)
        half = 0.5 * np.sinc(angle / (2 * np.pi)) * steps[:, 3:]  # sin(angle/2) times the axis
        turn = np.concatenate([np.cos(angle / 2), half], 1)
        after = np.concatenate([poses[:, :3] + steps[:, :3], product(turn, poses[:, 3:])], 1)
        return after.reshape(*displacement.shape[:-1], len(q))

    def at_rest(self, positions: Array) -> tuple[Array, Columns]:
        """Return the states of positions at rest, and their columns."""
        states = _states(positions)
        columns = motion_columns(self.form, self._time(positions), states)
        rates = [f"{name}.rate" for name in self.form.model.drivers]
        return states, columns.replaced({name: np.zeros(len(positions)) for name in rates})

    def _time(self, positions: Array) -> Array:
        return np.full(len(positions), self.time)

    @cached_property
    def _angles(self) -> tuple[str, ...] | None:
        """Joints of space along whose angles loads act, where loads depend on positions by their own coordinates alone
        and no other columns are needed; None where they need others."""
        made = absolute_loads(self.form.mechanism)
        if any(isinstance(load.law, ColumnLaw) for load in made.loads):
            return None
        return tuple(sorted({name.rpartition(".")[0] for name in made.near if name}))

    def loads(self, states: Array, columns: Columns) -> AppliedLoads:
        """All loads but weights."""
        return applied_loads(self.form, states, with_measures(self.form.model, columns))

    def forces(self, positions: Array) -> Array:
        """Forces of loads and weights on the moving bodies: positions × displacements; NaN where a load has no
        direction."""
        try:
            return self._forces(positions)
        except SimulationError:
            if len(positions) == 1:
                return np.full((1, len(self.weight)), np.nan)
            return np.concatenate([self.forces(position[None]) for position in positions])

    def _forces(self, positions: Array) -> Array:
        if self._angles is None:
            states, columns = self.at_rest(positions)
            on = self.loads(states, columns).on
        else:
            states, t = _states(positions), self._time(positions)
            columns = Columns(self.form.model.units, [(TIME, t)])
            if self._angles:
                columns.extend(space_joint_columns(self.form, t, states, self._angles))
            on = applied_loads(self.form, states, columns).on
        on = np.ascontiguousarray(on)
        return np.asarray(self.form.unbalanced_wrenches(self.solver.masses, self.solver.gravity, states, on))

    @cached_property
    def has_potential(self) -> bool:
        """Whether all loads have a potential."""
        return all_have_potentials(self.form.mechanism, self.time)

    def potential(self, positions: Array) -> Array:
        """Potential of weights and constant loads, zero at the origin of the ground, and of springs."""
        states, columns = self.at_rest(positions)
        loads = self.loads(states, columns)
        stored = np.sum([*loads.potential.values(), np.zeros(len(positions))], axis=0)
        for name in self.form.free:
            body = body_momentum(self.form.model.bodies[name].whole, columns)
            stored -= body.mass * (body.center[:, 0] @ self.solver.gravity)
        return np.asarray(stored + constant_load_potential(self.form.mechanism, columns, loads.values))

    def jacobian(self, q: Array) -> Any:
        """Jacobian in displacements, of the equations that exert forces: an array, or sparse where there are many."""
        system = self.form.system
        if len(self.weight) <= MANY:
            return np.asarray(system.twist_jacobian(q, self.motion)[self.working])
        from scipy.sparse import csr_array

        entries = system.twist_jacobian_entries(q, self.motion)
        at = (entries[:, 0].astype(int), entries[:, 1].astype(int))
        return csr_array((entries[:, 2], at), shape=(system.equations, len(self.weight)))[self.working]

    def constraints_at(self, q: Array) -> tuple[ConstraintProjection, Array]:
        """Return the projection on the constraints over scaled displacements, and the lengths of the rows of J.

        A row without a direction, as of a distance whose points coincide, constrains nothing.
        """
        J, weight = self.jacobian(q), self.weight
        if isinstance(J, np.ndarray):
            scaled = J / weight
            lengths = np.linalg.norm(scaled, axis=1)
            there = lengths[:, None] > 0
            return ConstraintProjection(
                np.divide(scaled, lengths[:, None], out=np.zeros_like(scaled), where=there)
            ), lengths
        from scipy.sparse import diags_array

        scaled = J @ diags_array(1 / weight)
        lengths = np.sqrt(np.asarray(scaled.multiply(scaled).sum(axis=1)).ravel())
        scaled.data = np.where(np.isfinite(scaled.data), scaled.data, 0.0)
        return ConstraintProjection(
            diags_array(np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)) @ scaled
        ), lengths

    @cached_property
    def working(self) -> Integers:
        """The equations that exert forces."""
        return working_equations(self.form)

    def distance(self, one: Array, two: Array) -> float:
        """Return the largest displacement of a body between two positions: radians, or sizes of the mechanism.

        Whole turns, and the sign of a quaternion, are no difference. Of several positions `two` the nearest counts.
        """
        away = np.max(np.abs(self.difference(one, np.atleast_2d(two)) * self.weight), axis=1)
        return float(np.min(away))

    def difference(self, one: Array, two: Array) -> Array:
        """The displacement from one position to another, or to several, rotations by the smaller angle."""
        shape = two.shape[:-1]
        if self.form.mechanism.dimension == 2:
            out = (two - one).reshape(*shape, -1, 3)
            out[..., 2] = np.remainder(out[..., 2] + np.pi, 2 * np.pi) - np.pi
            return out.reshape(*shape, -1)
        a, b = one.reshape(-1, 7), two.reshape(*shape, -1, 7)
        turn = product(b[..., 3:], conjugate(a[:, 3:]))
        turn *= np.where(turn[..., :1] < 0, -1.0, 1.0)
        sine = np.linalg.norm(turn[..., 1:], axis=-1, keepdims=True)
        factor = np.where(sine > 0, 2 * np.arctan2(sine, turn[..., :1]) / np.where(sine > 0, sine, 1.0), 2.0)
        return np.concatenate([b[..., :3] - a[:, :3], factor * turn[..., 1:]], -1).reshape(*shape, -1)


def _states(positions: Array) -> Array:
    """Positions × unknowns as states without rates."""
    out = np.zeros((len(positions), 3, positions.shape[1]))
    out[:, 0] = positions
    return out


class StaticForceSolver(ForceSolver):
    """Solves Jᵀ λ = Q with fewer equations than degrees of freedom; it has a solution where the loads balance."""

    def __init__(self, form: Absolute, length_scale: float, left: int) -> None:
        super().__init__(form, length_scale)
        self._left = left  # DOFs that neither joints nor drivers constrain

    @property
    def redundant(self) -> bool:
        return len(working_equations(self.form)) > 0  # a body on springs alone has no reactions

    def _minimum_norm_solver(self, weights: Mapping[str, ReactionWeight]) -> MinimumNormSolver:
        return MinimumNormSolver(self.form, self.reaction_map, weights, body_dofs(self.form) - self._left)


def is_constant_law(law: Law, time: float) -> bool:
    """Whether a law of time is constant, as far as some samples show."""
    values = law(np.clip(time + SAMPLES, *law.domain))[:, 0]
    return bool(np.ptp(values) == 0)


def all_have_potentials(mechanism: Mechanism, time: float) -> bool:
    """Whether every load at rest is a spring, a constant load, or friction and damping, which exert nothing there."""
    stores = {name for name, *_, kept in KINDS[mechanism.dimension] if kept}
    elements, forces = loads_of(mechanism.dimension), mechanism.model.forces
    for load in mechanism.loads:
        force, formula = forces[load.name], elements[forces[load.name].kind].formula
        known = load.law is None and (load.formula in stores or not load.has_law)
        if formula.medium and any(force.options.get(formula.medium, ())):
            return False  # a flowing medium pushes bodies at rest too
        if not known and not formula.smooths and not _is_constant_load(mechanism, load, time):
            return False
    return True


def _is_constant_load(mechanism: Mechanism, load: NamedLoad, time: float) -> bool:
    """Whether a load has one size, and a fixed direction in ground axes or along a coordinate."""
    if not isinstance(load.law, Law) or not is_constant_law(load.law, time):
        return False
    if load.coordinate is not None or load.along is not Along.body:
        return load.coordinate is not None
    return bool(_ground_direction(mechanism, load)) if load.holds == "force" else mechanism.dimension == 2


def _ground_direction(mechanism: Mechanism, load: NamedLoad) -> tuple[float, ...]:
    """Direction of a force that is fixed in ground axes; empty where it turns with the body."""
    plain = [values for how, _, values in load.numbers if how == PLAIN and len(values) == mechanism.dimension]
    return plain[0] if plain else ()


def constant_load_potential(mechanism: Mechanism, columns: Columns, sizes: Mapping[str, Array]) -> Array:
    """Potential of all constant loads together, at the rows of the columns; `sizes` are those of the loads."""
    parts = (_potential(mechanism, load, columns, sizes[load.name]) for load in mechanism.loads)
    return np.asarray(np.sum([np.zeros(len(columns["t"])), *(part for part in parts if part is not None)], axis=0))


def _potential(mechanism: Mechanism, load: NamedLoad, columns: Columns, size: Array) -> Array | None:
    if not _is_constant_load(mechanism, load, float(columns["t"][0])):
        return None
    if load.coordinate is not None:
        joint, number = load.coordinate
        name = coordinate_names(mechanism.model, mechanism.model.joints[joint])[number]
        return -size * columns.raw(f"{joint}.{name}")
    body, at = load.ends[0]
    if body not in mechanism.free:
        return None  # a load on a fixed body does no work
    if load.holds == "torque":
        return -size * columns.raw(f"{body}.phi")
    return np.asarray(
        -size * (point_along(body_motion(columns, body), at)[:, 0] @ np.array(_ground_direction(mechanism, load)))
    )
