"""What `mubo.synthesize` gives: a function per task, each answering designs that draw and save themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from mubo.face.models import Model
from mubo.face.runs import Run
from mubo.model import Units
from mubo.studies.synthesis import function_task, result

Angle = float | str
Length = float | str


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
        from mubo.view.synthesis import draw_designs

        return draw_designs(self, path, rejected)


def _shown(found: result.Synthesis) -> Synthesis:
    return Synthesis(**{f.name: getattr(found, f.name) for f in fields(found)})


def _read(units: Units, value: Any, kind: str) -> float | None:
    return None if value is None else units.read(value, kind)


def _units(length: str) -> Units:
    return Units(length=length, angle="deg", time="s")


class Synthesize:
    """Linkages from what they are to do. Angles are degrees, or text with a unit such as "0.5 rad"; lengths are in the
    unit `length`, or text with a unit.

    >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
    >>> found[1].errors["angle"] < 1e-9
    True
    """

    def function(
        self,
        pairs: Sequence[Sequence[Any]],
        *,
        ground: Length = 1.0,
        crank_start: Angle | None = None,
        rocker_start: Angle | None = None,
        length: str = "",
        most: int = 12,
    ) -> Synthesis:
        """Four-bars whose rocker follows the crank through pairs of angles, counted from the starts.

        >>> found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70)
        >>> round(found[1].lengths["coupler"], 4)
        0.6845
        """
        units = _units(length)
        read = np.array([[units.read(value, "angle") for value in pair] for pair in pairs])
        return _shown(
            function_task.function(
                read,
                ground=units.read(ground, "length"),
                crank_start=_read(units, crank_start, "angle"),
                rocker_start=_read(units, rocker_start, "angle"),
                units=units,
                most=most,
            )
        )


synthesize = Synthesize()
