"""Reactions that equilibrium does not divide: least norm, stiffness, axes, and singular positions."""

import dataclasses
import math

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

MASS, REACH, HALF = 20.0, 0.45, 0.7


def _door(**options):
    """A door on two revolutes at ±0.7 m of its middle, its weight 0.45 m away from the axis; it stands."""
    model = mubo.Model("door", units={"length": "m", "angle": "rad", "mass": "kg"}, dimension=3)
    model.gravity = (0, 0, -9.81)
    for name, z in (("low", -HALF), ("high", HALF)):
        model.ground.point(name, (0, 0, z))
    model.body(
        "door", points={"low": (0, 0, -HALF), "high": (0, 0, HALF)}, mass=MASS, inertia=(1, 1, 1), center=(REACH, 0, 0)
    )
    for name in ("low", "high"):
        model.joint(name, "revolute", f"ground.{name}", f"door.{name}", axis=(0, 0, 1), **options)
    model.driver("closer", "low", 0.0)
    return model


def _expected(scale):
    """M = m g a about y of the resultant; each hinge M1 = l² M/(2 (l² + h²)), and forces ± h M/(2 (l² + h²)).

    The minimum of Σ |F|² + |M|²/l² under F₁ + F₂ = 0 and M₁ + M₂ + h (F₂ − F₁) = M, by Lagrange.
    """
    moment, below = MASS * 9.81 * REACH, 2 * (scale**2 + HALF**2)
    return scale**2 * moment / below, HALF * moment / below


@pytest.mark.parametrize("scale", [1.0, 0.1])
def test_least_norm_of_two_hinges(scale):
    run = _door().inverse(0, 1, step=1, length_scale=scale)
    moment, force = _expected(scale)
    np.testing.assert_allclose(np.abs(run["low.on_door.my"]), moment, rtol=1e-10)
    np.testing.assert_allclose(np.abs(run["high.on_door.fx"]), force, rtol=1e-10)
    np.testing.assert_allclose(run["high.on_door.fz"], MASS * 9.81 / 2, rtol=1e-12)
    assert not run.columns.column("low.on_door.fz").unique
    assert "(indeterminate)" in run.header(["low.on_door.fz"])[0]
    assert run.columns.column("low.on_door.mz").unique  # nothing acts there
    assert run.summary["reactions"]["unique_sums"] == ["low + high on door: the resultant"]


def test_millimetres_give_the_same_least_norm():
    """The default length scale is one metre, whatever the model's unit."""
    model = mubo.Model("door", units={"length": "mm", "angle": "rad", "mass": "kg"}, dimension=3)
    model.gravity = (0, 0, -9810)
    for name, z in (("low", -700), ("high", 700)):
        model.ground.point(name, (0, 0, z))
    model.body(
        "door",
        points={"low": (0, 0, -700), "high": (0, 0, 700)},
        mass=MASS,
        inertia=(1e6, 1e6, 1e6),
        center=(450, 0, 0),
    )
    for name in ("low", "high"):
        model.joint(name, "revolute", f"ground.{name}", f"door.{name}", axis=(0, 0, 1))
    model.driver("closer", "low", 0.0)
    run = model.inverse(0, 1, step=1)
    np.testing.assert_allclose(np.abs(run["high.on_door.fx"]) / 1000, _expected(1.0)[1], rtol=1e-10)


def test_stiffness_divides_what_equilibrium_does_not():
    """Equal springs k and k_θ store least at l² = k_θ/k; then the numbers are unique, and that is said."""
    run = _door(stiffness=4e7, turning_stiffness=9e5).inverse(0, 1, step=1)
    moment, force = _expected(math.sqrt(9e5 / 4e7))
    np.testing.assert_allclose(np.abs(run["low.on_door.my"]), moment, rtol=1e-9)
    np.testing.assert_allclose(np.abs(run["high.on_door.fx"]), force, rtol=1e-9)
    assert run.columns.column("low.on_door.my").unique
    assert run.summary["reactions"]["by_stiffness"] == ["low", "high"]
    assert run.summary["reactions"]["indeterminate"] == []
    assert all(run.reaction("low", on="door", axes="body").unique.values())


def test_a_body_yields_at_its_joints():
    """Springs one after the other: 1/k of a joint and of its bodies add up, here to k = 4e7 and k_θ = 9e5 again."""
    model = _door(stiffness=8e7, turning_stiffness=18e5)
    door = model.bodies["door"]
    model.bodies["door"] = dataclasses.replace(door, stiffness=8e7, turning_stiffness=18e5)
    run = model.inverse(0, 1, step=1)
    moment, force = _expected(math.sqrt(9e5 / 4e7))
    np.testing.assert_allclose(np.abs(run["low.on_door.my"]), moment, rtol=1e-9)
    np.testing.assert_allclose(np.abs(run["high.on_door.fx"]), force, rtol=1e-9)
    alone = _door()
    alone.bodies["door"] = dataclasses.replace(door, stiffness=4e7, turning_stiffness=9e5)
    np.testing.assert_allclose(np.abs(alone.inverse(0, 1, step=1)["low.on_door.my"]), moment, rtol=1e-9)


def test_a_stiffness_that_decides_nothing_is_told():
    """Of two hinges one states it, or none its turning stiffness: the least norm stays, and who lacks what is said."""
    model = _door(stiffness=4e7)
    run = model.inverse(0, 1, step=1)
    assert not run.columns.column("low.on_door.my").unique
    assert any("low, high lack stiffness and turning_stiffness" in note for note in run.summary["warnings"])
    run = _door().replace("low.stiffness", 4e7).replace("low.turning_stiffness", 9e5).inverse(0, 1, step=1)
    assert not run.columns.column("low.on_door.my").unique
    assert any("state it: high lacks" in note for note in run.summary["warnings"])
    assert not any("lack" in note for note in _door().inverse(0, 1, step=1).summary["warnings"])


def test_stiffness_decides_set_by_set():
    """Two doors: the hinges of one state their stiffness, those of the other do not and keep the least norm."""
    model = _door(stiffness=4e7, turning_stiffness=9e5)
    model.body(
        "gate", points={"low": (0, 0, -HALF), "high": (0, 0, HALF)}, mass=MASS, inertia=(1, 1, 1), center=(REACH, 0, 0)
    )
    for name in ("low", "high"):
        model.joint(f"gate_{name}", "revolute", f"ground.{name}", f"gate.{name}", axis=(0, 0, 1))
    model.driver("gate_closer", "gate_low", 0.0)
    run = model.inverse(0, 1, step=1)
    assert run.summary["reactions"]["by_stiffness"] == ["low", "high"]
    assert run.summary["reactions"]["sharing"] == [["gate_low", "gate_high"]]
    assert run.summary["reactions"]["unique_sums"] == ["gate_low + gate_high on gate: the resultant"]
    for name, scale in (("low.on_door", math.sqrt(9e5 / 4e7)), ("gate_low.on_gate", 1.0)):
        np.testing.assert_allclose(np.abs(run[f"{name}.my"]), _expected(scale)[0], rtol=1e-9)
        assert run.columns.column(f"{name}.my").unique == (name == "low.on_door")


def _parallelogram(angle, rate=0.0):
    """Three equal cranks of length 1 under one coupler, a force on the coupler's end."""
    model = mubo.Model("cranks", units={"length": "m", "angle": "rad"})
    ends, tops = {}, {}
    for k, x in enumerate((0.0, 1.0, 2.0)):
        model.ground.point(f"A{k}", (x, 0))
        ends[f"B{k}"] = (x, 0)
        at = (x, 0)
        model.body(f"crank{k}", position=at, angle=angle, points={"A": (0, 0), "B": (1, 0)})
        model.revolute(f"A{k}", f"ground.A{k}", f"crank{k}.A")
        tops[k] = f"crank{k}.B"
    model.body("coupler", position=(math.cos(angle), math.sin(angle)), points=ends)
    for k in range(3):
        model.revolute(f"B{k}", tops[k], f"coupler.B{k}")
    model.driver("motor", "crank0.phi", f"{angle!r} + {rate!r}*t")
    model.force("push", "point_force", "coupler.B2", direction=(1, 0), force=10.0)
    return model


def test_labels_in_link_axes():
    """The axial force of every crank is open, the transverse one unique: both are open in ground axes."""
    run = _parallelogram(0.6).inverse(0, 1, step=1)
    assert not run.columns.column("B1.on_coupler.fx").unique
    assert not run.columns.column("B1.on_coupler.fy").unique
    link = run.reaction("B1", on="crank1", axes="crank1")
    assert link.unique == {"fx": False, "fy": True, "m": True}
    np.testing.assert_allclose(link.fy, 0.0, atol=1e-12)  # a crank without motor or mass is a two-force member
    np.testing.assert_allclose(run["motor.effort"], 10 * math.sin(0.6), rtol=1e-12)


def test_upright_cranks_have_unique_horizontal_forces():
    run = _parallelogram(math.pi / 2).inverse(0, 1, step=1)
    assert run.columns.column("B1.on_coupler.fx").unique
    assert not run.columns.column("B1.on_coupler.fy").unique


def test_a_component_is_unique_only_if_it_is_so_all_the_time():
    """Cranks that turn to upright: there the horizontal force is unique, before it is not."""
    run = _parallelogram(math.pi / 2 - 0.5, rate=0.5).inverse(0, 1, step=0.5)
    assert run.reaction("B1", on="coupler").unique == {"fx": False, "fy": False, "m": True}


def test_another_point_moves_the_moment():
    run = _parallelogram(0.6).inverse(0, 1, step=1)
    here, there = run.reaction("B2", on="coupler"), run.reaction("B2", on="coupler", at="coupler.B0")
    np.testing.assert_allclose(there.m, 2.0 * here.fy, rtol=1e-12)  # B2 lies 2 m to the right of B0
    np.testing.assert_allclose(run.reaction("B2", on="crank2").fx, -here.fx)
    with pytest.raises(mubo.MuboError, match="does not join"):
        run.reaction("B2", on="crank0")


def test_unbounded_forces_are_told_and_no_number_stands_there():
    """At the change point of a parallelogram the coupler passes no torque on, whatever its pins carry."""
    model = mubo.Model("cranks", units={"length": "m", "angle": "rad"})
    for k, x in enumerate((0.0, 2.0)):
        model.ground.point(f"A{k}", (x, 0))
        model.body(f"crank{k}", position=(x, 0), points={"A": (0, 0), "B": (1, 0)}, angle=-0.4)
        model.revolute(f"A{k}", f"ground.A{k}", f"crank{k}.A")
    model.body("coupler", position=(math.cos(0.4), -math.sin(0.4)), points={"B0": (0, 0), "B1": (2, 0)})
    for k in range(2):
        model.revolute(f"B{k}", f"crank{k}.B", f"coupler.B{k}")
    model.driver("motor", "crank0.phi", "-0.4 + 0.4*t")
    model.force("brake", "body_torque", "crank1", torque=-3.0)
    run = model.inverse(0, 2, step=1)
    assert [event.kind for event in run.events if event.kind == "unbounded"] == ["unbounded"]
    assert np.isnan(run["B1.on_coupler.fx"][1])
    assert np.all(np.isfinite(run["B1.on_coupler.fx"][[0, 2]]))
    np.testing.assert_allclose(run["motor.effort"][[0, 2]], 3.0, rtol=1e-9)  # a parallelogram passes torque on


@pytest.mark.parametrize(("one", "two"), [(3e6, 1e6), (1e5, 4e6)])
def test_two_pins_share_an_axial_load_by_their_stiffness_alone(one, two):
    """A rigid bar on two pins moves by F/(k₁ + k₂): each takes its own k of it. A pin turns: it needs no more."""
    model = mubo.Model("bar", units={"length": "m", "angle": "rad"}, gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.ground.point("B", (2, 0))
    model.body("bar", points={"A": (0, 0), "B": (2, 0)})
    model.joint("A", "revolute", "ground.A", "bar.A", stiffness=one)
    model.joint("B", "revolute", "ground.B", "bar.B", stiffness=two)
    model.force("pull", "point_force", "bar.B", direction=(1, 0), force=100)
    run = model.inverse(0, 1, step=1)
    np.testing.assert_allclose(run["A.on_bar.fx"], -100 * one / (one + two), rtol=1e-9)
    np.testing.assert_allclose(run["B.on_bar.fx"], -100 * two / (one + two), rtol=1e-9)
    assert run.columns.column("A.on_bar.fx").unique


def test_sums_that_are_unique_come_in_the_order_of_the_bodies():
    """Not in that of a set of names, which differs from one process to the next."""
    model = mubo.load(EXAMPLES / "four_bar_in_space.toml")
    notes = [note for note in model.inverse().summary["warnings"] if note.startswith("unique although")]
    named = [note.partition(" on ")[2].partition(":")[0] for note in notes]
    assert named == [body for body in model.bodies if body in named]
    assert len(named) > 1
