"""Curves between rows against functions that are known: the cubic of the true slope, and no hump that is not there."""

import numpy as np
import pytest

import mubo
from mubo.view.curves import curve_errors, hermite_curve, parabola_slopes


def test_a_cubic_with_the_true_slope_is_as_good_as_its_theory():
    """|error| ≤ h⁴/384 · max|y⁗| (Hermite interpolation; de Boor, A Practical Guide to Splines, chapter IV)."""
    t = np.linspace(0, 2 * np.pi, 25)
    fine, y = hermite_curve(t, np.sin(t), np.cos(t), pieces=16)
    assert np.max(np.abs(y - np.sin(fine))) <= (2 * np.pi / 24) ** 4 / 384 * 1.0000001


@pytest.mark.parametrize("rows", [[0.0, 0.5, 0.9, 0.999], [0.0, 0.99, 0.9999]])
def test_near_a_lock_the_curve_keeps_between_its_rows(rows):
    """A rate −1/√(1−t) falls all the way to a lock at t = 1; the plain cubic of its slopes climbs above zero."""
    t = np.array(rows)
    y, slope = -((1 - t) ** -0.5), -0.5 * (1 - t) ** -1.5
    _, drawn = hermite_curve(t, y, slope)
    assert np.all(np.diff(drawn) <= 1e-12 * np.abs(y[-1]))
    h, u = t[-1] - t[-2], 0.9
    plain = (1 + 2 * u) * (1 - u) ** 2 * y[-2] + u * u * (3 - 2 * u) * y[-1]
    plain += h * (u * (1 - u) ** 2 * slope[-2] - u * u * (1 - u) * slope[-1])
    assert plain > 0 > np.max(drawn)  # what is kept from being drawn


def test_a_hump_stays_below_both_tangents():
    """y = 1 − |t| smoothed: of slopes +1 and −40 at rows 0 and 1 the concave curve lies below both tangents."""
    t, y, slope = np.array([0.0, 1.0]), np.array([0.0, -1.0]), np.array([1.0, -40.0])
    fine, drawn = hermite_curve(t, y, slope, pieces=64)
    assert np.all(drawn <= np.minimum(fine, -1 + 40 * (1 - fine)) + 1e-12)
    assert np.all(np.diff(drawn, 2) <= 1e-12)  # and it bends to one side


def test_an_extreme_that_the_slopes_tell_is_drawn():
    """A parabola between rows on both sides of its top: slopes say where it is, the cubic is the parabola."""
    t = np.array([-1.0, 1.0])
    fine, drawn = hermite_curve(t, 1 - t**2, -2 * t)
    assert drawn == pytest.approx(1 - fine**2, abs=1e-15)


def test_slopes_that_are_not_known_are_those_of_a_parabola_and_gaps_stay_gaps():
    """y = 3 t² − t on rows that are not equally far apart: its slope is 6 t − 1 at each, at the ends too."""
    t = np.array([0.0, 1, 2, 4, 5, 6, 7.5, 8])
    y = 3 * t**2 - t
    assert parabola_slopes(t, y) == pytest.approx(6 * t - 1)
    y[4] = np.nan
    fine, drawn = hermite_curve(t, y, parabola_slopes(t, y))
    assert np.isnan(drawn[(fine > 4) & (fine < 6)]).all()
    inside = (fine <= 4) | (fine >= 6)
    assert drawn[inside] == pytest.approx(3 * fine[inside] ** 2 - fine[inside])


def test_rows_of_one_event_determine_no_slope():
    """Two rows of one instant differ by the rounding of its time and of the value; their chord is noise."""
    t = np.array([0.0, 1.0, 2.0, np.nextafter(2.0, 3.0), 3.0, 4.0])
    y = 3 * t**2 - t
    y[3] += 1e-12
    assert parabola_slopes(t, y) == pytest.approx(6 * t - 1)


@pytest.mark.parametrize("known", [True, False])
def test_errors_of_curves_are_not_less_than_they_are(known):
    """Of a sine at 8 to 60 rows a period, with its slope and without: the largest error is less than the largest
    estimate, and estimates fall as h⁴."""
    bounds = []
    for rows in (8, 15, 30, 60):
        t = np.linspace(0, 2 * np.pi, rows + 1)
        slope = np.cos(t) if known else np.full(len(t), np.nan)
        bound = curve_errors(t, np.sin(t)[None], slope[None])[0]
        fine, y = hermite_curve(t, np.sin(t), np.cos(t) if known else parabola_slopes(t, np.sin(t)), pieces=16)
        error = np.abs(y - np.sin(fine))[:-1].reshape(-1, 16).max(axis=1)
        assert np.max(bound) >= np.max(error)
        bounds.append(bound[2:-2].max())
    assert bounds[2] / bounds[3] == pytest.approx(16, rel=0.1)


def test_a_jump_and_two_rows_alone_have_no_curve():
    """A step of height 1 between two of 21 rows: no curve crosses it; of two rows nothing is known."""
    t = np.linspace(0, 1, 21)
    errors = curve_errors(t, (t > 0.52).astype(float)[None], np.full((1, 21), np.nan))[0]
    assert errors[10] > 0.3
    assert np.all(errors[:7] < 1e-12)
    assert np.isinf(curve_errors(t[:2], t[None, :2], np.full((1, 2), np.nan))).all()


def test_a_steady_wheel_has_no_angular_acceleration_but_rounding():
    """ω = 3 rad/s over 2 s: accelerations are judged by ω² and velocities by the largest of them."""
    model = mubo.Model("wheel", units={"length": "mm", "angle": "deg", "time": "s"})
    model.ground.point("O", (0, 0))
    model.body("wheel", (0, 0), 0.0, {"O": (0, 0), "P": (100, 0)})
    model.revolute("O", "ground.O", "wheel.O")
    model.point("rim", "wheel", (100, 0))
    model.driver("motor", "wheel.phi", f"{np.degrees(3.0)}*t")
    run = model.kinematics(0, 2, 0.05)
    size = {name: run.columns.scale(name) for name in run.columns}
    assert size["wheel.omega"] == pytest.approx(np.degrees(3.0))
    assert size["wheel.alpha"] == pytest.approx(np.degrees(9.0))
    assert size["rim.x"] == pytest.approx(100)
    assert size["wheel.ax"] == size["rim.ay"] == pytest.approx(900, rel=0.01)
