"""Any motion law becomes Chebyshev pieces that answer like the law itself, in Python and in the core."""

import math

import numpy as np
import pytest
from trees import Tree

from mubo import ModelError
from mubo.laws import Expression, Function, Harmonic, Polynomial, Program, Segment, Table
from mubo.laws.chebyshev import pieces_of

LAWS = {
    "constant": Polynomial((2.5,)),
    "polynomial": Polynomial((1.0, -2.0, 0.5, 0.3)),
    "harmonic": Harmonic(0.3, 12.0, 1.0, 0.4),
    "fast": Harmonic(1.0, 400.0),
    "expression": Expression("sin(t)*exp(-0.3*t) + sqrt(1 + t^2)"),
}


@pytest.mark.parametrize("name", LAWS)
def test_pieces_answer_like_the_law(name):
    law, t = LAWS[name], np.linspace(-1, 6, 4001)
    pieces = pieces_of(law, -1.0, 6.0, name)
    wanted = law(t)
    np.testing.assert_allclose(pieces(t), wanted, rtol=0, atol=1e-12 * np.abs(wanted).max(axis=0).max())
    # The time itself is rounded: that moves the law by eps |t| |f'|.
    rounded = 1e-15 * 6 * np.abs(wanted[:, 1]).max()
    np.testing.assert_allclose(pieces(t)[:, 0], wanted[:, 0], rtol=0, atol=1e-13 * np.abs(wanted[:, 0]).max() + rounded)


@pytest.mark.parametrize("name", LAWS)
def test_the_core_evaluates_the_pieces(name):
    pieces, tree = pieces_of(LAWS[name], -1.0, 6.0, name), Tree(laws=[])
    tree.laws.append((pieces.edges, pieces.coefficients))
    tree.add("slide", mass=1.0, law=0)
    t = np.linspace(-1, 6, 501)
    found = np.column_stack(tree.system().drive(t, np.zeros((501, 1)), np.zeros((501, 1))))
    wanted = pieces(t)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-14 * np.abs(wanted).max())


def test_pieces_end_at_corners():
    law = Program((Segment("cycloidal", 1.0, 2.0), Segment("dwell", 0.5, 0.0), Segment("harmonic", 1.0, -2.0)))
    pieces = pieces_of(law, 0.0, 2.5, "cam")
    assert {1.0, 1.5} <= set(pieces.corners)
    assert set(pieces.corners) <= set(pieces.edges)
    t = np.setdiff1d(np.linspace(0, 2.5, 2002)[:-1], pieces.corners)
    np.testing.assert_allclose(pieces(t), law(t), rtol=0, atol=1e-12 * np.abs(law(t)).max())


def test_a_spline_is_met_exactly_between_its_samples():
    law = Table((0.0, 0.5, 0.7, 1.5, 2.0), (1.0, 2.0, -1.0, 0.5, 0.0))
    pieces = pieces_of(law, 0.2, 1.9, "samples")
    assert list(pieces.edges) == [0.2, 0.5, 0.7, 1.5, 1.9]
    t = np.linspace(0.2, 1.9, 501)
    np.testing.assert_allclose(pieces(t), law(t), rtol=0, atol=1e-13 * np.abs(law(t)).max())


def test_a_function_without_derivatives_is_differentiated_by_its_pieces():
    pieces = pieces_of(Function(lambda t: math.sin(3 * t)), 0.0, 2.0, "f")
    t = np.linspace(0, 2, 301)
    wanted = np.column_stack([np.sin(3 * t), 3 * np.cos(3 * t), -9 * np.sin(3 * t)])
    np.testing.assert_allclose(pieces(t), wanted, rtol=0, atol=1e-10)


@pytest.mark.parametrize("function", [lambda t: float(t > 0.3), lambda t: abs(t - 1 / 3), lambda t: float("nan")])
def test_what_cannot_be_followed_is_refused_by_name(function):
    with pytest.raises(ModelError, match="pump"):
        pieces_of(Function(function), 0.0, 1.0, "pump")


def test_a_kink_is_allowed_where_only_values_count():
    pieces = pieces_of(Function(lambda t: abs(t - 1 / 3)), 0.0, 1.0, "rectified", values_only=True)
    t = np.linspace(0, 1, 1001)
    np.testing.assert_allclose(pieces(t)[:, 0], np.abs(t - 1 / 3), rtol=0, atol=1e-10)


def test_outside_the_domain_is_refused():
    class Short(Polynomial):
        domain = (0.0, 1.0)

    with pytest.raises(ModelError, match="covers t = 0 to 1; 2 is asked for"):
        pieces_of(Short((1.0, 2.0)), 0.0, 2.0, "short")


def test_rounding_of_the_last_time_is_not_outside_the_domain():
    """Rows of a table of 0.02 s end at 4.300000000000004 s: the law of its data reaches so far."""

    class Measured(Polynomial):
        domain = (0.0, 4.3)

    end = 4.300000000000004
    pieces = pieces_of(Measured((1.0, 2.0)), 0.0, end, "guide")
    assert pieces.edges[-1] == end
    with pytest.raises(ModelError, match=r"covers t = 0 to 4.3 s; 4.4 s is asked for"):
        pieces_of(Measured((1.0, 2.0)), 0.0, 4.4, "guide", "{:g} s".format)
