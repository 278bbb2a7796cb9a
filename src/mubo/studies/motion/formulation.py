"""Which equations solve a motion: vector loops where they apply, absolute coordinates everywhere."""

from __future__ import annotations

from dataclasses import dataclass

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mechanism.forms.loops import Loops, NoLoops, compile_loops
from mubo.studies.motion.march import Settings, Stepper
from mubo.studies.motion.reselect import best_rows
from mubo.studies.motion.steppers import LoopStepper, stepper_for
from mubo.studies.position.inspect import Inspection

FORMULATIONS = ("auto", "absolute", "loops")


@dataclass(frozen=True)
class Formulation:
    """The name of a formulation, what steps in it, and the weights of its unknowns."""

    name: str
    stepper: Stepper
    weight: Array
    loops: Loops | None = None


def choose(look: Inspection, settings: Settings) -> Formulation:
    """The formulation asked for.

    "auto" takes loops where they apply; a model whose ground is a body of its own, KABIOS's way of writing, is solved
    in KABIOS's formulation.
    """
    compiled = look.compiled
    wanted = settings.formulation
    if wanted == "auto" and any(joint.kind == "ground" for joint in compiled.model.joints.values()):
        wanted = "absolute"
    if wanted != "absolute":
        try:
            if look.diagnosis.dependent and compiled.model.dimension == 2:
                raise NoLoops("some of its constraints are redundant")
            loops = compile_loops(compiled, look.assembly.q)
            return Formulation("loops", LoopStepper(loops, settings), loops.weight, loops)
        except NoLoops as reason:
            if wanted == "loops":
                raise ModelError(
                    f"the model cannot be solved by vector loops: {reason}",
                    suggestion="Use --formulation absolute, or auto.",
                ) from None
    active = look.diagnosis.independent
    if look.diagnosis.dependent:
        active = best_rows(compiled, look.assembly.q, look.motion)
    stepper = stepper_for(compiled, active, settings)
    return Formulation("absolute", stepper, compiled.weight)
