"""Forces while a hand drags: reactions, drivers, weights and loads at the time shown, to the scale of before."""

from __future__ import annotations

import warnings
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
from mubo.view.scene.plan import plan_of


def arrow_scale(run: Run) -> ArrowScale | None:
    """The scale of the arrows that are shown; None where there are none."""
    return scene_of(run).scale


def forces_at(model: ModelDefinition, time: float, scale: ArrowScale) -> dict[str, Any] | None:
    """Arrows of all forces at a time, by the names of their reaches, and the sizes of the reactions.

    The model stands as it is shown at that time: nothing before it is solved again.
    None where they cannot be found there: the sentence of the checker follows when the hand rests.
    """
    study = STUDIES["inverse"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            run = study.function(model, study.read(model, {"start": time, "end": time}))
        except MuboError:
            return None
    if len(run) == 0 or run.status != "ok":
        return None
    plan = plan_of(run)
    reaches = {
        reach.name: [pack_base64(part[-1:], "<f4") for part in (reach.along, reach.start) if part is not None]
        for reach in reaches_of(plan, scene_loads(plan, run), scale)
    }
    sizes = {name: float(run[name][-1]) for name in run.columns if ".on_" in name and name.endswith(".f")}
    return {"arrows": reaches, "sizes": {name: size for name, size in sizes.items() if np.isfinite(size)}}
