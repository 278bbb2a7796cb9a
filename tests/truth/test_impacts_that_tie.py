"""Impacts as fast as each other at one instant strike together: what is symmetric stays so, in any order of names.

A disc that meets two equal ones at rest, centres in an equilateral triangle, without friction: with the impulse P along
both lines of centres, m v' = m v − 2 P cos 30°, m u = P, and u − v' cos 30° = e v cos 30° give

    u = (1 + e) v cos 30° / (1 + 2 cos² 30°),   v' = v − 2 u cos 30°;   elastic: u = 2√3/5 v, v' = −v/5.
"""

import numpy as np
import pytest

import mubo

FORMULATIONS = pytest.mark.parametrize("formulation", ["tree", "absolute"])
R, V = 0.1, 2.0


def triangle(names, e, turned):
    """The moving disc `a` and two at rest, the picture turned by an angle that no double represents."""
    model = mubo.Model("break", gravity=(0, 0))
    away = 0.5  # between the surfaces along the path
    places = {"a": complex(-np.sqrt(3) * R - away, 0), "b": 1j * R, "c": -1j * R}
    for name in names:
        at = places[name] * np.exp(1j * turned)
        model.body(name, position=(at.real, at.imag), angle=0, mass=0.7, inertia=1e-3)
        model.surface(f"rim_{name}", body=name, shape="circle", radius=R)
    speed = V * np.exp(1j * turned)
    model.initial("a", velocity=(speed.real, speed.imag))
    model.contact("hit", among=[f"rim_{name}" for name in names], restitution=e)
    return model


@FORMULATIONS
@pytest.mark.parametrize("names", ["abc", "bca", "cab", "cba"])
@pytest.mark.parametrize(("e", "turned"), [(1.0, 0.0), (1.0, 0.7), (0.4, 2.1), (0.0, -1.3)])
def test_a_disc_parts_two_alike(names, e, turned, formulation):
    run = triangle(names, e, turned).simulate(0, 0.4, step=0.1, formulation=formulation, rtol=1e-11, atol=1e-13)
    velocity = {name: (run[f"{name}.vx"][-1] + 1j * run[f"{name}.vy"][-1]) * np.exp(-1j * turned) for name in names}
    c = np.sqrt(3) / 2
    u = (1 + e) * V * c / (1 + 2 * c**2)
    expected = {"a": V - 2 * u * c, "b": u * np.exp(1j * np.pi / 6), "c": u * np.exp(-1j * np.pi / 6)}
    for name in names:
        assert velocity[name] == pytest.approx(expected[name], abs=1e-8)
    hits = [one for one in run.summary["contacts"] if one["event"] == "impact"]
    assert [one["impulse"] for one in hits[:2]] == pytest.approx([0.7 * u] * 2, rel=1e-8)


@FORMULATIONS
@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_a_box_that_falls_flat_rebounds_flat(e, formulation):
    """Both corners strike with √(2 g h): the box rises to e² h and does not turn."""
    g, h = 9.81, 0.3
    model = mubo.Model("box", gravity=(0, -g))
    model.body("box", position=(0.2, 0.1 + h), angle=0, mass=2, inertia=0.03)
    model.surface("sides", body="box", shape="box", size=(0.5, 0.2))
    model.surface("floor", body="ground", shape="plane", normal=(0, 1))
    model.contact("base", between=["sides", "floor"], restitution=e, friction=0.4)
    fall = np.sqrt(2 * h / g)
    end = fall * max(1 + e, 1.1)
    run = model.simulate(0, end, step=end / 4, formulation=formulation)
    assert run["box.y"][-1] == pytest.approx(0.1 + e**2 * h, abs=1e-8)
    np.testing.assert_allclose(run["box.phi"], 0, atol=1e-10)
    hits = [one for one in run.summary["contacts"] if one["event"] == "impact"]
    assert sum(one["impulse"] for one in hits) == pytest.approx(2 * (1 + e) * np.sqrt(2 * g * h), rel=1e-8)


@FORMULATIONS
def test_a_box_between_two_pads_stays_upright(formulation):
    """Pads that close alike from both sides move it neither across nor about."""
    model = mubo.Model("grip", gravity=(0, 0))
    model.ground.point("O", (0, 0))
    model.body("box", position=(0, 0), angle=0, mass=0.5, inertia=4e-4)
    model.surface("box_sides", body="box", shape="box", size=(0.06, 0.06))
    for name, side in (("left", -1), ("right", 1)):
        model.body(name, position=(side * 0.06, 0), angle=0, mass=0.2, inertia=1e-4, points={"F": (0, 0)})
        model.joint(name, "translational", "ground.O", f"{name}.F", axis=(1, 0), angle=0)
        model.initial(name, q=side * 0.06, v=0)
        model.force(f"close_{name}", "joint_effort", name, effort=-10 * side)
        model.surface(f"{name}_pad", body=name, shape="box", size=(0.02, 0.03))
        model.contact(f"{name}_grip", between=["box_sides", f"{name}_pad"], friction=0.6)
    run = model.simulate(0, 0.3, step=0.05, formulation=formulation)
    for name in ("x", "y", "phi"):
        np.testing.assert_allclose(run[f"box.{name}"], 0, atol=1e-9)
    assert len([one for one in run.summary["contacts"] if one["event"] == "impact"]) <= 8
