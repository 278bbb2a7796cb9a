"""Spatial joints and drivers against closed forms: screw jack, swash plate, tables, collars, rods."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

UP = (0, 0, 1)


def load(name: str) -> mubo.Model:
    return mubo.load(EXAMPLES / f"{name}.toml")


def test_screw_jack_lifts_its_lead_with_every_turn():
    """12 turns of 6 mm: z = 100 + 6 n. The end of the handle runs on a helix."""
    run = load("screw_jack").kinematics()
    turns = 2 * run["t"]
    np.testing.assert_allclose(run["thread.q"], turns, atol=1e-12)  # revolutions, counted
    np.testing.assert_allclose(run["table.z"], 100 + 6 * turns, atol=1e-11)
    np.testing.assert_allclose(run["table.vz"], 12, atol=1e-11)
    np.testing.assert_allclose(run["handle_end.x"], 150 * np.cos(2 * np.pi * turns), atol=1e-9)
    np.testing.assert_allclose(run["handle_end.vy"], 150 * 4 * np.pi * np.cos(2 * np.pi * turns), atol=1e-8)
    np.testing.assert_allclose(run["spindle.wz"], 2, atol=1e-12)
    assert run["thread.q"][-1] == pytest.approx(12, abs=1e-12)


def test_a_hundred_turns_of_a_left_hand_thread_in_coarse_steps():
    """The slide counts the turns: 21 rows, 5 turns from one to the next."""
    model = load("screw_jack").replace("thread.lead", -0.5).replace("handle", "100*t")
    run = model.kinematics(0, 1, 0.05)
    np.testing.assert_allclose(run["thread.q"], 100 * run["t"], atol=1e-9)
    np.testing.assert_allclose(run["table.z"], 100 - 50 * run["t"], atol=1e-9)
    assert run.summary["there_and_back"] < 1e-9


def test_a_table_turns_its_spindle_back():
    """Driven at the guide instead of the thread: θ = 2π z / lead, and the slide is what the driver says."""
    model = load("screw_jack")
    model.drivers.clear()
    model.driver("lift", "guide", "100 + 30*t")
    run = model.kinematics(0, 1, 0.01)
    np.testing.assert_allclose(run["thread.q"], 5 * run["t"], atol=1e-12)
    np.testing.assert_allclose(run["guide.q"], 100 + 30 * run["t"], atol=1e-12)


def test_swash_plate_moves_its_piston_by_a_cosine():
    """x = −R tan γ cos θ: the centre of the ball stays on a plane with normal (cos γ, sin γ cos θ, sin γ sin θ)."""
    run = load("swash_plate_pump").kinematics()
    angle, rate, stroke = 2 * np.pi * run["t"], 2 * np.pi, 30 * np.tan(np.radians(18))
    np.testing.assert_allclose(run["piston.x"], -stroke * np.cos(angle), atol=1e-11)
    np.testing.assert_allclose(run["piston.vx"], stroke * rate * np.sin(angle), atol=1e-10)
    np.testing.assert_allclose(run["piston.ax"], stroke * rate**2 * np.cos(angle), atol=1e-9)
    # The cross: sin(γ + q2) = sin γ cos θ, cos(γ + q2) sin q1 = −sin γ sin θ.
    tilt, q1, q2 = np.radians(18), np.radians(run["ball.q1"]), np.radians(run["ball.q2"])
    np.testing.assert_allclose(np.sin(tilt + q2), np.sin(tilt) * np.cos(angle), atol=1e-12)
    np.testing.assert_allclose(np.cos(tilt + q2) * np.sin(q1), -np.sin(tilt) * np.sin(angle), atol=1e-12)
    # The slipper stays at distance R from the shaft, so in the plate's plane it runs around at R / cos of the slope.
    np.testing.assert_allclose(np.hypot(run["face.q1"], run["face.q2"]), np.hypot(30, run["piston.x"]), atol=1e-11)


def test_a_table_slides_and_turns_in_a_plane():
    """A planar joint driven at all three coordinates: the place of a point of the table."""
    model = mubo.Model("table", dimension=3)
    model.ground.point("O", (1, 2, 3))
    model.body("table", points={"O": (0, 0, 0)})
    model.joint("face", "planar", "ground.O", "table.O", axis=UP)
    model.point("corner", "table", (0.5, 0, 0.1))
    for k, motion in enumerate(("0.3*t", "0.2*t**2", "4*pi*t")):
        model.driver(f"d{k}", f"face.q{k + 1}", motion)
    run = model.kinematics(0, 2, 0.05)
    t = run["t"]
    np.testing.assert_allclose(run["face.q3"], 4 * np.pi * t, atol=1e-12)  # four turns, counted
    # For the normal z the two slides go along x and y.
    np.testing.assert_allclose(run["corner.x"], 1 + 0.3 * t + 0.5 * np.cos(4 * np.pi * t), atol=1e-12)
    np.testing.assert_allclose(run["corner.y"], 2 + 0.2 * t**2 + 0.5 * np.sin(4 * np.pi * t), atol=1e-12)
    np.testing.assert_allclose(run["corner.z"], 3.1, atol=1e-13)
    np.testing.assert_allclose(run["corner.ay"], 0.4 - 0.5 * (4 * np.pi) ** 2 * np.sin(4 * np.pi * t), atol=1e-9)


def test_a_collar_driven_along_and_about_its_bar():
    """A cylindrical joint at q1 = ωt, q2 = ut: a point at radius r runs on a helix about any axis."""
    axis = np.array([2, -1, 2]) / 3
    model = mubo.Model("collar", dimension=3)
    model.ground.point("O", (0, 0, 0))
    model.body("collar", points={"O": (0, 0, 0)})
    model.joint("bar", "cylindrical", "ground.O", "collar.O", axis=axis)
    side = np.cross(axis, (1, 0, 0))
    model.point("P", "collar", side)
    model.driver("spin", "bar.q1", "3*t")
    model.driver("push", "bar.q2", "0.5*t")
    run = model.kinematics(0, 2, 0.1)
    t = run["t"][:, None]
    expected = 0.5 * t * axis + np.cos(3 * t) * side + np.sin(3 * t) * np.cross(axis, side)
    np.testing.assert_allclose(np.stack([run[f"P.{c}"] for c in "xyz"], 1), expected, atol=1e-13)
    np.testing.assert_allclose(
        np.stack([run[f"collar.w{c}"] for c in "xyz"], 1), np.tile(3 * axis, (21, 1)), atol=1e-12
    )


def test_two_sliders_on_skew_bars_joined_by_a_rod():
    """x along one bar, y along the other, h between them: x² + y² + h² = L² (distance, prismatic, joint_slide)."""
    model = mubo.Model("skew ladder", dimension=3)
    model.ground.point("O", (0, 0, 0))
    model.ground.point("H", (0, 0, 0.6))
    for name in ("low", "high"):
        model.body(name, points={"P": (0, 0, 0)})
    model.joint("along_x", "prismatic", "ground.O", "low.P", axis=(1, 0, 0))
    model.joint("along_y", "prismatic", "ground.H", "high.P", axis=(0, 1, 0))
    model.joint("rod", "distance", "low.P", "high.P", length=1.0)
    model.driver("push", "along_x", "0.1 + 0.5*t")
    model.initial("along_y", q=0.7)
    run = model.kinematics(0, 1, 0.05)
    x = 0.1 + 0.5 * run["t"]
    y = np.sqrt(1 - 0.36 - x**2)
    np.testing.assert_allclose(run["along_y.q"], y, atol=1e-13)
    np.testing.assert_allclose(run["along_y.v"], -0.5 * x / y, atol=1e-12)
    np.testing.assert_allclose(run["along_y.a"], -(0.25 + (0.5 * x / y) ** 2) / y, atol=1e-11)


def test_a_rod_locks_where_it_is_stretched_out():
    """The same ladder driven to x² = L² − h²: beyond x = 0.8 nothing exists."""
    model = mubo.Model("skew ladder", dimension=3)
    model.ground.point("O", (0, 0, 0))
    model.ground.point("H", (0, 0, 0.6))
    for name in ("low", "high"):
        model.body(name, points={"P": (0, 0, 0)})
    model.joint("along_x", "prismatic", "ground.O", "low.P", axis=(1, 0, 0))
    model.joint("along_y", "prismatic", "ground.H", "high.P", axis=(0, 1, 0))
    model.joint("rod", "distance", "low.P", "high.P", length=1.0)
    model.driver("push", "along_x", "0.1 + 0.5*t")
    model.initial("along_y", q=0.7)
    with pytest.warns(UserWarning, match="the mechanism locks"):
        run = model.kinematics(0, 2, 0.05)
    event = run.events[-1]
    assert event.kind == "limit"
    assert event.drivers["push"] == pytest.approx(0.8, abs=1e-6)
    assert event.bodies == ("high",)
    assert run["t"][-1] <= 1.4


def test_a_weld_carries_its_body_along():
    """The pointer of the four-bar on its slope, turned by 90 degrees against the coupler: the same point by hand."""
    run = load("four_bar_in_space").kinematics()
    angle = run["A.q"] + run["B.q"]
    u = np.stack([np.cos(angle), 0.8 * np.sin(angle), 0.6 * np.sin(angle)], 1)  # the coupler's x axis
    n = np.array([0, -0.6, 0.8])
    w = np.cross(n, u)
    # M = (2.5, 1.2, 0.9) in the coupler, whose axes y and z are 0.8 w − 0.6 n and 0.6 w + 0.8 n.
    y, z = 0.8 * w - 0.6 * n, 0.6 * w + 0.8 * n
    pin = 2 * np.stack([np.cos(run["A.q"]), 0.8 * np.sin(run["A.q"]), 0.6 * np.sin(run["A.q"])], 1)
    expected = pin + 2.5 * u + 1.2 * y + 0.9 * z + 0.3 * y  # the pointer's x axis is the coupler's y axis
    np.testing.assert_allclose(np.stack([run[f"P.{c}"] for c in "xyz"], 1), expected, atol=1e-12)


def test_a_point_driven_in_height_moves_the_jack():
    """point_coordinate: table.under.z instead of the handle."""
    model = load("screw_jack")
    model.drivers.clear()
    model.driver("lift", "table.under.z", "100 + 3*t")
    run = model.kinematics(0, 4, 0.1)
    np.testing.assert_allclose(run["spindle.z"], 3 * run["t"], atol=1e-12)
    np.testing.assert_allclose(run["thread.q"], run["t"] / 2, atol=1e-12)


def test_a_bead_on_a_wire():
    """point_on_line: a hinged arm's ring slides on a wire; s = h tan θ for a wire at distance h, with a free slide."""
    model = mubo.Model("bead", dimension=3)
    model.ground.point("O", (0, 0, 0))
    model.ground.point("W", (0, 2, 0))
    model.body("arm", points={"O": (0, 0, 0)})
    model.body("ring", points={"R": (0, 0, 0)})
    model.revolute("hinge", "ground.O", "arm.O", axis=UP)
    model.joint("slide", "prismatic", "arm.O", "ring.R", axis=(0, 1, 0))
    model.joint("wire", "point_on_line", "ground.W", "ring.R", axis=(1, 0, 0))
    model.driver("motor", "hinge", "0.5*t")
    model.initial("slide", q=2)
    run = model.kinematics(0, 2, 0.1)
    angle = 0.5 * run["t"]
    np.testing.assert_allclose(run["wire.q1"], -2 * np.tan(angle), atol=1e-11)
    np.testing.assert_allclose(run["slide.q"], 2 / np.cos(angle), atol=1e-11)
    # The height of the ring is held by the hinge and by the wire (there along its frame's y): one too many, told.
    assert run.summary["mobility"]["redundant"] == [
        "joint wire repeats what joints hinge and slide already impose (across, y of wire)"
    ]


def test_a_driven_screw_is_the_same_in_kinematics_and_in_a_simulation():
    """Closed loops by rows, trees by recursions: z = lead θ / 2π in both."""
    model = mubo.Model("spindle", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("nut", (0, 0, 0))
    model.body("spindle", points={"foot": (0, 0, 0)}, mass=1, inertia=(1, 1, 1))
    model.joint("thread", "screw", "ground.nut", "spindle.foot", axis=UP, lead=0.5)
    model.driver("handle", "thread", "3*t")
    moved, simulated = model.kinematics(0, 4, 0.1), model.simulate(0, 4, 0.1)
    np.testing.assert_allclose(moved["spindle.z"], 0.5 * 3 * moved["t"] / (2 * np.pi), atol=1e-14)
    for name in ("spindle.z", "spindle.vz", "spindle.wz", "thread.q", "thread.v"):
        np.testing.assert_allclose(simulated[name], moved[name], atol=1e-13)
