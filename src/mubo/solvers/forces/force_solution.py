"""Solution for the forces of a mechanism at the rows of a motion: λ, reactions, efforts and loads.

The equation of a driver that turns a screw prescribes the slide, because that counts full turns, and so exerts a force
along the axis. On a thread slide = advance · turn, and J_slide = J_thread + advance · J_turn: this force is equivalent
to a torque −λ · advance, with λ more on the thread. Their resultant does not change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from mubo.arrays import Array, Booleans, Integers
from mubo.geometry.rotation import matrix
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.mechanism import Absolute
from mubo.model import ModelDefinition, target_of
from mubo.results import Columns
from mubo.solvers.columns.measures import add_measures
from mubo.solvers.forces.applied_loads import AppliedLoads, applied_loads, with_contacts
from mubo.solvers.forces.masses import body_masses, gravity_of, require_inertia
from mubo.solvers.forces.meshes import apply_tooth_forces, gear_meshes, move_to_pitch_points
from mubo.solvers.forces.multipliers import body_dofs, multipliers, working_equations
from mubo.solvers.forces.reaction_friction import Sizes, friction_sizes, solve_friction
from mubo.solvers.forces.reactions import ReactionMap, body_poses, map_reactions, point_positions
from mubo.solvers.forces.redundant_reactions import (
    UNIQUE,
    MinimumNormSolver,
    ReactionWeight,
    RedundantReactions,
    compliance_weight,
    sharing_groups,
)
from mubo.solvers.forces.shaft_meshes import parting_forces, place_at_pitch_points, shaft_meshes


@dataclass(frozen=True)
class ForceSolution:
    """Forces at the rows: loads, right sides Q − M a (times × degrees of freedom of the bodies), λ and reactions.

    `unique` is times × places × components, `unique_lam` times × equations; `singular` are the rows at which reactions
    are unbounded, and `lost` flags the unbounded components there.
    """

    columns: Columns  # of the motion alone
    states: Array
    motion: Array
    loads: AppliedLoads
    right: Array
    lam: Array
    wrenches: Array
    unique: Booleans
    unique_lam: Booleans
    lost: Booleans
    shared: RedundantReactions | None = None

    @property
    def singular(self) -> Integers:
        """Rows at which some reaction is unbounded."""
        return np.flatnonzero(self.lost.any(axis=(1, 2))).astype(np.int32)


class ForceSolver:
    """Force solver of a formulation: the data that do not change from row to row are derived once."""

    def __init__(self, form: Absolute, length_scale: float, dofs: int = 0) -> None:
        """Prepare a solver; `dofs` is the number of undriven degrees of freedom, whose motion is known."""
        self.form, self.length_scale, self.dofs = form, length_scale, dofs
        self.masses, self.gravity = body_masses(form), gravity_of(form.model)
        self._meshes, self._screws = gear_meshes(form), screw_drivers(form)
        self.reaction_map: ReactionMap = move_to_pitch_points(map_reactions(form), self._meshes)
        self._shaft_meshes = shaft_meshes(form)
        place_at_pitch_points(self.reaction_map, self._shaft_meshes)

    @property
    def redundant(self) -> bool:
        return len(working_equations(self.form)) > self.rank

    @property
    def rank(self) -> int:
        """Rank of the equations at positions that are not singular."""
        return body_dofs(self.form) - self.dofs

    @cached_property
    def minimum_norm(self) -> MinimumNormSolver:
        """Solver of minimum norm, in which a moment counts as a force at the length scale."""
        plain = ReactionWeight(1.0, 1 / self.length_scale)
        return self._minimum_norm_solver(dict.fromkeys(self.reaction_map.counted, plain))

    def _minimum_norm_solver(self, weights: Mapping[str, ReactionWeight]) -> MinimumNormSolver:
        return MinimumNormSolver(self.form, self.reaction_map, weights, self.rank)

    @property
    def weighting(self) -> str:
        """Text on the rule that decides reactions which equilibrium leaves open."""
        unit = self.form.model.units.length
        return f"of minimum norm, moments over a length of {f'{self.length_scale:g} {unit}'.strip()}"

    def _solve_redundant(self, states: Array, motion: Array, right: Array) -> RedundantReactions:
        """Reactions of minimum norm; by stiffness where every joint of a shared load states its own or its bodies'."""
        shared = self.minimum_norm.solve(states, motion, right)
        owners = self.minimum_norm.owners
        stiff = {owner: compliance_weight(self.form, owner) for owner in owners}
        sets = [[owners[k] for k in numbers] for numbers in sharing_groups(shared.together)]
        resolved = [owner for names in sets if all(stiff[name] for name in names) for owner in names]
        if not resolved:
            return shared
        plain = ReactionWeight(1.0, 1 / self.length_scale)
        weights = {owner: (stiff[owner] if owner in resolved else None) or plain for owner in owners}
        reactions = self._minimum_norm_solver(weights).solve(states, motion, right)
        return reactions.divided(self.form, self.reaction_map, tuple(owner.split(" ", 1)[1] for owner in resolved))

    def solve(
        self,
        states: Array,
        motion: Array,
        columns: Columns,
        friction: Sizes | None = None,
        contacts: tuple[Array, Array] | None = None,
    ) -> ForceSolution:
        """Solve for all forces at the rows of `columns`, the motion without measures. `friction` are the sizes of
        reaction friction where they are known, as along a simulation; else they are solved together with the
        reactions. `contacts` are the wrenches of contacts on all bodies at the rows, and their power."""
        states = np.ascontiguousarray(states)
        require_inertia(self.form, states)
        measured = with_measures(self.form.model, columns)

        def with_friction(sizes: Sizes) -> ForceSolution:
            loads = applied_loads(self.form, states, measured, sizes)
            if contacts is not None:
                loads = with_contacts(loads, *contacts)
            right = self.form.unbalanced_wrenches(self.masses, self.gravity, states, np.ascontiguousarray(loads.on))
            return self._with_parted_wheels(self._reactions(columns, states, motion, loads, right))

        def next_sizes(sizes: Sizes) -> Sizes:
            solution = with_friction(sizes)
            return self.friction_sizes(solution)

        return with_friction(solve_friction(self.form, columns, next_sizes) if friction is None else friction)

    def _with_parted_wheels(self, found: ForceSolution) -> ForceSolution:
        """The solution with what bevel and worm gears push apart, by the forces of their teeth."""
        if not self._shaft_meshes:
            return found
        given = self.form, self.reaction_map, self._shaft_meshes, found.states, np.nan_to_num(found.lam)
        on, at_places = parting_forces(*given)
        out = self._reactions(found.columns, found.states, found.motion, found.loads, found.right + on)
        for place, force in at_places.items():
            out.wrenches[:, place, :3] += force
        return replace(out, right=found.right)

    def friction_sizes(self, found: ForceSolution) -> Sizes:
        """Sizes of the friction that follows from reactions."""
        lam = np.nan_to_num(found.lam)
        return friction_sizes(
            self.form, self.reaction_map, found.wrenches, found.unique, found.states, lam, found.columns
        )

    def _reactions(
        self, columns: Columns, states: Array, motion: Array, loads: AppliedLoads, right: Array
    ) -> ForceSolution:
        shape = (len(states), len(self.reaction_map.places), right.shape[1] // len(self.form.free))
        unique, lost = np.ones(shape, bool), np.zeros(shape, bool)
        known = np.ones((len(states), len(self.form.equations)), bool)
        shared = None
        if self.redundant:
            shared = self._solve_redundant(states, motion, right)
            lam, lost = np.where(shared.lost_lam, np.nan, shared.lam), shared.lost
            shared = self._with_open_teeth(shared, states)
            unique, known = shared.unique, shared.unique_lam
        else:
            lam = multipliers(self.form, states, motion, right)
            bad = np.flatnonzero(np.isnan(lam).any(axis=1))
            if len(bad):
                some = self.minimum_norm.solve(states[bad], motion[bad], right[bad])
                lam[bad], lost[bad] = np.where(some.lost_lam, np.nan, some.lam), some.lost
        wrenches = self.reaction_map.wrenches(states, motion, np.nan_to_num(lam))
        apply_tooth_forces(self.form, self.reaction_map, self._meshes, states, np.nan_to_num(lam), wrenches)
        efforts = dict(zip(self.form.model.drivers, np.nan_to_num(self._efforts(lam)).T, strict=True))
        apply_screw_torques(self.form, self.reaction_map, self._screws, states, efforts, wrenches)
        bounded = np.where(lost, np.nan, wrenches)
        return ForceSolution(columns, states, motion, loads, right, lam, bounded, unique, known, lost, shared)

    def solve_impulses(self, states: Array, motion: Array, columns: Columns, on: Array) -> ForceSolution:
        """Solve for the impulses of joints at impacts: the states carry no velocities and, for accelerations, the jumps
        of the velocities; `on` are the impulses of contacts on all bodies."""
        nothing = np.zeros((len(states), 0))
        loads = AppliedLoads(on, np.zeros_like(on), {}, {}, {}, {}, {}, {}, nothing)
        right = self.form.unbalanced_wrenches(self.masses, np.zeros_like(self.gravity), states, on)
        return self._reactions(columns, states, motion, loads, right)

    def _with_open_teeth(self, shared: RedundantReactions, states: Array) -> RedundantReactions:
        """The null space with tooth forces in place of the torques of gears, and the labels by it."""
        if not self._meshes or not shared.open.size:
            return shared
        open_ = np.array(shared.open)
        for direction in range(open_.shape[-1]):
            part = np.ascontiguousarray(open_[..., direction])
            apply_tooth_forces(
                self.form, self.reaction_map, self._meshes, states, shared.open_lam[..., direction], part
            )
            open_[..., direction] = part
        changed = np.any(open_ != shared.open, axis=-1)
        turns = np.arange(open_.shape[2]) >= self.form.mechanism.dimension
        size = np.abs(open_) / np.where(turns, self.form.mechanism.size, 1.0)[:, None]
        free = np.any(size > UNIQUE * size.max(), axis=-1)
        return replace(shared, open=open_, unique=np.where(changed, ~free, shared.unique))

    def effort_factors(self) -> Array:
        """Factors from −λ of a driver's equation to its effort: a screw is driven by its rotation, while its equation
        prescribes the slide."""
        turn = self.form.model.units.angle_factor()
        kinds = [target_of(self.form.model, driver.of).holds for driver in self.form.model.drivers.values()]
        return self.form.mechanism.motion_factors / np.where(np.array(kinds) == "angle", turn, 1.0)

    def efforts(self, solution: ForceSolution) -> Array:
        """Effort of every driver along its coordinate: times × drivers."""
        return self._efforts(solution.lam)

    def _efforts(self, lam: Array) -> Array:
        rows = [k for k, equation in enumerate(self.form.equations) if equation.kind == "driver"]
        return np.asarray(-lam[:, rows] * self.effort_factors())


def with_measures(model: ModelDefinition, columns: Columns) -> Columns:
    """Return the columns with those of the measures, on which loads may depend; `columns` is not changed."""
    if not model.measures or not model.forces:
        return columns
    more = columns.replaced({})
    add_measures(model, more)
    return more


@dataclass(frozen=True)
class ScrewDriver:
    """A driver that turns a thread: the joint, its bodies, and the axis in the first of them."""

    driver: str
    joint: str
    bodies: tuple[str, ...]
    axis: Array


def screw_drivers(form: Absolute) -> list[ScrewDriver]:
    """Drivers whose equation prescribes another coordinate than the one that they drive."""
    out = []
    for name, driver in form.model.drivers.items():
        target = target_of(form.model, driver.of)
        if target.element.turns and any("along" in row.quantities for row in target.element.rows):
            axis = np.array(form.values[target.joint][f"{target.picked}_i"])
            out.append(ScrewDriver(name, target.joint, target.bodies, axis))
    return out


def apply_screw_torques(
    form: Absolute,
    reaction_map: ReactionMap,
    screws: list[ScrewDriver],
    states: Array,
    efforts: dict[str, Array],
    out: Array,
) -> None:
    """Replace the forces of screw drivers by their torques, in `out`: times × places × components."""
    for screw in screws:
        axis = matrix(body_poses(form, states, screw.bodies[0])[:, 3:]) @ screw.axis
        for body, sign in zip(screw.bodies, (-1.0, 1.0), strict=True):
            of = {place.joint: k for k, place in enumerate(reaction_map.places) if place.body == body}
            driver, joint = of[screw.driver], of[screw.joint]
            torque = sign * efforts[screw.driver][:, None] * axis
            force, moment = out[:, driver, :3].copy(), out[:, driver, 3:].copy()
            place = reaction_map.places[joint]
            at = point_positions(form, states, place.carrier, place.point)
            arm = at - body_poses(form, states, body)[:, :3]
            out[:, joint, :3] += force
            out[:, joint, 3:] += moment - np.cross(arm, force) - torque
            out[:, driver] = np.concatenate([np.zeros_like(force), torque], axis=1)
