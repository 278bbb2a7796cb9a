"""The physical pendulum: period by the complete elliptic integral, motion by Jacobi's function; the double pendulum.

T = 4 K(sin²(α/2)) / ω₀ with ω₀² = m g l / I about the hinge; θ = 2 asin(k sn(K − ω₀ t)) from rest at α
(Whittaker, Analytical Dynamics, section 44).
"""

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import mubo

G, LENGTH, MASS = 9.81, 0.7, 1.3


def pendulum(amplitude: float, angle: str = "rad") -> mubo.Model:
    """A point mass on a rod, on a hinge about y, hanging at q = 0."""
    model = mubo.Model("pendulum", {"angle": angle}, dimension=3, gravity=(0, 0, -G))
    model.ground.point("O", (0, 0, 0))
    model.body("bob", points={"O": (0, 0, LENGTH)}, mass=MASS, inertia=(0, 0, 0))
    model.revolute("hinge", "ground.O", "bob.O", axis=(0, 1, 0))
    model.initial("hinge", amplitude)
    return model


@pytest.mark.parametrize("degrees", [90, 170])
def test_period_and_motion(degrees):
    alpha = np.radians(degrees)
    m, rate = np.sin(alpha / 2) ** 2, np.sqrt(G / LENGTH)
    period = 4 * ellipk(m) / rate
    run = pendulum(alpha).simulate(0, period, period / 64)
    assert run["hinge.q"][-1] == pytest.approx(alpha, abs=1e-7)
    sn = ellipj(ellipk(m) - rate * run["t"], m)[0]
    assert np.max(np.abs(run["hinge.q"] - 2 * np.arcsin(np.sqrt(m) * sn))) < 1e-7
    assert run.summary["energy"]["relative"] < 1e-8


def test_the_first_zero_is_a_quarter_of_the_period_by_event():
    alpha = np.radians(170)
    model = pendulum(alpha)
    model.event("bottom", "hinge", 0.0, direction="down", stop=True)
    run = model.simulate(0, 10, 0.1)
    quarter = ellipk(np.sin(alpha / 2) ** 2) / np.sqrt(G / LENGTH)
    assert run.events[0].t == pytest.approx(quarter, abs=1e-8)
    assert run.summary["status"] == "ok"
    assert run["t"][-1] <= quarter < run["t"][-1] + 0.1


def test_degrees_in_and_out():
    run = pendulum(90, "deg").simulate(0, 1, 0.1)
    other = pendulum(np.pi / 2).simulate(0, 1, 0.1)
    assert np.allclose(np.radians(run["hinge.q"]), other["hinge.q"], atol=1e-12)
    assert np.allclose(np.radians(run["bob.wy"]), other["bob.wy"], atol=1e-12)
    assert np.allclose(run["bob.x"], other["bob.x"], atol=1e-12)


@pytest.mark.parametrize("reverse", [False, True])
def test_a_joint_written_from_child_to_parent_moves_the_same_way(reverse):
    """Second minus first: the coordinate changes its sign, the body does not move differently."""
    model = pendulum(0.0)
    ends = ("bob.O", "ground.O") if reverse else ("ground.O", "bob.O")
    del model.joints["hinge"], model.initial_joints["hinge"]
    model.revolute("hinge", *ends, axis=(0, 1, 0))
    model.initial("hinge", -1.2 if reverse else 1.2, -0.4 if reverse else 0.4)
    run = model.simulate(0, 2, 0.25)
    reference = pendulum(0.0)
    reference.initial("hinge", 1.2, 0.4)
    other = reference.simulate(0, 2, 0.25)
    for name in ("bob.x", "bob.z", "bob.wy", "bob.ax"):
        assert np.allclose(run[name], other[name], atol=1e-8)
    sign = -1 if reverse else 1
    assert np.allclose(run["hinge.q"], sign * other["hinge.q"], atol=1e-8)


def double_pendulum() -> mubo.Model:
    model = mubo.Model("double pendulum", dimension=3, gravity=(0, 0, -G))
    model.ground.point("O", (0, 0, 0))
    for name in ("upper", "lower"):
        shape = {"kind": "rod", "length": 1.0}
        model.body(name, points={"top": (0, 0, 0.5), "end": (0, 0, -0.5)}, mass=1.0, shape=shape)
    model.revolute("A", "ground.O", "upper.top", axis=(0, 1, 0))
    model.revolute("B", "upper.end", "lower.top", axis=(0, 1, 0))
    model.initial("A", 2.0)
    model.initial("B", 0.7)
    return model


def test_double_pendulum_of_rods():
    """Energy is kept, and the motion fulfils Lagrange's equations of two rods of length 1 and mass 1."""
    run = double_pendulum().simulate(0, 10, 0.01)
    assert run.summary["energy"]["relative"] < 1e-8
    a, b = run["A.q"], run["A.q"] + run["B.q"]
    va, vb = run["A.v"], run["A.v"] + run["B.v"]
    aa, ab = run["A.a"], run["A.a"] + run["B.a"]
    c, s = np.cos(a - b), np.sin(a - b)
    # T = (1/6 + 1/2) a'^2 + 1/6 b'^2 + 1/2 a' b' cos(a - b),  V = -g (3/2 cos a + 1/2 cos b)
    first = 4 / 3 * aa + 0.5 * ab * c + 0.5 * vb**2 * s + 1.5 * G * np.sin(a)
    second = 1 / 3 * ab + 0.5 * aa * c - 0.5 * va**2 * s + 0.5 * G * np.sin(b)
    assert np.max(np.abs(first)) < 1e-9
    assert np.max(np.abs(second)) < 1e-9


@pytest.mark.parametrize("method", ["LSODA", "Radau", "BDF"])
def test_stiff_methods_give_the_same_motion(method):
    run = double_pendulum().simulate(0, 1, 0.1, method=method, rtol=1e-9, atol=1e-9)
    other = double_pendulum().simulate(0, 1, 0.1)
    assert np.max(np.abs(run["B.q"] - other["B.q"])) < 1e-6
