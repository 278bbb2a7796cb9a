"""True for every row of the core: its bounds over a box hold wherever one looks in the box.

A new row is tested by being in the core's list. The formulas of Bound (core/number/bound.hpp) are the chain rule.
"""

import numpy as np
import pytest
from test_rows import CASES, WORLDS, lone_row

RADII = [0.02 / 4**k for k in range(6)]  # the rows of space bend much: a thread has bounds over small boxes only


@pytest.fixture(params=CASES, ids=lambda p: f"{p[0]}-{WORLDS[p[0]][1][p[1]][0]}-{p[2]}")
def row(request):
    system, *_, q, _, _, f = lone_row(*request.param)
    rng = np.random.default_rng(7)
    weight = rng.uniform(0.5, 2.0, len(q))
    return system, q, f, weight, rng


def test_the_bend_bounds_how_J_changes_in_the_box(row):
    """|(J(x) − J(y)) u| ≤ bend ‖x − y‖ for units u: what the theorem of Kantorovich asks for."""
    system, q, f, weight, rng = row
    radius = next(r for r in RADII if np.all(np.isfinite(system.bounds(q, f, weight, r))))
    bend, slope, _ = system.bounds(q, f, weight, radius)
    for _ in range(20):
        x, y = (q + radius * rng.uniform(-1, 1, len(q)) / weight for _ in range(2))
        apart = np.max(np.abs((x - y) * weight))
        change = np.abs((system.jacobian(x, f) - system.jacobian(y, f)) / weight).sum(axis=1)  # the worst unit u
        assert np.all(change <= bend * apart * (1 + 1e-9) + 1e-12)
        assert np.all(np.abs(system.jacobian(x, f) / weight).sum(axis=1) <= slope * (1 + 1e-12))


def test_bounds_are_of_the_size_of_what_they_bound(row):
    """A bound that is beyond all measure certifies nothing: at a point slopes are within 200 of J."""
    system, q, f, weight, _ = row
    _, slope, error = system.bounds(q, f, weight, 0.0)
    real = np.abs(system.jacobian(q, f) / weight).sum(axis=1)
    assert np.all(slope <= 200 * real + 1e-12)
    assert np.all(error <= 1e-13 * np.maximum(real / 4, 1))


def test_rounding_is_within_its_bound(row):
    """Of the value in doubles against the same formula a hair beside: Φ(x) − Φ(q) in exact numbers is J (x − q)."""
    system, q, f, weight, rng = row
    _, _, error = system.bounds(q, f, weight, 0.0)
    J = system.jacobian(q, f)
    for _ in range(20):
        x = q + rng.integers(-2, 3, len(q)) * np.spacing(q)
        left = np.abs(system.phi(x, f) - system.phi(q, f) - J @ (x - q))
        assert np.all(left <= 2.01 * error)


def test_a_larger_box_has_larger_bounds(row):
    system, q, f, weight, _ = row
    small, large = (system.bounds(q, f, weight, radius) for radius in (0.01, 0.04))
    assert np.all((small <= large) | np.isinf(large))


def test_points_that_may_meet_have_no_bound():
    """A distance of two points that meet in the box has no derivative there."""
    kinds = [name for name, *_ in WORLDS["plane"][1]]
    system, _, _, _, q, _, _, f = lone_row("plane", kinds.index("distance"), 0)
    assert np.isfinite(system.bounds(q, f, np.ones(6), 1e-3)[0, 0])
    assert np.isinf(system.bounds(q, f, np.ones(6), 10.0)[0, 0])
