"""Integration of a motion: its result, the events that it detects, and the tolerance of each entry of the state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.elements import loads_of
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.tree import Tree
from mubo.mechanism.rows import Equation
from mubo.model import EventDefinition, ModelDefinition
from mubo.model.column_names import Column
from mubo.model.event_target import is_ball, watched_column
from mubo.note import Note
from mubo.solvers.dynamics.settings import SimulationSettings

SLICE = 0.1  # seconds of work after which the core returns, so that Ctrl-C and progress are served
ENERGY_FREE = 1e300  # tolerance of the exchanged energies where they do not control the step
DIRECTIONS = {"up": 1, "down": -1, "both": 0}
BY_COLUMNS = -1  # entry of an event that neither the state nor a program of the core has: the columns have it
Watched = tuple[int, float, int, bool]  # entry of the state or program, value, direction, whether it ends the run
EventSensor = Callable[[int, Array, Array], Array]  # number of an event, times, states: its values


class StiffnessDetected(Exception):
    """Stability bounds the steps of an explicit method, and the settings ask to leave it there."""

    def __init__(self, rate: float, t: float, evaluations: int, start: float, end: float) -> None:
        super().__init__(f"the model is stiff: its fastest rate is {rate:.3g}")
        self.rate, self.t, self.evaluations = rate, t, evaluations
        self.start, self.end = start, end
        self.cheaper = False  # whether absolute coordinates came as far with less work


@dataclass
class IntegrationResult:
    """States at the output times reached, and the statistics of the integration."""

    states: Array
    reached: float
    status: Status = Status.done
    where: int = -1  # link or load that the status concerns
    component: int = -1  # entry of the state with the largest error where the step size collapsed
    steps: int = 0
    rejected: int = 0
    evaluations: int = 0
    events: list[tuple[int, float]] = field(default_factory=list)  # number, time
    ends: Array = field(default_factory=lambda: np.zeros(0))  # times at which steps ended
    reason: Note | None = None  # why the run stopped, where the status does not state it
    singularities: list[tuple[float, Equation]] = field(default_factory=list)  # time, equation with the smallest pivot
    projected: float = 0.0  # kinetic energy removed by the projection on the loops
    impulses: list[tuple[float, float]] = field(
        default_factory=list
    )  # jumps of prescribed rates: time, energy supplied
    last: Array = field(default_factory=lambda: np.zeros(0))  # state at the time reached
    fastest: float = 0.0  # rate that bounds the steps of an explicit method; zero where accuracy does

    @classmethod
    def of_run(
        cls, run: Any, states: Array, status: Status, equations: Sequence[Equation], **more: Any
    ) -> IntegrationResult:
        """Collect the result of a run of the core, whose constraint equations are `equations`."""
        numbers, times, *_ = run.events()
        return cls(
            states,
            run.t,
            status,
            run.where,
            steps=run.steps,
            rejected=run.rejected,
            evaluations=run.evaluations,
            events=[(int(n), float(t)) for n, t in zip(numbers, times, strict=True)],
            ends=run.ends(),
            singularities=[(t, equations[row]) for t, row in zip(*run.crossings(), strict=True)],
            projected=run.taken,
            **more,
        )

    @property
    def completed(self) -> bool:
        """Whether the run came to its end, or to an event that ends it."""
        return self.status in (Status.done, Status.event_stop)


def event_list(tree: Tree, events: Iterable[EventDefinition] | None = None) -> list[Watched]:
    """Events as the core detects them: by an entry of the state, by a program of the core, or by the columns; all of
    the model by default."""
    out = []
    for event in tree.model.events.values() if events is None else events:
        entry, sign = _state_entry(tree, event_column(tree.model, event))
        if entry is not None:
            out.append((entry, sign * event.value, DIRECTIONS[event.direction] * sign, event.stop))
        else:
            number, value, direction, stop = event_entry(tree.model, event, tree.watched)
            out.append((number if number == BY_COLUMNS else tree.system.states + number, value, direction, stop))
    return out


def event_column(model: ModelDefinition, event: EventDefinition) -> Column:
    """Return the column of an event; a coordinate of a ball joint is refused."""
    column = watched_column(model, event.of)
    if is_ball(model, column):
        raise ModelError(
            f"event {event.name}: {event.of} is a coordinate of a ball, which cannot be watched", names=[event.name]
        )
    return column


def event_entry(model: ModelDefinition, event: EventDefinition, programs: Mapping[str, int]) -> Watched:
    """Return an event by the program that evaluates it, in the model's units, or by the columns."""
    column, direction = event_column(model, event), DIRECTIONS[event.direction]
    if event.name not in programs:
        return BY_COLUMNS, event.value, direction, event.stop
    factor = model.units.angle_factor() if column.holds == "angle" else 1.0
    return programs[event.name], event.value / factor, direction, event.stop


def _state_entry(tree: Tree, column: Column) -> tuple[int | None, int]:
    """Return the entry of the state that a joint coordinate of the tree is, and its sign; None if there is none."""
    if column.kind != "joint" or column.order:
        return None, 1
    number = int(column.quantity.removeprefix("q") or 1) - 1
    for m in tree.links.motions:
        if m.joint == column.owner and m.first <= number < m.first + m.q.stop - m.q.start:
            return m.q.start + number - m.first, -1 if m.kind == "shift" and not m.forward else 1
    return None, 1


def has_unilateral_loads(model: ModelDefinition) -> bool:
    """Whether a load, such as a stop, acts at some positions only."""
    return any(loads_of(model.dimension)[force.kind].formula.lets_go for force in model.forces.values())


def absolute_tolerances(
    tree: Tree, grid: Array, y: Array, settings: SimulationSettings, free: float, contacts: bool = False
) -> Array:
    """Absolute tolerance of each entry of the state.

    The exchanged energies control the step where a driver supplies them: its prescribed motion is not integrated, so
    that free parts beside it may allow steps too long for its power. They also do where a stop opens: the step would
    otherwise pass over the energy that it still dissipates; so they do with contacts.
    """
    out = np.full(len(y), settings.atol)
    controls = contacts or tree.model.drivers or has_unilateral_loads(tree.model)
    out[-2:] = settings.atol * _energy_scale(tree, grid, y, settings) if controls else free
    return out


def _energy_scale(tree: Tree, grid: Array, y: Array, settings: SimulationSettings) -> float:
    """Energy scale: the kinetic energy at the start or the power there over the whole time, but at least one unit.

    The exchanged energy starts at zero; relative to that, the rounding of a large power would ask for ever shorter
    steps.
    """
    nq, nv = tree.links.positions, tree.links.velocities
    start, end = grid[:1], float(grid[-1])
    q, v, _ = tree.system.drive(start, y[None, :nq].copy(), y[None, nq : nq + nv].copy())
    kinetic = tree.system.energy(start, q, v, tree.turns(y[None]))[3][0, 0]
    power = np.abs(tree.system.rhs(float(start[0]), y, settings.user)[2][-2:])
    scales = np.array([1.0, kinetic, *(power * (end - float(start[0])))])
    return float(np.max(scales[np.isfinite(scales)]))
