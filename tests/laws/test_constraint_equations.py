"""J, ν and γ are the derivatives of Φ(q, t), of every example, by differences of Φ alone."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.solvers.dynamics.constraint_equations import ConstraintEquations

STEP = 1e-3
WEIGHTS = {-2: 1 / 12, -1: -8 / 12, 1: 8 / 12, 2: -1 / 12}  # of a first derivative, error of fourth order
SECOND = {-2: -1 / 12, -1: 16 / 12, 0: -30 / 12, 1: 16 / 12, 2: -1 / 12}


def constrained():
    """Names of the examples with bodies and equations."""
    return sorted(path.name for path in EXAMPLES.glob("*.toml"))


@pytest.mark.parametrize("name", constrained())
def test_derivatives_are_those_of_the_equations(name):
    model = mubo.load(EXAMPLES / name)
    equations = ConstraintEquations(model.build())
    q = equations.form.estimate
    domains = [driver.motion.domain for driver in model.drivers.values()]
    t = max([0.3, *(first for first, _ in domains if np.isfinite(first))]) + 0.0123
    v = np.random.default_rng(1).normal(size=len(q)) * equations.form.scale * 0.1
    gamma, size, h = model.gamma(q, v, t), equations.form.scale, STEP

    def along(k):
        return model.constraints(q + k * h * v, t + k * h)

    first = sum(w * along(k) for k, w in WEIGHTS.items()) / h
    second = sum(w * along(k) for k, w in SECOND.items()) / h**2
    J, nu = model.constraint_jacobian(q, t), model.nu(q, t)
    assert J.shape == (len(equations.names.equations), len(equations.names.coordinates))
    rough = max(size, 1.0) * (1 + np.abs(gamma).max(initial=0.0) + np.abs(nu).max(initial=0.0))
    on_velocities = np.array(equations.form.mechanism.on_velocities or [False] * len(gamma), bool)
    assert not along(0)[on_velocities].any()  # they have no gap; test_rows.py compares their derivatives
    kept = ~on_velocities
    assert first[kept] == pytest.approx((J @ v - nu)[kept], abs=1e-6 * rough)
    assert second[kept] == pytest.approx(-gamma[kept], abs=1e-4 * rough)
