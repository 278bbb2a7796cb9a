"""The arm of two point masses in closed form: Craig, Introduction to Robotics (3rd edition, 2005), section 6.7.

Joint angles q1 (from x) and q2 (from the first link), links l1 and l2, masses m1 and m2 at their ends, gravity −y:

    M = [[(m1 + m2) l1² + m2 l2² + 2 m2 l1 l2 c2, m2 l2² + m2 l1 l2 c2], [·, m2 l2²]]
    h = [−m2 l1 l2 s2 (2 v1 v2 + v2²) + (m1 + m2) g l1 c1 + m2 g l2 c12, m2 l1 l2 s2 v1² + m2 g l2 c12]
"""

from math import cos, sin

import numpy as np
import pytest

import mubo

L1, L2, M1, M2, G = 0.8, 0.5, 2.0, 1.3, 9.81


@pytest.fixture(params=[(0, 0, 1), (0, 0, -1)], ids=["up", "down"])
def arm(request):
    """Axes along z, or against it with all angles and rates reversed."""
    model = mubo.Model("arm", dimension=3, gravity=(0, -G, 0))
    model.ground.point("O", (0, 0, 0))
    model.body("upper", mass=M1, inertia=(0, 0, 0), center=(L1, 0, 0), points={"O": (0, 0, 0), "E": (L1, 0, 0)})
    model.body("lower", mass=M2, inertia=(0, 0, 0), center=(L2, 0, 0), points={"E": (0, 0, 0), "tip": (L2, 0, 0)})
    model.joint("shoulder", "revolute", "ground.O", "upper.O", axis=request.param)
    model.joint("elbow", "revolute", "upper.E", "lower.E", axis=request.param)
    return model, request.param[2]


def craig(q, v):
    (q1, q2), (v1, v2) = q, v
    c1, c2, s2, c12 = cos(q1), cos(q2), sin(q2), cos(q1 + q2)
    m12 = M2 * L2**2 + M2 * L1 * L2 * c2
    M = [[(M1 + M2) * L1**2 + M2 * L2**2 + 2 * M2 * L1 * L2 * c2, m12], [m12, M2 * L2**2]]
    h = [
        -M2 * L1 * L2 * s2 * (2 * v1 * v2 + v2**2) + (M1 + M2) * G * L1 * c1 + M2 * G * L2 * c12,
        M2 * L1 * L2 * s2 * v1**2 + M2 * G * L2 * c12,
    ]
    return np.array(M), np.array(h)


@pytest.mark.parametrize(("q", "v"), [((0.3, -0.9), (1.1, -0.4)), ((2.0, 1.5), (-0.7, 2.2)), ((0.0, 0.0), (0.0, 0.0))])
def test_against_craig(arm, q, v):
    model, sense = arm
    q, v = np.array(q), np.array(v)
    M, h = craig(q, v)
    a = np.array([0.6, -1.7])
    names = {
        "q": {"shoulder": sense * q[0], "elbow": sense * q[1]},
        "v": {"elbow": sense * v[1], "shoulder": sense * v[0]},
    }
    assert model.state_names.q == ("shoulder.q", "elbow.q")
    assert model.mass_matrix(names["q"]) == pytest.approx(M, rel=1e-12)
    assert model.bias(**names) == pytest.approx(sense * h, rel=1e-12, abs=1e-12)
    assert model.inverse_dynamics(**names, a=sense * a) == pytest.approx(sense * (M @ a + h), rel=1e-12)
    assert model.forward_dynamics(**names, tau=sense * (M @ a + h)) == pytest.approx(sense * a, rel=1e-10)
    energy = model.energy(**names)
    assert energy.kinetic == pytest.approx(v @ M @ v / 2, rel=1e-12)
    height = (M1 + M2) * L1 * sin(q[0]) + M2 * L2 * sin(q.sum())
    assert energy.potential == pytest.approx(G * height, rel=1e-12, abs=1e-12)
    assert energy.total == energy.kinetic + energy.potential
    x = [-L1 * sin(q[0]) - L2 * sin(q.sum()), -L2 * sin(q.sum())]
    y = [L1 * cos(q[0]) + L2 * cos(q.sum()), L2 * cos(q.sum())]
    assert model.jacobian("lower.tip", names["q"]) == pytest.approx(sense * np.array([x, y, [0, 0]]), abs=1e-14)
    assert model.jacobian("lower", names["q"])[2] == pytest.approx([sense, sense])


def test_a_simulation_gives_the_same_accelerations(arm):
    model, _ = arm
    model.initial("shoulder", q=0.3, v=1.0)
    model.initial("elbow", q=-0.4, v=0.5)
    run = model.simulate(0, 0.5, step=0.25)
    for k in range(3):
        q, v, a = ([run[f"{name}.{letter}"][k] for name in ("shoulder", "elbow")] for letter in "qva")
        assert model.forward_dynamics(q, v, [0, 0]) == pytest.approx(a, rel=1e-9)
