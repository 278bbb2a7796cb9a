"""The bell crank: welded arms keep their angle, and the slot holds the pin on the moving line."""

import numpy as np
from conftest import EXAMPLES

import mubo


def test_bell_crank():
    """The pin A is 60 from the pivot and lies at x = 30 sin(2πt): sin(tilt) = x / 60."""
    run = mubo.load(EXAMPLES / "bell_crank.toml").kinematics()
    tilt = np.arcsin(0.5 * np.sin(2 * np.pi * run["t"]))
    np.testing.assert_allclose(run["upright.phi"], 90 - np.degrees(tilt), atol=1e-11)
    np.testing.assert_allclose(run["level.phi"], run["upright.phi"] - 90, atol=1e-12)
    np.testing.assert_allclose(run["B.y"], -40 * np.sin(tilt), atol=1e-12)
    np.testing.assert_allclose(run["slot.q"], 60 * np.cos(tilt) - 60, atol=1e-11)
