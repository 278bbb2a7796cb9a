"""Friction in a joint: the exact sign where the motion is prescribed, a regularised one where it is not.

Turning points of a pendulum with a constant Coulomb torque (m = 2 kg, 0.5 m from pin to centre, I = 0.2 kg m² about it,
0.6 N m, released at 1.5 rad) for tanh(ω/0.01): shared references, by two integrators that agree to 8e-13. Without
regularisation m g L (cos b − cos a) = T (a + b) between amplitudes a and b.
"""

import numpy as np
import pytest

import mubo
from mubo.mechanism.loads import Rubbing
from mubo.studies.forces.applied import applied

M, L, INERTIA, TORQUE, G = 2.0, 0.5, 0.2, 0.6, 9.81
REGULARISED = [(0.9598739481, -1.324814839), (1.890065269, 1.163938783), (2.797445219, -1.013491128)]


def lever():
    model = mubo.Model("lever", gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.body("lever", points={"A": (0, 0)}, mass=0, inertia=0)
    model.revolute("A", "ground.A", "lever.A")
    model.drive("motor", "A", "sin(t)")
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
    """What is handed in as rubbing is the size of the friction; the load says whose reaction it needs."""
    model = lever()
    model.force("rub", "friction", "A", coulomb=0.1, radius=0.02)
    run = model.kinematics(0.1, 3.1, step=0.5)
    form = run.record.inspection.form
    (load,) = form.mechanism.loads
    assert load.rubbing == Rubbing("A", 0.1, 0.02)
    states = np.stack([np.stack([0 * run["t"]] * 2 + [run[f"lever.{w}"]], 1) for w in ("phi", "omega", "alpha")], 1)
    size = 1 + run["t"]
    done = applied(form, states, run.columns, {"rub": size})
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
    model.start("A", q=1.5)
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
        ({"effort": 0.6}, "needs a speed below which"),
        ({"coulomb": 0.1, "speed": 0.01}, '"radius" is missing'),
        ({"coulomb": 0.1, "effort": 0.6, "speed": 0.01}, "one of them"),
        ({"effort": 0.6, "radius": 0.02, "speed": 0.01}, 'needs "coulomb"'),
        ({"speed": 0.01}, 'neither "coulomb" nor "effort" nor "viscous" is given'),
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
    model.drive("push", "guide", "t")
    model.force("rub", "friction", "guide", coulomb=0.1, radius=0.02)
    with pytest.raises(mubo.ModelError, match='a slide has no "radius"'):
        model.inverse(0, 1, step=0.5)
