"""A disc slides from a cylinder without friction: it presses with m g (3 cos θ − 2 cos θ₀), and leaves where that ends.

The normal turns while the disc moves along the tangent, so that the contact accelerates by v²/(R + r) along it (E. J.
Routh, Dynamics of a Particle, 1898, art. 201).
"""

import math

import numpy as np
import pytest

import mubo

R, SMALL, MASS, G, START = 0.5, 0.1, 0.7, 9.81, 0.4  # angles from the vertical


def slide(formulation, end, turning):
    """A disc on a cylinder that is fixed, or spins under it; without friction the disc does not notice."""
    model = mubo.Model("cylinder", gravity=[0, -G])
    model.ground.point("O", (0, 0))
    model.body("cylinder", [0, 0], 0, {"O": (0, 0)}, mass=1, inertia=0.1)
    model.joint("O", "revolute", "ground.O", "cylinder.O")
    model.driver("motor", "O", {"rate": turning})
    reach = R + SMALL
    model.body("disc", [reach * math.sin(START), reach * math.cos(START)], 0, mass=MASS, inertia=0.01)
    model.surface("rim", body="disc", shape="circle", radius=SMALL)
    model.surface("top", body="cylinder", shape="circle", radius=R)
    model.contact("hit", between=["rim", "top"], restitution=0)
    return model.simulate(0, end, step=0.02, formulation=formulation)


@pytest.mark.parametrize("turning", [0.0, 5.0])
@pytest.mark.parametrize("formulation", ["tree", "absolute"])
def test_it_presses_until_it_leaves(formulation, turning):
    run = slide(formulation, 0.6, turning)
    parted = [entry for entry in run.summary["contacts"] if entry["event"] == "part"]
    assert len(parted) == 1
    on = run["t"] < parted[0]["t"]
    cosine = run["disc.y"][on] / (R + SMALL)
    np.testing.assert_allclose(np.hypot(run["disc.x"], run["disc.y"])[on], R + SMALL, atol=1e-10)
    np.testing.assert_allclose(run["hit.normal"][on], MASS * G * (3 * cosine - 2 * math.cos(START)), atol=1e-7)
    assert np.all(run["hit.normal"][~on] == 0)


@pytest.mark.parametrize("formulation", ["tree", "absolute"])
def test_it_leaves_at_two_thirds_of_its_height(formulation):
    run = slide(formulation, 0.6, 0.0)
    (parted,) = (event for event in run.events if event.kind == "part")
    height = parted.state["disc.y"] / (R + SMALL)
    assert height == pytest.approx(2 / 3 * math.cos(START), rel=1e-7)
