"""Designs that draw and save themselves."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from mubo.api.models import Model
from mubo.api.runs import Run
from mubo.design.synthesis import result


@dataclass(repr=False)
class Synthesis(result.Synthesis):
    """Linkages for a task: `designs` run through all positions asked for, the best first; `rejected` have a defect.

    >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
    >>> len(found), found[1].words
    (1, 'double rocker')
    """

    def model(self, number: int = 1) -> Model:
        """The model of a design, 1 the best, to ask it anything.

        >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
        >>> found.model(1).kinematics().summary["status"]
        'ok'
        """
        return Model.of(self[number].model)

    def run(self, number: int = 1) -> Run:
        """The run of a design through all positions, with its proof.

        >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
        >>> found.run(1)["rocker.phi"].shape
        (121,)
        """
        found = self[number].run
        return Run(**{f.name: getattr(found, f.name) for f in fields(found)})  # type: ignore[arg-type]

    def plot(self, *, path: str | Path | None = None, rejected: bool = False) -> Any:
        """The designs side by side, each with its path and the places asked for; with `rejected` those with a defect.

        >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
        >>> figure = found.plot(path="designs.png")
        """
        from mubo.view.panels import draw_designs

        return draw_designs(self, path, rejected)
