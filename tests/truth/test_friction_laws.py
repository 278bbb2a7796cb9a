"""Poisson's restitution and Stribeck's friction against quadratures and the algebra of one impact, done apart."""

import numpy as np
import pytest

import mubo

FORMULATIONS = pytest.mark.parametrize("formulation", ["tree", "absolute"])


def _impulses(m, inertia, arm, v, e, mu, poisson):
    """Normal and tangential impulse of a body that strikes a plane at a point `arm` from its centre: both phases."""
    rx, ry = arm
    G = np.array([[1 / m + rx**2 / inertia, -rx * ry / inertia], [-rx * ry / inertia, 1 / m + ry**2 / inertia]])

    def phase(u, normal_target=None, normal=None):
        stick = np.linalg.solve(G, np.array([normal_target - u[0], -u[1]])) if normal is None else None
        if normal is not None:
            stick = np.array([normal, (-u[1] - G[1, 0] * normal) / G[1, 1]])
        if abs(stick[1]) <= mu * stick[0]:
            return stick
        heading = np.sign(u[1]) if abs(u[1]) > 1e-9 else -np.sign(stick[1])
        size = normal if normal is not None else (normal_target - u[0]) / (G[0, 0] - mu * heading * G[0, 1])
        return np.array([size, -mu * heading * size])

    if not poisson:
        return phase(v, -e * v[0])
    first = phase(v, 0.0)
    return first + phase(v + G @ first, normal=e * first[0])


@pytest.mark.parametrize("law", ["newton", "poisson"])
@pytest.mark.parametrize("mu", [0.0, 0.15, 0.9])
@pytest.mark.parametrize("angle", [0.4, 1.1])
@FORMULATIONS
def test_a_rod_strikes_a_floor(formulation, angle, mu, law):
    """A rod that falls turned and sliding: normal impulses of Newton and Poisson differ where friction acts."""
    m, length, e = 1.5, 0.6, 0.6
    inertia = m * length**2 / 12
    arm = -0.5 * length * np.array([np.cos(angle), np.sin(angle)])
    model = mubo.Model("rod", gravity=[0, 0])
    height = -arm[1] + 0.2
    model.body("rod", position=[0, height], angle=angle, mass=m, inertia=inertia)
    model.initial("rod", velocity=[0.8, -2.0], omega=0)
    model.surface("tip", body="rod", shape="point", at=[-0.5 * length, 0])
    model.surface("floor", body="ground", shape="plane", normal=[0, 1])
    law_of = {"friction": mu} if mu else {}
    model.contact("hit", between=["tip", "floor"], restitution=e, impact=law, **law_of)
    run = model.simulate(0, 0.11, step=0.01, formulation=formulation)
    hit = run.summary["contacts"][0]
    P, T = _impulses(m, inertia, arm, np.array([-2.0, 0.8]), e, mu, law == "poisson")
    assert hit["impulse"] == pytest.approx(P, rel=1e-9)
    assert run["rod.vx"][-1] == pytest.approx(0.8 + T / m, rel=1e-9)
    assert hit["energy_lost"] >= 0
    assert any(f"impacts by {law.capitalize()}'s restitution" in note for note in run.summary["warnings"])
    assert run["rod.vy"][-1] == pytest.approx(-2.0 + P / m, rel=1e-9)


def test_poisson_is_newton_without_friction():
    """Two laws, one rebound: e of the velocity where nothing acts along the tangent."""
    assert _impulses(1, 0.1, (0.1, -0.2), np.array([-1.0, 0.3]), 0.5, 0, True)[0] == pytest.approx(
        _impulses(1, 0.1, (0.1, -0.2), np.array([-1.0, 0.3]), 0.5, 0, False)[0]
    )


def _stopping_time(v0, kinetic, static, speed):
    """∫ dv / (g μ(v)) by Gauss-Legendre quadrature in panels."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    edges = np.linspace(0, v0, 41)
    half = np.diff(edges) / 2
    v = (edges[:-1] + half)[:, None] + half[:, None] * nodes
    mu = kinetic + (static - kinetic) * np.exp(-((v / speed) ** 2))
    return float(np.sum(half[:, None] * weights / (9.81 * mu)))


@FORMULATIONS
def test_stribeck_contact_stops_a_block(formulation):
    """A sliding block comes to rest after ∫ dv / (g μ(v)), with the static coefficient at the end."""
    model = mubo.Model("block", gravity=[0, -9.81])
    model.body("block", position=[0, 0.05], angle=0, mass=2, inertia=0.1)
    model.initial("block", velocity=[1.5, 0], omega=0)
    model.surface("base", body="block", shape="box", size=[1, 0.1])
    model.surface("floor", body="ground", shape="plane", normal=[0, 1])
    model.contact("floor", between=["base", "floor"], friction=0.2, static_friction=0.5, stribeck=0.3)
    run = model.simulate(0, 1, step=0.05, formulation=formulation)
    stick = next(one for one in run.summary["contacts"] if one["event"] == "stick")
    assert stick["t"] == pytest.approx(_stopping_time(1.5, 0.2, 0.5, 0.3), abs=1e-9)
    assert run["block.vx"][-1] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("law", [{"effort": 0.2 * 2 * 9.81}, {"coulomb": 0.2}])
@FORMULATIONS
def test_stribeck_friction_of_a_guide_stops_a_slide(formulation, law):
    """The same law in a joint, by its size and by its reaction."""
    model = mubo.Model("slide", gravity=[0, -9.81])
    model.ground.point("O", (0, 0))
    model.body("slide", position=[0, 0], angle=0, mass=2, inertia=0.1, points={"P": (0, 0)})
    model.joint("guide", "translational", "ground.O", "slide.P", axis=[1, 0])
    model.initial("guide", q=0, v=1.5)
    model.force("rub", "friction", "guide", static_ratio=2.5, stribeck=0.3, **law)
    run = model.simulate(0, 1, step=0.05, formulation=formulation)
    stick = next(one for one in run.summary["contacts"] if one["event"] == "stick")
    assert stick["t"] == pytest.approx(_stopping_time(1.5, 0.2, 0.5, 0.3), abs=1e-8)
    assert run.summary["energy"]["relative"] < 1e-9
