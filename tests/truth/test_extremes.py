"""Extremes by closed forms, whatever the step: strokes, swings, time ratios, transmission, dead positions, locks."""

import math

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

STEPS = (0.05, 0.0173, 0.004)


def slider_crank(r, rod, e):
    """A crank at the origin, a slider along x at the height e."""
    m = mubo.Model("slider crank", {"length": "mm", "angle": "deg"})
    m.ground.point("O", (0, 0))
    m.ground.point("G", (0, e))
    m.body("crank", (0, 0), 30, {"O": (0, 0), "A": (r, 0)})
    m.body("rod", (r, 0), 0, {"A": (0, 0), "B": (rod, 0)})
    m.body("slider", (r + rod, e), 0, {"B": (0, 0)})
    m.revolute("O", "ground.O", "crank.O")
    m.revolute("A", "crank.A", "rod.A")
    m.revolute("B", "rod.B", "slider.B")
    m.translational("guide", "ground.G", "slider.B", axis=(1, 0), angle=0)
    m.driver("motor", "crank.phi", "30 + 360*t")
    m.point("pin", "slider", (0, 0))
    return m


def four_bar(a, b, c, d, start=40.0):
    m = mubo.Model("four bar", {"length": "mm", "angle": "deg"})
    m.ground.point("A", (0, 0))
    m.ground.point("D", (d, 0))
    m.body("crank", (0, 0), start, {"A": (0, 0), "B": (a, 0)})
    m.body(
        "coupler",
        (a * math.cos(math.radians(start)), a * math.sin(math.radians(start))),
        20,
        {"B": (0, 0), "C": (b, 0)},
    )
    m.body("rocker", (d, 0), 80, {"D": (0, 0), "C": (c, 0)})
    m.revolute("A", "ground.A", "crank.A")
    m.revolute("B", "crank.B", "coupler.B")
    m.revolute("C", "coupler.C", "rocker.C")
    m.revolute("D", "ground.D", "rocker.D")
    m.driver("motor", "crank.phi", f"{start} + 360*t")
    return m


@pytest.mark.parametrize("step", STEPS)
def test_stroke_of_an_offset_slider_crank(step):
    """The slider turns round where crank and rod are in line: x² + e² = (l ± r)²; the crank is there at
    sin θ = e/(l + r), and at sin θ = −e/(l − r) beyond 180 degrees (Norton, section 3.4, for the quick return)."""
    r, rod, e = 40, 130, 25
    far, near = math.sqrt((rod + r) ** 2 - e**2), math.sqrt((rod - r) ** 2 - e**2)
    summary = slider_crank(r, rod, e).kinematics(0, 1 + step, step).summary
    told, output = summary["extremes"]["guide.q"], summary["outputs"]["guide.q"]
    assert told["max"][0] == pytest.approx(far, rel=1e-12)
    assert told["min"][0] == pytest.approx(near, rel=1e-12)
    assert told["range"] == pytest.approx(far - near, rel=1e-12)
    out, back = math.asin(e / (rod + r)), math.pi + math.asin(e / (rod - r))
    dead = sorted(place["drivers"]["motor"] % 360 for place in output["toggle_positions"])
    assert dead == pytest.approx(sorted(math.degrees(x) for x in (out, back)), abs=1e-8)
    slow = (back - out) / (2 * math.pi)
    assert output["time_ratio"] == pytest.approx(max(slow, 1 - slow) / min(slow, 1 - slow), rel=1e-9)


@pytest.mark.parametrize("step", STEPS)
def test_greatest_speed_and_acceleration_of_a_central_slider_crank(step):
    """x = r cos θ + √(l² − r² sin² θ): the greatest acceleration is r ω² (1 + r/l), at θ = 0; the greatest speed is
    where its derivative by θ has a zero, taken here from 200,001 values of the formula."""
    r, rod, w = 50, 150, 2 * math.pi
    told = slider_crank(r, rod, 0).kinematics(0, 1, step).summary["extremes"]
    assert told["pin.acceleration"]["max"][0] == pytest.approx(r * w * w * (1 + r / rod), rel=1e-9)
    theta = np.linspace(0, np.pi, 200_001)
    speed = r * w * np.sin(theta) * (1 + r * np.cos(theta) / np.sqrt(rod**2 - r**2 * np.sin(theta) ** 2))
    assert told["pin.speed"]["max"][0] == pytest.approx(np.max(speed), rel=1e-9)
    assert told["guide.v"]["min"][0] == pytest.approx(-np.max(speed), rel=1e-9)
    assert "min" not in told["pin.speed"]


@pytest.mark.parametrize("formulation", ["loops", "absolute"])
@pytest.mark.parametrize("step", STEPS)
def test_swing_time_ratio_and_transmission_of_a_crank_rocker(step, formulation):
    """The rocker turns round where crank and coupler are in line: its pin C is b ± a from A. Its transmission angle is
    least and greatest where the crank lies along the ground: cos μ = (b² + c² − (d ∓ a)²) / 2bc."""
    a, b, c, d = 40, 110, 80, 100
    run = four_bar(a, b, c, d).kinematics(0, 1 + step, step, formulation=formulation, advantage="rocker.phi")
    summary = run.summary

    def rocker(reach):  # angle of D→C where A, B, C are in line
        return math.pi - math.acos((c**2 + d**2 - reach**2) / (2 * c * d))

    def crank(reach):  # angle of A→C there
        return math.acos((reach**2 + d**2 - c**2) / (2 * reach * d))

    swing = math.degrees(abs(rocker(b + a) - rocker(b - a)))
    assert summary["extremes"]["D.q"]["range"] == pytest.approx(swing, rel=1e-10)
    outer, inner = crank(b + a), crank(b - a) + math.pi
    dead = sorted(p["drivers"]["motor"] % 360 for p in summary["outputs"]["D.q"]["toggle_positions"])
    assert dead == pytest.approx(sorted(math.degrees(x) for x in (outer, inner)), abs=1e-7)
    part = (inner - outer) / (2 * math.pi)
    assert summary["outputs"]["D.q"]["time_ratio"] == pytest.approx(max(part, 1 - part) / min(part, 1 - part), rel=1e-9)
    ends = [math.degrees(math.acos((b**2 + c**2 - (d + s * a) ** 2) / (2 * b * c))) for s in (-1, 1)]
    assert summary["transmission"]["range"] == pytest.approx(ends, rel=1e-10)
    advantage = summary["transmission"]["mechanical_advantage"]
    assert advantage["maximum"]["value"] == math.inf
    infinite = sorted(place["drivers"]["motor"] % 360 for place in advantage["infinite_at"])
    assert infinite == pytest.approx(dead, abs=1e-7)


def test_extremes_do_not_depend_on_the_step():
    """All that is told of a four-bar with a coupler point and measures, to nine digits; times to six."""
    tables = []
    for step in STEPS:
        model = mubo.load(EXAMPLES / "four_bar.toml")
        model.measure("gap", distance=("P", "ground.D"))
        model.measure("lean", angle=("ground.A", "ground.D", "coupler.B", "P"))
        model.measure("mix", value="gap*sin(lean) + P.x^2/gap")
        tables.append(model.kinematics(0, round(0.95 / step) * step, step).summary["extremes"])
    for name, entry in tables[0].items():
        size = abs(entry.get("range", entry["max"][0])) + 1e-9
        for end in ("min", "max"):
            places = [table[name][end] for table in tables if end in entry]
            if places and all(0.001 < t < 0.94 for _, t in places):  # the ends of the runs are not the same time
                assert np.ptp([value for value, _ in places]) < 1e-9 * size, (name, end, places)
                assert np.ptp([t for _, t in places]) < 1e-5, (name, end, places)


def test_a_whitworth_returns_twice_as_fast():
    """Its crank has 210 − 330 = 120 degrees for the return, where the slot is square to the ground: ratio 2."""
    told = mubo.load(EXAMPLES / "whitworth.toml").kinematics().summary["outputs"]["guide.q"]
    assert told["time_ratio"] == pytest.approx(2, rel=1e-12)


def test_half_a_turn_has_no_time_ratio_and_a_driver_to_and_fro_none():
    model = slider_crank(40, 130, 25)
    assert "time_ratio" not in model.kinematics(0, 0.6, 0.01).summary["outputs"]["guide.q"]
    model.drivers.clear()
    model.driver("motor", "crank.phi", "30 + 200*sin(6.283185307179586*t)")
    assert "time_ratio" not in model.kinematics(0, 1, 0.01).summary["outputs"]["guide.q"]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("step", STEPS)
def test_at_a_lock_coordinates_are_told_and_rates_are_infinite(step):
    """Crank 2, coupler 2, rocker 1 on ground 2.5 (cm): it locks where coupler and rocker are in line, B 3 from D."""
    run = four_bar(20, 20, 10, 25, 30).kinematics(0, 1, step)
    assert run.summary["status"] == "stopped"
    told = run.summary["extremes"]
    crank = math.acos((20**2 + 25**2 - 30**2) / (2 * 20 * 25))
    lock = (math.degrees(crank) - 30) / 360
    assert told["A.q"]["max"] == pytest.approx([math.degrees(crank), lock], rel=1e-7)
    rocker = math.atan2(20 * math.sin(crank), 20 * math.cos(crank) - 25)  # along the line from D to B
    ends = [told["D.q"][end] for end in ("min", "max")]
    at_lock = next(place for place in ends if place[1] == pytest.approx(lock, rel=1e-6))
    assert math.remainder(math.radians(at_lock[0]) - rocker, 2 * math.pi) == pytest.approx(0, abs=1e-5)
    assert any(math.isinf(told["D.v"][end][0]) for end in ("min", "max"))


@pytest.mark.parametrize(
    ("lengths", "words"),
    [
        ((40, 110, 80, 100), "crank-rocker: crank turns round, rocker rocks"),
        ((80, 110, 40, 100), "crank-rocker: rocker turns round, crank rocks"),
        ((80, 90, 100, 40), "double crank: crank and rocker turn round"),
        ((80, 40, 110, 100), "double rocker: coupler turns round, crank and rocker rock"),
        ((60, 70, 80, 120), "no Grashof four-bar: no link turns round (triple rocker)"),
        ((40, 100, 40, 100), "change point"),
    ],
)
def test_grashof(lengths, words):
    """s + l against p + q, and which link is shortest."""
    from mubo.solvers.structure.groups import four_bars

    (told,) = four_bars(four_bar(*lengths).build())
    assert told["class"].startswith(words)
    assert list(told["links"].values()) == pytest.approx(list(lengths))


def test_only_loops_of_four_pins_are_four_bars():
    from mubo.solvers.structure.groups import four_bars

    assert four_bars(slider_crank(40, 130, 25).build()) == []
    watt = four_bars(mubo.load(EXAMPLES / "watt_six_bar.toml").build())
    assert [told["joints"] for told in watt] == [["A", "B", "C", "D"]]


def test_extremes_of_a_simulation():
    """Interpolated between rows 0.02 apart, they are those of rows twenty times as close."""
    model = mubo.load(EXAMPLES / "five_body_chain.toml")
    model.measure("drop", of="cross.z")
    told = model.simulate(0, 2, 0.02).summary["extremes"]
    fine = model.simulate(0, 2, 0.001)
    assert told["drop"]["min"][0] == pytest.approx(np.min(fine["cross.z"]), abs=1e-6)
    assert told["drop"]["max"][0] == pytest.approx(np.max(fine["cross.z"]), abs=1e-6)


def test_a_law_with_a_corner_shows_both_its_sides():
    """A slide that goes 0, then t²/2: its acceleration jumps from 0 to 1 at t = 0.5, between two rows."""
    m = mubo.Model("slide")
    m.ground.point("G", (0, 0))
    m.body("block", (0, 0), 0, {"B": (0, 0)})
    m.translational("rail", "ground.G", "block.B", axis=(1, 0), angle=0)
    m.driver("push", "rail", "where(t < 0.53, 0, (t - 0.53)^2/2*exp(-8*(t - 0.53)))")
    m.point("P", "block", (0, 0))
    told = m.kinematics(0, 1, 0.1).summary["extremes"]
    assert told["P.acceleration"]["max"] == pytest.approx([1.0, 0.53], abs=1e-6)


def test_the_terminal_tells_the_most_wanted(command):
    said = command("kinematics", EXAMPLES / "whitworth.toml", "--advantage", "guide").stdout
    assert (
        "stroke 100 mm, 100 mm at t = 0.7 s to 200 mm at t = 0.4 s; time ratio 2 (slow stroke to quick stroke)" in said
    )
    assert "to infinite at t = 0.4 s (motor = 210 deg), at t = 0.7 s (motor = 330 deg)" in said
    assert all(len(label) <= 15 for label in (line[:15].strip() for line in said.splitlines()))


@pytest.mark.parametrize("step", STEPS)
def test_accelerations_beside_a_change_point_are_those_of_the_smooth_motion(step):
    """With a rod as long as the crank (Cardan's circles) the rod turns back as fast as the crank turns, φ_rod = −φ: the
    joints at both its ends turn at a constant rate through both change points; the slider at x = 2 r cos φ."""
    run = slider_crank(50, 50, 0).kinematics(0, 1, step)
    assert [event.kind for event in run.events] == ["bifurcation", "bifurcation"]
    told, w2 = run.summary["extremes"], (2 * math.pi) ** 2
    for joint in ("A", "B"):
        assert told[f"{joint}.a"]["min"][0] == pytest.approx(0, abs=1e-4)
        assert told[f"{joint}.a"]["max"][0] == pytest.approx(0, abs=1e-4)  # deg/s²
    assert told["guide.a"]["min"][0] == pytest.approx(-100 * w2, rel=1e-9)
    assert told["guide.a"]["max"][0] == pytest.approx(100 * w2, rel=1e-9)


def lifted(start, rate):
    """A bar of 2 kg, its centre 0.5 m from the pin, turned evenly: the motor holds m g l cos φ."""
    m = mubo.Model("bar", gravity=(0, -9.81))
    m.ground.point("O", (0, 0))
    m.body("bar", angle=start, points={"O": (0, 0)}, mass=2, inertia=0.1, center=(0.5, 0))
    m.revolute("O", "ground.O", "bar.O")
    m.driver("motor", "bar.phi", f"{start!r} + {rate!r}*t")
    return m


@pytest.mark.parametrize("part", [0.03, 0.3, 0.45])
@pytest.mark.parametrize("end", ["first", "last"])
def test_a_torque_that_is_largest_within_the_first_or_last_step(part, end):
    """The bar is level a part of a step from the end of the run, where the torque is higher than one row away."""
    level = part * 0.1 if end == "first" else 1 - part * 0.1
    told = lifted(-0.5 * level, 0.5).inverse(0, 1, 0.1).summary["extremes"]["motor.effort"]["max"]
    assert told[0] == pytest.approx(9.81, rel=1e-12)
    assert told[1] == pytest.approx(level, abs=1e-6)


def test_a_torque_that_falls_from_the_first_row_on_is_largest_there():
    told = lifted(0.2, 0.5).inverse(0, 1, 0.1).summary["extremes"]["motor.effort"]["max"]
    assert told == pytest.approx([9.81 * math.cos(0.2), 0.0], rel=1e-12)
