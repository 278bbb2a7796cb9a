"""Efficiency and self-locking of threads, worms and gears: torque, power and motion by closed forms.

Raising takes F r tan(λ + φ'), lowering F r tan(λ − φ'), tan φ' = μ/cos α. Source: Budynas and Nisbett, Shigley's
Mechanical Engineering Design (2015), 8-2 (screws) and 13-17 (worms).
"""

import math

import numpy as np
import pytest
from conftest import EXAMPLES
from test_bevel_and_worm import worm_drive

import mubo

G, MASS, R, LEAD = 9.81, 20.0, 0.01, 0.004
WEIGHT = MASS * G


def jack(mu, rate=None, lead=LEAD, flank=0.0, swapped=False):
    """A screw along z that carries a weight, with or without a driver; its inertia about z is 1e-3."""
    model = mubo.Model("jack", dimension=3, gravity=(0, 0, -G))
    model.ground.point("O", (0, 0, 0))
    model.body("screw", points={"O": (0, 0, 0)}, mass=MASS, inertia=(1e-3, 1e-3, 1e-3))
    ends = ("screw.O", "ground.O") if swapped else ("ground.O", "screw.O")
    model.joint("thread", "screw", *ends, axis=(0, 0, 1), lead=lead)
    if rate:
        model.driver("handle", "thread", rate if isinstance(rate, str) else f"{rate}*t")
    model.force("loss", "friction", "thread", coulomb=mu, radius=R, flank_angle=flank)
    return model


@pytest.mark.parametrize("mu", [0.02, 0.15])
@pytest.mark.parametrize("rate", [2.0, -2.0])
@pytest.mark.parametrize(("lead", "flank"), [(LEAD, 0.0), (-LEAD, 0.0), (LEAD, math.radians(15))])
def test_torque_of_a_screw_jack(mu, rate, lead, flank):
    angle, friction = math.atan(LEAD / (2 * math.pi * R)), math.atan(mu / math.cos(flank))
    rises = rate * lead > 0
    torque = WEIGHT * R * (math.tan(angle + friction) if rises else math.tan(angle - friction))
    run = jack(mu, rate, lead, flank).inverse(0, 1, step=0.1)
    assert run["handle.effort"][1:] == pytest.approx(math.copysign(1, lead) * torque, rel=1e-9)
    assert run["energy.total"][-1] - run["energy.total"][0] == pytest.approx(WEIGHT * rate * lead / (2 * math.pi))
    said = " ".join(str(note) for note in run.summary["warnings"])
    assert ("locks itself" in said) == (angle <= friction)


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("formulation", ["tree", None])
def test_a_screw_falls_or_stays_by_its_friction_angle(formulation, swapped):
    """Let go, a thread below its friction angle stays; else J a = −F r tan(λ − φ′) with F = m (g + a l/2π)."""
    still = jack(0.15, swapped=swapped).simulate(0, 1, step=0.25, formulation=formulation)
    assert abs(still["thread.q"]).max() < 1e-12
    run = jack(0.02, swapped=swapped).simulate(0, 0.5, step=0.1, formulation=formulation)
    advance, angle = LEAD / (2 * math.pi), math.atan(LEAD / (2 * math.pi * R))
    push = R * math.tan(angle - math.atan(0.02))  # torque per axial force
    # J a = −push F, F = m (g + a advance) with a of the turn
    a = -push * WEIGHT / (1e-3 + push * MASS * advance)
    sense = -1.0 if swapped else 1.0
    assert run["thread.v"] == pytest.approx(sense * a * run["t"], rel=1e-7, abs=1e-9)
    lost = run["energy.total"][0] - run["energy.total"][-1]
    assert lost > 0
    assert run["energy.error"] == pytest.approx(np.zeros(6), abs=1e-7)


def test_a_screw_with_friction_is_verified():
    found = jack(0.15, "sin(3*t)").inverse(0.05, 2, step=0.1).verify()
    assert found.holds, str(found)


def eta(lead, mu):
    friction = math.atan(mu / math.cos(math.radians(20)))
    return math.tan(lead) / math.tan(lead + friction), math.tan(lead - friction) / math.tan(lead)


@pytest.mark.parametrize("mu", [0.02, 0.05, 0.12])
def test_torque_of_a_worm_drive(mu):
    """Driving against the load takes T z_1/(z_2 η); with the load it gives T z_1 η'/z_2."""
    lead = math.atan(2 * 0.08 / (40 * 0.02))
    forth, back = eta(lead, mu)
    for torque, expected in ((-25.0, 25.0 / 20 / forth), (25.0, -25.0 / 20 * back)):
        run = worm_drive(torque=torque, coulomb=mu).inverse(0, 1, step=0.1)
        assert run["motor.effort"][1:] == pytest.approx(expected, rel=1e-9)


def test_a_worm_that_is_driven_back_gives_its_efficiency_or_locks():
    """Driven at the wheel, a brake on the worm takes the rest; below the friction angle the wheel cannot turn it."""
    lead, mu = math.atan(2 * 0.08 / (40 * 0.02)), 0.05
    model = worm_drive(torque=0.0, driver="B", coulomb=mu)
    model.force("brake", "joint_effort", "A", effort=-0.5)
    run = model.inverse(0, 1, step=0.1)
    assert run["motor.effort"][1:] == pytest.approx(20 * 0.5 / eta(lead, mu)[1], rel=1e-9)
    model = worm_drive(teeth=(1, 40), torque=0.0, driver="B", coulomb=0.12)
    model.force("brake", "joint_effort", "A", effort=-0.5)
    with pytest.raises(mubo.SimulationError, match="locks itself"):
        model.inverse(0, 1, step=0.1)


def test_the_hoist_holds_its_weight_when_its_motor_is_off():
    """Up by T_m − L/η, down to rest by L/η, L = m (g + a …) with the inertia of wheel and weight at the worm."""
    run = mubo.load(EXAMPLES / "worm_hoist.toml").simulate()
    forth, back = eta(math.atan(1 * 0.08 / (40 * 0.02)), 0.12)
    assert back < 0
    reflected, arm = (0.03 + 50 * 0.06**2) / 40**2, 50 * G * 0.06 / 40
    up = (2.2 - arm / forth) / (0.01 + reflected / forth)
    down = (arm / forth) / (0.01 + reflected / forth)
    q = np.radians(run["A.q"])
    first = np.argmin(abs(run["t"] - 1.0))
    assert np.radians(run["A.v"][first - 1]) == pytest.approx(up * run["t"][first - 1], rel=1e-5)
    assert q[-1] - q[0] == pytest.approx(up / 2 + up**2 / (2 * down), rel=1e-5)
    assert run["weight.vz"][-1] == pytest.approx(0.0, abs=1e-12)
    assert [event.kind for event in run.events] == ["stick"]


@pytest.mark.parametrize("joint", ["A", "B"])
def test_efficiency_of_gears_in_the_plane(joint):
    """η of the torque arrives, whichever wheel drives and at whichever wheel the loss acts."""
    for driver, load, expected in (("A", -3.0, 3.0 / 2 / 0.9), ("A", 3.0, -3.0 / 2 * 0.8)):
        model = mubo.Model("gears", gravity=(0, 0))
        for name, at in (("a", (0, 0)), ("b", (0.3, 0))):
            model.ground.point(name, at)
            model.body(name, at, points={"O": (0, 0)}, mass=1, inertia=0.01)
            model.joint(name.upper(), "revolute", f"ground.{name}", f"{name}.O")
        model.joint("mesh", "gears", "a", "b", radii=(0.1, 0.2))
        model.driver("motor", driver, "-2*t")
        model.force("load", "body_torque", "b", torque=load)
        model.force("loss", "friction", joint, mesh="mesh", efficiency=0.9, back_efficiency=0.8)
        run = model.inverse(0, 1, step=0.1)
        assert run["motor.effort"][1:] == pytest.approx(-expected, rel=1e-9)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"efficiency": 1.2}, "at most 1"),
        ({"efficiency": 0.9, "coulomb": 0.1}, "one of them"),
        ({"back_efficiency": 0.5, "coulomb": 0.1}, "goes with"),
        ({"coulomb": 0.1, "radius": 0.1}, 'no "radius"'),
        ({"coulomb": 0.1, "mesh": "nothing"}, "is no pair"),
    ],
)
def test_contradictions_are_refused(options, text):
    with pytest.raises(mubo.ModelError, match=text):
        worm_drive(**options).inverse(0, 1)
