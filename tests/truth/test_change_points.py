"""Dead points of four-bars (O'Kins 1964, Type I and Type II): located, classified, passed or not."""

import math

import numpy as np
import pytest

import mubo

FORMULATIONS = ["absolute", "loops"]


def linkage(lengths, angles) -> mubo.Model:
    """O'Kins' loop z1 + z2 + z3 + z4 = 0 with z4 fixed at 180 degrees; the crank z1 turns at 5 degrees a second."""
    r1, r2, r3, r4 = lengths
    model = mubo.Model("four-bar", {"angle": "deg"})
    model.ground.point("A", (0, 0))
    model.ground.point("D", (r4, 0))
    x = y = 0.0
    for name, r, angle, first, second in (
        ("z1", r1, angles[0], "A", "B"),
        ("z2", r2, angles[1], "B", "C"),
        ("z3", r3, angles[2], "C", "D"),
    ):
        model.body(name, (x, y), angle, {first: (0, 0), second: (r, 0)})
        x += r * math.cos(math.radians(angle))
        y += r * math.sin(math.radians(angle))
    model.revolute("A", "ground.A", "z1.A")
    model.revolute("B", "z1.B", "z2.B")
    model.revolute("C", "z2.C", "z3.C")
    model.revolute("D", "z3.D", "ground.D")
    model.driver("crank", "z1.phi", f"{angles[0]} + 5*t")
    return model


def type_1() -> mubo.Model:
    return linkage((1, 2, 1, 2), (170, 0, -10))


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_type_1_is_passed_on_the_parallelogram(formulation):
    """Positions 0.8 s apart, past the change point at 180 degrees: θ2 = 0 and θ3 = θ1 − 180 throughout."""
    run = type_1().kinematics(0, 3.2, 0.8, formulation=formulation)
    assert run.summary["status"] == "ok"
    (event,) = run.events
    assert event.kind == "bifurcation"
    assert event.drivers["crank"] == pytest.approx(180, abs=1e-6)
    assert event.t == pytest.approx(2, abs=1e-9)
    np.testing.assert_allclose(run["z2.phi"], 0, atol=1e-9)
    np.testing.assert_allclose(run["z3.phi"], 170 + 5 * run["t"] - 180, atol=1e-9)
    assert run.summary["there_and_back"] < 1e-9


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_type_1_on_the_other_branch(formulation, reference):
    """The two tangents: (ω2, ω3) = (0, 5) and (10/3, −5/3) degrees a second; then the antiparallelogram."""
    run = type_1().kinematics(0, 3.2, 0.8, formulation=formulation, branch="other")
    rates = run.events[0].rates
    assert rates["smooth"]["z2"] == pytest.approx(0, abs=1e-6)
    assert rates["smooth"]["z3"] == pytest.approx(5, abs=1e-6)
    assert rates["other"]["z2"] == pytest.approx(10 / 3, abs=1e-6)
    assert rates["other"]["z3"] == pytest.approx(-5 / 3, abs=1e-6)
    # Antiparallelogram: the diagonal from B to D is common, and the elbow C lies on its other side.
    for theta, second in zip(np.radians(run["z1.phi"][3:]), np.radians(run["z2.phi"][3:]), strict=True):
        bx, by = math.cos(theta), math.sin(theta)
        cx, cy = bx + 2 * math.cos(second), by + 2 * math.sin(second)
        assert math.hypot(cx - 2, cy) == pytest.approx(1, abs=1e-12)
        assert abs(second) > 1e-3


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_type_2_locks(formulation):
    """Moduli 1, 1.048, 0.684, 1: coupler and rocker stretch at |BD| = 1.732; nothing exists at 122 and 126 degrees."""
    lengths = (1, 1.048, 0.684, 1)
    with pytest.warns(UserWarning, match="the mechanism locks: no position exists beyond"):
        run = linkage(lengths, (110, -19.87, -58.6)).kinematics(0, 3.2, 0.8, formulation=formulation)
    # |BD|² = 1 + 1 − 2 cos θ = (1.048 + 0.684)²
    lock = math.degrees(math.acos(1 - (1.048 + 0.684) ** 2 / 2))
    assert lock == pytest.approx(119.994178137624, abs=1e-9)
    assert run.summary["status"] == "stopped"
    assert run.events[-1].kind == "limit"
    assert run.events[-1].drivers["crank"] == pytest.approx(lock, abs=1e-6)
    assert run.events[-1].bodies == ("z2", "z3")
    assert list(run["z1.phi"]) == pytest.approx([110, 114, 118])


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("step", [0.01, 0.125, 0.4])
def test_ten_turns_of_a_parallelogram(step, formulation):
    """Both change points of every turn are reported, some of them on an output row; the branch is kept."""
    model = linkage((1, 3, 1, 3), (0, 0, 180))
    model.drivers.clear()
    model.driver("crank", "z1.phi", "30 + 360*t")
    for name, angle in (("z1", 30), ("z3", -150)):
        model = model.replace(f"{name}.angle", angle)
    run = model.kinematics(0, 10, step, formulation=formulation)
    assert run.summary["status"] == "ok"
    assert [event.drivers["crank"] for event in run.events] == pytest.approx([180 * k for k in range(1, 21)], abs=1e-6)
    np.testing.assert_allclose(run["z2.phi"], 0, atol=1e-9)
    assert run.summary["residual"]["position"] < 1e-10
    assert run.summary["there_and_back"] < 1e-9


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_rows_close_to_a_change_point_have_their_own_rates(formulation):
    """θ = 180 + 60 t + 7000 t³ degrees, rows from 5·10⁻⁴ rad around the point: the rocker turns as the crank does."""
    model = linkage((1, 3, 1, 3), (178, 0, -2))
    model.drivers.clear()
    model.driver("crank", "z1.phi", "180 + 60*t + 7000*t**3")
    run = model.kinematics(-0.0305, 0.0305, 0.001, formulation=formulation)
    assert [event.t for event in run.events] == pytest.approx([0], abs=1e-9)
    np.testing.assert_allclose(run["z3.omega"], 60 + 21000 * run["t"] ** 2, rtol=1e-6)
    np.testing.assert_allclose(run["z3.alpha"], 42000 * run["t"], atol=0.1)  # of 1281 at the ends


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_row_on_a_change_point_has_the_acceleration_of_its_motion(formulation):
    """θ = 180 + 60 t + 40 t² degrees: at t = 0 on the point the rocker turns at 60, faster by 80 a second."""
    model = linkage((1, 3, 1, 3), (140, 0, -40))
    model.drivers.clear()
    model.driver("crank", "z1.phi", "180 + 60*t + 40*t**2")
    run = model.kinematics(-0.5, 1, 0.25, formulation=formulation)
    assert run["z3.omega"][2] == pytest.approx(60, abs=1e-4)
    assert run["z3.alpha"][2] == pytest.approx(80, abs=1e-3)


def test_two_change_points_at_once_are_not_guessed():
    """Two parallelograms on one crank reach 180 degrees together: four motions cross, and the run stops there."""
    model = linkage((1, 3, 1, 3), (140, 0, -40))
    model.ground.point("E", (-3, 0))
    model.body("z5", (math.cos(math.radians(140)) - 3, math.sin(math.radians(140))), 0, {"B": (3, 0), "F": (0, 0)})
    model.body("z6", (-3, 0), 140, {"E": (0, 0), "F": (1, 0)})
    model.revolute("F", "z5.F", "z6.F")
    model.revolute("G", "z1.B", "z5.B")
    model.revolute("E", "ground.E", "z6.E")
    model.drivers.clear()
    model.driver("crank", "z1.phi", "140 + 60*t")
    with pytest.warns(UserWarning, match="two motions cross here and the constraints do not choose between them"):
        run = model.kinematics(0, 1, 0.07, formulation="loops")
    assert (run.summary["status"], run.events[-1].kind) == ("stopped", "bifurcation")
    assert run.events[-1].drivers["crank"] == pytest.approx(180, abs=1e-3)
    assert run.events[-1].bodies == ("z2", "z3", "z5", "z6")
    np.testing.assert_allclose([run["z2.phi"], run["z5.phi"]], 0, atol=1e-6)


def coupled_wheels(places, phase, rate) -> mubo.Model:
    """Wheels of radius 0.3 whose pins one rod couples; the first is driven from a phase at a rate, in radians."""
    model = mubo.Model("coupled wheels")
    start = (0.3 * math.cos(phase), 0.3 * math.sin(phase))
    model.body("rod", start, 0, {f"B{k}": at for k, at in enumerate(places)})
    for k, (x, y) in enumerate(places):
        model.ground.point(f"A{k}", (x, y))
        model.body(f"wheel{k}", (x, y), phase, {"A": (0, 0), "B": (0.3, 0)})
        model.revolute(f"A{k}", f"ground.A{k}", f"wheel{k}.A")
        model.revolute(f"B{k}", f"wheel{k}.B", f"rod.B{k}")
    model.driver("motor", "wheel0.phi", f"{phase!r} + {rate!r}*t")
    return model


@pytest.mark.parametrize(
    ("count", "phase", "rate", "branch"),
    [
        (3, 1.5707963, 6.0, "smooth"),
        (3, math.pi / 4, -2 * math.pi, "other"),
        (4, 1.5707963, -6.0, "smooth"),
        (5, 6.132, -2 * math.pi, "smooth"),
        (6, math.pi / 4, 6.0, "other"),
    ],
)
def test_three_and_more_coupled_wheels_pass_their_line_in_parallel(count, phase, rate, branch):
    """Two wheels may leave the line of their pins in parallel or against each other; against each other the rod turns,
    and a third pin on it leaves its circle to second order. Every wheel turns as the first, and nothing crosses."""
    places = [(0.0, 0.0), (0.5, 0.0), (1.2, 0.0), (1.5, 0.0), (2.5, 0.0), (3.2, 0.0)][:count]
    run = coupled_wheels(places, phase, rate).kinematics(0, 1.3, 0.037, branch=branch)
    assert run.summary["status"] == "ok"
    assert "bifurcation" not in [event.kind for event in run.events]
    for k in range(count):
        np.testing.assert_allclose(run[f"wheel{k}.phi"], phase + rate * run["t"], atol=1e-9)
        np.testing.assert_allclose(run[f"wheel{k}.omega"], rate, rtol=1e-7)
        np.testing.assert_allclose(run[f"wheel{k}.alpha"], 0, atol=1e-5)
    np.testing.assert_allclose(run["rod.phi"], 0, atol=1e-9)
    assert run.summary["there_and_back"] < 1e-9


def test_coupled_wheels_that_stand_in_no_line_have_no_singular_position():
    """Then the pins of three wheels lie in no line at any angle: the equations left out determine the rod."""
    run = coupled_wheels([(0.0, 0.0), (0.5, 0.25), (1.2, 0.1)], math.pi / 4, 6.0).kinematics(0, 1.3, 0.037)
    assert (run.summary["status"], run.events) == ("ok", [])
    np.testing.assert_allclose(run["wheel2.phi"], math.pi / 4 + 6 * run["t"], atol=1e-9)


def in_line(count):
    return [(0.0, 0.0), (0.5, 0.0), (1.2, 0.0), (1.5, 0.0)][:count]


@pytest.mark.parametrize(("count", "phase", "step"), [(3, 1.2, 0.04), (3, 2.5, 0.19), (4, 1.2, 0.19), (4, 2.5, 0.013)])
def test_every_line_of_coupled_wheels_is_reported_at_any_step(count, phase, step):
    """The pins lie in one line at every half turn of the motor, there J loses its rank and σ is zero."""
    run = coupled_wheels(in_line(count), phase, 2 * math.pi).kinematics(0, 2, step)
    lines = [k / 2 - phase / 2 / math.pi for k in range(1, 5)]
    assert [event.t for event in run.events] == pytest.approx(lines, abs=1e-9)
    assert all("falls to 0, below" in event.message for event in run.events)


@pytest.mark.parametrize("rate", [2.0, -3.0])
def test_a_row_on_the_line_of_coupled_wheels_has_the_acceleration_of_the_rod(rate):
    """Every point of the rod circles with radius 0.3: (0.3 ω², 0) at the half turn, whatever row it is."""
    run = coupled_wheels(in_line(3), math.pi - rate / 2, rate).kinematics(0, 1, 0.25)
    row = 2  # t = 0.5, at the half turn
    assert run["rod.ax"][row] == pytest.approx(0.3 * rate**2, rel=1e-12)
    assert run["rod.ay"][row] == pytest.approx(0, abs=1e-9)
    assert run.summary["residual"]["acceleration"] < 1e-9


@pytest.mark.parametrize(("count", "phase", "rate"), [(3, 0.0, 2.0), (4, math.pi, -3.0)])
def test_coupled_wheels_start_in_their_line(count, phase, rate):
    """Only the parallel motion passes the line, so that it determines the start: the wheels turn alike, and the rod has
    the acceleration of a circle."""
    model = coupled_wheels(in_line(count), phase, rate)
    assert model.check().ok
    run = model.kinematics(0, 1.1, 0.1)
    assert run.summary["status"] == "ok"
    for k in range(count):
        np.testing.assert_allclose(run[f"wheel{k}.phi"], phase + rate * run["t"], atol=1e-9)
        np.testing.assert_allclose(run[f"wheel{k}.omega"], rate, rtol=1e-9)
        np.testing.assert_allclose(run[f"wheel{k}.alpha"], 0, atol=1e-6)
    np.testing.assert_allclose(run["rod.ax"], -0.3 * rate**2 * np.cos(phase + rate * run["t"]), rtol=1e-9)
    assert run.summary["mobility"]["rank"] == 1
    assert run.summary["there_and_back"] < 1e-9


def test_two_cranks_do_not_start_in_their_line():
    """A parallelogram may leave its line in parallel or crossed: the start determines neither."""
    with pytest.raises(mubo.SingularityError, match="the start is a singular position: rod and wheel1 can move"):
        coupled_wheels(in_line(2), 0.0, 2.0).kinematics(0, 1, 0.1)
