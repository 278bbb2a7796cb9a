"""What the core asks of a step before it believes it: its end must lead back to its start, and it must not turn far.

A crank on the ground has one unknown that matters, its angle, which its driver prescribes: predictions are exact, and
only what a step is asked for decides.
"""

import numpy as np
import pytest

import mubo
from mubo._core import Status
from mubo.solvers.assembly.start_analysis import analyse_start
from mubo.solvers.continuation.continuation import CORRECTION_RATIO
from mubo.solvers.continuation.steppers import Settings, absolute_stepper


@pytest.fixture(scope="module")
def step():
    """Status of one step of a crank between two motions (angle, rate, acceleration)."""
    model = mubo.Model("crank")
    model.ground.point("A", (0, 0))
    model.body("crank", lengths={"AB": 1.0})
    model.revolute("A", "ground.A", "crank.A")
    model.driver("motor", "A", "0*t")
    look = analyse_start(model.build(), 0.0)
    settings = Settings(look.tolerance, scale=look.form.scale, size=look.form.mechanism.size)
    stepper = absolute_stepper(look.form, look.diagnosis.independent, settings)

    def status(length, first, last):
        begun, state = stepper.start(look.assembly.q, np.array(first, float))
        assert begun == Status.done
        motion = np.array([first, last], float)
        return stepper.sweep(np.array([0.0, length]), motion, state, CORRECTION_RATIO)[0]

    return status


def test_rates_at_the_end_of_a_step_must_predict_its_start(step):
    """φ = ω t: the rate ω at the end leads back to 0, −5 ω leads to 6 ω h. Both ends are predicted."""
    rate, h = 1.0, 0.2
    assert step(h, (0, rate, 0), (rate * h, rate, 0)) == Status.done
    assert step(h, (0, rate, 0), (rate * h, -5 * rate, 0)) == Status.other_branch


@pytest.mark.parametrize("acceleration", [0.0, -2.0])
def test_a_step_turns_by_a_radian_at_most(step, acceleration):
    """φ = ω t + α t²/2 is predicted exactly however far it goes, both ways; |ω h| + |α h²/2| decides."""
    h = 0.5
    for turn, wanted in ((0.95, Status.done), (1.05, Status.other_branch)):
        rate = turn / h - abs(acceleration) * h / 2
        last = (rate * h + acceleration * h * h / 2, rate + acceleration * h, acceleration)
        assert step(h, (0, rate, acceleration), last) == wanted
