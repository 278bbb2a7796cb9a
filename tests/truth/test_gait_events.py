"""Heel strikes and toe-offs under a ground reaction in closed form: Fy = 800 N sin(2πt/T) in the stance half of it.

It passes the threshold of 20 N at t = arcsin(1/40) T/2π after the start of stance, and as long before its end. Steps on
and off that follow each other within 0.1 s are bounces (docs/gait.md), and change neither.
"""

import math

import numpy as np
import pytest
from test_gait import reference_model

CYCLE, STEP, SIZE = 1.1, 0.022, 800.0
EARLY = math.asin(20 / SIZE) * CYCLE / (2 * math.pi)


def walked(more=""):
    """Three cycles; `more` changes the force on the right foot by an expression of t and F."""
    model = reference_model().copy()
    model.forces.clear()
    for side, late in (("R", 0.0), ("L", CYCLE / 2)):
        wave = f"sin({2 * math.pi / CYCLE!r}*(t - {late}))"
        force = f"where({wave} > 0, {SIZE}*{wave}, 0)"
        if more and side == "R":
            force = more.replace("F", force)
        model.force(f"fy{side}", "point_force", f"foot{side}.ankle", direction=(0, 1), force=force)
    return model.gait(0, 3 * CYCLE, STEP)


@pytest.mark.parametrize(
    "more",
    [
        "",
        "where(abs(t - 1.4) < 0.03, 0, F)",  # the plate loses the foot for 0.06 s in stance
        "where(abs(t - 1.9) < 0.03, 90, F)",  # the foot scuffs the ground for 0.06 s in swing
    ],
    ids=["smooth", "loses contact", "scuffs"],
)
def test_strikes_are_located_within_a_thousandth_of_a_row(more):
    gait, stance = walked(more), CYCLE * np.arange(3)
    found = gait.strikes["r"]
    assert found.rule == "force"
    np.testing.assert_allclose(found.heel, stance + EARLY, atol=STEP / 1000)
    np.testing.assert_allclose(found.toe, stance + CYCLE / 2 - EARLY, atol=STEP / 1000)
    part = 100 * (0.5 - 2 * EARLY / CYCLE)  # per cent of the cycle in stance
    np.testing.assert_allclose(gait.cycles["r"].stance, [part, part], atol=0.01)


def test_a_foot_that_is_off_the_ground_for_longer_strikes_again():
    """A loss of 0.16 s is a toe-off and a heel strike of its own."""
    found = walked("where(abs(t - 1.4) < 0.08, 0, F)").strikes["r"]
    np.testing.assert_allclose(found.heel, [EARLY, CYCLE + EARLY, 1.48, 2 * CYCLE + EARLY], atol=STEP / 1000)
    np.testing.assert_allclose(found.toe[1], 1.32, atol=STEP / 1000)
