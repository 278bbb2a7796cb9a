"""The examples of forces, each by the formula that its file tells."""

import force_cases as cases
import numpy as np
import pytest
from conftest import EXAMPLES
from scipy.integrate import quad

import mubo


def solved(name):
    model = mubo.load(EXAMPLES / f"{name}.toml")
    assert model.analysis.type == "inverse"
    return model, model.inverse()


def test_the_mean_torque_of_an_engine_is_the_work_of_its_gas():
    """Over a turn the energy of the links comes back: 2π mean = −∮ F dx, with x = r cos φ + √(l² − r² sin² φ)."""
    _, run = solved("engine")
    r, length = 0.04, 0.15

    def work(phi):
        slope = -r * np.sin(phi) - r**2 * np.sin(phi) * np.cos(phi) / np.sqrt(length**2 - (r * np.sin(phi)) ** 2)
        return -9000 * ((1 + np.cos(phi - 0.4)) / 2) ** 6 * slope

    given = quad(work, 0, 2 * np.pi)[0]
    assert given > 0
    assert np.mean(run["shaft.effort"][:-1]) == pytest.approx(-given / (2 * np.pi), rel=1e-9)


def test_a_balanced_flywheel_does_not_shake():
    """The disc turns about its centre: only its weight and the pin of the rod are felt by the shaft."""
    model, run = solved("engine")
    weight = model.bodies["crank"].whole.mass * 9.81
    np.testing.assert_allclose(run["A.on_crank.fx"], run["B.on_rod.fx"], rtol=0, atol=1e-7)
    np.testing.assert_allclose(run["A.on_crank.fy"], run["B.on_rod.fy"] + weight, rtol=0, atol=1e-7)


def test_a_toggle_clamp():
    """F = N (tan a + tan b) = 2 N x / √(l² − x²) with the knee x beside the line of the press."""
    _, run = solved("toggle_clamp")
    x = run["push.value"]
    np.testing.assert_allclose(run["push.effort"], -2 * 1000 * x / np.sqrt(0.12**2 - x**2), rtol=1e-9)
    np.testing.assert_allclose(run["guide.on_shoe.fx"], run["push.effort"] / -2, rtol=1e-9)


def test_springs_of_no_free_length_carry_a_lamp_in_every_pose():
    """With them its efforts are those of a lamp without weight; without them they are the weight's, m g s cos φ."""
    model, run = solved("desk_lamp")
    weightless = model.copy()
    weightless.gravity = (0.0, 0.0)
    weightless.forces.clear()
    bare = weightless.inverse()
    heavy = model.copy()
    heavy.forces.clear()
    loaded = heavy.inverse()
    for driver, arm, reach in (("lower", "arm", 0.4), ("upper", "fore", 0.36)):
        np.testing.assert_allclose(run[f"{driver}.effort"], bare[f"{driver}.effort"], rtol=0, atol=1e-9)
        weight = 0.8 * 9.81 * reach * np.cos(np.radians(run[f"{arm}.phi"]))
        np.testing.assert_allclose(loaded[f"{driver}.effort"] - bare[f"{driver}.effort"], weight, rtol=0, atol=1e-9)


def test_the_cylinders_of_an_excavator():
    _, run = solved("excavator")
    stored = cases.reference("eight_bodies")
    for ours, theirs in (("lower_pump", "D56"), ("upper_pump", "D78")):
        expected = np.array(stored["columns"][f"{theirs}.effort"])
        np.testing.assert_allclose(run[f"{ours}.effort"][: len(expected)], expected, rtol=0, atol=1e-9 * 5000)


def test_the_hinges_of_a_door():
    """Nothing that a hinge carries is unique, but their sum: the weight, and what keeps the centre on its circle."""
    _, run = solved("door")
    for hinge in ("lower_hinge", "upper_hinge"):
        unique = run.reaction(hinge, on="door").unique
        assert [unique[word] for word in ("fx", "fy", "fz", "mx", "my")] == [False] * 5
    assert run.columns.column("closer.effort").unique
    lift = run["lower_hinge.on_door.fz"] + run["upper_hinge.on_door.fz"]
    np.testing.assert_allclose(lift, 20 * 9.81, rtol=1e-12)


def test_the_motors_of_a_robot_arm_are_those_of_the_recursion():
    model, run = solved("robot_arm")
    names = model.state_names.v
    motors = {driver.of: name for name, driver in model.drivers.items()}
    for k in (0, 17, 40):
        state = [[float(run.columns.raw(name.replace(".v", f".{word}"))[k]) for name in names] for word in "qva"]
        efforts = [run[f"{motors[name.partition('.')[0]]}.effort"][k] for name in names]
        np.testing.assert_allclose(efforts, model.inverse_dynamics(*state), rtol=0, atol=1e-8)
