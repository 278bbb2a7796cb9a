"""Smoothing of measured motion: splines against penalised least squares, filters against their amplitude response."""

import math

import numpy as np
import pytest
from scipy.interpolate import BSpline, make_interp_spline

from mubo.errors import ModelError
from mubo.laws import Smoothing, Table
from mubo.laws.cross_validation import best_smoothing, cross_validation
from mubo.laws.spline import Knots

RNG = np.random.default_rng(11)
T = np.sort(RNG.uniform(0, 3, 25))
Y = np.sin(2 * T) + 0.05 * RNG.normal(size=25)
AT = np.linspace(T[0], T[-1], 91)


def penalised(lam, m):
    """min Σ (y − s)² + λ ∫ (s^(m))² over all splines of degree 2m − 1 on the samples, by dense least squares."""
    k = 2 * m - 1
    knots = np.r_[[T[0]] * k, T, [T[-1]] * k]
    functions = [BSpline(knots, unit, k) for unit in np.eye(len(knots) - k - 1)]
    x, w = np.polynomial.legendre.leggauss(m)  # exact for the square of a polynomial of degree m − 1
    places = ((T[:-1] + T[1:]) / 2)[:, None] + np.diff(T)[:, None] / 2 * x
    weights = np.sqrt(lam * np.diff(T)[:, None] / 2 * w)
    rows = np.column_stack([np.r_[f(T), (f(places, m) * weights).ravel()] for f in functions])
    right = np.r_[Y, np.zeros(places.size)]
    return BSpline(knots, np.linalg.lstsq(rows, right, rcond=None)[0], k)


@pytest.mark.parametrize("lam", [1e-8, 1e-5, 1e-2, 1.0])
@pytest.mark.parametrize(("kind", "m"), [("cubic", 2), ("quintic", 3)])
def test_splines_minimise_the_penalised_sum_of_squares(kind, m, lam):
    found, expected = Table(tuple(T), tuple(Y), Smoothing(kind, lam))(AT), penalised(lam, m)
    for order in range(3):
        size = np.max(np.abs(expected(AT, order)))
        np.testing.assert_allclose(found[:, order], expected(AT, order), rtol=0, atol=1e-8 * size)


def test_the_interpolating_quintic_is_natural():
    """s''' and s'''' are zero at both ends, the acceleration is not."""
    expected = make_interp_spline(T, Y, k=5, bc_type=([(3, 0.0), (4, 0.0)], [(3, 0.0), (4, 0.0)]))
    found = Table(tuple(T), tuple(Y), {"quintic": "none"})(AT)
    for order in range(3):
        size = np.max(np.abs(expected(AT, order)))
        np.testing.assert_allclose(found[:, order], expected(AT, order), rtol=0, atol=1e-10 * size)
    assert abs(found[0, 2]) > 1


def test_quintic_cross_validation_is_its_definition_and_its_minimum_is_taken():
    lam = 1e-5
    unit = [Table(tuple(T), tuple(e), Smoothing("quintic", lam))(T)[:, 0] for e in np.eye(len(T))]
    hat = np.column_stack(unit)
    rest = Y - hat @ Y
    knots = Knots(T, 3)
    expected = len(T) * rest @ rest / np.trace(np.eye(len(T)) - hat) ** 2
    np.testing.assert_allclose(cross_validation(knots, Y, np.array([lam]))[0], expected, rtol=1e-7)
    best = cross_validation(knots, Y, np.array([best_smoothing(T, Y, 3)]))[0]
    assert best <= cross_validation(knots, Y, np.logspace(-12, 3, 3001)).min() * (1 + 1e-9)


def test_few_samples_and_parabolas():
    """Three samples: the parabola through them. Noise about a parabola that alternates: λ = ∞."""
    found = Table((0.0, 1.0, 3.0), (0.0, 1.0, 9.0), {"quintic": "gcv"})(np.array([2.0]))[0]
    np.testing.assert_allclose(found, [4, 4, 2], rtol=1e-12)
    t = np.linspace(0, 1, 30)
    law = Table(tuple(t), tuple(1 + t - 3 * t**2 + 0.1 * (-1.0) ** np.arange(30)), {"quintic": "gcv"})
    assert law.smoothing == math.inf
    assert law.notes()["cutoff"] == 0
    np.testing.assert_allclose(law(t)[:, 2], law(t)[0, 2], rtol=1e-9)


RATE, N = 100.0, 1201
EVEN = np.arange(N) / RATE
MIDDLE = slice(500, 701)


def gain(smooth, frequency):
    """What is left of a sine, away from the ends."""
    sine = np.sin(2 * np.pi * frequency * EVEN)
    out = Table(tuple(EVEN), tuple(sine), smooth)(EVEN)[:, 0]
    left = out[MIDDLE] @ sine[MIDDLE] / (sine[MIDDLE] @ sine[MIDDLE])
    np.testing.assert_allclose(out[MIDDLE], left * sine[MIDDLE], atol=1e-6)  # no lag, no other frequency
    return left


@pytest.mark.parametrize(("kind", "m"), [("cubic", 2), ("quintic", 3)])
def test_equivalent_cutoff_of_a_spline(kind, m):
    """H = 1/(1 + (ω/ω_c)^(2m)) for ω well below half the sampling rate (Craven and Wahba 1979; Woltring 1995)."""
    half = 2 * math.pi * 3.0
    lam = RATE / half ** (2 * m)
    notes = Table(tuple(EVEN), tuple(EVEN), Smoothing(kind, lam)).notes()
    assert notes["half_amplitude"] == pytest.approx(3.0)
    for frequency in (1.5, 3.0, 5.0):
        assert gain(Smoothing(kind, lam), frequency) == pytest.approx(1 / (1 + (frequency / 3) ** (2 * m)), abs=1e-4)
    assert gain(Smoothing(kind, lam), notes["cutoff"]) == pytest.approx(math.sqrt(0.5), abs=1e-4)


@pytest.mark.parametrize("order", [2, 4, 6, 8])
def test_zero_lag_butterworth(order):
    """−3 dB at the cut-off after both passes, and the response of the bilinear transform elsewhere."""
    smooth = {"butterworth": 6.0, "order": order}
    assert gain(smooth, 6.0) == pytest.approx(math.sqrt(0.5), abs=1e-6)
    for frequency in (2.0, 9.0):
        ratio = math.tan(math.pi * frequency / RATE) / math.tan(math.pi * 6 / RATE)
        assert gain(smooth, frequency) == pytest.approx(1 / (1 + (math.sqrt(2) - 1) * ratio**order), abs=1e-5)


def test_the_correction_for_two_passes_is_winters():
    """C = 0.802 for two second-order passes."""
    assert (math.sqrt(2) - 1) ** (1 / 4) == pytest.approx(0.802, abs=5e-4)


def test_residual_analysis_finds_the_noise():
    """Sines up to 3 Hz and white noise of 0.01: the residual left is that of the noise, the cut-off above the signal
    and far below half the sampling rate."""
    rng = np.random.default_rng(5)
    signal = np.sin(2 * np.pi * 0.9 * EVEN) + 0.3 * np.sin(2 * np.pi * 3 * EVEN)
    law = Table(tuple(EVEN), tuple(signal + 0.01 * rng.normal(size=N)), {"butterworth": "residual"})
    notes = law.notes()
    assert notes["residual"] == pytest.approx(0.01, rel=0.1)
    assert 4 < notes["cutoff"] < 12
    assert np.std(law(EVEN)[MIDDLE, 0] - signal[MIDDLE]) < 0.006


@pytest.mark.parametrize(
    ("time", "smooth", "says"),
    [
        (EVEN, {"butterworth": 50.0}, "half the sampling rate, 50; found 50"),
        (EVEN, {"butterworth": 0}, "between 0 and half"),
        (np.r_[EVEN[:-1], 13.0], {"butterworth": 6}, "samples at even times"),
        (EVEN, {"butterworth": "residual"}, "State the cut-off"),
        (EVEN, {"butterworth": "gcv"}, 'goes by "residual" or a number, a cut-off'),
        (EVEN, {"quintic": "residual"}, 'goes by "none" or "gcv" or a number, λ'),
        (EVEN, {"quintic": -1.0}, "must not be negative"),
        (EVEN, {"quintic": "gcv", "order": 4}, 'quintic smoothing has no "order"'),
        (EVEN, {"butterworth": 6, "order": 3}, "2, 4, 6 or 8; found 3"),
        (EVEN, {"chebyshev": 6}, 'no smoothing "chebyshev"'),
        (EVEN, {}, "smooth must be"),
        (EVEN, True, "smooth must be"),
    ],
)
def test_what_is_no_smoothing(time, smooth, says):
    with pytest.raises(ModelError) as caught:
        Table(tuple(time), tuple(0 * time), smooth)
    assert says in str(caught.value)


def test_huge_samples_are_smoothed_like_small_ones():
    """A spline is linear in its samples: 1e200 times the samples, 1e200 times the spline."""
    small, large = (Table(tuple(T), tuple(size * Y), {"quintic": "gcv"})(AT) for size in (1.0, 1e200))
    np.testing.assert_allclose(large / 1e200, small, rtol=1e-6, atol=1e-6)
