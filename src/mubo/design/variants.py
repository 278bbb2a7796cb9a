"""The work of a sweep: some variants, each followed from the nominal design, run, measured, and described.

A variant depends on the nominal design and its own numbers alone: many machines, in any order, give the same bits.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np

from mubo.arrays import Array
from mubo.design.batch import Batch, batch
from mubo.design.homotopy import Nominal, NotFollowed, end_words
from mubo.design.objectives import find_extremes_of, number_of, search_extremes, unit_of, value_of
from mubo.design.simulated_variants import (
    numbers_of_run,
    settings_of_model,
    simulate_variants,
    simulated_columns,
)
from mubo.errors import ModelError, MuboError, ResultError
from mubo.laws.dependent import Dependent
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.model import ModelDefinition
from mubo.model.objectives import OF_COLUMN, OF_RUN, PATH, TIMED, Objective
from mubo.model.output_times import follow_driver, times_of_variant
from mubo.quantities.output_times import OutputTimes
from mubo.results import Column, Columns, Run
from mubo.solvers.continuation.steppers import Settings

RAN = "ran"
QUICK_OBJECTIVES = (*OF_COLUMN, *OF_RUN, PATH, TIMED, "stroke")  # of the motion alone
AGREES = 1e-9  # relative: extremes between rows by interpolation and by solving
STUDIES = ("kinematics", "inverse", "statics", "simulate")
IDLE = ("position", "angle", "orientation", "mass", "inertia", "center", "density", "added", "shape", "figure")


@dataclass(frozen=True)
class Work:
    """The request for every variant: a study over times, and the objectives of its run."""

    model: ModelDefinition
    names: tuple[str, ...]
    objectives: tuple[Objective, ...]
    study: str
    times: OutputTimes
    batched: bool = False  # in the core's batch, which was seen to agree with a run
    by_columns: tuple[Objective, ...] = ()  # the objectives as numbers of columns that a batch has
    deviations: tuple[float, ...] = ()  # of the parameters that vary: how they are made

    @cached_property
    def nominal(self) -> Nominal:
        return Nominal(self.model, self.times.start)

    def variant(self, values: Sequence[float]) -> ModelDefinition:
        """The model of a variant; raises where it cannot be followed from the nominal design."""
        given = dict(zip(self.names, np.add(values, self.deviations or 0.0).tolist(), strict=True))
        if self.study == "simulate":  # its position at the start is that of its initial conditions
            return self.model.replace(**given)
        return self.nominal.variant(given)

    def run(self, model: ModelDefinition) -> Run:
        """The study of one model."""
        return study_of(self.study)(model, times_of_variant(model, self.times))

    def quick_run(self, model: ModelDefinition) -> Run:
        """The motion without the extremes that no objective needs."""
        few = tuple(dict.fromkeys(o.of for o in self.objectives if o.how in OF_COLUMN))
        if self.study not in _QUICK or not all(o.how in QUICK_OBJECTIVES for o in self.objectives):
            return self.run(model)
        return _QUICK[self.study](model, times_of_variant(model, self.times), Settings(extremes=few))

    @cached_property
    def columns(self) -> list[Column] | None:
        """Columns of simulated variants that the objectives are numbers of; None where they cannot run in one call."""
        together = self.study == "simulate" and not follow_driver(self.model, self.times)
        return simulated_columns(self.model, self.objectives) if together else None

    @cached_property
    def dimensions(self) -> dict[str, list[tuple[float, ...]]] | None:
        """Dimensions varied by the core's batch: the numbers that follow the parameters; None where it cannot."""
        simple = self.study == "kinematics" and self.model.dimension == 2
        known = {*self.model.bodies, *(p.name for p in self.model.points.values() if not p.centered)}
        asked = self.by_columns or self.objectives
        if not simple or any(o.how not in OF_COLUMN or o.of.rpartition(".")[0] not in known for o in asked):
            return None
        found: dict[str, list[tuple[float, ...]]] = {}
        for place, number in self.model.dependents.items():
            if not number.names.intersection(self.names):
                continue
            name = _dimension(self.model, place)
            if name is None:
                return None
            if name:
                found[name] = []
        return found if found and not any(d.start for d in self.model.drivers.values()) else None


def _dimension(model: ModelDefinition, place: tuple[str, ...]) -> str | None:
    """The dimension of a batch that a number belongs to; "" of one that a motion does not need, None of others."""
    table, name, *rest = place
    if table == "body":
        return f"{name}.{rest[1]}" if rest[0] == "points" else "" if rest[0] in IDLE else None
    if table == "point":
        return name
    if table == "joint":
        option = next(o for o in model.kinds[model.joints[name].kind].options if o.name == rest[1])
        return f"{name}.{rest[1]}" if option.holds == "length" and len(rest) == 2 else None
    return "" if table not in ("driver", "analysis") else None


@dataclass(frozen=True)
class Done:
    """Results of some variants: objectives (variants × objectives, NaN where there is none) and a status each."""

    values: Array
    status: list[str]


def work_through(work: Work, values: Array) -> Done:
    """Some variants, in one call where the study and the objectives allow it."""
    lines = _in_batch(work, values) if work.batched else [_one(work, line) for line in values]
    return Done(np.array([line[0] for line in lines]).reshape(len(values), -1), [line[1] for line in lines])


def batch_agrees(work: Work, numbers: Sequence[float]) -> bool:
    """Whether the core's batch can do the work, and answers the `numbers` that a run of the nominal design has."""
    if work.dimensions is None and work.columns is None:
        return False
    here = np.array([[float(work.model.parameters[name].value) for name in work.names]])
    try:
        found = np.array(_in_batch(work, here)[0][0])
    except ModelError:  # no vector loops, or a number that does not enter them as a length: variants are run alone
        return False
    return bool(np.all(np.abs(found - numbers) <= AGREES * np.abs(numbers)))


def _one(work: Work, values: Array) -> tuple[list[float], str]:
    absent = [np.nan] * len(work.objectives)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what stops a run is its status
            run = work.run(work.variant(values.tolist()))
    except NotFollowed as error:
        return absent, str(error)
    except MuboError as error:
        return absent, f"failed: {str(error).splitlines()[0]}"
    if run.summary["status"] != "ok":
        return absent, stopped_words(run)
    return measured(work, run)


def measured(work: Work, run: Run) -> tuple[list[float], str]:
    """The objectives of a run; one that it does not have is NaN, and its status says why."""
    out, missing = [], []
    find_extremes_of(work.objectives, run)
    for objective in work.objectives:
        try:
            out.append(value_of(objective, run))
        except ResultError as error:
            out.append(np.nan)
            missing.append(str(error).splitlines()[0])
    return out, "; ".join([RAN, *missing])


def stopped_words(run: Run) -> str:
    """How far a run went."""
    event = next((event for event in run.events if not event.passed), run.events[-1] if run.events else None)
    if event is None:
        return "stopped"
    when = f"at t = {run.units.time_text(event.t, 6)}"
    return f"locks {when}" if event.kind == "limit" else f"stops {when}: {event.message.splitlines()[0]}"


def _in_batch(work: Work, values: Array) -> list[tuple[list[float], str]]:
    """Some variants in one call: of many simulations, or of the core's batch."""
    if work.columns is not None:
        lines = values.tolist()
        runs = simulate_variants(work.model, lambda k: work.variant(lines[k]), len(lines), work.times, work.columns)
        return [numbers_of_run(runs, k, work.columns, work.objectives, RAN) for k in range(len(values))]
    scope = work.model.parameters.over({name: values[:, k] for k, name in enumerate(work.names)})
    given = {name: _numbers(work.model, name, scope, len(values)) for name in work.dimensions or ()}
    wanted = _with_rates(work.by_columns or work.objectives)
    found = batch(work.model, given, work.times, columns=wanted, threads=1)
    return [_of_batch(work, found, k, wanted, values[k]) for k in range(len(values))]


def _numbers(model: ModelDefinition, name: str, scope: dict[str, Array], count: int) -> Array:
    """The numbers of a dimension for all variants."""
    head, _, tail = name.partition(".")
    if name in model.points:
        numbers: tuple[float, ...] = model.points[name].at
    elif head in model.bodies:
        numbers = model.bodies[head].points[tail]
    else:
        return _follows(model.joints[head].options[tail], scope, count)
    return np.stack([_follows(number, scope, count) for number in numbers], -1)


def _follows(number: float, scope: dict[str, Array], count: int) -> Array:
    return number.over(scope) if isinstance(number, Dependent) else np.full(count, float(number))


RATES = {"x": ("vx", "ax"), "y": ("vy", "ay"), "phi": ("omega", "alpha"), "vx": ("ax",), "vy": ("ay",)}
RATES |= {"omega": ("alpha",)}


def _with_rates(objectives: Sequence[Objective]) -> list[str]:
    """The columns of objectives with their derivatives, by which extremes are found between rows."""
    out: dict[str, None] = {}
    for objective in objectives:
        owner, _, quantity = objective.of.rpartition(".")
        out |= dict.fromkeys([objective.of, *(f"{owner}.{rate}" for rate in RATES.get(quantity, ()))])
    return list(out)


def _beyond(work: Work, values: Array, part: float) -> str:
    """How far a variant can be assembled, on the straight path from the nominal design to its own."""
    here = [float(work.model.parameters[name].value) for name in work.names]
    return end_words({n: h + part * (v - h) for n, h, v in zip(work.names, here, values, strict=True)}, True)


def _of_batch(work: Work, found: Batch, k: int, wanted: list[str], values: Array) -> tuple[list[float], str]:
    if k in found.messages:
        at = found.messages[k].partition(": ")[2]
        status = at.replace("stops at", "locks at").partition(", a singular position")[0]
        if found.reached[k] < 0:
            status = _beyond(work, values, float(at.partition("comes ")[2].partition(" %")[0]) / 100)
        return [np.nan] * len(work.objectives), status
    columns = columns_of(work.model, found, k, wanted)
    out = [
        number_of(o.how, columns, o.of, lambda o=o: search_extremes(work.model, columns, o.of))  # type: ignore[misc]
        for o in work.by_columns or work.objectives
    ]
    return out, RAN


def columns_of(model: ModelDefinition, found: Batch, k: int, names: Sequence[str]) -> Columns:
    """One variant of a batch as the columns of a run."""
    from mubo.model.column_names import quantities_of

    known = quantities_of(model)
    columns = [(known["t"], found.t)]
    for name in names:
        column = known[name]
        columns.append((column, found[name][k] * model.units.factor(column.holds, column.order)))
    return Columns(model.units, columns)


def units_of(work: Work, run: Run) -> dict[str, str]:
    """The unit of every objective, by its name."""
    return {objective.name: unit_of(objective, run) for objective in work.objectives}


def _kinematics(model: ModelDefinition, times: OutputTimes, settings: Settings | None = None) -> Run:
    from mubo.analyses.kinematics import kinematics

    return kinematics(model, times, settings)


def _inverse(model: ModelDefinition, times: OutputTimes, settings: Settings | None = None) -> Run:
    from mubo.analyses.inverse import inverse

    return inverse(model, times, settings)


def _statics(model: ModelDefinition, times: OutputTimes) -> Run:
    from mubo.analyses.statics.statics import statics

    return statics(model, times)


def _simulate(model: ModelDefinition, times: OutputTimes) -> Run:
    from mubo.analyses.simulate import simulate

    return simulate(model, times, settings_of_model(model))


def study_of(name: str) -> Callable[[ModelDefinition, OutputTimes], Run]:
    """The study of that name: of a model and its times."""
    return _STUDIES[name]


_STUDIES: dict[str, Callable[[ModelDefinition, OutputTimes], Run]] = {
    "kinematics": _kinematics,
    "inverse": _inverse,
    "statics": _statics,
    "simulate": _simulate,
}
_QUICK: dict[str, Callable[[ModelDefinition, OutputTimes, Settings], Run]] = {
    "kinematics": _kinematics,
    "inverse": _inverse,
}
