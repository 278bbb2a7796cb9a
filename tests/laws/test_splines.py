"""Smoothing splines: SciPy's solver at a given λ, and the definition of cross-validation by brute force."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, make_smoothing_spline

from mubo.errors import ModelError
from mubo.laws import Table, spline
from mubo.laws.cross_validation import best_smoothing, cross_validation
from mubo.laws.spline import Knots

RNG = np.random.default_rng(7)
T = np.sort(RNG.uniform(0, 3, 40))
Y = np.sin(2 * T) + 0.05 * RNG.normal(size=40)
AT = np.linspace(T[0], T[-1], 101)


def test_interpolating_spline_is_the_natural_one():
    reference = CubicSpline(T, Y, bc_type="natural")
    found = Table(tuple(T), tuple(Y))(AT)
    for order in range(3):
        np.testing.assert_allclose(found[:, order], reference(AT, order), rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("lam", [1e-6, 1e-3, 0.1, 10.0])
def test_smoothing_at_given_lambda_agrees_with_scipy(lam):
    reference = make_smoothing_spline(T, Y, lam=lam)
    np.testing.assert_allclose(Table(tuple(T), tuple(Y), lam)(AT)[:, 0], reference(AT), rtol=1e-8, atol=1e-9)


def hat_matrix(lam):
    """Each column smooths a unit sample: H of the definition GCV = n RSS / tr(I − H)²."""
    return np.column_stack([Table(tuple(T), tuple(unit), lam)(T)[:, 0] for unit in np.eye(len(T))])


@pytest.mark.parametrize("lam", [1e-5, 1e-3, 0.1])
def test_cross_validation_is_its_definition(lam):
    H = hat_matrix(lam)
    residual = Y - H @ Y
    expected = len(T) * residual @ residual / np.trace(np.eye(len(T)) - H) ** 2
    np.testing.assert_allclose(cross_validation(Knots(T), Y, np.array([lam]))[0], expected, rtol=1e-8)


def test_best_lambda_is_the_global_minimum():
    knots = Knots(T)
    best = best_smoothing(T, Y)
    scan = cross_validation(knots, Y, np.logspace(-12, 6, 4001))
    assert cross_validation(knots, Y, np.array([best]))[0] <= scan.min() * (1 + 1e-9)


def test_noise_around_a_line_gives_the_line():
    """λ = ∞ is admitted: found for data whose best description is a straight line."""
    rng = np.random.default_rng(3)
    t = np.linspace(0, 1, 30)
    y = 2 + 3 * t + 0.1 * (-1.0) ** np.arange(30) + 0.01 * rng.normal(size=30)
    law = Table(tuple(t), tuple(y), "gcv")
    assert np.isinf(law.smoothing)
    slope, shift = np.polyfit(t, y, 1)
    np.testing.assert_allclose(
        law(t), np.column_stack([shift + slope * t, np.full(30, slope), np.zeros(30)]), atol=1e-12
    )


@pytest.mark.parametrize(
    ("time", "value", "smooth", "says"),
    [
        ((0.0,), (1.0,), "none", "at least two samples"),
        ((0.0, 1.0, 1.0), (0.0, 1.0, 2.0), "none", "equals"),
        ((0.0, 1.0, 0.5), (0.0, 1.0, 2.0), "none", "is before"),
        ((0.0, 1.0), (0.0, float("nan")), "none", "sample 2"),
        ((0.0, 1.0), (0.0, 1.0), "much", "smooth must be"),
        ((0.0, 1.0), (0.0, 1.0), -1.0, "not be negative"),
        ((0.0, 1.0), (0.0, 1.0, 2.0), "none", "as many values"),
    ],
)
def test_tables_refuse_what_is_no_table(time, value, smooth, says):
    with pytest.raises(ModelError) as caught:
        Table(time, value, smooth)
    assert says in str(caught.value)


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("lam", [0.0, 1e-6, 1.0, 1e5])
def test_many_samples_are_fitted_by_the_same_equations(monkeypatch, order, lam):
    """Banded Cholesky factors, which many samples take, answer as the factors without square roots do."""
    random = np.random.default_rng(3)
    t = np.cumsum(random.uniform(0.5, 1.5, 300))
    y = np.sin(t / 9) + 0.1 * random.normal(size=300)
    few = spline.fit(t, y, lam, order)(t[3:-3] + 0.1)
    monkeypatch.setattr(spline, "MANY", 1)
    np.testing.assert_allclose(spline.fit(t, y, lam, order)(t[3:-3] + 0.1), few, rtol=0, atol=1e-11)
