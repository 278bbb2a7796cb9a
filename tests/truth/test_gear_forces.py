"""Tooth forces of gears: torque over pitch radius at the pitch point, carried by the bearings."""

import math

import numpy as np
import pytest

import mubo

TORQUE, OUTER, INNER = 7.0, 0.3, 0.1


def _pair(internal=False, pressure_angle=None, moving=False):
    """A wheel of radius 0.1 drives one of 0.3, which a torque brakes; massless, so that only the torque acts."""
    apart = OUTER - INNER if internal else OUTER + INNER
    model = mubo.Model("gears", units={"length": "m", "angle": "rad"})
    model.ground.point("A", (0, 0))
    model.body("arm", points={"O": (0, 0), "I": (0, 0), "J": (apart, 0)})
    model.body("first", points={"C": (0, 0)})
    model.body("second", position=(apart, 0), points={"C": (0, 0)})
    model.revolute("pivot", "ground.A", "arm.O")
    model.revolute("I", "arm.I", "first.C")
    model.revolute("J", "arm.J", "second.C")
    given = {} if pressure_angle is None else {"pressure_angle": pressure_angle}
    mesh = "internal" if internal else "external"
    model.joint("mesh", "gears", "first", "second", radii=(INNER, OUTER), carrier="arm", mesh=mesh, **given)
    model.driver("hold", "arm.phi", "0.4*t" if moving else 0.0)
    model.driver("motor", "first.phi", "2*t")
    model.force("brake", "body_torque", "second", torque=-TORQUE)
    return model.inverse(0, 1, step=0.25)


@pytest.mark.parametrize("internal", [False, True])
def test_tooth_force_is_torque_over_radius(internal):
    """F = T/r on the braked wheel, and the motor feels T r_i/r_j (Willis): the wheels turn oppositely, or alike."""
    run = _pair(internal)
    force = TORQUE / OUTER
    np.testing.assert_allclose(np.abs(run["mesh.force"]), force, rtol=1e-12)
    np.testing.assert_allclose(run["mesh.on_second.m"], 0.0, atol=1e-12)  # told at the pitch point
    about = run.reaction("mesh", on="second", at="second.C")
    np.testing.assert_allclose(about.m, TORQUE, rtol=1e-12)  # about its centre: against the brake
    np.testing.assert_allclose(run["motor.effort"], (1 if internal else -1) * TORQUE * INNER / OUTER, rtol=1e-12)
    # The line of centres is x, so that the force is along y; the pitch point is at −r_j of the braked wheel's centre.
    np.testing.assert_allclose(run["mesh.on_second.fy"], -TORQUE / OUTER, rtol=1e-12)
    np.testing.assert_allclose(run["J.on_second.fy"], TORQUE / OUTER, rtol=1e-12)
    np.testing.assert_allclose(run["I.on_first.fy"], -TORQUE / OUTER, rtol=1e-12)


def test_holding_the_arm_takes_the_sum_of_the_torques():
    """The arm is held against brake and motor: T_arm = T − T r_i/r_j·(−1) by balance of the whole."""
    run = _pair()
    np.testing.assert_allclose(run["hold.effort"] + run["motor.effort"], TORQUE, rtol=1e-12)


@pytest.mark.parametrize("internal", [False, True])
def test_teeth_push_the_wheels_apart(internal):
    """Radial force T/r tan α: away from the other wheel outside, towards its own centre inside a ring."""
    angle = math.radians(20)
    run = _pair(internal, angle)
    radial = TORQUE / OUTER * math.tan(angle)
    np.testing.assert_allclose(run["mesh.on_second.fx"], -radial if internal else radial, rtol=1e-12)
    np.testing.assert_allclose(run["J.on_second.fx"], radial if internal else -radial, rtol=1e-12)


def test_the_pressure_angle_of_standard_gears_is_taken_and_stated():
    """Pins carry F/cos 20° (ISO 53: α = 20°) where no angle is given, and F where it is 0."""
    run, plain = _pair(), _pair(pressure_angle=0.0)
    force = TORQUE / OUTER
    np.testing.assert_allclose(run["J.on_second.f"], force / math.cos(math.radians(20)), rtol=1e-12)
    np.testing.assert_allclose(plain["J.on_second.f"], force, rtol=1e-12)
    stated = "gear pair mesh: pressure_angle is not given: 20 deg is taken for the forces on its bearings"
    assert stated in run.summary["warnings"]
    assert stated not in plain.summary["warnings"]
    np.testing.assert_allclose(run["motor.effort"], plain["motor.effort"], rtol=1e-12)


def test_bodies_balance_while_the_arm_turns():
    run = _pair(pressure_angle=0.35, moving=True)
    assert run.summary["newton_euler"]["largest"] < 1e-13
    assert run.summary["power_residual"] < 1e-13


def test_a_belt_says_that_its_pull_on_the_pins_is_not_known():
    model = mubo.Model("belt")
    model.ground.point("A", (0, 0))
    model.ground.point("B", (1, 0))
    model.body("first", points={"C": (0, 0)})
    model.body("second", position=(1, 0), points={"C": (0, 0)})
    model.revolute("A", "ground.A", "first.C")
    model.revolute("B", "ground.B", "second.C")
    model.joint("belt", "belt", "first", "second", radii=(0.1, 0.3))
    model.driver("motor", "first.phi", "2*t")
    model.force("brake", "body_torque", "second", torque=-6.0)
    run = model.inverse(0, 1, step=0.5)
    np.testing.assert_allclose(run["belt.force"], 6.0 / 0.3, rtol=1e-12)
    np.testing.assert_allclose(run["motor.effort"], 6.0 / 3, rtol=1e-12)
    assert any("pretension" in note for note in run.summary["warnings"])
