"""Events of any column: times by closed forms, or the value that another run has at that time.

A stone on a free joint: z = z0 + u t − g t²/2. A pendulum released at 90° (m = 1.5 kg, L = 0.5 m, I = 0.125 kg m²
about its centre): the pin pulls with m (g cos a + L ω²), ω² = 2 m g L cos a / (I + m L²).
"""

from dataclasses import replace

import numpy as np
import pytest
from conftest import DATA

import mubo


def stone():
    model = mubo.Model("stone", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("O", (0, 0, 0))
    model.body("stone", points={"O": (0, 0, 0)}, mass=1, inertia=(1, 1, 1))
    model.joint("fly", "free", "ground.O", "stone.O")
    model.initial("stone", position=(0, 0, 2), velocity=(3, 0, 4))
    model.measure("away", distance=("ground.O", "stone.O"))
    return model


def test_places_speeds_and_measures(form):
    model = stone()
    model.event("top", "stone.vz", 0)
    model.event("level", "stone.z", 2, "down")
    model.event("away", "away", 3, stop=False)
    model.event("ground", "stone.z", 0, stop=True)
    run = model.simulate(0, 5, 0.1, formulation=form)
    at = {event.message.partition(":")[0]: event.t for event in run.events}
    assert at["top"] == pytest.approx(4 / 9.81, abs=1e-10)
    assert at["level"] == pytest.approx(8 / 9.81, abs=1e-10)
    assert at["ground"] == pytest.approx((4 + np.sqrt(16 + 4 * 9.81)) / 9.81, abs=1e-10)
    t = at["away"]
    assert np.hypot(3 * t, 2 + 4 * t - 9.81 / 2 * t**2) == pytest.approx(3, abs=1e-9)
    assert run.summary["reached"] == at["ground"]


@pytest.mark.parametrize("way", [{"method": "DOP853"}, {"method": "LSODA"}, {"formulation": "absolute"}])
def test_a_reaction(way):
    """m (g cos a + L ω²) = 30 N at cos a = 30 / (m g (1 + 2 m L² / (I + m L²)))."""
    model = mubo.Model("pendulum", gravity=(0, -9.81))
    model.ground.point("A", (0, 0))
    model.body("bar", points={"A": (0, 0)}, mass=1.5, inertia=0.125, center=(0, -0.5))
    model.revolute("A", "ground.A", "bar.A")
    model.initial("A", q=-np.pi / 2)
    model.measure("pull", value="A.on_bar.fy*cos(A.q) - A.on_bar.fx*sin(A.q)")
    model.event("pulls", "pull", 30, "up", stop=True)
    run = model.simulate(0, 2, 0.01, **way)
    cosine = 30 / (1.5 * 9.81 * (1 + 2 * 1.5 * 0.25 / (0.125 + 1.5 * 0.25)))
    ended = model.copy()
    ended.events.clear()
    again = ended.simulate(0, run.summary["reached"], run.summary["reached"])
    assert np.cos(again["A.q"][-1]) == pytest.approx(cosine, abs=1e-8)


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("released", "C.q"),  # closes the loop
        ("released", "coupler.omega"),
        ("released", "D.on_rocker.f"),
        ("released", "A.a"),
        ("released", "energy.kinetic"),
        ("rsup", "C.q1"),
        ("rsup", "slider.vx"),
        ("buffered", "guide.q"),
    ],
)
def test_loops(name, of, form):
    """Half-way between two rows: the event finds the value that a run up to there ends with."""
    model = mubo.load(DATA / "dynamics" / f"{name}.toml")
    plain = model.simulate(0, 0.2, 0.1, reactions=True, formulation=form)
    value = float(plain.columns.raw(of)[1:].mean())
    model.event("met", of, value)
    times = [event.t for event in model.simulate(0, 0.25, 0.05, formulation=form).events]
    assert times
    model.events.clear()
    again = model.simulate(0, times[0], times[0], reactions=True, formulation=form)
    size = float(np.max(np.abs(plain.columns.raw(of))))
    assert again.columns.raw(of)[-1] == pytest.approx(value, abs=1e-7 * size)


def test_a_load_size_in_degrees(form):
    model = mubo.Model("lever", units={"length": "m", "angle": "deg", "mass": "kg", "time": "s"}, gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.body("lever", points={"A": (0, 0)}, mass=1, inertia=1)
    model.revolute("A", "ground.A", "lever.A")
    model.force("wind", "joint_spring", "A", stiffness=4)
    model.initial("A", q="60 deg")
    model.event("slack", "wind.torque", 0, stop=False)
    model.event("fast", "A.v", "-60 deg/s", "down")
    run = model.simulate(0, 1.2, 0.1, formulation=form)
    at = {event.message.partition(":")[0]: event.t for event in run.events}
    assert at["slack"] == pytest.approx(np.pi / 4, abs=1e-9)  # q = 60° cos 2t
    assert at["fast"] == pytest.approx(np.arcsin(0.5) / 2, abs=1e-9)  # v = −120°/s sin 2t


def lever(stiffness):
    model = mubo.Model("shaker", gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.body("lever", points={"A": (0, 0)}, mass=1, inertia=1)
    model.revolute("A", "ground.A", "lever.A")
    model.force("wind", "joint_spring", "A", stiffness=stiffness)
    model.initial("A", v=1)
    return model


def test_events_that_columns_tell_come_in_order_with_the_others(form):
    """φ = sin(20 t)/20, φ̈ = −20 sin(20 t): both are zero at multiples of π/20, the torque is 10 at ±π/6 and ±5π/6."""
    model = lever(400)
    model.event("middle", "A", 0)
    model.event("even", "A.a", 0)
    model.event("pull", "wind.torque", -10, "up")
    events = model.simulate(0, 3.3, 0.3, formulation=form).events
    times = {
        name: [event.t for event in events if event.message.startswith(name)] for name in ("middle", "even", "pull")
    }
    assert [event.t for event in events] == sorted(event.t for event in events)
    assert times["middle"] == pytest.approx(np.arange(1, 22) * np.pi / 20, abs=1e-9)
    assert times["even"] == pytest.approx(np.arange(1, 22) * np.pi / 20, abs=1e-9)
    # The torque is −20 sin(20 t): it rises through −10 at 5π/6 of every turn.
    assert times["pull"] == pytest.approx((5 / 6 + 2 * np.arange(len(times["pull"]))) * np.pi / 20, abs=1e-9)
    assert len(times["pull"]) == 11


def test_an_event_that_stops_does_not_wait(form):
    """The same motion up to its first event: what columns tell stops there, and what comes later is not met."""
    model = lever(400)
    model.event("even", "A.a", 0)
    model.event("pull", "wind.torque", -10, "up", stop=True)
    run = model.simulate(0, 3.3, 0.01, formulation=form)
    assert [event.message.split(":")[0] for event in run.events] == ["pull"]
    assert run.events[0].t == pytest.approx(5 / 6 * np.pi / 20, abs=1e-9)
    assert run["t"][-1] == run.events[0].t  # the row of the event is the last


def test_what_follows_within_the_last_step_is_not_met(form):
    """A lever of radius r swings by φ = sin(20 t)/20: the force on its pin, −r cos(40 t) along x for small φ, is zero
    at (π/2 + k π)/40, at 1.06 s again. A wheel that turns by t ends the run 0.1 ms before, in the middle of a step."""
    model = lever(400)
    model.bodies["lever"] = replace(model.bodies["lever"], center=(0.1, 0.0), inertia=(0.99,))
    model.ground.point("B", (5, 0))
    model.body("wheel", (5, 0), points={"B": (0, 0)}, mass=1, inertia=1)
    model.revolute("B", "ground.B", "wheel.B")
    model.initial("B", v=1)
    model.event("pin", "A.on_lever.fx", 0)
    model.event("end", "B", 1.0602, stop=True)
    run = model.simulate(0, 3, 0.5, formulation=form)
    assert run.events[-1].message.startswith("end")
    times = [event.t for event in run.events]
    assert times[-1] == pytest.approx(1.0602, abs=1e-9)
    assert times[:-1] == pytest.approx((np.pi / 2 + np.pi * np.arange(13)) / 40, abs=1e-4)


def test_a_level_that_is_hardly_passed_is_met_on_both_sides(form):
    """φ = sin(20 t)/20 is beyond 0.99 of its amplitude for 0.28 rad, longer than an eighth of the steps of 2 rad."""
    model, level = lever(400), 0.99
    model.event("level", "A", level / 20)
    run = model.simulate(0, 3, 1, rtol=1e-4, atol=1e-4, formulation=form)
    peaks = np.pi / 2 + 2 * np.pi * np.arange(10)
    expected = np.ravel(peaks[:, None] + np.array([-1, 1]) * np.arccos(level)) / 20
    found = [event.t for event in run.events]
    assert len(found) == np.sum(expected < 3)
    np.testing.assert_allclose(found, expected[expected < 3], atol=2e-3)


def test_what_chatters_is_bounded_and_told(form):
    model = lever(4e6)
    model.event("zero", "A", 0)
    run = model.simulate(0, 1.7, 0.1, formulation=form)  # ω = 2000/s: 1082 passages
    assert len(run.events) == 1000
    assert any("event zero: it chatters; the first 1000 are reported" in note for note in run.summary["warnings"])


@pytest.mark.parametrize(
    ("of", "words"),
    [
        ("stone.q", 'there is no joint, column or measure "stone.q"'),
        ("t", "time passes every value"),
        ("energy.error", "accuracy of a run"),
        ("fly.q4", "a coordinate of a ball"),
        ("stone.qw", "a coordinate of a ball"),
    ],
)
def test_what_cannot_be_watched(of, words, form):
    model = stone()

    def run():
        model.event("e", of, 1)
        model.simulate(0, 1, 0.1, formulation=form)

    with pytest.raises(mubo.ModelError, match=words):
        run()


def test_events_survive_a_file(tmp_path):
    model = stone()
    model.event("fast", "stone.wz", "90 deg/s", "up", stop=True)
    model.event("away", "away", 3)
    model.save(tmp_path / "stone.toml")
    assert mubo.load(tmp_path / "stone.toml").events == model.events


@pytest.mark.parametrize("method", ["DOP853", "Radau", "LSODA", "absolute"])
def test_the_row_of_the_event_that_ends_a_run_has_its_speed(method):
    """A stone dropped from h lands at √(2h/g) with √(2gh)."""
    how = {"formulation": "absolute"} if method == "absolute" else {"method": method}
    model = mubo.Model("drop", dimension=3, gravity=(0, 0, -9.81))
    model.body("stone", position=(0, 0, 2), mass=1.0, inertia=(1, 1, 1))
    model.event("landing", "stone.z", 0, stop=True)
    run = model.simulate(0, 1, step=0.1, **how)
    assert run["t"][-1] == pytest.approx(np.sqrt(2 * 2 / 9.81), rel=1e-9)
    assert run["t"][-2] == pytest.approx(0.6)
    assert run["stone.z"][-1] == pytest.approx(0, abs=1e-9)
    assert run["stone.vz"][-1] == pytest.approx(-np.sqrt(2 * 9.81 * 2), rel=1e-9)
    assert run.events[0].state["stone.vz"] == pytest.approx(run["stone.vz"][-1], rel=1e-9)
    between = run.at([0.25, 0.55, 0.9])  # the last is beyond the end
    assert between["t"].tolist() == [0.25, 0.55]
    assert np.allclose(between["stone.z"], 2 - 9.81 / 2 * between["t"] ** 2, rtol=0, atol=1e-9)
