"""State-dependent loads as bytecode of the core, for trees and in absolute coordinates: sizes by expressions, curves
and functions, event functions, and reaction friction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from mubo import _core
from mubo._core import Along
from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.links import Links
from mubo.mechanism.formulations.loop_closure import LoopClosureRows
from mubo.mechanism.formulations.sensors import Sensor, Sensors, SensorUnavailable
from mubo.mechanism.frames import JointFrame
from mubo.mechanism.loads import NamedLoad
from mubo.mechanism.mechanism import Mechanism
from mubo.model import GROUND
from mubo.model.column_laws import ColumnLaw
from mubo.model.coordinates import coordinate_names
from mubo.model.load_check import own_sizes

if TYPE_CHECKING:
    from mubo.mechanism.transmission_friction import TransmissionFriction

# Code and points; or a function, and the programs whose values it is given.
Steps = list[tuple[int, int, float]]
Program = tuple[Steps, list[float], Callable[[float, Array], float] | None, list[tuple[Steps, list[float]]]]
# Load, coefficient, equations, and for each the end that counts
AbsoluteFriction = tuple[int, float, list[int], list[int]]
# Sensors, those whose turns are counted, programs, how many of them are sizes, of which loads; frictions
Lists = tuple[list[Sensor], list[int], list[Program], int, list[int], list[AbsoluteFriction]]
TreeFriction = tuple[int, tuple[float, float, float], int, list[int], list[int], list[int]]


def add_state_loads(
    system: _core.TreeSystem, mechanism: Mechanism, sensors: Sensors, windings: Mapping[int, int]
) -> dict[str, int]:
    """Give the core's tree its programs; returns the program that each event watches, if the core can evaluate it."""
    programs, sized, watched = state_programs(mechanism, sensors)
    of = {number: (-1, winding) for number, winding in windings.items()}
    of |= {number: (program, windings.get(number, -1)) for program, number in enumerate(sized)}
    loads = [(number, *what) for number, what in of.items()]
    _core.add_state_dependent_loads(system, sensors.sensors, sensors.windings, programs, len(sized), loads)
    return watched


def add_reaction_friction(
    system: _core.TreeSystem, mechanism: Mechanism, sensors: Sensors, closing: LoopClosureRows
) -> None:
    """Give the core's tree the friction that depends on reactions."""
    frictions = [
        _tree_friction(mechanism, sensors, closing, number, load)
        for number, load in enumerate(mechanism.loads)
        if load.reaction_friction
    ]
    if frictions:
        _core.add_reaction_friction(system, frictions, len(closing.equations))


def _tree_friction(
    mechanism: Mechanism, sensors: Sensors, closing: LoopClosureRows, number: int, load: NamedLoad
) -> TreeFriction:
    """Load, its coefficients and gain, the last link of its joint and those that slide; or the rows that close a
    loop."""
    assert load.reaction_friction is not None
    joint = load.reaction_friction.joint
    coefficient = (load.reaction_friction.factor, 0.0, 0.0)
    transmission = load.reaction_friction.transmission
    if transmission is not None:
        _require_hinge(sensors, load, transmission)
        gain = transmission.gain(mechanism.values[joint], float(mechanism.model.joints[joint].options.get("lead", 0.0)))
        coefficient = (transmission.driving, transmission.driven, gain)
    mine = [motion for motion in sensors.links.motions if motion.joint == joint]
    if mine:
        slides = [motion.link for motion in mine if motion.kind == "slide"]
        return number, coefficient, max(motion.link for motion in mine), slides, [], []
    second = sensors.model.joints[joint].between[1].partition(".")[0]
    rows, ends, equation = [], [], 0
    for row in closing.rows:
        for _ in row.equations:
            if row.owner.owner == f"joint {joint}":
                rows.append(equation)
                ends.append(_core.max_bodies * equation + row.bodies.index(second))
            equation += 1
    return number, coefficient, -1, [], rows, ends


def _require_hinge(sensors: Sensors, load: NamedLoad, transmission: TransmissionFriction) -> None:
    """The coordinate of a transmission belongs to a hinge of the tree; in absolute coordinates there are none."""
    hinges = {motion.joint for motion in sensors.links.motions}
    if transmission.joint in hinges:
        return
    if hinges.isdisjoint(sensors.model.joints):
        raise _unknown_in_absolute_coordinates(load)
    raise ModelError(
        f"force {load.name}: joint {transmission.joint} closes a loop, where the friction of its thread or mesh is "
        "not known",
        names=[load.name, transmission.joint],
        suggestion='Give another joint of the loop role = "cut".',
    )


def _unknown_in_absolute_coordinates(load: NamedLoad) -> ModelError:
    return ModelError(
        f"force {load.name}: absolute coordinates do not know the friction of threads and meshes",
        names=[load.name],
        suggestion="Use --formulation tree.",
    )


@dataclass(frozen=True)
class AbsoluteStateLoads:
    """Data for the core, the program that an event watches where one can, and the approximate values of counted
    rotations."""

    lists: Lists
    watched: dict[str, int]
    near: tuple[float, ...]


def absolute_state_loads(mechanism: Mechanism) -> AbsoluteStateLoads:
    """Programs and frictions for bodies numbered as in absolute coordinates: moving ones, then fixed ones."""
    laws = {name: (k, mechanism.motion_factors[k]) for k, name in enumerate(mechanism.model.drivers)}
    sensors = Sensors(mechanism, _bodies(mechanism), laws)
    programs, sized, watched = state_programs(mechanism, sensors)
    lists = (sensors.sensors, sensors.windings, programs, len(sized), sized, list(_absolute_frictions(mechanism)))
    return AbsoluteStateLoads(lists, watched, tuple(sensors.near))


def _bodies(mechanism: Mechanism) -> Links:
    """Every body as a link of its own, in its own axes."""
    out = Links()
    for number, name in enumerate((*mechanism.free, *mechanism.fixed)):
        out.frame[name] = (number, JointFrame(name, np.zeros(3), np.eye(3)))
    out.frame[GROUND] = (-1, JointFrame(GROUND, np.zeros(3), np.eye(3)))
    out.turned = dict.fromkeys(out.frame, 0.0)
    return out


def _absolute_frictions(mechanism: Mechanism) -> Iterator[AbsoluteFriction]:
    """Reaction friction: the rows of its joint act on one body as on the other; one that moves is taken."""
    for number, load in enumerate(mechanism.loads):
        if load.reaction_friction is None:
            continue
        if load.reaction_friction.transmission is not None:
            raise _unknown_in_absolute_coordinates(load)
        equations, ends, count = [], [], 0
        for row in mechanism.rows:
            for _ in row.equations:
                if row.owner.owner == f"joint {load.reaction_friction.joint}":
                    moving = next(k for k, body in enumerate(row.bodies) if body in mechanism.free)
                    equations.append(count)
                    ends.append(_core.max_bodies * count + moving)
                count += 1
        yield number, load.reaction_friction.factor, equations, ends


def state_programs(mechanism: Mechanism, sensors: Sensors) -> tuple[list[Program], list[int], dict[str, int]]:
    """Programs of loads and then those of events; the numbers of these loads; the program that each event watches,
    where the core can evaluate it."""
    programs: list[Program] = []
    sized = []
    for number, load in enumerate(mechanism.loads):
        if isinstance(load.law, ColumnLaw) and load.reaction_friction is None:
            sized.append(number)
            programs.append(_size(sensors, load, load.law))
    watched: dict[str, int] = {}
    for watch in mechanism.model.events.values():
        try:
            code = sensors.column(watched_column(mechanism, watch.of))
        except SensorUnavailable:
            continue  # detected from the columns of a run
        watched[watch.name] = len(watched)
        programs.append((*code.arrays(), None, []))
    return programs, sized, watched


def watched_column(mechanism: Mechanism, of: str) -> str:
    """The column that an event names: of a joint with one coordinate its name is enough."""
    if of not in mechanism.model.joints:
        return of
    names = coordinate_names(mechanism.model, mechanism.model.joints[of])
    return f"{of}.{names[0]}" if len(names) == 1 else of


def _size(sensors: Sensors, load: NamedLoad, law: ColumnLaw) -> Program:
    """The program of a load's size."""
    model, own = sensors.model, _own(sensors, load)
    wanted = model.units.column_size(load.holds)
    sizes = {name: model.units.column_size(column.holds, column.order) for name, column in sensors.known.items()}
    try:
        sizes |= own_sizes(model, model.forces[load.name])
        steps = law.code(sizes, model.units.own_sizes, wanted)
        if steps is not None:
            return (*sensors.steps(steps, own).arrays(), None, [])
    except ModelError as error:
        raise ModelError(f"force {load.name}: {error}", names=[load.name]) from None
    columns = {name: sensors.column(name) for name in law.names} or (
        sensors.all_columns() | {name: sensors.column(column) for name, column in own.items()}
    )
    factors = np.array([sizes[name].unit for name in columns])
    call = _python_call(load.name, law, tuple(columns), factors, wanted.unit)
    return [], [], call, [code.arrays() for code in columns.values()]


def _own(sensors: Sensors, load: NamedLoad) -> dict[str, str]:
    """Columns of the load's own coordinate and its rate, by the names in its law."""
    if not load.own:
        return {}
    if load.coordinate is not None:
        joint, number = load.coordinate
        word = coordinate_names(sensors.model, sensors.model.joints[joint])[number]
        return dict(zip(load.own, (f"{joint}.{word}", f"{joint}.v{word[1:]}"), strict=True))
    turns = load.along is Along.turn
    names = (f"{load.name}.own", f"{load.name}.own_rate")
    columns = [sensors.own(name, load.ends, turns, order) for order, name in enumerate(names)]
    return dict(zip(load.own, columns, strict=True))


def _python_call(
    force: str, law: ColumnLaw, names: tuple[str, ...], factors: Array, unit: float
) -> Callable[[float, Array], float]:
    """A law that Python evaluates as the core calls it, with coherent numbers; it is given the units of columns and
    answers in that of its size."""

    def call(t: float, values: Array) -> float:
        try:
            return law.value(t, _ColumnValues(names, values / factors), unit) * unit
        except ModelError as error:
            raise ModelError(f"force {force}: {error}", names=[force]) from None

    return call


class _ColumnValues(Mapping[str, float]):
    """Values of columns at one time, by name."""

    def __init__(self, names: tuple[str, ...], values: Array) -> None:
        self._names, self._values = names, values

    def __getitem__(self, name: str) -> float:
        try:
            return float(self._values[self._names.index(name)])
        except ValueError:
            raise ModelError(
                f'there is no column "{name}" before the forces are known. {nearest(name, self._names)}'
            ) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
