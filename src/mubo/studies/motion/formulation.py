"""Which equations solve a motion: vector loops where they apply, absolute coordinates everywhere."""

from __future__ import annotations

from dataclasses import dataclass

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mechanism.forms.loops import Loops, NoLoops
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
    form = look.form
    wanted = settings.formulation
    if wanted == "auto" and len(form.fixed) > 1:
        wanted = "absolute"
    if wanted != "absolute":
        try:
            return Formulation("loops", LoopStepper(look.loops, settings), look.loops.weight, look.loops)
        except NoLoops as reason:
            if wanted == "loops":
                raise ModelError(
                    f"the model cannot be solved by vector loops: {reason}",
                    suggestion="Use --formulation absolute, or auto.",
                ) from None
    active = look.diagnosis.independent
    if look.diagnosis.dependent:
        active = best_rows(form, look.assembly.q, look.motion)
    stepper = stepper_for(form, active, settings)
    return Formulation("absolute", stepper, form.weight)
