"""Oldham's coupling: equal angles, and a disc whose centre runs round Thales' circle over the shafts, twice a turn."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

OFFSET = 0.3


@pytest.mark.parametrize("formulation", ["auto", "absolute"])
def test_shafts_turn_equally_and_the_disc_runs_on_its_circle(formulation):
    """The disc's centre sees both shafts under a right angle: C = e cos θ (cos θ, sin θ) = e/2 (1 + cos 2θ, sin 2θ)."""
    run = mubo.load(EXAMPLES / "oldham.toml").kinematics(formulation=formulation)
    theta = 2 * np.pi * run["t"]
    np.testing.assert_allclose(run["output.phi"], 360 * run["t"], atol=1e-10)
    np.testing.assert_allclose(run["output.omega"], 360, rtol=1e-12)
    np.testing.assert_allclose(run["disc.phi"], 360 * run["t"], atol=1e-10)
    np.testing.assert_allclose(run["C.x"], OFFSET / 2 * (1 + np.cos(2 * theta)), atol=1e-13)
    np.testing.assert_allclose(run["C.y"], OFFSET / 2 * np.sin(2 * theta), atol=1e-13)
    speed = np.hypot(run["C.vx"], run["C.vy"])
    np.testing.assert_allclose(speed, OFFSET / 2 * 4 * np.pi, rtol=1e-12)


def test_the_coupling_alone():
    """Without its disc; the angle between the shafts is the one given."""
    model = mubo.Model("coupling")
    model.ground.point("A", (0, 0))
    model.ground.point("B", (0.2, 0.1))
    model.body("input", (0, 0), 0.0, {"O": (0, 0)})
    model.body("output", (0.2, 0.1), 0.6, {"O": (0, 0)})
    model.revolute("A", "ground.A", "input.O")
    model.revolute("B", "ground.B", "output.O")
    model.joint("coupling", "oldham", "input.O", "output.O", angle=0.7)
    model.driver("motor", "A", "t^2")
    run = model.kinematics(0, 3, 0.1)
    np.testing.assert_allclose(run["output.phi"], 0.7 + run["t"] ** 2, atol=1e-12)
    np.testing.assert_allclose(run["output.alpha"], 2, rtol=1e-12)
