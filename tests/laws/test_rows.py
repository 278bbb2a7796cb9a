"""True for every row of the core: its derivatives are those of its formula, by differences.

A new row is tested by being in the core's list.
"""

import numpy as np
import pytest

from mubo import _core

KINDS = _core.row_kinds()
H = 2e-3


# A smooth periodic profile for the rows that follow one: 2 + 0.3 x² (1 − x)² over a turn of length one.
PROFILE = [(1.0, [0.0], [2.0, 0.0, 0.3, -0.6, 0.3, 0.0])]


def build(kind, bodies, body, driver, p):
    one = np.zeros(1, np.int32)
    return _core.System(bodies, np.zeros((0, 3)), np.array([kind], np.int32), body, driver, one, p, PROFILE)


def lone_row(kind: int, seed: int):
    """A system of free bodies with one row, random dimensions, random pose and motion."""
    _, rows, bodies, parameters = KINDS[kind]
    rng = np.random.default_rng(seed)
    body = np.array([[*range(bodies), *[-1] * (_core.most_bodies - bodies)]], np.int32)
    driver = np.array([0 if rows == 1 else -1], np.int32)
    p = rng.uniform(0.4, 1.6, parameters)
    system = build(kind, bodies, body, driver, p)
    q, v, a = rng.uniform(-1.5, 1.5, (3, 3 * bodies))
    f = rng.uniform(-1, 1, 3)
    return system, p, body, driver, q, v, a, f


def first_difference(function, h=H):
    """f'(0) to fourth order in h."""
    return (function(-2 * h) - 8 * function(-h) + 8 * function(h) - function(2 * h)) / (12 * h)


def second_difference(function, h=H):
    """f''(0) to fourth order in h."""
    outer, inner = function(2 * h) + function(-2 * h), function(h) + function(-h)
    return (-outer + 16 * inner - 30 * function(0.0)) / (12 * h**2)


@pytest.fixture(params=[(k, s) for k in range(len(KINDS)) for s in range(3)], ids=lambda p: f"{KINDS[p[0]][0]}-{p[1]}")
def case(request):
    return request.param, lone_row(*request.param)


def test_jacobian_is_the_derivative_of_phi(case):
    _, (system, _, _, _, q, _, _, f) = case
    J = system.jacobian(q, f)
    for k, unit in enumerate(np.eye(len(q))):
        slope = first_difference(lambda h, u=unit: system.phi(q + h * u, f))
        np.testing.assert_allclose(J[:, k], slope, rtol=1e-8, atol=1e-9)


def moving(system, q, v, a, f):
    """Phi along the motion q + v t + a t²/2 with f, f', f'' as given."""
    return lambda t: system.phi(q + v * t + a * t**2 / 2, np.array([f[0] + f[1] * t + f[2] * t**2 / 2, 0, 0]))


def test_nu_closes_the_velocity_equation(case):
    _, (system, _, _, _, q, v, a, f) = case
    nu, _ = system.right_sides(q, v, f)
    rate = first_difference(moving(system, q, v, a, f))
    np.testing.assert_allclose(system.jacobian(q, f) @ v - nu, rate, rtol=1e-8, atol=1e-9)


def test_gamma_closes_the_acceleration_equation(case):
    _, (system, _, _, _, q, v, a, f) = case
    _, gamma = system.right_sides(q, v, f)
    bend = second_difference(moving(system, q, v, a, f), h=1e-2)
    np.testing.assert_allclose(system.jacobian(q, f) @ a - gamma, bend, rtol=1e-6, atol=1e-6)


def test_jets_over_time_agree_with_the_solver_derivatives(case):
    """`residuals` (jets over time) and J, nu, gamma (by hand where hot) are two ways to the same numbers."""
    _, (system, _, _, _, q, v, a, f) = case
    J, (nu, gamma) = system.jacobian(q, f), system.right_sides(q, v, f)
    largest = system.residuals(np.array([[q, v, a]]), f[None])
    expected = np.abs([system.phi(q, f), J @ v - nu, J @ a - gamma])
    np.testing.assert_allclose(largest, expected, rtol=1e-12, atol=1e-13)


def test_parameter_jacobian_is_the_derivative_by_dimensions(case):
    (kind, _), (system, p, body, driver, q, _, _, f) = case
    D = system.parameter_jacobian(q, f)

    def varied(k, h):
        other = p.copy()
        other[k] += h
        return build(kind, len(q) // 3, body, driver, other).phi(q, f)

    for k in range(len(p)):
        np.testing.assert_allclose(D[:, k], first_difference(lambda h, k=k: varied(k, h)), rtol=1e-8, atol=1e-9)
