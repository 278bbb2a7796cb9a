"""Drag: the fall in air, a boat that coasts, a pendulum, a ball that the wind takes along; in the plane and in space.

m v' = m g − c v² from rest: v = vt tanh(g t / vt), fallen vt²/g ln cosh(g t / vt), vt = √(m g / c). m v' = −c v:
v = v₀ e^(−c t / m). m v' = −c v²: v = v₀ / (1 + c v₀ t / m) (Timoshenko and Young, Advanced Dynamics, 1948, section 3).
"""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.mechanism import mechanism_of
from mubo.mechanism.formulations.absolute_loads import absolute_loads

G, M = 9.81, 2.0


def ball(dimension, gravity, velocity, **options):
    """A ball that moves freely, with drag on its centre."""
    model = mubo.Model("ball", dimension=dimension, gravity=(*gravity, 0, 0)[:dimension])
    inertia = 0.1 if dimension == 2 else (0.1, 0.1, 0.1)
    turned = {} if dimension == 2 else {"orientation": (1, 0, 0, 0)}
    at = (0,) * dimension
    model.body("ball", at, points={"C": at}, mass=M, inertia=inertia, **turned)
    if "medium" in options:
        options["medium"] = (*options["medium"], 0, 0)[:dimension]
    model.force("air", "drag", "ball.C", **options)
    model.initial("ball", velocity=(*velocity, 0, 0)[:dimension])
    return model


@pytest.fixture(params=[2, 3], ids=["plane", "space"])
def dimension(request):
    return request.param


def test_terminal_velocity(dimension, form):
    c = 0.05
    limit = np.sqrt(M * G / c)
    run = ball(dimension, (0, -G), (0, 0), quadratic=c).simulate(0, 5, 0.25, formulation=form)
    t = run["t"]
    assert np.max(np.abs(run["ball.vy"] + limit * np.tanh(G * t / limit))) < 1e-8
    assert np.max(np.abs(run["ball.y"] + limit**2 / G * np.log(np.cosh(G * t / limit)))) < 1e-8
    fallen, speed = -run["ball.y"], run["ball.vy"]
    assert run["energy.dissipated"] == pytest.approx(M * G * fallen - M * speed**2 / 2, abs=1e-7)


def test_linear_drag(dimension, form):
    run = ball(dimension, (0, 0), (3, -4), linear=0.8).simulate(0, 5, 0.25, formulation=form)
    left = np.exp(-0.8 / M * run["t"])
    assert np.max(np.abs(run["ball.vx"] - 3 * left)) < 1e-9
    assert np.max(np.abs(run["ball.y"] + 4 * M / 0.8 * (1 - left))) < 1e-9


def test_quadratic_drag(dimension, form):
    run = ball(dimension, (0, 0), (3, -4), quadratic=0.8).simulate(0, 5, 0.25, formulation=form)
    slower = 1 + 0.8 * 5 / M * run["t"]
    assert np.max(np.abs(run["ball.vx"] - 3 / slower)) < 1e-9
    assert np.max(np.abs(run["ball.y"] + 4 / 5 * M / 0.8 * np.log(slower))) < 1e-8


def test_wind_takes_a_ball_along(dimension, form):
    """Seen from the wind it is the ball that coasts; the wind brings in F · w."""
    wind = np.array([6.0, 2.0])
    run = ball(dimension, (0, 0), (0, 0), linear=0.8, medium=tuple(wind)).simulate(0, 5, 0.25, formulation=form)
    left = np.exp(-0.8 / M * run["t"])
    for letter, speed in zip("xy", wind, strict=True):
        assert np.max(np.abs(run[f"ball.v{letter}"] - speed * (1 - left))) < 1e-9
    supplied = M * wind @ wind * (1 - left)
    assert run["energy.supplied"] == pytest.approx(supplied, abs=1e-8)
    assert run["energy.dissipated"] == pytest.approx(M * wind @ wind / 2 * (1 - left**2), abs=1e-8)


def test_drag_on_a_point_turns_the_body(form):
    """A rod pinned at one end with drag at the other: I ω' = −c (l ω)² l, so 1/ω = 1/ω₀ + c l³ t / I."""
    model = mubo.Model("fan", gravity=(0, 0))
    model.ground.point("O", (0, 0))
    model.body("fan", points={"O": (0, 0), "P": (0.5, 0)}, mass=1.0, inertia=0.2)
    model.revolute("O", "ground.O", "fan.O")
    model.force("air", "drag", "fan.P", quadratic=0.6)
    model.initial("fan", omega=20)
    run = model.simulate(0, 3, 0.2, formulation=form)
    assert np.max(np.abs(1 / run["fan.omega"] - 1 / 20 - 0.6 * 0.125 / 0.2 * run["t"])) < 1e-9


def test_the_force_is_reported(form):
    model = ball(2, (0, -G), (3, -4), quadratic=0.8, linear=0.3)
    run = model.simulate(0, 1, 0.25, formulation=form, reactions=True)
    speed = np.hypot(run["ball.vx"], run["ball.vy"])
    assert run["air.force"] == pytest.approx(0.3 * speed + 0.8 * speed**2, rel=1e-12)


def test_falling_ball(form):
    run = mubo.load(EXAMPLES / "falling_ball.toml").simulate(0, 4, 0.1, formulation=form)
    t = run["t"]
    assert np.max(np.abs(run["ball.vy"] + 20 * np.tanh(t / 2))) < 1e-8
    assert np.max(np.abs(run["ball.x"] - 3 * t)) < 1e-9


def test_slope_at_rest_is_that_of_the_linear_part():
    """|u| u has the slope 0 at u = 0: the core's damping matrix there is c₁ E, to the last digit."""
    made = absolute_loads(mechanism_of(ball(2, (0, -G), (0, 0), linear=0.3, quadratic=0.8).build()))
    _, _, C = made.core.damping(np.zeros((2, 3)), np.zeros((2, 3)), np.zeros(0))
    expected = np.zeros((6, 6))
    expected[0, 0] = expected[1, 1] = 0.3
    assert np.array_equal(C[0], expected)


def pendulum(**drag):
    """A point mass on a rod of 0.5 m, with drag at the mass."""
    model = mubo.Model("pendulum", gravity=(0, -G))
    model.ground.point("O", (0, 0))
    model.body("rod", angle=-1.5, points={"O": (0, 0), "P": (0.5, 0)}, mass=1.5, inertia=0.0, center=(0.5, 0))
    model.revolute("O", "ground.O", "rod.O")
    model.force("air", "drag", "rod.P", **drag)
    return model


def test_quadratic_drag_damps_no_small_oscillation():
    """The truth of |u| u at rest is no damping at all, not what a finite step would show."""
    (mode,) = pendulum(quadratic=40.0).linearize().modes
    assert mode.damping == 0.0
    assert 2 * np.pi * mode.frequency == pytest.approx(np.sqrt(G / 0.5), rel=1e-10)


def test_linear_drag_damps_as_it_should():
    """m l² θ'' + c l² θ' + m g l θ = 0: ratio c / (2 m √(g/l)), whatever the quadratic part."""
    (mode,) = pendulum(linear=0.6, quadratic=40.0).linearize().modes
    assert mode.damping == pytest.approx(0.6 / (2 * 1.5 * np.sqrt(G / 0.5)), rel=1e-10)


def test_drag_about_a_steady_fall():
    """A ball that falls with vt has m δv' = −2 c vt δv along and −c vt δv across its way: rates −2 g/vt and −g/vt."""
    c = 0.05
    limit = np.sqrt(M * G / c)
    wind = ball(
        2, (0, -G), (0, 0), quadratic=c, medium=(0.0, limit)
    )  # seen from the falling ball: it rests in the wind
    roots = sorted({round(root.real, 9) for root in wind.linearize(about="position").eigenvalues if abs(root) > 1e-9})
    assert roots == pytest.approx([-2 * G / limit, -G / limit], abs=1e-8)


def test_words():
    model = ball(2, (0, -G), (0, 0), quadratic="20 N s^2/m^2")
    model.force("more", "drag", "ball.C")
    with pytest.raises(mubo.ModelError, match="linear"):
        model.simulate(0, 1, 0.5)
