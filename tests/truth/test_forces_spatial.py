"""Inverse dynamics in space against free bodies solved in 40 digits; the rotor also by its closed form."""

import force_cases as cases
import numpy as np
import pytest
from newton_euler import FreeBodies

NAMES = ("rotor", "disc_arm", "robot", "spatial_slider_crank", "rsur")


@pytest.fixture(scope="module", params=NAMES)
def case(request):
    return request.param, *cases.solved(request.param)


def test_reactions_and_efforts(case):
    name, _, run = case
    cases.compare(run, cases.reference(name))


def test_every_component_is_unique(case):
    """None of these is redundant."""
    name, _, run = case
    for column in cases.reference(name)["columns"]:
        if ".on_" in column or column.endswith(".effort"):
            assert run.columns.column(column).unique, column


def test_every_link_is_in_balance(case):
    _, model, run = case
    assert FreeBodies(model, run).residual() < 1e-10
    told = run.summary  # the same by the run's own proof
    assert max(told["power_residual"], told["newton_euler"]["largest"], told["virtual_work"]) < 1e-9


def test_power_of_drivers_and_loads_is_the_rate_of_energy(case):
    _, model, run = case
    free = FreeBodies(model, run)
    loads = sum((run[f"{name}.power"] for name in model.forces), np.zeros(len(run["t"])))
    given, needed = free.driver_power() + loads, free.needed_power()
    size = (
        sum(np.max(np.abs(run[f"{d}.power"])) for d in model.drivers) + np.max(np.abs(loads)) + np.max(np.abs(needed))
    )
    assert np.max(np.abs(given - needed)) < 1e-10 * max(size, free.largest)


def test_energy(case):
    name, _, run = case
    stored = cases.reference(name)["columns"]
    size = max(np.max(np.abs(stored[f"energy.{kind}"])) for kind in ("kinetic", "potential"))
    for kind in ("kinetic", "potential"):
        np.testing.assert_allclose(run[f"energy.{kind}"], stored[f"energy.{kind}"], rtol=0, atol=1e-9 * size)


def test_a_rotor_out_of_balance():
    """At angle zero of a steady turn ω about z: f = m (a − g) with a = −ω² (c_x, c_y, 0), and about the bearing the
    moment ω × I ω + c × f, where ω × I ω = (−I_yz, I_xz, 0) ω²."""
    _, run = cases.solved("rotor")
    m, g, omega, c = 3.0, np.array([0, 0, -9.81]), 100.0, np.array([0.005, -0.002, 0.1])
    force = m * (-(omega**2) * np.array([c[0], c[1], 0]) - g)
    spin = np.array([-0.002 * omega**2, -0.004 * omega**2, 0])  # ω × I ω with I_xz = −0.004, I_yz = 0.002
    moment = spin + np.cross(c, force)
    found = cases.wrench(run, "bearing", "rotor")[0]
    np.testing.assert_allclose(found, [*force, *moment], rtol=0, atol=1e-9 * np.max(np.abs(force)))


def test_efforts_of_a_tree_are_those_of_the_recursion():
    """The robot's drivers against RNEA at the joint coordinates of every row."""
    model, run = cases.solved("robot")
    for k in range(0, len(run["t"]), 8):
        state = [[float(run[f"{joint}.{word}"][k]) for joint in ("base", "elbow")] for word in "qva"]
        tau = model.inverse_dynamics(*state)
        np.testing.assert_allclose([run["m1.effort"][k], run["m2.effort"][k]], tau, rtol=0, atol=1e-8)


def test_axes_and_points_on_request():
    _, run = cases.solved("robot")
    here, own = run.reaction("elbow", on="link2"), run.reaction("elbow", on="link2", axes="body")
    size = np.linalg.norm(here.force, axis=1)
    np.testing.assert_allclose(np.linalg.norm(own.force, axis=1), size, rtol=1e-12)
    assert (here.axes, own.axes) == ("ground", "link2")
    about = run.reaction("elbow", on="link2", at="ground.base")
    shifted = here.moment + np.cross(here.point, here.force)  # M' = M + (P − P') × F, about the origin
    np.testing.assert_allclose(about.moment, shifted, rtol=0, atol=1e-9 * np.max(np.abs(shifted)))
    assert not np.any(about.point)
    opposite = run.reaction("elbow", on="link1")
    np.testing.assert_array_equal(opposite.force, -here.force)
    np.testing.assert_array_equal(opposite.moment, -here.moment)
