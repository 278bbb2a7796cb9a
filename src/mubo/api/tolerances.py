"""Tolerances that draw themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from mubo.design import tolerances as study
from mubo.design.sweep import objectives_of
from mubo.design.tolerance import tolerance
from mubo.model import ModelDefinition as Frozen
from mubo.model.tolerances import Tolerance, read_tolerance


@dataclass(frozen=True, repr=False)
class Tolerances(study.Tolerances):
    """Worst case, three sigma and Monte Carlo of every measure, and what every source contributes.

    >>> found = mubo.load("tolerances.toml").tolerance(["mass"], {"c": 0.1}, samples=0)
    >>> found["mass"]["worst"]  # nothing of its mass depends on c
    0.0
    """

    def plot(self, *points: str, path: str | Path | None = None, magnify: float | None = None) -> Any:
        """A picture: of every measure its limits and contributions; or the band round the path of `points`, drawn
        `magnify` times as wide (default: a width that can be seen, which the picture tells).

        >>> found = mubo.load("tolerances.toml").tolerance(["stroke"], samples=0)
        >>> figure = found.plot("P", path="band.png")
        """
        from mubo.view.tolerance import plot_tolerances

        return plot_tolerances(self, list(points), path, magnify)


def found_tolerances(
    model: Frozen,
    measures: Sequence[str],
    of: Mapping[str, Any],
    clearance: Mapping[str, Any],
    analysis: str | None,
    times: tuple[float, float, float],
    how: Mapping[str, Any],
) -> Tolerances:
    """The tolerances of a model as users get them: those asked for, else those that the model has."""
    asked = analysis or (model.analysis.type if model.analysis is not None else "kinematics")
    given = tolerances_of(model, of, clearance)
    stack, spread = tolerance(model, given, objectives_of(model, measures), asked, times, **how)
    found = study.Tolerances(stack, spread)
    return Tolerances(**{f.name: getattr(found, f.name) for f in fields(found)})


def tolerances_of(model: Frozen, of: Mapping[str, Any], clearance: Mapping[str, Any]) -> list[Tolerance]:
    """Those asked for; without any, those that the model has."""
    if not of and not clearance:
        return list(model.tolerances.values())
    given = [read_tolerance(model, name, size) for name, size in of.items()]
    return given + [read_tolerance(model, name, {"clearance": size}) for name, size in clearance.items()]
