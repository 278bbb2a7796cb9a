"""Forces at the change points of a parallelogram with links 1 and 2, between rows and on them.

Its cranks turn alike and the coupler shifts; stretched out, it passes no torque from crank to crank. A brake T on the
second crank is held by pin forces T/sin φ, without bound. The mass of the coupler alone needs m r ω², shared by its
pins like a lever: 1.3/2 and 0.7/2 of it where its centre is 0.7 from the first, at change points as anywhere.
"""

import math

import numpy as np
import pytest

import mubo

START, RATE, TORQUE = 0.3, 2.0, 5.0
CHANGE = (math.pi - START) / RATE


def _parallelogram(brake=False, mass=False, gravity=(0.0, 0.0), start=START, unit="m", r=1.0):
    model = mubo.Model("parallelogram", units={"length": unit, "angle": "rad"}, gravity=gravity)
    model.ground.point("A", (0, 0))
    model.ground.point("D", (2 * r, 0))
    model.body("crank", points={"A": (0, 0), "B": (r, 0)}, angle=start)
    heavy = {"mass": 1.0, "inertia": 0.1 * r * r, "center": (0.7 * r, 0)} if mass else {}
    place = (r * math.cos(start), r * math.sin(start))
    model.body("coupler", points={"B": (0, 0), "C": (2 * r, 0)}, position=place, **heavy)
    model.body("rocker", points={"D": (0, 0), "C": (r, 0)}, position=(2 * r, 0), angle=start)
    for name, pair in {"A": "ground crank", "B": "crank coupler", "C": "coupler rocker", "D": "ground rocker"}.items():
        model.revolute(name, *(f"{body}.{name}" for body in pair.split()))
    model.driver("motor", "crank.phi", f"{start!r} + {RATE}*t")
    if brake:
        model.force("brake", "body_torque", "rocker", torque=-TORQUE)
    return model


def _told(run, kind):
    return [event for event in run.events if event.kind == kind]


@pytest.mark.parametrize("study", ["inverse", "statics"])
def test_forces_that_grow_without_bound_between_rows_are_told(study):
    run = getattr(_parallelogram(brake=True), study)(0, 2, step=0.05)
    (event,) = _told(run, "unbounded")
    assert event.t == pytest.approx(CHANGE, abs=1e-9)
    assert set(event.joints) == {"A", "B", "C", "D"}
    assert event.passed
    extremes = run.summary["extremes"]
    for name in ("A.on_crank.f", "B.on_coupler.f", "D.on_rocker.f"):
        assert extremes[name]["max"][0] == math.inf
        assert extremes[name]["max"][1] == pytest.approx(CHANGE, abs=1e-9)
        assert extremes[name]["min"][0] == pytest.approx(TORQUE, rel=1e-9)  # T/sin 90°
    assert extremes["motor.effort"]["max"][0] == pytest.approx(TORQUE, rel=1e-9)  # a parallelogram passes torque on


@pytest.mark.parametrize("step", [0.05, 0.002])
def test_forces_that_stay_finite_are_not(step):
    """The number of rows does not matter, though close to a change point rounding takes all digits of a force."""
    run = _parallelogram(mass=True).inverse(0, 2, step=step)
    assert not _told(run, "unbounded")
    assert not _told(run, "undetermined")  # no row stands there
    extremes = run.summary["extremes"]
    for name, part in (("B.on_coupler.f", 1.3 / 2), ("C.on_rocker.f", 0.7 / 2)):
        for end in ("min", "max"):
            assert extremes[name][end][0] == pytest.approx(RATE**2 * part, rel=1e-5)
    assert extremes["motor.effort"]["max"][0] == pytest.approx(0.0, abs=1e-6)


def test_effort_is_largest_at_a_change_point_where_pins_carry_anything():
    """The motor lifts the coupler: m g r cos φ, largest where the links are stretched; its pins are without bound."""
    run = _parallelogram(mass=True, gravity=(0, -9.81)).inverse(0, 2, step=0.05)
    assert [event.t for event in _told(run, "unbounded")] == pytest.approx([CHANGE], abs=1e-9)
    least = run.summary["extremes"]["motor.effort"]["min"]
    assert least == pytest.approx([-9.81, CHANGE], rel=1e-6)


@pytest.mark.parametrize(("loads", "kind"), [({"brake": True}, "unbounded"), ({"mass": True}, "undetermined")])
def test_a_row_on_a_change_point_says_which_of_both(loads, kind):
    run = _parallelogram(**loads, start=math.pi - 1).inverse(0, 1, step=0.5)
    (event,) = [event for event in run.events if event.joints]
    assert event.kind == kind
    assert event.t == pytest.approx(0.5)
    assert np.isnan(run["B.on_coupler.fx"][1])
    assert math.isinf(run.summary["extremes"]["B.on_coupler.f"]["max"][0]) == (kind == "unbounded")


@pytest.mark.parametrize(("unit", "r"), [("km", 1e-3), ("mm", 1e3), ("um", 1e6)])
def test_the_unit_of_length_decides_nothing(unit, r):
    """The same mechanism in another unit: m r ω² of the coupler stays finite, pins under a brake do not."""
    run = _parallelogram(mass=True, unit=unit, r=r).inverse(0, 2, step=0.05)
    assert not _told(run, "unbounded")
    extremes = run.summary["extremes"]["B.on_coupler.f"]
    assert extremes["max"][0] == pytest.approx(r * RATE**2 * 1.3 / 2, rel=1e-5)
    run = _parallelogram(brake=True, unit=unit, r=r).inverse(0, 2, step=0.05)
    (event,) = _told(run, "unbounded")
    assert set(event.joints) == {"A", "B", "C", "D"}
