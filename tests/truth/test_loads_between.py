"""Loads between two points and two bodies on a lever without mass: its motor holds them by virtual work.

A lever of length 1 on a pin at the origin, φ = t; a point S of the ground at (2, 0). The tip is l = √(5 − 4 cos φ) away
from S, and dl/dφ = 2 sin φ / l. What a load does along l or φ, the motor must undo: M = −F dl/dφ, M = −τ.
"""

import numpy as np
import pytest

import mubo

T = np.linspace(0.2, 1.2, 6)
LENGTH = np.sqrt(5 - 4 * np.cos(T))
SLOPE = 2 * np.sin(T) / LENGTH  # dl/dφ, and l′ since φ′ = 1


def lever(angle="rad"):
    model = mubo.Model("lever", units={"angle": angle}, gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.ground.point("S", (2, 0))
    model.body("lever", points={"A": (0, 0), "B": (1, 0)}, mass=0, inertia=0)
    model.revolute("A", "ground.A", "lever.A")
    model.driver("motor", "A", "t" if angle == "rad" else "180/pi*t")
    return model


def held(model):
    return model.inverse(0.2, 1.2, step=0.2)


def test_a_force_between_points_by_its_own_length():
    """A spring of any characteristic: F = −k x − b x³ − c l′, with x = l − 1."""
    model = lever()
    model.force("buffer", "force_between", "ground.S", "lever.B", force="-30*(length - 1) - 8*(length - 1)^3 - 2*rate")
    run, x = held(model), LENGTH - 1
    force = -30 * x - 8 * x**3 - 2 * SLOPE
    np.testing.assert_allclose(run["buffer.force"], force, rtol=1e-12)
    np.testing.assert_allclose(run["buffer.power"], force * SLOPE, rtol=1e-12)
    np.testing.assert_allclose(run["motor.effort"], -force * SLOPE, rtol=1e-12)


def test_the_same_force_by_curve_measure_function_and_law():
    """Straight lines over the length; the distance as a measure; f(t, state); the formula in t."""
    model = lever()
    model.measure("gap", distance=("ground.S", "lever.B"))
    on = ("force_between", "ground.S", "lever.B")
    model.force("expression", *on, force="-30*(length - 1)")
    model.force("curve", *on, force={"points": [[0, 30], [1, 0], [3, -60]], "over": "length"})
    model.force("measured", *on, force="-30*(gap - 1)")
    model.force("over_measure", *on, force={"points": [[1, 0], [3, -60]], "over": "gap"})
    model.force("function", *on, force=lambda t, state: -30 * (state["gap"] - 1))
    model.force("over_time", *on, force=lambda t: -30 * (np.sqrt(5 - 4 * np.cos(t)) - 1))
    run = held(model)
    for name in model.forces:
        np.testing.assert_allclose(run[f"{name}.force"], -30 * (LENGTH - 1), rtol=1e-11, err_msg=name)


@pytest.mark.parametrize("angle", ["rad", "deg"])
def test_torques_between_bodies_and_in_the_joint(angle):
    """τ = 3 − 0.02 ω over the angle's own rate, which in degrees is 180/π; springs are per radian in both."""
    model = lever(angle)
    rate = 1.0 if angle == "rad" else np.degrees(1)
    model.force("motor_curve", "torque_between", "ground", "lever", torque="3 - 0.02*rate")
    model.force("in_joint", "joint_effort", "A", effort={"points": [[0, 3], [100, 1]], "over": "v"})
    model.force("angle", "torque_between", "ground", "lever", torque="2*sin(angle) + cos(A.q)")
    model.force("coil", "torsion_spring", "ground", "lever", stiffness=4, angle="0.5 rad", damping=0.3, preload=0.7)
    run = held(model)
    for name in ("motor_curve", "in_joint"):
        np.testing.assert_allclose(run[f"{name}.torque"], 3 - 0.02 * rate, rtol=1e-12)
    np.testing.assert_allclose(run["angle.torque"], 2 * np.sin(T) + np.cos(T), rtol=1e-12)
    coil = 0.7 - 4 * (T - 0.5) - 0.3
    np.testing.assert_allclose(run["coil.torque"], coil, atol=1e-14)
    total = coil + 2 * (3 - 0.02 * rate) + 2 * np.sin(T) + np.cos(T)
    np.testing.assert_allclose(run["motor.effort"], -total, rtol=1e-12)


def test_a_preload_is_the_tension_at_the_length():
    """F = 5 + 30 (l − 1.5); without a force at l = 1.5 − 5/30, where its energy is zero."""
    model = lever()
    model.force("strut", "spring", "ground.S", "lever.B", stiffness=30, length=1.5, preload=5)
    model.force("pin", "joint_spring", "A", stiffness=2, rest=0.3, preload=0.4)
    run = held(model)
    tension, effort = 5 + 30 * (LENGTH - 1.5), 0.4 - 2 * (T - 0.3)
    np.testing.assert_allclose(run["strut.force"], tension, rtol=1e-12)
    np.testing.assert_allclose(run["pin.torque"], effort, rtol=1e-12)
    np.testing.assert_allclose(run["motor.effort"], tension * SLOPE - effort, rtol=1e-12)
    np.testing.assert_allclose(run["energy.potential"], tension**2 / 60 + effort**2 / 4, rtol=1e-12)


def test_a_spring_in_a_joint_of_space_counts_full_turns():
    """Three turns wind it up by 6π: τ = −k (q − rest), and a torque over its own angle knows them too."""
    model = mubo.Model("winder", dimension=3, gravity=(0, 0, 0))
    model.ground.point("A", (0, 0, 0))
    model.body("drum", points={"A": (0, 0, 0)}, mass=0, inertia=(0, 0, 0))
    model.revolute("A", "ground.A", "drum.A", axis=(0.6, 0, 0.8))
    model.driver("motor", "A", "6*pi*t")
    model.force("coil", "joint_spring", "A", stiffness=2, rest=0.3)
    model.force("curve", "joint_effort", "A", effort={"points": [[-1, 0.5], [30, -15]], "over": "q"})
    run = model.inverse(0, 1, step=0.05)
    q = 6 * np.pi * run["t"]
    np.testing.assert_allclose(run["coil.torque"], -2 * (q - 0.3), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(run["curve.torque"], -q / 2, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(run["motor.effort"], 2 * (q - 0.3) + q / 2, rtol=1e-11, atol=1e-11)
