"""Inverse dynamics of planar linkages against free bodies solved in 40 digits."""

import force_cases as cases
import numpy as np
import pytest
from newton_euler import FreeBodies

import mubo

NAMES = ("slider_crank", "four_bar", "eight_bodies", "eleven_bar")


@pytest.fixture(scope="module", params=NAMES)
def case(request):
    return request.param, *cases.solved(request.param)


def test_reactions_and_efforts(case):
    name, _, run = case
    expected = cases.reference(name)
    expected["columns"] = {
        k: v for k, v in expected["columns"].items() if not k.startswith("shaking") and k in run.columns
    }
    missing = [k for k in cases.reference(name)["columns"] if k.endswith("effort") and k not in run.columns]
    assert not missing
    cases.compare(run, expected)


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
    assert np.max(np.abs(given - needed)) < 1e-10 * max(np.max(np.abs(free.driver_power())), np.max(np.abs(loads)))
    for driver in model.drivers:
        np.testing.assert_allclose(run[f"{driver}.power"], run[f"{driver}.effort"] * run[f"{driver}.rate"], rtol=1e-12)


def test_energy(case):
    name, _, run = case
    stored = cases.reference(name)["columns"]
    size = max(np.max(np.abs(stored[f"energy.{kind}"])) for kind in ("kinetic", "potential"))
    for kind in ("kinetic", "potential"):
        np.testing.assert_allclose(run[f"energy.{kind}"], stored[f"energy.{kind}"], rtol=0, atol=1e-9 * size)


def test_both_sides_of_a_pin_are_opposite():
    """The reference has the pins B and C of the four-bar on both bodies."""
    _, run = cases.solved("four_bar")
    stored = cases.reference("four_bar")["columns"]
    for joint, on, other in (("B", "coupler", "crank"), ("C", "rocker", "coupler")):
        here, there = cases.wrench(run, joint, on), cases.wrench(run, joint, other)
        size = np.max(np.abs(stored[f"{joint}.on_{on}.fx"]))
        for k, word in enumerate(("fx", "fy")):
            np.testing.assert_allclose(here[:, k], stored[f"{joint}.on_{on}.{word}"], rtol=0, atol=1e-9 * size)
            np.testing.assert_allclose(there[:, k], stored[f"{joint}.on_{other}.{word}"], rtol=0, atol=1e-9 * size)
        np.testing.assert_array_equal(there, -here)


def test_shaking_force_and_moment():
    """By A, D and the motor on the frame, weights included, about A, the origin; the load comes from outside."""
    model, run = cases.solved("four_bar")
    stored = cases.reference("four_bar")["columns"]
    size = np.max(np.abs(stored["shaking.on_ground.fx"]))
    for ours, theirs in (("fx", "fx"), ("fy", "fy"), ("m", "m_about_A")):
        np.testing.assert_allclose(
            run[f"shaking.{ours}"], stored[f"shaking.on_ground.{theirs}"], rtol=0, atol=1e-9 * size
        )
    bodies = [name for name in model.bodies if name != "ground"]
    free = FreeBodies(model, run)
    needed = sum(free.inertial(name)[0] for name in bodies)  # without weights and loads
    for k, word in enumerate(("fx", "fy")):
        inertia = np.array(stored[f"shaking.inertia_only.{word}"])
        np.testing.assert_allclose(-needed[:, k], inertia, rtol=0, atol=1e-9 * size)
    weightless = model.copy()
    weightless.gravity = (0.0, 0.0)
    weightless.forces.clear()
    bare = weightless.inverse(run["t"][0], run["t"][-1], step=run["t"][1] - run["t"][0])
    for ours, theirs in (("fx", "fx"), ("fy", "fy"), ("m", "m_about_A")):
        inertia = stored[f"shaking.inertia_only.{theirs}"]
        np.testing.assert_allclose(bare[f"shaking.{ours}"], inertia, rtol=0, atol=1e-9 * size)


def test_the_moment_of_a_guide_belongs_to_its_point():
    """At the piston pin as the columns say; at another point of the piston M' = M + (P − P') × F."""
    _, run = cases.solved("slider_crank")
    pin, other = run.reaction("guide", on="piston"), cases.wrench(run, "guide", "piston", at="ground.G")
    np.testing.assert_allclose(pin.point, np.column_stack([run["piston.x"], run["piston.y"]]), rtol=0, atol=1e-12)
    shift = run["piston.x"]
    expected = run["guide.on_piston.m"] + shift * run["guide.on_piston.fy"]
    np.testing.assert_allclose(other[:, 2], expected, rtol=0, atol=1e-9 * np.max(np.abs(expected)))


def test_the_moment_about_any_point():
    """M' = M + (P − P') × F; on the crank the opposite."""
    _, run = cases.solved("four_bar")
    pin = run.reaction("B", on="coupler")
    about = cases.wrench(run, "B", "coupler", at="ground.D")
    x, y = (pin.point - np.array([2.5, 0.0])).T
    moment = x * pin.fy - y * pin.fx
    np.testing.assert_allclose(about[:, 2], moment, rtol=0, atol=1e-9 * np.max(np.abs(moment)))
    np.testing.assert_array_equal(about[:, :2], pin.force)
    np.testing.assert_allclose(cases.wrench(run, "B", "crank", at="ground.D"), -about, rtol=1e-12)


def test_body_axes_turn_with_the_body():
    _, run = cases.solved("four_bar")
    ground, own = (cases.wrench(run, "B", "coupler", axes=axes) for axes in ("ground", "body"))
    c, s = np.cos(run["coupler.phi"]), np.sin(run["coupler.phi"])
    along = c * ground[:, 0] + s * ground[:, 1]
    np.testing.assert_allclose(own[:, 0], along, rtol=0, atol=1e-9 * np.max(np.abs(along)))


def test_the_three_links_of_a_pin_do_not_depend_on_how_it_is_declared():
    """Pin k as two revolutes, L7–L8 and L8–L10, and as one pin of three ends: the sum on each link is the same."""
    _, apart = cases.solved("eleven_bar")
    model, together = cases.solved("eleven_bar_one_pin")
    for word in ("fx", "fy"):
        on_8 = apart[f"k78.on_L8.{word}"] - apart[f"k810.on_L10.{word}"]
        sums = {"L7": -apart[f"k78.on_L8.{word}"], "L8": on_8, "L10": apart[f"k810.on_L10.{word}"]}
        for link, expected in sums.items():
            np.testing.assert_allclose(together[f"k.on_{link}.{word}"], expected, rtol=0, atol=1e-7)
    assert FreeBodies(model, together).residual() < 1e-10
    np.testing.assert_allclose(together["D.effort"], cases.reference("eleven_bar")["columns"]["D.effort"], rtol=1e-9)


@pytest.mark.truth("forces_friction/slider_crank_guide_friction")
def test_friction_in_a_guide_is_solved_with_the_force_it_depends_on():
    """Sharp Coulomb friction −sign(v) μ |N| on the piston; N depends on it through the rod."""
    _, run = cases.solved("guide_friction")
    expected = cases.reference("guide_friction")
    cases.compare(run, expected)
    size = cases.largest(expected["columns"])[1]
    columns = expected["columns"]
    np.testing.assert_allclose(run["guide.on_piston.fy"], columns["guide.normal"], rtol=0, atol=1e-8 * size)
    rub = np.sign(run["piston.vx"]) * -0.15 * np.abs(run["guide.on_piston.fy"])
    np.testing.assert_allclose(columns["guide.friction"], rub, rtol=0, atol=1e-8 * size)
    np.testing.assert_allclose(np.abs(run["rub.force"]), np.abs(rub), rtol=0, atol=1e-8 * size)
    np.testing.assert_allclose(run["rub.power"], rub * run["piston.vx"], rtol=0, atol=1e-8 * size)


def test_extremes_of_moments_and_of_what_shakes_the_frame_lie_between_rows():
    """Told from 21 rows as from 4001: of a size its greatest, of the others both ends."""
    model, _ = cases.solved("slider_crank")
    end = 2 * np.pi / 150
    told = model.inverse(0, end, step=end / 20).summary["extremes"]
    fine = model.inverse(0, end, step=end / 4000)
    for name, values in (
        ("guide.on_piston.moment", np.abs(fine["guide.on_piston.m"])),
        ("B.on_rod.f", fine["B.on_rod.f"]),
        ("shaking.fx", fine["shaking.fx"]),
        ("shaking.m", fine["shaking.m"]),
    ):
        size = np.ptp(values)
        assert -1e-9 * size < told[name]["max"][0] - values.max() < 1e-5 * size, name
        assert told[name]["max"][1] == pytest.approx(fine["t"][np.argmax(values)], abs=end / 2000)
    assert told["shaking.fx"]["min"][0] == pytest.approx(fine["shaking.fx"].min(), rel=1e-5)
    assert "min" not in told["guide.on_piston.moment"]
    assert not any(name.startswith(("A.", "B.", "C.")) and name.endswith(".moment") for name in told)  # of pins: none


def test_a_torque_from_outside_passes_through_the_driver_to_the_frame():
    """A wheel turned steadily against a torque of −3 N m from outside: the motor gives 3, and the frame takes −3."""
    model = mubo.Model("wheel", gravity=(0, 0))
    model.ground.point("O", (2, 1))
    model.body("wheel", (2, 1), points={"O": (0, 0)}, mass=5, inertia=0.4)
    model.revolute("A", "ground.O", "wheel.O")
    model.driver("motor", "wheel.phi", "2*t")
    model.force("brake", "body_torque", "wheel", torque="-3")
    run = model.inverse(0, 1, 0.5)
    np.testing.assert_allclose(run["motor.effort"], 3, rtol=1e-12)
    np.testing.assert_allclose(run["shaking.m"], -3, rtol=1e-12)
