"""Reflected inertia of a drive: a rotor of inertia J behind a gear of ratio n adds n² J to the mass matrix."""

from dataclasses import replace

import numpy as np
import pytest

import mubo

G = 9.81


def pendulum(armature):
    """A point mass m at the distance l below a hinge, in a plane: I = m l²."""
    model = mubo.Model("pendulum", dimension=3, gravity=(0, 0, -G))
    model.ground.point("O", (0, 0, 0))
    model.body("bob", points={"O": (0, 0, 0)}, mass=2.0, inertia=(0, 0, 0), center=(0, 0, -0.5))
    model.joint("pin", "revolute", "ground.O", "bob.O", axis=(0, 1, 0), armature=armature)
    return model


def test_a_pendulum_with_reflected_inertia():
    """(m l² + n² J) a = −m g l sin q; kinetic energy ½ (m l² + n² J) v²."""
    model = pendulum(0.3)
    whole, moment = 2 * 0.25 + 0.3, 2 * G * 0.5
    assert model.mass_matrix([0.4])[0, 0] == pytest.approx(whole, rel=1e-15)
    assert model.forward_dynamics([0.4], [1.0], [0.0])[0] == pytest.approx(-moment * np.sin(0.4) / whole, rel=1e-14)
    assert model.inverse_dynamics([0.4], [1.0], [2.0])[0] == pytest.approx(whole * 2 + moment * np.sin(0.4), rel=1e-14)
    assert model.energy([0.4], [2.0]).kinetic == pytest.approx(0.5 * whole * 4, rel=1e-14)
    assert model.inverse_dynamics_derivatives([0.4], [1.0], [2.0]).a[0, 0] == pytest.approx(whole, rel=1e-15)


def test_energy_is_conserved_and_the_driver_feels_it(tmp_path):
    model = pendulum("0.3 kg m^2")
    model.initial("pin", 1.2)
    run = model.simulate(0, 2, step=0.1)
    total = run["energy.total"]
    assert np.ptp(total) < 1e-8 * abs(total[0])
    model.save(tmp_path / "pendulum.toml")
    assert mubo.load(tmp_path / "pendulum.toml").joints["pin"].options["armature"] == 0.3
    driven = pendulum(0.3)
    driven.driver("motor", "pin", "t**2")
    effort = driven.simulate(0, 1, step=0.5)["motor.effort"]
    assert effort == pytest.approx([0.8 * 2 + G * np.sin(q) for q in (0, 0.25, 1)], rel=1e-10)


@pytest.mark.parametrize("ball", [False, True])
def test_recursions_agree(ball):
    """Articulated bodies, composite bodies and Newton–Euler give the same equations: M a + h = τ."""
    model = mubo.Model("arm", dimension=3, gravity=(1, 2, -3))
    model.ground.point("O", (0, 0, 0))
    for name in ("a", "b", "c"):
        points = {"O": (0, 0, 0), "P": (0.3, 0.1, 0.7)}
        model.body(name, points=points, mass=2.0, inertia=(0.1, 0.2, 0.25), center=(0.1, 0.2, 0.3))
    model.joint("A", "revolute", "ground.O", "a.O", axis=(1, 2, 3), armature=0.4)
    kind = {"kind": "spherical"} if ball else {"kind": "prismatic", "axis": (1, 0, 2)}
    model.joint("B", kind.pop("kind"), "a.P", "b.O", armature=0.7, **kind)
    model.joint("C", "revolute", "b.P", "c.O", axis=(0, 1, 0), armature=0.2)
    q = [0.3, 0.5, 0.5, 0.5, 0.5, -0.4] if ball else [0.3, 0.2, -0.4]
    v = np.linspace(-1, 1, 5 if ball else 3)
    a = v[::-1] + 0.3
    M, h, tau = model.mass_matrix(q), model.bias(q, v), model.inverse_dynamics(q, v, a)
    assert M @ a + h == pytest.approx(tau, abs=1e-13)
    assert model.forward_dynamics(q, v, tau) == pytest.approx(a, abs=1e-12)
    bare = model.copy()
    for name, joint in bare.joints.items():
        bare.joints[name] = replace(joint, options={**joint.options, "armature": 0.0})
    added = np.diag(M - bare.mass_matrix(q))
    assert added == pytest.approx([0.4, *[0.7] * (3 if ball else 1), 0.2], abs=1e-14)


def test_wittenburg_and_radau_refuse_it_by_name():
    """The reflected inertia belongs to a joint coordinate and to no body: formulations of bodies alone state so."""
    model = pendulum(0.3)
    model.initial("pin", 1.2)
    for formulation in ("absolute", "wittenburg"):
        with pytest.raises(
            mubo.ModelError, match=r"joint pin: the reflected inertia of a drive \(armature\) belongs to"
        ):
            model.simulate(0, 1, step=0.5, formulation=formulation)


def test_it_acts_in_linearised_motion_and_in_forces():
    """ω² = m g l / (m l² + n² J); the effort of a driver is (m l² + n² J) q̈ + m g l sin q; the pin carries the weight
    and the centripetal force, on which the rotor has no part."""
    model = pendulum(0.3 / 25)
    model.joints["pin"] = replace(model.joints["pin"], options={**model.joints["pin"].options, "gear_ratio": 5.0})
    whole, moment = 2 * 0.25 + 0.3, 2 * G * 0.5
    found = model.linearize()
    assert found.M[0, 0] == pytest.approx(whole, rel=1e-12)
    assert found.K[0, 0] == pytest.approx(moment, rel=1e-9)
    model.initial("pin", 1.2)
    run = model.simulate(0, 0.5, step=0.1, reactions=True)
    q, v, a = run["pin.q"], run["pin.v"], run["pin.a"]
    force = np.column_stack([run[f"pin.on_bob.f{letter}"] for letter in "xz"])
    along = np.column_stack([-np.sin(q), -np.cos(q)])  # from the pin to the bob
    assert np.sum(force * -along, 1) == pytest.approx(2 * (0.5 * v**2 + G * np.cos(q)), rel=1e-6)
    assert a == pytest.approx(-moment * np.sin(q) / whole, rel=1e-6)
    assert run.verify().holds
    model.driver("motor", "pin", "t**2")
    run = model.inverse(0, 1, step=0.5)
    assert run["motor.effort"] == pytest.approx([whole * 2 + moment * np.sin(q) for q in (0, 0.25, 1)], rel=1e-10)
    assert run.verify().holds


@pytest.mark.parametrize("ball", [False, True])
def test_absolute_coordinates_and_the_tree_agree(ball):
    """Newton and Euler of all bodies hold along the motion of the tree, with the reflected inertias of all kinds."""
    model = mubo.Model("arm", dimension=3, gravity=(1, 2, -3))
    model.ground.point("O", (0, 0, 0))
    for name in ("a", "b"):
        points = {"O": (0, 0, 0), "P": (0.3, 0.1, 0.7)}
        model.body(name, points=points, mass=2.0, inertia=(0.1, 0.2, 0.25), center=(0.1, 0.2, 0.3))
    model.joint("A", "revolute", "ground.O", "a.O", axis=(1, 2, 3), armature=0.4)
    kind = {"kind": "spherical"} if ball else {"kind": "prismatic", "axis": (1, 0, 2)}
    model.joint("B", kind.pop("kind"), "a.P", "b.O", armature=0.7, **kind)
    run = model.simulate(0, 0.3, step=0.1, reactions=True)
    checks = {check.name: check for check in run.verify().checks}
    assert checks["equations of motion"].holds
    assert checks["kinetic energy"].holds


def test_a_crank_of_the_plane_with_a_geared_motor():
    """A slider of mass m on a rack-like guide, and a crank of inertia I with a rotor: both feel n² J."""
    model = mubo.Model("crank", gravity=(0, -G))
    model.ground.point("O", (0, 0))
    model.body("crank", points={"O": (0, 0)}, mass=2.0, inertia=0.1, center=(0.5, 0))
    model.joint("pin", "revolute", "ground.O", "crank.O", armature="0.002 kg m^2", gear_ratio=10)
    model.driver("motor", "pin", "t**2")
    expected = [(0.1 + 0.5 + 0.2) * 2 + 2 * G * 0.5 * np.cos(q) for q in (0, 0.25, 1)]
    for run in (model.inverse(0, 1, step=0.5), model.simulate(0, 1, step=0.5)):
        assert run["motor.effort"] == pytest.approx(expected, rel=1e-10)


def test_a_joint_that_closes_a_loop_has_no_coordinate_for_it():
    model = pendulum(0.3)
    model.body("second", points={"O": (0, 0, 0)}, mass=1.0, inertia=(1, 1, 1))
    model.joint("other", "revolute", "ground.O", "second.O", axis=(0, 1, 0))
    model.joint("lock", "revolute", "bob.O", "second.O", axis=(0, 1, 0), role="cut", armature=0.1)
    with pytest.raises(mubo.ModelError, match="joint lock: it closes a loop and has no coordinate for its armature"):
        model.mass_matrix([0, 0])
