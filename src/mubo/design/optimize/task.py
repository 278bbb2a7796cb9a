"""The optimisation task of a model: limits and targets in the units of their measures, and the design in hand.

Limits that are wrong, contradict each other or cannot be met by any number are refused before a search.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mubo.design.homotopy import NotFollowed
from mubo.design.objectives import find_extremes_of, unit_of, value_of
from mubo.design.optimize.cases import Case, cases_of
from mubo.design.optimize.choices import Choices, choices_of
from mubo.design.optimize.problem import OptimizationProblem, Trial, Wanted, is_path
from mubo.design.paths import curve_of
from mubo.design.variants import STUDIES, Work
from mubo.errors import ModelError, ResultError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.model.optimization import GOAL_SIGNS, Limit, Optimization, Term, bounds_of, limit_of, optimization_of, term_of
from mubo.model.tables import GOALS
from mubo.quantities.output_times import OutputTimes
from mubo.quantities.parameters import has_unit
from mubo.quantities.quantity_text import quantity
from mubo.quantities.unit_algebra import measure
from mubo.results import Run


def number_of(model: ModelDefinition, value: Any, unit: str, text: str) -> float:
    """A number, or text with a unit, in the unit of what it is compared with."""
    if not isinstance(value, str):
        return float(value)
    found = quantity(value)
    if found is None:
        raise ModelError(f'"{text}": "{value}" is no number with a unit')
    own = measure(unit) if unit else None
    if own is None:
        if found.powers and model.units.declared:
            raise ModelError(f'"{text}" has no unit; found "{value}"')
        return model.units.own(found)
    if found.powers != own[1]:
        raise ModelError(f'"{text}" is in {unit}; found "{value}"')
    return found.number * found.factor / own[0]


def require_no_contradiction(
    limits: Sequence[Wanted], bounds: dict[str, tuple[float, float]], units: dict[str, str]
) -> None:
    """Refuses limits that no number at all can meet: of the same measure, or of a parameter beyond its bounds."""
    for one in limits:
        unit = f" {units[one.term.text]}" * bool(units[one.term.text])
        for other in limits:
            least, most = one.value if one.sign <= 0 else -np.inf, other.value if other.sign >= 0 else np.inf
            if one.term.text == other.term.text and least > most:
                raise ModelError(f'"{one.text}" and "{other.text}" contradict: they are {least - most:g}{unit} apart')
        if one.term.text in bounds and one.term.objective is None:
            low, high = bounds[one.term.text]
            gap = max(one.value - high if one.sign <= 0 else 0.0, low - one.value if one.sign >= 0 else 0.0)
            if gap > 0:
                raise ModelError(
                    f'"{one.text}" contradicts the bounds of {one.term.text}, {low:g} to {high:g}: '
                    f"they are {gap:g}{unit} apart"
                )


@dataclass(frozen=True)
class OptimizationTask:
    """The problem, the design in hand with its run, units of all terms, and notes."""

    problem: OptimizationProblem
    first: Trial
    units: dict[str, str]
    notes: tuple[str, ...] = ()
    choices: Choices = Choices()


def optimization_task(model: ModelDefinition, asked: Optimization, study: str, times: OutputTimes) -> OptimizationTask:
    """The optimisation task of a model. The design in hand is run first: what cannot be measured is refused here."""
    if study not in STUDIES:
        raise ModelError(f'there is no analysis "{study}" of variants. {nearest(study, STUDIES)}')
    bounds = {name: bounds_of(model.units, name, pair) for name, pair in asked.vary.items()}
    choices = choices_of(model, asked.choices, tuple(bounds))
    bounds |= _ranges(model, choices)
    goals = {text: term_of(model, text) for text in asked.of}
    read = [limit_of(model, text) for text in asked.constraints]
    limits = [limit for limit in read if limit is not None]
    terms = {term.text: term for term in (*goals.values(), *(limit.term for limit in limits))}
    bounds, notes = _used(model, bounds, terms.values())
    choices = choices.only(bounds)
    objectives = tuple({t.text: t.objective for t in terms.values() if t.objective is not None}.values())
    work = Work(model, tuple(bounds), objectives, study, times)
    cases = cases_of(model, asked.cases, tuple(bounds))
    measured = [term for term in terms.values() if term.objective is not None]
    works = [work, *(case.work(work, [case.term(term) for term in measured]) for case in cases)]
    designs = [
        (model, _first_run(work, model, "")),
        *(_first_design(*pair) for pair in zip(works[1:], cases, strict=True)),
    ]
    units, wanted, limited = _numbers(model, asked, terms, goals, limits, (None, *cases), designs)
    require_no_contradiction(limited, bounds, units)
    low, high = (np.array([pair[k] for pair in bounds.values()]) for k in (0, 1))
    problem = OptimizationProblem(
        work,
        low,
        high,
        asked.goal,
        _relative_to_largest(asked.goal, wanted),
        tuple(limited),
        None in read,
        tuple(works[1:]),
        chosen=tuple(k for k, name in enumerate(bounds) if name in choices.names),
    )
    first = problem.judged(problem.start, designs)
    if not first.ran:
        raise ModelError(f"the design to start from cannot be measured: {first.status}")
    return OptimizationTask(problem, first, units, tuple(notes), choices)


def _numbers(
    model: ModelDefinition,
    asked: Optimization,
    terms: Mapping[str, Term],
    goals: Mapping[str, Term],
    limits: Sequence[Limit],
    cases: Sequence[Case | None],
    designs: Sequence[tuple[ModelDefinition, Run]],
) -> tuple[dict[str, str], list[Wanted], list[Wanted]]:
    """The units of all numbers, and goals and limits, in every case."""
    measured = [term for term in terms.values() if term.objective is not None]
    start, units, wanted, limited = dict[str, float](), dict[str, str](), list[Wanted](), list[Wanted]()
    for k, (case, (_, run)) in enumerate(zip(cases, designs, strict=True)):
        own = terms if case is None else {term.text: case.term(term) for term in measured}
        start |= {term.text: _value(term, model, run) for term in own.values()}
        units |= {term.text: _unit(term, model, run) for term in own.values()}
        goals_here = {text: own[text] for text in goals if text in own}
        wanted += [_goal(model, term, asked.of[text], start, units, k) for text, term in goals_here.items()]
        limited += [
            _limit(model, limit, own[limit.term.text], start, units, k) for limit in limits if limit.term.text in own
        ]
    return units, wanted, limited


def _ranges(model: ModelDefinition, choices: Choices) -> dict[str, tuple[float, float]]:
    """The least and the greatest value of every parameter that is chosen, that of the design in hand among them."""
    here = [float(model.parameters[name].value) for name in choices.names]
    lines = np.array([*choices.values, here])
    for k, name in enumerate(choices.names):
        if np.ptp(lines[:, k]) == 0:
            raise ModelError(f"choices: {name} = {here[k]:g} is the only value of {name}", names=[name])
    return {name: (float(lines[:, k].min()), float(lines[:, k].max())) for k, name in enumerate(choices.names)}


def _first_run(work: Work, model: ModelDefinition, where: str) -> Run:
    """The run of the design in hand, which must reach its end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = work.run(model)
    if run.summary["status"] != "ok":
        raise ModelError(
            f"the design to start from does not run to its end{where}: {run.events[-1].message}",
            suggestion="Find designs that run with `mubo sweep`, and start from one of them.",
        )
    find_extremes_of(work.objectives, run)
    return run


def _first_design(work: Work, case: Case) -> tuple[ModelDefinition, Run]:
    """The design in hand in a case."""
    try:
        model = work.variant([float(work.model.parameters[name].value) for name in work.names])
    except NotFollowed as error:
        raise ModelError(f"the design to start from, at {case.label}: {error}") from None
    return model, _first_run(work, model, f" at {case.label}")


def _relative_to_largest(goal: str, wanted: Sequence[Wanted]) -> tuple[Wanted, ...]:
    """Goals with their sign, in several cases with one size, so that the worst of them is seen."""
    size, sign = max(one.size for one in wanted), GOAL_SIGNS[goal]
    return tuple(wanted) if goal == "fit" else tuple(replace(one, size=size, sign=sign) for one in wanted)


def _used(
    model: ModelDefinition, bounds: dict[str, tuple[float, float]], terms: Iterable[Term]
) -> tuple[dict[str, tuple[float, float]], list[str]]:
    """The varied parameters without those that nothing uses, and a note of each of these."""
    free = set(model.unused_parameters)
    for term in terms:
        if term.objective is None:
            free -= term.of_parameters(model.parameters).names
    notes = [f"nothing uses the parameter {name}: it stays as it is" for name in bounds if name in free]
    left = {name: pair for name, pair in bounds.items() if name not in free}
    if not left:
        raise ModelError(f"nothing uses what varies, {', '.join(bounds)}: no design differs from another")
    return left, notes


def _value(term: Term, model: ModelDefinition, run: Run) -> float:
    if term.objective is None:
        return float(term.of_parameters(model.parameters))
    try:
        return value_of(term.objective, run)
    except ResultError as error:
        raise ModelError(f"the design to start from: {error}") from None


def _unit(term: Term, model: ModelDefinition, run: Run) -> str:
    if term.objective is not None:
        return unit_of(term.objective, run)
    _, size = model.parameters.expression(term.text)
    return model.units.unit_from_powers(size.powers) if has_unit(size) and size.powers is not None else ""


def _goal(
    model: ModelDefinition, term: Term, target: Any, start: dict[str, float], units: dict[str, str], case: int
) -> Wanted:
    if is_path(term) and target is not None:
        assert term.objective is not None
        _, points = curve_of(term.objective, model)
        size = float(np.sqrt(np.mean(np.sum((points - points.mean(axis=0)) ** 2, axis=1))))
        return Wanted(term, 0.0, size or 1.0, 0, term.text, case)
    value = 0.0 if target is None else number_of(model, target, units[term.text], term.text)
    return Wanted(term, value, abs(value) or abs(start[term.text]) or 1.0, 0, term.text, case)


def _limit(
    model: ModelDefinition, limit: Limit, term: Term, start: dict[str, float], units: dict[str, str], case: int
) -> Wanted:
    """A limit in one case; `term` is its number there."""
    value = number_of(model, limit.value, units[term.text], limit.text)
    text = limit.text + term.text.removeprefix(limit.term.text)
    return Wanted(term, value, abs(value) or abs(start[term.text]) or 1.0, limit.sign, text, case)


def asked_for(model: ModelDefinition, given: Mapping[str, Any]) -> Optimization:
    """The request of a user: [optimize] of the model, with what is given in its place."""
    known = {key: value for key, value in given.items() if value is not None}
    stored = model.optimization
    before: dict[str, Any] = {}
    if stored is not None:
        goal = stored.of if stored.goal == "fit" else next(iter(stored.of))
        before = {
            "vary": stored.vary,
            "constraints": stored.constraints,
            "starts": stored.starts,
            "seed": stored.seed,
            "choices": stored.choices,
        }
        before |= {"method": stored.method, "cases": stored.cases} | (
            {stored.goal: goal} if not set(known) & set(GOALS) else {}
        )
    return optimization_of({**before, **known})
