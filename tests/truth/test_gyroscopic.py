"""Small motions of spinning tops and of bodies hung on balls, against closed forms."""

import math

import numpy as np
import pytest

import mubo

MASS, ARM, ACROSS, ALONG, GRAVITY = 1.5, 0.2, 0.01, 0.02, 9.81


def top(spin: float, turn: float = 0.0) -> mubo.Model:
    """A heavy symmetric top standing on its tip in a gimbal without mass; `turn` is how it is drawn about its axis."""
    model = mubo.Model("top", dimension=3)
    model.gravity = (0, 0, -GRAVITY)
    model.ground.point("O", (0, 0, 0))
    model.body("ring", position=(0, 0, 0), orientation=(1, 0, 0, 0), points={"O": (0, 0, 0)})
    half = (math.cos(turn / 2), 0, 0, math.sin(turn / 2))
    model.body(
        "top",
        position=(0, 0, 0),
        orientation=half,
        points={"O": (0, 0, 0)},
        mass=MASS,
        center=(0, 0, ARM),
        inertia=(ACROSS, ACROSS, ALONG, 0, 0, 0),
    )
    model.joint("gimbal", "universal", "ground.O", "ring.O", axes=[(1, 0, 0), (0, 1, 0)])
    model.revolute("spin", "ring.O", "top.O", axis=(0, 0, 1))
    model.initial("spin", v=spin)
    return model


@pytest.mark.parametrize("spin", [25.0, 40.0, -60.0])
def test_sleeping_top(spin):
    """I₁ σ² − I₃ n σ + m g l = 0 with I₁ about the tip: it sleeps where (I₃ n)² > 4 I₁ m g l (Goldstein, Classical
    Mechanics, section 5.7)."""
    across, weight = ACROSS + MASS * ARM**2, MASS * GRAVITY * ARM
    linear = top(spin).linearize(about="steady")
    found = sorted(linear.eigenvalues, key=lambda root: (round(abs(root), 6), root.imag))
    roots = np.roots([across, -ALONG * spin, weight])
    wanted = [1j * root for root in roots] + [-1j * np.conj(root) for root in roots]
    wanted = sorted([*wanted, 0, 0], key=lambda root: (round(abs(root), 6), complex(root).imag))
    for one, other in zip(found[2:], wanted[2:], strict=True):
        assert min(abs(one - two) for two in wanted) < 1e-7 * abs(other)
    sleeps = (ALONG * spin) ** 2 > 4 * across * weight
    assert sleeps == (linear.growth.max() < 1e-6)


def test_it_does_not_matter_how_the_top_is_turned():
    one, two = (top(60.0, turn).linearize(about="steady") for turn in (0.0, 1.1))
    assert two.eigenvalues == pytest.approx(one.eigenvalues, abs=1e-6)


def test_an_uneven_top_has_no_steady_motion():
    """Unequal inertias across the axis turn with it: coefficients of small motions repeat, and are not constant."""
    model = top(60.0).replace("top.inertia", (ACROSS, 2 * ACROSS, ALONG, 0, 0, 0))
    with pytest.raises(mubo.SimulationError, match="not steady"):
        model.linearize(about="steady")


def test_a_bar_on_a_ball_swings_both_ways_and_spins():
    """Two equal frequencies √(m g l/(I + m l²)); nothing resists its spin. Its turns have no coordinates."""
    model = mubo.Model("hung bar", dimension=3)
    model.gravity = (0, 0, -GRAVITY)
    model.ground.point("O", (0, 0, 0))
    model.body(
        "bar",
        position=(0, 0, 0),
        orientation=(1, 0, 0, 0),
        points={"O": (0, 0, 0)},
        mass=MASS,
        center=(0, 0, -ARM),
        inertia=(ACROSS, ACROSS, ALONG, 0, 0, 0),
    )
    model.joint("ball", "spherical", "ground.O", "bar.O")
    linear = model.linearize()
    wanted = math.sqrt(MASS * GRAVITY * ARM / (ACROSS + MASS * ARM**2))
    assert linear.natural_frequencies[1:] == pytest.approx([wanted, wanted], rel=1e-9)
    assert linear.modes[0].describe() == "drifts"
    assert math.isnan(linear.natural_frequencies[0])
