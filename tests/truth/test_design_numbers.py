"""Numbers of a run that designers sign, against closed forms: energy swing of a flywheel, fluctuation, expressions.

A crank turns steadily at Ω against the torque T sin φ: its motor gives P = T Ω sin φ, and the work between two
zeros of P − P̄ = P is 2 T (Norton, Design of Machinery, section 11.11).
"""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

TORQUE, SPEED = 5.0, 3.0


def crank(load: str) -> mubo.Model:
    """A balanced crank on a steady motor, with a load torque."""
    model = mubo.Model("crank")
    model.gravity = (0, 0)
    model.ground.point("A", (0, 0))
    model.body("crank", points={"A": (0, 0)}, mass=1.0, inertia=0.2)
    model.revolute("A", "ground.A", "crank.A")
    model.driver("motor", "crank.phi", f"{SPEED}*t")
    model.force("load", "body_torque", "crank", torque=load)
    model.parameter("spare", 1.0)
    return model


def number(model: mubo.Model, text: str, step: float = 0.05) -> float:
    end = 2 * np.pi / SPEED
    return float(
        model.sweep({"spare": [1.0]}, [text], analysis="inverse", start=0, end=end, step=step, workers=1)[text][0]
    )


@pytest.mark.parametrize("step", [0.05, 0.11])
def test_energy_swing_is_the_work_between_the_zeros_of_the_power(step):
    # the spline is of the fourth order in a quarter of the step: 5e-8 and 1e-6 here
    model = crank(f"-{TORQUE}*sin(crank.phi)")
    assert number(model, "energy swing of motor", step) == pytest.approx(2 * TORQUE, rel=2e-6)
    assert number(model, "energy swing", step) == pytest.approx(2 * TORQUE, rel=2e-6)


def test_a_constant_torque_needs_no_flywheel():
    assert number(crank(f"-{TORQUE}"), "energy swing of motor") == pytest.approx(0.0, abs=1e-12)


def test_a_flywheel_by_an_expression():
    """I = ΔE/(δ Ω²)."""
    model = crank(f"-{TORQUE}*sin(crank.phi)")
    found = number(model, "energy swing of motor / (0.02 * mean motor.rate^2)")
    assert found == pytest.approx(2 * TORQUE / (0.02 * SPEED**2), rel=1e-6)


def test_fluctuation_of_a_torque_that_swings_about_its_mean():
    model = crank(f"-{TORQUE}*(1 + 0.1*sin(crank.phi))")
    # the mean is by trapezia, and the last step of the turn is shorter than the others: 6e-8
    assert number(model, "fluctuation motor.effort") == pytest.approx(0.2, rel=1e-7)
    assert number(model, "rms motor.effort", 0.01) == pytest.approx(TORQUE * np.sqrt(1 + 0.01 / 2), rel=1e-5)


def test_an_expression_has_the_value_and_the_derivative_of_its_parts():
    model = mubo.load(EXAMPLES / "parameters.toml")
    text = "range P.y / range P.x + sqrt(stroke)"
    found = model.sensitivity([text, "range P.y", "range P.x", "stroke"], ["a", "c"])
    value, y, x, s = found.values
    slope, dy, dx, ds = found.derivatives
    assert value == pytest.approx(y / x + np.sqrt(s), rel=1e-12)
    assert slope == pytest.approx(dy / x - y * dx / x**2 + ds / (2 * np.sqrt(s)), rel=1e-12)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("range P.x / rnage P.y", '"rnage P.y" is no objective'),
        ("range P.x / (range P.y", "is not an expression"),
        ("energy swing of motr", "this analysis .kinematics. has no column .motr.power"),
    ],
)
def test_a_wrong_expression_says_what_is_wrong(text, message):
    with pytest.raises(mubo.MuboError, match=message):
        mubo.load(EXAMPLES / "parameters.toml").sweep({"a": [0.04]}, [text])


def test_a_driver_that_is_not_there_is_named():
    with pytest.raises(mubo.MuboError, match="say of which driver"):
        number(crank("-1"), "energy swing of motr")


def test_what_is_no_number_is_stated():
    found = mubo.load(EXAMPLES / "parameters.toml").sweep({"a": [0.04]}, ["range P.x / 0"])
    assert np.isnan(found["range P.x / 0"][0])
    assert '"range P.x / 0" is not a number' in found.status[0]
