"""Bodies without support: the torque-free asymmetric top, the thrown stone, the spinning top that precesses.

Euler's equations of a free body have Jacobi's elliptic functions as solution (Landau and Lifshitz, Mechanics,
section 37). A symmetric top in steady precession at a fixed tilt θ: C s Ω = m g l + (A − C) Ω² cos θ, s the spin about
its own axis as the body's ω₃ − Ω cos θ (Goldstein, Classical Mechanics, section 5.7).
"""

import numpy as np
import pytest
from scipy.special import ellipj

import mubo
from mubo.geometry.rotation import matrix

QUATERNION = ("qw", "qx", "qy", "qz")


def floating(inertia, gravity=(0, 0, 0), **options) -> mubo.Model:
    model = mubo.Model("floating", dimension=3, gravity=gravity)
    model.ground.point("O", (0, 0, 0))
    model.body("top", points={"O": (0, 0, 0)}, mass=2.0, inertia=inertia)
    model.joint("base", "free", "ground.O", "top.O", **options)
    return model


def body_axes(run) -> np.ndarray:
    """Angular velocity in body axes."""
    p = np.stack([run[f"top.q{c}"] for c in "wxyz"], 1)
    w = np.stack([run[f"top.w{c}"] for c in "xyz"], 1)
    return np.einsum("nji,nj->ni", matrix(p), w)


def test_asymmetric_top(form):
    """I₃ > I₂ > I₁ and L² > 2 E I₂, ω₂(0) = 0: Landau and Lifshitz (37.10)."""
    i1, i2, i3 = 1.0, 2.0, 2.5
    model = floating((i1, i2, i3))
    start = np.array([0.3, 0.0, 1.1])
    model.initial("base", (0, 0, 0, 1, 0, 0, 0), (0, 0, 0, *start))
    run = model.simulate(0, 20, 0.1, formulation=form)
    energy2 = i1 * start[0] ** 2 + i3 * start[2] ** 2
    square = (i1 * start[0]) ** 2 + (i3 * start[2]) ** 2
    assert square > energy2 * i2
    rate = np.sqrt((i3 - i2) * (square - energy2 * i1) / (i1 * i2 * i3))
    k2 = (i2 - i1) * (energy2 * i3 - square) / ((i3 - i2) * (square - energy2 * i1))
    sn, cn, dn, _ = ellipj(rate * run["t"], k2)
    w1 = np.sqrt((energy2 * i3 - square) / (i1 * (i3 - i1))) * cn
    w2 = np.sqrt((energy2 * i3 - square) / (i2 * (i3 - i2))) * sn
    w3 = np.sqrt((square - energy2 * i1) / (i3 * (i3 - i1))) * dn
    found = body_axes(run)
    # Euler: i2 w2' = (i3 - i1) w3 w1 > 0 at the start.
    assert np.max(np.abs(found - np.stack([w1, w2, w3], 1))) < 1e-8
    assert run.summary["energy"]["relative"] < 1e-8
    assert run.summary["energy"]["angular_momentum"] < 1e-8
    assert run.summary["energy"]["linear_momentum"] < 1e-12


@pytest.mark.parametrize("speed", [0.0, 5.0])
def test_the_drift_of_angular_momentum_is_that_of_the_motion(speed):
    """L = m r × v + A I Aᵀ ω of every row of a coarse run of a tumbling body; its linear momentum stays."""
    inertia = np.array([1.0, 2.0, 2.5])
    model = floating(tuple(inertia))
    model.initial("base", (0.3, 0, 0, 1, 0, 0, 0), (0, speed, 0, 0.02, 2.0, 0.02))
    run = model.simulate(0, 20, 0.5, rtol=1e-4, atol=1e-4)
    p, r, v = (np.stack([run[f"top.{w}"] for w in names], 1) for names in (QUATERNION, "xyz", ("vx", "vy", "vz")))
    spin = np.einsum("nij,nj->ni", matrix(p), inertia * body_axes(run))
    momentum = spin + 2.0 * np.cross(r, v)
    drift = np.linalg.norm(momentum - momentum[0], axis=1).max() / np.linalg.norm(momentum, axis=1).max()
    assert drift > 1e-9
    assert run.summary["energy"]["angular_momentum"] == pytest.approx(drift, rel=1e-3)
    assert run.summary["energy"]["linear_momentum"] < 1e-12


def test_thrown_stone_falls_in_a_parabola():
    model = floating((1, 1, 1), gravity=(0, 0, -9.81))
    model.initial("base", (1, 2, 3, 1, 0, 0, 0), (4, 5, 6, 0.3, 0.2, 0.1))
    run = model.simulate(0, 1, 0.1)
    t = run["t"]
    assert np.max(np.abs(run["top.x"] - (1 + 4 * t))) < 1e-12
    assert np.max(np.abs(run["top.z"] - (3 + 6 * t - 4.905 * t**2))) < 1e-12
    assert np.allclose(run["top.az"], -9.81)
    assert not any("momentum" in name for name in run.summary["energy"])  # its weight changes it: no drift to show


def test_quaternion_and_euler_coordinates_give_the_same_motion():
    model = floating((1.0, 2.0, 2.5), euler="xyz")
    model.initial("base", (0, 0, 0, 0.4, 0.3, -0.2), (1, 0, 0, 0.5, -0.6, 0.7))
    run = model.simulate(0, 3, 0.02)
    p = [run[f"top.q{c}"][0] for c in "wxyz"]
    other = floating((1.0, 2.0, 2.5))
    other.initial("base", (0, 0, 0, *p), (1, 0, 0, *body_axes(run)[0]))
    same = other.simulate(0, 3, 0.02)
    for name in ("top.x", "top.wx", "top.wy", "top.alphaz", "top.qw"):
        assert np.max(np.abs(run[name] - same[name])) < 1e-8
    h = run["t"][1] - run["t"][0]
    for k in range(4, 7):  # rates and accelerations of the angles are their derivatives, by differences of order 4
        for low, high in (("q", "v"), ("v", "a")):
            f, d = run[f"base.{low}{k}"], run[f"base.{high}{k}"]
            slope = (f[:-4] - 8 * f[1:-3] + 8 * f[3:-1] - f[4:]) / (12 * h)
            assert np.max(np.abs(slope - d[2:-2])) < 1e-4


@pytest.mark.parametrize("tilt", [0.4, 1.2])
def test_heavy_symmetric_top_in_steady_precession(tilt):
    a, c, mass, length, g, precession = 0.03, 0.01, 2.0, 0.1, 9.81, 1.5  # A about the tip, C about the axis
    spin = (mass * g * length + (a - c) * precession**2 * np.cos(tilt)) / (c * precession)
    model = mubo.Model("top", dimension=3, gravity=(0, 0, -g))
    model.ground.point("O", (0, 0, 0))
    across = a - mass * length**2
    model.body("top", points={"tip": (0, 0, -length)}, mass=mass, inertia=(across, across, c))
    model.joint("tip", "spherical", "ground.O", "top.tip", euler="zxz")
    model.initial("tip", (0, tilt, 0), (precession, 0, spin))
    run = model.simulate(0, 10, 0.05)
    t = run["t"]
    assert np.max(np.abs(run["tip.q2"] - tilt)) < 1e-8
    assert np.max(np.abs(run["tip.q1"] - precession * t)) < 1e-7
    assert np.max(np.abs(run["tip.q3"] - spin * t)) < 1e-6
