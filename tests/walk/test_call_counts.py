"""Latency does not come back unseen: how many calls of Python and of the core a question makes.

Counts are the same on every computer, times are not. The bounds are a little above what the code needs; whoever has to
raise one has made a question slower.
"""

from __future__ import annotations

import runpy
from collections import Counter
from cProfile import Profile
from pathlib import Path

import numpy as np
import pytest

import mubo
from mubo import _core

EXAMPLES = Path(mubo.__file__).parent / "examples"


def counted(question):
    """Calls of Python functions in a question that has been asked before."""
    question()
    profile = Profile(builtins=False)
    profile.runcall(question)
    return sum(entry.callcount for entry in profile.getstats())


def counted_in_core(question, monkeypatch):
    """Calls of each method of the core's systems of equations, by name."""
    calls = Counter()

    def counting(name, method):
        def call(*args, **given):
            calls[name] += 1
            return method(*args, **given)

        return call

    for system in (_core.System, _core.LoopSystem):
        for name in ("phi", "jacobian", "jacobian_entries", "assemble", "solve", "sweep", "bodies", "batch"):
            if hasattr(system, name):
                monkeypatch.setattr(system, name, counting(name, getattr(system, name)))
    question()
    return calls


@pytest.mark.parametrize(
    ("example", "dimension", "most"),
    [("four_bar", "coupler.C", 1320), ("jansen_leg", "upper_rod.top", 1140), ("eight_body", "boom.O", 1890)],
)
def test_kinematics_of_a_variant(example, dimension, most):
    """361 rows of a changed model: as many calls as for 37 rows, none for each row."""
    model = mubo.load(EXAMPLES / f"{example}.toml")
    body, point = dimension.split(".")
    at = model.bodies[body].points[point]
    times = model.build().output_times()
    span = times.end - times.start
    counts = [
        counted(lambda rows=rows: model.replace(dimension, at).kinematics(step=span / rows)) for rows in (36, 360)
    ]
    assert max(counts) <= most
    assert counts[1] <= 1.2 * counts[0]


def test_the_same_model_is_compiled_and_assembled_once():
    model = mubo.load(EXAMPLES / "four_bar.toml")
    again = counted(lambda: model.kinematics(step=1 / 360))
    variant = counted(lambda: model.replace("coupler.C", (2.0, 0.0)).kinematics(step=1 / 360))
    assert again <= 230
    assert again < 0.4 * variant
    assert variant <= 675


def test_the_core_is_called_once_for_each_thing(monkeypatch):
    """361 rows of a four-bar: its assembly and its other branch, its motion forward and back, and its bodies."""
    model = mubo.load(EXAMPLES / "four_bar.toml")
    calls = counted_in_core(lambda: model.kinematics(step=1 / 360), monkeypatch)
    assert calls["assemble"] == 2
    assert calls["sweep"] == 2
    assert calls["bodies"] == 1
    assert calls["phi"] + calls["jacobian"] + calls["jacobian_entries"] <= 10


def test_steps_end_at_the_corners_of_a_law(monkeypatch):
    """A drive whose rate jumps 40 times: both sides of every corner are times to solve at, and no step is divided."""
    rises = [{"law": "constant velocity", "lasts": 0.025, "rise": (0.08, 0.24)[k % 2]} for k in range(40)]
    model = mubo.load(EXAMPLES / "four_bar.toml").replace("motor", {"program": rises, "value": np.pi / 3})
    calls = counted_in_core(lambda: model.kinematics(0, 1, 0.002), monkeypatch)
    assert calls["sweep"] == 2  # there and back; one more for every step that is divided


def test_a_simulation_again_needs_few_calls_a_body():
    """The compiled tree and its start are kept: what is left is the table, a few calls a body, none a row."""
    build = runpy.run_path(str(EXAMPLES / "n_four_bars.py"))["n_four_bar"]
    models = {count: build(count) for count in (1, 21)}
    calls = {
        (count, rows): counted(lambda model=model, rows=rows: model.simulate(0, 0.1, 0.1 / rows))
        for count, model in models.items()
        for rows in (2, 20)
    }
    assert calls[1, 2] <= 585
    assert (calls[21, 2] - calls[1, 2]) / 20 <= 16
    assert calls[1, 20] <= calls[1, 2] + 10


def test_live_positions_need_a_handful_of_calls():
    live = mubo.load(EXAMPLES / "four_bar.toml").live("coupler.C", 0, 1, 1 / 360)
    assert counted(lambda: live.positions((2.0, 0.0))) <= 10


def test_an_optimisation_needs_few_calls_besides_its_batches():
    """The wiper from one start: a search, the design that it found, and its verification, all in this process."""
    model = mubo.load(EXAMPLES / "wiper.toml")
    assert counted(lambda: model.optimize(starts=1, workers=1)) <= 117_500


def test_a_run_of_many_needs_few_calls_of_its_own():
    model = mubo.load(EXAMPLES / "cart_pole.toml")

    def runs(count):
        return lambda: model.simulate_many(0, 0.2, 0.1, initial={"hinge.q": np.linspace(0.01, 0.1, count)}, threads=1)

    few, many = counted(runs(10)), counted(runs(60))
    assert (many - few) / 50 <= 37


def test_an_arm_is_linearised_again_without_looking_at_it_again():
    """Bodies, joints and names are resolved once; a position is a few calls of NumPy and two of the core."""
    model = mubo.load(EXAMPLES / "robot_arm.toml")
    free = tuple(model.drivers)
    assert counted(lambda: model.linearize(about="position", free=free, at={"elbow": 0.3}).eigenvalues) < 178
