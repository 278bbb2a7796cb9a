"""Drivers inside closed loops: simulation without a degree of freedom gives the efforts of inverse dynamics."""

import dataclasses

import numpy as np
import pytest
from conftest import DATA

import mubo


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "rsur", "spatial_slider_crank", "eight_bodies"])
def test_efforts_and_motion_of_a_driven_mechanism(name, form):
    """Efforts by multipliers of bodies in absolute coordinates, motion by Newton's method: a second formulation."""
    model = mubo.load(DATA / "forces" / f"{name}.toml")
    for force in list(model.forces):
        del model.forces[force]  # sizes over the motion are not simulated
    a = model.build().output_times()
    end, step = a.start + min(a.end - a.start, 40 * a.step), a.step * 4
    known, run = model.inverse(a.start, end, step=step), model.simulate(a.start, end, step, formulation=form)
    assert run.summary["dofs"] == 0
    for driver in model.drivers:
        column = f"{driver}.effort"
        size = float(np.max(np.abs(known[column])))
        assert np.max(np.abs(run[column] - known[column])) < 1e-8 * size, column
    for body in (name for name in model.bodies if name != "ground"):
        for letter in "xy":
            size = 1 + np.max(np.abs(known[f"{body}.a{letter}"]))
            assert np.max(np.abs(run[f"{body}.{letter}"] - known[f"{body}.{letter}"])) < 1e-9
            assert np.max(np.abs(run[f"{body}.a{letter}"] - known[f"{body}.a{letter}"])) < 1e-8 * size


def test_a_driver_that_is_no_joint_of_the_tree(form):
    """The crank of a released four-bar turned by its absolute angle, by its pin, and by the pin that closes the loop:
    the same power is put in. P = dT/dt + dV/dt of the motion."""
    released = mubo.load(DATA / "dynamics" / "released.toml")
    powers = []
    for of, law in (("A", "1.2 + 2*t"), ("crank.phi", "1.2 + 2*t")):
        model = released.copy()
        model.driver("motor", of, law)
        run = model.simulate(0, 1, 0.05, formulation=form)
        assert np.max(np.abs(run["crank.phi"] - 1.2 - 2 * run["t"])) < 1e-12
        powers.append(run["motor.effort"] * 2)
        assert run.summary["energy"]["relative"] < 1e-9
    np.testing.assert_allclose(powers[0], powers[1], rtol=1e-9, atol=1e-9)
    mean = np.trapezoid(powers[0], dx=0.05)
    assert mean == pytest.approx(run["energy.total"][-1] - run["energy.total"][0], rel=2e-2)


def test_a_planar_mechanism_in_space(form):
    """Four hinges in space: three rows redundant, named; it moves as the planar model does."""
    flat = mubo.load(DATA / "dynamics" / "released.toml")
    space = mubo.Model("released", dimension=3, gravity=(0, -9.81, 0))
    for point, at in flat.bodies["ground"].points.items():
        space.ground.point(point, (*at, 0))
    for body in (b for b in flat.bodies.values() if b.name != "ground"):
        half = body.angle / 2
        space.body(
            body.name, (*body.position, 0), orientation=(np.cos(half), 0, 0, np.sin(half)), mass=body.mass,
            points={name: (*at, 0) for name, at in body.points.items()}, inertia=(1e-3, *body.inertia, *body.inertia),
            center=(*body.center, 0),
        )  # fmt: skip
    for joint in flat.joints.values():
        space.revolute(joint.name, *joint.between, axis=(0, 0, 1))
    one, other = flat.simulate(0, 2, 0.1, formulation=form), space.simulate(0, 2, 0.1, formulation=form)
    assert len(other.summary["loops"]["left_out"]) == 3
    for column in ("coupler.x", "coupler.y", "coupler.vx", "rocker.ax", "energy.kinetic"):
        assert np.max(np.abs(one[column] - other[column])) < 1e-7, column
    assert other.summary["loops"]["gap"] < 1e-13


def test_what_loops_do_not_allow():
    """A coordinate out of reach is refused; rates that do not fit are told; stiff methods of trees are refused."""
    model = mubo.load(DATA / "dynamics" / "released.toml")
    model.initial("D", 3.0)
    with pytest.raises(mubo.AssemblyError):
        model.simulate(0, 1, 0.1)
    model = mubo.load(DATA / "dynamics" / "released.toml")
    model.initial("A", 1.2, 1.0)
    model.initial("crank", omega=1.0)
    model.initial("rocker", omega=1.0)
    run = model.simulate(0, 0.1, 0.1)
    assert any("do not fit the loops: the nearest motion is taken" in note for note in run.summary["warnings"])
    told = f"body rocker, omega, starts with {run['rocker.omega'][0]:.4g} rad/s, not with 1 rad/s"  # the farthest off
    assert any(told in note for note in run.summary["warnings"])
    ratio = (
        run["rocker.omega"][0] / run["crank.omega"][0]
    )  # of least squares: (a − 1)² twice, for A and crank, and (ratio a − 1)²
    assert run["A.v"][0] == pytest.approx((2 + ratio) / (2 + ratio**2), rel=1e-8)
    with pytest.raises(mubo.ModelError, match="LSODA on the tree would let the loops drift open"):
        model.simulate(0, 1, 0.1, method="LSODA")


@pytest.mark.parametrize("mass", [0, 1e-12])
def test_what_has_no_inertia_beside_a_loop_is_named(mass):
    """A flag on a pin of its own: without mass refused by its joint; a hair's mass moves, and the spread is told."""
    model = mubo.load(DATA / "dynamics" / "released.toml")
    model.body("flag", (0.7, 0), points={"D": (0, 0)}, mass=mass, inertia=mass)
    model.revolute("F", "ground.D", "flag.D")
    if mass:
        assert any("times that of flag" in note for note in model.simulate(0, 0.1, 0.1).summary["warnings"])
        return
    with pytest.raises(mubo.ModelError, match="joint F: nothing resists its motion"):
        model.simulate(0, 0.1, 0.1)


def test_masses_too_far_apart_are_not_called_a_singular_position():
    model = mubo.load(DATA / "dynamics" / "released.toml")
    for name, mass in (("coupler", 2.5e9), ("rocker", 1e-6)):
        model.bodies[name] = dataclasses.replace(model.bodies[name], mass=mass, inertia=(mass / 30,))
    with pytest.raises(mubo.ModelError, match="cannot be determined: the mass of coupler is"):
        model.simulate(0, 0.1, 0.1)


def test_a_driver_of_a_joint_that_loops_hold_fast_is_named():
    """A plate on a pin that a rod to the pin's own place holds at one length: nothing turns, nothing else is driven."""
    model = mubo.Model("held fast", gravity=(0, -9.81))
    model.ground.point("A", (0, 0))
    model.ground.point("B", (1, 0))
    model.body("plate", points={"A": (0, 0), "P": (0.3, 0.4)}, mass=1, inertia=0.1)
    model.body("bob", (1, 0), points={"B": (0, 0)}, mass=1, inertia=0.1, center=(0.2, 0))
    model.revolute("A", "ground.A", "plate.A")
    model.revolute("B", "ground.B", "bob.B")
    model.joint("rod", "distance", "ground.B", "plate.P", length=float(np.hypot(0.7, 0.4)))
    model.driver("motor", "A", "0.3*t", start="as drawn")
    model.initial("B", v=1.0)
    with pytest.raises(mubo.MuboError, match="driver motor"):
        model.simulate(0, 0.1, 0.1)


@pytest.mark.parametrize("joint", ["A", "C"])
def test_a_rate_alone_is_met_where_the_mechanism_is_drawn(joint):
    """Of a joint of the tree and of the one that closes the loop: as if its coordinate had been given as well."""
    model = mubo.load(DATA / "dynamics" / "released.toml")
    drawn = model.simulate(0, 0.1, 0.1)[f"{joint}.q"][0]
    rates = []
    for start in ({}, {"q": float(drawn)}):
        model.initial_joints.clear()
        model.initial(joint, v=1.5, **start)
        run = model.simulate(0, 0.1, 0.1)
        rates.append([run[f"{name}.v"][0] for name in "ABCD"])
        assert run[f"{joint}.v"][0] == pytest.approx(1.5, abs=1e-12)
    np.testing.assert_allclose(rates[0], rates[1], atol=1e-9)


def test_angles_of_a_loop_of_slides_beyond_half_a_turn():
    """Four slides in a ring fix all angles; drawn at 200°, −170° and 100° the ring closes, and as
    nothing turns every body falls along a straight line with a constant acceleration."""
    model = mubo.Model("slides", gravity=(0, -9.81))
    model.ground.point("O", (0, 0))
    directions = {"a": (1.0, 0.2), "b": (0.3, 1.0), "c": (1.0, -0.7)}
    angles = {"ground": 0.0, "a": 200.0, "b": -170.0, "c": 100.0}
    for name in directions:
        model.body(name, (0, 0), np.radians(angles[name]), {"O": (0, 0)}, mass=1.0, inertia=0.1)

    def seen(vector, body):
        c, s = np.cos(np.radians(angles[body])), np.sin(np.radians(angles[body]))
        return (c * vector[0] + s * vector[1], c * vector[1] - s * vector[0])

    for one, two in (("ground", "a"), ("a", "b"), ("b", "c")):
        model.translational(f"to_{two}", f"{one}.O", f"{two}.O", axis=seen(directions[two], one))
    model.translational("back", "c.O", "ground.O", axis=seen((0.0, 1.0), "c"))
    run = model.simulate(0, 0.5, 0.05)
    assert run["a.phi"][0] == pytest.approx(np.radians(200), abs=1e-12)
    assert run["b.phi"][0] == pytest.approx(np.radians(-170), abs=1e-12)
    assert run.summary["dofs"] == 2
    assert len(run.summary["loops"]["left_out"]) == 1
    for name in directions:  # straight ways at constant acceleration, angles fixed
        assert np.max(np.abs(run[f"{name}.phi"] - run[f"{name}.phi"][0])) < 1e-12
        for letter in "xy":
            way = 0.5 * run[f"{name}.a{letter}"][0] * run["t"] ** 2
            np.testing.assert_allclose(run[f"{name}.{letter}"], way, atol=1e-10)
    assert run.summary["energy"]["relative"] < 1e-9
