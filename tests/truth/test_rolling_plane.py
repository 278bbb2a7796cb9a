"""Knife edges and wheels in the plane: Chaplygin's sleigh, a hoop on an incline, a trailer on a straight pull, wheels
on and in a circle."""

import math
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import EXAMPLES
from rolling_cases import FINE, FORMULATIONS, case, stacked, table

import mubo


def sleigh(**initial):
    given = case("sleigh")["model"]
    model = mubo.Model("sleigh", gravity=(0, 0))
    model.ground.point("O", (0, 0))
    center = (given["center_ahead_of_knife"], 0)
    model.body(
        "sleigh",
        (0, 0),
        0,
        {"A": (0, 0), "B": (0, 0.2)},
        mass=given["mass"],
        inertia=given["inertia_about_center"],
        center=center,
    )
    model.joint("ice", "knife_edge", "ground.O", "sleigh.A", axis=(1, 0))
    if initial:
        model.initial("sleigh", **initial)
    return model


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.truth("beyond_rolling/sleigh")
def test_sleigh(formulation):
    """v = V tanh k (t − ts), ω = (V/b) sech k (t − ts), and the force across the blade."""
    asked, rows = case("sleigh"), case("sleigh")["rows"]
    start = asked["model"]["start"]
    model = sleigh(velocity=(start["speed"], 0), omega=start["omega"])
    step = rows[1]["t"]
    run = model.simulate(end=rows[-1]["t"], step=step, formulation=formulation, reactions=True, **FINE)
    np.testing.assert_allclose(stacked(run, "sleigh.x", "sleigh.y"), table(rows, "knife"), atol=1e-9)
    np.testing.assert_allclose(run["sleigh.phi"], table(rows, "angle"), atol=1e-9)
    np.testing.assert_allclose(run["ice.force"], table(rows, "knife_force"), rtol=1e-7, atol=1e-8)
    assert abs(run["energy.error"]).max() < 1e-9


def test_positions_and_velocities_are_counted_apart():
    report = sleigh().check()
    assert (report.diagnosis.mobility, report.velocities.mobility) == (3, 2)
    assert "of velocities 2: 1 more equation" in str(report)


def test_two_edges_on_one_axle_are_redundant():
    """Both constrain the same velocity: only the sum of their forces is unique."""
    model = sleigh(velocity=(0.5, 0), omega=2.0)
    model.joint("second", "knife_edge", "ground.O", "sleigh.B", axis=(1, 0))
    report = model.check()
    assert report.velocities.mobility == 2
    assert any("joint second repeats what joint ice already imposes" in note for note in report.all_notes)
    alone = sleigh(velocity=(0.5, 0), omega=2.0).simulate(end=1, step=0.25, reactions=True, **FINE)
    for formulation in FORMULATIONS:
        run = model.simulate(end=1, step=0.25, formulation=formulation, reactions=True, **FINE)
        np.testing.assert_allclose(run["sleigh.phi"], alone["sleigh.phi"], atol=1e-9)
        np.testing.assert_allclose(run["ice.force"] + run["second.force"], alone["ice.force"], rtol=1e-7)
        assert "ice.on_sleigh.fy" in run.summary["reactions"]["indeterminate"]


def test_kinematics_of_a_knife_edge_is_refused_by_name():
    with pytest.raises(mubo.MuboError, match="joint ice constrains velocities and not positions") as refused:
        sleigh().kinematics(end=1)
    assert "simulate" in str(refused.value)


def test_unknown_rates_have_least_kinetic_energy():
    """ω alone given: of v along the edge, ½ m v² is least at v = 0; the velocity across it must vanish at the blade."""
    run = sleigh(omega=2.0).simulate(end=0.1, step=0.1)
    np.testing.assert_allclose(
        [run["sleigh.vx"][0], run["sleigh.vy"][0], run["sleigh.omega"][0]], [0, 0, 2], atol=1e-12
    )


def wheel(kind, **options):
    given = case("hoop_rolls")["model"]
    slope = given["incline"]
    model = mubo.Model("wheel", gravity=(given["g"] * math.sin(slope), -given["g"] * math.cos(slope)))
    model.ground.point("O", (0, 0))
    model.body("wheel", (0, given["radius"]), 0, {"C": (0, 0)}, mass=given["mass"], inertia=given["inertia"])
    model.joint("road", kind, "ground.O", "wheel.C", **options)
    return model, given


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.truth("beyond_rolling/hoop_rolls")
def test_hoop_rolls_down_an_incline(formulation):
    model, given = wheel("rolling", axis=(1, 0), radius=0.3)
    model.initial("wheel", omega=-given["omega0"])
    rows = case("hoop_rolls")["rows"]
    run = model.simulate(end=rows[-1]["t"], step=rows[1]["t"], formulation=formulation, reactions=True, **FINE)
    np.testing.assert_allclose(run["wheel.x"], table(rows, "s"), atol=1e-9)
    np.testing.assert_allclose(-run["wheel.phi"], table(rows, "angle_turned"), atol=1e-9)
    np.testing.assert_allclose(-run["road.on_wheel.fx"], table(rows, "friction"), rtol=1e-8)
    needed = case("hoop_rolls")["friction_coefficient_needed"]
    np.testing.assert_allclose(run["road.friction_needed"], needed, rtol=1e-8)
    np.testing.assert_allclose(run["road.force"], given["mass"] * given["g"] * math.cos(given["incline"]), rtol=1e-8)
    np.testing.assert_allclose(run["road.on_wheel.m"], 0, atol=1e-9)  # about the contact


@pytest.mark.truth("beyond_rolling/cylinder_slips")
def test_cylinder_that_would_slip_needs_more_friction_than_there_is():
    """tan α k/(1 + k): the run states it; the reference slips, as μ is smaller."""
    asked = case("cylinder_slips")
    given = asked["model"]
    model = mubo.Model(
        "wheel", gravity=(given["g"] * math.sin(given["incline"]), -given["g"] * math.cos(given["incline"]))
    )
    model.ground.point("O", (0, 0))
    model.body("wheel", (0, given["radius"]), 0, {"C": (0, 0)}, mass=given["mass"], inertia=given["inertia"])
    model.joint("road", "rolling", "ground.O", "wheel.C", axis=(1, 0), radius=given["radius"])
    run = model.simulate(end=0.5, step=0.5, reactions=True)
    np.testing.assert_allclose(run["road.friction_needed"], asked["friction_coefficient_needed"], rtol=1e-8)
    assert asked["friction_coefficient_needed"] > given["mu"]


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("side", ["outside", "inside"])
def test_wheel_on_a_circle(formulation, side):
    """½ (1 + k) m d² θ̇² is the energy that the weight gave, d = R ± r the distance of the centres and k = I/(m r²)."""
    R, r, m, k, g = 1.0, 0.2, 1.5, 0.5, 9.81
    reach, sign = (R - r, -1) if side == "inside" else (R + r, 1)
    model = mubo.Model("track", gravity=(0, -g))
    model.ground.point("O", (0, 0))
    start = math.pi / 2 * sign + 0.3
    model.body(
        "wheel", (reach * math.cos(start), reach * math.sin(start)), 0, {"C": (0, 0)}, mass=m, inertia=k * m * r * r
    )
    model.joint("track", "rolling_on_circle", "ground.O", "wheel.C", radii=(R, r), side=side)
    run = model.simulate(end=0.6, step=0.1, formulation=formulation, reactions=True, **FINE)
    angle = np.unwrap(np.arctan2(run["wheel.y"], run["wheel.x"]))
    rate = (run["wheel.vy"] * np.cos(angle) - run["wheel.vx"] * np.sin(angle)) / reach
    fallen = math.sin(start) - np.sin(angle)
    np.testing.assert_allclose(0.5 * (1 + k) * reach * rate**2, g * fallen, atol=1e-9)
    np.testing.assert_allclose(run["wheel.omega"] * r * -sign, -rate * reach, atol=1e-9)
    normal = sign * (m * g * np.sin(angle) - m * reach * rate**2)
    np.testing.assert_allclose(run["track.force"], normal, rtol=1e-8, atol=1e-8)


def test_a_wheel_does_not_fit_into_a_tighter_circle():
    model, _ = wheel("rolling_on_circle", radii=(0.2, 0.3), side="inside")
    with pytest.raises(
        mubo.ModelError, match=r"joint road: a wheel of radius 0\.3 cannot roll inside a track of radius 0\.2"
    ):
        model.check()


@pytest.mark.parametrize(
    ("example", "radii", "command"),
    [("wheel_in_track", "0.15, 0.2", "check"), ("ball_in_bowl", "0.1, 0.1", "simulate")],
)
def test_a_user_is_told_that_the_wheel_does_not_fit(example, radii, command, tmp_path):
    """Joint, both radii, why and what helps, in one sentence and without a trace; nothing is computed."""
    path, text = tmp_path / "tight.toml", (EXAMPLES / f"{example}.toml").read_text()
    path.write_text(re.sub(r"radii = \[.*\]", f"radii = [{radii}]", text))
    done = subprocess.run([sys.executable, "-m", "mubo", command, path], capture_output=True, text=True)
    track, own = (part.strip() for part in radii.split(","))
    name = "track" if example == "wheel_in_track" else "bowl"
    assert done.returncode == 1
    assert f"joint {name}: a wheel of radius {own} cannot roll inside a track of radius {track}" in done.stderr
    assert "Make the wheel smaller, or let it roll outside" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_circle_does_not_fit_into_a_tighter_hollow():
    model = mubo.Model("ring", gravity=(0, -9.81))
    model.body("wheel", position=(0, 0), angle=0, mass=1, inertia=1)
    model.surface("rim", body="wheel", shape="circle", radius=0.3)
    model.surface("track", body="ground", shape="hollow", radius=0.2)
    model.contact("road", between=["rim", "track"])
    words = r"contact road: surface rim of radius 0\.3 does not fit into hollow track of radius 0\.2"
    with pytest.raises(mubo.ModelError, match=words):
        model.check()


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_tractrix(formulation):
    """tan(angle/2) = tan(angle₀/2) exp(−v t/L) of a trailer whose hitch is pulled straight on."""
    asked = case("car_trailer")
    given, rows = asked["model"], asked["tractrix"]
    length, speed, angle = given["trailer_length"], given["rear_axle_speed"], given["trailer_angle_start"]
    model = mubo.Model("trailer", gravity=(0, 0))
    model.ground.point("O", (0, 0))
    model.body("car", (0, 0), 0, {"hitch": (0, 0)}, mass=1, inertia=1)
    model.body("trailer", (0, 0), angle, {"hitch": (0, 0), "axle": (-length, 0)}, mass=1, inertia=1)
    model.translational("road", "ground.O", "car.hitch", (1, 0), 0.0)
    model.revolute("hitch", "car.hitch", "trailer.hitch")
    model.joint("axle", "knife_edge", "ground.O", "trailer.axle", axis=(1, 0))
    model.driver("pull", "road", f"{speed}*t")
    step = rows[1]["t"]
    run = model.simulate(end=rows[-1]["t"], step=step, formulation=formulation, **FINE)
    np.testing.assert_allclose(run["trailer.phi"], table(rows, "trailer_angle"), atol=1e-9)
    # the same by kinematics, which integrates the rates that its drivers determine
    run = model.kinematics(end=rows[-1]["t"], step=step)
    np.testing.assert_allclose(run["trailer.phi"], table(rows, "trailer_angle"), atol=1e-8)
