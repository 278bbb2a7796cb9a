"""The reduced equation of a change point against one that can be written down.

y = t and ½ (y² − x²) = E: at t = 0, x = y = 0 two straight motions x = ±t cross where E = 0. Else they are hyperbolas:
with E > 0 there is no position for |t| < √(2E), with E < 0 each of the two goes on.
"""

import math

import numpy as np
import pytest

from mubo.solvers.continuation.bifurcation_normal_form import ReducedEquation, find_bifurcation

START = np.array([0.01, 0.02])


class Hyperbolas:
    """Φ, J, ν and γ of the two equations, in x = (y, x); the driver moves y."""

    def __init__(self, gap):
        self.gap = gap

    def equations(self, x, v, motion):
        phi = np.array([x[0] - motion[0], 0.5 * (x[0] ** 2 - x[1] ** 2) - self.gap])
        J = np.array([[1.0, 0.0], [x[0], -x[1]]])
        return phi, J, np.array([motion[1], 0.0]), np.array([motion[2], v[1] ** 2 - v[0] ** 2])


def reduction(stepper):
    return ReducedEquation(
        stepper, lambda t: np.column_stack([t, np.ones_like(t), np.zeros_like(t)]), np.ones(2), np.ones(2)
    )


@pytest.mark.parametrize("gap", [0.0, 1e-6, -1e-6, 1e-11])
def test_a_crossing_of_two_lines_is_found_with_what_it_leaves_open(gap):
    saddle = find_bifurcation(reduction(Hyperbolas(gap)), 0.01, START)
    assert (saddle.t, *saddle.x) == pytest.approx((0, 0, 0), abs=1e-9)
    assert saddle.misfit == pytest.approx(abs(gap), abs=1e-15)
    assert saddle.ends == (gap > 0)
    assert saddle.half_width == pytest.approx(math.sqrt(2 * abs(gap)), rel=1e-6, abs=1e-8)
    rates = {round(float(saddle.rates(side)[1]), 6) for side in (-1, 1)}
    assert rates == {-1, 1}


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_where_the_equations_are_not_finite_there_is_none(value):
    class Lost(Hyperbolas):
        def equations(self, x, v, motion):
            phi, J, nu, gamma = super().equations(x, v, motion)
            J[1, 0] = value
            return phi, J, nu, gamma

    assert find_bifurcation(reduction(Lost(0.0)), 0.01, START) is None


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_where_their_curvature_is_not_finite_there_is_none(value):
    class Bent(Hyperbolas):
        def equations(self, x, v, motion):
            phi, J, nu, gamma = super().equations(x, v, motion)
            return phi, J, nu, gamma + (value if np.any(v) else 0.0)

    assert find_bifurcation(reduction(Bent(0.0)), 0.01, START) is None
