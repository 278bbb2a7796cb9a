"""Many simulations in one call: each run is, number by number, the run that `simulate` gives by itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import mubo
from mubo.model import Initial

TIMES = (0, 0.5, 0.1)
EXAMPLES = Path(mubo.__file__).parent / "examples"


def load(name):
    return mubo.load(EXAMPLES / f"{name}.toml")


def alone(model, joint, **given):
    """The simulation of one model with other initial conditions of a joint."""
    definition = model.build()
    before = definition.initial_joints.get(joint, Initial(joint, (), ()))
    joints = {**definition.initial_joints, joint: replace(before, **given)}
    return mubo.Model.from_definition(definition.changed(initial_joints=joints)).simulate(*TIMES)


def assert_same(runs, k, run):
    for name in runs.names:
        assert np.array_equal(runs[name][k], run[name], equal_nan=True), name


@pytest.mark.parametrize(
    ("example", "column", "values"),
    [
        ("cart_pole", "hinge.q", [0.05, 0.3, -0.2]),  # a tree of the plane
        ("cart_pole", "rail.v", [0.5, 0.0, -1.0]),
        ("released_four_bar", "A.q", [1.2, 2.0, 0.7]),  # a loop, led to every start
        ("five_body_chain", "right_hinge.q", [0.1, 0.4]),  # in space, with Euler angles
    ],
)
def test_a_run_is_the_simulation_by_itself(example, column, values):
    model = load(example)
    joint, letter = column.split(".")
    runs = model.simulate_many(*TIMES, initial={column: values})
    assert runs.status == ("ok",) * len(values)
    assert runs.values.shape == (len(values), 6, len(runs.names))
    for k, value in enumerate(values):
        assert_same(runs, k, alone(model, joint, **{letter: (value,)}))


def test_a_loop_moves_with_the_rate_that_is_given():
    model = load("released_four_bar")
    runs = model.simulate_many(*TIMES, initial={"A.q": [1.2, 1.5], "A.v": [2.0, -1.0]}, threads=1)
    assert np.allclose(runs["A.q"][:, 0], [1.2, 1.5], rtol=0, atol=1e-12)
    assert np.allclose(runs["A.v"][:, 0], [2.0, -1.0], rtol=0, atol=1e-12)
    run = alone(model, "A", q=(1.5,), v=(-1.0,))
    for name in runs.names:  # the starts differ by rounding, so that the motions do by less than 1e-8
        assert np.allclose(runs[name][1], run[name], rtol=1e-8, atol=1e-8), name


def test_parameters_and_inputs_differ_from_run_to_run():
    model = load("cart_pole")
    lengths, pushes = [0.5, 0.7], [0.0, 3.0]
    runs = model.simulate_many(*TIMES, parameters={"half_length": lengths}, inputs={"push": pushes}, columns=["cart.x"])
    assert runs.names == ("cart.x",)
    for k in range(2):
        variant = model.replace(half_length=lengths[k]).replace("push.effort", pushes[k])
        assert np.array_equal(runs["cart.x"][k], variant.simulate(*TIMES)["cart.x"])
    assert runs.unit("cart.x") == "m"


def test_a_run_that_ends_early_says_why_and_has_no_later_rows():
    """A pole that leans by 0.15 rad passes 0.2 rad soon: θ'' > g θ / ℓ with ℓ = 2/3 m, so θ > 0.15 cosh(3.8 t)."""
    model = load("cart_pole")
    model.event("fallen", "pole.phi", 0.2, stop=True)
    runs = model.simulate_many(*TIMES, initial={"hinge.q": [0.001, 0.15]})
    assert runs.ok.tolist() == [True, False]
    assert "fallen" in runs.status[1]
    reached = np.flatnonzero(np.isfinite(runs["pole.phi"][1]))
    assert runs["pole.phi"][1][reached].max() <= 0.2
    assert np.isnan(runs["pole.phi"][1][-1])
    assert str(runs) == '2 simulations of "cart and pole", 6 times: 1 ok, 1 ended early'


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"initial": {"hinge.q": [0.1, float("nan")]}}, "hinge.q: must be finite numbers; found nan for run 1"),
        ({"initial": {"hinge.q": [0.1], "rail.q": [0.1, 0.2]}}, "every list needs one number for each run"),
        ({"initial": {"hinge.w": [0.1]}}, '"hinge.w" is no coordinate or rate of a joint'),
        ({"initial": {"hinge.q": [[0.1]]}}, "a list of numbers is needed"),
        ({"inputs": {"pull": [0.1]}}, 'the input "pull" is no load or driver'),
        ({"parameters": {"half": [0.1]}}, "half"),
        ({}, "nothing in which the runs differ"),
        ({"initial": {"hinge.q": [0.1]}, "columns": ["hinge.w"]}, 'there is no column "hinge.w"'),
        ({"initial": {"hinge.q": [0.1]}, "threads": 0}, "threads must be at least 1"),
    ],
)
def test_wrong_input_is_one_sentence(given, says):
    with pytest.raises(mubo.ModelError, match=says.replace("(", r"\(")):
        load("cart_pole").simulate_many(*TIMES, **given)


def test_ten_million_runs_are_judged_before_any_work():
    model, many = load("cart_pole"), np.zeros(10_000_000)
    with pytest.raises(mubo.ModelError, match="more than fit into memory"):
        model.simulate_many(*TIMES, initial={"hinge.q": many})
    with pytest.raises(mubo.ModelError, match=r"10,000,000 runs are more than 1,000,000[\s\S]*confirmed=True"):
        model.simulate_many(0, 0.1, 0.1, initial={"hinge.q": many})
