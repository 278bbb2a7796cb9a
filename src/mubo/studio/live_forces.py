"""Forces while a hand drags: reactions, drivers, weights and loads at the time shown, to the scale of before."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mubo.errors import MuboError
from mubo.model import ModelDefinition
from mubo.results import Run
from mubo.studies import STUDIES
from mubo.view.report.numbers import pack_base64
from mubo.view.scene import scene_of
from mubo.view.scene.actions import ArrowScale
from mubo.view.scene.arrows import reaches_of
from mubo.view.scene.build import scene_loads
from mubo.view.scene.plan import Plan, plan_of, points_of, run_poses


@dataclass(frozen=True)
class LiveForces:
    """The plan of the drawing before a gesture and the scale of its arrows, for forces of other dimensions."""

    plan: Plan
    scale: ArrowScale

    @classmethod
    def beside(cls, run: Run) -> LiveForces | None:
        """Those of a run; None where it shows no forces."""
        scale = scene_of(run).scale
        return cls(plan_of(run), scale) if scale is not None else None

    def at(self, model: ModelDefinition, time: float) -> dict[str, Any] | None:
        """Arrows of all forces at a time, by the names of their reaches, and the sizes of the reactions.

        The model stands as it is shown at that time: nothing before it is solved again.
        None where they cannot be found there: the sentence of the checker follows when the hand rests.
        """
        study = STUDIES["inverse"]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                # one position needs no loops: compiling them would take longer than they save
                asked = study.read(model, {"start": time, "end": time, "formulation": "absolute"})
                run = study.function(model, asked)
            except MuboError:
                return None
        if len(run) == 0 or run.status != "ok":
            return None
        plan = replace(self.plan, model=model, poses=run_poses(run), places=points_of(model), count=len(run))
        reaches = {
            reach.name: [pack_base64(part[-1:], "<f4") for part in (reach.along, reach.start) if part is not None]
            for reach in reaches_of(plan, scene_loads(plan, run), self.scale)
        }
        sizes = {name: float(run[name][-1]) for name in run.columns if ".on_" in name and name.endswith(".f")}
        return {"arrows": reaches, "sizes": {name: size for name, size in sizes.items() if np.isfinite(size)}}
