"""Sweeps that draw themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo.api.runs import Run
from mubo.design import sweep as study
from mubo.design.ranges import points_of
from mubo.model import ModelDefinition as Frozen

if TYPE_CHECKING:
    from mubo.api.models import Model


@dataclass(repr=False)
class Sweep(study.Sweep):
    """Every variant of a sweep with its parameters, measures and status.

    >>> model = mubo.load("parameters.toml")
    >>> sweep = model.sweep({"a": "0.03:0.05:3"}, ["range P.x"])
    >>> len(sweep), sweep.status[0]
    (3, 'ran')
    """

    kind: Any = None  # the class of a variant

    def variant(self, number: int) -> Model:  # type: ignore[override]
        """The model of one variant, followed from the nominal design.

        >>> sweep = mubo.load("parameters.toml").sweep({"a": [0.03, 0.05]}, ["range P.x"])
        >>> sweep.variant(1).parameters["b"].value
        0.15000000000000002
        """
        variant: Model = self.kind.of(super().variant(number))
        return variant

    def run(self, number: int) -> Run:
        """The run of one variant, with all its proof.

        >>> sweep = mubo.load("parameters.toml").sweep({"a": [0.03, 0.05]}, ["range P.x"])
        >>> sweep.run(0).summary["status"]
        'ok'
        """
        found = self.work.run(super().variant(number))
        return Run(**{f.name: getattr(found, f.name) for f in fields(found)})

    def plot(self, *columns: str, path: str | Path | None = None, over: str | None = None) -> Any:
        """A picture: of the measures, a line over one parameter, maps over two, parallel coordinates of more; or of
        `columns` of the variants over each other, coloured by the parameter `over` (default the first).

        >>> sweep = mubo.load("parameters.toml").sweep({"a": "0.03:0.05:3"}, ["range P.x"])
        >>> figure = sweep.plot(path="sweep.png")
        """
        from mubo.view.sweep import plot_sweep

        return plot_sweep(self, list(columns), path, over)


def swept(
    kind: Any,
    model: Frozen,
    vary: Mapping[str, Any],
    taken: Mapping[str, Any],
    measures: Sequence[str],
    analysis: str | None,
    times: tuple[float, float, float],
    how: Mapping[str, Any],
) -> Sweep:
    """The sweep of a model of a `kind`: what varies, which points are `taken`, what is measured, `how` it runs."""
    points = points_of(model, vary, **taken)
    asked = analysis or (model.analysis.type if model.analysis is not None else "kinematics")
    output = None if how["output"] is None else Path(how["output"])
    objectives = study.objectives_of(model, measures)
    found = study.sweep(model, points, objectives, asked, times, **{**how, "output": output})
    return Sweep(**{f.name: getattr(found, f.name) for f in fields(found)}, kind=kind)
