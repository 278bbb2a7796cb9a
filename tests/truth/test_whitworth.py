"""Whitworth's quick return in closed form: the arm by atan2, the ram as a slider-crank on it, and the two times.

θ is the angle of the crank of length r about O, which lies at height d above the arm's pivot Q. Seen from Q the crank
pin is at (r cos θ, d + r sin θ), so φ = atan2(d + r sin θ, r cos θ).
"""

import numpy as np
import pytest
from circles import agree, still, turning
from conftest import EXAMPLES

import mubo

R, D, ARM, ROD, RATE = 60.0, 30.0, 50.0, 150.0, np.radians(400)  # of examples/whitworth.toml: mm, rad/s


@pytest.fixture(scope="module")
def run():
    return mubo.load(EXAMPLES / "whitworth.toml").kinematics()


def arm(theta):
    """Angle, rate and acceleration of the arm: φ' = (r² + rd sin θ) / ρ², ρ² = r² + d² + 2rd sin θ."""
    s, c = np.sin(theta), np.cos(theta)
    square = R**2 + D**2 + 2 * R * D * s
    first = (R**2 + R * D * s) / square
    second = R * D * c * (D**2 - R**2) / square**2
    return np.arctan2(D + R * s, R * c), RATE * first, RATE**2 * second


def test_arm_and_block(run):
    theta = np.radians(50) + RATE * run["t"]
    phi, omega, alpha = arm(theta)
    for body in ("arm", "block"):
        found = np.radians(run[f"{body}.phi"])
        np.testing.assert_allclose(np.exp(1j * found), np.exp(1j * phi), rtol=0, atol=1e-9)
        np.testing.assert_allclose(np.radians(run[f"{body}.omega"]), omega, rtol=0, atol=1e-9 * RATE)
        np.testing.assert_allclose(np.radians(run[f"{body}.alpha"]), alpha, rtol=0, atol=1e-9 * RATE**2)
    pin = turning(still(0, D), R, theta, RATE)
    agree(run, {"crank.A": pin, "block.A": pin})


def test_ram(run):
    """With B = −b (cos φ, sin φ) the ram is at x = −b cos φ + √(l² − b² sin² φ)."""
    phi, omega, alpha = arm(np.radians(50) + RATE * run["t"])
    s, c = np.sin(phi), np.cos(phi)
    u = np.sqrt(ROD**2 - ARM**2 * s**2)
    first = ARM * s - ARM**2 * s * c / u
    second = ARM * c - ARM**2 * (c**2 - s**2) / u - ARM**4 * s**2 * c**2 / u**3
    ram = np.array([-ARM * c + u, omega * first, alpha * first + omega**2 * second])
    turn = -ARM * np.exp(1j * phi)
    end = np.array([turn, 1j * omega * turn, (1j * alpha - omega**2) * turn])
    agree(run, {"tool": ram, "ram.C": ram, "rod.C": ram, "rod.B": end, "arm.B": end})
    np.testing.assert_allclose(run["ram.phi"], 0, atol=1e-9)


def test_forward_takes_twice_as_long_as_back(run):
    """The ram turns where the arm lies along its line, sin θ = −d/r: times as (π + 2 asin d/r) to (π − 2 asin d/r)."""
    ratio = (np.pi + 2 * np.arcsin(D / R)) / (np.pi - 2 * np.arcsin(D / R))
    assert ratio == pytest.approx(2)  # d/r is a half, and both turns fall on rows
    rates = run["tool.vx"]
    outer, inner = np.flatnonzero(abs(rates) < 1e-9 * np.max(abs(rates)))
    back = run["t"][inner] - run["t"][outer]
    assert (2 * np.pi / RATE - back) / back == pytest.approx(ratio, rel=1e-12)
    assert np.all(rates[outer + 1 : inner] < 0)
    assert np.all(rates[:outer] > 0)
    assert np.all(rates[inner + 1 :] > 0)
    assert np.ptp(run["tool.x"]) == pytest.approx(2 * ARM, rel=1e-12)


@pytest.mark.parametrize("formulation", ["absolute", "loops"])
def test_rows_a_whole_turn_apart_have_their_turns(formulation):
    """Crank 1 about O, arm about Q half a crank away: at θ = 0 the arm turns a / (a − d) = 2 times as fast, and no
    faster a moment later. From there one turn of the crank looks like two of the arm, there and back; it is one."""
    model = mubo.Model("quick return")
    model.ground.point("O", (0, 0))
    model.ground.point("Q", (0.5, 0))
    model.body("crank", (0, 0), 0, {"O": (0, 0), "B": (1, 0)})
    model.body("arm", (0.5, 0), 0, {"Q": (0, 0)})
    model.revolute("O", "ground.O", "crank.O")
    model.revolute("Q", "ground.Q", "arm.Q")
    model.joint("slot", "slot", "arm.Q", "crank.B", axis=(1, 0))
    model.driver("motor", "crank.phi", "2*pi*t")
    run = model.kinematics(0, 5, 1, formulation=formulation)
    np.testing.assert_allclose(run["arm.omega"], 4 * np.pi, rtol=1e-9)
    np.testing.assert_allclose(run["arm.phi"], 2 * np.pi * run["t"], atol=1e-9)
