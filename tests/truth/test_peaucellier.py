"""Peaucellier's cell: P and Q are inverse to each other about O, OP · OQ = L² − l², so a circle becomes a line."""

import numpy as np
import pytest
from circles import agree, meet, still
from conftest import EXAMPLES

import mubo

LONG, SHORT, R = 65.0, 25.0, 25.0  # of examples/peaucellier.toml: mm
POWER = LONG**2 - SHORT**2


@pytest.fixture(scope="module")
def run():
    return mubo.load(EXAMPLES / "peaucellier.toml").kinematics()


def test_q_stays_on_a_straight_line(run):
    """A circle through O of diameter 2r inverts to the line x = (L² − l²) / 2r."""
    np.testing.assert_allclose(run["Q.x"], POWER / (2 * R), rtol=0, atol=1e-12)
    np.testing.assert_allclose(run["Q.vx"], 0, atol=1e-9)
    np.testing.assert_allclose(run["Q.ax"], 0, atol=1e-9)


def test_p_and_q_are_inverse(run):
    p, q = (run[f"{name}.x"] + 1j * run[f"{name}.y"] for name in "PQ")
    np.testing.assert_allclose(p * np.conj(q), POWER, rtol=1e-12)  # one ray, and the product


def test_every_pin(run):
    """ψ = (π/3) sin 2πt turns the crank about C; P = r + r exp iψ, Q = (L² − l²)/2r · (1 + i tan ψ/2)."""
    w = 2 * np.pi
    psi, rate = np.pi / 3 * np.sin(w * run["t"]), np.pi / 3 * w * np.cos(w * run["t"])
    second = -(w**2) * psi
    turn = R * np.exp(1j * psi)
    p = still(R, 0) + np.array([turn, 1j * rate * turn, (1j * second - rate**2) * turn])
    tan = np.tan(psi / 2)
    slope = (1 + tan**2) / 2  # of tan ψ/2
    q = POWER / (2 * R) * np.array([1 + 1j * tan, 1j * slope * rate, 1j * slope * (second + tan * rate**2)])
    o = still(0, 0)
    a, b = meet(o, LONG, p, SHORT, 1), meet(o, LONG, p, SHORT, -1)
    agree(run, {"P": p, "Q": q, "crank.P": p, "upper_arm.A": a, "lower_arm.B": b})
    agree(run, {"upper_inner.A": a, "upper_inner.P": p, "lower_inner.B": b, "lower_inner.P": p})
    agree(run, {"upper_outer.A": a, "upper_outer.Q": q, "lower_outer.B": b, "lower_outer.Q": q})
