"""A simulation that goes on step by step, its inputs constant over each: for controlling a mechanism in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from mubo import _core
from mubo._core import Status
from mubo.analyses.simulate import consistent_start
from mubo.applications.control.inputs import ControlledModel, controlled_model, possible_inputs
from mubo.arrays import Array
from mubo.errors import ModelError, SimulationError, nearest
from mubo.mechanism.formulations.tree import Tree, tree_form
from mubo.model import ModelDefinition
from mubo.results import Columns
from mubo.solvers.columns.measures import add_measures
from mubo.solvers.dynamics.formulations import solve_tree
from mubo.solvers.dynamics.settings import SimulationSettings
from mubo.solvers.dynamics.simulation_events import simulation_events

ENERGIES = ("energy.dissipated", "energy.supplied", "energy.error")


class Stepper:
    """A mechanism in motion: its time, its outputs, and a step with constant inputs.

    Numbers are in the model's units. Integration is that of `simulate`: within a step it goes as it needs, and a step
    ends exactly where it was asked to.

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
    ) -> None:
        self._settings = settings or SimulationSettings()
        self._settings.require_sense()
        self._begin, self._written = float(start), model
        self._controlled: ControlledModel = controlled_model(model, inputs, self._begin)
        self._asked = outputs
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
        self.t = self._begin
        self._values = {name: one.rest for name, one in self._controlled.inputs.items()}
        tree, notes = consistent_start(self._controlled.with_inputs(self._values), self.t, self.t)
        self.notes = tuple(notes)
        self._tree, self._state = tree, tree.start()
        self._exchanged = np.zeros(2)
        self._ended = ""
        self._columns = self._integrate(tree, np.array([self.t]))
        self._energy = float(self._columns.raw("energy.total")[0])
        self._names = self._output_names()

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
        return {name: float(self._columns[name][-1]) for name in self._names}

    @property
    def model(self) -> ModelDefinition:
        """The model as it was written, with all its drivers.

        >>> mubo.load("cart_pole.toml").stepper(["push"]).model.name
        'cart and pole'
        """
        return self._written

    @property
    def start(self) -> float:
        """The time at which it begins."""
        return self._begin

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
        return self._columns

    def step(self, dt: float, inputs: Mapping[str, float] | None = None) -> dict[str, float]:
        """Advances by `dt` with `inputs` set and constant; others keep their value. Answers the outputs at the end.

        A motion that cannot go on, or one that meets an event with stop, raises a SimulationError that says when; time
        and outputs are then those before the step.

        >>> plant = mubo.load("cart_pole.toml").stepper(["push"], ["cart.x"])
        >>> outputs = plant.step(0.01, {"push": 0.5})
        >>> list(outputs), plant.inputs
        (['cart.x'], {'push': 0.5})
        """
        for name, value in (inputs or {}).items():
            if name not in self._values:
                raise ModelError(f'there is no input "{name}". {nearest(name, self._values)}', names=[name])
            if not np.isfinite(value):
                raise ModelError(f"input {name} must be a finite number; found {value}", names=[name])
            self._values[name] = float(value)
        if not (np.isfinite(dt) and dt > 0):
            raise ModelError(f"a step must be a positive time; found {dt}")
        if self._ended:
            raise SimulationError(f"the motion has ended: {self._ended}")
        self._advance(self.t + float(dt))
        return self.outputs

    def _advance(self, end: float) -> None:
        tree = self._tree_over(self.t, end)
        self._columns = self._integrate(tree, np.array([self.t, end]))
        if self._ended:
            raise SimulationError(self._ended, numbers={"t": self.t})
        self.t = end

    def _tree_over(self, start: float, end: float) -> Tree:
        """The tree from here on; its equations are chosen anew where some are redundant."""
        mechanism = replace(self._tree.mechanism, model=self._controlled.with_inputs(self._values))
        tree = tree_form(mechanism, start, end)
        if tree.closing.rows:
            _core.choose_rows(tree.system, start, self._state[0])
        return replace(tree, state=self._state, near=self._near, left_out=self._tree.left_out)

    def _integrate(self, tree: Tree, grid: Array) -> Columns:
        """Integrates over the grid, keeps the state at its end, and answers the columns there."""
        solved = solve_tree(tree, grid, self._settings)
        done = solved.done
        positions, velocities = tree.links.positions, tree.links.velocities
        last = done.states[-1]
        self._state = last[:positions].copy(), last[positions : positions + velocities].copy()
        self._near = tuple(float(turn) for turn in last[positions + velocities : -2])  # turns that loads count
        columns = solved.columns.replaced({name: solved.columns.raw(name)[-1:] for name in solved.columns})
        if ENERGIES[0] in columns:
            columns = columns.replaced(self._since_the_start(columns, last[-2:]))
        add_measures(tree.model, columns)
        if done.status not in (Status.done, Status.running):
            met = simulation_events(tree, done, solved.method)
            self._ended = met[-1].message if met else "the motion cannot go on"
            self.t = float(columns["t"][0])
        return columns

    def _since_the_start(self, columns: Columns, exchanged: Array) -> dict[str, Array]:
        """Energies that count from the start of the run, not of the step."""
        self._exchanged = self._exchanged + exchanged
        total = columns.raw("energy.total")
        first = getattr(self, "_energy", float(total[0]))
        dissipated, supplied = (np.array([value]) for value in self._exchanged)
        error = total - first - supplied + dissipated
        return dict(zip(ENERGIES, (dissipated, supplied, error), strict=True))

    def _output_names(self) -> list[str]:
        known = list(self._columns)
        if self._asked is None:
            measures = [column.name for column in self._columns.of_kind("measure") if column.order == 0]
            return measures or [column.name for column in self._columns.of_kind("joint") if column.order == 0]
        for name in self._asked:
            if name not in self._columns:
                raise ModelError(f'there is no column "{name}" to be an output. {nearest(name, known)}', names=[name])
        return list(self._asked)


def require_inputs(model: ModelDefinition, names: Sequence[str]) -> None:
    """Refuses a plant without inputs."""
    if not names:
        known = possible_inputs(model)
        hint = f"Give --input {known[0]}." if known else "Add a force such as a joint effort to the model."
        raise ModelError("the plant has no inputs", suggestion=hint)
