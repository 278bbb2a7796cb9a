"""Vector loops, solved group by group, against absolute coordinates, on mechanisms of several groups.

    python benchmarks/groups.py

Only the steps over the grid and the motion of all bodies, 1001 positions between start and end of each example.
"""

from __future__ import annotations

import numpy as np
from timing import EXAMPLES, Array, Competitor, duration, print_table, race, ratio

import mubo
from mubo.solvers.assembly.start_analysis import analyse_start
from mubo.solvers.continuation.continuation import CORRECTION_RATIO
from mubo.solvers.continuation.steppers import Settings
from mubo.solvers.kinematics.formulations import choose_formulation

MODELS = ("four_bar", "slider_crank", "watt_six_bar", "stephenson_six_bar", "eight_body", "klann_leg", "jansen_leg")
POSITIONS = 1001


def core(model: mubo.Model, formulation: str, times: Array) -> Competitor:
    """The steps and the bodies, as model.kinematics() does them; form and assembled before."""
    look = analyse_start(model.build(), float(times[0]))
    motion = look.form.motion(times)
    settings = Settings(look.tolerance, formulation=formulation, scale=look.form.scale)
    _, stepper, _ = choose_formulation(look, settings)
    status, state = stepper.start(look.assembly.q, motion[0])
    assert status == 0, "not assembled"

    def run() -> Array:
        status, done, states, _ = stepper.sweep(times, motion, state, CORRECTION_RATIO)
        assert status == 0, f"{model.name} stopped at {done}"
        return stepper.bodies(states, motion)

    return Competitor(formulation, run)


def line(name: str) -> list[str]:
    model = mubo.load(EXAMPLES / f"{name}.toml")
    asked = model.build().output_times()
    times = np.linspace(asked.start, asked.end, POSITIONS)
    loops, absolute = race([core(model, one, times) for one in ("loops", "absolute")], rounds=20, turn=0.005)
    groups = model.loops().groups
    sizes = " ".join(str(len(unknowns)) for _, unknowns in groups)
    apart = np.abs(loops.answer - absolute.answer).max(axis=(0, 2))
    return [
        model.name,
        str(len(model.bodies) - 1),
        sizes,
        duration(loops.seconds / POSITIONS),
        duration(absolute.seconds / POSITIONS),
        ratio(absolute.seconds / loops.seconds),
        *(f"{gap:.0e}" for gap in apart),
    ]


def main() -> None:
    print(f"{POSITIONS} positions, velocities and accelerations; differences between both formulations\n")
    heading = ["", "bodies", "groups", "loops", "absolute", "ratio", "position", "velocity", "acceleration"]
    print_table([heading, *(line(name) for name in MODELS)])


if __name__ == "__main__":
    main()
