"""Friction that sticks, exact by events: belt, pendulums, slider-cranks.

Source of `beyond_stick_slip.json`: closed forms and 34-digit integrations with located events.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import mubo

CASES = {
    case["name"]: case
    for case in json.loads((Path(__file__).parents[1] / "data" / "beyond_stick_slip.json").read_text())["cases"]
}
FORMULATIONS = pytest.mark.parametrize("formulation", ["tree", "absolute"])


def _events(run, *kinds):
    return [entry for entry in run.summary["contacts"] if entry["event"] in kinds]


@pytest.mark.truth("beyond_stick_slip/belt", "beyond_stick_slip/belt_damped")
@pytest.mark.parametrize("name", ["belt", "belt_damped"])
@FORMULATIONS
def test_mass_on_a_belt(formulation, name):
    """A mass on a moving belt: slip starts at mu_s N, stick where its speed is that of the belt again."""
    case = CASES[name]
    data = case["model"]
    model = mubo.Model("belt", gravity=[0, -10.0])
    model.ground.point("O", (0, 0))
    model.body("belt", position=[0, 0], angle=0, mass=1, inertia=1, points={"O": [0, 0]})
    model.body("mass", position=[0, 0.01], angle=0, mass=1, inertia=0.1, points={"C": [0, -0.01]})
    model.joint("rail", "translational", "ground.O", "belt.O", axis=[1, 0])
    model.driver("belt", "rail", {"rate": data["belt_speed"]})
    model.initial("mass", velocity=[data["belt_speed"], 0], omega=0)
    model.ground.point("W", (-1, 0))
    model.surface("shoe", body="mass", shape="box", size=[0.4, 0.02])
    model.surface("belt", body="belt", shape="plane", normal=[0, 1])
    model.contact("grip", between=["shoe", "belt"], friction=data["mu_kinetic"], static_friction=data["mu_static"])
    model.force("spring", "spring", "ground.W", "mass.C", stiffness=100, length=1, damping=data["damping"])
    rows = case["rows"]
    run = model.simulate(0, rows[-1]["t"], step=rows[1]["t"], formulation=formulation)
    last = rows[-1]["t"] - 1e-8  # the last event is at the end itself: which side of it is a matter of rounding
    found = {
        kind: sorted({round(entry["t"], 10) for entry in _events(run, kind) if entry["t"] < last})
        for kind in ("slip", "stick")
    }
    for kind, times in found.items():
        wanted = [event["t"] for event in case["events"] if event["event"] == kind and event["t"] < last]
        assert times == pytest.approx(wanted, abs=1e-8)
    assert run["mass.x"] == pytest.approx([row["x"] for row in rows], abs=1e-9)
    assert run["grip.fx"][:4] == pytest.approx([row["friction"] for row in rows[:4]], abs=1e-8)


def _pendulum(data):
    model = mubo.Model("pendulum", gravity=[0, -9.81])
    model.ground.point("A", (0, 0))
    model.body(
        "rod", position=[0, 0], angle=data["start_angle_from_hanging"], mass=data["mass"], points={"A": [0, 0]},
        center=[0, -data["pin_to_center"]], inertia=data["inertia_about_center"],
    )  # fmt: skip
    model.joint("A", "revolute", "ground.A", "rod.A")
    model.initial("A", q=data["start_angle_from_hanging"], v=data["start_rate"])
    ratio = data["torque_static"] / data["torque_kinetic"]
    model.force("brake", "friction", "A", effort=data["torque_kinetic"], static_ratio=ratio)
    return model


@pytest.mark.truth("beyond_stick_slip/pendulum_stops", "beyond_stick_slip/pendulum_pushed")
@pytest.mark.parametrize("name", ["pendulum_stops", "pendulum_pushed"])
@FORMULATIONS
def test_pendulum_comes_to_rest(formulation, name):
    """Coulomb torque in the pin: it stays where m g L |sin| is below the static torque."""
    case = CASES[name]
    stop = case["stop"]
    run = _pendulum(case["model"]).simulate(0, stop["t"] + 1, step=(stop["t"] + 1) / 20, formulation=formulation)
    assert _events(run, "stick")[-1]["t"] == pytest.approx(stop["t"], abs=1e-7)
    assert run["rod.phi"][-1] == pytest.approx(stop["angle"], abs=1e-8)
    assert abs(run["rod.omega"][-1]) < 1e-15
    assert run["energy.dissipated"][-1] == pytest.approx(stop["energy_dissipated"], rel=1e-8)


def _slider_crank(data, gravity=(0.0, 0.0)):
    crank, rod, angle = data["crank"], data["rod"], data["start_angle"]
    pin = (crank * np.cos(angle), crank * np.sin(angle))
    tilt = -np.arcsin(pin[1] / rod)
    x = pin[0] + rod * np.cos(tilt)
    model = mubo.Model("slider-crank", gravity=list(gravity))
    model.ground.point("O", (0, 0))
    model.body(
        "crank",
        position=[0, 0],
        angle=angle,
        mass=1.0,
        inertia=data["crank_inertia_about_pin"],
        points={"O": [0, 0], "A": [crank, 0]},
    )
    model.body(
        "rod", position=list(pin), angle=tilt, mass=data["rod_mass"], center=[data["rod_center_from_crank_pin"], 0],
        inertia=data["rod_inertia_about_center"], points={"A": [0, 0], "B": [rod, 0]},
    )  # fmt: skip
    model.body("piston", position=[x, 0], angle=0, mass=data["piston_mass"], inertia=1e-3, points={"B": [0, 0]})
    model.joint("O", "revolute", "ground.O", "crank.O")
    model.joint("A", "revolute", "crank.A", "rod.A")
    model.joint("B", "revolute", "rod.B", "piston.B")
    model.joint("guide", "translational", "ground.O", "piston.B", axis=[1, 0])
    model.initial("O", q=angle, v=0)
    return model


def _after_torque(model, case, formulation):
    """The motion after the torque has ended, from the state that it reaches."""
    data, end = case["model"], case["end_of_torque"]
    model.force("torque", "joint_effort", "O", effort=data["torque"])
    first = model.simulate(0, end["t"], step=end["t"], formulation=formulation)
    assert first["crank.phi"][-1] == pytest.approx(end["crank_angle"], abs=1e-7)
    assert first["crank.omega"][-1] == pytest.approx(end["crank_rate"], rel=1e-6)
    later = _slider_crank({**data, "start_angle": first["crank.phi"][-1]}, data.get("gravity") or (0, 0))
    later.forces.update({name: force for name, force in model.forces.items() if name != "torque"})
    later.initial_joints.clear()
    later.initial("O", q=first["crank.phi"][-1], v=first["crank.omega"][-1])
    return later.simulate(end["t"], case["rest"]["t"] + 0.05, step=0.05, formulation=formulation)


@pytest.mark.truth("beyond_stick_slip/slider_crank_sticks", "beyond_stick_slip/slider_crank_sticks_loaded")
@pytest.mark.parametrize("name", ["slider_crank_sticks", "slider_crank_sticks_loaded"])
@FORMULATIONS
def test_slider_crank_sticks(formulation, name):
    """Constant friction of the guide brings the crank to rest; its sign changes at the dead centres."""
    case = CASES[name]
    data = case["model"]
    model = _slider_crank(data)
    kinetic, static = data["guide_friction_kinetic"], data["guide_friction_static"]
    model.force("drag", "friction", "guide", effort=kinetic, static_ratio=static / kinetic)
    if data["load_on_piston_towards_crank"]:
        model.force("load", "joint_effort", "guide", effort=-data["load_on_piston_towards_crank"])
    rest = case["rest"]
    run = _after_torque(model, case, formulation)
    assert _events(run, "stick")[-1]["t"] == pytest.approx(rest["t"], abs=1e-7)
    assert run["crank.phi"][-1] == pytest.approx(rest["crank_angle"], abs=1e-7)
    assert run["drag.force"][-1] == pytest.approx(rest["friction_at_rest"], abs=1e-6)


@pytest.mark.truth("beyond_stick_slip/slider_crank_mu_N")
@FORMULATIONS
def test_slider_crank_with_friction_of_its_normal_force(formulation):
    """Friction mu |N| of the guide with gravity: N is solved together with the friction."""
    case = CASES["slider_crank_mu_N"]
    data = case["model"]
    model = _slider_crank(data, data["gravity"])
    ratio = data["mu_static"] / data["mu_kinetic"]
    model.force("drag", "friction", "guide", coulomb=data["mu_kinetic"], static_ratio=ratio)
    rest = case["rest"]
    run = _after_torque(model, case, formulation)
    assert _events(run, "stick")[-1]["t"] == pytest.approx(rest["t"], abs=1e-6)
    assert run["crank.phi"][-1] == pytest.approx(rest["crank_angle"], abs=1e-6)
    assert run["drag.force"][-1] == pytest.approx(rest["friction_on_piston_x"], rel=1e-5)
