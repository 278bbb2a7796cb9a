"""Forces in space against closed forms: springs, dampers, efforts, forces and torques over time, prescribed motions."""

import numpy as np
import pytest

import mubo

MASS, STIFF, DAMP = 2.0, 50.0, 3.0


def slider(gravity=0.0, **start) -> mubo.Model:
    """A mass on a slide along z."""
    model = mubo.Model("slider", dimension=3, gravity=(0, 0, -gravity))
    model.ground.point("O", (0, 0, 0))
    model.ground.point("low", (0, 0, -1.0))
    model.body("mass", points={"O": (0, 0, 0)}, mass=MASS, inertia=(0.1, 0.1, 0.1))
    model.joint("guide", "prismatic", "ground.O", "mass.O", axis=(0, 0, 1))
    if start:
        model.initial("guide", start.get("q", 0.0), start.get("v", 0.0))
    return model


def damped(t, x0):
    """x'' + 2 d x' + w² x = 0 from rest at x0."""
    d, w2 = DAMP / (2 * MASS), STIFF / MASS
    w = np.sqrt(w2 - d * d)
    return x0 * np.exp(-d * t) * (np.cos(w * t) + d / w * np.sin(w * t))


@pytest.mark.parametrize("kind", ["joint_spring", "spring"])
def test_damped_oscillation(kind):
    """In the joint, or as a strut below whose free length is one."""
    model = slider(q=0.3)
    if kind == "spring":
        model.force("strut", "spring", "ground.low", "mass.O", stiffness=STIFF, length=1.0, damping=DAMP)
    else:
        model.force("strut", "joint_spring", "guide", stiffness=STIFF, damping=DAMP)
    run = model.simulate(0, 3, 0.05)
    assert np.max(np.abs(run["guide.q"] - damped(run["t"], 0.3))) < 1e-9
    assert run.summary["energy"]["relative"] < 1e-8
    gone = 0.5 * STIFF * 0.3**2 - run["energy.total"]
    assert np.allclose(run["energy.dissipated"], gone, atol=1e-8)


def test_spring_with_a_rest_value_and_weight():
    model = slider(gravity=9.81)
    model.force("spring", "joint_spring", "guide", stiffness=STIFF, rest=0.2)
    run = model.simulate(0, 2, 0.1)
    level, w = 0.2 - MASS * 9.81 / STIFF, np.sqrt(STIFF / MASS)
    assert np.max(np.abs(run["guide.q"] - level * (1 - np.cos(w * run["t"])))) < 1e-9


def test_effort_over_time():
    model = slider()
    model.force("motor", "joint_effort", "guide", effort="4*sin(3*t)")
    run = model.simulate(0, 2, 0.1)
    t = run["t"]
    assert np.max(np.abs(run["guide.q"] - 4 / MASS * (t / 3 - np.sin(3 * t) / 9))) < 1e-9
    assert np.allclose(run["energy.supplied"], run["energy.kinetic"], atol=1e-9)


def test_an_effort_that_switches_at_a_corner():
    """A step of the law is met exactly: the integration ends a step there."""
    model = slider()
    model.force("motor", "joint_effort", "guide", effort="where(t < 0.7, 2, -1)")
    run = model.simulate(0, 2, 0.1)
    t, a, b = run["t"], 1.0, -0.5
    first = 0.5 * a * t**2
    second = 0.5 * a * 0.49 + a * 0.7 * (t - 0.7) + 0.5 * b * (t - 0.7) ** 2
    assert np.max(np.abs(run["guide.q"] - np.where(t < 0.7, first, second))) < 1e-9


@pytest.mark.parametrize("axes", ["ground", "body"])
def test_force_on_a_point_and_torque(axes):
    """A free body pushed at its centre along z, and turned about z: both directions are the same in both axes."""
    model = mubo.Model("free", dimension=3, gravity=(0, 0, 0))
    model.ground.point("O", (0, 0, 0))
    model.body("block", points={"O": (0, 0, 0)}, mass=MASS, inertia=(1, 2, 2.5))
    model.joint("base", "free", "ground.O", "block.O", euler="xyz")
    model.force("push", "point_force", "block.O", direction=(0, 0, 2), axes=axes, force="3*t")
    model.force("spin", "body_torque", "block", direction=(0, 0, 1), axes=axes, torque="0.5")
    run = model.simulate(0, 2, 0.1)
    assert np.max(np.abs(run["block.z"] - 0.5 * run["t"] ** 3 / MASS)) < 1e-9
    assert np.max(np.abs(run["base.q6"] - 0.1 * run["t"] ** 2)) < 1e-9


def test_prescribed_motion_and_its_effort():
    """The base of a pendulum is shaken: θ'' = −(g + z'') sin θ / l; the effort carries weight and inertia."""
    model = mubo.Model("shaken", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("O", (0, 0, 0))
    model.body("cart", points={"O": (0, 0, 0), "P": (0, 0, 0)}, mass=1.0, inertia=(0, 0, 0))
    model.body("bob", points={"P": (0, 0, 0.5)}, mass=MASS, inertia=(0, 0, 0))
    model.joint("lift", "prismatic", "ground.O", "cart.O", axis=(0, 0, 1))
    model.revolute("hinge", "cart.P", "bob.P", axis=(0, 1, 0))
    model.driver("shaker", "lift", "0.1*sin(12*t)")
    model.initial("hinge", 0.8)
    run = model.simulate(0, 3, 0.02)
    lift, theta = -14.4 * np.sin(12 * run["t"]), run["hinge.q"]
    assert np.allclose(run["hinge.a"], -(9.81 + lift) * np.sin(theta) / 0.5, atol=1e-9)
    needed = 1.0 * (9.81 + lift) + MASS * (9.81 + run["bob.az"])
    assert np.allclose(run["shaker.effort"], needed, atol=1e-8)
    assert run.summary["energy"]["relative"] < 1e-8


def test_a_force_by_a_python_function():
    model = slider(q=0.3)
    run = model.simulate(0, 1, 0.1, force=lambda t, q, v: -STIFF * q - DAMP * v)
    assert np.max(np.abs(run["guide.q"] - damped(run["t"], 0.3))) < 1e-9
    assert any("Python function" in note for note in run.summary["warnings"])


@pytest.mark.parametrize("lead", [0.02, -0.05])
def test_a_driven_thread_carries_load_and_moment(lead):
    """A nut turned on a thread beside its own origin lifts F, a from the axis: T = F lead/2π; the thread holds F, the
    tilting moment a F about y, and −T about its axis."""
    load, reach = 500.0, 0.3
    model = mubo.Model("nut", dimension=3, units={"length": "m", "angle": "rad"}, gravity=(0, 0, 0))
    model.ground.point("A", (0.4, 0.1, 0.2))
    model.body("nut", points={"A": (0.5, -0.2, 0), "L": (0.5 + reach, -0.2, 0)}, position=(-0.1, 0.3, 0.2))
    model.joint("thread", "screw", "ground.A", "nut.A", axis=(0, 0, 1), lead=lead)
    model.driver("handle", "thread", "0*t")
    model.force("load", "point_force", "nut.L", direction=(0, 0, -1), force=load)
    run = model.inverse(0, 1, step=1)
    torque = load * lead / (2 * np.pi)
    np.testing.assert_allclose(run["handle.effort"], torque, rtol=1e-10)
    found = np.array([run[f"thread.on_nut.{word}"][0] for word in ("fx", "fy", "fz", "mx", "my", "mz")])
    np.testing.assert_allclose(found, [0, 0, load, 0, -reach * load, -torque], atol=1e-8)
