"""Initial states of many runs of one model: the same tree, other coordinates and rates of joints at the start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from mubo import _core
from mubo._core import Status
from mubo.analyses.simulate import consistent_start
from mubo.arrays import Array
from mubo.errors import ModelError, MuboError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import mechanism_of
from mubo.mechanism.formulations.tree import Tree
from mubo.model import Initial, ModelDefinition
from mubo.model.column_names import Column, joint_columns
from mubo.model.coordinates import holds_of, planar_dof, reported_dofs
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_mechanism_start
from mubo.solvers.columns.columns import plane_columns
from mubo.solvers.continuation.continuation import CORRECTION_RATIO
from mubo.solvers.continuation.steppers import Settings, absolute_stepper
from mubo.solvers.dynamics.consistent_initialisation import (
    driven_coordinates,
    place_initial_bodies,
    with_initial_drivers,
)

Variant = Callable[[int], ModelDefinition]
STEP = 0.1  # radians, or sizes of the mechanism, by which initial coordinates are led at once


@dataclass(frozen=True)
class StartedRun:
    """The tree and the state at the start of one run, or why it has none."""

    tree: Tree | None
    y: Array
    refused: str = ""


class InitialStates:
    """Initial conditions of `count` runs: a line of numbers for each given column of a joint, in the model's units."""

    def __init__(
        self, model: ModelDefinition, given: Mapping[str, Array], count: int, start: float, end: float
    ) -> None:
        self._model, self._count, self._start, self._end = model, count, start, end
        known = {
            column.name: column
            for name, joint in model.joints.items()
            for letter in "qv"
            for column in joint_columns(name, reported_dofs(model, joint), letter)
        }
        self._columns: dict[str, Column] = {}
        self._values: dict[str, Array] = {}
        for name, values in given.items():
            if name not in known:
                raise ModelError(f'initial: "{name}" is no coordinate or rate of a joint. {nearest(name, known)}')
            self._columns[name] = known[name]
            self._values[name] = np.asarray(values, float) * model.units.factor(known[name].holds, known[name].order)

    def placed(self, model: ModelDefinition, run: int) -> ModelDefinition:
        """The model with the initial conditions of a run."""
        if not self._columns:
            return model
        joints = dict(model.initial_joints)
        for name, column in self._columns.items():
            joint = model.joints[column.owner]
            before = joints.get(column.owner, Initial(column.owner, (), ()))
            wide = len(holds_of(model, joint, rates=column.order > 0))
            numbers = [*((before.v if column.order else before.q) or (0.0,) * wide)]
            numbers[_number(column)] = float(self._values[name][run])
            given = tuple(numbers)
            joints[column.owner] = replace(before, v=given) if column.order else replace(before, q=given)
        return model.changed(initial_joints=joints)

    def of_all(self) -> list[StartedRun]:
        """The initial states of all runs: on one tree where that is possible, else each as `simulate` starts it."""
        try:
            tree, _ = consistent_start(self.placed(self._model, 0), self._start, self._end)
        except MuboError:
            return [self._alone(k) for k in range(self._count)]
        if not self._columns:
            return [StartedRun(tree, tree.begin(self._start))] * self._count
        if not tree.closing.rows:
            entries = {name: _entry(tree, column) for name, column in self._columns.items()}
            if all(entry is not None for entry in entries.values()) and not tree.driven:
                return [self._set(tree, entries, k) for k in range(self._count)]  # type: ignore[arg-type]
        elif (loops := self._planar_loops(tree)) is not None:
            return [one or self._alone(k) for k, one in enumerate(loops.states(self._count))]
        return [self._alone(k) for k in range(self._count)]

    def _alone(self, run: int) -> StartedRun:
        return self.of_variant(lambda _: self._model, run)

    def of_variant(self, variant: Variant, run: int) -> StartedRun:
        """The initial state of a run with a model of its own, as `simulate` starts it."""
        try:
            tree, _ = consistent_start(self.placed(variant(run), run), self._start, self._end)
        except MuboError as error:
            return StartedRun(None, np.zeros(0), str(error).partition("\n")[0])
        return StartedRun(tree, tree.begin(self._start))

    def _set(self, tree: Tree, entries: Mapping[str, tuple[int, float]], run: int) -> StartedRun:
        """The state of a tree without loops: what is given are entries of it."""
        q, v = (part.copy() for part in tree.start())
        for name, (entry, sign) in entries.items():
            (v if self._columns[name].order else q)[entry] = sign * self._values[name][run]
        return StartedRun(tree, replace(tree, state=(q, v)).begin(self._start))

    def _planar_loops(self, tree: Tree) -> _PlanarLoops | None:
        """Loops of the plane whose position the initial coordinates determine; None where they do not."""
        model = self.placed(self._model, 0)
        if model.dimension != 2 or model.initial_bodies or tree.driven or tree.left_out:
            return None
        if any(planar_dof(model, model.joints[motion.joint]) is None for motion in tree.links.motions):
            return None
        driven = with_initial_drivers(place_initial_bodies(model), self._start)
        analysis = analyse_mechanism_start(mechanism_of(driven), self._start)
        if driven_coordinates(model) or not analysis.determined or analysis.diagnosis.dependent:
            return None
        owners = [str(driver.of) for driver in driven.drivers.values()]
        if any(column.owner not in owners for column in self._columns.values()):
            return None
        return _PlanarLoops(tree, analysis, owners, self._columns, self._values, self._start)


class _PlanarLoops:
    """Initial states of planar loops: the assembled position is led to the coordinates of every run."""

    def __init__(
        self,
        tree: Tree,
        analysis: StartAnalysis,
        owners: list[str],
        columns: Mapping[str, Column],
        values: Mapping[str, Array],
        start: float,
    ) -> None:
        self._tree, self._analysis, self._start = tree, analysis, start
        self._columns, self._values = columns, values
        self._entry = {name: 3 * owners.index(column.owner) + column.order for name, column in columns.items()}
        form = analysis.form
        settings = Settings(analysis.tolerance, scale=form.scale, size=form.mechanism.size)
        self._stepper = absolute_stepper(form, analysis.diagnosis.independent, settings)

    def states(self, count: int) -> list[StartedRun | None]:
        """The states of all runs; None where the loops cannot be led there."""
        first = self._solved(self._analysis.assembly.q, self._analysis.motion)
        reached = [first, *(self._led(self._motion(run)) for run in range(count))]
        assert first is not None
        joints = self._joints(np.stack([first if state is None else state for state in reached]))
        begin = self._tree.start()
        q, v = (np.repeat(part[None], len(reached), axis=0) for part in begin)
        for m in self._tree.links.motions:
            position, rate = joints[m.joint]
            q[:, m.q] = (position + (begin[0][m.q] - position[0]))[:, None]
            v[:, m.v] = rate[:, None]
        return [None if reached[k] is None else self._closed(q[k], v[k]) for k in range(1, len(reached))]

    def _motion(self, run: int) -> Array:
        """Values and rates of the initial coordinates of a run."""
        motion = self._analysis.motion.copy()
        for name, entry in self._entry.items():
            motion[entry] = self._values[name][run]
        return motion

    def _closed(self, q: Array, v: Array) -> StartedRun | None:
        status, _, q, v = _core.project_onto_loops(self._tree.system, self._start, q, v)
        if status != Status.done:
            return None
        return StartedRun(self._tree, replace(self._tree, state=(q, v)).begin(self._start))

    def _led(self, motion: Array) -> Array | None:
        """States 3 × unknowns at other values of the initial coordinates, on the same branch."""
        form, before = self._analysis.form, self._analysis.motion
        away = motion[::3] - before[::3]
        far = float(np.max(np.abs(away * form.mechanism.driver_weight), initial=0.0))
        grid = np.linspace(0, 1, int(far / STEP) + 2)
        laws = np.repeat(before[None], len(grid), axis=0)
        laws[:, ::3] += grid[:, None] * away
        laws[:, 1::3], laws[:, 2::3] = away, 0.0
        status, state = self._stepper.start(self._analysis.assembly.q, laws[0])
        if status != Status.done:
            return None
        status, done, states, _ = self._stepper.sweep(grid, laws, state, CORRECTION_RATIO)
        if status != Status.done or done < len(grid) - 1:
            return None
        return self._solved(states[-1][0], motion)

    def _solved(self, q: Array, motion: Array) -> Array | None:
        status, state = self._stepper.solve_at(np.ascontiguousarray(q), motion)
        return state if status == Status.done else None

    def _joints(self, states: Array) -> dict[str, tuple[Array, Array]]:
        """Coordinate and rate of every joint at states of the bodies."""
        columns = {column.name: values for column, values in plane_columns(self._analysis.form, states)}
        joints = {m.joint for m in self._tree.links.motions}
        return {name: (columns[f"{name}.q"], columns[f"{name}.v"]) for name in joints}


def _number(column: Column) -> int:
    """Number of a coordinate within its joint, from 0."""
    return int(column.quantity.removeprefix("q").removeprefix("turn ") or 1) - 1


def _entry(tree: Tree, column: Column) -> tuple[int, float] | None:
    """Entry of the core's q or v that a coordinate or rate of a joint is, and its sign; None for balls and others."""
    number = _number(column)
    for m in tree.links.motions:
        place = m.v if column.order else m.q
        first = m.first_rate if column.order else m.first
        if m.joint == column.owner and m.kind != "ball" and first <= number < first + place.stop - place.start:
            return place.start + number - first, -1.0 if m.kind == "shift" and not m.forward else 1.0
    return None
