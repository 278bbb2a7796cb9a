"""A driver whose velocity jumps gives a blow to the free bodies: momentum about its pin is kept, M Δv + JᵀΛ = 0.

A rod (m = 2 kg, I = 0.3 kg m², centre L = 0.5 m below its pin) hangs on a cart that is jerked to u = 2 m/s:
I ω + m L (u + L ω) = 0. In a loop the same jump by a driver of a point of the rod and by one of the joint agree.
"""

import numpy as np
import pytest
from conftest import DATA

import mubo


def jerked(by):
    model = mubo.Model("cart", gravity=(0, 0))
    model.ground.point("O", (0, 0))
    model.body("cart", points={"O": (0, 0)}, mass=1, inertia=1)
    model.translational("rail", "ground.O", "cart.O", axis=(1, 0))
    model.body("rod", points={"O": (0, 0)}, mass=2, inertia=0.3, center=(0, -0.5))
    model.revolute("A", "cart.O", "rod.O")
    model.driver("jerk", by, "where(t < 1, 0, 2*(t - 1))")
    return model


@pytest.mark.parametrize("by", ["rail", "cart.x"])
def test_a_jerk(by):
    run = jerked(by).simulate(0, 1.5, 0.5)
    omega = -2 * 0.5 * 2 / (0.3 + 2 * 0.25)
    np.testing.assert_allclose(run["A.v"][:3], [0, 0, omega], atol=1e-12)  # the row at the jump is behind it
    gained = 0.5 * 1 * 4 + 0.5 * 2 * (2 + 0.5 * omega) ** 2 + 0.5 * 0.3 * omega**2
    assert run["energy.supplied"][2] == pytest.approx(gained, rel=1e-12)
    assert run["energy.kinetic"][2] == pytest.approx(gained, rel=1e-12)
    assert any("the impulse on the free bodies is computed" in note for note in run.summary["warnings"])


@pytest.mark.parametrize("by", ["rail", "cart.x"])
@pytest.mark.parametrize("part", [0.5, 0.05, -0.3])
def test_a_rate_that_changes_by_a_part_gives_its_impulse(by, part):
    """From 2 m/s to (1 + part) times that: I ω + m L (Δu + L ω) = 0, however small a part of the rate Δu is."""
    model = jerked(by)
    model.drivers.clear()
    model.driver("jerk", by, f"where(t < 1, 2*t, 2 + {2 * (1 + part)!r}*(t - 1))")
    model.initial("A", q=0, v=0)
    run = model.simulate(0, 1.5, 0.5)
    omega = -2 * 0.5 * 2 * part / (0.3 + 2 * 0.25)
    np.testing.assert_allclose(run["A.v"][:3], [0, 0, omega], atol=1e-12)
    after = 0.5 * 1 * (2 + 2 * part) ** 2 + 0.5 * 2 * (2 + 2 * part + 0.5 * omega) ** 2 + 0.5 * 0.3 * omega**2
    assert run["energy.supplied"][2] == pytest.approx(after - 0.5 * 3 * 4, rel=1e-12)


@pytest.mark.parametrize("speed", [2e-6, 2e3])
def test_an_impulse_is_proportional_to_the_jump_however_slow_it_is(speed):
    """Nothing but the jump has a size here: ω = −m L u / (I + m L²) for every u."""
    model = jerked("rail")
    model.drivers.clear()
    model.driver("jerk", "rail", f"where(t < 1, 0, {speed!r}*(t - 1))")
    run = model.simulate(0, 1.5, 0.5)
    assert run["A.v"][2] == pytest.approx(-2 * 0.5 * speed / (0.3 + 2 * 0.25), rel=1e-12)


def test_a_blow_keeps_the_loops():
    """Two degrees of freedom: one crank of a double four-bar is jerked; loops stay closed, and energy balances behind
    it."""
    model = mubo.load(DATA / "dynamics" / "double.toml")
    model.initial_joints.clear()
    start = model.simulate(0, 0.1, 0.1)["crank1.phi"][0]
    model.driver("jerk", "crank1.phi", f"{float(start)!r} + where(t < 0.05, 0, 3*(t - 0.05))")
    run = model.simulate(0, 0.2, 0.025)
    assert run.summary["loops"]["gap"] < 1e-13
    assert run.summary["loops"]["gap_rate"] < 1e-11
    assert run.summary["energy"]["relative"] < 1e-7
    assert run["jerk.rate"][2] == pytest.approx(3)


def test_a_value_that_jumps_is_refused():
    model = jerked("rail").copy()
    model.drivers.clear()
    model.driver("jerk", "rail", "where(t < 1, 0, 1)")
    with pytest.raises(mubo.MuboError, match="jump"):
        model.simulate(0, 2, 0.5)
