"""Friction in a simulation: tests/data/dynamics/friction.json (shared references, by two integrators each), in joint
coordinates and in absolute ones.

Pendulum m = 2 kg, 0.5 m, 0.2 kg m²: a constant torque smoothed by tanh(ω/ws), with its turning points and its creep; a
pin of radius 0.02 m with μ = 0.3, turning points of the sharp law: smoothed by tanh(ω/0.001) they differ by less than
2e-6 s. Block of 3 kg on 20°, 3 m/s up: references for tanh(v/vs). In loops the second code, inverse dynamics at the
rows, must find the same friction.
"""

import json
import math

import numpy as np
import pytest
from conftest import DATA

import mubo

CASES = json.loads((DATA / "dynamics" / "friction.json").read_text())["cases"]
FORMS = ["tree", "absolute"]


def pendulum(dimension, angle=2.0):
    flat = dimension == 2
    model = mubo.Model("pendulum", dimension=dimension, gravity=(0, -9.81, 0)[:dimension])
    model.ground.point("A", (0,) * dimension)
    model.body("bar", points={"A": (0,) * dimension}, mass=2, inertia=0.2 if flat else (0.2,) * 3,
               center=(0, -0.5, 0)[:dimension])  # fmt: skip
    model.joint("A", "revolute", "ground.A", "bar.A", **({} if flat else {"axis": (0, 0, 1)}))
    model.initial("A", q=angle)
    return model


@pytest.mark.truth("forces_friction/pendulum_coulomb")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", CASES["pendulum_coulomb"]["regularised"], ids=lambda case: f"ws={case['ws']}")
def test_constant_torque(case, form):
    """Turning points by time and angle to 1e-6, the angle 5 s after the sharp law stands still, and the creep told."""
    given = CASES["pendulum_coulomb"]["model"]
    model = pendulum(2, given["start_angle_from_hanging"])
    model.force("rub", "friction", "A", effort=given["friction_torque"], speed=case["ws"])
    model.event("turns", "A.v", 0)
    late = CASES["pendulum_coulomb"]["stop"]["time"] + 5
    run = model.simulate(0, late, late / 2, formulation=form)
    assert run["A.q"][-1] == pytest.approx(case["angle_5s_after_stop"], abs=1e-6)
    turned = [event.t for event in run.events][: len(case["turning"])]
    np.testing.assert_allclose(turned, [t for t, _ in case["turning"]], rtol=0, atol=1e-6)
    assert any("creeps at less than that" in note for note in run.summary["warnings"])
    model.events.clear()
    t, angle = case["turning"][-1]
    assert model.simulate(0, t, t, formulation=form)["A.q"][-1] == pytest.approx(angle, abs=1e-6)


@pytest.mark.truth("forces_friction/pendulum_pin_friction")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_pin_friction(dimension, form):
    """All twelve turning points of the sharp law in the plane, and the energy lost up to the last."""
    model, case = pendulum(dimension), CASES["pendulum_pin_friction"]
    model.force("rub", "friction", "A", coulomb=0.3, radius=0.02, speed=0.001)
    model.event("turns", "A.v", 0)
    turning = case["turning"][1 : None if dimension == 2 else 5]
    end = turning[-1]["t"] + 0.01
    run = model.simulate(0, end, end / 50, formulation=form)
    times = [event.t for event in run.events if event.t > 1e-6]
    np.testing.assert_allclose(times, [point["t"] for point in turning], rtol=0, atol=2e-6)
    assert run["A.q"][-1] == pytest.approx(turning[-1]["angle"], abs=1e-3)  # 0.01 s later
    if dimension == 2:
        assert run["energy.dissipated"][-1] == pytest.approx(case["energy_dissipated"], rel=1e-3)
    assert run.summary["energy"]["relative"] < 1e-7
    assert any("creeps at less than that" in note for note in run.summary["warnings"])


@pytest.mark.parametrize("form", FORMS)
def test_friction_without_its_own_effect_would_differ(form):
    """|R| includes what friction does to it: with the frictionless reaction turning points shift at second order."""
    model = pendulum(2)
    model.force("rub", "friction", "A", coulomb=0.3, radius=0.02, speed=0.001)
    run = model.simulate(0, 1, 0.1, reactions=True, formulation=form)
    size = run["A.on_bar.f"]
    np.testing.assert_allclose(-run["rub.torque"][1:], 0.006 * size[1:] * np.tanh(run["A.v"][1:] / 0.001), rtol=1e-10)


def _on_an_incline():
    for name in ("incline_stick", "incline_back"):
        for smoothed in CASES[name]["regularised"]:
            marks = pytest.mark.truth(f"forces_friction/{name}")
            yield pytest.param(CASES[name]["model"]["mu"], smoothed, id=f"{name}-{smoothed['vs']}", marks=marks)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("mu", "case"), list(_on_an_incline()))
def test_a_block_on_an_incline(mu, case, form):
    slope = np.radians(20)
    model = mubo.Model("block", gravity=(0, -9.81))
    model.ground.point("O", (0, 0))
    model.body("block", angle=slope, points={"O": (0, 0)}, mass=3, inertia=0.1)
    model.translational("slope", "ground.O", "block.O", axis=(np.cos(slope), np.sin(slope)))
    model.force("rub", "friction", "slope", coulomb=mu, speed=case["vs"])
    model.initial("slope", v=3)
    model.event("stands", "slope.v", 0)
    run = model.simulate(0, 2, 0.05, reactions=True, formulation=form)
    assert run.events[0].t == pytest.approx(case["stop_time"], abs=1e-8)
    assert run["slope.q"][-1] == pytest.approx(case["position_at_end"], abs=2e-9)
    if case["creep_velocity"] is not None:
        assert run["slope.v"][-1] == pytest.approx(case["creep_velocity"], rel=1e-7)
    np.testing.assert_allclose(run["slope.on_block.f"], 27.655153829729283, rtol=1e-10)
    again = model.simulate(0, run.events[0].t, run.events[0].t, formulation=form)
    assert again["slope.q"][-1] == pytest.approx(case["stop_position"], abs=1e-9)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("name", "frictions"),
    [
        ("buffered", {"guide": {"coulomb": 0.15}, "A": {"coulomb": 0.2, "radius": 0.01},
                      "C": {"coulomb": 0.2, "radius": 0.01}}),
        ("released", {"A": {"coulomb": 0.2, "radius": 0.02}, "D": {"coulomb": 0.2, "radius": 0.02}}),
        ("rsup", {"slide": {"coulomb": 0.1}, "A": {"coulomb": 0.2, "radius": 0.01}}),
    ],
)  # fmt: skip
def test_friction_in_loops_agrees_with_the_reactions(name, frictions, form):
    """Joints of the tree and those that close the loop; the balance of every body, and energy, with the friction."""
    model = mubo.load(DATA / "dynamics" / f"{name}.toml")
    for joint, options in frictions.items():
        model.force(f"rub_{joint}", "friction", joint, **options, speed=0.01)
    run = model.simulate(0, 0.5, 0.025, reactions=True, formulation=form)
    assert run.summary["newton_euler"]["largest"] < 1e-12
    assert run.summary["energy"]["relative"] < 1e-8
    assert run["energy.dissipated"][-1] > 0
    for joint, options in frictions.items():
        second = model.joints[joint].between[1].partition(".")[0]
        size = options["coulomb"] * options.get("radius", 1.0) * run[f"{joint}.on_{second}.f"]
        told = next(run[c] for c in (f"rub_{joint}.force", f"rub_{joint}.torque") if c in run.columns)
        np.testing.assert_allclose(-told, size * np.tanh(run[f"{joint}.v"] / 0.01), rtol=1e-8, atol=1e-10 * size.max())


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["four_bar", "four_bar_rscr"])  # whose drivers are a row and the law of a link
def test_friction_of_a_driven_joint_in_a_loop_is_that_of_inverse_dynamics(name, form):
    """The force on the pin of the crank enters once: by the driver's own link, not by the loop that it closes again."""
    model = mubo.load(DATA / "forces" / f"{name}.toml")
    model.forces.clear()
    model.force("rub", "friction", "A", coulomb=0.3, radius=0.05, speed=1e-6)
    a = model.build().output_times()
    end, step = a.start + 8 * a.step, 2 * a.step
    known, run = model.inverse(a.start, end, step=step), model.simulate(a.start, end, step, formulation=form)
    (driver,) = model.drivers
    size = float(np.max(np.abs(known["rub.torque"])))
    assert size > 0
    np.testing.assert_allclose(run[f"{driver}.effort"], known[f"{driver}.effort"], rtol=0, atol=1e-8 * size)


def test_a_joint_that_jams_stops_the_run(form):
    """A collar on a rail pushed far beside it: with μ l/h > 1 more friction makes more normal force without end."""
    model = mubo.Model("shaft", gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.body("disc", points={"A": (0, 0)}, mass=1, inertia=0.001, center=(0.2, 0))
    model.revolute("A", "ground.A", "disc.A")
    model.force("rub", "friction", "A", coulomb=3, radius=0.2, speed=0.01)
    model.initial("A", v=5)
    with pytest.raises(mubo.ModelError, match="force rub: friction and the reaction of joint A do not converge"):
        model.simulate(0, 1, 0.1, formulation=form)


def test_friction_of_an_indeterminate_reaction_is_refused(form):
    model = mubo.load(DATA / "forces" / "door_two_hinges.toml")
    model.drivers.clear()
    hinge = next(iter(model.joints))
    model.force("rub", "friction", hinge, coulomb=0.1, radius=0.01, speed=0.01)
    with pytest.raises(mubo.ModelError, match="is indeterminate"):
        model.simulate(0, 0.1, 0.1, formulation=form)


@pytest.mark.parametrize("form", FORMS)
def test_friction_close_to_jamming(form):
    """A heavy ram m₁ under P slides down and pushes a light block m₂ outwards by a rod at β: S sin β = m₁ ÿ + P and
    m₂ ẍ = (cos β − μ sin β) S with x = L cos β, y = L sin β. With m₁ ≫ m₂ it jams at μ tan β = 1; here it is 0.85."""
    mu, heavy, light, rod, push, beta, rate = 0.5, 10.0, 0.01, 2.0, 300.0, math.atan(1.7), -1.0
    model = mubo.Model("trammel", gravity=(0, 0))
    model.ground.point("O", (0, 0))
    model.body("ram", (0, rod * math.sin(beta)), points={"A": (0, 0)}, mass=heavy, inertia=1)
    model.body("rod", (0, rod * math.sin(beta)), -beta, {"A": (0, 0), "B": (rod, 0)}, mass=1e-9, inertia=1e-9)
    model.body("block", (rod * math.cos(beta), 0), points={"B": (0, 0)}, mass=light, inertia=1)
    model.translational("upright", "ground.O", "ram.A", axis=(0, 1), angle=0)
    model.translational("guide", "ground.O", "block.B", axis=(1, 0), angle=0)
    model.revolute("A", "ram.A", "rod.A")
    model.revolute("B", "rod.B", "block.B")
    model.force("weight", "point_force", "ram.A", direction=(0, -1), force=push)
    model.force("rub", "friction", "guide", coulomb=mu, speed=1e-3)
    model.initial("upright", v=rod * math.cos(beta) * rate)
    run = model.simulate(0, 1e-3, 1e-3, reactions=True, formulation=form)
    s, c = math.sin(beta), math.cos(beta)
    along = (c - mu * s) / s  # of S sin β
    bend = along * (push - heavy * rod * s * rate**2) + light * rod * c * rate**2
    bend /= -rod * (light * s + along * heavy * c)
    thrust = heavy * rod * (c * bend - s * rate**2) + push
    assert run["guide.a"][0] == pytest.approx(-rod * (s * bend + c * rate**2), rel=1e-6)
    assert run["rub.force"][0] == pytest.approx(-mu * thrust, rel=1e-6)
