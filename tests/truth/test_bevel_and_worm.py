"""Bevel gears, worm gears and the trains built of them: ratios, tooth forces and bearing loads by closed forms.

Sources: Budynas and Nisbett, Shigley's Mechanical Engineering Design (2015), equations 13-38 to 13-46 (bevel and worm
forces); Uicker, Pennock and Shigley, Theory of Machines and Mechanisms (2011), 8.9 and 9.8 (cones, differential).
"""

import math

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

ALPHA = math.radians(20)


def bevel(angle, teeth=(16, 40), radius=0.02, torque=20.0, motion="2*t"):
    """Wheels on shafts at an angle, both 0.1 from where the shafts meet; the first runs at 2 rad/s, a torque brakes
    the second."""
    model = mubo.Model("bevel", dimension=3, gravity=(0, 0, 0))
    one, two = np.array([1.0, 0, 0]), np.array([math.cos(angle), 0, math.sin(angle)])
    for name, axis in (("a", one), ("b", two)):
        model.ground.point(name, 0.1 * axis)
        model.body(name, points={"O": (0, 0, 0)}, mass=1, inertia=(1e-3, 1e-3, 1e-3))
        model.joint(name.upper(), "revolute", f"ground.{name}", f"{name}.O", axis=axis)
    model.joint("mesh", "bevel_gears", "a.O", "b.O", of=("A", "B"), teeth=teeth, radius=radius)
    model.driver("motor", "A", motion)
    model.force("brake", "body_torque", "b", direction=tuple(two), torque=torque)
    return model, one, two


@pytest.mark.parametrize("degrees", [90, 60, 110])
def test_bevel_gears_turn_by_their_teeth_and_push_by_their_cones(degrees):
    """q_b = ∓ q_a z_a/z_b for any number of turns; F = T/r, F tan α sin δ along each shaft away from the apex and
    F tan α cos δ towards it (Shigley 13-39)."""
    angle, torque = math.radians(degrees), 20.0
    model, one, two = bevel(angle, torque=torque)
    run = model.inverse(0, 12, step=0.05)
    ratio = run["B.q"] / run["A.q"].clip(1e-9)
    assert np.allclose(abs(ratio[1:]), 16 / 40, rtol=1e-10)
    cone = math.atan2(math.sin(angle), 40 / 16 + math.cos(angle))
    sense = np.sign(ratio[1])
    tooth = torque / (0.02 * 40 / 16)
    assert run["motor.effort"] == pytest.approx(-sense * torque * 16 / 40, rel=1e-9)
    assert abs(run["mesh.force"]) == pytest.approx(tooth / math.cos(ALPHA), rel=1e-9)
    for bearing, axis, delta in (("A", one, cone), ("B", two, angle - cone)):
        force = np.array([run[f"{bearing}.on_{bearing.lower()}.f{c}"] for c in "xyz"]).T
        across = np.cross(one, two) / math.sin(angle)
        assert abs(force @ across) == pytest.approx(tooth, rel=1e-9)
        assert -force @ axis == pytest.approx(tooth * math.tan(ALPHA) * math.sin(delta), rel=1e-9)
        other = np.cross(across, axis)
        assert abs(force @ other) == pytest.approx(tooth * math.tan(ALPHA) * math.cos(delta), rel=1e-9)


def worm_drive(teeth=(2, 40), hand="right", r=0.02, apart=0.1, torque=25.0, driver="A", motion="3*t", **friction):
    model = mubo.Model("worm", dimension=3, gravity=(0, 0, 0))
    model.ground.point("a", (0, 0, 0))
    model.ground.point("b", (0, 0, apart))
    for name, axis, inertia in (("a", (1, 0, 0), (0.01, 0.02, 0.02)), ("b", (0, 1, 0), (0.02, 0.03, 0.02))):
        model.body(name, points={"O": (0, 0, 0)}, mass=1, inertia=inertia)
        model.joint(name.upper(), "revolute", f"ground.{name}", f"{name}.O", axis=axis)
    model.joint("mesh", "worm_gear", "a.O", "b.O", of=("A", "B"), teeth=teeth, radius=r, hand=hand)
    model.force("load", "body_torque", "b", direction=(0, 1, 0), torque=torque)
    if driver:
        model.driver("motor", driver, motion)
    if friction:
        model.force("loss", "friction", "A", **{"mesh": "mesh", **friction})
    return model


@pytest.mark.parametrize("hand", ["right", "left"])
def test_a_worm_turns_its_wheel_by_its_threads_and_thrusts_along_its_shaft(hand):
    """Thrust of the worm = tangential force of the wheel T/r_2; separating force F tan α/… by the normal force
    (Shigley 13-41): F_x = N cos φ sin λ, F_y = N sin φ, F_z = N cos φ cos λ."""
    run = worm_drive(hand=hand).inverse(0, 30, step=0.1)
    sense = 1.0 if hand == "right" else -1.0
    assert run["B.q"] == pytest.approx(sense * run["A.q"] / 20, abs=1e-9)  # thread moves along +x, at the bottom of b
    lead = math.atan(2 * 0.08 / (40 * 0.02))
    thrust = 25.0 / 0.08
    force = np.array([run[f"A.on_a.f{c}"] for c in "xyz"])
    assert abs(force[0]) == pytest.approx(thrust, rel=1e-9)
    assert abs(force[1]) == pytest.approx(thrust * math.tan(lead), rel=1e-9)
    assert force[2] == pytest.approx(thrust / math.cos(lead) * math.tan(ALPHA), rel=1e-9)
    assert abs(run["motor.effort"]) == pytest.approx(25.0 / 20, rel=1e-9)


def test_crossed_helical_gears_keep_their_ratio_and_power():
    """Shafts at 60°: the ratio is that of the teeth, and the power that enters leaves."""
    model = worm_drive()
    model = mubo.Model("crossed", dimension=3, gravity=(0, 0, 0))
    model.ground.point("a", (0.3, 0, 0))
    model.ground.point("b", (0, 0, 0.1))
    for name, axis in (("a", (1, 0, 0)), ("b", (0.5, math.sqrt(0.75), 0))):
        model.body(name, points={"O": (0, 0, 0)}, mass=1, inertia=(1e-3, 1e-3, 1e-3))
        model.joint(name.upper(), "revolute", f"ground.{name}", f"{name}.O", axis=axis)
    model.joint("mesh", "worm_gear", "a.O", "b.O", of=("A", "B"), teeth=(7, 19), radius=0.03)
    model.driver("motor", "A", "5*t")
    model.force("load", "body_torque", "b", direction=(0.5, math.sqrt(0.75), 0), torque=-3)
    run = model.inverse(0, 5, step=0.05)
    assert abs(run["B.q"]) == pytest.approx(abs(run["A.q"]) * 7 / 19, abs=1e-9)
    assert abs(run["motor.effort"]) == pytest.approx(3 * 7 / 19, rel=1e-9)


@pytest.mark.parametrize(
    "model",
    [bevel(1.2, motion="sin(2*t)")[0], worm_drive(motion="sin(2*t)"), worm_drive(motion="sin(2*t)", coulomb=0.15)],
    ids=["bevel", "worm", "worm with friction"],
)
def test_everything_about_a_pair_of_wheels_is_verified(model):
    """Newton and Euler of every body, power, virtual work, the other formulation, half the step."""
    found = model.inverse(0.1, 3, step=0.1).verify()
    assert found.holds, str(found)


def test_a_simulation_of_bevel_gears_has_the_inertia_of_both_shafts():
    """J = J_a + J_b (z_a/z_b)²; both formulations."""
    model, _, _ = bevel(math.pi / 2, torque=0.0)
    del model.drivers["motor"]
    model.force("push", "joint_effort", "A", effort=0.5)
    J = 1e-3 * (1 + 0.4**2)
    for formulation in ("tree", "absolute"):
        run = model.simulate(0, 0.4, step=0.1, formulation=formulation)
        assert run["A.q"] == pytest.approx(0.5 / J * run["t"] ** 2 / 2, rel=1e-6, abs=1e-9)
        assert abs(run["B.q"]) == pytest.approx(0.4 * run["A.q"], rel=1e-6, abs=1e-9)


def test_a_differential_shares_its_torque_and_turns_at_the_mean():
    run = mubo.load(EXAMPLES / "car_differential.toml").inverse()
    cage = run["C.v"]
    left, right = cage + run["L.v"], cage + run["R.v"]
    assert (left + right) / 2 == pytest.approx(cage, rel=1e-9)
    assert abs(cage) == pytest.approx(np.full(len(cage), 360 * 13 / 52), rel=1e-9)
    assert np.ptp(left - right) > 50
    slow = np.argmin(abs(run["t"] - 1.0))  # the axles turn steadily apart: no inertia counts
    assert abs(run["engine.effort"][slow]) == pytest.approx(60e6 * 13 / 52, rel=2e-2)


@pytest.mark.parametrize("options", [{"radius": 0.2}, {"teeth": (0, 3)}, {"of": ("A", "A")}, {"of": ("A",)}])
def test_wrong_wheels_are_refused_by_name(options):
    model = worm_drive()
    given = {"of": ("A", "B"), "teeth": (2, 40), "radius": 0.02} | options
    del model.joints["mesh"]

    def ask():
        model.joint("mesh", "worm_gear", "a.O", "b.O", **given)
        model.inverse(0, 1)

    with pytest.raises(mubo.ModelError, match="mesh"):
        ask()


def test_bevel_gears_whose_shafts_pass_each_other_are_refused():
    model = worm_drive()
    del model.joints["mesh"]
    model.joint("mesh", "bevel_gears", "a.O", "b.O", of=("A", "B"), teeth=(2, 40), radius=0.02)
    with pytest.raises(mubo.ModelError, match="pass each other"):
        model.inverse(0, 1)
