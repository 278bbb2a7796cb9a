"""Compliant contact, sliding blocks and balls, cams that lift off: closed forms and integrations with located events.

Source of `beyond_contact.json`: see test_impact.py.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import mubo

CASES = {
    case["name"]: case
    for case in json.loads((Path(__file__).parents[1] / "data" / "beyond_contact.json").read_text())["cases"]
}
FORMULATIONS = pytest.mark.parametrize("formulation", ["tree", "absolute"])


def _events(run, *kinds):
    return [entry for entry in run.summary["contacts"] if entry["event"] in kinds]


def _ball(mass, radius, gap, speed=0.0, gravity=0.0, surface=None, **law):
    model = mubo.Model("ball", gravity=[0, -gravity])
    model.body("ball", position=[0, radius + gap], angle=0, mass=mass, inertia=0.4 * mass * radius**2)
    model.initial("ball", velocity=[0, -speed], omega=0)
    model.surface("rim", body="ball", shape="circle", radius=radius, **(surface or {}))
    model.surface("floor", body="ground", shape="plane", normal=[0, 1], **(surface or {}))
    model.contact("contact", between=["rim", "floor"], **law)
    return model


@pytest.mark.truth("beyond_contact/hertz_sphere_plane", "beyond_contact/soft_contact_low_e")
@pytest.mark.parametrize(
    ("case", "law"),
    [(name, k) for name in ("hertz_sphere_plane", "soft_contact_low_e") for k in range(len(CASES[name]["laws"]))],
)
@FORMULATIONS
def test_compliant_impact(formulation, case, law):
    """Duration, rebound and deepest penetration by the energy integral of F = K dⁿ (1 + χ ḋ)."""
    data = CASES[case]["model"]
    wanted = CASES[case]["laws"][law]
    damping = {"elastic": "none"}.get(wanted["law"], wanted["law"])
    speed = data["impact_speed"]
    elastic = {"surface": {"young": 207e9, "poisson": 0.3}} if "E1" in data else {"stiffness": data["K"]}
    model = _ball(data["mass"], 0.01, 1e-3, speed, restitution=data["restitution"], damping=damping, **elastic)
    deepest = 1e-3 / speed + wanted["time_of_max_penetration"]
    run = model.simulate(0, 2 * deepest + 2 * wanted["duration"], step=deepest, formulation=formulation)
    touch, part = _events(run, "touch", "part")
    assert part["t"] - touch["t"] == pytest.approx(wanted["duration"], rel=1e-6)
    assert part["speed"] == pytest.approx(wanted["rebound_speed"], rel=1e-6)
    assert -run["contact.gap"][1] == pytest.approx(wanted["max_penetration"], rel=1e-6)
    assert run["energy.dissipated"][-1] == pytest.approx(wanted["energy_lost"], rel=1e-6, abs=1e-9)
    assert run.summary["energy"]["relative"] < 1e-8


@pytest.mark.truth("beyond_contact/hertz_two_spheres")
@FORMULATIONS
def test_two_spheres_collide(formulation):
    """Hertz' contact of two spheres of steel and aluminium in free flight: reduced mass, K of both radii and moduli."""
    case = CASES["hertz_two_spheres"]
    data, speed = case["model"], case["model"]["impact_speed"]
    for wanted in case["laws"]:
        model, gap = mubo.Model("spheres", gravity=[0, 0]), 1e-4
        for number, side in ((1, -1), (2, 1)):
            name, radius = f"sphere{number}", data[f"R{number}"]
            mass = 4 / 3 * np.pi * radius**3 * data["density"]
            place = side * (radius + gap / 2)
            model.body(name, position=[place, 0], angle=0, mass=mass, inertia=0.4 * mass * radius**2)
            model.initial(name, velocity=[-side * speed / 2, 0], omega=0)
            material = {"young": data[f"E{number}"], "poisson": data[f"nu{number}"]}
            model.surface(f"rim{number}", body=name, shape="circle", radius=radius, **material)
        damping = {"elastic": "none"}.get(wanted["law"], wanted["law"])
        model.contact("hit", between=["rim1", "rim2"], restitution=data["restitution"], damping=damping)
        deepest = gap / speed + wanted["time_of_max_penetration"]
        run = model.simulate(0, 3 * deepest, step=deepest, formulation=formulation)
        touch, part = _events(run, "touch", "part")
        assert part["t"] - touch["t"] == pytest.approx(wanted["duration"], rel=1e-6)
        assert part["speed"] == pytest.approx(wanted["rebound_speed"], rel=1e-6)
        assert -run["hit.gap"][1] == pytest.approx(wanted["max_penetration"], rel=1e-6)
        assert run["hit.normal"][1] == pytest.approx(data["K"] * wanted["max_penetration"] ** 1.5, rel=1e-5)


@pytest.mark.truth("beyond_contact/ball_on_soft_floor")
@FORMULATIONS
def test_ball_on_a_soft_floor(formulation):
    """Four bounces: the damping factor is latched at the start of each contact."""
    case = CASES["ball_on_soft_floor"]
    run = _ball(0.5, 0.05, 0.3, gravity=9.81, stiffness=1e7, restitution=0.8).simulate(
        0, 1.4, step=0.1, formulation=formulation
    )
    for touch, part, wanted in zip(_events(run, "touch"), _events(run, "part"), case["impacts"], strict=False):
        assert touch["t"] == pytest.approx(wanted["t_contact"], abs=1e-7)
        assert -touch["speed"] == pytest.approx(wanted["impact_speed"], rel=1e-5)
        assert part["speed"] == pytest.approx(wanted["rebound_speed"], rel=1e-5)


@pytest.mark.truth("beyond_contact/block_stops_and_stays", "beyond_contact/block_slides_back")
@pytest.mark.parametrize("name", ["block_stops_and_stays", "block_slides_back"])
@FORMULATIONS
def test_block_on_an_incline(formulation, name):
    """Static and kinetic friction: the block stops and stays, or slides back."""
    case = CASES[name]
    data = case["model"]
    b, h, slope = data["half_base"], data["center_height"], data["incline"]
    model = mubo.Model("block", gravity=[-9.81 * np.sin(slope), -9.81 * np.cos(slope)])
    model.body("block", position=[0, h], angle=0, mass=data["mass"], inertia=0.02)
    model.initial("block", velocity=[data["v0_up"], 0], omega=0)
    model.surface("base", body="block", shape="box", size=[2 * b, 2 * h])
    model.surface("slope", body="ground", shape="plane", normal=[0, 1])
    model.contact("base", between=["base", "slope"], friction=data["mu_kinetic"], static_friction=data["mu_static"])
    back = case["back"]
    end = back["returns_to_start"] if back else 0.6
    run = model.simulate(0, end, step=end / 10, formulation=formulation)
    assert run["base.normal"] == pytest.approx(np.full(11, case["normal_force"]), rel=1e-9)
    assert run["base.fx"][0] == pytest.approx(-case["friction_sliding"], rel=1e-9)
    if back:
        assert run["block.x"][-1] == pytest.approx(0, abs=1e-9)
        assert run["block.vx"][-1] == pytest.approx(-back["speed_there"], abs=1e-9)
    else:
        assert _events(run, "stick")[0]["t"] == pytest.approx(case["stop"]["t"], abs=1e-9)
        assert run["block.x"][-1] == pytest.approx(case["stop"]["s"], abs=1e-9)
        assert run["base.fx"][-1] == pytest.approx(case["friction_at_rest"], rel=1e-9)


@pytest.mark.truth("beyond_contact/ball_skids_then_rolls", "beyond_contact/ball_backspin")
@pytest.mark.parametrize("name", ["ball_skids_then_rolls", "ball_backspin"])
@FORMULATIONS
def test_sliding_becomes_rolling(formulation, name):
    """A ball slides, then sticks at its contact point: it rolls, with no friction left on a level plane."""
    case = CASES[name]
    data = case["model"]
    model = mubo.Model("ball", gravity=[0, -9.81])
    model.body("ball", position=[0, data["radius"]], angle=0, mass=data["mass"], inertia=data["inertia"])
    model.initial("ball", velocity=[data["v0"], 0], omega=-data["omega0"])
    model.surface("rim", body="ball", shape="circle", radius=data["radius"])
    model.surface("floor", body="ground", shape="plane", normal=[0, 1])
    model.contact("floor", between=["rim", "floor"], friction=data["mu"])
    rows = case["rows"]
    run = model.simulate(0, rows[-1]["t"], step=rows[1]["t"], formulation=formulation)
    assert _events(run, "stick")[0]["t"] == pytest.approx(case["rolls_from"]["t"], abs=1e-8)
    assert run["ball.x"] == pytest.approx([row["x"] for row in rows], abs=1e-9)
    assert run["floor.fx"] == pytest.approx([row["friction"] for row in rows], abs=1e-9)
    assert run["energy.dissipated"][-1] == pytest.approx(case["energy_lost"], rel=1e-9)


@pytest.mark.truth("beyond_contact/cam_follower_spring", "beyond_contact/cam_follower_gravity")
@pytest.mark.parametrize("name", ["cam_follower_spring", "cam_follower_gravity"])
@FORMULATIONS
def test_cam_follower_lifts_off_and_lands(formulation, name):
    """A flat-faced follower on an eccentric disc: lift-off by the force of the joined motion, landing by the gap."""
    case = CASES[name]
    data = case["model"]
    radius, e = data["disc_radius"], data["eccentricity"]
    model = mubo.Model("cam", gravity=[0, -9.81])
    model.ground.point("O", (0, 0))
    model.body("cam", position=[0, 0], angle=0, mass=1, inertia=1e-3, points={"O": [0, 0]})
    model.body("follower", position=[0, radius], angle=0, mass=data["mass"], inertia=1e-3, points={"F": [0, 0]})
    model.joint("O", "revolute", "ground.O", "cam.O")
    model.joint("guide", "translational", "ground.O", "follower.F", axis=[0, 1])
    model.driver("motor", "O", {"rate": data["cam_rate"]})
    model.initial("guide", q=radius, v=e * data["cam_rate"])
    if data["stiffness"]:
        free = radius - data["spring_force_at_mid_lift"] / data["stiffness"]
        model.force("spring", "joint_spring", "guide", stiffness=data["stiffness"], rest=free)
    model.surface("disc", body="cam", shape="circle", at=[e, 0], radius=radius)
    model.surface("face", body="follower", shape="plane", normal=[0, -1])
    model.contact("lift", between=["disc", "face"], restitution=0)
    landing = case["landing"]
    run = model.simulate(0, landing["t"] + 1e-3, step=landing["t"] / 8, formulation=formulation)
    part, impact = _events(run, "part")[0], _events(run, "impact")[0]
    assert part["t"] == pytest.approx(case["liftoff"]["t"], abs=1e-8)
    assert impact["t"] == pytest.approx(landing["t"], abs=1e-8)
    assert impact["speed_before"] == pytest.approx(landing["relative_speed"], rel=1e-8)
    assert run["lift.normal"][0] == pytest.approx(case["contact_force"][0]["contact_force_if_joined"], rel=1e-9)
