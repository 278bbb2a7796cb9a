"""Euler angles do not depend on the rows: a symmetric pendulum on a ball, its angles by Lagrange's equations.

With φ, θ, ψ about z, x, z, the inertia A across and C along the axis, about the ball, and the weight m g l below it:
A θ″ = (A φ′ cos θ − C (ψ′ + φ′ cos θ)) φ′ sin θ − m g l sin θ, with p_φ and p_ψ conserved (Goldstein, Classical
Mechanics, section 5.7).
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import mubo

MASS, LENGTH, G = 1.0, 1.0, 9.81
ACROSS, ALONG = 0.01 + MASS * LENGTH**2, 0.004


def pendulum(v, euler="zxz"):
    model = mubo.Model("ball pendulum", dimension=3, gravity=(0, 0, -G))
    model.ground.point("O", (0, 0, 0))
    model.body("bob", points={"P": (0, 0, LENGTH)}, mass=MASS, inertia=(0.01, 0.01, ALONG))
    model.joint("A", "spherical", "ground.O", "bob.P", euler=euler)
    model.initial("A", (0, 0.5, 0), v)
    return model


def truth(v, end):
    """Angles at the end, integrated as angles."""
    theta, (first, middle, last) = 0.5, v
    about_body = ALONG * (last + first * np.cos(theta))
    about_ground = ACROSS * first * np.sin(theta) ** 2 + about_body * np.cos(theta)

    def rates(_, y):
        c, s = np.cos(y[1]), np.sin(y[1])
        phi = (about_ground - about_body * c) / (ACROSS * s**2)
        bend = (ACROSS * phi * c - about_body) * phi * s / ACROSS - MASS * G * LENGTH / ACROSS * s
        return phi, y[3], about_body / ALONG - phi * c, bend

    return solve_ivp(rates, (0, end), (0, theta, 0, middle), "DOP853", rtol=1e-12, atol=1e-12).y[:3, -1]


def angles(run):
    return np.array([run[f"A.q{k}"][-1] for k in (1, 2, 3)])


@pytest.mark.parametrize("v", [(0.05, 0, -0.05), (0.001, 0, -0.001), (-0.3, 0.2, 0.1)])
@pytest.mark.parametrize("step", [0.5, 0.1, 0.05, 0.01])
def test_rows_do_not_choose_the_angles(v, step):
    """The bob passes the plumb line at a distance: φ and ψ run through half a turn there, between rows or on them."""
    np.testing.assert_allclose(angles(pendulum(v).simulate(0, 1, step)), truth(v, 1.0), atol=2e-6)


def test_rows_farther_apart_than_the_motion():
    """Ten passes between two rows."""
    np.testing.assert_allclose(
        angles(pendulum((0.05, 0, -0.05)).simulate(0, 10, 10)), truth((0.05, 0, -0.05), 10), atol=1e-5
    )


@pytest.mark.parametrize("method", ["Radau", "LSODA"])
def test_stiff_methods_follow_them_too(method):
    run = pendulum((0.05, 0, -0.05)).simulate(0, 1, 0.1, method=method, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(angles(run), truth((0.05, 0, -0.05), 1.0), atol=1e-5)


@pytest.mark.parametrize("step", [0.1, 0.07])
def test_through_the_singular_position(step):
    """Released at rest it swings through the plumb line: φ = ψ = 0 go on, θ changes its sign, and that is told."""
    run = pendulum((0, 0, 0)).simulate(0, 1.4, step)
    rate = solve_ivp(
        lambda t, y: (y[1], -MASS * G * LENGTH / ACROSS * np.sin(y[0])),
        (0, 1.5), (0.5, 0), "DOP853", run["t"], rtol=1e-11, atol=1e-11,
    )  # fmt: skip
    np.testing.assert_allclose(run["A.q2"], rate.y[0], atol=1e-7)
    np.testing.assert_allclose([run["A.q1"], run["A.q3"]], 0, atol=1e-7)
    (told,) = [text for text in run.summary["warnings"] if "singular position" in text]
    assert "the Euler angles of A meet their singular position (first at t = 0.51" in told


def test_kinematics_tells_where_angles_have_no_rates():
    """About z, x, z a turn about x alone is singular at its zero: φ and ψ turn about the same axis there."""
    model = mubo.Model("angles", dimension=3)
    model.ground.point("O", (0, 0, 0))
    model.body("arm", points={"O": (0, 0, 0), "end": (0, 1, 0)})
    model.joint("hinge", "revolute", "ground.O", "arm.O", axis=(1, 0, 0))
    model.joint("meter", "spherical", "ground.O", "arm.O", euler="zxz")
    model.driver("motor", "hinge", "t")
    run = model.kinematics(0, 1, 0.5)
    (told,) = [text for text in run.summary["warnings"] if "NaN" in text]
    assert told.startswith("the Euler angles of meter are at a singular position at 1 of 3 rows, first at t = 0: ")
    assert np.isnan(run["meter.v1"][0])
    assert np.all(np.isfinite(run["meter.v1"][1:]))


def test_kinematics_tells_what_its_rows_cannot():
    """The tip of a rod is led past the plumb line, x = 0.005 and y = y₀ − t: with tip = −R e_z, −sin θ sin φ = x and
    sin θ cos φ = y, so φ goes on from atan2(−x, y₀) to atan2(−x, y); far rows cannot see it turn, and say so."""
    model = mubo.Model("led", dimension=3)
    model.ground.point("O", (0, 0, 0))
    model.body("rod", points={"P": (0, 0, 0), "tip": (0, 0, -1), "side": (1, 0, 0)})
    model.joint("A", "spherical", "ground.O", "rod.P", euler="zxz")
    model.initial("A", (0, 0.5, 0))
    model.driver("x", "rod.tip.x", "0.005")
    model.driver("y", "rod.tip.y", "0.479 - t")
    model.driver("side", "rod.side.y", "0")
    fine, coarse = (model.kinematics(0, 0.9, step) for step in (0.001, 0.1))
    assert fine["A.q1"][-1] == pytest.approx(np.arctan2(-0.005, 0.479 - 0.9), abs=1e-9)
    told = [any("other triple" in text for text in run.summary["warnings"]) for run in (fine, coarse)]
    assert told == [False, True]
