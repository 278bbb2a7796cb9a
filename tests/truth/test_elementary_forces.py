"""Elementary loads along the motion that they make themselves: their closed forms, and nothing left for a driver.

Rows and formulas are those of tests/data/forces/elementary.json; model files stand beside it.
"""

import json

import force_cases as cases
import numpy as np
import pytest

import mubo

CASES = {case["name"]: case for case in json.loads((cases.FOLDER / "elementary.json").read_text())["cases"]}


@pytest.mark.parametrize("row", CASES["rod_pendulum"]["rows"], ids=lambda row: f"{np.degrees(row['angle']):.0f} deg")
def test_the_pin_of_a_pendulum(row: dict) -> None:
    """Towards the pin m (g cos θ + L ω²), across m g sin θ (1 − m L²/I_O): its weight alone turns it."""
    model = cases.model("rod_pendulum")
    model.drivers.clear()
    law = mubo.laws.Polynomial((row["angle"], np.sqrt(row["omega_squared"]), row["alpha"] / 2))
    model.driver("none", "pin", law)
    run = model.inverse(0, 0, step=1)
    size = CASES["rod_pendulum"]["rows"][0]["towards_pin"]
    for word in ("fx", "fy"):
        assert run[f"pin.on_rod.{word}"][0] == pytest.approx(row[word], abs=1e-9 * size)
    across = run.reaction("pin", on="rod", axes="body")
    assert across.fy[0] == pytest.approx(row["towards_pin"], abs=1e-9 * size)
    assert across.fx[0] == pytest.approx(row["tangential"], abs=1e-9 * size)
    assert abs(run["none.effort"][0]) < 1e-9 * size


def test_a_motor_runs_up_by_its_curve() -> None:
    """ω = w (1 − e^(−t/τ)), w = T0/(T0/w0 + c), τ = I/(T0/w0 + c)."""
    rows, (_, run) = CASES["motor_runup"]["rows"], cases.solved("motor_runup")
    for column, name in (("rotor.phi", "angle"), ("rotor.omega", "omega"), ("motor.torque", "motor_torque")):
        np.testing.assert_allclose(run[column], [row[name] for row in rows], rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(run["motor.power"], run["motor.torque"] * run["rotor.omega"], rtol=1e-12)
    np.testing.assert_allclose(run["drag.torque"], -0.004 * run["rotor.omega"], rtol=1e-12)
    assert np.max(np.abs(run["none.effort"])) < 1e-9
    assert run.summary["power_residual"] < 1e-12
    assert not any("drag" in note for note in run.summary["warnings"])  # it has no Coulomb part to speak of at rest


def test_a_soft_stop_lets_go_where_it_would_pull() -> None:
    """It makes the whole deceleration until k x + c x' = 0; from there on a driver has to hold what a damper would."""
    case, (_, run) = CASES["soft_stop"], cases.solved("soft_stop")
    ends = case["push_only"]["contact_ends"]
    inside = (run["t"] > 0) & (run["t"] < ends)
    assert np.max(np.abs(run["none.effort"][inside])) < 1e-9 * case["initial_force_jump"]
    np.testing.assert_allclose(run["end.force"][inside], 2 * run["mass.ax"][inside], rtol=1e-9, atol=1e-9)
    assert np.all(run["end.force"][run["t"] > ends] == 0)
    np.testing.assert_allclose(run["none.effort"][run["t"] > ends], 2 * run["mass.ax"][run["t"] > ends], rtol=1e-12)
    extremes, deepest = run.summary["extremes"], case["maximum_penetration"]
    assert extremes["rail.q"]["max"] == pytest.approx([deepest["x"], deepest["t"]], rel=1e-6)
    assert extremes["rail.v"]["min"] == pytest.approx([-case["push_only"]["rebound_speed"], ends], rel=1e-6)
