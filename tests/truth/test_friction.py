"""Friction in a joint: the exact sign where the motion is prescribed, a regularised one where it is not.

Turning points of a pendulum with a constant Coulomb torque (m = 2 kg, 0.5 m from pin to centre, I = 0.2 kg m² about it,
0.6 N m, released at 1.5 rad) for tanh(ω/0.01): shared references, by two integrators that agree to 8e-13. Without
regularisation m g L (cos b − cos a) = T (a + b) between amplitudes a and b.
"""

import math

import numpy as np
import pytest
from conftest import DATA

import mubo
from mubo.mechanism.loads import ReactionFriction
from mubo.solvers.forces.applied_loads import applied_loads

M, L, INERTIA, TORQUE, G = 2.0, 0.5, 0.2, 0.6, 9.81
REGULARISED = [(0.9598739481, -1.324814839), (1.890065269, 1.163938783), (2.797445219, -1.013491128)]


def lever():
    model = mubo.Model("lever", gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.body("lever", points={"A": (0, 0)}, mass=0, inertia=0)
    model.revolute("A", "ground.A", "lever.A")
    model.driver("motor", "A", "sin(t)")
    return model


def test_along_a_prescribed_motion_the_sign_is_exact():
    """τ = −c v − T sign v, however large `speed` is; all of its power is lost."""
    model = lever()
    model.force("rub", "friction", "A", effort=0.6, viscous=0.2, speed=5)
    run = model.inverse(0.1, 6.1, step=0.2)
    v = np.cos(run["t"])
    torque = -0.2 * v - 0.6 * np.sign(v)
    np.testing.assert_allclose(run["rub.torque"], torque, rtol=1e-9)
    np.testing.assert_allclose(run["motor.effort"], -torque, rtol=1e-9)
    np.testing.assert_allclose(run["rub.power"], torque * v, rtol=1e-9)
    np.testing.assert_array_equal(run["energy.potential"], 0)


def test_the_size_may_come_from_a_reaction():
    """What is handed in as `friction` is the size of the friction; the load says whose reaction it needs."""
    model = lever()
    model.force("rub", "friction", "A", coulomb=0.1, radius=0.02)
    run = model.kinematics(0.1, 3.1, step=0.5)
    form = run.record.inspection.form
    (load,) = form.mechanism.loads
    assert load.reaction_friction == ReactionFriction("A", 0.1, 0.02)
    states = np.stack([np.stack([0 * run["t"]] * 2 + [run[f"lever.{w}"]], 1) for w in ("phi", "omega", "alpha")], 1)
    size = 1 + run["t"]
    done = applied_loads(form, states, run.columns, {"rub": size})
    torque = -size * np.sign(run["lever.omega"])
    np.testing.assert_allclose(done.values["rub"], torque)
    np.testing.assert_allclose(done.dissipated["rub"], -torque * run["lever.omega"])
    np.testing.assert_array_equal(done.supplied["rub"], 0)


def pendulum(**friction):
    model = mubo.Model("pendulum", dimension=3, gravity=(0, 0, -G))
    model.ground.point("A", (0, 0, 0))
    model.body("rod", points={"A": (0, 0, 0)}, mass=M, center=(0, 0, -L), inertia=(INERTIA, INERTIA, 0))
    model.revolute("A", "ground.A", "rod.A", axis=(1, 0, 0))
    model.force("rub", "friction", "A", **friction)
    model.initial("A", q=1.5)
    return model


def test_a_pendulum_loses_its_swing():
    """At each turning time of the reference the pendulum stands still at the reference's angle."""
    model = pendulum(effort=TORQUE, speed=0.01)
    for t, angle in REGULARISED:
        run = model.simulate(0, t, step=t / 2, rtol=1e-11, atol=1e-11)
        assert run["A.q"][-1] == pytest.approx(angle, abs=1e-6)
        assert abs(run["A.v"][-1]) < 1e-6 * 4
    a, b = 1.5, -REGULARISED[0][1]
    assert M * G * L * (np.cos(b) - np.cos(a)) == pytest.approx(TORQUE * (a + b), rel=1e-5)
    lost = run["energy.dissipated"][-1]
    assert lost == pytest.approx(M * G * L * (np.cos(REGULARISED[2][1]) - np.cos(a)), rel=1e-6)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"coulomb": 0.1, "speed": 0.01}, '"radius" is missing'),
        ({"coulomb": 0.1, "effort": 0.6, "speed": 0.01}, "one of them"),
        ({"effort": 0.6, "radius": 0.02, "speed": 0.01}, 'needs "coulomb"'),
        ({"speed": 0.01}, 'neither "coulomb" nor "effort" nor "efficiency" nor "viscous" is given'),
    ],
)
def test_what_a_simulation_cannot_know_is_refused(options, words):
    with pytest.raises(mubo.ModelError, match=words):
        pendulum(**options).simulate(0, 1, step=0.5)


def test_a_slide_has_no_pin():
    model = mubo.Model("block", gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.body("block", points={"A": (0, 0)}, mass=1, inertia=1)
    model.translational("guide", "ground.A", "block.A", axis=(1, 0), angle=0)
    model.driver("push", "guide", "t")
    model.force("rub", "friction", "guide", coulomb=0.1, radius=0.02)
    with pytest.raises(mubo.ModelError, match='a slide has no "radius"'):
        model.inverse(0, 1, step=0.5)


def test_friction_in_a_pin_comes_from_its_reaction():
    """μ r |R| with R = m (L ω² + g cos θ) towards the pin and m (L α + g sin θ) across it (the pin of a pendulum)."""
    model = mubo.Model("pendulum", gravity=(0, -G))
    model.ground.point("A", (0, 0))
    model.body("rod", points={"A": (0, 0)}, mass=M, inertia=INERTIA, center=(0, -L))
    model.revolute("A", "ground.A", "rod.A")
    model.driver("motor", "A", "2*sin(3*t)")
    model.force("rub", "friction", "A", coulomb=0.3, radius=0.02)
    run = model.inverse(0, 2, step=0.1)
    theta, omega, alpha = 2 * np.sin(3 * run["t"]), 6 * np.cos(3 * run["t"]), -18 * np.sin(3 * run["t"])
    size = M * np.hypot(L * omega**2 + G * np.cos(theta), L * alpha + G * np.sin(theta))
    torque = -0.3 * 0.02 * size * np.sign(omega)
    np.testing.assert_allclose(run["rub.torque"], torque, rtol=1e-9)
    needed = (INERTIA + M * L**2) * alpha + M * G * L * np.sin(theta) - torque
    np.testing.assert_allclose(run["motor.effort"], needed, rtol=0, atol=1e-9 * np.abs(needed).max())


def test_friction_changes_the_reaction_that_it_comes_from():
    """In the pin of a connecting rod: what is told is μ r |R| of the R that is told, and another R than without it."""
    model = mubo.load(DATA / "forces" / "guide_friction.toml")
    model.forces.clear()
    span = (0.0, 0.04, 0.002)
    free = model.inverse(*span)
    model.force("rub", "friction", "B", coulomb=0.2, radius=0.02)
    run = model.inverse(*span)
    expected = -0.2 * 0.02 * run["B.on_rod.f"] * np.sign(run["B.v"])
    np.testing.assert_allclose(run["rub.torque"], expected, rtol=1e-10)
    assert np.max(np.abs(run["B.on_rod.f"] - free["B.on_rod.f"])) > 1e-3 * np.max(free["B.on_rod.f"])
    assert run.summary["newton_euler"]["largest"] < 1e-12
    assert run.summary["power_residual"] < 1e-10


def test_where_a_joint_stands_its_coulomb_part_is_told_as_none():
    """At rest friction is anything up to its size; the note names the row."""
    model = lever()
    model.force("rub", "friction", "A", effort=0.6, viscous=0.2)
    run = model.inverse(0, np.pi, step=np.pi / 2)
    assert run["rub.torque"][1] == pytest.approx(0, abs=1e-12)
    assert any("force rub: joint A is at rest at t = 1.57079633" in note for note in run.summary["warnings"])
    alone = model.inverse(np.pi / 2, np.pi / 2, step=1)  # no other row tells that this rate is rounding
    assert alone["rub.torque"][0] == pytest.approx(0, abs=1e-12)


def test_a_joint_that_hardly_moves_has_its_whole_coulomb_part():
    """A ten-thousandth of the largest rate is no rest: τ = −T sign v − c v just before the lever turns round."""
    model = lever()
    model.force("rub", "friction", "A", effort=0.6, viscous=0.2)
    for side in (-1, 1):
        turn = np.pi / 2 + side * 1e-4
        run = model.inverse(0, turn, step=turn)
        v = np.cos(run["t"])
        np.testing.assert_allclose(run["rub.torque"], -0.6 * np.sign(v) - 0.2 * v, rtol=1e-9)
        assert not any("stands still" in note for note in run.summary["warnings"])


def test_friction_close_to_jamming():
    """A trammel: a rod at β pushes a guided block against F. S cos β = F + f, f = μ S sin β; it jams at μ tan β = 1."""
    mu, load, rod, first = 0.5, 100.0, 2.0, math.atan(0.85 / 0.5)
    model = mubo.Model("trammel", gravity=(0, 0))
    model.ground.point("O", (0, 0))
    model.body("ram", (0, rod * math.sin(first)), points={"A": (0, 0)})
    model.body("rod", (0, rod * math.sin(first)), -first, {"A": (0, 0), "B": (rod, 0)})
    model.body("block", (rod * math.cos(first), 0), points={"B": (0, 0)})
    model.translational("upright", "ground.O", "ram.A", axis=(0, 1), angle=0)
    model.translational("guide", "ground.O", "block.B", axis=(1, 0), angle=0)
    model.revolute("A", "ram.A", "rod.A")
    model.revolute("B", "rod.B", "block.B")
    model.driver("press", "ram.y", f"{rod * math.sin(first)!r} - t")
    model.force("load", "point_force", "block.B", direction=(-1, 0), force=load)
    model.force("rub", "friction", "guide", coulomb=mu)
    run = model.inverse(0, 1, step=0.25)
    beta = np.arcsin(math.sin(first) - run["t"] / rod)
    thrust = load / (np.cos(beta) - mu * np.sin(beta))
    np.testing.assert_allclose(run["rub.force"], -mu * thrust * np.sin(beta), rtol=1e-10)
    np.testing.assert_allclose(run["press.effort"], -thrust * np.sin(beta), rtol=1e-10)


def test_friction_of_a_reaction_that_is_not_unique_is_refused():
    """Of two hinges equilibrium tells only the sum; with their stiffness the friction is known."""
    model = mubo.load(DATA / "forces" / "door_two_hinges.toml")
    model.force("rub", "friction", "h1", coulomb=0.2, radius=0.02)
    with pytest.raises(mubo.ModelError, match="force rub: the reaction of joint h1 is indeterminate, and so is its"):
        model.inverse(0, 1, step=0.5)
    for hinge in ("h1", "h2"):
        model = model.replace(f"{hinge}.stiffness", 1e6).replace(f"{hinge}.turning_stiffness", 1e4)
    run = model.inverse(0, 1, step=0.25)
    expected = -0.2 * 0.02 * run["h1.on_door.f"] * np.sign(run["h1.v"])
    np.testing.assert_allclose(run["rub.torque"], expected, rtol=1e-10)


def test_a_guide_that_jams_says_so():
    """More friction than the lever can bear: f = μ |N(f)| has no solution, and the joint is named with the time."""
    model = mubo.load(DATA / "forces" / "guide_friction.toml").replace("rub.coulomb", 5.0)
    with pytest.raises(mubo.SimulationError, match="friction and the reaction of joint guide do not converge at t = "):
        model.inverse()
