"""True for every row of the core: its derivatives are those of its formula, by differences.

A new row is tested by being in the core's list.
"""

import numpy as np
import pytest

from mubo import _core

# Plane and space: the class of the core, its rows, the unknowns of a body.
WORLDS = {"plane": (_core.System, _core.row_kinds(), 3), "space": (_core.SpatialSystem, _core.spatial_row_kinds(), 7)}
CASES = [(world, kind, seed) for world in WORLDS for kind in range(len(WORLDS[world][1])) for seed in range(3)]
H = 1e-3


# A smooth periodic profile for the rows that follow one: 2 + 0.3 x² (1 − x)² over a turn of length one.
PROFILE = [(1.0, [0.0], [2.0, 0.0, 0.3, -0.6, 0.3, 0.0])]


def build(world, kind, bodies, body, driver, p):
    core, _, width = WORLDS[world]
    one = np.zeros(1, np.int32)
    return core(bodies, np.zeros((0, width)), np.array([kind], np.int32), body, driver, one, p, PROFILE)


def lone_row(world: str, kind: int, seed: int):
    """A system of free bodies with one row, random dimensions, random pose and motion."""
    _, kinds, width = WORLDS[world]
    name, rows, bodies, parameters = kinds[kind]
    rng = np.random.default_rng(seed)
    body = np.array([[*range(bodies), *[-1] * (_core.most_bodies - bodies)]], np.int32)
    driver = np.array([0 if rows == 1 else -1], np.int32)
    p = rng.uniform(0.4, 1.6, parameters)
    system = build(world, kind, bodies, body, driver, p)
    q, v, a = rng.uniform(-1.5, 1.5, (3, width * bodies))
    if world == "space":  # quaternions of any length but near zero; rows must not depend on it
        for turn in q.reshape(bodies, width)[:, 3:]:
            turn *= rng.uniform(0.8, 1.2) / np.linalg.norm(turn)
        v, a = v / 2, a / 2
    f = rng.uniform(-1, 1, 3)
    half_turn = {"turn": np.pi, "lead": p[-1] / 2}.get(name, np.inf)
    if abs(system.phi(q, f)[0]) > 0.5 * half_turn or (name == "turn" and np.max(np.abs(system.jacobian(q, f))) > 3):
        return lone_row(world, kind, seed + 100)  # near the jump of an angle, or its degenerate position
    return system, p, body, driver, q, v, a, f


def first_difference(function, h=H):
    """f'(0) to fourth order in h."""
    return (function(-2 * h) - 8 * function(-h) + 8 * function(h) - function(2 * h)) / (12 * h)


def second_difference(function, h=H):
    """f''(0) to fourth order in h."""
    outer, inner = function(2 * h) + function(-2 * h), function(h) + function(-h)
    return (-outer + 16 * inner - 30 * function(0.0)) / (12 * h**2)


@pytest.fixture(params=CASES, ids=lambda p: f"{p[0]}-{WORLDS[p[0]][1][p[1]][0]}-{p[2]}")
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
    (world, kind, _), (system, p, body, driver, q, _, _, f) = case
    D = system.parameter_jacobian(q, f)

    def varied(k, h):
        other = p.copy()
        other[k] += h
        return build(world, kind, len(q) // WORLDS[world][2], body, driver, other).phi(q, f)

    for k in range(len(p)):
        np.testing.assert_allclose(D[:, k], first_difference(lambda h, k=k: varied(k, h)), rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("kind", [k for k, row in enumerate(WORLDS["space"][1]) if row[0] != "normalise"])
def test_no_row_of_space_sees_the_length_of_a_quaternion(kind):
    """So the derivatives by p are square to p, and only the unit-length row acts along it."""
    system, _, _, _, q, _, _, f = lone_row("space", kind, 0)
    longer = q.copy()
    longer.reshape(-1, 7)[:, 3:] *= 1.7
    np.testing.assert_allclose(system.phi(longer, f), system.phi(q, f), rtol=1e-13, atol=1e-13)
    along = q.reshape(-1, 7).copy()
    along[:, :3] = 0
    np.testing.assert_allclose(system.jacobian(q, f) @ along.ravel(), 0, atol=1e-12)


@pytest.mark.parametrize(("kind", "turns"), [("turn", 0), ("turn", 3), ("turn", -200), ("lead", 0), ("lead", 50)])
def test_turns_are_counted_without_a_jump(kind, turns):
    """An angle against a motion law, and the turn of a thread against its slide, at any number of full turns."""
    number = [row[0] for row in WORLDS["space"][1]].index(kind)
    body = np.array([[0, 1, -1]], np.int32)
    x, y, z = np.eye(3)
    p = np.concatenate([x, y, x]) if kind == "turn" else np.concatenate([0 * x, z, x, 0 * x, x, [0.3]])
    system = build("space", number, 2, body, np.array([0 if kind == "turn" else -1], np.int32), p)
    for angle in np.linspace(-3, 3, 13):
        whole = angle + 2 * np.pi * turns
        slide = 0.3 * whole / (2 * np.pi) if kind == "lead" else 0.0
        q = np.array([0, 0, 0, 1, 0, 0, 0, 0, 0, slide, np.cos(angle / 2), 0, 0, np.sin(angle / 2)])
        for off in (-0.5, 0.0, 0.5):  # the residual is the plain difference, not one modulo a turn
            if kind == "turn":
                assert system.phi(q, np.array([whole - off, 0, 0]))[0] == pytest.approx(off, abs=1e-12)
            else:
                moved = q.copy()
                moved[9] += off * 0.3 / (2 * np.pi)
                assert system.phi(moved, np.zeros(0))[0] == pytest.approx(off * 0.3 / (2 * np.pi), abs=1e-12)
