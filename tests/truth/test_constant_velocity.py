"""A constant-velocity joint turns the output as the input, at any angle of the shafts; Hooke's joint does not."""

import numpy as np
import pytest
from conftest import EXAMPLES
from scipy.spatial.transform import Rotation

import mubo

BETA = np.radians(30)


def test_output_turns_as_the_input():
    run = mubo.load(EXAMPLES / "constant_velocity.toml").kinematics()
    np.testing.assert_allclose(run["support.q2"], 360 * run["t"], atol=1e-10)  # degrees
    np.testing.assert_allclose(np.radians(run["support.q2"]) - 2 * np.pi * run["t"], 0, atol=1e-12)
    np.testing.assert_allclose(run["support.v2"], 360, rtol=1e-12)
    np.testing.assert_allclose(run["support.a2"], 0, atol=1e-8)
    np.testing.assert_allclose(run["output.wx"], 360 * np.cos(BETA), rtol=1e-12)
    np.testing.assert_allclose(run["output.wy"], 360 * np.sin(BETA), rtol=1e-12)
    hooke = mubo.load(EXAMPLES / "hooke_joint.toml").kinematics()
    assert np.ptp(hooke["support.v2"]) > 50


def shafts(beta):
    """The example with the shafts at another angle."""
    c, s = np.cos(beta), np.sin(beta)
    model = mubo.Model("shafts", dimension=3)
    model.ground.point("base", (-1, 0, 0))
    model.ground.point("O", (0, 0, 0))
    bent = {"euler": "zxy", "angles": (beta, 0, 0)}
    model.body("input", points={"base": (-1, 0, 0), "O": (0, 0, 0)})
    model.body("output", (0, 0, 0), points={"O": (0, 0, 0), "end": (1, 0, 0)}, orientation=bent)
    model.revolute("bearing", "ground.base", "input.base", axis=(1, 0, 0))
    model.joint("balls", "constant_velocity", "input.O", "output.O", axis=(1, 0, 0))
    model.joint("support", "point_on_line", "ground.O", "output.end", axis=(c, s, 0), euler="zxy", zero=bent)
    model.driver("motor", "bearing", "2*pi*t + t^2")
    return model


@pytest.mark.parametrize("beta", np.radians([0, 10, 60, 100]))
def test_any_angle_of_the_shafts(beta):
    run = shafts(beta).kinematics(0, 1, 0.05)
    np.testing.assert_allclose(run["support.q2"], 2 * np.pi * run["t"] + run["t"] ** 2, atol=1e-12)
    np.testing.assert_allclose(run["support.a2"], 2, atol=1e-10)


@pytest.mark.parametrize("beta", np.radians([10, 60]))
def test_the_swing_lies_in_the_plane_of_symmetry(beta):
    """The turn from input to output is about an axis square to the shaft, by the angle of the shafts."""
    run = shafts(beta).kinematics(0, 1, 0.1)
    pose = {
        body: Rotation.from_quat(np.stack([run[f"{body}.{c}"] for c in ("qw", "qx", "qy", "qz")], 1), scalar_first=True)
        for body in ("input", "output")
    }
    swing = (pose["input"].inv() * pose["output"]).as_rotvec()
    np.testing.assert_allclose(swing[:, 0], 0, atol=1e-12)  # no part along the shaft
    np.testing.assert_allclose(np.linalg.norm(swing, axis=1), beta, rtol=1e-12)
