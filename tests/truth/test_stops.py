"""Soft end stops: "stop" and "joint_stop" push back, never pull, and keep what their damper took.

A mass m meets a stop with the speed u: x'' + 2 ζ ω x' + ω² x = 0, x = (u/ω_d) e^(−ζωt) sin ω_d t, as long as
k x + c x' > 0. Its speed then stays. Numbers of shared references (m = 2 kg, k = 50 kN/m, c = 60 N s/m, u = 1.5 m/s):
largest x 8.24218 mm, rebound 1.13223 m/s.
"""

import numpy as np
import pytest

import mubo

M, K, C, SPEED, GAP = 2.0, 5e4, 60.0, 1.5, 0.015


def carriage():
    model = mubo.Model("carriage", dimension=3, gravity=(0, 0, 0))
    model.ground.point("O", (0, 0, 0))
    model.ground.point("W", (1, 0, 0))
    model.body("mass", points={"O": (0, 0, 0)}, mass=M, inertia=(1, 1, 1))
    model.joint("rail", "prismatic", "ground.O", "mass.O", axis=(1, 0, 0))
    model.initial("rail", v=SPEED)
    return model


def rebound():
    """Time of contact and speed after it: where k x + c x' = 0 again, by the phase of the damped oscillation."""
    omega, zeta = np.sqrt(K / M), C / (2 * np.sqrt(K * M))
    damped = omega * np.sqrt(1 - zeta**2)
    # x' = u e^(−ζωt) (cos − (ζω/ω_d) sin), so that k x + c x' = 0 where tan ω_d t = −c / (k/ω_d − c ζω/ω_d)
    phase = np.arctan2(C, -(K / damped - C * zeta * omega / damped))
    t = phase / damped
    return t, SPEED * np.exp(-zeta * omega * t) * (np.cos(phase) - zeta * omega / damped * np.sin(phase))


@pytest.mark.parametrize("kind", ["joint_stop", "stop"])
def test_a_mass_rebounds_as_it_should(kind, form):
    model = carriage()
    if kind == "stop":  # between the mass and a wall 1 m ahead: too close where less than 1 − GAP is left
        model.force("end", kind, "ground.W", "mass.O", lower=1 - GAP, stiffness=K, damping=C)
    else:
        model.force("end", kind, "rail", upper=GAP, stiffness=K, damping=C)
    contact, speed = rebound()
    assert speed == pytest.approx(-1.1322263923602374, rel=1e-12)
    end = GAP / SPEED + contact
    run = model.simulate(0, 0.04, step=0.001, rtol=1e-12, atol=1e-12, formulation=form)
    assert end < 0.03
    assert run["rail.v"][-1] == pytest.approx(speed, rel=1e-7)
    lost = M / 2 * (SPEED**2 - speed**2)
    assert run["energy.dissipated"][-1] == pytest.approx(lost, rel=1e-6)
    assert np.abs(run["energy.error"]).max() < 1e-7 * M * SPEED**2
    assert run["rail.q"].max() - GAP == pytest.approx(0.00824218, rel=2e-2)  # rows are 1 ms apart


def test_the_end_of_a_contact_is_an_event():
    """The force of a stop comes back to zero and stays there: a value that is reached and not passed is met."""
    model = carriage()
    model.force("end", "joint_stop", "rail", upper=GAP, stiffness=K, damping=C)
    model.event("free", "end.force", 0, "up")
    (event,) = model.simulate(0, 0.04, step=0.01).events
    assert event.t == pytest.approx(GAP / SPEED + rebound()[0], abs=1e-8)


def test_a_stop_lets_go_where_its_damper_would_pull():
    """A lever turned by a motor through a stop and back: between −k s − c v < 0 and zero."""
    model = mubo.Model("lever", gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.body("lever", points={"A": (0, 0)}, mass=0, inertia=0)
    model.revolute("A", "ground.A", "lever.A")
    model.driver("motor", "A", "sin(t)")
    model.force("end", "joint_stop", "A", lower=-0.5, upper=0.5, stiffness=40, damping=30)
    t = np.arange(0, 6.3, 0.1)
    run = model.inverse(0, 6.2, step=0.1)
    q, v = np.sin(t), np.cos(t)
    beyond = np.where(q > 0.5, q - 0.5, np.where(q < -0.5, q + 0.5, 0.0))
    push = -40 * beyond - 30 * v
    expected = np.where(push * beyond < 0, push, 0.0)
    np.testing.assert_allclose(run["end.torque"], expected, atol=1e-10)
    np.testing.assert_allclose(run["energy.potential"], 20 * beyond**2, atol=1e-10)
    assert np.any((beyond != 0) & (expected == 0))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"stiffness": 1}, 'neither "lower" nor "upper" is given'),
        ({"stiffness": 1, "lower": 0.5, "upper": 0.2}, "must be below upper"),
        ({"upper": 0.2}, '"stiffness" is missing'),
    ],
)
def test_stops_that_say_too_little_are_refused(options, words):
    model = carriage()
    model.force("end", "joint_stop", "rail", **options)
    with pytest.raises(mubo.ModelError, match=words):
        model.simulate(0, 1, step=0.5)
