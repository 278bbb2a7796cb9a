"""The measures of examples/swing_arm.toml by the law of cosines.

The eye of the shock is at the distance s from the pivot, its foot at r; γ is the angle between them, with dγ/dt = −ω
while the arm turns towards the eye. The shock is l = √(s² + r² − 2 s r cos γ), its rate s r sin γ γ̇ / l; the wheel
at R climbs by R cos φ ω.
"""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

EYE, FOOT, AXLE = np.hypot(60, 260), 190.0, 520.0


def test_shock_height_and_leverage():
    run = mubo.load(EXAMPLES / "swing_arm.toml").kinematics()
    phi, omega = np.radians(-12 + 24 * run["t"]), np.radians(24)
    gamma = np.arctan2(260, -60) - (phi + np.radians(8))
    length = np.sqrt(EYE**2 + FOOT**2 - 2 * EYE * FOOT * np.cos(gamma))
    rate = -EYE * FOOT * np.sin(gamma) * omega / length
    assert run["shock"] == pytest.approx(length, rel=1e-13)
    assert run["shock.rate"] == pytest.approx(rate, rel=1e-12)
    assert run["height"] == pytest.approx(AXLE * np.sin(phi), rel=1e-12, abs=1e-10)
    assert run["leverage"] == pytest.approx(-AXLE * np.cos(phi) * omega / rate, rel=1e-12)
    assert (run.unit("shock"), run.unit("shock.rate"), run.unit("leverage")) == ("mm", "mm/s", "")
