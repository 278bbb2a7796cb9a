"""A mass on a cubic spring is Duffing's oscillator: x = A cn(Ω t) with Ω² = (k + b A²) / m, by Jacobi's functions."""

import numpy as np
import pytest
from conftest import EXAMPLES
from scipy.special import ellipj, ellipk

import mubo

MASS, STIFF, CUBIC = 2.0, 50.0, 300.0


def oscillator(amplitude, **options):
    """A mass on a slide along z over a spring of free length one."""
    model = mubo.Model("oscillator", dimension=3, gravity=(0, 0, 0))
    model.ground.point("O", (0, 0, 0))
    model.ground.point("low", (0, 0, -1.0))
    model.body("mass", points={"O": (0, 0, 0)}, mass=MASS, inertia=(0.1, 0.1, 0.1))
    model.joint("guide", "prismatic", "ground.O", "mass.O", axis=(0, 0, 1))
    model.initial("guide", amplitude)
    model.force("spring", "cubic_spring", "ground.low", "mass.O", stiffness=STIFF, length=1.0, **options)
    return model


@pytest.mark.parametrize("cubic", [CUBIC, -CUBIC, 0.0])
def test_duffing_oscillator(cubic):
    """Stiffer, softer and linear; m x'' = −k x − b x³ from rest at A."""
    amplitude = 0.3
    run = oscillator(amplitude, cubic=cubic).simulate(0, 3, 0.05)
    rate = np.sqrt((STIFF + cubic * amplitude**2) / MASS)
    parameter = cubic * amplitude**2 / (2 * (STIFF + cubic * amplitude**2))
    # cn of a negative parameter −μ: cd(u √(1 + μ) | μ / (1 + μ)) (Abramowitz and Stegun 16.10.2)
    if parameter >= 0:
        expected = amplitude * ellipj(rate * run["t"], parameter)[1]
    else:
        _, cn, dn, _ = ellipj(rate * run["t"] * np.sqrt(1 - parameter), -parameter / (1 - parameter))
        expected = amplitude * cn / dn
    np.testing.assert_allclose(run["guide.q"], expected, atol=1e-8)
    np.testing.assert_allclose(run["energy.potential"][0], STIFF * 0.3**2 / 2 + cubic * 0.3**4 / 4, rtol=1e-13)
    assert run.summary["energy"]["relative"] < 1e-8
    np.testing.assert_array_equal(run["energy.dissipated"], 0)


def test_wittenburg_s_equations_know_it_too():
    model = oscillator(0.3, cubic=CUBIC, damping=3.0)
    one, other = (model.simulate(0, 1, 0.05, formulation=word) for word in ("tree", "wittenburg"))
    np.testing.assert_allclose(other["guide.q"], one["guide.q"], atol=1e-8)


def test_its_damper_takes_the_energy():
    run = oscillator(0.3, cubic=CUBIC, damping=3.0).simulate(0, 3, 0.05)
    np.testing.assert_allclose(run["energy.total"] + run["energy.dissipated"], run["energy.total"][0], atol=1e-8)
    assert run["energy.total"][-1] < 0.05 * run["energy.total"][0]


def test_example_has_the_period_of_the_elliptic_integral():
    """T = 4 K(μ) / Ω; half a period after the start the mass is at rest on the other side."""
    model = mubo.load(EXAMPLES / "buffer.toml")
    spring, mass = model.forces["buffer"].options, model.bodies["carriage"].mass
    amplitude = model.initial_joints["rail"].q[0]
    stiff = spring["stiffness"] + spring["cubic"] * amplitude**2
    period = 4 * ellipk(spring["cubic"] * amplitude**2 / (2 * stiff)) / np.sqrt(stiff / mass)
    run = model.simulate(0, period, period / 2)
    np.testing.assert_allclose(run["rail.q"], [amplitude, -amplitude, amplitude], atol=1e-9)
    np.testing.assert_allclose(run["rail.v"], 0, atol=1e-8)
