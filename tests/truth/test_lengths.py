"""Points of bodies by lengths and angles: the textbook's data instead of coordinates.

Triangles by the law of cosines; the four-bar against Freudenstein's equation in half-angle form (Norton, Design of
Machinery, section 4.5): with link lengths a (crank), b (coupler), c (rocker), d (ground),
K1 = d/a, K2 = d/c, K3 = (a² − b² + c² + d²)/(2ac).
"""

import math
import re

import numpy as np
import pytest
from conftest import ROOT
from hypothesis import assume, given
from hypothesis import strategies as st

import mubo
from mubo.errors import ModelError
from mubo.formats import load
from mubo.geometry.points_from_lengths import with_figure
from mubo.model import Units

FOUR_BAR = """
[body.ground]
lengths = { AD = 4.0 }
[body.crank]
lengths = { AB = 1.0 }
[body.coupler]
lengths = { BC = 3.5, BP = 2.0, CP = 2.2 }
[body.rocker]
lengths = { DC = 2.5 }
[joint.A]
type = "revolute"
between = ["ground.A", "crank.A"]
[joint.B]
type = "revolute"
between = ["crank.B", "coupler.B"]
[joint.C]
type = "revolute"
between = ["coupler.C", "rocker.C"]
[joint.D]
type = "revolute"
between = ["ground.D", "rocker.D"]
[driver.motor]
of = "crank.phi"
motion = { rate = "60 rpm" }
[point.P]
body = "coupler"
at = "P"
[analysis]
start = 0
end = 1
step = 0.125
"""


def figure(lengths, angles=None, right=(), points=None, dimension=2, units=None):
    given = {"lengths": lengths, "angles": angles or {}, "right": right}
    return with_figure(units or Units(), dimension, points or {}, given)


SIDE = st.floats(0.1, 10)


@given(SIDE, SIDE, SIDE, st.booleans())
def test_triangle_by_three_sides(ab, ap, bp, right):
    assume(abs(ap - bp) < 0.99 * ab < 0.98 * (ap + bp))
    points = figure({"AB": ab, "AP": ap, "PB": bp}, right=["P"] if right else ())
    assert points["A"] == (0, 0)
    assert points["B"] == (ab, 0)
    assert math.dist(points["A"], points["P"]) == pytest.approx(ap, rel=1e-12)
    assert math.dist(points["B"], points["P"]) == pytest.approx(bp, rel=1e-12)
    assert (points["P"][1] < 0) == right


@given(SIDE, SIDE, st.floats(0.05, 3.1), st.booleans())
def test_triangle_by_two_sides_and_an_angle_is_the_same(ab, ap, alpha, right):
    """By the law of cosines; at A, the first point, and at B, the second, on the same side."""
    bp = math.sqrt(ab * ab + ap * ap - 2 * ab * ap * math.cos(alpha))
    side = ["P"] if right else []
    first = figure({"AB": ab, "AP": ap}, {"PAB": alpha}, side)["P"]
    sign = -1 if right else 1
    assert first == pytest.approx((ap * math.cos(alpha), sign * ap * math.sin(alpha)), abs=1e-12 * ap)
    beta = math.atan2(ap * math.sin(alpha), ab - ap * math.cos(alpha))
    assert figure({"AB": ab, "BP": bp}, {"ABP": beta}, side)["P"] == pytest.approx(first, abs=1e-9)
    assert figure({"AB": ab}, {"PAB": alpha, "PBA": beta}, side)["P"] == pytest.approx(first, rel=1e-6, abs=1e-6)


def test_a_quadrilateral_and_long_names_and_units():
    """The 3-4-5 triangle and its mirror image over the long side; angles of a right triangle."""
    points = figure(
        {"O1-O2": "5 m", "O1-P_1": 3000, "O2-P_1": "4 m", "O1-Q": 3000, "O2-Q": 4000},
        right=["Q"],
        units=Units(length="mm"),
    )
    assert points["P_1"] == pytest.approx((1800, 2400))
    assert points["Q"] == pytest.approx((1800, -2400))
    degrees = Units(angle="deg")
    assert figure({"AB": 2}, {"PAB": 45, "PBA": 45}, units=degrees)["P"] == pytest.approx((1, 1))
    assert figure({"AB": 2, "AP": 1}, {"BAP": 90}, units=degrees, dimension=3)["P"] == pytest.approx((0, 1, 0))


def test_coordinates_stay():
    points = figure({"BP": 5, "CP": 5}, points={"C": (3.0, 4.0), "B": (3.0, -4.0)})
    assert points["C"] == (3.0, 4.0)
    assert points["P"] == pytest.approx((6.0, 0.0))  # left of the way from C down to B
    assert figure({"AB": 2}, points={"A": (1.0, 1.0)})["B"] == (3.0, 1.0)


@pytest.mark.parametrize(
    ("lengths", "angles", "right", "says"),
    [
        ({"AB": 3, "AP": 1, "BP": 1}, {}, [], "no triangle ABP: AP = 1 and BP = 1 do not meet over AB = 3"),
        ({"AB": 3, "AP": 1}, {}, [], "point P has no place: AP and the known points A, B leave it open"),
        ({"AB": 3, "BP": 1}, {"PAB": 0.1}, [], "point P has no place: BP, PAB"),
        ({"ABC": 3}, {}, [], 'lengths: "ABC" does not name two points: write AB, or A1-B2'),
        ({"AA": 3}, {}, [], '"AA" does not name two points'),
        ({"AB": 3}, {"AB": 1}, [], 'angles: "AB" does not name three points'),
        ({"AB": 0}, {}, [], "lengths: AB must be positive; found 0"),
        ({"AB": "3 kg"}, {}, [], 'lengths: AB: "3 kg" is no length'),
        ({"AB": 1}, {"PAB": 4}, [], "angles: PAB must be between 0 and 180°"),
        ({"AB": 3, "AP": 2, "BP": 2}, {}, ["Q"], 'right: there is no point "Q"'),
        ({"AB": 3, "AP": 2, "BP": 2}, {}, ["B"], "right: B has its place by other means"),
        (
            {"AB": 1, "AP": 1, "BP": 1},
            {"PAB": 1},
            [],
            "PAB = 57.2958° contradicts the rest of the figure, which gives 60°",
        ),
        ({"AB": 1}, {"PAB": 2, "PBA": 2}, [], "the sides of PAB and PBA do not meet"),
        ({"AB": 1, "CD": 1}, {}, [], "point C has no place"),
    ],
)
def test_what_is_no_figure(lengths, angles, right, says):
    with pytest.raises(ModelError, match=re.escape(says)):
        figure(lengths, angles, right)


def test_more_than_needed_may_agree():
    points = figure({"AB": 1, "AP": 1, "BP": 1}, {"PAB": math.pi / 3, "APB": math.pi / 3})
    assert points["P"] == pytest.approx((0.5, math.sqrt(0.75)))


def freudenstein(theta, a, b, c, d):
    """Both rocker angles."""
    k1, k2, k3 = d / a, d / c, (a * a - b * b + c * c + d * d) / (2 * a * c)
    A = np.cos(theta) - k1 - k2 * np.cos(theta) + k3
    B, C = -2 * np.sin(theta), k1 - (k2 + 1) * np.cos(theta) + k3
    root = np.sqrt(B * B - 4 * A * C)
    return 2 * np.arctan2(-B - root, 2 * A), 2 * np.arctan2(-B + root, 2 * A)


def C_x(run):
    return 4.0 + 2.5 * np.cos(run["rocker.phi"])


def C_y(run):
    return 2.5 * np.sin(run["rocker.phi"])


def test_a_four_bar_of_lengths_alone(tmp_path):
    (tmp_path / "four_bar.toml").write_text(FOUR_BAR)
    model = mubo.load(tmp_path / "four_bar.toml")
    run = model.kinematics()
    theta = 2 * np.pi * run["t"]
    for end, length in (((np.cos(theta), np.sin(theta)), 2.0), ((C_x(run), C_y(run)), 2.2)):  # BP and CP
        assert np.hypot(run["P.x"] - end[0], run["P.y"] - end[1]) == pytest.approx(length, rel=1e-12)
    for q in freudenstein(theta, 1.0, 3.5, 2.5, 4.0):
        if np.cos(q[0] - run["rocker.phi"][0]) > 0.999999:
            assert np.cos(q - run["rocker.phi"]) == pytest.approx(1, abs=1e-12)
            break
    else:
        pytest.fail("neither branch of Freudenstein's equation")


def test_round_trip_and_the_same_in_python(tmp_path):
    (tmp_path / "four_bar.toml").write_text(FOUR_BAR)
    read = mubo.load(tmp_path / "four_bar.toml")
    for ending in ("toml", "json"):
        read.save(tmp_path / f"again.{ending}")
        again = load(tmp_path / f"again.{ending}")
        assert {name: body.points for name, body in again.bodies.items()} == {
            name: body.points for name, body in read.bodies.items()
        }
    made = mubo.Model("four bar")
    made.ground.geometry_from_lengths({"AD": 4.0})
    made.body("crank", lengths={"AB": 1.0})
    made.body("coupler", lengths={"BC": 3.5, "BP": 2.0, "CP": 2.2})
    made.body("rocker", lengths={"DC": 2.5})
    assert made.bodies == read.bodies


def test_a_point_of_interest_by_name():
    model = mubo.Model("bar")
    model.body("bar", lengths={"AB": 2.0})
    model.point("end", "bar", "B")
    assert model.points["end"].at == (2.0, 0.0)
    with pytest.raises(ModelError, match='body "bar" has no point "C"'):
        model.point("other", "bar", "C")


def test_messages_of_a_file(tmp_path):
    wrong = FOUR_BAR.replace("BP = 2.0", "BP = 0.2").replace("AD = 4.0", "AD = '4 s'")
    (tmp_path / "four_bar.toml").write_text(wrong)
    with pytest.raises(ModelError) as caught:
        mubo.load(tmp_path / "four_bar.toml")
    assert 'line 2: body ground: lengths: AD: "4 s" is no length' in str(caught.value)
    assert "body coupler: lengths: there is no triangle BCP" in str(caught.value)


def test_the_textbook_example():
    """Freudenstein's equation for the shipped example: 40, 120, 80, 100 mm, from 30° at 60 rpm."""
    run = mubo.load(ROOT / "examples" / "textbook_four_bar.toml").kinematics()
    theta = math.pi / 6 + 2 * math.pi * run["t"]
    assert run["crank.phi"] == pytest.approx(np.degrees(theta), rel=1e-12)
    wide, _ = freudenstein(theta, 40, 120, 80, 100)
    assert np.cos(np.radians(run["rocker.phi"]) - wide) == pytest.approx(1, abs=1e-12)
