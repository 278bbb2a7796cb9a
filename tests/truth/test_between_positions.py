"""What happens between two rows: pulses that meet a limit or turn just before it, and links that nearly fit.

A crank a on a ground of length d carries the dyad b, c: it can be where |b − c| ≤ |BD| ≤ b + c, and the law of cosines
|BD|² = a² + d² − 2 a d cos θ says at which angle of the crank that ends.
"""

import math

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.laws import Program, Segment

FORMULATIONS = ("absolute", "loops")
A, B, C = 1.0, 2.0, 1.5


def four_bar(ground: float, start: float, motion: str | Program) -> mubo.Model:
    """Crank 1, coupler 2, rocker 1.5 on a ground of the given length, pin C above the line B–D."""
    model = mubo.Model("four-bar")
    model.ground.point("A", (0, 0))
    model.ground.point("D", (ground, 0))
    bx, by = A * math.cos(start), A * math.sin(start)
    coupler = rocker_and_coupler(ground, np.array([start]))[1][0]
    cx, cy = bx + B * math.cos(coupler), by + B * math.sin(coupler)
    model.body("crank", (0, 0), start, {"A": (0, 0), "B": (A, 0)})
    model.body("coupler", (bx, by), coupler, {"B": (0, 0), "C": (B, 0)})
    model.body("rocker", (ground, 0), math.atan2(cy, cx - ground), {"D": (0, 0), "C": (C, 0)})
    for name, one, two in (("A", "ground", "crank"), ("B", "crank", "coupler"), ("C", "coupler", "rocker")):
        model.revolute(name, f"{one}.{name}", f"{two}.{name}")
    model.revolute("D", "rocker.D", "ground.D")
    model.driver("motor", "crank.phi", motion)
    return model


def rocker_and_coupler(ground: float, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Directions of rocker and coupler by the intersection of two circles, above B–D."""
    d = ground - A * np.exp(1j * theta)
    foot = (np.abs(d) ** 2 + B**2 - C**2) / (2 * np.abs(d) ** 2)
    to_c = d * (foot + 1j * np.sqrt(B**2 / np.abs(d) ** 2 - foot**2))
    return np.angle(to_c - d), np.angle(to_c)


def last_angle(ground: float) -> float:
    """The angle of the crank where coupler and rocker are in line."""
    return math.acos((A**2 + ground**2 - (B + C) ** 2) / (2 * A * ground))


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize(("rows", "pulses"), [(1, 1), (2, 2), (1, 5), (3, 3)])
def test_a_pulse_between_rows_meets_the_limit(rows, pulses, formulation):
    """The law stands still with all its rates at every row; its first pulse passes the last angle of the crank."""
    start, reach = 1.0, 2.0
    model = four_bar(3.0, start, f"{start} + {reach}*sin({pulses}*pi*t)**4")
    with pytest.warns(UserWarning, match="locks"):
        run = model.kinematics(0, 1, 1 / rows, formulation=formulation)
    lock = math.asin(((last_angle(3.0) - start) / reach) ** 0.25) / (pulses * math.pi)
    assert run.events[-1].kind == "limit"
    assert run.events[-1].t == pytest.approx(lock, abs=1e-8)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("short", [1e-3, 1e-4, 1e-6])
def test_a_pulse_that_turns_before_the_limit_is_a_near_miss(short, formulation):
    """It turns `short` before the last angle, in the middle between the two rows, and comes back on its branch."""
    start = 1.0
    reach = last_angle(3.0) - short - start
    run = four_bar(3.0, start, f"{start} + {reach!r}*sin(pi*t)**4").kinematics(0, 1, 1, formulation=formulation)
    (event,) = run.events
    assert (run.summary["status"], event.kind) == ("ok", "near_miss")
    assert event.t == pytest.approx(0.5, abs=1e-6)
    assert event.remaining_travel == {"motor": pytest.approx(short, abs=1e-9)}
    assert f"motor reverses {short:.3g} before its limit" in event.message
    assert run.summary["there_and_back"] < 1e-6
    np.testing.assert_allclose(run["rocker.phi"], rocker_and_coupler(3.0, np.array([start, start]))[0], atol=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_the_travel_left_is_the_way_to_the_lock(formulation):
    """Close to 180° the transmission stays poor over a long way: here the crank turns back 0.05 rad before its lock."""
    ground, start, short = B + C - A + 1e-3, 2.0, 0.05
    reach = last_angle(ground) - short - start
    run = four_bar(ground, start, f"{start} + {reach!r}*sin(pi*t)**2").kinematics(0, 1, 0.1, formulation=formulation)
    (event,) = run.events
    assert event.kind == "near_miss"
    assert event.remaining_travel == {"motor": pytest.approx(short, rel=1e-6)}


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_driver_that_rests_before_the_lock_has_its_travel_left(formulation):
    """The crank comes up to 0.001 rad before its last angle, dwells there for a second, and goes back."""
    start, short = 1.0, 1e-3
    reach = last_angle(3.0) - short - start
    law = Program(
        (Segment("cycloidal", 1.0, reach), Segment("dwell", 1.0), Segment("cycloidal", 1.0, -reach)), value=start
    )
    run = four_bar(3.0, start, law).kinematics(0, 3, 0.05, formulation=formulation)
    (event,) = run.events
    assert 1 - 1e-6 <= event.t <= 2 + 1e-6
    assert event.remaining_travel == {"motor": pytest.approx(short, abs=1e-9)}


def test_travel_left_is_in_the_unit_of_the_driver():
    """A ram from the ground to pin C of a rocker 1.5 on (2, 0) can reach 3.5 m: it turns back 0.02 m before."""
    model = mubo.Model("ram", {"length": "mm", "angle": "deg"})
    model.ground.point("A", (0, 0))
    model.ground.point("D", (2000, 0))
    model.body("rocker", (2000, 0), 100, {"D": (0, 0), "C": (1500, 0)})
    model.revolute("D", "ground.D", "rocker.D")
    start = math.hypot(2000 + 1500 * math.cos(math.radians(100)), 1500 * math.sin(math.radians(100)))
    model.driver("ram", ("ground.A", "rocker.C"), f"{start!r} + {3500 - 0.02 - start!r}*sin(pi*t)**2")
    (event,) = model.kinematics(0, 1, 0.25).events
    assert event.remaining_travel == {"ram": pytest.approx(0.02, rel=1e-5)}
    assert "ram reverses 0.02 mm before its limit" in event.message


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("misfit", [1e-3, 1e-6, 1e-8, 1e-9, 1e-10, 2e-11])
def test_links_that_are_too_short_by_little_lock(misfit, formulation):
    """A ground so much longer than b + c − a: the crank cannot pass 180 degrees. No change point is passed before."""
    ground = B + C - A + misfit
    with pytest.warns(UserWarning, match="locks"):
        run = four_bar(ground, 2.0, "2 + 3*t").kinematics(0, 1, 0.1, formulation=formulation)
    assert [event.kind for event in run.events if event.kind != "near_miss"] == ["limit"]
    assert 2 + 3 * run.events[-1].t == pytest.approx(last_angle(ground), abs=1e-6)
    assert (f"changed by about {misfit:.1g}" in run.events[-1].message) == (misfit < 1e-3)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("misfit", [1e-3, 1e-6, 1e-8, 1e-9, 1e-10, 2e-11])
def test_links_that_are_too_long_by_little_keep_their_side(misfit, formulation):
    """A ground so much shorter: at 180 degrees coupler and rocker turn sharply and stay on the side they came from."""
    ground = B + C - A - misfit
    run = four_bar(ground, 2.0, "2 + 3*t").kinematics(0, 1, 0.1, formulation=formulation)
    assert {event.kind for event in run.events} == {"near_miss"}
    assert not any(event.remaining_travel for event in run.events)  # the crank goes on: there is no limit ahead
    expected = np.unwrap(rocker_and_coupler(ground, 2 + 3 * run["t"])[0])
    np.testing.assert_allclose(run["rocker.phi"], expected, atol=1e-7)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_links_that_fit_cross(formulation):
    """At 180 degrees of the crank both motions exist, and the smooth one goes over to the other side."""
    run = four_bar(B + C - A, 2.0, "2 + 3*t").kinematics(0, 1, 0.1, formulation=formulation)
    (event,) = run.events
    assert (event.kind, run.summary["status"]) == ("bifurcation", "ok")
    assert 2 + 3 * event.t == pytest.approx(math.pi, abs=1e-9)
    assert "misfit of the lengths is zero here; less than 1e-12 cannot be distinguished from none" in event.message
    theta = 2 + 3 * run["t"]
    above = np.unwrap(rocker_and_coupler(B + C - A, theta)[0])
    before = theta < math.pi
    np.testing.assert_allclose(run["rocker.phi"][before], above[before], atol=1e-7)
    assert np.all(np.abs(run["rocker.phi"][~before] - above[~before]) > 0.05)


@pytest.mark.parametrize("misfit", [3e-13, -3e-13])
def test_a_change_point_below_the_resolution_tells_what_lengths_leave_open(misfit):
    run = four_bar(B + C - A + misfit, 2.0, "2 + 3*t").kinematics(0, 1, 0.1)
    (event,) = run.events
    assert (event.kind, run.summary["status"]) == ("bifurcation", "ok")
    told = float(event.message.partition("misfit of the lengths is ")[2].split()[0])
    assert told == pytest.approx(abs(misfit), rel=0.7)  # of the lengths that could close it, another one or a sum


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("before", [0.3, 0.6, 1.2])
def test_a_run_that_starts_just_before_a_change_point_passes_it_smoothly(before, formulation):
    """A parallelogram of links 1 and 3, rows on the point itself: the rocker turns with the crank."""
    model = mubo.Model("parallelogram", {"angle": "deg"})
    model.ground.point("A", (0, 0))
    model.ground.point("D", (3, 0))
    start = 180 - before
    x, y = math.cos(math.radians(start)), math.sin(math.radians(start))
    model.body("crank", (0, 0), start, {"A": (0, 0), "B": (1, 0)})
    model.body("coupler", (x, y), 0, {"B": (0, 0), "C": (3, 0)})
    model.body("rocker", (3, 0), start, {"D": (0, 0), "C": (1, 0)})
    for name, one, two in (("A", "ground", "crank"), ("B", "crank", "coupler"), ("C", "coupler", "rocker")):
        model.revolute(name, f"{one}.{name}", f"{two}.{name}")
    model.revolute("D", "rocker.D", "ground.D")
    model.driver("motor", "crank.phi", f"{start} + {before}*t")
    run = model.kinematics(0, 2, 0.05, formulation=formulation)
    np.testing.assert_allclose(run["rocker.phi"], run["crank.phi"], atol=1e-6)
    np.testing.assert_allclose(run["rocker.omega"], run["crank.omega"], rtol=1e-6)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_many_turns_between_two_rows_keep_their_side(formulation):
    """A crank that turns, by little: every turn has places where steps must be divided."""
    ground = B + C - A - 1e-3
    model = four_bar(ground, 1.0, "1.0 + 2*pi*60.3*t")
    run = model.kinematics(0, 1, 0.5, formulation=formulation)
    assert run.summary["status"] == "ok"
    expected = rocker_and_coupler(ground, run["crank.phi"])[0]
    np.testing.assert_allclose(np.exp(1j * run["rocker.phi"]), np.exp(1j * expected), atol=1e-9)


def test_drivers_that_move_too_far_between_rows_are_refused():
    with pytest.raises(mubo.ModelError, match=r"between t = .* more than 200,000"):
        four_bar(2.0, 2.0, "2 + 1e7*t").kinematics(0, 1, 0.5)
    with pytest.raises(mubo.ModelError, match=r"more than \d\d,\d\d\d\b") as large:  # six links in space: fewer
        mubo.load(EXAMPLES / "robot_arm.toml").kinematics(0, 4000, 4000)
    assert "ask for more rows" in str(large.value)


def test_a_run_over_endless_change_points_ends(monkeypatch):
    """A parallelogram meets one every half turn; after so many the run is given up, with its rows, and says so."""
    monkeypatch.setattr("mubo.solvers.kinematics.bifurcation.MAX_CHANGE_POINTS", 5)
    model = four_bar(B + C - A, 2.0, "2 + 3*t")
    with pytest.warns(UserWarning, match="5 change points were passed"):
        run = model.kinematics(0, 30, 0.5)
    assert (run.summary["status"], run.events[-1].kind) == ("stopped", "failure")
    # this one has its change points at 180 degrees and every full turn after
    assert 2 + 3 * run.events[-1].t == pytest.approx(math.pi + 5 * 2 * math.pi, abs=0.1)
