"""State-dependent loads as programs of the core: sizes by expressions, curves and functions, and events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from mubo._core import Along
from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.mechanism.formulations.sensors import Sensors, SensorUnavailable
from mubo.mechanism.loads import NamedLoad
from mubo.mechanism.mechanism import Mechanism
from mubo.model.column_laws import ColumnLaw, StateFunction
from mubo.model.coordinates import coordinate_names
from mubo.model.load_check import own_sizes
from mubo.quantities.formula import size_of

# Code and points; or a function, and the programs whose values it is given.
Steps = list[tuple[int, int, float]]
Program = tuple[Steps, list[float], Callable[[float, Array], float] | None, list[tuple[Steps, list[float]]]]


def state_programs(mechanism: Mechanism, senses: Sensors) -> tuple[list[Program], list[int], dict[str, int]]:
    """Programs of loads and then those of events; the numbers of these loads; the program that each event watches,
    where the core can evaluate it."""
    programs: list[Program] = []
    sized = []
    for number, load in enumerate(mechanism.loads):
        if isinstance(load.law, ColumnLaw) and load.reaction_friction is None:
            sized.append(number)
            programs.append(_size(senses, load, load.law))
    watched: dict[str, int] = {}
    for watch in mechanism.model.events.values():
        try:
            code = senses.column(watched_column(mechanism, watch.of))
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


def _size(senses: Sensors, load: NamedLoad, law: ColumnLaw) -> Program:
    """The program of a load's size."""
    model, own = senses.model, _own(senses, load)
    sizes = {name: size_of(column.holds, column.order) for name, column in senses.known.items()}
    try:
        steps = law.code({**sizes, **own_sizes(model, model.forces[load.name])}, model.units.angle_factor())
        if steps is not None:
            return (*senses.steps(steps, own).arrays(), None, [])
    except ModelError as error:
        raise ModelError(f"force {load.name}: {error}", names=[load.name]) from None
    assert isinstance(law, StateFunction)
    columns = senses.all_columns() | {name: senses.column(column) for name, column in own.items()}
    return [], [], _python_call(load.name, law, tuple(columns)), [code.arrays() for code in columns.values()]


def _own(senses: Sensors, load: NamedLoad) -> dict[str, str]:
    """Columns of the load's own coordinate and its rate, by the names in its law."""
    if not load.own:
        return {}
    if load.coordinate is not None:
        joint, number = load.coordinate
        word = coordinate_names(senses.model, senses.model.joints[joint])[number]
        return dict(zip(load.own, (f"{joint}.{word}", f"{joint}.v{word[1:]}"), strict=True))
    turns = load.along is Along.turn
    names = (f"{load.name}.own", f"{load.name}.own_rate")
    columns = [senses.own(name, load.ends, turns, order) for order, name in enumerate(names)]
    return dict(zip(load.own, columns, strict=True))


def _python_call(force: str, law: StateFunction, names: tuple[str, ...]) -> Callable[[float, Array], float]:
    """A Python function as the core calls it."""

    def call(t: float, values: Array) -> float:
        try:
            return law.value(t, _ColumnValues(names, values))
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
