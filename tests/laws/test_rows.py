"""True for every row of the core: its derivatives are those of its formula, by differences.

A new row is tested by being in the core's list.
"""

import numpy as np
import pytest

from mubo import _core

# Plane and space: the class of the core, its rows, the unknowns of a body.
WORLDS = {"plane": (_core.System, _core.row_kinds(), 3), "space": (_core.SpatialSystem, _core.spatial_row_kinds(), 7)}
EVERY = [(world, kind, seed) for world in WORLDS for kind in range(len(WORLDS[world][1])) for seed in range(3)]
CASES = [(world, kind, seed) for world, kind, seed in EVERY if not WORLDS[world][1][kind][4]]
ON_VELOCITIES = [case for case in EVERY if case not in CASES]
H = 1e-3


# A smooth periodic profile for the rows that follow one: 2 + 0.3 x² (1 − x)² over a turn of length one.
PROFILE = [(1.0, [0.0], [2.0, 0.0, 0.3, -0.6, 0.3, 0.0])]
# A curve for those that follow one: x = s, y = 0.02 s² + 0.001 s³, whose reach is longer than all distances here.
CURVE = [(0.0, [0.0], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.02, 0.001, 0.0, 0.0])]
REACH = 12.0


# A function for couplers, which need not be periodic.
FUNCTION = [(0.0, [0.0], [0.3, 0.2, 0.05, -0.02, 0.0, 0.0])]


def shape_of(world, kind):
    """The profile or curve of a row; others do not look at it."""
    return {"curve": CURVE, "coupler": FUNCTION}.get(WORLDS[world][1][kind][0], PROFILE)


def build(world, kind, bodies, body, driver, p):
    core, _, width = WORLDS[world]
    one = np.zeros(1, np.int32)
    return core(bodies, np.zeros((0, width)), np.array([kind], np.int32), body, driver, one, p, shape_of(world, kind))


def lone_row(world: str, kind: int, seed: int):
    """A system of free bodies with one row, random dimensions, random pose and motion."""
    _, kinds, width = WORLDS[world]
    name, rows, bodies, parameters, _ = kinds[kind]
    rng = np.random.default_rng(seed)
    body = np.array([[*range(bodies), *[-1] * (_core.max_bodies - bodies)]], np.int32)
    driver = np.array([0 if rows == 1 else -1], np.int32)
    p = rng.uniform(0.4, 1.6, parameters)
    p[-1] = REACH if name == "curve" else p[-1]
    if name == "coupler":  # a turn that follows a slide by a smooth function
        p *= 0.6
        p[[15, 16, 32, 33, 34]] = 0.0, 1.0, 1.0, 0.0, 2.0
    system = build(world, kind, bodies, body, driver, p)
    q, v, a = rng.uniform(-1.5, 1.5, (3, width * bodies))
    if world == "space":  # quaternions of any length but near zero; rows must not depend on it
        for turn in q.reshape(bodies, width)[:, 3:]:
            turn *= rng.uniform(0.8, 1.2) / np.linalg.norm(turn)
        v, a = v / 2, a / 2
    f = rng.uniform(-1, 1, 3)
    half_turn = {"turn": np.pi, "lead": p[-1] / 2, "coupler": np.pi / 2}.get(name, np.inf)
    steep = {"turn": 3, "coupler": 1.2, "tooth": 8}.get(name, np.inf)
    if abs(system.phi(q, f)[0]) > 0.5 * half_turn or np.max(np.abs(system.jacobian(q, f))) > steep:
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
    bend = second_difference(moving(system, q, v, a, f), h=3e-3)
    np.testing.assert_allclose(system.jacobian(q, f) @ a - gamma, bend, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("chosen", ON_VELOCITIES, ids=lambda p: f"{p[0]}-{WORLDS[p[0]][1][p[1]][0]}-{p[2]}")
def test_equations_on_velocities_have_no_gap_and_the_time_derivative_of_their_rate(chosen):
    """Φ = 0 everywhere; psi = J(q) v, so that J a − γ is the derivative of J(q + v t) (v + a t) by time. A rigid motion
    of both bodies together satisfies every such equation."""
    system, _, _, _, q, v, a, f = lone_row(*chosen)
    none = np.zeros_like(f)
    assert not system.phi(q, none).any()
    nu, gamma = system.right_sides(q, v, none)
    assert not nu.any()
    rate = first_difference(lambda t: system.jacobian(q + v * t + a * t**2 / 2, none) @ (v + a * t))
    np.testing.assert_allclose(system.jacobian(q, none) @ a - gamma, rate, rtol=1e-7, atol=1e-8)
    positions, velocities, accelerations = system.residuals(np.array([[q, v, a]]), none[None])
    assert not positions.any()
    np.testing.assert_allclose(velocities, np.abs(system.jacobian(q, none) @ v), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(accelerations, np.abs(system.jacobian(q, none) @ a - gamma), rtol=1e-11, atol=1e-12)
    twists = system.twist_jacobian(q, none).reshape(len(gamma), 2, -1)
    wide = 2 if chosen[0] == "plane" else 3
    np.testing.assert_allclose(twists[:, 0, :wide], -twists[:, 1, :wide], rtol=0, atol=1e-13)


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
    body = np.array([[0, 1, -1, -1]], np.int32)
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


def rates_of_twists(world, q):
    """dq/dtwist of the bodies at q: the identity in the plane; ṗ = (0, ω) p / 2 in space, at any length of p."""
    _, _, width = WORLDS[world]
    if world == "plane":
        return np.eye(len(q))
    bodies = len(q) // width
    out = np.zeros((len(q), 6 * bodies))
    for k, (w, x, y, z) in enumerate(q.reshape(bodies, width)[:, 3:]):
        at, to = width * k, 6 * k
        out[at : at + 3, to : to + 3] = np.eye(3)
        turn = [[-x, -y, -z], [w, z, -y], [-z, w, x], [y, -x, w]]
        out[at + 3 : at + 7, to + 3 : to + 6] = np.array(turn) / 2
    return out


def test_jacobian_in_twists_is_that_in_coordinates(case):
    (world, _, _), (system, _, _, _, q, _, _, f) = case
    J = system.twist_jacobian(q, f)
    np.testing.assert_allclose(J, system.jacobian(q, f) @ rates_of_twists(world, q), rtol=1e-12, atol=1e-13)
    entries = np.zeros_like(J)
    for row, column, value in system.twist_jacobian_entries(q, f):
        entries[int(row), int(column)] += value
    # The same products in another loop of the compiler, which may fuse one with a sum: a rounding more or less.
    np.testing.assert_allclose(entries, J, rtol=0, atol=4 * np.finfo(float).eps * np.abs(J).max())


def with_fixed_body(world, kind, p, q):
    """The same row on the same poses, its last body standing still."""
    core, kinds, width = WORLDS[world]
    bodies = kinds[kind][2]
    body = np.array([[*range(bodies), *[-1] * (_core.max_bodies - bodies)]], np.int32)
    one = np.zeros(1, np.int32)
    fixed = np.ascontiguousarray(q[None, -width:])
    return core(
        bodies - 1, fixed, np.array([kind], np.int32), body, one - (kinds[kind][1] > 1), one, p, shape_of(world, kind)
    )


def test_wrenches_do_the_work_of_their_multipliers(case):
    """Σ wrench · twist = λ · J twist for any twist, and a body that stands still feels the same as one that moves."""
    (world, kind, seed), (system, p, _, _, q, _, _, f) = case
    width, bodies = WORLDS[world][2], WORLDS[world][1][kind][2]
    J = system.twist_jacobian(q, f)
    rng = np.random.default_rng(seed)
    lam, twist = rng.normal(size=len(J)), rng.normal(size=J.shape[1])
    wrenches = system.wrenches(q, f, lam)
    assert wrenches.shape == (1, _core.max_bodies, 3 if world == "plane" else 6)
    assert np.sum(wrenches[0, :bodies].ravel() * twist) == pytest.approx(lam @ J @ twist, rel=1e-12, abs=1e-13)
    np.testing.assert_array_equal(wrenches[0, bodies:], 0)
    held = with_fixed_body(world, kind, p, q).wrenches(q[:-width].copy(), f, lam)
    np.testing.assert_allclose(held, wrenches, rtol=1e-13, atol=1e-14)


def test_action_is_reaction(case):
    """A row between bodies does not change when all move together: its forces, and moments about one point, vanish."""
    (world, kind, seed), (system, _, _, _, q, _, _, f) = case
    _, kinds, width = WORLDS[world]
    bodies = kinds[kind][2]
    if bodies == 1:
        return  # the other body is the ground, which no row names
    size = 2 if world == "plane" else 3
    gap = system.phi(q, f)
    if len(gap) == size:  # a gap that is a vector turns with the bodies: close it
        met = q.copy()
        met[-width : size - width] += gap
        q = met if np.allclose(system.phi(met, f), 0, atol=1e-13) else q
    lam = np.random.default_rng(seed).normal(size=system.equations)
    wrenches = system.wrenches(q, f, lam)[0, :bodies]
    arm, force, moment = (np.zeros((bodies, 3)) for _ in range(3))
    arm[:, :size] = q.reshape(bodies, width)[:, :size]
    force[:, :size] = wrenches[:, :size]
    moment[:, 2 * (size == 2) :] = wrenches[:, size:]
    np.testing.assert_allclose(force.sum(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose((moment + np.cross(arm, force)).sum(axis=0), 0, atol=1e-12)


@pytest.mark.parametrize("world", WORLDS)
def test_wrenches_come_in_the_order_of_the_rows_given(world):
    """The core sorts rows by kind; what it answers is in the caller's order."""
    core, kinds, width = WORLDS[world]
    order = [[name for name, *_ in kinds].index(name) for name in ("distance", "place", "distance", "coincide")]
    body = np.array([[0, 1, -1, -1], [0, -1, -1, -1], [1, 0, -1, -1], [1, 0, -1, -1]], np.int32)
    rng = np.random.default_rng(1)
    p = [rng.uniform(0.4, 1.6, kinds[k][3]) for k in order]
    none = np.full(4, -1, np.int32)
    system = core(2, np.zeros((0, width)), np.array(order, np.int32), body, none, none, np.concatenate(p), [])
    q, motion = rng.normal(size=2 * width), np.zeros(3)
    lam = rng.normal(size=system.equations)
    together, first = system.wrenches(q, motion, lam), 0
    for k, kind in enumerate(order):
        rows = kinds[kind][1]
        one = core(2, np.zeros((0, width)), np.array([kind], np.int32), body[k : k + 1], none[:1], none[:1], p[k], [])
        alone = one.wrenches(q, motion, lam[first : first + rows].copy())
        np.testing.assert_array_equal(together[k], alone[0])
        first += rows
