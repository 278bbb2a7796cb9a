"""Sensitivities that draw themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from mubo.design import sensitivity as study
from mubo.design.sweep import objectives_of
from mubo.model import ModelDefinition as Frozen


@dataclass(frozen=True, repr=False)
class Sensitivity(study.Sensitivity):
    """Slopes of the measures of a run by parameters.

    >>> found = mubo.load("parameters.toml").sensitivity(["mass"], ["a", "c"])
    >>> found["mass"].round(9)  # 2 kg per metre of crank a, coupler 3 a and rocker c
    array([8., 2.])
    """

    def plot(self, *columns: str, path: str | Path | None = None) -> Any:
        """A picture: bars of what one percent of each parameter changes; or the slopes of `columns` over the motion.

        >>> found = mubo.load("parameters.toml").sensitivity(["stroke"], ["a", "c"])
        >>> figure = found.plot(path="slopes.png")
        """
        from mubo.view.sensitivity import plot_sensitivity

        return plot_sensitivity(self, list(columns), path)


def found_slopes(
    model: Frozen,
    measures: Sequence[str],
    parameters: Sequence[str],
    analysis: str | None,
    times: tuple[float, float, float],
) -> Sensitivity:
    """The sensitivity of a model, as users get it."""
    asked = analysis or (model.analysis.type if model.analysis is not None else "kinematics")
    found = study.sensitivity(model, objectives_of(model, measures), parameters, asked, times)
    return Sensitivity(**{f.name: getattr(found, f.name) for f in fields(found)})
