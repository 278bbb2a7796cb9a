"""Quick returns of given stroke and time ratio: offset slider-cranks, a shaper, a Whitworth drive.

In the last two the crank's pin slides in a slotted arm, and a rod connects the arm with the ram. Crank a about O, arm
about Q at distance d from O, time ratio Q, δ = 180° (Q − 1)/(Q + 1):

* shaper (crank and slotted lever, d > a): the arm swings by δ, where the crank is perpendicular to it: a = d sin(δ/2).
  Its end at distance r moves the ram perpendicular to OQ: stroke = 2 r sin(δ/2).
* Whitworth (d < a): the arm turns round with the crank. Its pin at distance r is at its ends where the arm is
  perpendicular to OQ, along the ram's path through Q: the crank turns by 180° ± δ between, d = a sin(δ/2), stroke = 2
  r.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from mubo.analyses.kinematics import kinematics
from mubo.design.synthesis.choose import MOST, chosen, ranked
from mubo.design.synthesis.design import Design, errors_of
from mubo.design.synthesis.family import STEPS
from mubo.design.synthesis.result import Synthesis
from mubo.design.synthesis.task import Task
from mubo.design.synthesis.toggle_positions import SPREAD, between, slider_returns
from mubo.errors import ModelError
from mubo.model import Builder, ModelDefinition, Units
from mubo.model.parts import Analysis
from mubo.quantities.output_times import OutputTimes

ROD = 3.0  # lengths of the rod, in radii of the arm's pin
SHARE = 0.5  # crank of a Whitworth drive, and half the frame of a shaper, in strokes


def shaper(stroke: float, delta: float, units: Units) -> tuple[ModelDefinition, dict[str, float]]:
    """A slotted lever that swings, its rod to a ram at the height of the lever's end midway between its limits."""
    half = math.sin(delta / 2)
    r, d = stroke / (2 * half), 2 * SHARE * stroke
    a = d * half
    height = r * (1 + math.cos(delta / 2)) / 2
    lengths = {"crank": a, "frame": d, "arm": r, "rod": ROD * stroke / 2}
    return _machine("shaper", units, lengths, d, r, height), lengths


def whitworth(stroke: float, delta: float, units: Units) -> tuple[ModelDefinition, dict[str, float]]:
    """An arm that turns round; the ram goes through the arm's pin."""
    a, r = SHARE * stroke, stroke / 2
    d = a * math.sin(delta / 2)
    lengths = {"crank": a, "frame": d, "arm": r, "rod": ROD * r}
    return _machine("Whitworth drive", units, lengths, d, r, 0.0), lengths


def _machine(name: str, units: Units, lengths: dict[str, float], d: float, r: float, height: float) -> ModelDefinition:
    """Drawn with the crank pointing away from Q: arm upright, its end at height r, the rod to the right."""
    a, rod = lengths["crank"], lengths["rod"]
    model = Builder(name, Units(length=units.length, angle="deg", time="s"))
    model.ground.point("O", (0, d))
    model.ground.point("Q", (0, 0))
    model.ground.point("S", (0, height))
    model.body("crank", (0, d), 90, {"O": (0, 0), "A": (a, 0)})
    model.body("block", (0, d + a), 90, {"A": (0, 0)})
    model.body("arm", (0, 0), 90, {"Q": (0, 0), "end": (1.05 * (d + a), 0), "B": (r, 0)})
    tilt = math.asin((height - r) / rod)
    model.body("rod", (0, r), math.degrees(tilt), {"B": (0, 0), "C": (rod, 0)})
    model.body("ram", (rod * math.cos(tilt), height), 0, {"C": (0, 0)})
    model.revolute("O", "ground.O", "crank.O")
    model.revolute("A", "crank.A", "block.A")
    model.translational("slot", "arm.Q", "block.A", axis=(1, 0), angle=0)
    model.revolute("Q", "ground.Q", "arm.Q")
    model.revolute("B", "arm.B", "rod.B")
    model.revolute("C", "rod.C", "ram.C")
    model.translational("slide", "ground.S", "ram.C", axis=(1, 0), angle=0)
    model.driver("motor", "crank.phi", "90 + 360*t")
    model.point("tool", "ram", (0, 0))
    model.analysis = Analysis("kinematics", {"start": 0.0, "end": 1.0, "step": 1 / STEPS})
    return model.build()


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
    label = f"quick return of stroke {stroke:.6g} with time ratio {ratio:.6g}"
    task = Task(label, units=units, whole_turn=True, numbers=numbers)
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
    run = kinematics(model, OutputTimes(0.0, 1.0, 1.0 / STEPS))
    stopped = () if run.summary["status"] == "ok" else ("does not run to its end",)
    errors = {} if stopped else errors_of(task, run, np.zeros(0))
    least = float(run.summary["transmission"].get("minimum", np.nan))
    return Design(model.name, model.name, lengths, model, run, np.zeros(0), stopped, errors, least, True)
