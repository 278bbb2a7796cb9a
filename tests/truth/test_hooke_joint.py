"""Hooke's joint: tan φ₂ = cos β tan φ₁ where the input fork starts square to the plane of the shafts (Hooke 1675).

The ratio of the rates is cos β / (1 − sin²β sin²φ₁); see Hunt, Kinematic Geometry of Mechanisms (1978).
"""

import math

import numpy as np
from conftest import EXAMPLES

import mubo

BETA = np.radians(30)


def turned(angle, beta=BETA):
    """φ₂ with its full turns: in the quadrant of φ₁."""
    return np.unwrap(np.arctan2(np.cos(beta) * np.sin(angle), np.cos(angle)))


def test_output_angle_and_rate():
    run = mubo.load(EXAMPLES / "hooke_joint.toml").kinematics()
    angle = 2 * np.pi * run["t"]
    output = np.radians(run["support.q2"])
    np.testing.assert_allclose(output, turned(angle), atol=1e-12)
    square = 1 - np.sin(BETA) ** 2 * np.sin(angle) ** 2
    ratio = np.cos(BETA) / square
    np.testing.assert_allclose(run["support.v2"] / 360, ratio, atol=1e-12)
    bend = np.cos(BETA) * np.sin(BETA) ** 2 * np.sin(2 * angle) / square**2  # d(ratio)/dφ₁
    np.testing.assert_allclose(np.radians(run["support.a2"]), bend * (2 * np.pi) ** 2, atol=1e-9)
    # The output turns about its own shaft: ω = φ₂' (cos β, sin β, 0) in ground axes.
    np.testing.assert_allclose(run["output.wx"], 360 * ratio * np.cos(BETA), atol=1e-9)
    np.testing.assert_allclose(run["output.wy"], 360 * ratio * np.sin(BETA), atol=1e-9)
    np.testing.assert_allclose(run["output.wz"], 0, atol=1e-9)


def test_two_hundred_turns_are_counted():
    """Rows a tenth of a turn apart; the output keeps its turns by its rates."""
    model = mubo.load(EXAMPLES / "hooke_joint.toml")
    run = model.kinematics(0, 200, 0.1)
    angle = 2 * np.pi * run["t"]
    np.testing.assert_allclose(np.radians(run["support.q2"]), turned(angle), atol=1e-9)
    np.testing.assert_allclose(run["bearing.q"], 360 * run["t"], atol=1e-8)
    assert run.summary["there_and_back"] < 1e-10


def test_rows_a_third_of_a_turn_apart_are_counted_without_a_word():
    """The rates at both ends predict the output to a tenth of a radian there: no turn can be lost."""
    run = mubo.load(EXAMPLES / "hooke_joint.toml").kinematics(0, 20, 0.3)
    expected = turned(2 * np.pi * np.arange(0, 20.01, 0.01))[[*range(0, 2001, 30), 2000]]  # the last row is the end
    np.testing.assert_allclose(np.radians(run["support.q2"]), expected, atol=1e-9)
    assert not [note for note in run.summary["warnings"] if "miscounted" in note]


def test_rows_farther_apart_than_a_turn_are_told_where_turns_may_be_lost():
    """A driven angle is counted by its driver, whatever the step; others are told where their rates do not predict."""
    run = mubo.load(EXAMPLES / "hooke_joint.toml").kinematics(0, 20, 1.7)
    np.testing.assert_allclose(run["bearing.q"], 360 * run["t"], atol=1e-9)
    expected = turned(2 * np.pi * np.arange(0, 20.01, 0.01))[[*range(0, 2001, 170), 2000]]  # the last row is the end
    told = [note for note in run.summary["warnings"] if "miscounted" in note]
    right = np.allclose(np.radians(run["support.q2"]), expected, atol=1e-9)
    assert right or any(note.startswith("support.q2") for note in told)
    assert any(note.startswith("cross.q1") for note in told)


def test_both_angles_of_the_cross():
    """The cross swings by sin q = ± sin β sin φ about one axis; both coordinates from the geometry of the forks."""
    run = mubo.load(EXAMPLES / "hooke_joint.toml").kinematics()
    angle, output = 2 * np.pi * run["t"], turned(2 * np.pi * run["t"])
    z = np.array([0, 0, 1])
    fork = np.stack([0 * angle, -np.sin(angle), np.cos(angle)], 1)  # axis in the input shaft
    y2 = np.array([-np.sin(BETA), np.cos(BETA), 0])
    other = np.cos(output)[:, None] * y2 + np.sin(output)[:, None] * z  # axis in the output shaft
    np.testing.assert_allclose(np.sum(fork * other, axis=1), 0, atol=1e-14)
    start = np.stack([0 * angle - np.sin(BETA), np.cos(BETA) * np.cos(angle), np.cos(BETA) * np.sin(angle)], 1)
    # q1 turns the second axis from where it stood in the input shaft to where it is.
    np.testing.assert_allclose(np.cos(np.radians(run["cross.q1"])), np.sum(start * other, axis=1), atol=1e-12)


def double_joint(axes) -> mubo.Model:
    """Two crosses with a shaft between them; input and output are parallel. `axes` are those of the second cross."""
    model = mubo.Model("double joint", dimension=3)
    c, s = np.cos(BETA), np.sin(BETA)
    model.ground.point("base", (-1, 0, 0))
    model.ground.point("line", (c, s, 0))
    model.body("input", points={"base": (-1, 0, 0), "O": (0, 0, 0)})
    model.body("middle", points={"O": (0, 0, 0), "E": (1, 0, 0)})
    model.body("output", points={"E": (0, 0, 0), "end": (1, 0, 0)})
    model.revolute("bearing", "ground.base", "input.base", axis=(1, 0, 0))
    bent = {"euler": "zxy", "angles": (BETA, 0, 0)}
    back = {"euler": "zxy", "angles": (-BETA, 0, 0)}
    model.joint("first", "universal", "input.O", "middle.O", axes=((0, 0, 1), (-s, c, 0)), zero=bent)
    model.joint("second", "universal", "middle.E", "output.E", axes=axes, zero=back)
    model.joint("near", "point_on_line", "ground.line", "output.E", axis=(1, 0, 0))
    model.joint("far", "point_on_line", "ground.line", "output.end", axis=(1, 0, 0), euler="zxy")
    model.driver("motor", "bearing", "2*pi*t")
    return model


def test_two_joints_in_phase_turn_evenly():
    """Both forks of the middle shaft in one plane: tan φ₃ = tan φ₂ / cos β = tan φ₁ at equal angles."""
    run = double_joint(((0, 1, 0), (0, 0, 1))).kinematics(0, 2, 0.02)
    np.testing.assert_allclose(run["far.q2"], 2 * np.pi * run["t"], atol=1e-11)
    np.testing.assert_allclose(run["far.v2"], 2 * np.pi, atol=1e-10)
    np.testing.assert_allclose(run["far.a2"], 0, atol=1e-8)


def test_two_joints_out_of_phase_double_the_unevenness():
    """The second fork a quarter turn off: tan φ₃ = cos²β tan φ₁."""
    run = double_joint(((0, 0, 1), (np.sin(BETA), np.cos(BETA), 0))).kinematics(0, 1, 0.02)
    angle = 2 * np.pi * run["t"]
    expected = np.unwrap(np.arctan2(np.cos(BETA) ** 2 * np.sin(angle), np.cos(angle)))
    np.testing.assert_allclose(run["far.q2"], expected, atol=1e-11)


def test_turns_of_a_motion_that_speeds_up_are_counted():
    """φ = 4π t³ at whole seconds: the mean of the rates alone is off by a full turn, with accelerations by nothing."""
    model = double_joint(((0, 1, 0), (0, 0, 1)))
    model.drivers.clear()
    model.driver("motor", "bearing", "4*pi*t**3")
    run = model.kinematics(0, 2, 1)
    np.testing.assert_allclose(run["far.q2"], 4 * np.pi * run["t"] ** 3, atol=1e-9)


def test_a_driven_angle_has_the_turns_of_its_driver():
    """Six turns to and fro almost every second, a row a second: nothing but the law itself knows them."""
    model = mubo.load(EXAMPLES / "hooke_joint.toml")
    model.drivers.clear()
    model.driver("motor", "bearing", "2160*sin(5*t)")
    run = model.kinematics(0, 6, 1)
    np.testing.assert_allclose(run["bearing.q"], 2160 * np.sin(5 * run["t"]), atol=1e-9)


def shafts(second) -> mubo.Model:
    """Two shafts in bearings, 30 degrees between them, with a cross whose second axis is given."""
    cosine, sine = math.cos(math.radians(30)), math.sin(math.radians(30))
    model = mubo.Model("shafts", units={"length": "m", "angle": "deg"}, dimension=3)
    model.ground.point("A", (-1, 0, 0))
    model.ground.point("B", (cosine, sine, 0))
    model.body("input", points={"A": (-1, 0, 0), "O": (0, 0, 0)})
    model.body("output", points={"O": (0, 0, 0), "B": (cosine, sine, 0)})
    model.joint("bearing", "revolute", "ground.A", "input.A", axis=(1, 0, 0))
    model.joint("out", "cylindrical", "ground.B", "output.B", axis=(cosine, sine, 0))
    model.joint("cross", "universal", "input.O", "output.O", axes=[(0, 0, 1), second])
    model.driver("motor", "bearing", "360*t")
    return model


def test_an_axis_that_is_not_square_to_its_shaft_is_noted():
    """(0, 1, 0) is square to the input shaft, and at 60 degrees to the output shaft, which it should be square to."""
    right = shafts((-0.5, math.cos(math.radians(30)), 0))
    assert not [note for note in right.check().all_notes if "Hooke" in note]
    run = right.kinematics(0, 1, step=0.05)
    want = np.unwrap(np.arctan2(np.sin(2 * np.pi * run["t"]) * np.cos(np.pi / 6), np.cos(2 * np.pi * run["t"])))
    np.testing.assert_allclose(np.radians(run["out.q1"]), want, atol=1e-9)
    (note,) = [note for note in shafts((0, 1, 0)).check().all_notes if "Hooke" in note]
    assert "second axis is at 60 deg to the shaft of output in out" in note
