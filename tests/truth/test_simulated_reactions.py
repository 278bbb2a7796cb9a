"""Reactions along a simulated motion: pin forces of the shared references (quadruple precision, free bodies), tolerance
1e-4 of the largest; here 1e-7. Redundant hinges are labelled as in inverse dynamics, which agrees along a driven
motion. In a change point reactions have no limit: rows there tell none.
"""

import json
import re

import numpy as np
import pytest
from conftest import DATA, EXAMPLES
from test_change_point_dynamics import n_four_bar, parallelogram

import mubo

FOLDER = DATA / "dynamics"
REFERENCE = json.loads((FOLDER / "reactions.json").read_text())
PIN_FORCES = json.loads((FOLDER / "pin_forces.json").read_text())


@pytest.mark.parametrize("name", REFERENCE)
def test_pin_forces(name, form):
    expected = REFERENCE[name]
    model = mubo.load(FOLDER / f"{name}.toml")
    run = model.simulate(0, expected["times"][-1], expected["times"][1], reactions=True, formulation=form)
    largest = max(float(np.max(np.abs(values))) for values in expected["columns"].values())
    for column, values in expected["columns"].items():
        assert np.max(np.abs(run[column] - np.array(values))) < 1e-7 * largest, column
    assert run.summary["newton_euler"]["largest"] < 1e-12
    assert run.summary["reactions"]["indeterminate"] == []


MODELS = {
    "parallelogram_torque": parallelogram,
    "andrews": lambda: mubo.load(FOLDER / "andrews.toml"),
    "n_four_bar_1": lambda: n_four_bar(1, 0.0, 1.0),
    "n_four_bar_2": lambda: n_four_bar(2, 0.0, 1.0),
    "n_four_bar_5": lambda: n_four_bar(5, 0.0, 1.0),
    "n_four_bar_2_hanging": lambda: n_four_bar(2, 2.2, 0.0),
}


def counted_from_zero(name):
    """The references count the couplers of the N-four-bar from one: L1, R1, coupler1."""
    return re.sub(r"\d+", lambda number: str(int(number[0]) - 1), name) if name[0] in "LR" else name


@pytest.mark.parametrize("name", MODELS)
def test_pin_forces_at_single_instants(name, form):
    for sample in PIN_FORCES[name]:
        t = sample["t"] or 1e-3
        run = MODELS[name]().simulate(0, t, t, reactions=True, formulation=form)
        forces = {place: force for place, force in sample.items() if place != "t"}
        largest = max(np.linalg.norm(force) for force in forces.values())
        for place, force in forces.items():
            joint, body = counted_from_zero(place).split(".on_")
            told = run.reaction(joint, on=body).force[0 if sample["t"] == 0 else -1]
            np.testing.assert_allclose(told[:2], force, rtol=0, atol=1e-6 * largest, err_msg=f"{place} at {t}")


def test_a_reaction_of_a_run_and_what_has_none():
    model = mubo.load(FOLDER / "released.toml")
    run = model.simulate(0, 0.2, 0.1, reactions=True)
    on_coupler, on_crank = (run.reaction("B", on=body) for body in ("coupler", "crank"))
    np.testing.assert_allclose(on_coupler.force, -on_crank.force)
    with pytest.raises(mubo.errors.ResultError, match="simulate"):
        model.simulate(0, 0.2, 0.1).reaction("B")
    with pytest.raises(mubo.ModelError, match="reactions are not computed where a function of t, q, v gives forces"):
        model.simulate(0, 0.2, 0.1, reactions=True, force=lambda t, q, v: 0 * v)


def test_a_driven_motion_is_that_of_inverse_dynamics(form):
    """No degree of freedom is left: the simulation follows the drivers, redundant hinges and their labels included."""
    model = mubo.load(DATA / "forces" / "door_two_hinges.toml")
    one, other = model.simulate(0, 0.4, 0.1, reactions=True, formulation=form), model.inverse(0, 0.4, 0.1)
    assert one.summary["reactions"] == other.summary["reactions"]
    for column in other.columns.schema:
        if column.kind in ("reaction", "driver", "shaking"):
            size = max(1.0, float(np.max(np.abs(other[column.name]))))
            np.testing.assert_allclose(one[column.name], other[column.name], rtol=0, atol=1e-8 * size)
            assert one.columns.column(column.name).unique == column.unique


def test_rows_in_a_change_point_tell_none(form):
    """The N-four-bar passes its change point; a row right there has no reactions, the others have."""
    model = mubo.load(EXAMPLES / "n_four_bar.toml")
    passed = next(event.t for event in model.simulate(0, 1, 0.1).events if event.kind == "bifurcation")
    run = model.simulate(0, 2 * passed, passed, reactions=True, formulation=form)
    force = run[next(c.name for c in run.columns.of_kind("reaction"))]
    assert np.isfinite(force).tolist() == [True, False, True]
    assert any("reactions are not defined at t = " in note for note in run.summary["warnings"])
