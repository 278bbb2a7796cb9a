"""Frequencies of `linearize` against the same models simulated beside their equilibrium: times between passages of a
coordinate, up and up again, are 2π / ω, to second order in the amplitude."""

import runpy

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

AMPLITUDE = 1e-3


def hanging():
    """Two four-bars that hang: a loop with a stable equilibrium where it is drawn, ω² = c g, c = 7 / 6."""
    return runpy.run_path(str(EXAMPLES / "n_four_bars.py"))["n_four_bar"](2, lean=np.pi, rate=0.0)


CASES = {
    "pendulum": (lambda: mubo.load(EXAMPLES / "simple_pendulum.toml"), "O", np.sqrt(9.81)),
    "carriage": (lambda: mubo.load(EXAMPLES / "buffer.toml"), "rail", None),
    "four-bars": (hanging, "A0", np.sqrt(7 / 6 * 9.81)),
}


def passages(t, x):
    """Times at which x passes zero upwards, by the cubic through four rows."""
    out = []
    for k in np.flatnonzero((x[1:-2] < 0) & (x[2:-1] >= 0)) + 1:
        roots = np.roots(np.polyfit(t[k - 1 : k + 3] - t[k], x[k - 1 : k + 3], 3))
        real = roots[np.abs(roots.imag) < 1e-9].real
        out.append(t[k] + real[np.argmin(np.abs(real - (t[k + 1] - t[k]) / 2))])
    return np.array(out)


@pytest.mark.parametrize("name", CASES)
def test_the_swing_has_the_frequency_of_the_linear_model(name):
    make, joint, known = CASES[name]
    model = make()
    linear = model.linearize(freedoms=f"{joint}.q")
    eigen = linear.eigenvalues[np.argmax(np.abs(linear.eigenvalues.imag))]
    rate, middle = abs(eigen.imag), float(linear.values[0])
    if known is not None:
        assert rate == pytest.approx(known, rel=1e-7)
    model.initial.clear()
    model.start(joint, q=middle + AMPLITUDE)
    run = model.simulate(0, 5 * 2 * np.pi / rate, 2 * np.pi / rate / 60)
    times = passages(run["t"], run[f"{joint}.q"] - middle)
    assert len(times) >= 4
    assert 2 * np.pi / np.mean(np.diff(times)) == pytest.approx(rate, rel=3e-5)
