"""Friction with the reaction that it comes from, in a simulation (shared references, by two integrators each).

Pendulum m = 2 kg, 0.5 m, 0.2 kg m², pin of radius 0.02 m with μ = 0.3, released at 2 rad: turning points of the sharp
law; smoothed by tanh(ω/0.001) they differ by less than 2e-6 s. Block of 3 kg on 20°, 3 m/s up: references for
tanh(v/vs). In loops the second code, inverse dynamics at the rows, must find the same friction.
"""

import numpy as np
import pytest
from conftest import DATA

import mubo

TURNING = [1.0998127889469842, 2.171192657793185, 3.218954395879586, 4.246689684083913]


def pendulum(dimension):
    flat = dimension == 2
    model = mubo.Model("pendulum", dimension=dimension, gravity=(0, -9.81, 0)[:dimension])
    model.ground.point("A", (0,) * dimension)
    model.body("bar", points={"A": (0,) * dimension}, mass=2, inertia=0.2 if flat else (0.2,) * 3,
               center=(0, -0.5, 0)[:dimension])  # fmt: skip
    model.joint("A", "revolute", "ground.A", "bar.A", **({} if flat else {"axis": (0, 0, 1)}))
    model.start("A", q=2)
    return model


@pytest.mark.parametrize("dimension", [2, 3])
def test_pin_friction(dimension):
    model = pendulum(dimension)
    model.force("rub", "friction", "A", coulomb=0.3, radius=0.02, speed=0.001)
    model.watch("turns", "A.v", 0)
    run = model.simulate(0, 4.4, 0.05)
    np.testing.assert_allclose([event.t for event in run.events], TURNING, rtol=0, atol=2e-6)
    assert run.summary["energy"]["relative"] < 1e-7
    assert any("creeps at less than that" in note for note in run.summary["warnings"])


def test_friction_without_its_own_effect_would_differ():
    """|R| includes what friction does to it: with the frictionless reaction turning points shift at second order."""
    model = pendulum(2)
    model.force("rub", "friction", "A", coulomb=0.3, radius=0.02, speed=0.001)
    run = model.simulate(0, 1, 0.1, reactions=True)
    size = run["A.on_bar.f"]
    np.testing.assert_allclose(-run["rub.torque"][1:], 0.006 * size[1:] * np.tanh(run["A.v"][1:] / 0.001), rtol=1e-10)


@pytest.mark.parametrize(
    ("mu", "speed", "stop", "top", "end", "creep"),
    [
        (0.5, 0.01, 0.3774663973511787, 0.5650173977759674, 0.550052022, -0.009243322948258397),
        (0.5, 0.001, 0.3767548060875045, 0.5650136484591977, 0.563513553, -0.0009243322948258398),
        (0.25, 0.01, 0.5307126977163832, 0.7950826082191846, -0.350025797, None),
    ],
)
def test_a_block_on_an_incline(mu, speed, stop, top, end, creep):
    slope = np.radians(20)
    model = mubo.Model("block", gravity=(0, -9.81))
    model.ground.point("O", (0, 0))
    model.body("block", angle=slope, points={"O": (0, 0)}, mass=3, inertia=0.1)
    model.translational("slope", "ground.O", "block.O", axis=(np.cos(slope), np.sin(slope)))
    model.force("rub", "friction", "slope", coulomb=mu, speed=speed)
    model.start("slope", v=3)
    model.watch("stands", "slope.v", 0)
    run = model.simulate(0, 2, 0.05, reactions=True)
    assert run.events[0].t == pytest.approx(stop, abs=1e-8)
    assert run["slope.q"][-1] == pytest.approx(end, abs=2e-9)
    if creep is not None:
        assert run["slope.v"][-1] == pytest.approx(creep, rel=1e-7)
    np.testing.assert_allclose(run["slope.on_block.f"], 27.655153829729283, rtol=1e-10)
    again = model.simulate(0, run.events[0].t, run.events[0].t)
    assert again["slope.q"][-1] == pytest.approx(top, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "frictions"),
    [
        ("buffered", {"guide": {"coulomb": 0.15}, "A": {"coulomb": 0.2, "radius": 0.01},
                      "C": {"coulomb": 0.2, "radius": 0.01}}),
        ("released", {"A": {"coulomb": 0.2, "radius": 0.02}, "D": {"coulomb": 0.2, "radius": 0.02}}),
        ("rsup", {"slide": {"coulomb": 0.1}, "A": {"coulomb": 0.2, "radius": 0.01}}),
    ],
)  # fmt: skip
def test_friction_in_loops_agrees_with_the_reactions(name, frictions):
    """Joints of the tree and those that close the loop; the balance of every body, and energy, with the friction."""
    model = mubo.load(DATA / "dynamics" / f"{name}.toml")
    for joint, options in frictions.items():
        model.force(f"rub_{joint}", "friction", joint, **options, speed=0.01)
    run = model.simulate(0, 0.5, 0.025, reactions=True)
    assert run.summary["newton_euler"]["largest"] < 1e-12
    assert run.summary["energy"]["relative"] < 1e-8
    assert run["energy.dissipated"][-1] > 0
    for joint, options in frictions.items():
        second = model.joints[joint].between[1].partition(".")[0]
        size = options["coulomb"] * options.get("radius", 1.0) * run[f"{joint}.on_{second}.f"]
        told = next(run[c] for c in (f"rub_{joint}.force", f"rub_{joint}.torque") if c in run.columns)
        np.testing.assert_allclose(-told, size * np.tanh(run[f"{joint}.v"] / 0.01), rtol=1e-8, atol=1e-10 * size.max())


def test_a_joint_that_jams_stops_the_run():
    """A collar on a rail pushed far beside it: with μ l/h > 1 more friction makes more normal force without end."""
    model = mubo.Model("shaft", gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.body("disc", points={"A": (0, 0)}, mass=1, inertia=0.001, center=(0.2, 0))
    model.revolute("A", "ground.A", "disc.A")
    model.force("rub", "friction", "A", coulomb=3, radius=0.2, speed=0.01)
    model.start("A", v=5)
    with pytest.raises(mubo.ModelError, match="force rub: friction and the reaction of joint A do not settle"):
        model.simulate(0, 1, 0.1)


def test_friction_of_an_indeterminate_reaction_is_refused():
    model = mubo.load(DATA / "forces" / "door_two_hinges.toml")
    model.drivers.clear()
    hinge = next(iter(model.joints))
    model.force("rub", "friction", hinge, coulomb=0.1, radius=0.01, speed=0.01)
    with pytest.raises(mubo.ModelError, match="is indeterminate"):
        model.simulate(0, 0.1, 0.1)
