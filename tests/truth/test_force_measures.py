"""Measures of forces, loads that wait for them, and the proof of machines that need no power."""

import numpy as np
import pytest

import mubo


def _arm():
    model = mubo.Model("arm", units={"length": "m", "angle": "rad"}, gravity=(0, -9.81))
    model.ground.point("A", (0, 0))
    model.body("arm", points={"A": (0, 0), "B": (1, 0)}, mass=2, inertia=0.2, center=(0.5, 0))
    model.revolute("A", "ground.A", "arm.A")
    model.driver("motor", "A", "0.5 + t")
    return model


def test_a_measure_of_efforts_reactions_and_loads():
    model = _arm()
    model.force("wind", "point_force", "arm.B", direction=(1, 0), force="3*t")
    model.measure("pressure", value="A.on_arm.f/0.0004")  # of a pin 20 mm by 20 mm
    model.measure("both", value="motor.power + wind.power")
    model.measure("frame", of="shaking.fy")
    run = model.inverse(0, 1, step=0.25)
    np.testing.assert_allclose(run["pressure"], run["A.on_arm.f"] / 0.0004)
    np.testing.assert_allclose(run["both"], run["motor.power"] + run["wind.power"])
    np.testing.assert_allclose(run["frame"], run["shaking.fy"])
    kinematics = model.kinematics(0, 1, step=0.5)
    assert "pressure" not in kinematics.columns
    assert any("pressure is left out" in note for note in kinematics.summary["warnings"])


def test_a_load_cannot_wait_for_a_force():
    """Forces follow from the loads: a measure made of one is no column that a load may depend on."""
    model = _arm()
    model.measure("held", value="2*motor.effort")
    model.measure("again", value="held + 1")
    model.force("brake", "body_torque", "arm", torque="again")
    with pytest.raises(mubo.ModelError, match='unknown name "again"'):
        model.inverse(0, 1, step=0.5)


def test_a_shaft_that_turns_evenly_proves_itself():
    """It needs no power: residuals are of rounding, and not parts of rounding."""
    model = mubo.Model("shafts", dimension=3, gravity=(0, 0, -9.81), units={"length": "m", "angle": "rad"})
    model.ground.point("A", (0, 0, 0))
    model.ground.point("B", (1, 0, 0))
    inertia = (0.01, 0.01, 0.01)
    model.body("input", points={"A": (0, 0, 0)}, position=(0, 0, 0), mass=1, inertia=inertia)
    model.body("output", points={"B": (0, 0, 0)}, position=(1, 0, 0), mass=1, inertia=inertia)
    model.joint("first", "revolute", "ground.A", "input.A", axis=(0.6, 0.8, 0))
    model.joint("second", "revolute", "ground.B", "output.B", axis=(0, 0.8, 0.6))
    model.driver("motor", "first", "7.1*t")
    model.driver("other", "second", "3.3*t")
    run = model.inverse(0, 1, step=0.1)
    assert run.summary["power_residual"] < 1e-8
    assert run.summary["virtual_work"] < 1e-8
