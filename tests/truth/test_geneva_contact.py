"""A Geneva wheel by contact beside the ideal element, a detent, and the jump speed of a cam follower.

The wheel of an ideal Geneva drive turns by ψ = atan2(sin φ, √2 − cos φ) in the drive of four slots (Shigley, Theory of
Machines, 3.10); a pin with the play s to either side in its slots lets it differ by s over the least distance of the
pin from the axis of the wheel.
"""

import math

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

R, APART, PLAY = 0.06 * math.sqrt(0.5), 0.06, 0.0001


@pytest.fixture(scope="module")
def geneva():
    return mubo.load(EXAMPLES / "geneva_contact.toml").simulate()


def test_the_wheel_turns_as_the_ideal_one_within_the_play(geneva):
    ideal = mubo.load(EXAMPLES / "geneva.toml").kinematics()
    assert np.allclose(geneva["t"], ideal["t"])
    allowed = math.degrees(PLAY / (APART - R)) * 1.05
    moving = (geneva["t"] > 0.64) & (geneva["t"] < 0.86)
    away = geneva["wheel.phi"] - ideal["wheel.phi"]
    assert abs(away[moving]).max() < allowed
    assert abs(geneva["wheel.phi"][-1] - geneva["wheel.phi"][0]) == pytest.approx(90, abs=2 * allowed)


def test_the_brake_holds_the_wheel_while_the_pin_is_away(geneva):
    dwell = geneva["t"] < 0.62
    assert np.ptp(geneva["wheel.phi"][dwell]) == pytest.approx(0, abs=1e-12)
    assert geneva.verify().holds
    touched = {entry.get("contact") for entry in geneva.summary["contacts"]} - {None}
    assert touched == {"pin_north", "pin_west"} or len(touched) == 2


def follower(rate, stiffness=500.0, preload=0.04, mass=0.4, e=0.012):
    """The tappet of `jumping_tappet.toml` at another rate of its cam."""
    model = mubo.load(EXAMPLES / "jumping_tappet.toml")
    model.drivers.pop("motor")
    model.driver("motor", "O", {"rate": rate})
    model.initial("guide", 0.03, rate * e)
    return model


@pytest.mark.parametrize("factor", [0.99, 1.01])
def test_a_follower_jumps_above_the_speed_of_the_closed_form(factor):
    """Lift s = 0.03 + e sin φ of a flat face on an eccentric disc: it stays while m e ω² < k (s + 0.01) + m g on top,
    ω² = (k (0.03 + e + 0.01) + m g)/(m e)."""
    k, m, e = 500.0, 0.4, 0.012
    jump = math.sqrt((k * (0.04 + e) + m * 9.81) / (m * e))
    run = follower(factor * jump).simulate(0, 2 * math.pi / jump, step=0.002)
    parts = [entry for entry in run.summary["contacts"] if entry["event"] == "part"]
    assert bool(parts) == (factor > 1)


def test_a_detent_lets_go_at_the_force_of_the_closed_form_and_holds_in_the_next_notch():
    """Without friction the ball leaves the flank behind it where F = S tan β, S = k (l₀ − l) + m g."""
    run = mubo.load(EXAMPLES / "detent.toml").simulate()
    beta, rest = math.radians(35), 0.004 / math.cos(math.radians(35)) - 0.006 * math.tan(math.radians(35))
    load = 300 * (0.045 - (0.03 - rest)) + 0.02 * 9.81
    first = next(entry for entry in run.summary["contacts"] if entry["event"] == "part")
    assert first["t"] == pytest.approx(load * math.tan(beta) / 20, rel=1e-6)
    assert abs(run["bar.x"][run["t"] < first["t"]]).max() < 1e-9
    assert abs(run["bar.x"][-1]) == pytest.approx(0.02, abs=1e-4)
    assert run["ball.y"][-1] == pytest.approx(rest, abs=1e-4)
