"""True for every motion law: f' and f'' are the derivatives of f; files and Chebyshev pieces hold the same law.

The laws of the registry are tried on the examples of their docstrings: a new law needs no line here.
"""

import inspect
import json
import math
import re
import tomllib
from dataclasses import replace

import numpy as np
import pytest
from conftest import ROOT

from mubo.errors import ModelError
from mubo.formats.motion_file import DATA_FORMS, inline, read_motion
from mubo.laws import FORMS, Expression, Function, Harmonic, Law, Polynomial, Program, Segment, Table, law_of
from mubo.laws import LAWS as REGISTRY
from mubo.laws.chebyshev import pieces_of
from mubo.laws.law import breaks_of, jumps_of
from mubo.laws.rises import RISES
from mubo.model import Units

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
CHOSEN = list(LAWS)
LAWS["filled"] = Table(WAVE, tuple(np.cos(np.array(WAVE))), "gcv", filled=2)
LAWS["late"] = Program((Segment("constant velocity", 0.7, 1.0), Segment("harmonic", 0.5, -2.0)), start=0.4, value=3.0)
LAWS |= {f"{rise} program": Program((Segment(rise, 2.0, 0.0 if rise == "dwell" else 1.5),)) for rise in RISES}


def examples(law):
    """The law's own examples: what stands behind "motion = " in its docstring, as a file would say it."""
    texts = re.findall(r"^ *(motion = .*(?:\n {8,}.*)*)", inspect.cleandoc(law.__doc__), re.MULTILINE)
    return [tomllib.loads(text.replace("\n", " "))["motion"] for text in texts]


def from_file(given):
    return read_motion(given, ROOT, Units(), "length")


CLASSES = list(REGISTRY.values())
LAWS |= {f"{law.__name__} {k}": from_file(given) for law in CLASSES for k, given in enumerate(examples(law), 1)}
WRITTEN = [name for name, law in LAWS.items() if not isinstance(law, Function)]


def span(law):
    """Where a law is tried: 0 to 2, or as much of it as there is."""
    first, last = law.domain
    return max(first, 0.0), min(last, 2.0)


def inside_pieces(law):
    """Times between the corners and samples of a law, where it is smooth, and how far they may move."""
    start, end = span(law)
    knots = [] if law.samples is None else [t for t in law.samples.time if start < t < end]
    edges = np.unique([start, *breaks_of(law, start, end), *knots, end])
    length = np.diff(edges)
    times = edges[:-1, None] + length[:, None] * np.array([0.1, 0.37, 0.52, 0.81])
    return times.ravel(), np.repeat(np.minimum(1e-4, 1e-3 * length), 4)


@pytest.mark.parametrize("name", LAWS)
def test_derivatives_by_differences_inside_pieces(name):
    """(f(t + h) - f(t - h)) / 2h is f' but for terms with h², likewise for f''; f(t + h) + f(t - h) - 2 f is h² f''."""
    law = LAWS[name]
    t, h = inside_pieces(law)
    middle, plus, minus = law(t), law(t + h), law(t - h)
    size = 1 + np.abs(middle).max()
    np.testing.assert_allclose((plus - minus)[:, :2] / (2 * h[:, None]), middle[:, 1:], rtol=0, atol=1e-5 * size)
    even = (plus + minus - 2 * middle)[:, 0]
    assert np.all(np.abs(even - h**2 * middle[:, 2]) <= 1e-4 * size * h**2 + 1e-14 * size)


@pytest.mark.parametrize("name", LAWS)
def test_chebyshev_pieces_are_the_law(name):
    law = LAWS[name]
    t, _ = inside_pieces(law)
    wanted, pieces = law(t), pieces_of(law, *span(law), name)
    close = 1e-11 if law.knows_derivatives else 1e-6  # differences are not as good as pieces
    np.testing.assert_allclose(pieces(t), wanted, rtol=0, atol=close * (1 + np.abs(wanted).max()))


@pytest.mark.parametrize("name", WRITTEN)
def test_files_hold_the_same_law(name):
    """What is written reads back to an equal law: all digits, and nothing but plain values."""
    law = LAWS[name]
    assert from_file(tomllib.loads(f"motion = {inline(law.to_file())}")["motion"]) == law
    assert from_file(json.loads(json.dumps(law.to_file()))) == law


@pytest.mark.parametrize("name", LAWS)
def test_laws_say_what_they_are(name):
    law = LAWS[name]
    assert isinstance(law, Law)
    assert law.description.strip()
    assert type(law).__name__ not in law.description
    assert all(jump.order > 0 for jump in jumps_of(law, *span(law)))
    assert law.smoothed("gcv") == (law if law.samples is None else replace(law, smooth="gcv"))


@pytest.mark.parametrize("law", [law for law in CLASSES if law is not Function], ids=lambda law: law.__name__)
def test_every_form_has_its_example(law):
    given = examples(law)
    assert given
    for form, keys in law.forms.items():
        assert form == keys[0]
        assert FORMS[form] is law
        assert any(form in example for example in given), f"the docstring of {law.__name__} shows no {form}"
    assert all(type(from_file(example)) is law for example in given)


@pytest.mark.parametrize("form", [*FORMS, *DATA_FORMS])
def test_every_form_has_its_line_in_the_documentation(form):
    text = (ROOT / "docs" / "elements.md").read_text() + (ROOT / "docs" / "motion_data.md").read_text()
    assert f"{{ {form} = " in text


@pytest.mark.parametrize(
    ("law", "words"),
    [
        (Polynomial((1.0, -2.0, 0.0, 0.25)), "1 − 2 t + 0.25 t³"),
        (Polynomial((0.0, 1.0)), "0 + t"),
        (Polynomial((-1e-9,)), "−1 × 10⁻⁹"),
        (Harmonic(-0.25, 2.0, 1.9, -0.5), "1.9 − 0.25 sin(2 t − 0.5)"),
        (Program((Segment("dwell", 2.0),), repeat=True), "from 0 at 0: dwell for 2, rise 0, repeated"),
        (Table((0.0, 2.0), (1.0, 3.0)), "2 samples, t = 0 … 2: interpolating cubic spline"),
        (Table((0.0, 2.0), (1.0, 3.0), "gcv"), "2 samples, t = 0 … 2: cubic smoothing spline, λ by cross-validation"),
        (Table((0.0, 2.0), (1.0, 3.0), 0.5), "2 samples, t = 0 … 2: cubic smoothing spline, λ = 0.5"),
        (Expression("2*t"), "2*t"),
        (Function(math.sin), "the Python function sin"),
    ],
)
def test_words_of_laws(law, words):
    assert law.description == words


def test_a_function_cannot_be_written():
    with pytest.raises(ModelError, match="a Python function cannot be written to a file"):
        Function(math.sin).to_file()


def test_what_only_looks_like_a_law_is_refused():
    """Taken for a function of one number it would be called with one: its class must be a Law."""

    class Ramp:
        domain = (0.0, 1.0)

        def __call__(self, t):
            return np.column_stack([t, np.ones_like(t), np.zeros_like(t)])

        def notes(self):
            return {}

    with pytest.raises(ModelError, match=r"(?s)Ramp.*mubo\.laws\.Law"):
        law_of(Ramp())


@pytest.mark.parametrize("name", CHOSEN)
def test_derivatives_by_differences(name):
    law, h = LAWS[name], 1e-4
    middle, plus, minus = law(T), law(T + h), law(T - h)
    np.testing.assert_allclose(middle[:, 1], (plus[:, 0] - minus[:, 0]) / (2 * h), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(middle[:, 2], (plus[:, 1] - minus[:, 1]) / (2 * h), rtol=1e-4, atol=1e-4)


def test_function_derivatives_are_exact_where_given():
    def law(t):
        return t**3

    law.deriv = lambda t: (3 * t**2, 6 * t)
    wanted = [(law(t), *law.deriv(t)) for t in T.tolist()]  # scalar by scalar, as the law is called: the same bits
    np.testing.assert_array_equal(Function(law)(T), wanted)


@pytest.mark.parametrize("rate", [3.0, 300.0, 0.01])
def test_function_derivatives_find_their_step_and_state_their_error(rate):
    """Slow or fast, the step of the differences follows the function; the error stated is the error made."""
    law = Function(lambda t: np.sin(rate * t))
    values, note = law(T), law.notes()["derivatives"]
    first, second = (float(number) for number in re.findall(r"[0-9.]+e[-+][0-9]+", note))
    assert np.max(np.abs(values[:, 1] - rate * np.cos(rate * T))) < 1e-8 * rate + 10 * first
    assert np.max(np.abs(values[:, 2] + rate**2 * np.sin(rate * T))) < 10 * second + 1e-9 * rate**2 < 1e-4 * rate**2


def test_function_that_ends_nearby():
    """√t has no values left of 0: the differences stay inside."""
    values = Function(lambda t: math.sqrt(t))(np.array([0.01, 0.5]))
    np.testing.assert_allclose(values[:, 1], [5.0, 0.5 / math.sqrt(0.5)], rtol=1e-6)


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


@pytest.mark.parametrize("rate", [1.0, 2.5, 2 * math.pi])
def test_a_function_that_is_odd_about_its_first_time_has_its_derivatives(rate):
    """At the start f'' is zero by every step; the step must not be chosen by that. f = sin ωt, f' = ω cos ωt."""
    law = Function(lambda t: math.sin(rate * t))
    law(np.zeros(1))
    t = np.linspace(0, 1, 21)
    exact = np.column_stack([np.sin(rate * t), rate * np.cos(rate * t), -(rate**2) * np.sin(rate * t)])
    np.testing.assert_allclose(law(t), exact, atol=1e-9 * rate**2)
    np.testing.assert_allclose(law(t[3:4]), exact[3:4], atol=1e-9 * rate**2)
