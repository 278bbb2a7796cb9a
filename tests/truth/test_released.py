"""Loops in space let go under gravity: the examples released_slider_crank and released_rssr.

The slider-crank is that of tests/data/dynamics/rsup.toml, drawn less exactly. The RSSR: its rod is axisymmetric and
feels forces at points of its axis only, so its spin about that stays what it is at first, and the motion is that of one
degree of freedom with the energy ½ J(θ) θ'² + V(θ) of the crank's angle.
"""

import json

import numpy as np
import pytest
from conftest import DATA, EXAMPLES

import mubo


def test_the_slider_crank_is_that_of_the_reference():
    expected = json.loads((DATA / "dynamics" / "reference.json").read_text())["rsup"]
    run = mubo.load(EXAMPLES / "released_slider_crank.toml").simulate(0, expected["times"][-1], expected["times"][1])
    for column, values in expected["columns"].items():
        assert np.max(np.abs(run[column] - np.array(values))) < 1e-5 * max(1.0, np.max(np.abs(values))), column
    assert run.summary["energy"]["relative"] < 1e-9
    assert run.summary["loops"]["gap"] < 1e-12


def places(theta, near):
    """B, C and the rocker's angle of the RSSR, nearest to `near`: |D + 1.5 (cos ψ, 0, −sin ψ) − B| = 3."""
    pin = 0.5 * np.array([np.cos(theta), np.sin(theta), 0.0])
    w = np.array([3.0, 0, 1.0]) - pin
    a, b, c = 3.0 * w[0], -3.0 * w[2], 9 - w @ w - 2.25
    psi = np.arctan2(b, a) + np.array([1, -1]) * np.arccos(c / np.hypot(a, b))
    psi = psi[np.argmin(np.abs(np.exp(1j * psi) - np.exp(1j * near)))]
    return pin, np.array([3 + 1.5 * np.cos(psi), 0, 1 - 1.5 * np.sin(psi)]), psi


def energy(theta, rate, near):
    """Kinetic and potential energy; velocities by central differences of the places."""
    h = 1e-5
    (b0, c0, p0), (b1, c1, p1) = (places(theta + k * h, near) for k in (-1, 1))
    vb, vc, spin = rate * (b1 - b0) / (2 * h), rate * (c1 - c0) / (2 * h), rate * (p1 - p0) / (2 * h)
    pin, end, _ = places(theta, near)
    line = (end - pin) / 3
    middle, across = (vb + vc) / 2, np.cross(line, vc - vb) / 3
    turning = 3 * (9 / 12 + 0.05**2 / 4) * across @ across  # a cylinder about a diameter through its middle
    kinetic = 0.5 * (0.5 * 0.25 / 3 * rate**2 + 1.5 * 2.25 / 3 * spin**2 + 3 * middle @ middle + turning)
    return kinetic, 9.81 * (1.5 * (1 + end[2]) / 2 + 3 * (pin[2] + end[2]) / 2)


def test_rssr():
    run = mubo.load(EXAMPLES / "released_rssr.toml").simulate(0, 3, 0.05)
    told = np.array([energy(*row) for row in zip(run["A.q"], run["A.v"], run["D.q"], strict=True)])
    size = np.max(told[:, 0])
    line = np.stack([run[f"C.{x}"] for x in "xyz"], axis=1) - np.stack([run[f"rod.{x}"] for x in "xyz"], axis=1)
    spin = np.sum(line * np.stack([run[f"rod.w{x}"] for x in "xyz"], axis=1), axis=1) / 3
    assert np.max(np.abs(spin - spin[0])) < 1e-9
    told[:, 0] += 0.5 * (3 * 0.05**2 / 2) * spin**2
    np.testing.assert_allclose(run["energy.kinetic"], told[:, 0], atol=1e-8 * size)
    np.testing.assert_allclose(run["energy.potential"], told[:, 1], atol=1e-8 * size)
    total = told.sum(axis=1)
    assert np.max(np.abs(total - total[0])) < 1e-8 * size  # which also says that D.q belongs to A.q at every row
    assert run.summary["dofs"] == 2
    assert run.summary["loops"]["gap"] < 1e-13
    assert run["A.q"][0] == pytest.approx(0.3, abs=1e-12)
    assert run["A.v"][0] == pytest.approx(6, abs=1e-12)
