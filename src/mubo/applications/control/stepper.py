"""A simulation that goes on step by step, its inputs constant over each: for controlling a mechanism in Python.

The tree is compiled once, with the inputs as sizes that are set and the outputs as programs of the core; a step is one
call of it. Columns that are no programs (accelerations, energies, reactions) are computed when they are asked for.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from mubo import _core
from mubo._core import Status
from mubo.analyses.simulate import consistent_start
from mubo.applications.control.compiled_plant import CompiledPlant, compile_plant
from mubo.applications.control.inputs import ControlledModel, controlled_model
from mubo.arrays import Array
from mubo.errors import ModelError, SimulationError, nearest, status_text
from mubo.mechanism.formulations.tree import Tree, tree_form
from mubo.model import ModelDefinition
from mubo.results import Columns
from mubo.solvers.columns.measures import add_measures
from mubo.solvers.dynamics.formulations import solve_tree
from mubo.solvers.dynamics.named_numbers import read_numbers, state_names_of
from mubo.solvers.dynamics.settings import SimulationSettings
from mubo.solvers.dynamics.simulation_events import simulation_events
from mubo.solvers.dynamics.solution import DynamicSolution

ENERGIES = ("energy.dissipated", "energy.supplied", "energy.error")
LEAST_REST = 1e-9  # of a fixed step: a shorter rest is rounding


class Stepper:
    """A mechanism in motion: its time, its outputs, and a step with constant inputs.

    Numbers are in the model's units. Integration is that of `simulate`: within a step it goes as it needs, and a step
    ends exactly where it was asked to. With `fixed` it is the method of Runge and Kutta of order four in steps of that
    length, loops closed after each: without control of its error, at the same cost every time.

    >>> plant = mubo.load("released_four_bar.toml").stepper(outputs=["crank.phi"])
    >>> plant.step(0.1) == plant.outputs, round(plant.t, 9)
    (True, 0.1)
    """

    def __init__(
        self,
        model: ModelDefinition,
        inputs: Sequence[str] = (),
        outputs: Sequence[str] | None = None,
        start: float = 0.0,
        settings: SimulationSettings | None = None,
        fixed: float | None = None,
    ) -> None:
        self._settings = settings or SimulationSettings()
        self._settings.require_sense()
        if fixed is not None:
            _require_fixed(model, fixed)
        self._fixed = fixed
        self.start, self._written = float(start), model
        self._controlled: ControlledModel = controlled_model(model, inputs, self.start)
        numbers = {name: k for k, name in enumerate(self._controlled.model.forces)}
        self._inputs = {name: (numbers[name], one.sign * one.unit) for name, one in self._controlled.inputs.items()}
        self._asked = outputs
        self._plant: CompiledPlant
        self._y: Array | None  # a state that is not compiled yet
        self._columns: Columns | None
        self.reset()

    def reset(self) -> None:
        """Back to the start, every input at rest.

        >>> plant = mubo.load("released_four_bar.toml").stepper()
        >>> before = plant.outputs
        >>> after = plant.step(0.1)
        >>> plant.reset()
        >>> plant.outputs == before
        True
        """
        self.t = self.start
        self._values = {name: one.rest for name, one in self._controlled.inputs.items()}
        tree, notes = consistent_start(self._controlled.with_inputs(self._values), self.t, self.t)
        self.notes = tuple(notes)
        self._tree = tree
        self._begin_at(tree.begin(self.t))

    def _begin_at(self, y: Array) -> None:
        """Begin a motion at a state of the core; energies count from here."""
        self._y, self._columns, self._ended, self._energy = y, None, "", np.nan
        self._energy = float(self.columns.raw("energy.total")[0])
        self._names = self._output_names()
        self._compile(0.0)

    @property
    def inputs(self) -> dict[str, float]:
        """The inputs and their values.

        >>> mubo.load("cart_pole.toml").stepper(["push"]).inputs
        {'push': 0.0}
        """
        return dict(self._values)

    @property
    def outputs(self) -> dict[str, float]:
        """The outputs asked for, or the model's measures (its joint coordinates where it has none), at this time.

        >>> mubo.load("released_four_bar.toml").stepper(outputs=["A.q"]).outputs.keys()
        dict_keys(['A.q'])
        """
        if not self._plant.senses:
            return {name: float(self.columns[name][-1]) for name in self._names}
        return dict(zip(self._names, self._plant.core.outputs(), strict=True))

    @property
    def model(self) -> ModelDefinition:
        """The model as it was written, with all its drivers.

        >>> mubo.load("cart_pole.toml").stepper(["push"]).model.name
        'cart and pole'
        """
        return self._written

    @property
    def settings(self) -> SimulationSettings:
        """Tolerances of the integration."""
        return self._settings

    @property
    def columns(self) -> Columns:
        """All columns of a simulation, at this time.

        >>> float(mubo.load("released_four_bar.toml").stepper().columns["t"][0])
        0.0
        """
        if self._columns is None:
            self._columns = self._columns_of(solve_tree(self._tree_over(self.t), np.array([self.t]), self._settings))
        return self._columns

    @property
    def joint_state(self) -> tuple[dict[str, float], dict[str, float]]:
        """Joint coordinates and rates by name, in radians and the model's lengths, as `set_state` takes them."""
        q, v = state_names_of(self._tree.model, self._tree.hinges)
        columns = self.columns
        return {name: float(columns.raw(name)[-1]) for name in q}, {name: float(columns.raw(name)[-1]) for name in v}

    def step(self, dt: float, inputs: Mapping[str, float] | None = None) -> dict[str, float]:
        """Advances by `dt` with `inputs` set and constant; others keep their value. Answers the outputs at the end.

        A motion that cannot go on, or one that meets an event with stop, raises a SimulationError that says when; time
        and outputs are then those before the step.

        >>> plant = mubo.load("cart_pole.toml").stepper(["push"], ["cart.x"])
        >>> outputs = plant.step(0.01, {"push": 0.5})
        >>> list(outputs), plant.inputs
        (['cart.x'], {'push': 0.5})
        """
        if inputs:
            self._set_inputs(inputs)
        if not 0 < dt < np.inf:
            raise ModelError(f"a step must be a positive time; found {dt}")
        if self._ended:
            raise SimulationError(f"the motion has ended: {self._ended}")
        if self.t + dt > self._plant.end:
            self._compile(float(dt))
        self._advance(float(dt))
        self._columns = None
        return self.outputs

    def set_state(self, q: Any, v: Any, t: float | None = None) -> None:
        """Continue from joint coordinates and rates in the order of `model.state_names`, or by joint; loops are closed.

        >>> plant = mubo.load("cart_pole.toml").stepper(["push"], ["cart.x", "cart.vx"])
        >>> plant.set_state({"rail": 0.2, "hinge": 0}, {"rail": 1, "hinge": 0})
        >>> plant.outputs
        {'cart.x': 0.2, 'cart.vx': 1.0}
        """
        tree, time = self._tree, self.t if t is None else float(t)
        names = state_names_of(tree.model, tree.hinges)
        at, moving = (read_numbers(tree.model, names, x, letter)[None] for x, letter in ((q, "q"), (v, "v")))
        position, rates, _ = (line[0] for line in tree.core_motion(at, moving, np.zeros_like(moving)))
        if tree.closing.rows:
            status, where, position, rates = _core.project_onto_loops(tree.system, time, position, rates)
            if status != Status.done:
                row = f" ({tree.closing.equations[where]})" if where >= 0 else ""
                raise SimulationError(f"the loops cannot be closed near this state: {status_text(status)}{row}")
        turns = _core.turns_at(tree.system, time, position, rates, np.array(tree.near, float))
        self.t = time
        self._begin_at(np.concatenate([position, rates, turns, [0.0, 0.0]]))

    def copy(self) -> Self:
        """Return the same motion, to be advanced on its own: to look ahead without changing this one.

        >>> plant = mubo.load("cart_pole.toml").stepper(["push"], ["cart.x"])
        >>> ahead = plant.copy()
        >>> outputs = ahead.step(0.5, {"push": 1.0})
        >>> plant.t, ahead.t
        (0.0, 0.5)
        """
        other = copy.copy(self)
        other._values = dict(self._values)
        other._plant = replace(self._plant, core=self._plant.core.copy())
        return other

    def _set_inputs(self, inputs: Mapping[str, float]) -> None:
        for name, value in inputs.items():
            if name not in self._values:
                raise ModelError(f'there is no input "{name}". {nearest(name, self._values)}', names=[name])
            if not -np.inf < value < np.inf:
                raise ModelError(f"input {name} must be a finite number; found {value}", names=[name])
        for name, value in inputs.items():
            self._values[name] = value = float(value)
            number, factor = self._inputs[name]
            self._plant.core.set_size(number, factor * value)

    def _advance(self, dt: float) -> None:
        core = self._plant.core
        if self._fixed is not None:
            self._advance_fixed(core, dt, self._fixed)
        elif not self._plant.knows_events or core.step(dt) != Status.done:
            self._advance_by_columns(dt)
        self.t = core.t

    def _advance_fixed(self, core: _core.TreeStepper, dt: float, length: float) -> None:
        whole = int(dt / length * (1 + LEAST_REST))
        rest = dt - whole * length
        for part, count in ((length, whole), (rest, int(rest > LEAST_REST * length))):
            if core.fixed_steps(part, count) != Status.done:
                when = self._written.units.time_text(core.t)
                self._ended = f"the motion cannot go on from t = {when}: {status_text(core.fault[0])}"
                self.t = core.t
                raise SimulationError(self._ended, numbers={"t": self.t})

    def _advance_by_columns(self, dt: float) -> None:
        """One step by the solver of `simulate`: it watches events that need columns, and knows why a motion ends."""
        before = self._state
        tree, end = self._tree_over(self.t + dt), self.t + dt
        solved = solve_tree(tree, np.array([self.t, end]), self._settings)
        if solved.done.status not in (Status.done, Status.running):
            met = simulation_events(tree, solved.done, solved.method)
            self._ended = met[-1].message if met else "the motion cannot go on"
            raise SimulationError(self._ended, numbers={"t": self.t})
        last = solved.done.states[-1]
        self._plant.core.set_state(end, np.concatenate([last[:-2], before[-2:] + last[-2:]]))

    def _compile(self, dt: float) -> None:
        """Compile the plant from this time on."""
        mechanism = replace(self._tree.mechanism, model=self._controlled.with_inputs(self._values))
        self._plant = compile_plant(mechanism, self._names, self.t, dt, self._state, self._settings)
        self._y = None

    @property
    def _state(self) -> Array:
        """The core's state: q, v, turns that it counts, energies dissipated and supplied."""
        return self._plant.core.state if self._y is None else self._y

    def _tree_over(self, end: float) -> Tree:
        """The tree from here on; its equations are chosen anew where some are redundant."""
        y = self._state
        mechanism = replace(self._tree.mechanism, model=self._controlled.with_inputs(self._values))
        tree = tree_form(mechanism, self.t, end)
        positions, velocities = tree.links.positions, tree.links.velocities
        state = y[:positions].copy(), y[positions : positions + velocities].copy()
        if tree.closing.rows:
            _core.choose_rows(tree.system, self.t, state[0])
        near = tuple(float(turn) for turn in y[positions + velocities : -2])  # turns that loads count
        return replace(tree, state=state, near=near, left_out=self._tree.left_out)

    def _columns_of(self, solved: DynamicSolution) -> Columns:
        """Columns at this time, with measures, and energies that count from the start of the run."""
        columns = solved.columns
        if ENERGIES[0] in columns:
            total = columns.raw("energy.total")
            dissipated, supplied = (np.array([value]) for value in self._state[-2:])
            first = self._energy if np.isfinite(self._energy) else float(total[0])
            error = total - first - supplied + dissipated
            columns = columns.replaced(dict(zip(ENERGIES, (dissipated, supplied, error), strict=True)))
        add_measures(self._controlled.model, columns)
        return columns

    def _output_names(self) -> list[str]:
        known = list(self.columns)
        if self._asked is None:
            measures = [column.name for column in self.columns.of_kind("measure") if column.order == 0]
            return measures or [column.name for column in self.columns.of_kind("joint") if column.order == 0]
        for name in self._asked:
            if name not in self.columns:
                raise ModelError(f'there is no column "{name}" to be an output. {nearest(name, known)}', names=[name])
        return list(self._asked)


def _require_fixed(model: ModelDefinition, length: float) -> None:
    """Refuse fixed steps without a length, and events that they would pass over."""
    if not 0 < length < np.inf:
        raise ModelError(f"the length of fixed steps must be a positive time; found {length}")
    for name in (event.name for event in model.events.values() if event.stop):
        cure = "Leave out `fixed`, or the event."
        raise ModelError(f"event {name} ends the motion, which fixed steps do not look for", suggestion=cure)
