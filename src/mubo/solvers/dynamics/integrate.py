"""Integration of a tree: DOP853 in the core, or a stiff method of SciPy on the core's right side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from mubo import _core
from mubo._core import Status
from mubo.arrays import Array
from mubo.elements import loads_of
from mubo.errors import ModelError
from mubo.mechanism.formulations.tree import Tree
from mubo.mechanism.rows import Equation
from mubo.model import EventDefinition, ModelDefinition
from mubo.model.column_names import Column
from mubo.model.event_target import is_ball, watched_column
from mubo.solvers.dynamics.settings import STIFF, SimulationSettings

SLICE = 0.1  # seconds of work between two looks at the keyboard
ENERGY_FREE = 1e300  # energies dissipated and supplied follow the motion; they do not steer the step
Watched = tuple[int, float, int, bool]  # entry of the state or program, value, direction, whether it ends the run
Look = Callable[[int, Array, Array], Array]  # number of an event, times, states: its values


class Stiff(Exception):
    """Stability bounds the steps of an explicit method, and the settings want to leave it there."""

    def __init__(self, rate: float, t: float, evaluations: int, start: float, end: float) -> None:
        super().__init__(f"the model is stiff: its fastest rate is {rate:.3g}")
        self.rate, self.t, self.evaluations = rate, t, evaluations
        self.start, self.end = start, end


@dataclass
class Integrated:
    """States at the output times reached, and how the run went."""

    states: Array
    reached: float
    status: Status = Status.done
    where: int = -1  # link or load that the status speaks of
    component: int = -1  # of the state, with the largest error where the step collapsed
    steps: int = 0
    rejected: int = 0
    evaluations: int = 0
    met: list[tuple[int, float]] = field(default_factory=list)  # events: number, time
    ends: Array = field(default_factory=lambda: np.zeros(0))  # of the steps taken
    reason: str = ""  # why it stopped, where no status says it
    passed: list[tuple[float, Equation]] = field(default_factory=list)  # singular positions: time, weakest row
    taken: float = 0.0  # kinetic energy that closing the loops took away
    blows: list[tuple[float, float]] = field(default_factory=list)  # jumps of prescribed rates: time, energy brought in
    last: Array = field(default_factory=lambda: np.zeros(0))  # the state that was reached
    fastest: float = 0.0  # rate that bounds the steps of an explicit method; zero where accuracy does

    @property
    def whole(self) -> bool:
        """Whether it came to its end, or to an event that ends it."""
        return self.status in (Status.done, Status.event_stop)


WAYS = {"up": 1, "down": -1, "both": 0}
LOOKED_AT = -1  # in place of an entry of the state: the columns of a run have it


def watch_list(tree: Tree) -> list[Watched]:
    """Events as the core looks for them: an entry of the state, a program of the core, or a value of the columns."""
    out = []
    for watch in tree.model.events.values():
        entry, sign = _entry(tree, looked_for(tree.model, watch))
        if entry is not None:
            out.append((entry, sign * watch.value, WAYS[watch.direction] * sign, watch.stop))
        else:
            number, value, way, stop = watched_by(tree.model, watch, tree.watched)
            out.append((number if number == LOOKED_AT else tree.system.states + number, value, way, stop))
    return out


def looked_for(model: ModelDefinition, watch: EventDefinition) -> Column:
    """The column of an event; what no event finds is refused."""
    column = watched_column(model, watch.of)
    if is_ball(model, column):
        raise ModelError(
            f"event {watch.name}: {watch.of} is a coordinate of a ball, which cannot be watched", names=[watch.name]
        )
    return column


def watched_by(model: ModelDefinition, watch: EventDefinition, programs: Mapping[str, int]) -> Watched:
    """An event by the program that evaluates it, in the model's units, or by the columns."""
    column, way = looked_for(model, watch), WAYS[watch.direction]
    if watch.name not in programs:
        return LOOKED_AT, watch.value, way, watch.stop
    factor = model.units.angle_factor() if column.holds == "angle" else 1.0
    return programs[watch.name], watch.value / factor, way, watch.stop


def _entry(tree: Tree, column: Column) -> tuple[int | None, int]:
    """The entry of the state that a joint coordinate of the tree is, and its sign; None where it is none."""
    if column.kind != "joint" or column.order:
        return None, 1
    number = int(column.quantity.removeprefix("q") or 1) - 1
    for m in tree.links.motions:
        if m.joint == column.owner and m.first <= number < m.first + m.q.stop - m.q.start:
            return m.q.start + number - m.first, -1 if m.kind == "shift" and not m.forward else 1
    return None, 1


def lets_go(model: ModelDefinition) -> bool:
    """Whether a load, as a stop, acts at some places only."""
    return any(loads_of(model.dimension)[force.kind].formula.lets_go for force in model.forces.values())


def absolute_tolerances(tree: Tree, grid: Array, y: Array, settings: SimulationSettings, free: float) -> Array:
    """Absolute tolerance of each entry of the state.

    Energies control the step too where a driver supplies them: the motion that it prescribes is not integrated, so that
    free parts beside it may ask for steps too long for its power. They do so where a stop opens as well: the energy
    that it still dissipates would be stepped over else.
    """
    out = np.full(len(y), settings.atol)
    steer = tree.model.drivers or lets_go(tree.model)
    out[-2:] = settings.atol * _energy_at_stake(tree, grid, y, settings) if steer else free
    return out


def _energy_at_stake(tree: Tree, grid: Array, y: Array, settings: SimulationSettings) -> float:
    """Joules, one at least: of the motion at the start, and what the power there would exchange until the end.

    What is exchanged begins with nothing, beside which the rounding of a large power would ask for ever shorter steps.
    """
    nq, nv = tree.links.positions, tree.links.velocities
    start, end = grid[:1], float(grid[-1])
    q, v, _ = tree.system.drive(start, y[None, :nq].copy(), y[None, nq : nq + nv].copy())
    kinetic = tree.system.energy(start, q, v, tree.turns(y[None]))[3][0, 0]
    power = np.abs(tree.system.rhs(float(start[0]), y, settings.user)[2][-2:])
    stakes = np.array([1.0, kinetic, *(power * (end - float(start[0])))])
    return float(np.max(stakes[np.isfinite(stakes)]))


def integrate(
    tree: Tree,
    grid: Array,
    y: Array,
    corners: Array,
    settings: SimulationSettings,
    watched: list[Watched],
    look: Look | None = None,
) -> Integrated:
    """Runs to the end of the grid, or to where it must stop."""
    if len(grid) == 1:
        return Integrated(y[None], float(grid[0]))  # the start itself: nothing to integrate
    if settings.method in STIFF:
        from mubo.solvers.dynamics.stiff import integrate_stiff

        return integrate_stiff(tree, grid, y, corners, settings, watched, look)
    atol = absolute_tolerances(tree, grid, y, settings, ENERGY_FREE)
    start, end = float(grid[0]), float(grid[-1])
    stops, most = corners[(corners > start) & (corners < end)], settings.most_steps(len(grid), look is not None)
    run = _core.TreeRun(
        tree.system, start, end, y, grid, settings.rtol, atol, 0.0, end - start, most, stops,
        watched, settings.user, look,
    )  # fmt: skip
    status = _advanced(run, start, end, settings)
    numbers, times, _ = run.events()
    met = [(int(n), float(t)) for n, t in zip(numbers, times, strict=True)]
    counts = (run.component, run.steps, run.rejected, run.evaluations)
    passed = [(t, tree.closing.equations[row]) for t, row in zip(*run.crossings(), strict=True)]
    done = Integrated(run.states(), run.t, status, run.where, *counts, met, run.ends(), passed=passed, taken=run.taken)
    done.blows, done.last, done.fastest = run.impulses(), run.last(), run.stiffness[0]
    return done


def _advanced(run: _core.TreeRun, start: float, end: float, settings: SimulationSettings) -> Status:
    """To the end, slice by slice; where the model is first found stiff, the settings may leave."""
    status = Status.running
    while status == Status.running:
        known = run.stiffness[0] > 0
        status = run.advance(SLICE)
        settings.progress(run.t - start, end - start)
        if settings.leaves is not None and run.stiffness[0] > 0 and not known and status == Status.running:
            found = Stiff(*run.stiffness, start, end)
            if settings.leaves(found):
                raise found
    return status
