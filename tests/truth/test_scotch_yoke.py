"""The Scotch yoke: x = r cos θ exactly, and its crank from any start on the same branch."""

import numpy as np
from conftest import EXAMPLES

import mubo


def test_yoke_moves_in_a_pure_harmonic():
    run = mubo.load(EXAMPLES / "scotch_yoke.toml").kinematics()
    theta, omega, r = np.pi / 6 + 10 * run["t"], 10.0, 0.1
    np.testing.assert_allclose(run["P.x"], r * np.cos(theta), atol=1e-14)
    np.testing.assert_allclose(run["P.vx"], -r * omega * np.sin(theta), atol=1e-13)
    np.testing.assert_allclose(run["P.ax"], -r * omega**2 * np.cos(theta), atol=1e-12)
    np.testing.assert_allclose(run["block.y"], r * np.sin(theta), atol=1e-14)
    np.testing.assert_allclose(run["yoke.phi"], 0, atol=1e-16)
