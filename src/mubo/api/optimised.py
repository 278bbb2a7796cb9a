"""Optimised designs that draw themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from mubo.api.runs import Run
from mubo.design.optimize import answer
from mubo.design.optimize.optimize import optimise
from mubo.model import ModelDefinition as Frozen
from mubo.model.optimization import GOALS, Optimization
from mubo.model.read_optimization import optimization_of


@dataclass(repr=False)
class Optimum(answer.Optimum):
    """The best design found: its `model`, its `run`, its `proof`, and how it was found.

    >>> model = mubo.load("parameters.toml")
    >>> found = model.optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1)
    >>> found.run.summary["status"], found.model.parameters["c"].value
    ('ok', 0.1)
    """

    kind: Any = None  # the class of a model

    def plot(self, path: str | Path | None = None) -> Any:
        """The mechanism before and after, to one scale, with what was gained.

        >>> model = mubo.load("parameters.toml")
        >>> found = model.optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1)
        >>> figure = found.plot("better.png")
        """
        from mubo.view.optimum import draw_optimum

        return draw_optimum(self, path)


def asked_for(model: Frozen, given: Mapping[str, Any]) -> Optimization:
    """What is asked: [optimize] of the model, with what is given in its place."""
    known = {key: value for key, value in given.items() if value is not None}
    held = model.optimization
    before: dict[str, Any] = {}
    if held is not None:
        goal = held.of if held.goal == "fit" else next(iter(held.of))
        before = {"vary": held.vary, "constraints": held.constraints, "starts": held.starts, "seed": held.seed}
        before |= {"method": held.method} | ({held.goal: goal} if not set(known) & set(GOALS) else {})
    return optimization_of({**before, **known})


def optimised(
    kind: Any,
    model: Frozen,
    asked: Optimization,
    analysis: str | None,
    times: tuple[float, float, float],
    how: Mapping[str, Any],
) -> Optimum:
    """The best design of a model of a `kind`; it keeps what was asked, so that its file can be optimised again."""
    study = analysis or (model.analysis.type if model.analysis is not None else "kinematics")
    found = optimise(model.changed(optimization=asked), asked, study, times, **how)
    held = {f.name: getattr(found, f.name) for f in fields(found)}
    held["model"] = kind.of(found.model)
    held["run"] = Run(**{f.name: getattr(found.run, f.name) for f in fields(found.run)})
    return Optimum(**held, kind=kind)
