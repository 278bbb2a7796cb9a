"""A uniform rod that comes down on its end, obliquely on a rough floor: normal and tangential impulses are coupled.

With the end at (x, y) from the centre, a unit impulse along the normal changes the normal velocity of the end by
c_nn = 1/m + x²/I and its slip by c_nt = −x y/I, one along the floor changes its slip by c_tt = 1/m + y²/I (E. J. Routh,
Dynamics of a System of Rigid Bodies, 1905, art. 187). Newton: u_n' = −e u_n. Poisson: the second phase returns e times
the impulse of the compression, which is that of e = 0. In each phase friction stops the slip if |T| ≤ µ P.
"""

import numpy as np
import pytest

import mubo

LENGTH, MASS, ANGLE = 1.0, 1.2, 0.7
INERTIA = MASS * LENGTH**2 / 12
X, Y = -LENGTH / 2 * np.cos(ANGLE), -LENGTH / 2 * np.sin(ANGLE)  # of the end that hits
RESPONSE = np.array([[1 / MASS + X**2 / INERTIA, -X * Y / INERTIA], [-X * Y / INERTIA, 1 / MASS + Y**2 / INERTIA]])


def phase(normal, slip, mu):
    """The impulse (P, T) of a phase that changes the normal velocity by `normal`, at a slip that is not zero."""
    stuck = np.linalg.solve(RESPONSE, [normal, -slip])
    if abs(stuck[1]) <= mu * stuck[0]:
        return stuck
    P = normal / (RESPONSE[0, 0] - mu * np.sign(slip) * RESPONSE[0, 1])
    return np.array([P, -mu * np.sign(slip) * P])


def returned(P, slip, mu):
    """The impulse of the restitution phase, whose normal part P is known, from the slip that the compression left."""
    stop = -(slip + RESPONSE[1, 0] * P) / RESPONSE[1, 1]
    against = np.sign(stop if abs(slip) < 1e-9 else -slip)
    return np.array([P, stop if abs(stop) <= mu * P else mu * P * against])


def bounce(velocity, e, mu, impact):
    model = mubo.Model("rod", gravity=[0, 0])
    height = -Y + 0.01
    model.body("rod", position=[0, height], angle=ANGLE, mass=MASS, inertia=INERTIA)
    model.initial("rod", velocity=velocity, omega=0)
    model.surface("end", body="rod", shape="point", at=[-LENGTH / 2, 0])
    model.surface("floor", body="ground", shape="plane", normal=[0, 1])
    model.contact("hit", between=["end", "floor"], restitution=e, friction=mu, impact=impact)
    hit = 0.01 / -velocity[1]
    return model.simulate(0, hit + 1e-3, step=hit + 1e-3)


def velocities_after(velocity, impulse):
    P, T = impulse
    return [velocity[0] + T / MASS, velocity[1] + P / MASS, (X * P - Y * T) / INERTIA]


# Slip forwards and backwards, that goes on and that stops; with Poisson also one that begins in the second phase.
@pytest.mark.parametrize("mu", [0.1, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("speed", [3.0, 0.8, -3.0])
def test_newton(speed, mu):
    run = bounce([speed, -2.0], 0.5, mu, "newton")
    impulse = phase(1.5 * 2.0, speed, mu)
    found = [run[f"rod.{word}"][-1] for word in ("vx", "vy", "omega")]
    assert found == pytest.approx(velocities_after([speed, -2.0], impulse), rel=1e-9)
    assert run.summary["contacts"][0]["impulse"] == pytest.approx(impulse[0], rel=1e-9)


@pytest.mark.parametrize(("speed", "mu"), [(3.0, 0.2), (-3.0, 0.2), (0.9, 0.9), (0.9, 0.45), (1.0, 0.8)])
def test_poisson(speed, mu):
    first = phase(2.0, speed, mu)
    slip = speed + RESPONSE[1] @ first
    impulse = first + returned(0.8 * first[0], slip, mu)
    run = bounce([speed, -2.0], 0.8, mu, "poisson")
    found = [run[f"rod.{word}"][-1] for word in ("vx", "vy", "omega")]
    assert found == pytest.approx(velocities_after([speed, -2.0], impulse), rel=1e-8)


def test_the_cases_of_poisson_are_all_there():
    """Slip that goes on through both phases, one that stops and stays, and one that begins in the second phase."""
    kinds = set()
    for speed, mu in [(3.0, 0.2), (0.9, 0.9), (0.9, 0.45)]:
        first = phase(2.0, speed, mu)
        slip = speed + RESPONSE[1] @ first
        second = returned(0.8 * first[0], slip, mu)
        kinds.add((abs(slip) < 1e-9, abs(second[1]) < 0.999 * mu * second[0]))
    assert kinds == {(False, False), (True, True), (True, False)}
