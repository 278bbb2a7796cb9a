"""Forward dynamics in the plane: pendulums and loads by formula, and planar models against the same ones in space."""

import json

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import mubo

G = 9.81


def pendulum(length: float = 0.5, mass: float = 1.5, inertia: float = 0.125) -> mubo.Model:
    """A rod that hangs from the ground at angle zero."""
    model = mubo.Model("pendulum", gravity=(0, -G))
    model.ground.point("O", (0, 0))
    model.body("rod", points={"O": (0, 0)}, mass=mass, inertia=inertia, center=(0, -length))
    model.revolute("pin", "ground.O", "rod.O")
    return model


@pytest.mark.parametrize("reverse", [False, True])
def test_period_and_motion(reverse):
    """θ = 2 asin(k sn(K − ω₀ t)), ω₀² = m g l / I about the pin, however the joint is written."""
    alpha, rate = 2.0, np.sqrt(1.5 * G * 0.5 / (0.125 + 1.5 * 0.25))
    model = pendulum()
    if reverse:
        del model.joints["pin"]
        model.revolute("pin", "rod.O", "ground.O")
    sign = -1 if reverse else 1
    model.initial("pin", sign * alpha)
    m = np.sin(alpha / 2) ** 2
    run = model.simulate(0, 4 * ellipk(m) / rate, ellipk(m) / 8 / rate)
    expected = 2 * np.arcsin(np.sqrt(m) * ellipj(ellipk(m) - rate * run["t"], m)[0])
    assert np.max(np.abs(run["rod.phi"] - expected)) < 1e-8
    assert np.max(np.abs(run["pin.q"] - sign * expected)) < 1e-8
    assert run.summary["energy"]["relative"] < 1e-9


def test_rows_of_the_rod_pendulum():
    """ω² = 2 m g L (cos θ − cos θ₀) / I_O and θ'' = −m g L sin θ / I_O at every row (Nikravesh 1988, chapter 9)."""
    model = pendulum()
    model.initial("rod", angle="90 deg")
    run = model.simulate(0, 1, 0.1)
    arm = 1.5 * G * 0.5 / 0.5
    assert np.max(np.abs(run["rod.omega"] ** 2 - 2 * arm * np.cos(run["rod.phi"]))) < 1e-8
    assert np.max(np.abs(run["rod.alpha"] + arm * np.sin(run["rod.phi"]))) < 1e-8


def test_a_run_up_against_viscous_drag():
    """I ω' = T − c ω: ω = (T/c)(1 − exp(−c t / I)); what the drag destroys and the torque brings in balance."""
    model = mubo.Model("motor", gravity=(0, 0))
    model.ground.point("O", (0, 0))
    model.body("rotor", points={"O": (0, 0)}, mass=1, inertia=0.02)
    model.revolute("shaft", "ground.O", "rotor.O")
    model.force("motor", "torque_between", "ground", "rotor", torque="3")
    model.force("drag", "joint_spring", "shaft", damping=0.024)
    run = model.simulate(0, 2, 0.1)
    omega = 125 * (1 - np.exp(-1.2 * run["t"]))
    assert np.max(np.abs(run["rotor.omega"] - omega)) < 1e-7
    angle = 125 * (run["t"] - (1 - np.exp(-1.2 * run["t"])) / 1.2)
    assert np.max(np.abs(run["rotor.phi"] - angle)) < 1e-7
    assert np.max(np.abs(run["energy.supplied"] - 3 * angle)) < 1e-6


def test_coulomb_torque_takes_the_same_energy_on_every_swing():
    """m g L (cos b − cos a) = T (a + b) between two turning points, by a friction of constant effort."""
    model = pendulum()
    model.initial("pin", 1.0)
    model.force("rub", "friction", "pin", effort="0.2", speed=1e-5)
    model.event("turn", "pin", -0.5, direction="down")
    run = model.simulate(0, 1.2, 0.001)
    lowest = int(np.argmin(run["rod.phi"]))
    arm, b = 1.5 * G * 0.5, -run["rod.phi"][lowest]
    assert arm * (np.cos(b) - np.cos(1.0)) == pytest.approx(0.2 * (1.0 + b), rel=1e-4)
    assert any("turn: pin reaches -0.5" in event.message for event in run.events)


def crane(dimension: int) -> mubo.Model:
    """A trolley on a rail with a double pendulum, a spring and a push at an angle: all kinds of planar loads."""
    flat = dimension == 2

    def at(x, y):
        return (x, y) if flat else (x, y, 0)

    model = mubo.Model("crane", dimension=dimension, gravity=at(0, -G))
    model.ground.point("O", at(0, 0))
    model.ground.point("S", at(-1, 0.5))
    inertia = 0.2 if flat else (0.1, 0.1, 0.2)
    model.body("trolley", points={"T": at(0, 0)}, mass=3, inertia=inertia)
    upper, lower = {"T": at(0, 0), "E": at(0, -0.8)}, {"E": at(0, 0), "P": at(0.1, -0.5)}
    model.body("upper", points=upper, mass=1, inertia=inertia, center=at(0.1, -0.4))
    model.body("lower", points=lower, mass=2, inertia=inertia, center=at(0, -0.3))
    slide = "translational" if flat else "prismatic"
    axis = {} if flat else {"axis": (0, 0, 1)}
    model.joint("rail", slide, "ground.O", "trolley.T", axis=at(1, 0))
    model.revolute("one", "trolley.T", "upper.T", **axis)
    model.revolute("two", "upper.E", "lower.E", **axis)
    model.force("strut", "spring", "ground.S", "lower.P", stiffness=30, length=0.9, damping=0.4)
    model.force("push", "point_force", "lower.P", direction=at(0.6, 0.8), force="2*sin(3*t)", axes="body")
    model.force("coil", "joint_spring", "two", stiffness=4, damping=0.05)
    model.initial("one", 0.4, 0.7)
    model.initial("two", -0.4)
    model.initial("rail", 0.3, -0.2)
    return model


def test_the_plane_and_space_tell_the_same_motion():
    """The same machine as a planar model and as one in space, where the tree has been proved since long."""
    flat, space = (crane(dimension).simulate(0, 2, 0.1) for dimension in (2, 3))
    for column in ("trolley.x", "lower.x", "lower.y", "lower.vx", "lower.ay", "rail.q", "two.q", "one.v", "two.a"):
        assert np.max(np.abs(flat[column] - space[column])) < 1e-7, column
    for word in ("kinetic", "dissipated", "supplied"):
        assert np.max(np.abs(flat[f"energy.{word}"] - space[f"energy.{word}"])) < 1e-7


def test_a_driven_joint_in_the_plane():
    """A pendulum turned at constant rate needs the torque m g L sin θ of its driver."""
    model = pendulum()
    model.driver("motor", "pin", {"rate": 2.0, "start": 0.3})
    run = model.simulate(0, 2, 0.25)
    assert np.max(np.abs(run["motor.effort"] - 1.5 * G * 0.5 * np.sin(0.3 + 2 * run["t"]))) < 1e-9
    assert run.summary["dofs"] == 0


def test_a_start_that_the_joints_forbid_is_refused():
    model = pendulum()
    model.initial("rod", position=(0.4, 0))
    with pytest.raises(mubo.ModelError, match=r"\[initial.rod\]: the joints do not allow its pose"):
        model.simulate(0, 1, 0.1)


def test_initial_conditions_of_bodies_survive_a_file(tmp_path):
    model = pendulum()
    model.initial("rod", angle=0.5, omega=2.0)
    model.save(str(tmp_path / "pendulum.toml"))
    run = mubo.load(tmp_path / "pendulum.toml").simulate(0, 0.2, 0.1)
    assert run["rod.phi"][0] == 0.5
    assert run["rod.omega"][0] == pytest.approx(2.0, abs=1e-14)
    assert json.loads(json.dumps(run.summary))["status"] == "ok"
