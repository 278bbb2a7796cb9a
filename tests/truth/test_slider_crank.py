"""The slider-crank in closed form: x = r cos θ + √(l² − r² sin² θ), differentiated by hand."""

import numpy as np
from conftest import EXAMPLES

import mubo

R, L, OMEGA = 50.0, 150.0, 2 * np.pi  # of examples/slider_crank.toml: mm, rad/s


def piston(theta):
    """Position, velocity and acceleration of the piston for a crank at constant OMEGA."""
    s, c = np.sin(theta), np.cos(theta)
    u = np.sqrt(L**2 - R**2 * s**2)
    first = -R * s - R**2 * s * c / u
    second = -R * c - R**2 * (c**2 - s**2) / u - R**4 * s**2 * c**2 / u**3
    return R * c + u, OMEGA * first, OMEGA**2 * second


def test_piston_follows_the_closed_form():
    run = mubo.load(EXAMPLES / "slider_crank.toml").kinematics()
    theta = np.pi / 4 + OMEGA * run["t"]
    x, v, a = piston(theta)
    np.testing.assert_allclose(run["pin.x"], x, rtol=0, atol=1e-10)
    np.testing.assert_allclose(run["pin.vx"], v, rtol=0, atol=1e-9)
    np.testing.assert_allclose(run["pin.ax"], a, rtol=0, atol=1e-8)
    np.testing.assert_allclose(run["pin.y"], 0, atol=1e-11)


def test_angles_come_in_the_declared_unit():
    run = mubo.load(EXAMPLES / "slider_crank.toml").kinematics()
    np.testing.assert_allclose(run["crank.phi"], 45 + 360 * run["t"], rtol=1e-13)
    np.testing.assert_allclose(run["crank.omega"], 360, rtol=1e-13)
    rod = np.degrees(np.arcsin(-R * np.sin(np.radians(run["crank.phi"])) / L))
    np.testing.assert_allclose(run["rod.phi"], rod, rtol=0, atol=1e-11)
    assert run.header(["t", "pin.x", "rod.omega", "piston.ax"]) == [
        "t [s]",
        "pin.x [mm]",
        "rod.omega [deg/s]",
        "piston.ax [mm/s^2]",
    ]
