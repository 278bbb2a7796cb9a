"""The checker explains and repairs: degrees of freedom as motions, minimal sets, dead starts, and cures that were
tried."""

import math

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo


def five_bar() -> mubo.Model:
    """Two cranks of length 1 on pins 2 apart, joined by two links of length 1.5; only the left crank is driven."""
    model = mubo.Model("five bar")
    model.ground.point("A", (0, 0))
    model.ground.point("E", (2, 0))
    top = math.sqrt(1.5**2 - 1)
    model.body("left", (0, 0), math.pi / 2, {"A": (0, 0), "B": (1, 0)})
    model.body("right", (2, 0), math.pi / 2, {"E": (0, 0), "D": (1, 0)})
    model.body("reach", (0, 1), math.atan2(top, 1), {"B": (0, 0), "C": (1.5, 0)})
    model.body("meet", (2, 1), math.atan2(top, -1), {"D": (0, 0), "C": (1.5, 0)})
    model.revolute("A", "ground.A", "left.A")
    model.revolute("E", "ground.E", "right.E")
    model.revolute("B", "left.B", "reach.B")
    model.revolute("D", "right.D", "meet.D")
    model.revolute("C", "reach.C", "meet.C")
    model.driver("motor", "left.phi", "pi/2 + t")
    return model


def test_five_bar_with_one_driver_says_which_freedom_is_left():
    report = five_bar().check()
    said = str(report)
    assert "1 degree of freedom is not driven; it moves right, reach and meet" in said
    motion = report.diagnosis.free[0]
    # The crank stands: D moves by ω (−1, 0); C turns about B, so reach and meet follow from the two link vectors.
    top = math.sqrt(1.25)
    matrix = np.array([[-top, top], [1, 1]])  # C' = ω_reach (−top, 1) = D' + ω_meet (−top, −1)
    reach, meet = np.linalg.solve(matrix, [-1.0, 0.0])
    turn = motion.rates["right"][2]
    assert motion.rates["reach"][2] / turn == pytest.approx(reach, rel=1e-6)
    assert motion.rates["meet"][2] / turn == pytest.approx(meet, rel=1e-6)
    assert f" of {motion.per}:" in said


def test_the_missing_driver_is_proposed_after_it_was_tried():
    said = str(five_bar().check())
    assert "Suggested fix (tested): add a driver for the" in said
    assert "the mechanism is then fully driven." in said


def welded_loop() -> mubo.Model:
    """A parallelogram-free four-bar whose last pin F is a weld by mistake: nothing can move."""
    model = mubo.load(EXAMPLES / "four_bar.toml")
    model.joints.pop("D")
    model.joint("F", "fixed", "ground.D", "rocker.D")
    return model


def test_a_weld_that_should_be_a_pin():
    report = welded_loop().check()
    assert not report.ok
    assert "replace weld F by a pin; the mobility is then 1" in str(report)
    with pytest.raises(mubo.RedundancyError, match="replace weld F by a pin"):
        welded_loop().kinematics()


def frame(sliders: int = 2) -> mubo.Model:
    """A carriage on parallel rails: the second slider repeats the first."""
    model = mubo.Model("carriage")
    model.body("carriage", (0, 0), 0, {f"S{k}": (0, k) for k in range(sliders)})
    for k in range(sliders):
        model.ground.point(f"R{k}", (0, k))
        model.translational(f"rail{k}", f"ground.R{k}", f"carriage.S{k}", (1, 0), 0)
    model.driver("feed", "carriage.x", "t")
    return model


def test_double_slider_frame_solves_with_a_warning():
    run = frame().kinematics(0, 1, 0.25)
    np.testing.assert_allclose(run["carriage.x"], run["t"], atol=1e-14)
    told = run.summary["warnings"]
    assert told == [
        f"joint rail1 repeats what joint rail0 already imposes ({what} of rail0; {what} of rail1), "
        "everywhere along the motion"
        for what in ("across the axis", "angle")
    ]


def test_the_missing_driver_of_a_four_bar_by_lengths_alone_is_proposed():
    """All links lie on each other as drawn: the trial starts from where the mechanism was assembled."""
    m = mubo.Model("lengths")
    m.ground.geometry_from_lengths({"AD": 100})
    for body, lengths in (("crank", {"AB": 40}), ("coupler", {"BC": 120}), ("rocker", {"DC": 80})):
        m.body(body, lengths=lengths)
    for pin, first, second in (
        ("A", "ground", "crank"),
        ("B", "crank", "coupler"),
        ("C", "coupler", "rocker"),
        ("D", "ground", "rocker"),
    ):
        m.revolute(pin, f"{first}.{pin}", f"{second}.{pin}")
    report = str(m.check())
    assert "1 degree of freedom is not driven" in report
    assert (
        "Suggested fix (tested): add a driver for the angle of joint A; the mechanism is then fully driven." in report
    )


def test_repair_of_the_double_slider_is_noted():
    said = str(frame().check())
    assert "ready: the motion is determined" in said
    assert "Suggested fix (tested): remove joint rail1; the mobility is then 1." in said


def test_a_dead_start_is_no_missing_driver():
    """A slider-crank driven by its piston, at the dead centre: the crank can start either way."""
    model = mubo.load(EXAMPLES / "slider_crank.toml")
    for name, position, angle in (("crank", (0, 0), 0), ("rod", (50, 0), 0), ("piston", (200, 0), 0)):
        model = model.replace(f"{name}.position", position).replace(f"{name}.angle", angle)
    model.drivers.clear()
    model.driver("feed", "piston.x", "200 - t")
    with pytest.raises(
        mubo.SingularityError, match="the start is a singular position: crank and rod can move"
    ) as caught:
        model.kinematics(0, 1, 0.1)
    assert caught.value.exit_code == 3


def test_a_composite_pin_is_one_line():
    """Three bars on one pin: a triangle of two grounded bars and a third that hangs from their common pin."""
    model = mubo.Model("truss")
    model.ground.point("A", (0, 0))
    model.ground.point("B", (2, 0))
    model.body("left", (0, 0), math.pi / 4, {"A": (0, 0), "C": (math.sqrt(2), 0)})
    model.body("right", (2, 0), 3 * math.pi / 4, {"B": (0, 0), "C": (math.sqrt(2), 0)})
    model.body("plumb", (1, 1), 0.1, {"C": (0, 0), "tip": (1, 0)})
    model.revolute("A", "ground.A", "left.A")
    model.revolute("B", "ground.B", "right.B")
    model.revolute("C", "left.C", "right.C", "plumb.C")
    model.driver("swing", "plumb.phi", "0.1 + t")
    run = model.kinematics(0, 1, 0.5)
    assert run["plumb.x"] == pytest.approx([1, 1, 1], abs=1e-12)
    assert run.summary["mobility"]["gruebler"] == 1
    model.driver("again", "C", "0")
    with pytest.raises(mubo.ModelError, match="joins 3 bodies"):
        model.kinematics(0, 1, 0.5)


def test_a_body_connected_to_nothing():
    model = five_bar()
    model.body("stray")
    report = str(model.check())
    assert "body stray: it has no joint and no driver, and moves freely with 3 degrees of freedom" in report
    assert not model.check().ok
