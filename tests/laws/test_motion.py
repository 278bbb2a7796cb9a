"""True for every motion law: f' and f'' are the derivatives of f."""

import math
import re

import numpy as np
import pytest

from mubo.errors import ModelError
from mubo.motion import Expression, Function, Harmonic, Polynomial, Table

T = np.linspace(0.13, 1.85, 8)  # none of the knots and corners below, where f'' of a spline has a corner
WAVE = tuple(np.linspace(0, 2, 21))
LAWS = {
    "polynomial": Polynomial((1.0, -2.0, 0.5, 0.25)),
    "harmonic": Harmonic(amplitude=0.3, rate=5.0, mean=1.3, phase=0.2),
    "table": Table(WAVE, tuple(np.sin(3 * np.array(WAVE)))),
    "smoothed": Table(WAVE, tuple(np.sin(3 * np.array(WAVE))), 1e-4),
    "function": Function(lambda t: np.exp(-t) * np.cos(4 * t)),
    "expression": Expression("exp(-t)*cos(4*t) + sqrt(1 + t^2)/2 - log(1 + t)*tan(t/3)"),
    "power": Expression("(1 + t)**t + 2**t + t**3 - 1/(1 + t)"),
    "branches": Expression("where(t < 1, t**2, 2*t - 1) + max(t, 0.5) + min(t, 5) + abs(t - 7) + atan(2*t)"),
    "constant": Expression("3*pi - e"),
}


@pytest.mark.parametrize("name", LAWS)
def test_derivatives_by_differences(name):
    law, h = LAWS[name], 1e-4
    middle, plus, minus = law(T), law(T + h), law(T - h)
    np.testing.assert_allclose(middle[:, 1], (plus[:, 0] - minus[:, 0]) / (2 * h), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(middle[:, 2], (plus[:, 1] - minus[:, 1]) / (2 * h), rtol=1e-4, atol=1e-4)


def test_function_derivatives_are_exact_where_given():
    def law(t):
        return t**3

    law.deriv = lambda t: (3 * t**2, 6 * t)
    np.testing.assert_array_equal(Function(law)(T), np.column_stack([T**3, 3 * T**2, 6 * T]))


@pytest.mark.parametrize("rate", [3.0, 300.0, 0.01])
def test_function_derivatives_find_their_step_and_state_their_error(rate):
    """Slow or fast, the step of the differences follows the function; the error stated is the error made."""
    law = Function(lambda t: np.sin(rate * t))
    found, told = law(T), law.notes()["derivatives"]
    first, second = (float(number) for number in re.findall(r"[0-9.]+e[-+][0-9]+", told))
    assert np.max(np.abs(found[:, 1] - rate * np.cos(rate * T))) < 1e-8 * rate + 10 * first
    assert np.max(np.abs(found[:, 2] + rate**2 * np.sin(rate * T))) < 10 * second + 1e-9 * rate**2 < 1e-4 * rate**2


def test_function_that_ends_nearby():
    """√t has no values left of 0: the differences stay inside."""
    found = Function(lambda t: math.sqrt(t))(np.array([0.01, 0.5]))
    np.testing.assert_allclose(found[:, 1], [5.0, 0.5 / math.sqrt(0.5)], rtol=1e-6)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("__import__('os').system('x')", "cannot stand"),
        ("t.real", "cannot stand"),
        ("sine(t)", 'Did you mean "sin"'),
        ("2 * x", 'unknown name "x"'),
        ("sin(t, t)", "takes 1 argument"),
        ("where(t, 1, 2)", "where(a < b, yes, no)"),
        ("1 +", "is not an expression"),
        ("'text'", "cannot stand"),
        ("[t]", "cannot stand"),
    ],
)
def test_expressions_refuse_what_they_do_not_know(text, says):
    with pytest.raises(ModelError) as caught:
        Expression(text)
    assert says in str(caught.value)
