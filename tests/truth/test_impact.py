"""Impacts with restitution in mechanisms: independent event-driven results with 34 digits.

Source of `beyond_contact.json` and `beyond_impact.json`: closed forms and Gragg-Bulirsch-Stoer integration with located
events, each case with its model, formula and tolerances.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import mubo

DATA = Path(__file__).parents[1] / "data"
CASES = {
    case["name"]: case
    for name in ("contact", "impact")
    for case in json.loads((DATA / f"beyond_{name}.json").read_text())["cases"]
}
FORMULATIONS = pytest.mark.parametrize("formulation", ["tree", "absolute"])


def _events(run, *kinds):
    return [entry for entry in run.summary["contacts"] if entry["event"] in kinds]


def _rod(model, name, length, mass, angle, at):
    """A uniform rod along its x axis, from the place `at`."""
    ends = {"A": [0, 0], "B": [length, 0]}
    model.body(
        name, position=at, angle=angle, mass=mass, inertia=mass * length**2 / 12, center=[length / 2, 0], points=ends
    )


@pytest.mark.truth("beyond_contact/ball_bounces")
@FORMULATIONS
def test_ball_bounces_and_comes_to_rest(formulation):
    """Impact speeds v e^k, and rest after infinitely many impacts."""
    case = CASES["ball_bounces"]
    model = mubo.Model("ball", gravity=[0, -9.81])
    model.body("ball", position=[0, 1.2], angle=0, mass=1, inertia=0.004)
    model.surface("rim", body="ball", shape="circle", radius=0.1)
    model.surface("floor", body="ground", shape="plane", normal=[0, 1])
    model.contact("bounce", between=["rim", "floor"], restitution=0.7)
    run = model.simulate(0, 3, step=0.1, formulation=formulation)
    found = _events(run, "impact")
    for entry, wanted in zip(found, case["impacts"], strict=False):
        assert entry["t"] == pytest.approx(wanted["t"], abs=1e-9)
        assert -entry["speed_before"] == pytest.approx(wanted["speed_before"], abs=1e-9)
        assert entry["speed_after"] == pytest.approx(wanted["speed_after"], abs=1e-9)
    (rest,) = _events(run, "rest")
    # The sequence ends where rounding hides the height of a flight, v²/(2 g): within 2 v / (g (1 - e)) of its limit.
    hidden = np.sqrt(2 * 9.81 * 5e-15)
    assert rest["t"] == pytest.approx(case["rest_time"], abs=2 * hidden / 9.81 / 0.3)
    assert run["ball.y"][-1] == pytest.approx(0.1, abs=1e-12)
    assert run["bounce.normal"][-1] == pytest.approx(9.81, rel=1e-12)
    assert sum(entry["energy_lost"] for entry in found) == pytest.approx(case["energy_lost_per_mass"], rel=1e-9)


@pytest.mark.truth("beyond_contact/pendulum_stop")
@FORMULATIONS
def test_pendulum_at_a_stop(formulation):
    """Restitution at an end stop of a pin."""
    case = CASES["pendulum_stop"]
    data = case["model"]
    model = mubo.Model("pendulum", gravity=[0, -9.81])
    model.body(
        "rod", position=[0, 0], angle=data["start_angle_from_hanging"], mass=data["mass"], points={"A": [0, 0]},
        center=[0, -data["pin_to_center"]], inertia=data["inertia_about_center"],
    )  # fmt: skip
    model.ground.point("A", (0, 0))
    model.joint("A", "revolute", "ground.A", "rod.A")
    model.contact("stop", of="A", lower_angle=data["stop_angle"], restitution=data["restitution"])
    run = model.simulate(0, case["impacts"][-1]["t"] + 0.01, step=0.1, formulation=formulation)
    found = _events(run, "impact")
    assert len(found) == len(case["impacts"])
    for entry, wanted in zip(found, case["impacts"], strict=True):
        assert entry["t"] == pytest.approx(wanted["t"], abs=1e-8)
        assert entry["speed_before"] == pytest.approx(wanted["rate_before"], rel=1e-8)
        assert entry["impulse"] == pytest.approx(wanted["impulse_moment"], rel=1e-8)


@pytest.mark.truth("beyond_impact/double_pendulum_wall")
@FORMULATIONS
def test_double_pendulum_against_a_wall(formulation):
    """The tip of a double pendulum hits a wall: times, rates and impulses of four impacts."""
    case = CASES["double_pendulum_wall"]
    one, two = (angle - np.pi / 2 for angle in case["model"]["angles_from_hanging"])
    model = mubo.Model("double pendulum", gravity=[0, -9.81])
    model.ground.point("A", (0, 0))
    _rod(model, "first", 0.5, 1.2, one, [0, 0])
    _rod(model, "second", 0.4, 0.7, two, [0.5 * np.cos(one), 0.5 * np.sin(one)])
    model.joint("A", "revolute", "ground.A", "first.A")
    model.joint("B", "revolute", "first.B", "second.A")
    model.surface("tip", body="second", shape="point", at=[0.4, 0])
    model.surface("wall", body="ground", shape="plane", at=[0.2, 0], normal=[-1, 0])
    model.contact("hit", between=["tip", "wall"], restitution=0.6)
    run = model.simulate(0, 4.2, step=0.1, formulation=formulation, reactions=True)
    found = _events(run, "impact")[:4]
    assert len(found) == 4
    assert run.summary["newton_euler"]["largest"] < 1e-12
    for entry, wanted in zip(found, case["impacts"], strict=True):
        assert entry["t"] == pytest.approx(wanted["t"], abs=1e-8)
        assert -entry["speed_before"] == pytest.approx(wanted["normal_speed_before"], rel=1e-7)
        assert entry["impulse"] == pytest.approx(wanted["wall_impulse"], rel=1e-7)
        assert entry["energy_lost"] == pytest.approx(wanted["energy_lost"], rel=1e-6)
        for pin, of in (("A.on_first", "pin1_impulse_on_rod1"), ("B.on_second", "pin2_impulse_on_rod2")):
            impulse = [entry["reactions"][pin][word] for word in ("fx", "fy")]
            assert impulse == pytest.approx(wanted[of], rel=1e-6, abs=1e-7)
    assert run.summary["energy"]["relative"] < 1e-9


@pytest.mark.truth("beyond_impact/four_bar_stop")
@FORMULATIONS
def test_four_bar_at_a_stop(formulation):
    """The rocker of a released four-bar against a stop of its joint; the coupler has no mass: a distance."""
    case = CASES["four_bar_stop"]
    data = case["model"]
    model = mubo.Model("four bar", gravity=[0, -9.81])
    model.ground.point("A", (0, 0))
    model.ground.point("D", (0.7, 0))
    model.body(
        "crank",
        position=[0, 0],
        angle=1.0,
        mass=1.5,
        center=[0.1, 0],
        inertia=0.005,
        points={"A": [0, 0], "B": [0.2, 0]},
    )
    model.body(
        "rocker", position=[0.7, 0], angle=data["start"]["rocker_angle"], mass=3.0, center=[0.25, 0], inertia=0.0625,
        points={"D": [0, 0], "C": [0.5, 0]},
    )  # fmt: skip
    model.joint("A", "revolute", "ground.A", "crank.A")
    model.joint("D", "revolute", "ground.D", "rocker.D")
    model.joint("coupler", "distance", "crank.B", "rocker.C", length=0.6)
    model.initial("A", q=1.0, v=0)
    model.contact("stop", of="D", upper_angle=4.1, restitution=0.5)
    run = model.simulate(0, 0.4, step=0.01, formulation=formulation)
    found = _events(run, "impact")
    for entry, wanted in zip(found, case["impacts"], strict=False):
        assert entry["t"] == pytest.approx(wanted["t"], abs=1e-8)
        assert -entry["speed_before"] == pytest.approx(wanted["rocker_rate_before"], rel=1e-7)
        assert -entry["impulse"] == pytest.approx(wanted["stop_impulse_moment_on_rocker"], rel=1e-7)


@pytest.mark.truth("beyond_impact/topspin_bounce")
@FORMULATIONS
def test_topspin(formulation):
    """A ball with spin: its first bounce slips, the others stick."""
    case = CASES["topspin_bounce"]
    data = case["model"]
    model = mubo.Model("topspin", gravity=[0, -9.81])
    model.body("ball", position=[0, 1.0], angle=0, mass=data["mass"], inertia=data["inertia"])
    model.initial("ball", velocity=data["velocity"], omega=-data["omega"])
    model.surface("rim", body="ball", shape="circle", radius=data["radius"])
    model.surface("floor", body="ground", shape="plane", normal=[0, 1])
    model.contact("bounce", between=["rim", "floor"], restitution=data["restitution"], friction=data["mu"])
    bounces = case["bounces"]
    after = [bounce["t"] + 1e-3 for bounce in bounces]
    run = model.simulate(0, after[-1], step=after[-1] / 7, formulation=formulation)
    for entry, wanted in zip(_events(run, "impact"), bounces, strict=False):
        assert entry["t"] == pytest.approx(wanted["t"], rel=1e-9)
        assert entry["impulse"] == pytest.approx(wanted["impulse_normal"], rel=1e-9)
        assert abs(entry["friction_impulse"]) == pytest.approx(abs(wanted["impulse_tangential"]), rel=1e-9, abs=1e-12)
    assert run["ball.vx"][-1] == pytest.approx(bounces[-1]["vx_after"], rel=1e-9)
    assert -run["ball.omega"][-1] == pytest.approx(bounces[-1]["omega_after"], rel=1e-9)


@pytest.mark.truth("beyond_contact/two_discs")
@pytest.mark.parametrize("number", [0, 1])
@FORMULATIONS
def test_two_discs(formulation, number):
    """Oblique collision of two discs, without friction and with Coulomb's impulse."""
    case = CASES["two_discs"]
    data, wanted = case["model"], case["results"][number]
    normal = np.array([np.cos(0.35), np.sin(0.35)])
    model = mubo.Model("discs", gravity=[0, 0])
    for name, v, place in (("1", data["v1"], np.zeros(2)), ("2", data["v2"], 0.12 * normal)):
        body = f"disc{name}"
        start = place - 0.01 * np.array(v)
        model.body(body, position=list(start), angle=0, mass=data[f"m{name}"], inertia=data[f"I{name}"])
        model.initial(body, velocity=v, omega=data[f"omega{name}"])
        model.surface(f"rim{name}", body=body, shape="circle", radius=data[f"r{name}"])
    model.contact("hit", between=["rim1", "rim2"], restitution=0.8, friction=wanted["mu"])
    run = model.simulate(0, 0.02, step=0.01, formulation=formulation)
    for name in "12":
        assert run[f"disc{name}.vx"][-1] == pytest.approx(wanted[f"v{name}_after"][0], rel=1e-9)
        assert run[f"disc{name}.vy"][-1] == pytest.approx(wanted[f"v{name}_after"][1], rel=1e-9)
        assert run[f"disc{name}.omega"][-1] == pytest.approx(wanted[f"omega{name}_after"], rel=1e-9, abs=1e-9)


@pytest.mark.truth("beyond_contact/rocking_block")
@FORMULATIONS
def test_rocking_block(formulation):
    """Housner's block: six impacts, rate ratio 1 − 1.5 sin² α by the impulse at the new corner."""
    case = CASES["rocking_block"]
    b, h, tilt = 0.15, 0.6, 0.15
    c, s = np.cos(tilt), np.sin(tilt)
    model = mubo.Model("rocking block", gravity=[0, -9.81])
    model.body("block", position=[-c * b + s * h, s * b + c * h], angle=-tilt, mass=50.0, inertia=6.375)
    model.surface("base", body="block", shape="box", size=[2 * b, 2 * h])
    model.surface("floor", body="ground", shape="plane", normal=[0, 1])
    model.contact("base", between=["base", "floor"], friction=5, restitution=0)
    run = model.simulate(0, 3.2, step=0.1, formulation=formulation)
    found = _events(run, "impact")
    assert len(found) == len(case["impacts"])
    for entry, wanted in zip(found, case["impacts"], strict=True):
        assert entry["t"] == pytest.approx(wanted["t"], abs=1e-7)
        assert -entry["speed_before"] == pytest.approx(2 * b * wanted["rate_before"], rel=1e-7)


@FORMULATIONS
def test_a_driver_that_moves_works_at_an_impact(formulation):
    """A plate driven at V into a ball at rest: it leaves at (1 + e) V, and what is lost is that seen from the plate."""
    V, e, mass = 1.5, 0.6, 2.0
    model = mubo.Model("racket", gravity=[0, 0])
    model.ground.point("O", (0, 0))
    model.body("plate", [0, 0], 0, {"O": (0, 0)}, mass=1, inertia=1)
    model.body("ball", [0, 0.25], 0, mass=mass, inertia=0.01)
    model.joint("guide", "translational", "ground.O", "plate.O", axis=(0, 1), angle=0)
    model.driver("motor", "guide", {"rate": V})
    model.surface("rim", body="ball", shape="circle", radius=0.1)
    model.surface("face", body="plate", shape="plane", normal=[0, 1])
    model.contact("hit", between=["rim", "face"], restitution=e)
    run = model.simulate(0, 0.2, step=0.05, formulation=formulation)
    (hit,) = _events(run, "impact")
    assert hit["t"] == pytest.approx(0.1, abs=1e-12)
    assert run["ball.vy"][-1] == pytest.approx((1 + e) * V, rel=1e-12)
    assert hit["energy_lost"] == pytest.approx(0.5 * mass * (1 - e**2) * V**2, rel=1e-9)
    assert abs(run["energy.error"]).max() < 1e-9
