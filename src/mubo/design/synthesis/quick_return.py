"""Quick returns of given stroke and time ratio: offset slider-cranks, a shaper, a Whitworth drive."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from mubo.analyses.kinematics import kinematics
from mubo.design.synthesis.choose import MOST, chosen, ranked
from mubo.design.synthesis.dead_points import SPREAD, between, slider_returns
from mubo.design.synthesis.design import Design, errors_of
from mubo.design.synthesis.family import STEPS
from mubo.design.synthesis.result import Synthesis
from mubo.design.synthesis.slotted import shaper, whitworth
from mubo.design.synthesis.task import Task
from mubo.errors import ModelError
from mubo.model import ModelDefinition, Units

MOST_RATIO = 6.0  # δ above 128°: no room for links


def quick_return(stroke: float, ratio: float, *, units: Units | None = None, most: int = MOST) -> Synthesis:
    """Mechanisms whose slide needs `ratio` times as long for the stroke as for the return."""
    if not (math.isfinite(stroke) and stroke > 0):
        raise ModelError(f"the stroke must be longer than zero; found {stroke:g}")
    delta = between(ratio)
    if ratio > MOST_RATIO:
        raise ModelError(f"a time ratio above {MOST_RATIO:g} leaves no room for links; found {ratio:g}")
    units = units or Units()
    numbers = {"stroke of slide": stroke, "time ratio of slide": ratio}
    words = f"quick return of stroke {stroke:.6g} with time ratio {ratio:.6g}"
    task = Task(words, units=units, whole_turn=True, numbers=numbers)
    family = slider_returns(stroke, ratio)
    notes = [f"{len(family)} of infinitely many slider-cranks were looked at"]
    found = chosen(task, [family], None, most, notes, sampled=True, spread=SPREAD)
    slotted = [] if ratio == 1 else [_slotted(task, stroke, delta, make) for make in (shaper, whitworth)]
    if ratio == 1:
        found.notes.append("with the time ratio 1 there is no slotted arm: shaper and Whitworth drive return quicker")
    sound = [design for design in slotted if design.sound]
    room = max(most - len(sound), 0)  # one of each kind is shown, whatever its rank
    found.designs = ranked(task, [*found.designs[:room], *sound])[:most]
    found.rejected += [design for design in slotted if not design.sound]
    found.found += len(slotted)
    return found


def _slotted(
    task: Task,
    stroke: float,
    delta: float,
    make: Callable[[float, float, Units], tuple[ModelDefinition, dict[str, float]]],
) -> Design:
    model, lengths = make(stroke, delta, task.units)
    run = kinematics(model, 0.0, 1.0, 1.0 / STEPS)
    stopped = () if run.summary["status"] == "ok" else ("does not run to its end",)
    errors = {} if stopped else errors_of(task, run, np.zeros(0))
    least = float(run.summary["transmission"].get("minimum", np.nan))
    return Design(model.name, model.name, lengths, model, run, np.zeros(0), stopped, errors, least, True)
