"""The elliptic trammel: a point of the bar draws the ellipse (x/a)² + (y/b)² = 1 exactly."""

import numpy as np
from conftest import EXAMPLES

import mubo


def test_point_draws_its_ellipse():
    """P lies 140 from A, which slides along x, and 40 beyond B, which slides along y: half axes 40 and 140."""
    run = mubo.load(EXAMPLES / "elliptic_trammel.toml").kinematics()
    np.testing.assert_allclose((run["P.x"] / 40) ** 2 + (run["P.y"] / 140) ** 2, 1, atol=1e-13)
    angle = np.radians(150 + 360 * run["t"])
    np.testing.assert_allclose(run["P.x"], 40 * np.cos(angle), atol=1e-11)
    np.testing.assert_allclose(run["P.vy"], 140 * 2 * np.pi * np.cos(angle), atol=1e-9)
    np.testing.assert_allclose(run["P.ax"], -40 * (2 * np.pi) ** 2 * np.cos(angle), atol=1e-8)
