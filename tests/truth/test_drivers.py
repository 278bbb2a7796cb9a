"""Drivers of points and joints, and motion laws with corners."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.laws import Program, Segment


def test_a_driven_point_leads_the_slider_crank_back():
    """The piston of the slider-crank driven by its own closed-form motion turns the crank evenly."""
    model = mubo.load(EXAMPLES / "slider_crank.toml")
    model.drivers.clear()
    theta = "(pi/4 + t)"
    model.driver("feed", "pin.x", f"50*cos{theta} + sqrt(150**2 - (50*sin{theta})**2)")
    run = model.kinematics(0, 2, 0.05)
    np.testing.assert_allclose(np.radians(run["crank.phi"]), np.pi / 4 + run["t"], atol=1e-12)
    np.testing.assert_allclose(np.radians(run["crank.omega"]), 1, atol=1e-11)
    np.testing.assert_allclose(run["crank.alpha"], 0, atol=1e-7)


def test_a_two_link_arm_driven_at_its_joints():
    model = mubo.Model("arm")
    model.ground.point("O", (0, 0))
    model.body("upper", (0, 0), 0.3, {"O": (0, 0), "E": (1, 0)})
    model.body("fore", (1, 0.3), 0.8, {"E": (0, 0), "H": (0.7, 0)})
    model.revolute("shoulder", "ground.O", "upper.O")
    model.revolute("elbow", "upper.E", "fore.E")
    model.driver("lift", "shoulder", "0.3 + t")
    model.driver("bend", "elbow", "0.5 - 2*t")
    model.point("hand", "fore", (0.7, 0))
    run = model.kinematics(0, 1, 0.1)
    a, b = 0.3 + run["t"], 0.8 - run["t"]
    np.testing.assert_allclose(run["hand.x"], np.cos(a) + 0.7 * np.cos(b), atol=1e-14)
    np.testing.assert_allclose(run["hand.vy"], np.cos(a) - 0.7 * np.cos(b), atol=1e-13)
    np.testing.assert_allclose(run["elbow.q"], 0.5 - 2 * run["t"], atol=1e-14)
    np.testing.assert_allclose(run["elbow.v"], -2, atol=1e-13)


def test_one_point_of_a_body_named_inside_it():
    model = mubo.load(EXAMPLES / "slider_crank.toml")
    model.drivers.clear()
    model.driver("feed", "piston.B.x", "180 - 10*t")
    assert model.kinematics(0, 1, 0.5)["piston.x"][-1] == pytest.approx(170, abs=1e-10)


def four_bar(motion) -> mubo.Model:
    return mubo.load(EXAMPLES / "four_bar.toml").replace("motor", motion)


def test_a_jump_in_value_is_refused():
    with pytest.raises(mubo.ModelError, match=r"its value jumps by 0\.5 rad at t = 0\.5 s"):
        four_bar("where(t < 0.5, 1, 1.5)").kinematics()


def test_a_jump_in_velocity_is_told():
    run = four_bar("1 + max(t - 0.5, 0)").kinematics()
    assert "driver motor: its velocity jumps by 1 rad/s at t = 0.5 s" in run.summary["warnings"]
    np.testing.assert_allclose(run["crank.phi"], 1 + np.maximum(run["t"] - 0.5, 0), atol=1e-12)


def test_a_jump_in_acceleration_is_told():
    law = Program((Segment("dwell", 0.3), Segment("harmonic", 0.4, 0.8)), value=1.0)
    told = [w for w in four_bar(law).kinematics().summary["warnings"] if "jumps" in w]
    # Harmonic rise: acceleration starts and ends at ± π² H / (2 T²).
    size = np.pi**2 * 0.8 / (2 * 0.4**2)
    assert told == [
        f"driver motor: its acceleration jumps by {size:.4g} rad/s² at t = 0.3 s",
        f"driver motor: its acceleration jumps by {size:.4g} rad/s² at t = 0.7 s",
    ]


def test_many_jumps_are_told_in_few_lines():
    """Ten turns of rest and rise, a harmonic one and one of constant speed: 40 corners, of which eight stand alone."""
    rises = (Segment("dwell", 0.1), Segment("harmonic", 0.1, 0.2), Segment("dwell", 0.1))
    law = Program((*rises, Segment("constant velocity", 0.2, -0.2)), value=1.0, repeat=True)
    told = [w for w in four_bar(law).kinematics(0, 5.01, 0.01).summary["warnings"] if "jumps" in w]
    assert len(told) == 10
    bend, slope = np.pi**2 * 0.2 / (2 * 0.1**2), 0.2 / 0.2
    assert told[-2] == f"driver motor: its velocity jumps 16 times more up to t = 5 s, by at most {slope:.4g} rad/s"
    assert (
        told[-1] == f"driver motor: its acceleration jumps 16 times more up to t = 4.7 s, by at most {bend:.4g} rad/s²"
    )


def test_a_smooth_program_is_not_told():
    law = Program((Segment("dwell", 0.3), Segment("4-5-6-7", 0.4, 0.8)), value=1.0)
    assert not [w for w in four_bar(law).kinematics().summary["warnings"] if "jumps" in w]


@pytest.mark.parametrize(
    ("of", "says"),
    [
        ("E", 'there is no joint "E" to drive'),
        ("crank.Z.x", 'body "crank" has no point "Z"'),
        ("crank.length", "is not a coordinate of a body"),
        ("crnak.phi", 'Did you mean "crank"'),
        (("ground.A", "ground.D"), "their distance cannot change"),
        (("ground.A", "crank.Q"), 'has no point "Q"'),
    ],
)
def test_wrong_targets_are_refused(of, says):
    model = mubo.load(EXAMPLES / "four_bar.toml")
    model.drivers.clear()
    model.driver("motor", of, "1")
    with pytest.raises(mubo.ModelError, match=says):
        model.kinematics()


def test_two_drivers_of_the_same_freedom_contradict():
    model = mubo.load(EXAMPLES / "four_bar.toml")
    model.driver("second", "A", "0.9")
    with pytest.raises(mubo.RedundancyError, match="drivers motor and second contradict each other by"):
        model.kinematics()
